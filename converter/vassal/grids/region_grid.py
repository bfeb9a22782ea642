"""VASSAL's RegionGrid ("irregular grid"): named points; every point of the plane belongs to the nearest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import hypot

from converter.vassal.grids.java_math import half_up, hash_map_order
from converter.vassal.grids.polygon import Point, Size


@dataclass(frozen=True)
class Region:
    name: str
    x: int = 0
    y: int = 0


@dataclass(frozen=True)
class RegionGrid:
    """Of regions at one point the last counts; of regions equally near, the first in the engine's hash order.

    >>> grid = RegionGrid((Region("Seoul", 100, 50), Region("Pusan", 300, 400)))
    >>> grid.location(280, 380, None), grid.snap(280, 380), grid.point("Seoul", None)
    ('Pusan', (300, 400), (100, 50))
    """

    regions: tuple[Region, ...]
    snap_to: bool = True

    @cached_property
    def _names(self) -> dict[Point, str]:
        names = {(region.x, region.y): region.name for region in self.regions}
        return {point: names[point] for point in hash_map_order(names)}

    def location(self, x: int, y: int, size: Size | None) -> str | None:
        """The name of the nearest region; None where there is none."""
        nearest = self._nearest(x, y)
        return None if nearest is None else self._names[nearest]

    def point(self, label: str, size: Size | None) -> Point | None:
        return next((point for point, name in self._names.items() if name == label), None)

    def distance(self, a: Point, b: Point) -> int:
        """The pixels between two points: regions have no neighbours to count."""
        return half_up(hypot(a[0] - b[0], a[1] - b[1]))

    def snap(self, x: int, y: int, hexagons: bool = True) -> Point:
        nearest = self._nearest(x, y) if self.snap_to else None
        return (x, y) if nearest is None else nearest

    def _nearest(self, x: int, y: int) -> Point | None:
        return min(self._names, key=lambda at: (at[0] - x) ** 2 + (at[1] - y) ** 2, default=None)
