"""Grids from build-file elements: defaults, quirks, bad values, zones within folders."""

from __future__ import annotations

import time

import pytest
from lxml import etree

from converter.errors import Problem
from converter.vassal.grids import (
    Grid,
    HexGrid,
    Numbering,
    Region,
    RegionGrid,
    SquareGrid,
    UnknownLocation,
    ZonedGrid,
    grid_from_element,
    grid_of,
)
from converter.vassal.grids.hex_grid import DEFAULT_DX, SQRT3_2

B = "VASSAL.build.module.map.boardPicker.board."


def read(xml: str) -> tuple[Grid | None, list[str]]:
    problems: list[Problem] = []
    xml = xml.replace("</", "<~").replace("<", "<" + B).replace(f"<{B}~", f"</{B}")
    grid = grid_from_element(etree.fromstring(xml), problems, "board 'Korea'")
    return grid, [str(problem) for problem in problems]


def test_defaults() -> None:
    assert read("<HexGrid/>") == (HexGrid(DEFAULT_DX, 64.0, 0, 32), [])
    assert read("<SquareGrid/>") == (SquareGrid(48.0, 48.0, 24, 24), [])
    assert read("<RegionGrid/>") == (RegionGrid((), True), [])
    assert read("<ZonedGrid/>") == (ZonedGrid(()), [])
    assert read("<HexGrid><mapgrid.HexGridNumbering/></HexGrid>") == (HexGrid(numbering=Numbering()), [])


@pytest.mark.parametrize(
    ("attributes", "dx", "dy"),
    [
        ('dy="100"', SQRT3_2 * 100, 100.0),
        ('dx="55.42562584220407" dy="100"', SQRT3_2 * 100, 100.0),
        ('dx="55.5" dy="100"', 55.5, 100.0),
        ('dx="70"', 70.0, 64.0),
    ],
)
def test_dy_takes_a_default_dx_along(attributes: str, dx: float, dy: float) -> None:
    assert read(f"<HexGrid {attributes}/>") == (HexGrid(dx, dy), [])


def test_every_attribute_is_read() -> None:
    grid, problems = read(
        '<HexGrid dx="60" dy="70" x0="-3" y0="4" sideways="TRUE" edgesLegal="true" cornersLegal="true" snapTo="false"'
        ' snapscale="2"><mapgrid.ObliqueHexGridNumbering first="Vertical first" sep="-" hType="Alphabetic" vType="N"'
        ' hLeading="0" vLeading="2" hOff="5" vOff="-5" hDescend="true" vDescend="true" stagger="false"'
        ' locationFormat="$column$"/></HexGrid>'
    )
    numbering = Numbering("V", "-", "A", "N", 0, 2, 5, -5, True, True, False, "$column$", True)
    assert grid == HexGrid(60, 70, -3, 4, True, True, True, False, 2, numbering)
    assert problems == []


def test_squares_and_their_distances() -> None:
    metric, _ = read('<SquareGrid dx="10" dy="10"/>')
    manhattan, _ = read('<SquareGrid dx="10" dy="10" range="Manhattan"/>')
    assert metric is not None
    assert manhattan is not None
    assert metric.distance((0, 0), (30, 40)) == 4
    assert manhattan.distance((0, 0), (30, 40)) == 7


def test_a_bad_value_is_told_and_the_default_stands_in() -> None:
    grid, problems = read(
        '<HexGrid dx="wide" x0="1.5" y0=""><mapgrid.HexGridNumbering first="" hLeading="999"/></HexGrid>'
    )
    assert grid == HexGrid(numbering=Numbering())
    assert problems == [
        "board 'Korea', HexGrid numbering: first='' is not readable; 'H' stands in",
        "board 'Korea', HexGrid numbering: hLeading='999' is not readable; 1 stands in",
        "board 'Korea', HexGrid: dx='wide' is not readable; 55.42562584220407 stands in",
        "board 'Korea', HexGrid: x0='1.5' is not readable; 0 stands in",
        "board 'Korea', HexGrid: y0='' is not readable; 32 stands in",
    ]


@pytest.mark.parametrize("kind", ["HexGrid", "SquareGrid"])
@pytest.mark.parametrize("value", ["0", "-64", "1e-300", "1e300", "-0.0"])
@pytest.mark.parametrize("name", ["dx", "dy"])
def test_an_impossible_spacing_leaves_no_grid(kind: str, name: str, value: str) -> None:
    grid, problems = read(f'<{kind} {name}="{value}"/>')
    assert grid is None
    assert problems == [f"board 'Korea', {kind}: {name}='{value}' is no distance between cells; the grid is left out"]


def test_zones_with_their_own_and_their_parents_grid() -> None:
    grid, problems = read(
        '<ZonedGrid><SquareGrid dx="50" dy="50" x0="25" y0="25"><mapgrid.SquareGridNumbering sep="."/></SquareGrid>'
        '<mapgrid.Zone name="Hexes" path="0,0;200,0;200,200;0,200" locationFormat="$name$ $gridLocation$">'
        '<HexGrid dx="54" dy="64"><mapgrid.HexGridNumbering/></HexGrid></mapgrid.Zone>'
        '<mapgrid.Zone name="Track" path="200,0;400,0;400,200;200,200" locationFormat="$name$ $gridLocation$"'
        ' useParentGrid="true"/>'
        '<mapgrid.Zone name="Box" path="0,200;200,200;200,400;0,400" locationFormat="$name$ $gridLocation$"/>'
        '<mapgrid.Zone name="Hidden" path="0,0;400,0;400,400;0,400" useParentGrid="TRUE"/></ZonedGrid>'
    )
    assert problems == []
    assert isinstance(grid, ZonedGrid)
    size = (800, 600)
    assert grid.location(108, 96, size) == "Hexes 0302"
    assert grid.location(230, 30, size) == "Track 05.01"
    assert grid.location(30, 230, size) == "Box "
    assert grid.location(230, 230, size) == "Hidden"
    assert grid.location(430, 430, size) == "09.09"
    assert grid.snap(100, 90) == (108, 96)
    assert grid.snap(230, 30) == (225, 25)
    assert grid.snap(33, 244) == (33, 244)
    assert grid.snap(233, 244) == (233, 244)
    assert grid.point("Hexes 0302", size) == (108, 96)
    assert grid.point("Hexes 0902", size) is None
    assert grid.point("Box ", size) == (100, 300)
    assert grid.point("09.09", size) == (425, 425)
    assert grid.distance((0, 32), (108, 32)) == 2
    assert grid.distance((225, 25), (325, 25)) == 2
    assert grid.distance((25, 25), (425, 25)) == 8


def test_regions() -> None:
    grid, problems = read(
        '<RegionGrid snapto="false"><Region name="Seoul" originx="10" originy="20"/><Region originx="x" name="Pusan"/>'
        "</RegionGrid>"
    )
    assert grid == RegionGrid((Region("Seoul", 10, 20), Region("Pusan", 0, 0)), snap_to=False)
    assert problems == ["board 'Korea', RegionGrid region: originx='x' is not readable; 0 stands in"]
    assert grid.snap(9, 9) == (9, 9)


def test_of_two_regions_at_one_point_the_last_counts() -> None:
    grid = RegionGrid((Region("Old", 5, 5), Region("New", 5, 5)))
    assert grid.location(0, 0, None) == "New"
    assert grid.point("Old", None) is None


def test_a_board_without_regions_has_no_names() -> None:
    assert RegionGrid(()).location(1, 1, None) is None
    assert RegionGrid(()).snap(1, 1) == (1, 1)


def test_the_grid_of_a_board_is_the_last_one_and_folders_are_looked_through() -> None:
    folder = "VASSAL.build.module.folder.MapSubFolder"
    board = etree.fromstring(f"<Board><{B}SquareGrid/><{folder}><{B}HexGrid/></{folder}><Chart/></Board>")
    assert grid_of(board) == HexGrid()
    assert grid_of(etree.fromstring("<Board/>")) is None


def test_a_grid_of_the_modules_own_making_is_told() -> None:
    problems: list[Problem] = []
    assert grid_of(etree.fromstring("<Board><my.game.StarGrid/></Board>"), problems, "board 'Sky'") is None
    assert [str(problem) for problem in problems] == [
        "board 'Sky': my.game.StarGrid is a grid of the module's own making; it is left out"
    ]


def test_code_in_a_location_format_is_not_run() -> None:
    grid, problems = read('<HexGrid><mapgrid.HexGridNumbering locationFormat="{Alert(1)}"/></HexGrid>')
    assert grid is not None
    with pytest.raises(UnknownLocation):
        grid.location(1, 1, (100, 100))
    assert problems == [
        "board 'Korea', HexGrid numbering: locationFormat is an expression, which is not run: the names are unknown"
    ]


def test_a_property_of_the_game_in_a_location_format_is_told() -> None:
    _, problems = read(
        '<ZonedGrid><mapgrid.Zone name="Z" path="0,0;1,0;1,1" locationFormat="$Turn$ $name$"/></ZonedGrid>'
    )
    assert problems == [
        "board 'Korea', zone 'Z': locationFormat uses $Turn$ of the running game, whose value is unknown"
    ]


def test_a_zone_of_no_area_is_told() -> None:
    _, problems = read('<ZonedGrid><mapgrid.Zone name="Z" path="0,0;oops;1,1"/></ZonedGrid>')
    assert problems == ["board 'Korea', zone 'Z': its path has fewer than three corners; nothing lies in it"]


def test_grids_nested_without_end_are_cut() -> None:
    zone = '<mapgrid.Zone name="Z" path="0,0;9,0;9,9">'
    xml = f"<ZonedGrid>{zone}" * 60 + "</mapgrid.Zone></ZonedGrid>" * 60
    grid, problems = read(xml)
    assert isinstance(grid, ZonedGrid)
    assert any("nested deeper" in problem for problem in problems)


def test_hostile_labels_cost_no_time() -> None:
    """Formats with many variables and long labels would make a matcher try for ages; huge columns make long labels."""
    start = time.process_time()
    zone = f'<mapgrid.Zone name="Z" path="0,0;9,0;9,9" locationFormat="{"$gridLocation$" * 40}x">'
    grid, _ = read(f"<ZonedGrid>{zone}<SquareGrid/></mapgrid.Zone></ZonedGrid>")
    assert grid is not None
    assert grid.point("0" * 5000, (100, 100)) is None
    digits, _ = read(f'<HexGrid><mapgrid.HexGridNumbering locationFormat="{"$gridLocation$" * 9}"/></HexGrid>')
    assert digits is not None
    assert digits.point("0" * 100 + "x", (100, 100)) is None
    letters = SquareGrid(0.01, 0.01, numbering=Numbering(h_type="A", v_type="A"))
    assert len(letters.location(2**31, 2**31, (1, 1)) or "") == 2000
    assert time.process_time() - start < 2
