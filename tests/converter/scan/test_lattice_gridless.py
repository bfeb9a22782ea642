"""Pictures without a hex grid, among them the tempting ones, are answered with a refusal."""

from __future__ import annotations

import gridless
import pytest

from converter.errors import BadInput
from converter.scan.lattice import NoGrid, find_lattice
from converter.scan.picture import Picture


@pytest.mark.parametrize("name", gridless.PICTURES)
def test_no_grid(name: str) -> None:
    with pytest.raises(NoGrid, match="no hex grid found"):
        find_lattice(Picture(gridless.picture(name), name))


def test_a_refusal_is_the_users_to_read() -> None:
    with pytest.raises(BadInput, match=r"blank\.png: no hex grid found: nothing repeats as hexes do"):
        find_lattice(Picture(gridless.picture("plain paper"), "blank.png"))
