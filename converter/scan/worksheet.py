"""The scan laid straight at a handy size, and square little cuttings of it: one for each hex, one for each hexside."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from converter.hexgrid import Grid, Hex, Hexside, Layout
from converter.scan.picture import Picture, Pixels

Floats = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]
Value = TypeVar("Value", np.float32, np.uint16)

WORKING_HEX = 64.0
"""Hexes are looked at no larger than this, in pixels from hex to hex."""
SMALLEST_HEX = 40.0
"""Smaller hexes are enlarged to this."""
ROWS_AT_ONCE = 30_000


@dataclass(frozen=True)
class Worksheet:
    """A straightened picture of the map alone; `to_scan` takes its pixels to those of the scan."""

    pixels: Pixels
    grid: Grid
    layout: Layout
    to_scan: Matrix

    @property
    def unit(self) -> float:
        """From hex to hex in a column, in pixels."""
        return self.layout.dy

    @cached_property
    def centres(self) -> npt.NDArray[np.float64]:
        """The middle of each hex, in the order of `grid.numbers`."""
        return np.array([self.layout.centre(hex) for hex in self.grid.hexes])

    @cached_property
    def sides(self) -> tuple[tuple[str, str], ...]:
        """Every hexside between two hexes of the map, by the numbers of both, each once."""
        index = self.grid.index
        return tuple(
            (number, self.grid.numbers[other])
            for at, number in enumerate(self.grid.numbers)
            for other in index.neighbours[at]
            if at < other
        )

    @cached_property
    def side_frames(self) -> npt.NDArray[np.float64]:
        """For each side its middle, one hex along the side and one hex over to the next: sides x 3 x (x, y)."""
        grid, layout = self.grid, self.layout
        frames = np.empty((len(self.sides), 3, 2))
        for i, (one, other) in enumerate(self.sides):
            start, end = np.array(layout.centre(grid.hex(one))), np.array(layout.centre(grid.hex(other)))
            left, right = np.array(layout.side_ends(side_of(self, one, other)))
            along = (right - left) * math.sqrt(3)
            over = end - start
            if along[0] * over[1] < along[1] * over[0]:
                along = -along
            frames[i] = (start + end) / 2, along, over
        return frames

    def side_cuttings(
        self, image: npt.NDArray[Value], points: int, reach: float, which: npt.NDArray[np.int64] | None = None
    ) -> npt.NDArray[Value]:
        """A square about the middle of each side (or of some), turned so that the side runs across and the next hex is
        below."""
        share = np.linspace(-reach, reach, points)
        a, b = np.meshgrid(share, share)
        frames = self.side_frames if which is None else self.side_frames[which]
        middle, along, over = np.moveaxis(frames, 1, 0)[..., None, None]
        x, y = (middle[:, k] + along[:, k] * a + over[:, k] * b for k in (0, 1))
        return cut(image, x, y)


def cut(image: npt.NDArray[Value], x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> npt.NDArray[Value]:
    """Look the image up at many points; beyond its edge the edge goes on."""
    pieces, rows, cols = x.shape
    channels = 1 if image.ndim == 2 else image.shape[2]
    out = np.empty((pieces, rows, cols, channels), image.dtype)
    way = cv2.INTER_LINEAR if image.dtype == np.float32 else cv2.INTER_NEAREST
    for start, stop in _batches(pieces, rows):
        at = [v[start:stop].reshape(-1, cols).astype(np.float32) for v in (x, y)]
        found = cv2.remap(image, at[0], at[1], way, borderMode=cv2.BORDER_REPLICATE)
        out[start:stop] = found.reshape(stop - start, rows, cols, channels)
    return out


def _batches(pieces: int, rows: int) -> Iterator[tuple[int, int]]:
    step = max(1, ROWS_AT_ONCE // rows)
    for start in range(0, pieces, step):
        yield start, min(start + step, pieces)


def lay_out(picture: Picture, to_scan: Matrix, layout: Layout, grid: Grid) -> Worksheet:
    """Cut the map out of a scan and lay it straight.

    `layout` places the grid on the straightened picture, `to_scan` leads from there to the scan.
    """
    scale = min(max(layout.dy, SMALLEST_HEX), WORKING_HEX) / layout.dy
    corners = np.array([corner for hex in _rim(grid) for corner in layout.corners(hex)])
    margin = 0.25 * layout.dy
    (left, top), (right, bottom) = corners.min(0) - margin, corners.max(0) + margin
    size = (math.ceil((right - left) * scale), math.ceil((bottom - top) * scale))
    pixels, shrink = picture.pixels, np.eye(3)
    if scale < 0.8:
        wide, high = max(1, round(picture.width * scale)), max(1, round(picture.height * scale))
        pixels = np.asarray(cv2.resize(pixels, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)
        sx, sy = wide / picture.width, high / picture.height
        shrink = np.array([[sx, 0, (sx - 1) / 2], [0, sy, (sy - 1) / 2], [0, 0, 1]])
    from_sheet = np.array([[1 / scale, 0, left], [0, 1 / scale, top], [0, 0, 1]])
    straight = to_scan @ from_sheet
    flat = cv2.warpPerspective(
        pixels, shrink @ straight, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    x0, y0 = (layout.y0, layout.x0) if layout.sideways else (layout.x0, layout.y0)
    x0, y0 = (x0 - left) * scale, (y0 - top) * scale
    if layout.sideways:
        x0, y0 = y0, x0
    placed = replace(layout, dx=layout.dx * scale, dy=layout.dy * scale, x0=x0, y0=y0, rotation=0.0)
    return Worksheet(np.asarray(flat, np.uint8), grid, placed, straight)


def _rim(grid: Grid) -> list[Hex]:
    """Hexes that reach as far as any: those of the rim."""
    return [grid.hex(number) for number in grid.edge]


def side_of(sheet: Worksheet, one: str, other: str) -> Hexside:
    """The side between two touching hexes."""
    grid = sheet.grid
    return grid.lattice.hexside(grid.hex(one), grid.hex(other))
