"""The honeycomb: counts worked out by hand, and distance against a plain breadth-first walk."""

from __future__ import annotations

from collections import deque
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.hexgrid import DIRECTIONS, Hex, Lattice

hexes = st.builds(Hex, st.integers(-60, 60), st.integers(-60, 60))
nearby = st.builds(Hex, st.integers(-6, 6), st.integers(-6, 6))
lattices = st.sampled_from([Lattice("down"), Lattice("up")])


def walk(lattice: Lattice, start: Hex, radius: int) -> dict[Hex, int]:
    """Distances by walking, knowing nothing but which hexes touch."""
    found, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        if found[here] == radius:
            continue
        for there in lattice.neighbours(here):
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


@pytest.mark.parametrize("stagger", ["down", "up"])
@pytest.mark.parametrize("start", [Hex(4, 4), Hex(5, 4), Hex(-3, -8)])
def test_rings_and_areas_have_the_sizes_of_a_honeycomb(stagger: str, start: Hex) -> None:
    lattice = Lattice(stagger)  # type: ignore[arg-type]
    for radius in range(7):
        ring = set(lattice.ring(start, radius))
        assert len(ring) == (6 * radius or 1)
        assert {lattice.distance(start, hex) for hex in ring} == {radius}
        assert len(set(lattice.area(start, radius))) == 1 + 3 * radius * (radius + 1)
    assert walk(lattice, start, 6).keys() == set(lattice.area(start, 6))


def test_ring_goes_round_without_a_jump() -> None:
    ring = Lattice().ring(Hex(3, 7), 4)
    assert all(Lattice().distance(a, b) == 1 for a, b in zip(ring, (*ring[1:], ring[0]), strict=True))


def test_the_stagger_decides_which_slanted_hexes_touch() -> None:
    assert Lattice("down").direction(Hex(1, 1), Hex(2, 2)) == 2
    assert Lattice("up").direction(Hex(1, 1), Hex(2, 2)) is None
    assert Lattice("up").direction(Hex(1, 1), Hex(2, 0)) == 1


@given(lattices, nearby, nearby)
def test_distance_is_what_a_walk_finds(lattice: Lattice, one: Hex, other: Hex) -> None:
    distance = lattice.distance(one, other)
    assert walk(lattice, one, distance)[other] == distance


@given(lattices, hexes, hexes, hexes)
def test_distance_is_a_distance(lattice: Lattice, a: Hex, b: Hex, c: Hex) -> None:
    assert (lattice.distance(a, b) == 0) == (a == b)
    assert lattice.distance(a, b) == lattice.distance(b, a) <= lattice.distance(a, c) + lattice.distance(c, b)


@given(lattices, hexes)
def test_each_side_has_one_name_for_both_hexes(lattice: Lattice, hex: Hex) -> None:
    sides = lattice.sides(hex)
    assert len(set(sides)) == 6
    for direction in DIRECTIONS:
        other = lattice.neighbour(hex, direction)
        assert lattice.direction(hex, other) == direction
        assert lattice.hexside(hex, other) == lattice.hexside(other, hex) == sides[direction]
        assert set(lattice.hexes_of(sides[direction])) == {hex, other}


def test_hexes_that_do_not_touch_share_no_side() -> None:
    with pytest.raises(ValueError, match="do not touch"):
        Lattice().hexside(Hex(0, 0), Hex(0, 2))


@given(lattices, hexes, hexes)
def test_a_line_is_unbroken_and_no_longer_than_it_must_be(lattice: Lattice, start: Hex, end: Hex) -> None:
    for lean in (-1, 1):
        line = lattice.line(start, end, lean)
        assert (line[0], line[-1]) == (start, end)
        assert len(line) == lattice.distance(start, end) + 1
        assert all(lattice.distance(a, b) == 1 for a, b in pairwise(line))


@given(lattices, hexes)
def test_axial_coordinates_come_back(lattice: Lattice, hex: Hex) -> None:
    assert lattice.from_axial(*lattice.axial(hex)) == hex
