"""Is a point in a polygon? With the engine's rule on edges: left and top belong to it, right and bottom don't."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

Point = tuple[int, int]
Size = tuple[int, int]


@dataclass(frozen=True)
class Polygon:
    """A closed polygon of whole pixels; even-odd where it crosses itself.

    >>> square = Polygon(((0, 0), (10, 0), (10, 10), (0, 10)))
    >>> square.contains(0, 0), square.contains(10, 5), square.contains(5, 10)
    (True, False, False)
    """

    points: tuple[Point, ...]

    @cached_property
    def bounds(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom; all 0 where there is no point."""
        if not self.points:
            return 0, 0, 0, 0
        xs, ys = zip(*self.points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def size(self) -> Size:
        left, top, right, bottom = self.bounds
        return right - left, bottom - top

    @cached_property
    def _edges(self) -> tuple[tuple[int, int, int, int, int, int], ...]:
        """Of each edge that is not level: top y, bottom y, least x, greatest x, x at the top, x at the bottom."""
        edges = []
        for (ax, ay), (bx, by) in zip(self.points, self.points[1:] + self.points[:1], strict=True):
            if ay > by:
                ax, ay, bx, by = bx, by, ax, ay
            if ay != by:
                edges.append((ay, by, min(ax, bx), max(ax, bx), ax, bx))
        return tuple(edges)

    def contains(self, x: int, y: int) -> bool:
        left, top, right, bottom = self.bounds
        if not (left <= x < right and top <= y < bottom) or len(self.points) < 3:
            return False
        inside = False
        for edge_top, edge_bottom, least, greatest, top_x, bottom_x in self._edges:
            if x >= greatest or not edge_top <= y < edge_bottom:
                continue
            if x < least or x - top_x < (y - edge_top) / (edge_bottom - edge_top) * (bottom_x - top_x):
                inside = not inside
        return inside

    def anchor(self) -> Point | None:
        """Where the engine puts what is sent to the whole area: the mean of its corners, else the first corner."""
        if not self.points:
            return None
        count = len(self.points)
        x, y = (int(sum(values) / count) for values in zip(*self.points, strict=True))
        return (x, y) if self.contains(x, y) else self.points[0]
