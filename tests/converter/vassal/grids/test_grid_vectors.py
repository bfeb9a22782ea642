"""The engine's recorded answers: the worked table (always), and some four thousand random cases (where they are)."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from converter.vassal.grids import HexGrid, Numbering, SquareGrid

Point = tuple[int, int]

PLAIN = HexGrid(54, 64, 0, 32, numbering=Numbering())
SMALL = HexGrid(55.42562584220407, 64, 10, -5, numbering=Numbering(h_off=0, v_off=0, sep="."))
LARGE = HexGrid(83.1384387633061, 96, 40, 50, numbering=Numbering(v_descend=True))
LEFTWARD = replace(LARGE, numbering=Numbering(h_descend=True))
TURNED = replace(
    LARGE,
    sideways=True,
    numbering=Numbering("V", "-", h_type="A", h_leading=0, v_leading=2, h_descend=True, v_descend=True),
)
LEVEL = replace(PLAIN, numbering=Numbering(stagger=False))
LETTERS = replace(PLAIN, numbering=Numbering(h_type="A"))
DOWN_FIRST = replace(PLAIN, numbering=Numbering("V", h_leading=2, v_leading=2))

# grid, size, point -> snapped centre, raw cell, printed column and row, label, label's place, label of the centre
TABLE = [
    (PLAIN, (1000, 800), (0, 32), (0, 32), (0, 0), (0, 0), "0101", (0, 32), "0101"),
    (PLAIN, (1000, 800), (54, 64), (54, 64), (1, 0), (1, 1), "0202", (54, 64), "0202"),
    (PLAIN, (1000, 800), (108, 96), (108, 96), (2, 1), (2, 1), "0302", (108, 96), "0302"),
    (LEVEL, (1000, 800), (54, 64), (54, 64), (1, 0), (1, 0), "0201", (54, 64), "0201"),
    (PLAIN, (1000, 800), (27, 60), (54, 64), (1, 0), (1, 1), "0202", (54, 64), "0202"),
    (PLAIN, (1000, 800), (26, 58), (54, 64), (0, 0), (0, 0), "0101", (0, 32), "0202"),
    (SMALL, (1000, 800), (500, 333), (508, 347), (9, 5), (9, 6), "09.06", (508, 347), "09.06"),
    (replace(SMALL, sideways=True), (1000, 800), (500, 333), (507, 342), (6, 8), (6, 8), "06.08", (507, 342), "06.08"),
    (LARGE, (2000, 1500), (700, 610), (705, 626), (8, 6), (8, 12), "0913", (705, 626), "0913"),
    (LEFTWARD, (2000, 1500), (700, 610), (705, 626), (8, 6), (13, 6), "1407", (705, 530), "1407"),
    (TURNED, (2000, 1500), (700, 610), (674, 621), (7, 6), (11, 14), "015-M", (674, 621), "015-M"),
    (LETTERS, (3000, 2000), (1512, 800), (1512, 800), (28, 12), (28, 12), "DD13", (1512, 800), "DD13"),
    (DOWN_FIRST, (1000, 800), (-60, -40), (-54, -64), (-1, -2), (-1, -1), "000000", (-54, -64), "000000"),
]


@pytest.mark.parametrize(("grid", "size", "point", "centre", "cell", "printed", "label", "place", "of_centre"), TABLE)
def test_the_worked_table(
    grid: HexGrid,
    size: Point,
    point: Point,
    centre: Point,
    cell: Point,
    printed: Point,
    label: str,
    place: Point,
    of_centre: str,
) -> None:
    assert grid.snap(*point) == centre
    assert grid.cell(*point) == cell
    assert grid.column_row(*point, size) == printed
    assert grid.location(*point, size) == label
    assert grid.point(label, size) == place
    assert grid.location(*centre, size) == of_centre


@pytest.mark.parametrize(
    ("edges", "corners", "point", "snapped"),
    [(True, True, (70, 47), (81, 48)), (True, False, (80, 47), (81, 48)), (False, True, (80, 47), (72, 32))],
)
def test_hexsides_and_corners(edges: bool, corners: bool, point: Point, snapped: Point) -> None:
    assert replace(PLAIN, edges_legal=edges, corners_legal=corners).snap(*point) == snapped


def test_bricks_up_to_3_6_and_hexagons_since() -> None:
    assert PLAIN.snap(26, 58, hexagons=False) == (0, 32)
    assert PLAIN.snap(26, 58, hexagons=True) == (54, 64)


SQUARES = Numbering(h_off=0, h_type="A", h_leading=0, v_leading=0)


@pytest.mark.parametrize(
    ("numbering", "point", "snapped", "printed", "label"),
    [
        (SQUARES, (130, 200), (120, 216), (2, 4), "C5"),
        (replace(SQUARES, h_descend=True, v_descend=True), (130, 200), (120, 216), (15, 13), "P14"),
        (Numbering(h_off=0), (-40, -40), (-24, -24), (-1, 0), "-0101"),
    ],
)
def test_the_worked_squares(numbering: Numbering, point: Point, snapped: Point, printed: Point, label: str) -> None:
    grid = SquareGrid(48, 48, 24, 24, numbering=numbering)
    assert grid.snap(*point) == snapped
    assert grid.column_row(*point, (800, 800)) == printed
    assert grid.location(*point, (800, 800)) == label


def rows(shared: Path, name: str) -> Iterator[dict[str, str]]:
    path = shared / "spec" / "vassal-vectors" / name
    if not path.is_file():
        pytest.skip(f"no recorded answers: {name}")
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t")


def recorded_numbering(row: dict[str, str]) -> Numbering:
    return Numbering(
        first=row["first"],
        sep="" if row["sep"] == "_" else row["sep"],
        h_type=row["hType"],
        v_type=row["vType"],
        h_leading=int(row["hLeading"]),
        v_leading=int(row["vLeading"]),
        h_off=int(row["hOff"]),
        v_off=int(row["vOff"]),
        h_descend=row["hDescend"] == "true",
        v_descend=row["vDescend"] == "true",
        stagger=row["stagger"] == "true",
    )


def pair(row: dict[str, str], x: str, y: str) -> Point:
    return int(row[x]), int(row[y])


def test_all_recorded_hexes(shared: Path) -> None:
    recorded = list(rows(shared, "hexgrid.tsv"))
    assert len(recorded) > 3000
    for row in recorded:
        grid = HexGrid(
            dx=float(row["dx"]),
            dy=float(row["dy"]),
            x0=int(row["x0"]),
            y0=int(row["y0"]),
            sideways=row["sideways"] == "true",
            edges_legal=row["edgesLegal"] == "true",
            corners_legal=row["cornersLegal"] == "true",
            numbering=recorded_numbering(row),
        )
        point, size, centre = pair(row, "x", "y"), pair(row, "W", "H"), pair(row, "center_x", "center_y")
        place = grid.point(row["label"], size)
        ours = {
            "center": replace(grid, edges_legal=False, corners_legal=False).snap(*point),
            "snap": grid.snap(*point),
            "raw": grid.cell(*point),
            "printed": grid.column_row(*point, size),
            "label": grid.location(*point, size),
            "label_of_center": grid.location(*centre, size),
            "label_to_xy": f"{place[0]},{place[1]}" if place else "null",
        }
        assert ours == {
            "center": centre,
            "snap": pair(row, "snap_x", "snap_y"),
            "raw": pair(row, "raw_col", "raw_row"),
            "printed": pair(row, "col", "row"),
            "label": row["label"],
            "label_of_center": row["label_of_center"],
            "label_to_xy": row["label_to_xy"],
        }, row


def test_all_recorded_squares(shared: Path) -> None:
    recorded = list(rows(shared, "squaregrid.tsv"))
    assert len(recorded) > 800
    for row in recorded:
        grid = SquareGrid(
            dx=float(row["dx"]),
            dy=float(row["dy"]),
            x0=int(row["x0"]),
            y0=int(row["y0"]),
            edges_legal=row["edgesLegal"] == "true",
            corners_legal=row["cornersLegal"] == "true",
            numbering=recorded_numbering(row),
        )
        point, size = pair(row, "x", "y"), pair(row, "W", "H")
        # The place is recorded for column and row; a label without separator may be cut elsewhere.
        apart = replace(grid, numbering=replace(grid.numbering or Numbering(), sep="|"))
        ours = (
            grid.snap(*point),
            grid.column_row(*point, size),
            grid.location(*point, size),
            apart.point(apart.location(*point, size) or "", size),
        )
        place = pair(row, "labelcenter_x", "labelcenter_y")
        assert ours == (pair(row, "snap_x", "snap_y"), pair(row, "col", "row"), row["label"], place), row
