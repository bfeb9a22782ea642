"""A block of touching counters put in its place to a fraction of a pixel."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from converter.scan.sheet.blocks import Block, Points
from converter.scan.sheet.quads import Patch

_REACH, _ARM, _STEP = 3.0, 4.0, 0.25  # pixels: how far off a line may be, how far from it it is looked at, how finely
_FAINT = 4.0  # levels by which a line differs from what is beside it
_UNEQUAL = 0.2  # how far from a mirror image, as a share of that, a line between equals may be
_COLOUR = 36.0  # levels between grounds that count as different


def settled(block: Block, there: NDArray[np.bool_], pixels: NDArray[np.uint8]) -> Block:
    """A block of counters that touch, put where the lines between them are, at the scan's full size."""
    for _ in range(2):
        block = _nearer(block, there, pixels)
    return block


def _nearer(block: Block, there: NDArray[np.bool_], pixels: NDArray[np.uint8]) -> Block:
    """The block moved by what all lines say together.

    Between neighbours of one colour the line is where the left and the right of it look the same.
    """
    if block.gutter_x or block.gutter_y or min(block.columns, block.rows) < 3:
        return block
    corners = block.flat_corners()
    matrix = block.matrix()
    moves = np.zeros((4, 2))
    grounds = _grounds(matrix, there, pixels)
    for axis in (0, 1):
        spots, offsets = _lines_between(matrix, there, pixels, axis, grounds)
        if len(spots) < 12 or np.ptp(spots, axis=0).min() < 2:
            return block
        weights = _bent(spots, offsets)
        moves[:, axis] = _terms(corners) @ weights
    a, b, _, d = block.corners
    across, down = (b - a) / np.hypot(*(b - a)), (d - a) / np.hypot(*(d - a))
    moved = block.corners + moves[:, :1] * across + moves[:, 1:] * down
    if np.abs(moves).max() > 0.05 * Patch(block.cell(0, 0), 1.0).width:
        return block
    return Block(moved, block.columns, block.rows)


def _lines_between(
    matrix: Points, there: NDArray[np.bool_], pixels: NDArray[np.uint8], axis: int, grounds: NDArray[np.int64]
) -> tuple[Points, Points]:
    """Where two equal neighbours meet (across for axis 0, down for 1), and how far off their line is."""
    rows, columns = there.shape
    spots, offsets = [], []
    for row in range(axis, rows):
        for column in range(1 - axis, columns):
            before = (row - axis, column - (1 - axis))
            if not (there[row, column] and there[before] and grounds[row, column] == grounds[before]):
                continue
            ends = [[column, row + 1], [column, row]] if axis == 0 else [[column + 1, row], [column, row]]
            end, start = cv2.perspectiveTransform(np.array([ends], np.float64), matrix)[0]
            along = (end - start) / np.hypot(*(end - start))
            forward = np.array([along[1], -along[0]]) if axis == 0 else np.array([-along[1], along[0]])
            found = _mirror_line(pixels, start, end, forward)
            if found is not None:
                spots.append([column + 0.5 * axis, row + 0.5 * (1 - axis)])
                offsets.append(found)
    return np.array(spots, np.float64), np.array(offsets, np.float64)


def _mirror_line(pixels: NDArray[np.uint8], start: Points, end: Points, forward: Points) -> float | None:
    """How far forward of a line's place the picture mirrors itself, as it does at a line between equals; else None."""
    long = float(np.hypot(*(end - start)))
    shares = np.linspace(0.12, 0.88, max(8, min(100, int(long))))
    offsets = np.arange(-_REACH - _ARM, _REACH + _ARM + 0.01, _STEP)
    points = (start + shares[:, None, None] * (end - start) + offsets[None, :, None] * forward).astype(np.float32)
    seen = cv2.remap(pixels, points[..., 0], points[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    profile = np.median(seen.astype(np.float64), axis=0)
    arm, middle = round(_ARM / _STEP), len(offsets) // 2
    costs = []
    for i in range(middle - round(_REACH / _STEP), middle + round(_REACH / _STEP) + 1):
        gap = ((profile[i : i + arm + 1] - profile[i - arm : i + 1][::-1]) ** 2).mean(axis=0).max()
        depth = np.abs(profile[i - arm : i + arm + 1] - profile[i]).max()
        costs.append(float(gap / depth**2) if depth > _FAINT else 1.0)
    best = int(np.argmin(costs))
    if costs[best] > _UNEQUAL**2 or not 0 < best < len(costs) - 1:
        return None
    before, low, after = costs[best - 1 : best + 2]
    bend = before - 2 * low + after
    shift = 0.5 * (before - after) / bend if bend > 0 else 0.0
    return float((best - len(costs) // 2 + shift) * _STEP)


def _grounds(matrix: Points, there: NDArray[np.bool_], pixels: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The ground colour of each counter, as the number of the first with about that colour."""
    share = np.linspace(0.15, 0.85, 9)
    grid = np.stack(np.meshgrid(share, share), axis=-1).reshape(1, -1, 2)
    known: list[NDArray[np.float64]] = []
    told = np.zeros(there.shape, np.int64)
    for row, column in np.argwhere(there):
        points = cv2.perspectiveTransform(grid + np.array([column, row], np.float64), matrix).astype(np.float32)
        seen = cv2.remap(pixels, points[..., 0], points[..., 1], cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
        colour = np.median(seen[0].astype(np.float64), axis=0)
        near = next((i for i, other in enumerate(known) if np.abs(other - colour).max() < _COLOUR), None)
        if near is None:
            known.append(colour)
        told[row, column] = len(known) - 1 if near is None else near
    return told


def _terms(spots: Points) -> Points:
    x, y = spots.T
    return np.stack([np.ones_like(x), x, y, x * y], axis=1)


def _bent(spots: Points, offsets: Points) -> Points:
    """What moves a block so that most of the offsets are gone: shift, stretch, lean and skew; outliers do not count."""
    kept = np.ones(len(offsets), bool)
    weights: Points = np.zeros(4)
    for _ in range(6):
        weights = np.asarray(np.linalg.lstsq(_terms(spots[kept]), offsets[kept], rcond=None)[0], np.float64)
        left = np.abs(offsets - _terms(spots) @ weights)
        kept = left <= max(0.25, 2.5 * float(np.median(left)))
        if kept.sum() < 8:
            break
    return weights
