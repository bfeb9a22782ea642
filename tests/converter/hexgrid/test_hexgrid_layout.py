"""Hexes on a picture."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import set_precision
from shapely.geometry import Point
from shapely.ops import unary_union

from converter.hexgrid import Area, Grid, Hex, Lattice, Layout, area_at

layouts = st.builds(
    Layout,
    dx=st.floats(8, 200),
    dy=st.floats(8, 200),
    x0=st.floats(-500, 500),
    y0=st.floats(-500, 500),
    sideways=st.booleans(),
    rotation=st.floats(-5, 5),
    lattice=st.sampled_from([Lattice("down"), Lattice("up")]),
)
hexes = st.builds(Hex, st.integers(-40, 60), st.integers(-40, 60))


@given(layouts, hexes)
def test_the_hex_under_its_own_centre(sheet: Layout, hex: Hex) -> None:
    assert sheet.hex_at(*sheet.centre(hex)) == hex


@given(layouts, hexes, st.floats(0, 1), st.floats(0, 0.98))
def test_a_point_inside_an_outline_is_in_that_hex(sheet: Layout, hex: Hex, turn: float, share: float) -> None:
    x, y = sheet.centre(hex)
    corners = sheet.corners(hex)
    at = turn * 6
    (ax, ay), (bx, by) = corners[int(at) % 6], corners[(int(at) + 1) % 6]
    rim_x, rim_y = ax + (bx - ax) * (at % 1), ay + (by - ay) * (at % 1)
    assert sheet.hex_at(x + (rim_x - x) * share, y + (rim_y - y) * share) == hex


@given(layouts, hexes)
def test_a_side_runs_between_the_two_hexes_that_share_it(sheet: Layout, hex: Hex) -> None:
    for direction, other in enumerate(sheet.lattice.neighbours(hex)):
        side = sheet.side_line(sheet.lattice.side(hex, direction))
        (ax, ay), (bx, by) = sheet.centre(hex), sheet.centre(other)
        middle = side.interpolate(0.5, normalized=True)
        assert middle.distance(Point((ax + bx) / 2, (ay + by) / 2)) < 1e-6


def test_hexes_tile_the_sheet_without_gap_or_overlap() -> None:
    grid, sheet = Grid(6, 5), Layout(dx=31.7, dy=44.1, x0=20, y0=20, rotation=2.5)
    outlines = [set_precision(sheet.polygon(hex), 1e-6) for hex in grid.hexes]
    whole = unary_union(outlines)
    assert whole.geom_type == "Polygon"
    assert len(whole.interiors) == 0
    assert whole.area == pytest.approx(sum(outline.area for outline in outlines)) == pytest.approx(30 * 31.7 * 44.1)


def test_sideways_is_the_same_honeycomb_with_the_axes_exchanged() -> None:
    upright, turned = Layout(54, 64, 10, -5), Layout(54, 64, 10, -5, sideways=True)
    for hex in (Hex(0, 0), Hex(3, 2), Hex(4, -1)):
        assert turned.centre(hex) == upright.centre(hex)[::-1]
    # The two examples of VASSAL's own arithmetic: raw column and row 9,5 upright and 6,8 sideways.
    vassal = Layout(55.42562584220407, 64, 10, -5)
    assert vassal.hex_at(500, 333) == Hex(9, 5)
    assert Layout(55.42562584220407, 64, 10, -5, sideways=True).hex_at(500, 333) == Hex(6, 8)


def test_rotation_turns_clockwise_about_the_first_hex() -> None:
    x, y = Layout(30, 40, 100, 100, rotation=90).centre(Hex(2, 0))
    assert (x, y) == pytest.approx((100, 160))


def test_regular_hexes_have_six_equal_sides() -> None:
    sheet = Layout.regular(25, lattice=Lattice("up"), margin=7)
    assert {round(sheet.side_line(side).length, 6) for side in sheet.lattice.sides(Hex(3, 3))} == {25}
    assert min(y for hex in Grid(4, 4, Lattice("up")).hexes for _, y in sheet.corners(hex)) == pytest.approx(7)
    assert min(x for x, _ in sheet.corners(Hex(0, 0))) == pytest.approx(7)


def test_half_hexes_at_the_edge_of_the_sheet() -> None:
    grid, side = Grid(4, 3), 20.0
    sheet = Layout.regular(side)
    width = 5 * side + 1.5 * side  # the last column whole
    height = 3 * math.sqrt(3) * side  # the second and fourth columns stand half a hex down: their last hex is cut
    cut = sheet.cut_by_edge(grid.hexes, width, height)
    assert [grid.number(hex) for hex in cut] == ["0203", "0403"]
    assert sheet.share_inside(cut[0], width, height) == pytest.approx(0.5)
    assert sheet.share_inside(Hex(9, 9), width, height) == 0


def test_the_first_area_listed_wins() -> None:
    sea = Area("Sea of Japan", ((0, 0), (100, 0), (100, 100), (0, 100)))
    port = Area("Port", ((40, 40), (60, 40), (60, 60), (40, 60)))
    assert area_at([port, sea], 50, 50) is port
    assert area_at([sea, port], 50, 50) is sea
    assert area_at([port, sea], 150, 50) is None
