"""Printed hex numbers, read by the OCR package where it is installed (`pip install 'hexref[ocr]'`)."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from small_map import put

import cli
from converter.drawing import draw_map
from converter.errors import BadInput
from converter.scan.degrade import USED, Scan, degrade
from converter.scan.found import Lattice, inverse, project
from converter.scan.lattice import find_lattice
from converter.scan.number_reading import read_numbers
from converter.scan.numbers import Numbered, Sighting, decides, number_grid
from converter.scan.picture import Picture
from converter.scenario import read_map

ROOT = Path(__file__).resolve().parents[3]
has_ocr = all(importlib.util.find_spec(name) for name in ("rapidocr", "onnxruntime"))
needs_ocr = pytest.mark.skipif(not has_ocr, reason="no OCR package here (pip install 'hexref[ocr]')")


@needs_ocr
@pytest.mark.parametrize(
    ("style", "worn"), [("relief", False), ("two-colour", True), ("dotted", True), ("corners", True)]
)
def test_the_practice_map_is_numbered_by_its_print(style: str, worn: bool) -> None:
    drawing = draw_map(read_map(ROOT / "maps" / "practice" / "peninsula.yaml"), style, hex_height=64)
    scan = degrade(drawing.picture, USED) if worn else Scan(drawing.picture, np.eye(3))
    picture = Picture(scan.picture, style)
    lattice = find_lattice(picture)
    seen = read_numbers(picture, lattice, {}, lambda _: None)
    numbered = number_grid(lattice, picture.width, picture.height, seen, {})
    layout = drawing.map.layout
    assert layout is not None
    for number in ("0101", "0128", "1714", "3401", "3428"):
        spot = scan.place(*layout.centre(drawing.map.grid.hex(number)))
        assert _number_at(numbered, lattice, *spot) == number


def _number_at(numbered: Numbered, lattice: Lattice, x: float, y: float) -> str | None:
    (flat_x, flat_y), = project(inverse(lattice.to_scan), np.array([[x, y]], np.float64))
    return numbered.grid.number(numbered.layout.hex_at(flat_x, flat_y))


def test_without_the_package_the_way_to_get_it_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)  # as if it were not there
    image, _ = put(tmp_path)
    assert cli.main(["map", "-q", str(image), "--ocr", "-o", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "pip install 'hexref[ocr]'" in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


# --- numbers that agree, and numbers that do not; no package is needed for these ---

FLAT = Lattice(dx=52.0, dy=60.0, x0=40.0, y0=50.0, sideways=False)


def seen(*numbers: str, odd_lower: int = -1) -> list[Sighting]:
    """Numbers where a map has them that counts from the upper left, even columns half a hex lower."""
    found = []
    for number in numbers:
        column, row = int(number[:2]), int(number[2:])
        y = 50 + 60 * (row - 1) + (30 if column % 2 == 0 else 0) * -odd_lower
        found.append(Sighting(number, 40 + 52 * (column - 1), y - 20))
    return found


GOOD = ("0101", "0203", "0304", "0405", "0602", "0707", "0803", "0906")


def test_numbers_that_agree_are_believed() -> None:
    numbered = number_grid(FLAT, 800, 700, seen(*GOOD), {})
    assert numbered.agreement == 1
    assert _number_at(numbered, FLAT, 40 + 52, 50 + 30) == "0201"
    assert numbered.grid.numbers[0] == "0101"  # the margin before it is no column 00


def test_some_misread_numbers_do_no_harm() -> None:
    wrong = [Sighting("8888", 300, 300), Sighting("0101", 500, 100), Sighting("PUSAN1", 100, 100)]
    assert number_grid(FLAT, 800, 700, [*seen(*GOOD), *wrong], {}).grid.numbers[0] == "0101"


@pytest.mark.parametrize(
    "numbers",
    [
        ("0101", "0203", "0304"),  # too few
        ("0101", "0102", "0103", "0104", "0105", "0106"),  # one column: either stagger would do
        ("0101", "0303", "0505", "0707", "0909"),  # one diagonal of odd columns: rows or columns first?
    ],
)
def test_numbers_that_leave_a_doubt_are_not_believed(numbers: tuple[str, ...]) -> None:
    assert not decides(FLAT, seen(*numbers), {})
    with pytest.raises(BadInput, match="do not agree"):
        number_grid(FLAT, 800, 700, seen(*numbers), {})


def test_numbers_all_over_the_place_are_not_believed() -> None:
    chance = np.random.default_rng(5)
    for _ in range(200):
        spots = chance.uniform(0, 700, (12, 2))
        words = [f"{c:02}{r:02}" for c, r in chance.integers(1, 13, (12, 2))]
        assert not decides(FLAT, [Sighting(w, x, y) for w, (x, y) in zip(words, spots, strict=True)], {})
