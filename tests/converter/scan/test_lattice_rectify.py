"""A crooked scan made straight: on the result the plain grid holds."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_grids import Recipe, draw, error

from converter.scan.found import STRAIGHT, Lattice
from converter.scan.lattice import find_lattice
from converter.scan.picture import Picture
from converter.scan.whole_map import placing, straighten


@pytest.mark.parametrize("sideways", [False, True])
def test_rectified(sideways: bool) -> None:
    recipe = Recipe(51, sideways=sideways, rotation=1.4, perspective=0.012)
    pixels, _ = draw(recipe)
    crooked = find_lattice(Picture(pixels, "scan"))
    flat = straighten(Picture(pixels, "scan"), crooked)
    again = find_lattice(flat)
    assert flat.name == "scan"
    assert abs(again.rotation) < 0.02
    assert abs(again.skew) < 0.05
    assert again.dx / again.dy == pytest.approx(3**0.5 / 2, abs=0.003)  # regular hexes
    placed, _ = placing(Picture(pixels, "scan"), crooked, crooked.layout)
    size = flat.width, flat.height
    assert size == (placed.width, placed.height)
    plain = Lattice(placed.dx, placed.dy, placed.x0, placed.y0, sideways)
    assert error(plain.centres(*size), again.centres(*size), recipe.dx, *size) < 0.005


def test_a_straight_picture_is_left_alone() -> None:
    picture = Picture(np.zeros((80, 90, 3), np.uint8))
    assert straighten(picture, Lattice(20, 23, 5, 5, False)) is picture


def test_layout_agrees_with_centres() -> None:
    from converter.hexgrid import Hex

    lattice = Lattice(dx=52.0, dy=60.0, x0=7.0, y0=11.0, sideways=True)
    x, y = lattice.layout.centre(Hex(3, 4))
    assert np.hypot(*(lattice.centres(900, 900) - [x, y]).T).min() == pytest.approx(0, abs=1e-9)


def test_skew_is_measured() -> None:
    leaning = ((1.0, 0.02, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    assert Lattice(50, 58, 0, 0, False).skew == 0
    assert Lattice(50, 58, 0, 0, False).matrix == STRAIGHT
    assert Lattice(50, 58, 0, 0, False, matrix=leaning).skew == pytest.approx(1.146, abs=0.01)


def test_json_has_what_the_contract_names() -> None:
    said = Lattice(97.72, 112.4, 21.0, 24.0, True, 0.03, 0.97).as_json()
    assert said | {"marks": ""} == {
        "dx": 97.72, "dy": 112.4, "x0": 21.0, "y0": 24.0, "sideways": True, "rotation": 0.03, "confidence": 0.97,
        "marks": "",
    }  # fmt: skip
