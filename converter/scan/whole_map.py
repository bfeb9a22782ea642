"""From a scan, its lattice and a legend to a map file: number the hexes, lay them straight, read them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from converter.hexgrid import Layout
from converter.scan.found import Lattice, inverse, project
from converter.scan.legend import Legend
from converter.scan.numbers import Numbered, Sighting, number_grid
from converter.scan.picture import Picture
from converter.scan.reading import Reading, read_sheet
from converter.scan.result import map_of
from converter.scan.worksheet import lay_out
from converter.scenario import MapFile, Source
from converter.scenario import Picture as Placed


@dataclass(frozen=True)
class WholeMap:
    """The map, what was read (nothing where no legend told what to read), and where the hexes lie on the scan."""

    map: MapFile
    reading: Reading | None
    numbered: Numbered


def read_whole_map(
    picture: Picture,
    lattice: Lattice,
    seen: Sequence[Sighting],
    legend: Legend,
    progress: Callable[[str], None],
    numbered: Numbered | None = None,
) -> WholeMap:
    """Everything the legend shows; without any terrain in it, the grid alone. `numbered`: the numbering is known."""
    given = {one.number for one in seen if one.given}
    told_at = tuple(
        Sighting(number, float(x), float(y), given=True)
        for number, (x, y) in legend.grid.get("at", {}).items()
        if number not in given
    )
    sure = numbered is not None
    numbered = numbered or number_grid(lattice, picture.width, picture.height, (*seen, *told_at), legend.grid)
    placed, _ = placing(picture, lattice, numbered.layout)
    told: dict[str, Any] = {}
    if not sure and ("columns" not in legend.grid or "rows" not in legend.grid):
        told["extent"] = "at-least"
    if numbered.agreement is None:
        told["grid_note"] = "no number is known: hexes are counted from the first one on the scan"
    placed = replace(placed, confidence=round(lattice.confidence, 2))
    if not legend.terrain:
        empty = MapFile(
            legend.name or "map", numbered.grid, grid_source=Source("scan", picture.name, placed.confidence),
            picture=placed, **told,
        )  # fmt: skip
        return WholeMap(empty, None, numbered)
    sheet = lay_out(picture, lattice.to_scan, numbered.layout, numbered.grid)

    def on_map(x: float, y: float) -> bool:
        (at_x, at_y), = project(inverse(lattice.to_scan), np.array([[x, y]], np.float64))
        return numbered.grid.number(numbered.layout.hex_at(at_x, at_y)) is not None

    reading = read_sheet(sheet, legend.of_hexes(numbered.grid, on_map), progress)
    return WholeMap(map_of(reading, legend, placed, picture.name, told), reading, numbered)


def placing(picture: Picture, lattice: Lattice, layout: Layout) -> tuple[Placed, Layout]:
    """Where the grid lies on the straightened picture, which is large enough to hold all of the scan."""
    left, top, width, height = _frame(picture, lattice)
    x0, y0 = (layout.y0, layout.x0) if layout.sideways else (layout.x0, layout.y0)
    x0, y0 = x0 - left, y0 - top
    if layout.sideways:
        x0, y0 = y0, x0
    moved = replace(layout, x0=x0, y0=y0)
    return Placed(width, height, round(layout.dx, 4), round(layout.dy, 4), round(x0, 3), round(y0, 3)), moved


def straighten(picture: Picture, lattice: Lattice) -> Picture:
    """The scan without rotation, skew and perspective, none of it cut off."""
    if np.allclose(lattice.to_scan, np.eye(3), atol=1e-9):
        return picture
    left, top, width, height = _frame(picture, lattice)
    shift = np.array([[1, 0, left], [0, 1, top], [0, 0, 1.0]])
    flat = cv2.warpPerspective(
        picture.pixels, lattice.to_scan @ shift, (width, height), flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_CONSTANT, borderValue=(255, 255, 255),
    )  # fmt: skip
    return Picture(np.asarray(flat, np.uint8), picture.name)


def _frame(picture: Picture, lattice: Lattice) -> tuple[int, int, int, int]:
    """Left, top, width and height of the whole scan, laid straight."""
    if np.allclose(lattice.to_scan, np.eye(3), atol=1e-9):
        return 0, 0, picture.width, picture.height
    w, h = picture.width, picture.height
    corners = project(inverse(lattice.to_scan), np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float64))
    (left, top), (right, bottom) = corners.min(0), corners.max(0)
    x, y = math.floor(left), math.floor(top)
    return x, y, min(math.ceil(right) - x, 2 * w), min(math.ceil(bottom) - y, 2 * h)
