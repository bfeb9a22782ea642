"""legend.yaml: what the signs of one map mean, shown by a few examples on the map itself (docs/maps-from-scans.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from converter.errors import Problem, refuse
from converter.hexgrid import Grid, Numbering
from converter.scenario.map_items import spread_runs
from converter.scenario.schema import shape_problems
from converter.scenario.yaml_reading import Document, Path_, read_file, read_text

Pair = tuple[str, str]
_WATER = ("sea", "ocean", "lake", "reservoir", "water")
_LAND = "land"
_WORD = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class TerrainSign:
    """A kind of terrain, hexes (or pixels of the scan) that show it, and whether it is water."""

    kind: str
    hexes: tuple[str, ...]
    points: tuple[tuple[float, float], ...]
    water: bool


@dataclass(frozen=True)
class LineSign:
    """A kind of line.

    `across` are paths of hexes, `along` pairs of hexes it runs between. A line that `separates` two kinds of terrain
    stands wherever they meet; one that `carries` others stands where one of them goes `over` a third.
    """

    kind: str
    across: tuple[tuple[str, ...], ...] = ()
    along: tuple[Pair, ...] = ()
    runs: str | None = None
    colour: tuple[int, int, int] | None = None
    separates: Pair | None = None
    carries: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    ignore: bool = False

    @property
    def crosses(self) -> bool | None:
        """Does it cross hexsides (True), run along them (False), or follow from others (None)?"""
        if self.across or self.runs == "across":
            return True
        return False if self.along or self.runs == "along" else None

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The hexsides of its examples."""
        return self.along + tuple(pair for path in self.across for pair in pairwise(path))


@dataclass(frozen=True)
class Legend:
    """All signs of a map, and what is known of its grid."""

    terrain: tuple[TerrainSign, ...] = ()
    lines: tuple[LineSign, ...] = ()
    places: dict[str, tuple[str, ...]] = field(default_factory=dict)
    grid: dict[str, Any] = field(default_factory=dict)
    name: str | None = None
    title: str | None = None
    game: str | None = None
    scale: str | None = None
    document: Document = field(default_factory=lambda: Document("legend.yaml"), repr=False, compare=False)

    def of_hexes(self, grid: Grid, on_map: Callable[[float, float], bool] = lambda x, y: True) -> Legend:
        """The same with runs of hexes written out; BadInput where it names a hex or point that the map has not."""
        refuse([*_wrong_hexes(self.document, grid), *_wrong_points(self.document, on_map)])
        return _decode(self.document, grid)


def read_legend(path: Path) -> Legend:
    """Read a legend.yaml; BadInput names the file, the line and what was expected there."""
    return _checked(read_file(path))


def read_legend_text(text: str, file: str = "legend.yaml") -> Legend:
    """The same from text at hand.

    >>> legend = read_legend_text('''
    ... version: 1
    ... terrain: {woods: {hexes: ["0101", "0304"]}, sea: {hexes: ["0901..0905"]}}
    ... lines: {road: {across: [["0101", "0201", "0302"]]}}
    ... ''')
    >>> legend.lines[0].pairs, legend.terrain[1].water
    ((('0101', '0201'), ('0201', '0302')), True)
    """
    return _checked(read_text(text, file))


def _checked(document: Document) -> Legend:
    refuse(shape_problems(document, "legend") or list(_wrong_facts(document)))
    return _decode(document, None)


def _wrong_facts(document: Document) -> Iterator[Problem]:
    """What a shape alone cannot tell."""
    data = document.data
    terrain = data.get("terrain", {})
    if not terrain and "grid" not in data:
        yield document.problem((), "the legend is empty; expected 'terrain' with an example of each kind, or 'grid'")
    if not terrain and (data.get("lines") or data.get("places")):
        yield document.problem((), "'terrain' is missing; lines and places are read together with it")
    try:
        Numbering(data.get("grid", {}).get("format", "{column}{row}"))
    except ValueError as error:
        yield document.problem(("grid", "format"), str(error))
    kinds = {*terrain, _LAND}
    for section in ("terrain", "lines", "places"):
        for kind in data.get(section, {}):
            if not _WORD.fullmatch(kind):
                yield document.problem((section, kind), f"expected a word in small letters, found {kind!r}")
    for kind, told in terrain.items():
        if not told.get("hexes") and not told.get("points"):
            yield document.problem(("terrain", kind), f"{kind} has no example; expected hexes or points")
    lines = data.get("lines", {})
    for kind, told in lines.items():
        at: Path_ = ("lines", kind)
        if told.get("across") and told.get("along"):
            yield document.problem(at, f"{kind} runs across hexsides or along them, not both")
        if told.get("colour") and not (told.get("across") or told.get("along") or told.get("runs")):
            yield document.problem(at, f"{kind} has only a colour; expected 'runs: across' or 'runs: along' with it")
        if not any(told.get(key) for key in ("across", "along", "colour", "separates", "carries")):
            yield document.problem(at, f"{kind} has no example; expected across, along, colour, separates or carries")
        for key in ("separates",):
            for word in told.get(key, ()):
                if word not in kinds:
                    yield document.problem((*at, key), f"{word!r} is no terrain of this legend")
        if bool(told.get("carries")) != bool(told.get("over")):
            yield document.problem(at, f"{kind}: 'carries' and 'over' come together")
        for word in (*told.get("carries", ()), *told.get("over", ())):
            if word not in lines:
                yield document.problem(at, f"{word!r} is no line of this legend")


def _wrong_hexes(document: Document, grid: Grid) -> Iterator[Problem]:
    data = document.data or {}

    def off(path: Path_, number: str) -> Problem:
        return document.problem(
            path, f"hex {number!r} is not on the map; expected {grid.numbers[0]} to {grid.numbers[-1]}"
        )

    whole = replace(grid, absent=frozenset())
    for i, item in enumerate(data.get("grid", {}).get("absent", ())):
        for number in spread_runs([item], whole):
            if number not in whole:
                yield off(("grid", "absent", i), number)
    for section in ("terrain", "places"):
        for kind, told in data.get(section, {}).items():
            for i, item in enumerate(told.get("hexes", ())):
                for number in spread_runs([item], grid):
                    if number not in grid:
                        yield off((section, kind, "hexes", i), number)
    for kind, told in data.get("lines", {}).items():
        for key in ("across", "along"):
            for i, path in enumerate(told.get(key, ())):
                wrong = [number for number in path if number not in grid]
                yield from (off(("lines", kind, key, i), number) for number in wrong)
                for one, other in pairwise(path) if not wrong else ():
                    if not grid.touch(one, other):
                        what = f"{one} and {other} do not touch; expected hexes that share a side"
                        yield document.problem(("lines", kind, key, i), what)


def _wrong_points(document: Document, on_map: Callable[[float, float], bool]) -> Iterator[Problem]:
    for kind, told in document.data.get("terrain", {}).items():
        for i, (x, y) in enumerate(told.get("points", ())):
            if not on_map(x, y):
                yield document.problem(("terrain", kind, "points", i), f"no hex of the map is at pixel {x:g},{y:g}")


def _decode(document: Document, grid: Grid | None) -> Legend:
    data = document.data

    def hexes(told: dict[str, Any]) -> tuple[str, ...]:
        return spread_runs(told.get("hexes", ()), grid) if grid else tuple(told.get("hexes", ()))

    terrain = tuple(
        TerrainSign(
            kind,
            hexes(told),
            tuple((float(x), float(y)) for x, y in told.get("points", ())),
            bool(told.get("water", any(word in _WATER for word in kind.split("-")))),
        )
        for kind, told in data.get("terrain", {}).items()
    )
    return Legend(
        terrain,
        tuple(_decode_line(kind, told) for kind, told in data.get("lines", {}).items()),
        {kind: hexes(told) for kind, told in data.get("places", {}).items()},
        data.get("grid", {}),
        data.get("name"),
        data.get("title"),
        data.get("game"),
        data.get("scale"),
        document,
    )


def _decode_line(kind: str, told: dict[str, Any]) -> LineSign:
    colour = told.get("colour")
    separates = told.get("separates")
    return LineSign(
        kind,
        tuple(tuple(path) for path in told.get("across", ())),
        tuple((one, other) for one, other in told.get("along", ())),
        told.get("runs"),
        (int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)) if colour else None,
        (separates[0], separates[1]) if separates else None,
        tuple(told.get("carries", ())),
        tuple(told.get("over", ())),
        bool(told.get("ignore", False)),
    )
