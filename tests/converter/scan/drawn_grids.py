"""Hex grids drawn over random art with the true lattice known, and the measure of how far an answer is off."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
from drawn_art import Image, Rng, chart, paint, wear
from scipy.spatial import cKDTree

Points = npt.NDArray[np.float64]
FINER = 3


@dataclass(frozen=True)
class Recipe:
    """Everything about one drawn grid but the random art under it. Lengths in pixels."""

    seed: int
    width: int = 1300
    height: int = 1000
    dx: float = 52.0
    dy: float = 60.0
    x0: float = 20.0
    y0: float = 15.0
    sideways: bool = False
    rotation: float = 0.0
    perspective: float = 0.0
    marks: str = "sides"
    dark: bool = True
    opacity: float = 0.7
    thickness: float = 1.6
    art: str = "map"
    cover: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)
    blur: float = 0.4
    grain: float = 2.0
    jpeg: int | None = 85


@dataclass(frozen=True)
class Truth:
    """The lattice as drawn: VASSAL's terms, then rotation about (x0, y0), then `matrix`."""

    dx: float
    dy: float
    x0: float
    y0: float
    sideways: bool
    rotation: float
    matrix: npt.NDArray[np.float64]

    def to_image(self, grid: Points) -> Points:
        p = grid[:, ::-1] if self.sideways else grid
        origin = np.array([self.y0, self.x0] if self.sideways else [self.x0, self.y0])
        a = math.radians(self.rotation)
        turn = np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
        q = np.c_[(p - origin) @ turn + origin, np.ones(len(p))] @ self.matrix.T
        return np.asarray(q[:, :2] / q[:, 2:])

    def centres(self, width: float, height: float) -> Points:
        """Every hex centre inside the picture."""
        shrunk = min(1.0, math.sqrt(abs(np.linalg.det(self.matrix[:2, :2]))))
        reach = int(1.2 * math.hypot(width, height) / (shrunk * min(self.dx, self.dy))) + 2
        i, j = (a.ravel() for a in np.meshgrid(np.arange(-reach, reach), np.arange(-reach, reach), indexing="ij"))
        grid = np.stack([self.x0 + i * self.dx, self.y0 + j * self.dy + (i % 2) * self.dy / 2], 1)
        p = self.to_image(grid)
        return p[(p[:, 0] >= 0) & (p[:, 1] >= 0) & (p[:, 0] < width) & (p[:, 1] < height)]


def random_recipe(seed: int) -> Recipe:
    """A recipe from the whole range: 20 to 200 px hexes, 20 to 90 % ink, turned, tilted, cut off, worn."""
    rng = np.random.default_rng(seed)
    dy = float(np.exp(rng.uniform(math.log(20), math.log(200))))
    dx = dy * math.sqrt(3) / 2 * rng.uniform(0.985, 1.015)
    across = rng.uniform(8 if dy > 120 else 14, max(10, min(60, 2400 / dy)))
    width = int(np.clip(across * dy, 900, 2400))
    height = int(np.clip(width * rng.uniform(0.6, 1.1), 700, 2000))
    marks = str(rng.choice(["sides"] * 6 + ["corners", "centres"]))
    cover = (0.0, 0.0, 1.0, 1.0)
    if rng.random() < 0.4:
        a, b, c, d = rng.uniform(0, 0.3, 4)
        cover = (a, b, 1 - c, 1 - d)
    return Recipe(
        seed, width, height, dx, dy, rng.uniform(0, dx), rng.uniform(0, dy), bool(rng.random() < 0.5),
        rotation=float(rng.uniform(-3, 3)) if rng.random() < 0.5 else 0.0,
        perspective=float(rng.uniform(0.003, 0.02)) if rng.random() < 0.3 else 0.0,
        marks=marks, dark=bool(rng.random() < 0.6), opacity=float(rng.uniform(0.2, 0.9)),
        thickness=max(1.0, dy * rng.uniform(0.012, 0.035)),
        art=str(rng.choice(["map", "map", "texture", "patches", "gradient"])), cover=cover,
        blur=float(rng.uniform(0, 0.8)), grain=float(rng.uniform(0, 5)),
        jpeg=int(rng.integers(60, 96)) if rng.random() < 0.6 else None,
    )


def draw(recipe: Recipe) -> tuple[Image, Truth]:
    """The picture (RGB) and the lattice that is in it."""
    rng = np.random.default_rng([recipe.seed, 1])
    w, h = recipe.width, recipe.height
    art = paint(rng, h, w, recipe.art, *((110, 225) if recipe.dark else (40, 160)))
    truth = Truth(recipe.dx, recipe.dy, recipe.x0, recipe.y0, recipe.sideways, recipe.rotation, _tilt(rng, recipe))
    left, top, right, bottom = (int(f * s) for f, s in zip(recipe.cover, (w, h, w, h), strict=True))
    ink = _ink(recipe, truth)
    ink[:top], ink[bottom:], ink[:, :left], ink[:, right:] = 0, 0, 0, 0
    for x0, y0, x1, y1 in ((0, 0, w, top), (0, bottom, w, h), (0, top, left, bottom), (right, top, w, bottom)):
        if rng.random() < 0.7:
            chart(rng, art, x0 + 10, y0 + 10, x1 - 10, y1 - 10)
    alpha = ink[..., None] * recipe.opacity
    tone = rng.uniform(0, 60) if recipe.dark else rng.uniform(200, 255)
    picture = np.clip(art * (1 - alpha) + tone * alpha, 0, 255).astype(np.uint8)
    return wear(rng, picture, recipe.blur, recipe.grain, recipe.jpeg), truth


def _tilt(rng: Rng, recipe: Recipe) -> npt.NDArray[np.float64]:
    if not recipe.perspective:
        return np.eye(3)
    w, h = recipe.width, recipe.height
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    moved = corners + rng.uniform(-1, 1, (4, 2)) * recipe.perspective * max(w, h)
    return np.asarray(cv2.getPerspectiveTransform(corners, moved.astype(np.float32)), np.float64)


def _ink(recipe: Recipe, truth: Truth) -> npt.NDArray[np.float32]:
    """How much of each pixel the grid covers, drawn finer and averaged; pixel centres are whole numbers."""
    w, h = recipe.width, recipe.height
    side = recipe.dx * 2 / 3
    mask = np.zeros((h * FINER, w * FINER), np.uint8)
    spread = replace(truth, matrix=np.eye(3), rotation=0.0, sideways=False)
    far = 0.15 * max(w, h) + 2 * recipe.dy
    grid = spread.centres(max(w, h) + 2 * far, max(w, h) + 2 * far)
    steps = np.round([-far / (2 * recipe.dx), -far / recipe.dy]) * [2 * recipe.dx, recipe.dy]
    grid = grid + steps

    def fine(points: Points) -> npt.NDArray[np.int32]:
        return np.round((FINER * truth.to_image(points) + (FINER - 1) / 2) * 16).astype(np.int32)

    half = recipe.dy / 2
    ring = np.array([[side, 0], [side / 2, half], [-side / 2, half], [-side, 0]])
    thick = max(1, round(recipe.thickness * FINER))
    if recipe.marks == "sides":
        lines = np.stack([fine(grid + corner) for corner in ring], 1)
        cv2.polylines(mask, list(lines), False, 255, thick, cv2.LINE_AA, shift=4)
    else:
        spots = grid if recipe.marks == "centres" else np.concatenate([grid + ring[0], grid + ring[3]])
        radius = round(max(1.3, recipe.thickness * 1.2) * FINER * 16)
        for x, y in fine(spots):
            if -1000 < x < 16 * FINER * w + 1000 and -1000 < y < 16 * FINER * h + 1000:
                cv2.circle(mask, (int(x), int(y)), radius, 255, -1, cv2.LINE_AA, shift=4)
    return cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def error(true: Points, found: Points, spacing: float, width: float, height: float) -> float:
    """RMS distance between two sets of hex centres, each to the nearest of the other, in hex spacings.

    Both sets end at the picture's edge, where a centre may lie inside in one and outside in the other; so only centres
    well inside are asked for their nearest.
    """
    if not len(found):
        return math.inf

    def one_way(a: Points, b: Points) -> float:
        inner = (a > 0.6 * spacing).all(1) & (a < np.array([width, height]) - 0.6 * spacing).all(1)
        return float(np.sqrt(np.mean(cKDTree(b).query(a[inner])[0] ** 2)))

    return max(one_way(true, found), one_way(found, true)) / spacing
