"""A block of counters that touch (or have gutters too narrow to see through) divided into its rows and columns.

Counters end in lines that run through the whole block; what is printed on them does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from converter.scan.sheet.ground import Mask

Profile = NDArray[np.float64]
_SURE = 0.5  # share of a block's length that an edge must show on
_ABOVE = 0.25  # and how much more that must be than elsewhere
_CLEAR = 0.25  # how much less may be seen where there are more counters
_FAINT, _STRETCH = 3.6, 9  # an edge's least change of colour in levels a pixel; averaged over so many, less will do
_RUN = 0.6  # how long a piece of line must be to count, as a share of a counter
_GUTTER, _NARROW = (
    0.3,
    16.0,
)  # the widest gutter: as a share of a counter, and in pixels (wider ones are seen as ground)
_ASPECT = 2.3
LEAST_SIDE = 18.0


@dataclass(frozen=True)
class Division:
    """`count` counters in a row (or column), the space between them, and how surely.

    `seen` is how much of their edges shows, `contrast` how much more that is than of other lines across the block.
    """

    count: int
    gutter: float
    seen: float
    contrast: float


ONE = Division(1, 0.0, 1.0, 1.0)


@dataclass(frozen=True)
class Grid:
    """Columns and rows of a block."""

    columns: Division
    rows: Division

    @property
    def cells(self) -> int:
        return self.columns.count * self.rows.count

    @property
    def seen(self) -> float:
        return min(self.columns.seen, self.rows.seen)


def divide(pixels: NDArray[np.uint8], inside: Mask) -> Grid:
    """The most counters whose edges are all seen. One by one: the block is a single counter, or not to be divided."""
    high, wide = inside.shape
    columns = list(_divisions(pixels, inside))
    rows = list(_divisions(np.ascontiguousarray(pixels.transpose(1, 0, 2)), np.ascontiguousarray(inside.T)))
    grids = [
        Grid(column, row)
        for column in columns
        for row in rows
        if 1 / _ASPECT < (wide / column.count) / (high / row.count) < _ASPECT and (column, row) != (ONE, ONE)
    ]
    if not grids:
        return Grid(ONE, ONE)
    clearest = max(grid.seen for grid in grids)
    return max((grid for grid in grids if grid.seen > clearest - _CLEAR), key=lambda grid: _worth(grid, wide, high))


def _worth(grid: Grid, wide: int, high: int) -> tuple[int, int, float]:
    """More counters are better; of as many, squarer ones, then surer ones."""
    lean = abs(float(np.log((wide / grid.columns.count) / (high / grid.rows.count))))
    return grid.cells, -round(lean / 0.2), grid.seen


class _Lines:
    """How much of each column's length has upright lines along it that are at least so long.

    `stretch` 1 sees each pixel by itself; with more, a faint line shows by its length.
    """

    def __init__(self, pixels: NDArray[np.uint8], inside: Mask, stretch: int) -> None:
        soft = cv2.GaussianBlur(pixels, (0, 0), 0.9)
        change = np.abs(cv2.blur(cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8), (1, stretch))).max(axis=2)
        quiet = float(np.quantile(change[::3, ::3], 0.2))
        least = _FAINT / stretch**0.5
        strong = (change > min(max(least, 5 * quiet), 3 * least)) & inside
        reach = 1 if stretch == 1 else 2 if inside.shape[1] < 1500 else 3
        wide = cv2.dilate(strong.astype(np.uint8), np.ones((1, 2 * reach + 1), np.uint8))
        self._strong = cv2.morphologyEx(wide, cv2.MORPH_CLOSE, np.ones((5, 1), np.uint8))
        self._inside = inside
        self._known: dict[int, Profile] = {}

    def profile(self, least: float) -> Profile:
        """For lines of at least this length, to the nearest of a few lengths."""
        step = max(2, round(float(np.log(max(least, 2.0)) / np.log(1.3))))
        if step not in self._known:
            rows = self._inside.sum(axis=0).astype(np.float64)
            long = cv2.morphologyEx(self._strong, cv2.MORPH_OPEN, np.ones((round(1.3**step), 1), np.uint8))
            share = (long * self._inside).sum(axis=0) / np.maximum(rows, 1)
            self._known[step] = np.asarray(np.where(rows > 0.02 * self._inside.shape[0], share, 0.0))
        return self._known[step]


def _divisions(pixels: NDArray[np.uint8], inside: Mask) -> Iterator[Division]:
    """Every number of columns whose edges are all seen, beginning with one."""
    length = inside.shape[1]
    ways = [_Lines(pixels, inside, stretch) for stretch in (1, _STRETCH)]
    yield ONE
    for count in range(2, int(length / LEAST_SIDE) + 1):
        told = [division for way in ways if (division := _division(way, length, count)).contrast > _ABOVE]
        if told:
            yield max(told, key=lambda division: division.seen)


def _division(lines: _Lines, length: int, count: int) -> Division:
    """So many columns, with the gutter whose edges are seen best."""
    best = Division(count, 0.0, 0.0, 0.0)
    step = length / count
    profile = lines.profile(_RUN * step)
    usual = float(np.median(profile))
    for gutter in np.arange(0.0, min(_GUTTER * step, _NARROW, step - LEAST_SIDE) + 0.5, 1.0):
        ends = np.arange(1, count) * (length + gutter) / count
        places = np.concatenate([ends, ends - gutter]) if gutter else ends
        found = profile[np.clip(np.rint(places).astype(int), 0, length - 1)]
        seen = float(np.quantile(found, 0.15))
        contrast = seen - usual if seen > _SURE else 0.0
        if contrast > best.contrast + (0.03 if best.gutter == 0.0 else 0.0):
            best = Division(count, float(gutter), seen, contrast)
    return best


def flattened(
    pixels: NDArray[np.uint8], mask: Mask, corners: NDArray[np.float64], wide: int, high: int
) -> tuple[NDArray[np.uint8], Mask]:
    """A block and its mask, seen squarely."""
    target = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    matrix = cv2.getPerspectiveTransform((corners + 0.5).astype(np.float32), target)
    shift = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]]) @ matrix @ np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    flat = cv2.warpPerspective(pixels, shift, (wide, high), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = cv2.warpPerspective(mask.astype(np.uint8), shift, (wide, high), flags=cv2.INTER_NEAREST)
    return np.asarray(flat, np.uint8), np.asarray(inside).astype(bool)


__all__ = ["LEAST_SIDE", "Division", "Grid", "divide", "flattened"]
