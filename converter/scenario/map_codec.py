"""map.yaml <-> MapFile, and what a shape alone cannot tell: hexes off the grid, roads that jump, terrain told twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from converter.errors import Problem
from converter.hexgrid import Grid, Lattice, Numbering
from converter.scenario.map_file import MapFile, OtherGrid, Picture
from converter.scenario.map_items import (
    Box,
    HexsideFeature,
    Line,
    Link,
    Note,
    Place,
    Region,
    Terrain,
    fold_runs,
    spread_runs,
)
from converter.scenario.sources import Source
from converter.scenario.yaml_reading import Document, Path_

VERSION = 1
_SECTIONS: dict[str, tuple[str, Callable[[dict[str, Any], Grid], Any]]] = {
    "terrain": ("terrains", Terrain.decode),
    "hexsides": ("hexsides", HexsideFeature.decode),
    "links": ("all_links", Link.decode),
    "places": ("places", Place.decode),
    "regions": ("regions", Region.decode),
    "lines": ("lines", Line.decode),
    "boxes": ("boxes", Box.decode),
    "notes": ("notes", Note.decode),
}


def decode_map(data: dict[str, Any]) -> MapFile:
    """The map from data of the right shape; ValueError where the number format is none."""
    grid, told = decode_grid(data["grid"]), data["grid"]
    sections: dict[str, Any] = {
        name: tuple(decode(item, grid) for item in data.get(key, ())) for key, (name, decode) in _SECTIONS.items()
    }
    default = data.get("default_terrain")
    return MapFile(
        name=data["name"],
        grid=grid,
        title=data.get("title"),
        game=data.get("game"),
        scale=data.get("scale"),
        north=told.get("north", "up"),
        extent=told.get("extent", "certain"),
        half=spread_runs(told.get("half", ()), grid),
        grid_source=Source.decode(told["source"]) if "source" in told else None,
        grid_note=told.get("note"),
        picture=_decode_picture(data["picture"]) if "picture" in data else None,
        other_grid=_decode_other(data["other_grid"]) if "other_grid" in data else None,
        complete=tuple(data.get("complete", ())),
        default_terrain=(default["kind"], Source.decode(default["source"])) if default else None,
        **sections,
    )


def _decode_other(data: dict[str, Any]) -> OtherGrid:
    labels = tuple(data["labels"].items()) if "labels" in data else None
    points = tuple((at["name"], int(at["x"]), int(at["y"])) for at in data["points"]) if "points" in data else None
    dx, dy, x0, y0 = (data.get(key) for key in ("dx", "dy", "x0", "y0"))
    return OtherGrid(data["kind"], dx, dy, x0, y0, labels, points)


def _encode_other(it: OtherGrid) -> dict[str, Any]:
    said: dict[str, Any] = {key: getattr(it, key) for key in ("kind", "dx", "dy", "x0", "y0")}
    said["labels"] = dict(it.labels) if it.labels is not None else None
    if it.points is not None:
        said["points"] = [{"name": name, "x": x, "y": y} for name, x, y in it.points]
    return {key: value for key, value in said.items() if value is not None}


def encode_map(it: MapFile) -> dict[str, Any]:
    """The plain data of a map.yaml; what stands at its usual value is left out."""
    data: dict[str, Any] = {"version": VERSION, "name": it.name}
    data |= {key: value for key in ("title", "game", "scale") if (value := getattr(it, key)) is not None}
    data["grid"] = _encode_grid(it)
    if it.picture:
        usual = {"image": None, "rotation": 0.0, "confidence": None}
        data["picture"] = {
            key: value
            for key in ("image", "width", "height", "dx", "dy", "x0", "y0", "rotation", "confidence")
            if (value := getattr(it.picture, key)) != usual.get(key, object())
        }
    if it.other_grid:
        data["other_grid"] = _encode_other(it.other_grid)
    if it.complete:
        data["complete"] = list(it.complete)
    if it.default_terrain:
        data["default_terrain"] = {"kind": it.default_terrain[0], "source": it.default_terrain[1].encode()}
    for key, (name, _) in _SECTIONS.items():
        if items := getattr(it, name):
            data[key] = [item.encode(it.grid) for item in items]
    return data


def decode_grid(told: dict[str, Any]) -> Grid:
    """The grid of a map.yaml."""
    counted = told.get("numbering", {})
    usual = Numbering()
    numbering = Numbering(
        counted.get("format", usual.format),
        int(counted.get("column_start", 1)),
        int(counted.get("row_start", 1)),
        -1 if counted.get("column_step", 1) == -1 else 1,
        -1 if counted.get("row_step", 1) == -1 else 1,
    )
    lattice = Lattice(told.get("stagger", "down"))
    whole = _whole_grid(
        int(told["columns"]),
        int(told["rows"]),
        lattice,
        numbering,
        told.get("sideways", False),
        told.get("short", "none"),
    )
    if not told.get("absent"):
        return whole
    absent = (number for number in spread_runs(told["absent"], whole) if number in whole)
    return replace(whole, absent=frozenset(map(whole.hex, absent)))


_whole_grid = lru_cache(maxsize=8)(Grid)  # a grid never changes: what it works out of itself serves the next reader too


def _encode_grid(it: MapFile) -> dict[str, Any]:
    grid, usual = it.grid, Numbering()
    whole = replace(grid, absent=frozenset())
    counted = {
        key: value
        for key in ("format", "column_start", "row_start", "column_step", "row_step")
        if (value := getattr(grid.numbering, key)) != getattr(usual, key)
    }
    said = {
        "columns": grid.columns,
        "rows": grid.rows,
        "sideways": grid.sideways or None,
        "stagger": grid.lattice.stagger if grid.lattice.stagger != "down" else None,
        "short": grid.short if grid.short != "none" else None,
        "north": it.north if it.north != "up" else None,
        "extent": it.extent if it.extent != "certain" else None,
        "numbering": counted or None,
        "absent": fold_runs([whole.numbering.number(hex) for hex in sorted(grid.absent)], whole) or None,
        "half": fold_runs(it.half, grid) or None,
        "source": it.grid_source.encode() if it.grid_source else None,
        "note": it.grid_note,
    }
    return {key: value for key, value in said.items() if value is not None}


def _decode_picture(told: dict[str, Any]) -> Picture:
    return Picture(**(told | {"width": int(told["width"]), "height": int(told["height"])}))


def check_map(document: Document) -> Iterator[Problem]:
    """What is wrong with a map.yaml whose shape is right."""
    data = document.data
    try:
        grid = decode_grid(data["grid"])
    except ValueError as error:
        yield document.problem(("grid", "numbering", "format"), str(error))
        return
    if len(set(grid.numbers)) < len(grid.numbers):
        yield document.problem(("grid", "numbering", "format"), "two hexes have the same number")
    whole = replace(grid, absent=frozenset())
    for path, number in _listed(data["grid"].get("absent", ()), ("grid", "absent"), whole):
        yield document.problem(path, _off(number, whole))
    for path, number in _hexes_told(data, grid):
        if number not in grid:
            yield document.problem(path, _off(number, grid))
    yield from (document.problem(path, what) for path, what in _jumps(data, grid))
    yield from (document.problem(path, what) for path, what in _told_twice(data, grid))


def _off(number: str, grid: Grid) -> str:
    if ".." in number:
        return f"{number!r} is no run of hexes down one column of this grid"
    return f"hex {number!r} is not on the grid; expected {grid.numbers[0]} to {grid.numbers[-1]}"


def _listed(hexes: Iterable[str], path: Path_, grid: Grid) -> Iterator[tuple[Path_, str]]:
    for i, item in enumerate(hexes):
        for number in spread_runs([item], grid) if item not in grid else ():
            if number not in grid:
                yield (*path, i), number


def _hexes_told(data: dict[str, Any], grid: Grid) -> Iterator[tuple[Path_, str]]:
    """Every hex number in the file with its path; runs are told only where they are none."""
    yield from _listed(data["grid"].get("half", ()), ("grid", "half"), grid)
    for section in ("terrain", "places", "regions", "lines"):
        for i, item in enumerate(data.get(section, ())):
            yield from _listed(item.get("hexes", ()), (section, i, "hexes"), grid)
    for section in ("hexsides", "lines"):
        for i, item in enumerate(data.get(section, ())):
            for j, pair in enumerate(item.get("between", ())):
                yield from (((section, i, "between", j), number) for number in pair)
    for section, keys in (("links", ("path", "route")), ("boxes", ("leads_to",))):
        for i, item in enumerate(data.get(section, ())):
            for key in keys:
                yield from (((section, i, key, j), number) for j, number in enumerate(item.get(key, ())))


def _jumps(data: dict[str, Any], grid: Grid) -> Iterator[tuple[Path_, str]]:
    """Two hexes that should touch and do not."""
    pairs: list[tuple[Path_, str, str]] = []
    for section in ("hexsides", "lines"):
        for i, item in enumerate(data.get(section, ())):
            pairs += [((section, i, "between", j), *pair) for j, pair in enumerate(item.get("between", ()))]
    for i, item in enumerate(data.get("links", ())):
        steps = pairwise(item.get("path", ()))
        pairs += [(("links", i, "path", j + 1), one, other) for j, (one, other) in enumerate(steps)]
    for path, one, other in pairs:
        if one in grid and other in grid and not grid.touch(one, other):
            yield path, f"{one} and {other} do not touch; expected hexes that share a side"


def _told_twice(data: dict[str, Any], grid: Grid) -> Iterator[tuple[Path_, str]]:
    """Terrain of one hex told in two ways, and names used twice."""
    seen: dict[str, Any] = {}
    for i, item in enumerate(data.get("terrain", ())):
        for j, told in enumerate(item["hexes"]):
            for number in (told,) if told in grid else spread_runs([told], grid):
                if seen.setdefault(number, item["kind"]) != item["kind"]:
                    yield ("terrain", i, "hexes", j), f"hex {number} is {item['kind']} here and {seen[number]} above"
    for section in ("places", "regions", "lines", "boxes"):
        names: set[str] = set()
        for i, item in enumerate(data.get(section, ())):
            name = item.get("name")
            if name in names:
                yield (section, i, "name"), f"the name {name!r} is used twice in {section}"
            if name is not None:
                names.add(name)
