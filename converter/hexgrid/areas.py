"""Places on a sheet that are no hexes: holding boxes, tracks, sea areas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # as in converter.hexgrid.layout
    from shapely.geometry import Polygon
    from shapely.prepared import PreparedGeometry


@dataclass(frozen=True)
class Area:
    """A named outline on the picture.

    >>> box = Area("Yellow Sea", ((0, 0), (90, 0), (90, 40), (0, 40)))
    >>> box.contains(45, 20), box.contains(95, 20)
    (True, False)
    """

    name: str
    outline: tuple[tuple[float, float], ...]

    @cached_property
    def polygon(self) -> Polygon:
        """The outline; a self-crossing one counts as VASSAL's does, even-odd."""
        from shapely.geometry import Polygon

        outline = Polygon(self.outline)
        return outline if outline.is_valid else outline.buffer(0)

    @cached_property
    def _prepared(self) -> PreparedGeometry:
        from shapely.prepared import prep

        return prep(self.polygon)

    def contains(self, x: float, y: float) -> bool:
        """Is the pixel inside, the rim included?"""
        from shapely.geometry import Point

        return bool(self._prepared.intersects(Point(x, y)))


def area_at(areas: Iterable[Area], x: float, y: float) -> Area | None:
    """The first area that holds the pixel: where areas overlap, the one listed first wins."""
    return next((area for area in areas if area.contains(x, y)), None)
