"""A map's hexes and their printed numbers."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.hexgrid import Grid, Hex, Lattice, Numbering, compass_names

SHARED = Path(__file__).parents[4] / "shared"


@pytest.mark.parametrize(
    ("numbering", "first", "last"),
    [
        (Numbering(), "0101", "1209"),
        (Numbering("{row:02}{column:02}"), "0101", "0912"),
        (Numbering("{column:A}{row}", column_start=0), "A1", "L9"),
        (Numbering("{column}.{row:02}"), "1.01", "12.09"),
        (Numbering("{row}-{column:A}", column_start=0, row_start=0), "0-A", "8-L"),
        (Numbering(column_start=12, column_step=-1), "1201", "0109"),
        (Numbering(row_start=9, row_step=-1), "0109", "1201"),
        (Numbering("hex {column:03}/{row:03}", column_start=95), "hex 095/001", "hex 106/009"),
    ],
)
def test_number_formats(numbering: Numbering, first: str, last: str) -> None:
    sheet = Grid(12, 9, numbering=numbering)
    assert (sheet.numbers[0], sheet.numbers[-1]) == (first, last)
    for number, hex in zip(sheet.numbers, sheet.hexes, strict=True):
        assert numbering.hex(number) == hex == sheet.hex(number)


@pytest.mark.parametrize(
    "bad", ["", "{column}", "{column}{column}", "{row}{column}{x}", "{row:zz}{column}", "{row}{column}}"]
)
def test_a_format_without_both_parts_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="once each"):
        Numbering(bad)


@pytest.mark.parametrize("text", ["", "01", "0101x", "x0101", "O101", "AB12", "٠١٠١"])
def test_what_is_no_number_has_no_hex(text: str) -> None:
    assert Numbering().hex(text) is None
    assert text not in Grid(5, 5)


def test_letters_run_a_to_z_then_double() -> None:
    sheet = Grid(30, 1, numbering=Numbering("{column:A}{row}", column_start=0))
    assert [sheet.numbers[i] for i in (0, 25, 26, 27)] == ["A1", "Z1", "AA1", "BB1"]
    assert sheet.numbering.hex("AB1") is None


def test_over_99_columns_the_grid_still_knows_its_own_numbers() -> None:
    sheet = Grid(120, 12)
    assert sheet.hex("10005") == Hex(99, 4)
    assert sheet.number(Hex(99, 4)) == "10005"


def test_short_columns_and_holes_are_no_hexes() -> None:
    sheet = Grid(4, 3, short="second", absent=frozenset({Hex(0, 0)}))
    assert len(sheet) == 3 + 2 + 3 + 2 - 1
    assert "0203" not in sheet
    assert "0101" not in sheet
    assert sheet.number(Hex(0, 0)) is None
    assert sheet.number(Hex(9, 9)) is None
    assert len(Grid(4, 3, short="first")) == 2 + 3 + 2 + 3


def test_the_rim_of_a_5_by_4_sheet() -> None:
    sheet = Grid(5, 4)
    # By hand, odd index columns half a hex down: every hex but rows 2-3 of columns 2-4 lies at the edge.
    inner = {f"{column:02}{row:02}" for column in (2, 3, 4) for row in (2, 3)}
    assert set(sheet.numbers) - set(sheet.edge) == inner


def test_neighbours_near_the_edge_by_hand() -> None:
    down, up = Grid(4, 4), Grid(4, 4, Lattice("up"))
    assert down.neighbours("0101") == ("0201", "0102")
    assert up.neighbours("0101") == ("0201", "0202", "0102")
    assert down.neighbours("0404") == ("0403", "0304")
    assert len(down.within("0202", 1)) == 7
    assert len(down.ring("0202", 2)) == 8  # twelve in the open; one falls off the top, three off the left


@given(
    columns=st.integers(2, 12),
    rows=st.integers(2, 12),
    stagger=st.sampled_from(["down", "up"]),
    short=st.sampled_from(["none", "first", "second"]),
)
def test_the_index_says_the_same_as_the_lattice(columns: int, rows: int, stagger: str, short: str) -> None:
    sheet = Grid(columns, rows, Lattice(stagger), short=short)  # type: ignore[arg-type]
    for number, hex in zip(sheet.numbers, sheet.hexes, strict=True):
        there = [sheet.numbers[i] for i in sheet.index.neighbours[sheet.index.of[number]]]
        assert there == [n for other in sheet.lattice.neighbours(hex) if (n := sheet.number(other))]
        assert all(sheet.touch(number, n) and number in sheet.neighbours(n) for n in there)


def test_three_thousand_hexes_are_indexed_once() -> None:
    sheet = Grid(60, 50)
    assert sheet.index is sheet.index
    # Inside sides: 60 columns of 49, and 59 pairs of columns that touch along 50 + 49 sides.
    assert sum(map(len, sheet.index.neighbours)) == 2 * (60 * 49 + 59 * 99)


def test_compass_of_turned_sheets() -> None:
    assert compass_names(north="left") == ("E", "SE", "SW", "W", "NW", "NE")
    assert compass_names(north="down") == ("S", "SW", "NW", "N", "NE", "SE")
    for sideways in (False, True):
        for north in ("up", "right", "down", "left"):
            names = compass_names(sideways=sideways, north=north)
            pairs = [{"N", "S"}, {"E", "W"}, {"NE", "SW"}, {"NW", "SE"}]
            assert all({one, opposite} in pairs for one, opposite in zip(names[:3], names[3:], strict=True))


@pytest.mark.skipif(not (SHARED / "spec/vassal-vectors/hexgrid.tsv").exists(), reason="no recorded VASSAL answers here")
def test_numbers_are_those_the_vassal_engine_prints() -> None:
    """Each recorded grid, descending and staggered ones included, said as a Numbering."""
    with (SHARED / "spec/vassal-vectors/hexgrid.tsv").open() as lines:
        rows = list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"))
    assert len(rows) > 3000
    for row in rows:
        sideways, stagger, down_h, down_v = (
            row[key] == "true" for key in ("sideways", "stagger", "hDescend", "vDescend")
        )
        most_rows = int(float(row["H"]) / float(row["dx"]) + 0.5)
        most_columns = int(float(row["W"]) / float(row["dy"]) + 0.5)
        column_down, row_down = (down_v, down_h) if sideways else (down_h, down_v)
        most_column, most_row = (most_rows, most_columns) if sideways else (most_columns, most_rows)
        column_start = int(row["hOff"]) + (most_column if column_down else 0)
        row_start = int(row["vOff"]) + (most_row if row_down else 0)
        spec = {
            axis: "A" if row[f"{key}Type"] == "A" else f"0{int(row[f'{key}Leading']) + 1}"
            for axis, key in (("column", "h"), ("row", "v"))
        }
        parts = [f"{{column:{spec['column']}}}", f"{{row:{spec['row']}}}"]
        separator = "" if row["sep"] == "_" else row["sep"]
        format_ = separator.join(parts if row["first"] == "H" else parts[::-1])
        numbering = Numbering(format_, column_start, row_start, -1 if column_down else 1, -1 if row_down else 1)
        raw_column, raw_row = int(row["raw_col"]), int(row["raw_row"])
        # A staggered numbering counts an odd column as standing half a hex up, not down: one row further.
        hex = Hex(raw_column, raw_row + (1 if stagger and raw_column % 2 else 0))
        assert numbering.number(hex) == row["label"]
