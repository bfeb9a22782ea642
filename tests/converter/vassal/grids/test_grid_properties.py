"""What must hold of every grid: labels find their hex again, centres stay where they are, distances are distances."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from converter.vassal.grids import HexGrid, Numbering, Polygon, Region, RegionGrid, SquareGrid, Zone, ZonedGrid
from converter.vassal.grids.numbering import number

SIZE = (3000, 2000)
coordinates = st.tuples(st.integers(-500, 3500), st.integers(-500, 2500))
spacings = st.floats(6, 400, allow_nan=False)
origins = st.integers(-300, 300)

# A separator keeps the two numbers apart; descending columns are not invertible in the engine either.
numberings = st.builds(
    Numbering,
    first=st.sampled_from("HV"),
    sep=st.sampled_from([".", " / ", "x"]),
    h_type=st.sampled_from("NA"),
    v_type=st.sampled_from("NA"),
    h_leading=st.integers(0, 3),
    v_leading=st.integers(0, 3),
    h_off=st.integers(-9, 50),
    v_off=st.integers(-9, 50),
    stagger=st.booleans(),
    location_format=st.sampled_from(["$gridLocation$", "hex $gridLocation$", "$row$ of $column$"]),
)
hex_grids = st.builds(
    HexGrid, dx=spacings, dy=spacings, x0=origins, y0=origins, sideways=st.booleans(), numbering=numberings
)
square_grids = st.builds(SquareGrid, dx=spacings, dy=spacings, x0=origins, y0=origins, numbering=numberings)


@given(hex_grids, coordinates)
def test_a_hex_label_finds_its_hex(grid: HexGrid, at: tuple[int, int]) -> None:
    label = grid.location(*at, SIZE)
    assert label is not None
    place = grid.point(label, SIZE)
    assert place is not None
    assert grid.cell(*place) == grid.cell(*at)
    assert grid.location(*place, SIZE) == label


@given(square_grids, st.tuples(st.integers(300, 3500), st.integers(300, 2500)))
def test_a_square_label_finds_its_square(grid: SquareGrid, at: tuple[int, int]) -> None:
    """Right of and below the origin: above it the engine names two rows alike."""
    label = grid.location(*at, SIZE)
    assert label is not None
    place = grid.point(label, SIZE)
    assert place is not None
    assert grid.location(*place, SIZE) == label


@given(hex_grids, coordinates, st.booleans())
def test_a_hex_centre_stays(grid: HexGrid, at: tuple[int, int], hexagons: bool) -> None:
    centre = grid.snap(*at, hexagons)
    assert grid.snap(*centre, hexagons) == centre


@given(square_grids, coordinates)
def test_a_square_centre_stays(grid: SquareGrid, at: tuple[int, int]) -> None:
    centre = grid.snap(*at)
    assert grid.snap(*centre) == centre


@given(hex_grids, coordinates, coordinates, coordinates)
def test_hex_distance_is_a_distance(grid: HexGrid, a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> None:
    assert grid.distance(a, b) == grid.distance(b, a)
    assert (grid.distance(a, b) == 0) == (grid.snap(*a) == grid.snap(*b))
    assert grid.distance(a, c) <= grid.distance(a, b) + grid.distance(b, c)


@given(st.integers(-9, 9), st.integers(-9, 9))
def test_six_neighbours_at_distance_one(column: int, row: int) -> None:
    grid = HexGrid(54, 64)
    here = grid._centre_of(column, row)
    around = [
        (c, r)
        for c in range(column - 2, column + 3)
        for r in range(row - 2, row + 3)
        if grid.distance(here, grid._centre_of(c, r)) == 1
    ]
    assert len(around) == 6


@given(st.lists(st.builds(Region, name=st.text(), x=origins, y=origins), min_size=1), origins, origins)
def test_no_region_is_nearer(regions: list[Region], x: int, y: int) -> None:
    grid = RegionGrid(tuple(regions))
    at_x, at_y = grid.snap(x, y)
    assert all((r.x - x) ** 2 + (r.y - y) ** 2 >= (at_x - x) ** 2 + (at_y - y) ** 2 for r in regions)
    assert grid.location(x, y, None) == grid.location(at_x, at_y, None)


@given(st.lists(st.tuples(origins, origins), max_size=9), origins, origins)
def test_a_zone_covers_what_its_even_odd_rule_says(points: list[tuple[int, int]], x: int, y: int) -> None:
    """Against exact fractions: edges left of or through the point, counted."""
    crossings = 0
    for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1], strict=True):
        if ay > by:
            ax, ay, bx, by = bx, by, ax, ay
        if ay <= y < by and (x - ax) * (by - ay) < (y - ay) * (bx - ax):
            crossings += 1
    polygon = Polygon(tuple(points))
    grid = ZonedGrid((Zone("Z", polygon),))
    assert (grid.location(x, y, SIZE) == "Z") == (crossings % 2 == 1)


@given(st.integers(-(10**6), 10**6), st.integers(0, 9))
def test_leading_zeros(value: int, leading: int) -> None:
    text = number(value, "N", leading)
    assert int(text) == value
    assert len(text.lstrip("-")) == max(leading + 1, len(str(abs(value))))
