"""Boards on a map: cells, edge, turned boards, decks, zones and what is off the boards."""

from __future__ import annotations

from converter.errors import Problem
from converter.vassal.grids import (
    OFFBOARD,
    BoardCell,
    HexGrid,
    Numbering,
    PlacedBoard,
    Polygon,
    Region,
    RegionGrid,
    SquareGrid,
    Zone,
    ZonedGrid,
    lay_out,
)

HEXES = HexGrid(54, 64, numbering=Numbering())
SQUARES = SquareGrid(50, 50, 25, 25, numbering=Numbering(sep="/"))


def corners(*boards: PlacedBoard) -> dict[str, tuple[int, int]]:
    return {board.name: (board.left, board.top) for board in boards}


def test_each_board_stands_right_of_its_row_and_below_its_column() -> None:
    layout = lay_out(
        [
            BoardCell("A", (100, 200)),
            BoardCell("B", (300, 50), column=1),
            BoardCell("C", (80, 80), row=1),
            BoardCell("D", (10, 10), column=2, row=1),
        ],
        edge=(5, 7),
    )
    assert corners(*layout.boards) == {"A": (5, 7), "B": (105, 7), "C": (5, 207), "D": (85, 7)}


def test_right_and_bottom_edge_are_off_the_board() -> None:
    layout = lay_out([BoardCell("A", (200, 100), HEXES)], edge=(10, 10))
    assert layout.location(10, 10) == "0101"
    assert layout.location(209, 109) != OFFBOARD
    assert layout.location(210, 50) == layout.location(50, 110) == layout.location(9, 50) == OFFBOARD


def test_a_board_without_numbers_is_offboard_too() -> None:
    assert lay_out([BoardCell("A", (200, 100), HexGrid())]).location(50, 50) == OFFBOARD
    assert lay_out([BoardCell("A", (200, 100))]).location(50, 50) == OFFBOARD


def test_a_turned_board_is_read_upside_down() -> None:
    upright = lay_out([BoardCell("A", (500, 400), SQUARES)])
    turned = lay_out([BoardCell("A", (500, 400), SQUARES, reversed=True)])
    assert upright.location(30, 30) == "01/01"
    assert turned.location(30, 30) == upright.location(470, 370) == "10/08"
    assert turned.snap(30, 30) == (25, 25)
    assert turned.point("01/01") == (475, 375)


def test_a_deck_gives_its_name_to_its_exact_spot() -> None:
    layout = lay_out([BoardCell("A", (500, 400), SQUARES)], decks={(30, 30): "Events"})
    assert layout.location(30, 30) == "Events"
    assert layout.location(31, 30) == "01/01"


def test_landing_on_the_next_board_snaps_there() -> None:
    coarse = RegionGrid((Region("Far", 130, 40),))
    layout = lay_out([BoardCell("A", (100, 100), coarse), BoardCell("B", (100, 100), SQUARES, column=1)])
    assert layout.snap(10, 10) == (125, 25)  # the region lies on B, whose squares have the last word


def test_one_pixel_outside_is_pulled_back() -> None:
    layout = lay_out([BoardCell("A", (100, 100), RegionGrid((Region("East", 100, 50), Region("North", 50, -1))))])
    assert layout.snap(90, 60) == (99, 50)
    assert layout.snap(50, 5) == (50, 0)


def test_labels_are_sought_on_every_board_or_on_one() -> None:
    layout = lay_out([BoardCell("A", (200, 200), HEXES), BoardCell("B", (200, 200), SQUARES, column=1)])
    assert layout.point("02/01") == (275, 25)
    assert layout.point("02/01", board="A") is None
    assert layout.point("0101", board="A") == (0, 32)


def test_a_lone_board_of_unknown_size_still_has_ascending_labels() -> None:
    assert lay_out([BoardCell("A", None, HEXES)], edge=(10, 10)).location(10, 42) == "0101"
    backwards = HexGrid(54, 64, numbering=Numbering(v_descend=True))
    assert lay_out([BoardCell("A", None, backwards)]).location(0, 32) is None


def test_unknown_sizes_make_places_unknown() -> None:
    problems: list[Problem] = []
    layout = lay_out(
        [BoardCell("A", None, HEXES), BoardCell("B", (9, 9), column=1)], problems=problems, where="map 'M'"
    )
    assert layout.location(10, 10) is None
    assert not layout.known
    assert [str(problem) for problem in problems] == [
        "map 'M': the size of board 'A' is unknown, so no location on it is told"
    ]
    assert lay_out([BoardCell("A", None, HEXES, reversed=True)]).location(10, 10) is None


def test_the_zone_of_a_position() -> None:
    box = Zone("Pool", Polygon(((0, 0), (50, 0), (50, 50), (0, 50))))
    layout = lay_out([BoardCell("A", (200, 200), ZonedGrid((box,), HEXES))], edge=(100, 0))
    assert layout.zone_at(120, 20) == box
    assert layout.zone_at(160, 20) is None
    assert layout.zone_at(20, 20) is None
