"""A map as the referee asks it: what is in this hex, on this hexside, between these two hexes?

What no source tells is unknown, and the answers say so: a game is judged on what is known, never on a guess.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from converter.hexgrid import Area, Grid, Layout, North
from converter.scenario.map_items import (
    NONE,
    UNKNOWN,
    Box,
    Hexes,
    HexsideFeature,
    Line,
    Link,
    Note,
    Place,
    Region,
    Terrain,
)
from converter.scenario.sources import Source

Section = Literal["hexsides", "links", "places", "regions"]
Extent = Literal["certain", "at-least"]
_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Picture:
    """Where the grid lies on a picture of the map, in pixels (see `converter.hexgrid.Layout`)."""

    width: int
    height: int
    dx: float
    dy: float
    x0: float
    y0: float
    rotation: float = 0.0
    image: str | None = None
    confidence: float | None = None


@dataclass(frozen=True)
class OtherGrid:
    """Places that are no hexes: squares, numbered in VASSAL's terms (`labels`), or points with names."""

    kind: Literal["squares", "points"]
    dx: float | None = None
    dy: float | None = None
    x0: float | None = None
    y0: float | None = None
    labels: tuple[tuple[str, str | int | bool], ...] | None = None
    points: tuple[tuple[str, int, int], ...] | None = None


@dataclass(frozen=True)
class MapFile:
    """A map: its grid and everything known of it.

    >>> from converter.scenario import read_map_text
    >>> sheet = read_map_text('''
    ... version: 1
    ... name: example
    ... grid: {columns: 4, rows: 3}
    ... terrain: [{kind: rough, hexes: ["0101..0103"], source: {rule: "5.2"}}]
    ... hexsides: [{kind: river, between: [["0101", "0201"]], source: {rule: "5.3"}}]
    ... links: [{kind: road, path: ["0101", "0201", "0302"], source: {rule: "5.4"}}]
    ... ''')
    >>> sheet.terrain("0102"), sheet.terrain("0402")
    ('rough', None)
    >>> sheet.hexside_features("0201", "0101"), sheet.links("0201", "0302"), sheet.links("0101", "0102")
    (frozenset({'river'}), frozenset({'road'}), frozenset())
    """

    name: str
    grid: Grid
    title: str | None = None
    game: str | None = None
    scale: str | None = None
    north: North = "up"
    extent: Extent = "certain"
    half: Hexes = ()
    grid_source: Source | None = None
    grid_note: str | None = None
    picture: Picture | None = None
    other_grid: OtherGrid | None = None
    complete: tuple[Section, ...] = ()
    default_terrain: tuple[str, Source] | None = None
    terrains: tuple[Terrain, ...] = ()
    hexsides: tuple[HexsideFeature, ...] = ()
    all_links: tuple[Link, ...] = ()
    places: tuple[Place, ...] = ()
    regions: tuple[Region, ...] = ()
    lines: tuple[Line, ...] = ()
    boxes: tuple[Box, ...] = ()
    notes: tuple[Note, ...] = ()

    def on_map(self, number: str) -> bool | None:
        """Is there such a hex? None where the map may be larger than any source tells."""
        grid = self.grid
        if number in grid:
            return True
        hex = grid.numbering.hex(number)
        if self.extent == "certain" or hex is None or min(hex) < 0:
            return False
        return None if hex.col >= grid.columns or hex.row >= grid.rows_of(hex.col) else False

    def neighbours(self, number: str) -> tuple[str, ...]:
        """The hexes round this one that the grid has."""
        return self.grid.neighbours(number)

    def distance(self, one: str, other: str) -> int:
        """How many hexes apart."""
        return self.grid.distance(one, other)

    def terrain(self, number: str) -> str | None:
        """The hex's terrain; None where it is unknown or could be one of several."""
        kinds = self.possible_terrain(number)
        return kinds[0] if kinds is not None and len(kinds) == 1 else None

    def possible_terrain(self, number: str) -> tuple[str, ...] | None:
        """The kinds the hex's terrain may be; None where it may be anything."""
        entry = self._terrain_at.get(number)
        if entry is None:
            return (self.default_terrain[0],) if self.default_terrain and number in self.grid else None
        return None if UNKNOWN in entry.kinds else entry.kinds

    def told_terrain(self) -> dict[str, tuple[str, ...]]:
        """The kinds that each hex's terrain may be, of the hexes that are listed; none where it may be anything."""
        return {hex: () if UNKNOWN in entry.kinds else entry.kinds for hex, entry in self._terrain_at.items()}

    def terrain_source(self, number: str) -> Source | None:
        """Who says what terrain this is."""
        entry = self._terrain_at.get(number)
        return entry.source if entry else self.default_terrain[1] if self.default_terrain else None

    def hexside_features(self, one: str, other: str) -> frozenset[str]:
        """What is known to be on the side between two touching hexes."""
        return self._hexsides_by_pair.get(frozenset((one, other)), _NOTHING) - {NONE}

    def featured(self) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
        """The hexsides between touching hexes with something on them, and what."""
        return self._between(self._hexsides_by_pair)

    def linked(self) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
        """The touching hexes with a road, rail or trail from one to the other, and which."""
        return self._between(self._links_by_pair)

    def _between(
        self, known: Mapping[frozenset[str], frozenset[str]]
    ) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
        for pair, kinds in known.items():
            if kinds != {NONE} and len(pair) == 2 and all(hex in self.grid for hex in pair) and self.grid.touch(*pair):
                yield pair, kinds - {NONE}

    def hexside_is_certain(self, one: str, other: str) -> bool:
        """True where nothing else can be on that side."""
        return "hexsides" in self.complete or NONE in self._hexsides_by_pair.get(frozenset((one, other)), _NOTHING)

    def links(self, one: str, other: str) -> frozenset[str]:
        """The kinds of road, rail and trail known to run from one hex to a touching one."""
        return self._links_by_pair.get(frozenset((one, other)), _NOTHING) - {NONE}

    def links_are_certain(self, one: str, other: str) -> bool:
        """True where no other road, rail or trail can run there."""
        return "links" in self.complete or NONE in self._links_by_pair.get(frozenset((one, other)), _NOTHING)

    def links_at(self, number: str) -> frozenset[str]:
        """The kinds of road, rail and trail known to touch a hex, whichever way they run on."""
        return self._links_by_hex.get(number, _NOTHING)

    def places_at(self, number: str) -> tuple[Place, ...]:
        """The cities, ports, airfields, ... in a hex."""
        return self._places_at.get(number, ())

    def kinds_at(self, number: str) -> frozenset[str]:
        """The kinds of place in a hex, as one set: {"city", "port"}."""
        return frozenset(kind for place in self.places_at(number) for kind in place.kinds)

    def place(self, name: str) -> Place | None:
        """The place of this name."""
        return next((place for place in self.places if place.name == name), None)

    def hexes_of_kind(self, kind: str, side: str | None = None) -> Hexes:
        """All hexes with a place of this kind (of this side, where given), each once, as listed."""
        fitting = (place for place in self.places if kind in place.kinds and side in (None, place.side))
        return tuple(dict.fromkeys(hex for place in fitting for hex in place.hexes))

    def regions_of(self, number: str) -> tuple[Region, ...]:
        """The regions known to hold a hex."""
        return self._regions_of.get(number, ())

    def region(self, name: str) -> Region | None:
        """The region of this name."""
        return next((region for region in self.regions if region.name == name), None)

    def in_region(self, name: str, number: str) -> bool | None:
        """Is a hex in a region? None where the region's hexes are not all known."""
        region = self.region(name)
        if region is None:
            return None
        if region in self.regions_of(number):
            return True
        return False if region.complete else None

    def line(self, name: str) -> Line | None:
        """The line of this name."""
        return next((line for line in self.lines if line.name == name), None)

    def box(self, name: str) -> Box | None:
        """The box of this name."""
        return next((box for box in self.boxes if box.name == name), None)

    @cached_property
    def layout(self) -> Layout | None:
        """The grid on its picture; None for a map without one."""
        it = self.picture
        if it is None:
            return None
        return Layout(it.dx, it.dy, it.x0, it.y0, self.grid.sideways, it.rotation, self.grid.lattice)

    def hex_at(self, x: float, y: float) -> str | None:
        """The number of the hex under a pixel of the picture; None off the grid or without a picture."""
        return self.grid.number(self.layout.hex_at(x, y)) if self.layout else None

    @cached_property
    def areas(self) -> tuple[Area, ...]:
        """The boxes that have an outline on the picture."""
        return tuple(Area(box.name, box.outline) for box in self.boxes if box.outline)

    @cached_property
    def _terrain_at(self) -> dict[str, Terrain]:
        return {hex: entry for entry in reversed(self.terrains) for hex in entry.hexes}

    @cached_property
    def _hexsides_by_pair(self) -> dict[frozenset[str], frozenset[str]]:
        return _gather((frozenset(pair), entry.kind) for entry in self.hexsides for pair in entry.between)

    @cached_property
    def _links_by_pair(self) -> dict[frozenset[str], frozenset[str]]:
        return _gather((frozenset(pair), link.kind) for link in self.all_links for pair in pairwise(link.path))

    @cached_property
    def _links_by_hex(self) -> dict[str, frozenset[str]]:
        found: defaultdict[str, set[str]] = defaultdict(set)
        for link in self.all_links:
            for hex in (*link.path, *link.route):
                found[hex].add(link.kind)
        return {hex: frozenset(kinds - {NONE}) for hex, kinds in found.items()}

    @cached_property
    def _places_at(self) -> dict[str, tuple[Place, ...]]:
        found: defaultdict[str, list[Place]] = defaultdict(list)
        for place in self.places:
            for hex in place.hexes:
                found[hex].append(place)
        return {hex: tuple(here) for hex, here in found.items()}

    @cached_property
    def _regions_of(self) -> dict[str, tuple[Region, ...]]:
        found: defaultdict[str, list[Region]] = defaultdict(list)
        for region in self.regions:
            for hex in region.hexes:
                found[hex].append(region)
        return {hex: tuple(here) for hex, here in found.items()}


def _gather(items: Iterable[tuple[frozenset[str], str]]) -> dict[frozenset[str], frozenset[str]]:
    found: defaultdict[frozenset[str], set[str]] = defaultdict(set)
    for pair, kind in items:
        found[pair].add(kind)
    return {pair: frozenset(kinds) for pair, kinds in found.items()}
