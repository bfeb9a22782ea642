"""VASSAL's ZonedGrid ("multi-zoned grid"): areas with a name and a grid of their own on a background grid."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import hypot
from typing import TypeAlias

from converter.vassal.grids.hex_grid import HexGrid
from converter.vassal.grids.java_math import half_up
from converter.vassal.grids.location_format import LocationFormat, match
from converter.vassal.grids.polygon import Point, Polygon, Size
from converter.vassal.grids.region_grid import RegionGrid
from converter.vassal.grids.square_grid import SquareGrid


@dataclass(frozen=True)
class Zone:
    """An area of the board. Its grid counts in board pixels, but a descending numbering in the area's own size."""

    name: str
    polygon: Polygon
    location_format: str = "$name$"
    use_parent_grid: bool = False
    grid: Grid | None = None

    @cached_property
    def format(self) -> LocationFormat:
        return LocationFormat(self.location_format)

    def grid_in_force(self, background: Grid | None, size: Size | None) -> tuple[Grid | None, Size | None]:
        """The zone's grid and the size of what contains it: the zone itself, or the board for the background grid."""
        return (background, size) if self.use_parent_grid else (self.grid, self.polygon.size)

    def location(self, x: int, y: int, background: Grid | None, size: Size | None) -> str:
        grid, grid_size = self.grid_in_force(background, size)
        inner = None
        if grid is not None and "gridLocation" in self.format.variables:
            inner = grid.location(x, y, grid_size)
        return self.format.fill({"name": self.name, "gridLocation": inner})

    def point(self, label: str, background: Grid | None, size: Size | None) -> Point | None:
        """Where a piece sent to this label goes: the grid's place, or the middle of the zone."""
        grid, grid_size = self.grid_in_force(background, size)
        found = match(_pattern(self.name, self.format, grid is not None), label)
        if found is None:
            return None
        if grid is None or found.re.groups == 0:
            place = self.polygon.anchor()
        else:
            place = grid.point(found.group(found.re.groups), grid_size)
        return place if place is not None and self.polygon.contains(*place) else None


@dataclass(frozen=True)
class ZonedGrid:
    """A point belongs to the first zone that contains it, else to the background grid.

    >>> box = Polygon(((0, 0), (100, 0), (100, 100), (0, 100)))
    >>> grid = ZonedGrid((Zone("Eliminated", box),), HexGrid(snap_to=False))
    >>> grid.location(50, 50, (800, 600)), grid.location(400, 50, (800, 600)), grid.point("Eliminated", (800, 600))
    ('Eliminated', None, (50, 50))
    """

    zones: tuple[Zone, ...]
    background: Grid | None = None

    def zone(self, x: int, y: int) -> Zone | None:
        return next((zone for zone in self.zones if zone.polygon.contains(x, y)), None)

    def location(self, x: int, y: int, size: Size | None) -> str | None:
        """The engine's LocationName (None: no name); `size` is the board's. UnknownLocation: it takes running code."""
        zone = self.zone(x, y)
        if zone is not None:
            return zone.location(x, y, self.background, size)
        return None if self.background is None else self.background.location(x, y, size)

    def point(self, label: str, size: Size | None) -> Point | None:
        """Where a piece sent to this label goes: the first zone that knows it, else the background grid."""
        for zone in self.zones:
            place = zone.point(label, self.background, size)
            if place is not None:
                return place
        return None if self.background is None else self.background.point(label, size)

    def distance(self, a: Point, b: Point) -> int:
        """By the grid of the zone that both lie in, else by the background's, else in pixels."""
        zone = self.zone(*a)
        grid = zone.grid_in_force(self.background, None)[0] if zone is not None and zone is self.zone(*b) else None
        grid = grid or self.background
        return half_up(hypot(a[0] - b[0], a[1] - b[1])) if grid is None else grid.distance(a, b)

    def snap(self, x: int, y: int, hexagons: bool = True) -> Point:
        zone = self.zone(x, y)
        grid = self.background if zone is None else zone.grid_in_force(self.background, None)[0]
        return (x, y) if grid is None else grid.snap(x, y, hexagons)


Grid: TypeAlias = HexGrid | SquareGrid | RegionGrid | ZonedGrid


@lru_cache(maxsize=4096)
def _pattern(name: str, form: LocationFormat, has_grid: bool) -> re.Pattern[str] | None:
    groups = {"name": re.escape(name), "gridLocation": "(.*)" if has_grid else ""}
    return form.pattern(lambda variable: groups.get(variable, ""))
