"""Pointing at two or three hexes: how they are read, what they can mean, and what they bring."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_grids import Recipe, Truth, draw, error

from converter.errors import BadInput
from converter.scan.known_hexes import KnownHex, guesses, known_hex
from converter.scan.lattice import find_lattice
from converter.scan.picture import Picture


def pointed(truth: Truth, numbers: list[str], miss: float = 0.0) -> list[KnownHex]:
    """What a user who counts columns and rows from 01 would point at, a little off the middle."""
    out = []
    for k, number in enumerate(numbers):
        column, row = int(number[:2]) - 1, int(number[2:]) - 1
        grid = np.array([[truth.x0 + column * truth.dx, truth.y0 + (row + (column % 2) / 2) * truth.dy]])
        (x, y), = truth.to_image(grid)
        out.append(known_hex(f"{number}={x + miss * (-1) ** k},{y - miss}"))
    return out


@pytest.mark.parametrize("sideways", [False, True])
@pytest.mark.parametrize("numbers", [["0101", "1512"], ["0203", "1804", "0913"]])
def test_known_hexes_start_the_fit(sideways: bool, numbers: list[str]) -> None:
    recipe = Recipe(41, sideways=sideways, rotation=0.8, opacity=0.3)
    pixels, truth = draw(recipe)
    found = find_lattice(Picture(pixels), at=pointed(truth, numbers, miss=4))
    size = recipe.width, recipe.height
    assert error(truth.centres(*size), found.centres(*size), recipe.dx, *size) < 0.005
    assert found.sideways == sideways


def test_where_nothing_is_printed_the_known_hexes_are_the_answer() -> None:
    recipe = Recipe(42, opacity=0.0, dx=60 * 3**0.5 / 2)
    pixels, truth = draw(recipe)
    found = find_lattice(Picture(pixels), at=pointed(truth, ["0101", "1410", "2003"]))
    size = recipe.width, recipe.height
    assert found.confidence == 0
    assert error(truth.centres(*size), found.centres(*size), recipe.dx, *size) < 0.01


def test_counting_from_the_bottom_right() -> None:
    straight = guesses([known_hex("0101=900,700"), known_hex("0501=692,700"), known_hex("0105=900,460")])
    assert any(not g.sideways and abs(g.shape[0, 0] - 52) < 0.1 and abs(g.shape[1, 1] - 60) < 0.1 for g in straight)


@pytest.mark.parametrize(
    "text", ["", "0101", "0101=12", "0101=a,b", "hex=1,2", "010=1,2", "0101=1,2,3", "0101=1.2.3,4"]
)
def test_unreadable(text: str) -> None:
    with pytest.raises(BadInput, match="--at"):
        known_hex(text)


def test_one_hex_is_not_enough() -> None:
    with pytest.raises(BadInput, match="at least two"):
        guesses([known_hex("0101=10,10")])


def test_hexes_larger_than_the_picture() -> None:
    pixels, _ = draw(Recipe(43, width=700, height=500))
    with pytest.raises(BadInput, match="fewer than three hexes"):
        find_lattice(Picture(pixels), at=[known_hex("0101=100,100"), known_hex("0102=100,9100")])


def test_a_printed_grid_that_misses_the_known_hexes_is_not_the_answer() -> None:
    recipe = Recipe(44, dx=60 * 3**0.5 / 2)
    pixels, truth = draw(recipe)
    corners = [known_hex(f"{k.number}={k.x + 2 / 3 * recipe.dx},{k.y}") for k in pointed(truth, ["0101", "0909"])]
    assert find_lattice(Picture(pixels), at=corners).confidence == 0


def test_places_that_no_sheet_of_hexes_has() -> None:
    with pytest.raises(BadInput, match="no sheet of regular hexes"):
        guesses([known_hex("0101=10,10"), known_hex("0102=80,300"), known_hex("2001=90,40")])


def test_perspective_between_far_hexes() -> None:
    """A straight lattice through two far corners misses most of a sheet seen at an angle; the print shows it all."""
    recipe = Recipe(43, perspective=0.03, rotation=1.2, opacity=0.6)
    pixels, truth = draw(recipe)
    found = find_lattice(Picture(pixels), at=pointed(truth, ["0101", "1814"]))
    size = recipe.width, recipe.height
    assert found.confidence > 0.5
    assert error(truth.centres(*size), found.centres(*size), recipe.dx, *size) < 0.01
