"""Which counters of a sheet are the same, and which have nothing on them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

_SIDE = 48
_COARSE = 16
_FAR, _CANDIDATES = 14.0, 4  # levels, on average, that rule two counters out; how many are looked at closely
_SHIFTS = (-0.7, 0.0, 0.7)
_FINE = 20.0  # levels on a tenth of the counter by which two different ones differ somewhere
_FLAT = 16.0

Small = NDArray[np.float32]


def small(image: Image.Image) -> Small:
    """A counter as it is compared: small, without its rim and its transparency."""
    pixels = np.asarray(image.convert("RGB"), np.uint8)
    high, wide = pixels.shape[:2]
    dx, dy = max(1, wide // 25), max(1, high // 25)
    inner = pixels[dy : high - dy, dx : wide - dx]
    return np.asarray(cv2.resize(inner, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA), np.float32)


def is_blank(image: Image.Image, grain: float = 0.0) -> bool:
    """Nothing is printed on it: one even colour, give or take grain and light."""
    inner = cv2.blur(small(image)[4:-4, 4:-4], (3, 3))
    spread = np.quantile(inner, 0.995, axis=(0, 1)) - np.quantile(inner, 0.005, axis=(0, 1))
    return bool(spread.max() < _FLAT + 1.5 * grain)


def difference(one: Small, other: Small) -> float:
    """By how many levels two counters differ where they differ most; light and half a pixel's shift do not count."""
    best = np.inf
    for dx, dy in ((0.0, 0.0), *((dx, dy) for dx in _SHIFTS for dy in _SHIFTS if dx or dy)):
        move = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
        moved = cv2.warpAffine(other, move, (_SIDE, _SIDE), borderMode=cv2.BORDER_REPLICATE) if dx or dy else other
        gain = float((one * moved).sum() / max(float((moved * moved).sum()), 1.0))
        gap = cv2.blur(np.abs(one - moved * np.clip(gain, 0.75, 1.33)), (5, 5)).max()
        best = min(best, float(gap))
        if best < _FINE / 2:
            break
    return best


def same_as(images: Sequence[Image.Image]) -> list[int]:
    """For each counter the first that is the same: its own number where it is the first.

    >>> red, blue = (Image.new("RGB", (60, 60), colour) for colour in ("red", "blue"))
    >>> same_as([red, blue, red, blue])
    [0, 1, 0, 1]
    """
    shrunk = [small(image) for image in images]
    coarse = np.array([cv2.resize(it, (_COARSE, _COARSE), interpolation=cv2.INTER_AREA).ravel() for it in shrunk])
    first: list[int] = []
    leaders: list[int] = []
    for i, it in enumerate(shrunk):
        near = _nearest(coarse[leaders], coarse[i]) if leaders else []
        same = next((leaders[j] for j in near if difference(shrunk[leaders[j]], it) < _FINE), i)
        if same == i:
            leaders.append(i)
        first.append(same)
    return first


def _nearest(many: NDArray[np.float32], one: NDArray[np.float32]) -> list[int]:
    """The few that could be the same, nearest first, after taking out what uneven light can do."""
    gains = np.clip((many @ one) / np.maximum((many * many).sum(axis=1), 1), 0.75, 1.33)
    gaps = np.abs(many * gains[:, None] - one).mean(axis=1)
    return [int(j) for j in np.argsort(gaps)[:_CANDIDATES] if gaps[j] < _FAR]
