"""Counters cut out of a scan: straight, all of a block the same size, with clear corners where they are round."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from converter.scan.picture import Picture
from converter.scan.sheet.blocks import Block, Cell

Pixels = NDArray[np.uint8]
_CORNER = 1 - 0.5**0.5  # how far along each side a round corner's middle lies from the corner, for radius 1
_ROUND = (0.03, 0.5)  # radii that can be seen, as shares of a counter
NOISY = 1.0
_TILE = 8


def grain_of(images: Sequence[Image.Image]) -> float:
    """The scan's grain in levels: how uneven the flattest parts of its counters are."""
    told = []
    for image in images[:: max(1, len(images) // 40)]:
        grey = np.asarray(image.convert("L"), np.float32)
        high, wide = (side - side % _TILE for side in grey.shape)
        cut = grey[:high, :wide].reshape(high // _TILE, _TILE, wide // _TILE, _TILE)
        tiles = cut.transpose(0, 2, 1, 3).reshape(-1, _TILE * _TILE)
        means, spreads = tiles.mean(axis=1), tiles.std(axis=1)
        seen = spreads[(means > 15) & (means < 240)]
        if len(seen):
            told.append(float(np.quantile(seen, 0.2)))
    return float(np.median(told)) if told else 0.0


def cleaned(image: Image.Image, grain: float) -> Image.Image:
    """A counter with the scan's grain smoothed and its edges left as they are."""
    pixels = np.asarray(image)
    smooth = cv2.bilateralFilter(np.ascontiguousarray(pixels[..., :3]), 9, min(9 * grain, 45.0), 3.0)
    return Image.fromarray(np.dstack([np.asarray(smooth, np.uint8), pixels[..., 3]]))


def crop_size(cells: Sequence[Cell], size: int | None) -> tuple[int, int]:
    """The pixels of each crop: as asked, or as scanned."""
    wide, high = (float(np.median([cell.side[axis] for cell in cells])) for axis in (0, 1))
    if size:
        return (size, max(1, round(size * high / wide))) if wide >= high else (max(1, round(size * wide / high)), size)
    if abs(wide / high - 1) < 0.02:
        wide = high = (wide + high) / 2
    return max(1, round(wide)), max(1, round(high))


def crop(picture: Picture, cell: Cell, size: tuple[int, int], radius: float) -> Image.Image:
    """One counter, RGBA. `radius` is a share of its shorter side; outside the round corners it is transparent."""
    wide, high = size
    flat = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(cell.corners.astype(np.float32), flat)
    shrinks = cell.side[0] / wide
    pixels = picture.pixels
    if shrinks > 1.5:
        times = round(shrinks)
        large = np.array([[0, 0], [wide * times, 0], [wide * times, high * times], [0, high * times]], np.float32)
        matrix = cv2.getPerspectiveTransform(cell.corners.astype(np.float32), large - np.float32(0.5))
        big = cv2.warpPerspective(pixels, matrix, (wide * times, high * times), flags=cv2.INTER_LINEAR,
                                  borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
        cut = cv2.resize(big, size, interpolation=cv2.INTER_AREA)
    else:
        cut = cv2.warpPerspective(pixels, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    alpha = _rounded(wide, high, radius * min(wide, high))
    return Image.fromarray(np.dstack([np.asarray(cut, np.uint8), alpha]))


def _rounded(wide: int, high: int, radius: float) -> Pixels:
    """Full inside a rectangle with round corners, clear outside, smooth between."""
    x = np.abs(np.arange(wide) + 0.5 - wide / 2) - (wide / 2 - radius)
    y = np.abs(np.arange(high) + 0.5 - high / 2) - (high / 2 - radius)
    away = np.hypot(np.maximum(x[None, :], 0), np.maximum(y[:, None], 0)) - radius
    share = np.clip(0.5 - away, 0, 1) if radius > 0 else np.ones((high, wide))
    return np.asarray(np.round(share * 255), np.uint8)


def corner_radius(picture: Picture, block: Block, cells: Sequence[Cell]) -> float:
    """How round a block's counters are, as a share of their side; 0 where they are square or touch each other.

    Along the diagonals of every counter: where does the ground of the gutter end?
    """
    if min(block.gutter_x or 1.0, block.gutter_y or 1.0) < 0.03 or not (block.gutter_x or block.gutter_y):
        return 0.0
    found = []
    for cell in cells[:: max(1, len(cells) // 60)]:
        for i in range(4):
            share = _ground_end(picture, cell, i)
            if share is not None:
                found.append(share)
    if len(found) < 4:
        return 0.0
    radius = float(np.median(found)) / _CORNER
    return round(radius, 3) if _ROUND[0] < radius <= _ROUND[1] else 0.0


def _ground_end(picture: Picture, cell: Cell, corner: int) -> float | None:
    """Where on the way from a corner to the counter's middle its own colour begins, as a share of its side."""
    at, middle = cell.corners[corner], cell.middle
    shares = np.concatenate([[-0.02], np.arange(0, 0.2, 0.004)])
    points = at + (middle - at) * 2 * shares[:, None]
    seen = cv2.remap(picture.pixels, points[None, :, 0].astype(np.float32), points[None, :, 1].astype(np.float32),
                     cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0].astype(np.float64)  # fmt: skip
    inner = np.median(seen[-15:], axis=0)
    far = np.abs(inner - seen[0]).max()
    if far < 25:
        return None
    inside = np.abs(seen[1:] - seen[0]).max(axis=1) > 0.5 * far
    return float(shares[1:][int(inside.argmax())]) if inside.any() else None
