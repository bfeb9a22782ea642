"""Makes a clean picture look like a scan of an old, used sheet: for practice and for measuring the scanner.

What was done is known exactly: the matrix that comes back takes a point of the clean picture to its place on the scan.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

Picture = NDArray[np.uint8]
Matrix = NDArray[np.float64]
_TABLE = (58, 52, 48)  # what shows round the sheet: the scanner's dark lid


@dataclass(frozen=True)
class Wear:
    """How much harm is done; everything at its usual value does nothing at all.

    `rotation` in degrees clockwise, `perspective` as the share of the sheet by which its corners move, `light` from 0
    (even) to 1 (one corner almost dark), `noise` in grey levels, `jpeg` the quality (0: not compressed).
    """

    rotation: float = 0.0
    perspective: float = 0.0
    scale: float = 1.0
    light: float = 0.0
    folds: int = 0
    noise: float = 0.0
    blur: float = 0.0
    jpeg: int = 0
    coffee: bool = False
    seed: int = 1


USED = Wear(rotation=1.2, perspective=0.012, light=0.35, folds=3, noise=6, blur=0.7, jpeg=75, coffee=True)


@dataclass(frozen=True)
class Scan:
    """The worn picture, and where each point of the clean one went (homogeneous, 3 by 3)."""

    picture: Picture
    matrix: Matrix

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the clean picture lies on the scan."""
        across, down, depth = self.matrix @ np.array([x, y, 1.0])
        return float(across / depth), float(down / depth)


def degrade(picture: Picture, wear: Wear = USED) -> Scan:
    """Wear a picture (RGB) out. The same picture and wear give the same scan.

    >>> clean = np.full((40, 60, 3), 200, np.uint8)
    >>> bool((degrade(clean, Wear()).picture == clean).all())
    True
    """
    chance = np.random.default_rng(wear.seed)
    worn = picture.copy()
    if wear.folds:
        worn = _fold(worn, wear.folds, chance)
    if wear.coffee:
        worn = _coffee(worn, chance)
    matrix, size = _placement(picture.shape[1], picture.shape[0], wear, chance)
    if not np.allclose(matrix, np.eye(3)):
        shrinks = wear.scale < 0.75
        soft = cv2.GaussianBlur(worn, (0, 0), 0.4 / wear.scale) if shrinks else worn
        turned = cv2.warpPerspective(soft, matrix, size, flags=cv2.INTER_CUBIC, borderValue=_TABLE)
        worn = np.asarray(turned, np.uint8)
    if wear.blur:
        worn = np.asarray(cv2.GaussianBlur(worn, (0, 0), wear.blur), np.uint8)
    if wear.light:
        worn = _light(worn, wear.light, chance)
    if wear.noise:
        worn = _clip(worn + chance.normal(0, wear.noise, worn.shape))
    if wear.jpeg:
        worn = _jpeg(worn, wear.jpeg)
    return Scan(worn, matrix)


def _clip(values: NDArray[np.float64]) -> Picture:
    clipped: Picture = np.clip(values, 0, 255).astype(np.uint8)
    return clipped


def _jpeg(picture: Picture, quality: int) -> Picture:
    packed = io.BytesIO()
    Image.fromarray(picture).save(packed, "JPEG", quality=quality)
    return np.asarray(Image.open(packed), np.uint8)


def _placement(width: int, height: int, wear: Wear, chance: np.random.Generator) -> tuple[Matrix, tuple[int, int]]:
    """The matrix for scale, turn and tilt, and the size of a scan that holds the whole sheet."""
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    turn = math.radians(wear.rotation)
    spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]) * wear.scale
    placed = corners @ spin.T
    reach = wear.perspective * max(width, height) * wear.scale
    placed += chance.uniform(-reach, reach, (4, 2)) if reach else 0.0
    placed -= placed.min(axis=0)
    size = (max(math.ceil(placed[:, 0].max() - 1e-6), 1), max(math.ceil(placed[:, 1].max() - 1e-6), 1))
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), placed.astype(np.float32))
    return np.asarray(matrix, np.float64), size


def _fold(picture: Picture, folds: int, chance: np.random.Generator) -> Picture:
    """Creases right across the sheet: a pale worn line with a soft shadow on one side."""
    rows, cols = picture.shape[:2]
    worn = picture.astype(np.float64)
    y, x = np.mgrid[0:rows, 0:cols].astype(np.float64)
    for i in range(folds):
        upright = i % 2 == 0
        share = (i // 2 + 1) / (math.ceil(folds / 2) + 1) if upright else (i // 2 + 1) / (folds // 2 + 1)
        at = (cols if upright else rows) * share + chance.uniform(-0.01, 0.01) * cols
        lean = chance.uniform(-0.004, 0.004)
        away = x - at - lean * y if upright else y - at - lean * x
        crumbs = cv2.resize(chance.uniform(0, 1, (rows // 9 + 2, cols // 9 + 2)), (cols, rows))
        crease = np.exp(-((away / 1.4) ** 2)) * (0.35 + 0.65 * crumbs)
        shadow = np.exp(-np.abs(away) / (0.012 * cols)) * (away > 0)
        worn = worn * (1 - 0.16 * shadow)[..., None]
        worn = worn + (235 - worn) * (0.75 * crease)[..., None]
    return _clip(worn)


def _coffee(picture: Picture, chance: np.random.Generator) -> Picture:
    """The ring of a cup: brown, darker at its rim, broken in places."""
    rows, cols = picture.shape[:2]
    radius = 0.075 * max(rows, cols)
    cx, cy = chance.uniform(0.2, 0.8) * cols, chance.uniform(0.2, 0.8) * rows
    y, x = np.mgrid[0:rows, 0:cols].astype(np.float64)
    away, turn = np.hypot(x - cx, y - cy), np.arctan2(y - cy, x - cx)
    waver = sum(chance.uniform(0.2, 1) * np.sin(n * turn + chance.uniform(0, 6.3)) for n in range(1, 6))
    rim = np.exp(-(((away - radius - 0.006 * radius * waver) / (0.06 * radius)) ** 2)) * np.clip(
        0.65 + 0.2 * waver, 0.1, 1
    )
    stain = np.clip(0.85 * rim + 0.1 * (away < radius), 0, 0.85)[..., None]
    tint = np.array([150, 104, 58], float) / 255
    return _clip(picture * (1 - stain) + picture * tint * stain)


def _light(picture: Picture, strength: float, chance: np.random.Generator) -> Picture:
    """A lamp on one side and a shadow in the far corner."""
    rows, cols = picture.shape[:2]
    turn = chance.uniform(0, 2 * math.pi)
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : cols * 1j]
    fall = (x * math.cos(turn) + y * math.sin(turn)) / 1.42
    vignette = (x**2 + y**2) / 2
    return _clip(picture * (1 - strength * (0.45 * (fall + 1) / 2 + 0.4 * vignette))[..., None])
