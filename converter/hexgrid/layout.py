"""Hexes on a picture: centres, corners and outlines in pixels, and the hex under a pixel.

The numbers are those of VASSAL's HexGrid: `dx` from column to column, `dy` from hex to hex in a column, (`x0`, `y0`)
the centre of hex (0, 0). On a `sideways` sheet x and y are exchanged, the origin included. A scan may be turned:
`rotation` is in degrees, clockwise, about that centre. Hexes need not be regular.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from converter.hexgrid.lattice import DOWN, Hex, Hexside, Lattice, round_axial

if TYPE_CHECKING:  # outlines are asked for where maps are drawn or read, not where games are judged
    from shapely.geometry import LineString, Polygon

Point = tuple[float, float]

# The corner at the start of side d (going round in the order of the directions), in units of dx and dy.
_CORNERS = ((-1 / 3, -0.5), (1 / 3, -0.5), (2 / 3, 0.0), (1 / 3, 0.5), (-1 / 3, 0.5), (-2 / 3, 0.0))


@dataclass(frozen=True)
class Layout:
    """Where the honeycomb lies on a picture.

    >>> sheet = Layout(dx=54, dy=64, x0=30, y0=32)
    >>> sheet.centre(Hex(1, 0)), sheet.hex_at(80, 70)
    ((84.0, 64.0), Hex(col=1, row=0))
    >>> Layout(dx=54, dy=64, x0=30, y0=32, sideways=True).centre(Hex(1, 0))
    (64.0, 84.0)
    """

    dx: float
    dy: float
    x0: float = 0.0
    y0: float = 0.0
    sideways: bool = False
    rotation: float = 0.0
    lattice: Lattice = DOWN

    @classmethod
    def regular(cls, side: float, *, sideways: bool = False, lattice: Lattice = DOWN, margin: float = 0.0) -> Layout:
        """Regular hexes with sides of `side` pixels, the first column's hexes whole and `margin` pixels from the edge.

        >>> round(Layout.regular(10).dx, 3), round(Layout.regular(10).dy, 3)
        (15.0, 17.321)
        """
        dy = math.sqrt(3) * side
        top = dy if lattice.stagger == "up" else dy / 2
        return cls(1.5 * side, dy, side + margin, top + margin, sideways, 0.0, lattice)

    def _to_picture(self, x: float, y: float) -> Point:
        if self.sideways:
            x, y = y, x
        if not self.rotation:
            return float(x), float(y)
        about_x, about_y = (self.y0, self.x0) if self.sideways else (self.x0, self.y0)
        cos, sin = math.cos(math.radians(self.rotation)), math.sin(math.radians(self.rotation))
        x, y = x - about_x, y - about_y
        return about_x + x * cos - y * sin, about_y + x * sin + y * cos

    def _from_picture(self, x: float, y: float) -> Point:
        if self.rotation:
            about_x, about_y = (self.y0, self.x0) if self.sideways else (self.x0, self.y0)
            cos, sin = math.cos(math.radians(self.rotation)), math.sin(math.radians(self.rotation))
            x, y = x - about_x, y - about_y
            x, y = about_x + x * cos + y * sin, about_y - x * sin + y * cos
        return (y, x) if self.sideways else (x, y)

    def _straight_centre(self, hex: Hex) -> Point:
        half = 0.5 * (hex.col & 1) * (1 if self.lattice.stagger == "down" else -1)
        return self.x0 + hex.col * self.dx, self.y0 + (hex.row + half) * self.dy

    def centre(self, hex: Hex) -> Point:
        """The middle of a hex."""
        return self._to_picture(*self._straight_centre(hex))

    def hex_at(self, x: float, y: float) -> Hex:
        """The hex a pixel lies in, by its true outline, on the map or not."""
        x, y = self._from_picture(x, y)
        q = (x - self.x0) / self.dx
        return self.lattice.from_axial(*round_axial(q, (y - self.y0) / self.dy - q / 2))

    def corners(self, hex: Hex) -> tuple[Point, ...]:
        """The six corners; side d runs from corner d to corner d + 1."""
        x, y = self._straight_centre(hex)
        return tuple(self._to_picture(x + u * self.dx, y + v * self.dy) for u, v in _CORNERS)

    def polygon(self, hex: Hex) -> Polygon:
        """The hex's outline.

        >>> round(Layout(dx=30, dy=40).polygon(Hex(0, 0)).area)  # a hex takes dx times dy of the sheet
        1200
        """
        from shapely.geometry import Polygon

        return Polygon(self.corners(hex))

    def side_ends(self, hexside: Hexside) -> tuple[Point, Point]:
        """The two ends of a hexside."""
        corners = self.corners(hexside.hex)
        return corners[hexside.direction], corners[(hexside.direction + 1) % 6]

    def side_line(self, hexside: Hexside) -> LineString:
        """A hexside as a line.

        >>> sheet = Layout(dx=30, dy=40)
        >>> sheet.side_line(Hexside(Hex(0, 0), 0)).length
        20.0
        """
        from shapely.geometry import LineString

        return LineString(self.side_ends(hexside))

    def share_inside(self, hex: Hex, width: float, height: float) -> float:
        """How much of a hex lies on a sheet of this size: 1 whole, about 0.5 a half hex at the edge, 0 off the sheet.

        >>> round(Layout(dx=30, dy=40, x0=100, y0=0).share_inside(Hex(0, 0), 500, 500), 2)
        0.5
        """
        from shapely.geometry import box

        outline = self.polygon(hex)
        return float(outline.intersection(box(0, 0, width, height)).area / outline.area)

    def cut_by_edge(self, hexes: Iterable[Hex], width: float, height: float) -> tuple[Hex, ...]:
        """Those hexes that the sheet's edge cuts: partly on it, partly off."""
        return tuple(hex for hex in hexes if 0.01 < self.share_inside(hex, width, height) < 0.99)
