"""What a map.yaml lists: terrain, hexside features, roads, places, regions, lines and boxes, each with its source.

Each kind of item reads itself from plain data and writes itself back; a hex is its printed number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from converter.hexgrid import Grid
from converter.scenario.sources import Source

Hexes = tuple[str, ...]
Pair = tuple[str, str]
UNKNOWN = "unknown"
NONE = "none"


@dataclass(frozen=True)
class Terrain:
    """The terrain of some hexes: one kind, or the kinds it may be. `unknown` is a kind like any other to the file."""

    kinds: tuple[str, ...]
    hexes: Hexes
    source: Source
    note: str | None = None

    @classmethod
    def decode(cls, data: dict[str, Any], grid: Grid) -> Terrain:
        kinds = (data["kind"],) if isinstance(data["kind"], str) else tuple(data["kind"])
        return cls(kinds, spread_runs(data["hexes"], grid), Source.decode(data["source"]), data.get("note"))

    def encode(self, grid: Grid) -> dict[str, Any]:
        kind = self.kinds[0] if len(self.kinds) == 1 else list(self.kinds)
        return _tidy(kind=kind, source=self.source, note=self.note) | {"hexes": fold_runs(self.hexes, grid)}


@dataclass(frozen=True)
class HexsideFeature:
    """Something along hexsides (river, cliff, lake) or across them (bridge, ford). `none`: there is nothing."""

    kind: str
    between: tuple[Pair, ...]
    source: Source
    name: str | None = None
    note: str | None = None

    @classmethod
    def decode(cls, data: dict[str, Any], grid: Grid) -> HexsideFeature:
        source = Source.decode(data["source"])
        return cls(data["kind"], _pairs(data["between"]), source, data.get("name"), data.get("note"))

    def encode(self, grid: Grid) -> dict[str, Any]:
        said = _tidy(kind=self.kind, name=self.name, source=self.source, note=self.note)
        return said | {"between": [list(pair) for pair in self.between]}


@dataclass(frozen=True)
class Link:
    """A road, railroad or trail. A `path` goes from hex to touching hex; a `route` tells only hexes that it joins."""

    kind: str
    path: Hexes
    route: Hexes
    source: Source
    name: str | None = None
    note: str | None = None

    @classmethod
    def decode(cls, data: dict[str, Any], grid: Grid) -> Link:
        path, route = tuple(data.get("path", ())), tuple(data.get("route", ()))
        return cls(data["kind"], path, route, Source.decode(data["source"]), data.get("name"), data.get("note"))

    def encode(self, grid: Grid) -> dict[str, Any]:
        said = _tidy(kind=self.kind, name=self.name, source=self.source, note=self.note)
        return said | ({"path": list(self.path)} if self.path else {"route": list(self.route)})


@dataclass(frozen=True)
class Place:
    """A city, port, airfield, hill, supply source, ...; without a name where the map gives none."""

    kinds: tuple[str, ...]
    hexes: Hexes
    source: Source
    name: str | None = None
    side: str | None = None
    note: str | None = None

    @classmethod
    def decode(cls, data: dict[str, Any], grid: Grid) -> Place:
        hexes, source = spread_runs(data["hexes"], grid), Source.decode(data["source"])
        return cls(tuple(data["kinds"]), hexes, source, data.get("name"), data.get("side"), data.get("note"))

    def encode(self, grid: Grid) -> dict[str, Any]:
        said = _tidy(name=self.name, kinds=list(self.kinds), side=self.side, hexes=fold_runs(self.hexes, grid))
        return said | _tidy(source=self.source, note=self.note)


@dataclass(frozen=True)
class Region:
    """A named set of hexes: a staging area, a country, a perimeter. Not `complete`: more hexes may belong to it."""

    name: str
    kind: str
    hexes: Hexes
    source: Source
    side: str | None = None
    complete: bool = True
    note: str | None = None

    @classmethod
    def decode(cls, data: dict[str, Any], grid: Grid) -> Region:
        hexes, source = spread_runs(data["hexes"], grid), Source.decode(data["source"])
        more = data.get("side"), data.get("complete", True), data.get("note")
        return cls(data["name"], data["kind"], hexes, source, *more)

    def encode(self, grid: Grid) -> dict[str, Any]:
        said = _tidy(name=self.name, kind=self.kind, side=self.side, complete=None if self.complete else False)
        return said | _tidy(source=self.source, note=self.note) | {"hexes": fold_runs(self.hexes, grid)}


@dataclass(frozen=True)
class Line:
    """A line across the map (a parallel, a border, a weather line): between hexes, through hexes, or both."""

    name: str
    kind: str
    between: tuple[Pair, ...]
    hexes: Hexes
    source: Source
    complete: bool = True
    note: str | None = None

    @classmethod
    def decode(cls, data: dict[str, Any], grid: Grid) -> Line:
        between, hexes = _pairs(data.get("between", ())), spread_runs(data.get("hexes", ()), grid)
        more = Source.decode(data["source"]), data.get("complete", True), data.get("note")
        return cls(data["name"], data["kind"], between, hexes, *more)

    def encode(self, grid: Grid) -> dict[str, Any]:
        said = _tidy(name=self.name, kind=self.kind, complete=None if self.complete else False)
        said |= _tidy(source=self.source, note=self.note)
        if self.between:
            said["between"] = [list(pair) for pair in self.between]
        return said | ({"hexes": fold_runs(self.hexes, grid)} if self.hexes else {})


@dataclass(frozen=True)
class Box:
    """A holding box, track or sea area off the grid; `leads_to` are the hexes a piece may enter from it."""

    name: str
    kind: str
    source: Source
    side: str | None = None
    leads_to: Hexes = ()
    outline: tuple[tuple[float, float], ...] = ()
    note: str | None = None

    @classmethod
    def decode(cls, data: dict[str, Any], grid: Grid) -> Box:
        leads_to = tuple(data.get("leads_to", ()))
        outline = tuple((x, y) for x, y in data.get("outline", ()))
        source = Source.decode(data["source"])
        return cls(data["name"], data["kind"], source, data.get("side"), leads_to, outline, data.get("note"))

    def encode(self, grid: Grid) -> dict[str, Any]:
        said = _tidy(name=self.name, kind=self.kind, side=self.side, leads_to=list(self.leads_to) or None)
        outline = [list(corner) for corner in self.outline] or None
        return said | _tidy(outline=outline, source=self.source, note=self.note)


@dataclass(frozen=True)
class Note:
    """Something known of the map that no other item can hold."""

    text: str
    source: Source

    @classmethod
    def decode(cls, data: dict[str, Any], grid: Grid) -> Note:
        return cls(data["text"], Source.decode(data["source"]))

    def encode(self, grid: Grid) -> dict[str, Any]:
        return {"text": self.text, "source": self.source.encode()}


def spread_runs(hexes: Iterable[str], grid: Grid) -> Hexes:
    """Hexes with each run down a column (`0101..0104`) written out; what is no run on this grid stays as it is.

    >>> spread_runs(["0101..0104", "0203"], Grid(3, 5))
    ('0101', '0102', '0103', '0104', '0203')
    """
    spread: list[str] = []
    for item in hexes:
        if ".." not in item:
            spread.append(item)
            continue
        first, dots, last = item.partition("..")
        run = _run(first, last, grid) if dots else None
        spread.extend(run or (item,))
    return tuple(spread)


def fold_runs(hexes: Sequence[str], grid: Grid) -> list[str]:
    """The same the other way: three or more hexes in a row down a column become a run.

    >>> fold_runs(("0101", "0102", "0103", "0104", "0203"), Grid(3, 5))
    ['0101..0104', '0203']
    """
    folded: list[str] = []
    at = 0
    while at < len(hexes):
        end = at + 1
        while end < len(hexes) and _follows(hexes[end - 1], hexes[end], grid):
            end += 1
        folded.extend([f"{hexes[at]}..{hexes[end - 1]}"] if end - at >= 3 else hexes[at:end])
        at = end
    return folded


def _run(first: str, last: str, grid: Grid) -> list[str] | None:
    if first not in grid or last not in grid:
        return None
    (col, row), (last_col, last_row) = grid.hex(first), grid.hex(last)
    if col != last_col or row >= last_row:
        return None
    numbers = [grid.number(grid.hex(first)._replace(row=at)) for at in range(row, last_row + 1)]
    return [number for number in numbers if number is not None] if None not in numbers else None


def _follows(one: str, other: str, grid: Grid) -> bool:
    if one not in grid or other not in grid:
        return False
    (col, row), (other_col, other_row) = grid.hex(one), grid.hex(other)
    return col == other_col and other_row == row + 1


def _pairs(data: Iterable[Sequence[str]]) -> tuple[Pair, ...]:
    return tuple((one, other) for one, other in data)


def _tidy(**fields: Any) -> dict[str, Any]:
    """Fields in their order, those without a value left out."""
    return {
        name: value.encode() if isinstance(value, Source) else value
        for name, value in fields.items()
        if value is not None
    }
