"""A board's hexes as a map: every hex has its own label, however the module counts, and no grid is too much."""

from __future__ import annotations

from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from converter.importing.grids import map_of
from converter.importing.looks import look_of
from converter.importing.notes import Notes
from converter.scenario import MapFile, Source
from converter.vassal.grids import HexGrid, Numbering
from converter.vassal.maps import Board
from converter.vassal.traits import Trait

numberings = st.builds(
    Numbering,
    first=st.sampled_from("HV"),
    sep=st.sampled_from(["", "-"]),
    h_type=st.sampled_from("NA"),
    v_type=st.sampled_from("NA"),
    h_off=st.integers(-2, 9),
    v_off=st.integers(-2, 9),
    h_descend=st.booleans(),
    v_descend=st.booleans(),
    stagger=st.booleans(),
)
grids = st.builds(
    HexGrid,
    dx=st.floats(20, 90),
    dy=st.floats(20, 90),
    x0=st.integers(-90, 90),
    y0=st.integers(-90, 90),
    sideways=st.booleans(),
    numbering=numberings,
)


def read(grid: HexGrid, size: tuple[int, int], notes: Notes) -> MapFile:
    board = Board("Valley", "", size, False, grid, None)  # type: ignore[arg-type]  # of no build file
    return map_of(board, "valley", None, Source("module", "a test"), notes)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(grid=grids, size=st.tuples(st.integers(100, 700), st.integers(100, 700)))
def test_the_middle_of_every_hex_has_the_label_of_the_board(grid: HexGrid, size: tuple[int, int]) -> None:
    sheet = read(grid, size, Notes())
    if sheet.other_grid is not None or sheet.layout is None:
        return  # kept as named points
    if sheet.grid.numbering.format == "{column:02}{row:02}" and grid.numbering != Numbering():
        return  # without numbers of its own
    for number in sheet.grid.numbers:
        x, y = sheet.layout.centre(sheet.grid.hex(number))
        assert grid.location(round(x), round(y), size) == number
    across = size[1] if grid.sideways else size[0]
    assert sheet.grid.columns <= ceil(across / grid.dx) + 1


@pytest.mark.parametrize(("dx", "dy"), [(50.0, 1e-4), (1e-4, 50.0), (0.01, 0.01), (20_000.0, 50.0)])
def test_a_grid_beyond_all_measure_is_told_at_once(dx: float, dy: float) -> None:
    notes = Notes()
    sheet = read(HexGrid(dx=dx, dy=dy, y0=0, numbering=Numbering()), (90_000, 90_000), notes)
    assert not sheet.grid.hexes
    assert "its hex grid has no hexes on the board, or too many" in notes.reasons


@pytest.mark.parametrize(
    ("told", "images"),
    [("a.png,b.png", ["a.png", "b.png"]), ("", []), (",", ["", ""]), ("a\\,b,'c'", ["a,b", "c"])],
)
def test_a_layer_as_it_is_told(told: str, images: list[str]) -> None:
    (layer,) = look_of([Trait(f"emb2;{';' * 15}{told};Full,;true;Step"), Trait("piece;;;;Inf")]).layers
    assert (layer.name, layer.images, layer.size) == ("Step", images, len(images))
    assert layer.key == ",".join(images)


def test_the_pictures_of_an_old_layer_and_no_name() -> None:
    (layer,) = look_of([Trait("emb;;A;;;;;0;0;a.png,Full;'b'.png,Half"), Trait("piece;;;;Inf")]).layers
    assert (layer.images, layer.label) == (["a.png", "'b'.png"], "unnamed")
