"""VASSAL's SquareGrid (rectangles), with the engine's arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

from converter.vassal.grids.java_math import half_up
from converter.vassal.grids.location_format import UnknownLocation
from converter.vassal.grids.numbering import Numbering
from converter.vassal.grids.polygon import Point, Size


@dataclass(frozen=True)
class SquareGrid:
    """Rectangles of `dx` by `dy`; (`x0`, `y0`) is the centre of column 0, row 0.

    >>> grid = SquareGrid(numbering=Numbering(h_type="A", h_off=0, h_leading=0, v_leading=0))
    >>> grid.snap(130, 200), grid.location(130, 200, (800, 800)), grid.point("C5", (800, 800))
    ((120, 216), 'C5', (120, 216))
    """

    dx: float = 48.0
    dy: float = 48.0
    x0: int = 24
    y0: int = 24
    edges_legal: bool = False
    corners_legal: bool = False
    snap_to: bool = True
    manhattan: bool = False
    numbering: Numbering | None = None

    def location(self, x: int, y: int, size: Size | None) -> str | None:
        """The engine's LocationName of the point; None: it has no name (see `HexGrid.location`)."""
        numbering = self.numbering
        if numbering is None:
            return None
        if size is None and numbering.descends:
            raise UnknownLocation
        return numbering.text(*self.column_row(x, y, size or (0, 0)))

    def column_row(self, x: int, y: int, size: Size) -> Point:
        """Column and row as the numbering counts them. Rows above the first come out one too high:
        the engine cuts off where it floors the columns."""
        return self._descend(floor((x - self.x0) / self.dx + 0.5), int((y - self.y0) / self.dy + 0.5), size)

    def point(self, label: str, size: Size | None) -> Point | None:
        """Where the engine puts a piece sent to this label; None where the label does not fit."""
        numbering = self.numbering
        if numbering is None or (size is None and numbering.descends):
            return None
        parsed = numbering.parse(label)
        if parsed is None:
            return None
        column, row = self._descend(*parsed, size or (0, 0))
        return int(column * self.dx + self.x0), int(row * self.dy + self.y0)

    def distance(self, a: Point, b: Point) -> int:
        """Squares between two points: diagonal steps count one, or two with `manhattan`."""
        across = abs(floor((b[0] - a[0]) / self.dx + 0.5))
        down = abs(floor((b[1] - a[1]) / self.dy + 0.5))
        return across + down if self.manhattan else max(across, down)

    def snap(self, x: int, y: int, hexagons: bool = True) -> Point:
        """Where a piece dropped here comes to rest (`hexagons` makes no difference to squares)."""
        if not self.snap_to:
            return x, y
        dx, dy, right, down = self.dx, self.dy, x - self.x0, y - self.y0
        across, below = half_up(right / (0.5 * dx)), half_up(down / (0.5 * dy))  # in half squares
        if self.corners_legal and not self.edges_legal:
            across = 2 * half_up(right / dx) if below % 2 == 0 else 1 + 2 * half_up(right / dx - 0.5)
        elif self.edges_legal and not self.corners_legal:
            if below % 2 != 0 or across % 2 == 0:
                across = 2 * half_up(right / dx)
        elif not self.edges_legal:
            across, below = 2 * half_up(right / dx), 2 * half_up(down / dy)
        return self.x0 + half_up(across * dx / 2), self.y0 + half_up(below * dy / 2)

    def _descend(self, column: int, row: int, size: Size) -> Point:
        numbering = self.numbering or Numbering()
        if numbering.h_descend:
            column = int(size[0] / self.dx + 0.5) - column
        if numbering.v_descend:
            row = int(size[1] / self.dy + 0.5) - row
        return column, row
