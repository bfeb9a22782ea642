"""VASSAL's HexGrid: hex centres, snapping and labels, with the engine's arithmetic.

Three different cuttings of the plane live in it. Labels (`location`) and the engine up to 3.6 take the hexes for
bricks, each with its own rounding; from 3.7 on a piece snaps to the true hexagon. So near a slanted hexside the label
of a point and the label of its snapped centre may differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import floor, sqrt

from converter.vassal.grids.java_math import float32, half_up
from converter.vassal.grids.location_format import UnknownLocation
from converter.vassal.grids.numbering import Numbering
from converter.vassal.grids.polygon import Point, Size

SQRT3_2 = sqrt(3) / 2.0
DEFAULT_DY = 64.0
DEFAULT_DX = SQRT3_2 * DEFAULT_DY
_NEIGHBOURS = (((-1, -1), (-1, 0), (1, -1), (1, 0)), ((-1, 0), (-1, 1), (1, 0), (1, 1)))  # of even, odd columns


@dataclass(frozen=True)
class HexGrid:
    """`dx` between columns, `dy` between rows, (`x0`, `y0`) the centre of the hex with raw indices 0, 0.

    With `sideways` the columns lie down: x and y are swapped before anything else and swapped back at the end.

    >>> grid = HexGrid(dx=54, dy=64, numbering=Numbering())
    >>> grid.location(108, 96, (1000, 800)), grid.point("0302", (1000, 800)), grid.snap(26, 58)
    ('0302', (108, 96), (54, 64))
    """

    dx: float = DEFAULT_DX
    dy: float = DEFAULT_DY
    x0: int = 0
    y0: int = 32
    sideways: bool = False
    edges_legal: bool = False
    corners_legal: bool = False
    snap_to: bool = True
    snap_scale: int = 0
    numbering: Numbering | None = None

    def cell(self, x: int, y: int) -> Point:
        """Raw column and row of the brick a point lies in (counted from 0, before any numbering)."""
        if self.sideways:
            x, y = y, x
        column, odd = self.column_at(x)
        return column, half_up((y - self.y0 - self.dy / 2) / self.dy if odd else (y - self.y0) / self.dy)

    def column_at(self, x: int) -> tuple[int, bool]:
        """Raw column of a point of an upright grid, and whether its rows stand lower by half: all that x tells."""
        across = (x - self.x0) / self.dx
        return floor(across + 0.5), half_up(across) % 2 != 0

    def location(self, x: int, y: int, size: Size | None) -> str | None:
        """The engine's LocationName of the point itself, in a container of this size; None: it has no name.

        A descending numbering counts from the far side: UnknownLocation where the size is not known.
        """
        numbering = self.numbering
        if numbering is None:
            return None
        if size is None and numbering.descends:
            raise UnknownLocation
        return numbering.text(*self.column_row(x, y, size or (0, 0)))

    def column_row(self, x: int, y: int, size: Size) -> Point:
        """Column and row as the numbering counts them, before its offsets."""
        numbering = self.numbering or Numbering()
        raw_column, raw_row = self.cell(x, y)
        column, row = self._descend(raw_column, raw_row, size)
        if numbering.stagger and raw_column % 2 != 0:
            row += -1 if self._rows_descend else 1
        if numbering.oblique:
            half = int(column / 2)
            row = row + half if numbering.stagger else row - half + 1
        return column, row

    def point(self, label: str, size: Size | None) -> Point | None:
        """Where the engine puts a piece sent to this label; None where the label does not fit the numbering.

        Not always the inverse of `location`: with descending columns the parity may change, and oblique rows stay.
        """
        numbering = self.numbering
        if numbering is None or (size is None and numbering.descends):
            return None
        parsed = numbering.parse(label)
        if parsed is None:
            return None
        column, row = parsed
        if numbering.stagger and column % 2 != 0:
            row += 1 if self._rows_descend else -1
        column, row = self._descend(column, row, size or (0, 0))
        x = int(column * self.dx) + self.x0
        y = int(row * self.dy if column % 2 == 0 else row * self.dy + self.dy / 2) + self.y0
        return (y, x) if self.sideways else (x, y)

    def distance(self, a: Point, b: Point) -> int:
        """Hexes between two points after snapping both, as the engine counts ranges from 3.7 on.

        >>> HexGrid(dx=54, dy=64).distance((0, 32), (108, 32))
        2
        """
        (q1, r1), (q2, r2) = (self._axial(*self.cell(*self.snap(*point))) for point in (a, b))
        return max(abs(q1 - q2), abs(r1 - r2), abs(q1 + r1 - q2 - r2))

    def snap(self, x: int, y: int, hexagons: bool = True) -> Point:
        """Where a piece dropped here comes to rest. `hexagons`: as from 3.7 on; False: as up to 3.6."""
        if not self.snap_to:
            return x, y
        if self.sideways:
            x, y = y, x
        snapped = self._snap(x, y, hexagons)
        return snapped[::-1] if self.sideways else snapped

    @property
    def _rows_descend(self) -> bool:
        numbering = self.numbering or Numbering()
        return numbering.h_descend if self.sideways else numbering.v_descend

    def _descend(self, column: int, row: int, size: Size) -> Point:
        """Count from the far side where the numbering descends. (The engine pairs height with dx, width with dy.)"""
        numbering = self.numbering or Numbering()
        if numbering.h_descend:
            columns = floor(size[0] / self.dy + 0.5)
            column, row = (column, columns - row) if self.sideways else (columns - column, row)
        if numbering.v_descend:
            rows = floor(size[1] / self.dx + 0.5)
            column, row = (rows - column, row) if self.sideways else (column, rows - row)
        return column, row

    @staticmethod
    def _axial(column: int, row: int) -> Point:
        return column, row - (column - column % 2) // 2

    # From here on x and y are those of an upright grid.

    def _snap(self, x: int, y: int, hexagons: bool) -> Point:
        centre = self._centre(x, y, hexagons)
        if not (self.edges_legal or self.corners_legal):
            return centre
        spots = []
        if self.corners_legal:
            spots.append(self._nearer_centre(x, y, centre, self._corner(x, y)))
        if self.edges_legal:
            spots.append(self._nearer_centre(x, y, centre, self._edge(x, y)))
        spot = min(spots, key=lambda spot: (x - spot[0]) ** 2 + (y - spot[1]) ** 2)
        return centre if (centre[0] - spot[0]) ** 2 + (centre[1] - spot[1]) ** 2 <= 2 else spot

    def _nearer_centre(self, x: int, y: int, centre: Point, spot: Point) -> Point:
        """With a snap scale the centre's own places count too."""
        if self.snap_scale > 0 and _walk(x, y, centre) <= _walk(x, y, spot):
            return centre
        return spot

    def _centre(self, x: int, y: int, hexagons: bool) -> Point:
        column = floor((x - self.x0 + self.dx / 2) / self.dx)
        odd = column % 2
        row = floor((y - self.y0) / self.dy if odd else (y - self.y0 + self.dy / 2) / self.dy)
        cx, cy = self._centre_of(column, row)
        if hexagons and not self._in_hexagon(x, y, cx, cy):
            for right, down in _NEIGHBOURS[odd]:
                candidate = self._centre_of(column + right, row + down)
                if self._in_hexagon(x, y, *candidate):
                    cx, cy = candidate
                    break
        if self.snap_scale > 0:
            return cx + self._fraction(x - cx, self.dx), cy + self._fraction(y - cy, self.dy)
        return cx, cy

    def _centre_of(self, column: int, row: int) -> Point:
        y = self.dy * row + int(self.dy / 2) + self.y0 if column % 2 else self.dy * row + self.y0
        return int(self.dx * column + self.x0), int(y)

    def _fraction(self, delta: int, spacing: float) -> int:
        """The nearest of the `snap_scale` places on each side of a centre."""
        scale = self.snap_scale
        steps = max(1 - scale, min(scale - 1, half_up(delta / (0.5 * spacing / scale))))
        return half_up(steps * 0.5 * spacing / scale)

    @cached_property
    def _hexagon(self) -> tuple[float, float, float]:
        """Half the width, half the flat side, half the height: single precision, as the engine keeps them."""
        dx, dy = float32(self.dx, self.dy)
        (width,) = float32(2 * dx / 3)
        return width, 0.5 * width, 0.5 * dy

    def _in_hexagon(self, x: int, y: int, cx: int, cy: int) -> bool:
        width, side, height = self._hexagon
        far_left, left, right, far_right, top, bottom = map(
            half_up, float32(cx - width, cx - side, cx + side, cx + width, cy - height, cy + height)
        )
        right, far_right, bottom = right + 1, far_right + 1, bottom + 1
        if not (far_left <= x < far_right and top <= y < bottom):
            return False
        if y < cy:
            rise, run = cy - top, y - top
            return left + run * (far_left - left) / rise <= x < right + run * (far_right - right) / rise
        rise, run = bottom - cy, y - cy
        return far_left + run * (left - far_left) / rise <= x < far_right + run * (right - far_right) / rise

    def _edge(self, x: int, y: int) -> Point:
        column = floor((x - self.x0 + self.dx / 4) * 2 / self.dx)
        if column % 2 == 0:
            edge_y = self.dy / 2 * floor((y - self.y0 + self.dy / 4) * 2 / self.dy) + self.y0
        else:
            edge_y = self.dy / 2 * floor((y - self.y0) * 2 / self.dy) + int(self.dy / 4) + self.y0
        return int(self.dx / 2 * column + self.x0), int(edge_y)

    def _corner(self, x: int, y: int) -> Point:
        row = floor((y - self.y0 + self.dy / 4) * 2 / self.dy)
        dx = self.dx
        if row % 2 == 0:
            corner_x = 2 * dx / 3 * int(floor(x - self.x0 + dx / 3) * 3 / (2 * dx)) + self.x0
        else:
            corner_x = 2 * dx / 3 * int(floor(x - self.x0 + dx / 3 + dx / 3) * 3 / (2 * dx)) - int(dx / 3) + self.x0
        return int(corner_x), int(self.dy / 2 * row + self.y0)


def _walk(x: int, y: int, spot: Point) -> int:
    return abs(x - spot[0]) + abs(y - spot[1])
