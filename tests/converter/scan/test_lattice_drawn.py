"""Grids we drew ourselves, so that the truth is known: each is found to half a hundredth of a hex."""

from __future__ import annotations

import pytest
from drawn_grids import Recipe, draw, error

from converter.scan.lattice import Lattice, find_lattice
from converter.scan.picture import Picture

LINES = {
    "dark lines": Recipe(1),
    "light lines, pointy tops": Recipe(2, dark=False, sideways=True),
    "faint light lines": Recipe(3, opacity=0.22, dark=False, art="texture"),
    "faint dark lines": Recipe(4, opacity=0.22, art="patches"),
    "smallest hexes": Recipe(5, width=900, height=700, dx=17.4, dy=20, thickness=1.0),
    "largest hexes": Recipe(6, width=1800, height=1400, dx=173, dy=200, thickness=3.5),
    "turned 3 degrees": Recipe(7, rotation=3.0, sideways=True),
    "turned back 2.6 degrees, worn": Recipe(8, rotation=-2.6, grain=5, jpeg=60, blur=0.8),
    "in perspective": Recipe(9, perspective=0.02),
    "turned and in perspective": Recipe(10, rotation=1.7, perspective=0.015, sideways=True, art="gradient"),
    "part of the sheet, charts around": Recipe(11, cover=(0.25, 0.1, 0.9, 0.75)),
    "flattened hexes": Recipe(12, dx=53.5, dy=60.5),
    "even halving and odd sizes": Recipe(13, width=1601, height=1203, dx=120.3, dy=139.7, thickness=3),
}
DOTS = {
    "centre dots": Recipe(21, marks="centres", opacity=0.7, art="texture"),
    "light centre dots, turned": Recipe(22, marks="centres", dark=False, rotation=-1.3, sideways=True),
    "corner dots": Recipe(23, marks="corners", opacity=0.6, art="patches"),
    "light corner dots, part of the sheet": Recipe(24, marks="corners", dark=False, cover=(0.0, 0.15, 0.8, 1.0)),
}


def found_error(recipe: Recipe) -> tuple[Lattice, float]:
    pixels, truth = draw(recipe)
    found = find_lattice(Picture(pixels))
    size = recipe.width, recipe.height
    return found, error(truth.centres(*size), found.centres(*size), recipe.dx, *size)


@pytest.mark.parametrize("name", LINES)
def test_lines(name: str) -> None:
    found, off = found_error(LINES[name])
    assert off < 0.005
    assert found.marks == "sides"
    assert found.sideways == LINES[name].sideways
    assert found.confidence > 0.6


@pytest.mark.parametrize("name", DOTS)
def test_dots(name: str) -> None:
    found, off = found_error(DOTS[name])
    assert off < 0.005
    assert found.marks == DOTS[name].marks


def test_a_straight_sheet_is_said_in_five_numbers() -> None:
    found, _ = found_error(Recipe(31, rotation=0.0))
    assert found.rotation == 0
    assert "matrix" not in found.as_json()
    assert (found.dx, found.dy) == pytest.approx((52, 60), abs=0.02)


def test_the_answer_is_the_same_each_time() -> None:
    pixels, _ = draw(Recipe(32))
    assert find_lattice(Picture(pixels)) == find_lattice(Picture(pixels))


def test_progress_is_told() -> None:
    said: list[str] = []
    find_lattice(Picture(draw(Recipe(33))[0]), progress=said.append)
    assert said[0] == "looking for the spacing of the hexes"
    assert "trying hexes" in said[1]
