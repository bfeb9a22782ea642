"""Boards laid out on a map: from a piece's position to its board, the point on that board, and the location's name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from converter.errors import Problem
from converter.vassal.grids.location_format import UnknownLocation
from converter.vassal.grids.polygon import Point, Size
from converter.vassal.grids.zoned_grid import Grid, Zone, ZonedGrid

OFFBOARD = "offboard"  # the engine's word, in English
_ENDLESS = 2**31


@dataclass(frozen=True)
class BoardCell:
    """A board in a cell of the board picker. Only a board that the module calls reversible can be `reversed`."""

    name: str
    size: Size | None
    grid: Grid | None = None
    column: int = 0
    row: int = 0
    reversed: bool = False


@dataclass(frozen=True)
class PlacedBoard:
    """A board on the map, its top left corner at (`left`, `top`)."""

    name: str
    left: int
    top: int
    size: Size | None
    grid: Grid | None = None
    reversed: bool = False

    def contains(self, x: int, y: int) -> bool:
        """Left and top edge belong to the board, right and bottom edge don't. A board of unknown size has no end."""
        width, height = self.size or (_ENDLESS, _ENDLESS)
        return self.left <= x < self.left + width and self.top <= y < self.top + height

    def local(self, x: int, y: int) -> Point:
        """The point on the board as its grid counts."""
        return self._turn(x - self.left, y - self.top)

    def on_map(self, x: int, y: int) -> Point:
        """The inverse of `local`."""
        x, y = self._turn(x, y)
        return x + self.left, y + self.top

    def snap(self, x: int, y: int, hexagons: bool = True) -> Point:
        if self.grid is None:
            return x, y
        return self.on_map(*self.grid.snap(*self.local(x, y), hexagons))

    def _turn(self, x: int, y: int) -> Point:
        return (self.size[0] - x, self.size[1] - y) if self.reversed and self.size else (x, y)


@dataclass(frozen=True)
class BoardLayout:
    """The boards of a map in set-up order, and its decks by their exact position.

    `known` is False where the boards' places hang on pictures of unknown size: then no location is told.

    >>> from converter.vassal.grids import HexGrid, Numbering
    >>> layout = lay_out([BoardCell("Korea", (900, 700), HexGrid(54, 64, numbering=Numbering()))], edge=(20, 10))
    >>> layout.location(128, 106), layout.location(5, 5), layout.snap(125, 100), layout.point("0302")
    ('0302', 'offboard', (128, 106), (128, 106))
    """

    boards: tuple[PlacedBoard, ...]
    decks: Mapping[Point, str] = field(default_factory=dict)
    known: bool = True

    def board_at(self, x: int, y: int) -> PlacedBoard | None:
        return next((board for board in self.boards if board.contains(x, y)), None)

    def zone_at(self, x: int, y: int) -> Zone | None:
        board = self.board_at(x, y)
        return board.grid.zone(*board.local(x, y)) if board and isinstance(board.grid, ZonedGrid) else None

    def location(self, x: int, y: int) -> str | None:
        """The engine's LocationName of a position; None where it is unknown.

        A place without a name is `offboard` to the engine, be it off the boards or on a board without numbering.
        """
        deck = self.decks.get((x, y))
        if deck is not None:
            return deck
        if not self.known:
            return None
        board = self.board_at(x, y)
        if board is None or board.grid is None:
            return OFFBOARD
        try:
            name = board.grid.location(*board.local(x, y), board.size)
        except UnknownLocation:
            return None
        return OFFBOARD if name is None else name

    def point(self, label: str, board: str | None = None) -> Point | None:
        """The map position of a label, on the named board or on the first board that knows it."""
        for placed in self.boards:
            if placed.grid is not None and board in (None, placed.name):
                place = placed.grid.point(label, placed.size)
                if place is not None:
                    return placed.on_map(*place)
        return None

    def snap(self, x: int, y: int, hexagons: bool = True) -> Point:
        """Where a piece dropped on the map comes to rest.

        Landing on another board snaps to that one's grid too; one pixel outside of all boards is pulled back.
        """
        board = self.board_at(x, y)
        if board is None:
            return x, y
        x, y = board.snap(x, y, hexagons)
        landed = self.board_at(x, y)
        if landed is not None and landed is not board:
            x, y = landed.snap(x, y, hexagons)
            landed = self.board_at(x, y)
        if landed is None and board.size is not None:
            width, height = board.size
            x = board.left + _pull_back(x - board.left, width)
            y = board.top + _pull_back(y - board.top, height)
        return x, y


def lay_out(
    cells: Iterable[BoardCell],
    edge: Size = (0, 0),
    decks: Mapping[Point, str] | None = None,
    problems: list[Problem] | None = None,
    where: str = "map",
) -> BoardLayout:
    """Boards at their pixels: each right of those in its row, below those in its column, within the map's edge.

    A single board may be of unknown size; among several, one such leaves the places of all unknown.
    """
    boards = list(cells)
    unsized = [board.name for board in boards if board.size is None]
    if unsized and (len(boards) > 1 or boards[0].reversed):
        if problems is not None:
            problems.append(
                Problem(where, f"the size of board '{unsized[0]}' is unknown, so no location on it is told")
            )
        return BoardLayout((), decks or {}, known=False)
    sizes = {(board.column, board.row): board.size or (0, 0) for board in boards}
    placed = []
    for board in boards:
        left = sum(size[0] for (column, row), size in sizes.items() if row == board.row and column < board.column)
        top = sum(size[1] for (column, row), size in sizes.items() if column == board.column and row < board.row)
        placed.append(PlacedBoard(board.name, edge[0] + left, edge[1] + top, board.size, board.grid, board.reversed))
    return BoardLayout(tuple(placed), decks or {})


def _pull_back(value: int, length: int) -> int:
    if value == length:
        return length - 1
    return 0 if value == -1 else value
