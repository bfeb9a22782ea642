"""A map's grid in VASSAL's terms: every hex has its printed number, whatever way the sheet is laid and numbered."""

from __future__ import annotations

import itertools

import pytest

from converter.errors import BadInput
from converter.hexgrid import Grid, Hex, Lattice, Layout
from converter.hexgrid import Numbering as Printed
from converter.scenario import MapFile, Picture
from converter.vassal.export.grid import board_grid
from converter.vassal.grids import HexGrid, RegionGrid

FORMATS = ("{column:02}{row:02}", "{row:02}{column:02}", "{column:A}{row}", "{column}.{row:02}")
SIZE = (700, 700)


def on_picture(grid: Grid, rotation: float = 0.0) -> MapFile:
    at = Layout.regular(30, sideways=grid.sideways, lattice=grid.lattice, margin=20)
    return MapFile("sheet", grid, picture=Picture(*SIZE, at.dx, at.dy, at.x0, at.y0, rotation))


@pytest.mark.parametrize("sideways", [False, True])
@pytest.mark.parametrize("stagger", ["down", "up"])
@pytest.mark.parametrize("form", FORMATS)
def test_numbers_of_every_kind_are_a_plain_hex_grid(sideways: bool, stagger: str, form: str) -> None:
    for column_step, row_step, short in itertools.product((1, -1), (1, -1), ("none", "first", "second")):
        starts = (1 if column_step > 0 else 12, 1 if row_step > 0 else 9)
        numbering = Printed(form, *starts, column_step, row_step)  # type: ignore[arg-type]
        lattice = Lattice(stagger)  # type: ignore[arg-type]
        sheet = on_picture(Grid(9, 7, lattice, numbering, sideways, short))  # type: ignore[arg-type]
        made = board_grid(sheet, SIZE)
        assert isinstance(made, HexGrid)
        assert sheet.layout
        for number, hex in zip(sheet.grid.numbers, sheet.grid.hexes, strict=True):
            x, y = sheet.layout.centre(hex)
            assert made.location(round(x), round(y), SIZE) == number
            assert made.location(*made.snap(round(x), round(y)), SIZE) == number


def test_a_turned_scan_gets_a_named_point_for_each_hex() -> None:
    sheet = on_picture(Grid(9, 7, absent=frozenset({Hex(0, 0)})), rotation=2.0)
    made = board_grid(sheet, SIZE)
    assert isinstance(made, RegionGrid)
    assert [region.name for region in made.regions] == list(sheet.grid.numbers)
    assert sheet.layout
    x, y = sheet.layout.centre(sheet.grid.hex("0907"))
    assert made.location(round(x) + 5, round(y) - 5, SIZE) == "0907"


def test_a_grid_without_spacing_is_refused() -> None:
    sheet = MapFile("flat", Grid(2, 2), picture=Picture(10, 10, 0.0, 60.0, 0.0, 0.0))
    with pytest.raises(BadInput, match="'flat': its hexes are 0 by 60 pixels"):
        board_grid(sheet, (10, 10))
