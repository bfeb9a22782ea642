"""Printed maps: the grid lies where the drawing says, each hex has its terrain's colour, and every map can be drawn."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from converter.drawing import STYLES, Drawing, draw_map
from converter.drawing.styles import look_of
from converter.errors import BadInput
from converter.hexgrid import Hex, Lattice
from converter.scenario import map_text, read_map, read_map_text

ROOT = Path(__file__).parents[3]
MAPS = sorted((ROOT / "maps").glob("*/*.yaml"))

ISLE = """\
version: 1
name: isle
grid: {columns: 7, rows: 6, SHAPE}
complete: [hexsides, links, places, regions]
default_terrain: {kind: clear, source: {person: me}}
terrain:
  - {kind: sea, hexes: ["0101..0106", "0201..0206", "0701..0706"], source: {person: me}}
  - {kind: mountain, hexes: ["0402", "0403"], source: {person: me}}
hexsides: [{kind: river, between: [["0304", "0404"], ["0304", "0303"]], source: {person: me}}]
links: [{kind: road, path: ["0303", "0304", "0305"], source: {person: me}}]
places: [{name: Haven, kinds: [town, port], hexes: ["0604"], source: {person: me}}]
"""


@cache
def isle(style: str, shape: str = "", hex_height: float = 60.0, numbers: bool = True) -> Drawing:
    sheet = read_map_text(ISLE.replace("SHAPE", shape or "short: none"))
    return draw_map(sheet, style, hex_height=hex_height, numbers=numbers)


@pytest.mark.parametrize("style", sorted(STYLES))
@pytest.mark.parametrize("shape", ["sideways: false", "sideways: true", "stagger: up"])
def test_the_grid_is_printed_where_the_drawing_says(style: str, shape: str) -> None:
    """Halfway along a hexside (or at its end, where only corners are printed) the ink is darker than beside it."""
    drawing = isle(style, shape, numbers=False)
    layout, grey = drawing.map.layout, drawing.picture.mean(axis=2)
    assert layout is not None
    darker = total = 0
    for hex in (Hex(0, row) for row in range(1, 5)):  # open sea: no roads or names
        corners = np.array(layout.corners(hex))
        for one, other in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            share = 0.06 if STYLES[style].grid == "corners" else 0.4375 if STYLES[style].grid == "dotted" else 0.5
            x, y = one + (other - one) * share
            across = np.array([-(other - one)[1], (other - one)[0]]) / np.hypot(*(other - one)) * 4
            on = grey[round(y), round(x)]
            beside = (
                grey[round(y + across[1]), round(x + across[0])],
                grey[round(y - across[1]), round(x - across[0])],
            )
            darker, total = darker + (on < min(beside)), total + 1
    assert darker > 0.8 * total, (darker, total)


def test_the_middle_of_a_hex_shows_its_terrain() -> None:
    drawing = isle("flat", hex_height=80.0)
    layout = drawing.map.layout
    assert layout is not None
    right = total = 0
    for number in drawing.map.grid.numbers:
        if drawing.map.links_at(number) or drawing.map.places_at(number):
            continue
        x, y = layout.centre(drawing.map.grid.hex(number))
        colour = tuple(int(c) for c in drawing.picture[round(y), round(x)])
        right += colour == STYLES["flat"].colours[look_of(drawing.map.terrain(number))]
        total += 1
    assert right == total


def test_a_drawing_knows_the_hex_under_each_pixel() -> None:
    drawing = isle("flat")
    layout = drawing.map.layout
    assert layout is not None
    assert drawing.map.hex_at(*layout.centre(Hex(3, 2))) == "0403"
    assert read_map_text(map_text(drawing.map)) == drawing.map
    assert drawing.map.picture is not None
    assert (drawing.map.picture.height, drawing.map.picture.width) == drawing.picture.shape[:2]


def test_the_same_map_gives_the_same_picture_and_another_seed_another() -> None:
    sheet = read_map_text(ISLE.replace("SHAPE", "short: none"))
    first, again, other = (draw_map(sheet, "relief", hex_height=30, seed=seed).picture for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_scale_changes_the_size_only() -> None:
    small, large = isle("flat", hex_height=30.0), isle("flat", hex_height=60.0)
    assert small.map.picture is not None
    assert large.map.picture is not None
    assert large.map.picture.dx == pytest.approx(2 * small.map.picture.dx)
    assert abs(large.picture.shape[0] - 2 * small.picture.shape[0]) <= 4


@pytest.mark.parametrize("path", MAPS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_map_of_the_project_can_be_printed(path: Path) -> None:
    drawing = draw_map(read_map(path), "flat", hex_height=14)
    assert drawing.picture.std() > 3
    assert drawing.map.layout is not None
    assert drawing.map.layout.lattice == Lattice("down")


def test_what_cannot_be_drawn_is_refused() -> None:
    sheet = read_map_text("version: 1\nname: x\ngrid: {columns: 300, rows: 300, numbering: {format: '{column}.{row}'}}")
    with pytest.raises(BadInput, match="too large"):
        draw_map(sheet, hex_height=64)
    with pytest.raises(BadInput, match="no style 'oil'"):
        draw_map(sheet, "oil")
