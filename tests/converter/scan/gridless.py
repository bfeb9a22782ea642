"""Pictures without a hex grid, many of them regular enough to tempt: each must be answered with "no grid"."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt
from drawn_art import WORDS, Image, Rng, chart, colour, fractal, paint, wear, words

W, H = 1200, 900


def _lines(art: Image, starts: npt.NDArray[np.float64], ends: npt.NDArray[np.float64], ink: tuple[int, int, int],
           thick: int) -> None:
    for a, b in zip(np.round(starts * 16).astype(int), np.round(ends * 16).astype(int), strict=True):
        cv2.line(art, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), ink, thick, cv2.LINE_AA, shift=4)


def _turned(points: npt.NDArray[np.float64], degrees: float) -> npt.NDArray[np.float64]:
    a = math.radians(degrees)
    middle = np.array([W / 2, H / 2])
    return np.asarray((points - middle) @ np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]]) + middle)


def square_grid(rng: Rng, pitch: float, ratio: float = 1.0, turn: float = 0.0, art: str = "map") -> Image:
    picture = paint(rng, H, W, art, 120, 230)
    far = 400.0
    for start, stop, axis, step in ((-far, W + far, 0, pitch), (-far, H + far, 1, pitch * ratio)):
        at = np.arange(start, stop, step)
        low, high = np.full_like(at, -far), np.full_like(at, (H if axis == 0 else W) + far)
        pair = ([at, low], [at, high]) if axis == 0 else ([low, at], [high, at])
        _lines(picture, _turned(np.stack(pair[0], 1), turn), _turned(np.stack(pair[1], 1), turn), (40, 40, 40), 2)
    return picture


def bricks(rng: Rng, width: float, height: float, upright: bool = False, art: str = "map") -> Image:
    """Rows of rectangles, each row moved by half: the shape nearest to hexes that is none."""
    across, down = (H, W) if upright else (W, H)
    picture = paint(rng, H, W, art, 120, 230)
    starts, ends = [], []
    for row, y in enumerate(np.arange(0, down + height, height)):
        starts.append((0.0, y))
        ends.append((float(across), y))
        for x in np.arange((row % 2) * width / 2, across + width, width):
            starts.append((x, y))
            ends.append((x, y + height))
    flip = slice(None, None, -1) if upright else slice(None)
    _lines(picture, np.array(starts)[:, flip], np.array(ends)[:, flip], (50, 40, 40), 2)
    return picture


def triangles(rng: Rng, pitch: float, turn: float = 0.0) -> Image:
    """Isometric paper: three families of lines right across."""
    picture = paint(rng, H, W, "texture", 150, 230)
    for angle in (0.0, 60.0, 120.0):
        at = np.arange(-1000, W + 1000, pitch * math.sqrt(3) / 2) - W / 2 + H / 2
        left = np.stack([np.full_like(at, -800.0), at], 1)
        right = np.stack([np.full_like(at, W + 800.0), at], 1)
        _lines(picture, _turned(left, angle + turn), _turned(right, angle + turn), (60, 60, 60), 1)
    return picture


def diamonds(rng: Rng, pitch: float, degrees: float) -> Image:
    picture = paint(rng, H, W, "map", 150, 230)
    for angle in (degrees, -degrees):
        at = np.arange(-1000.0, W + 1000, pitch) - W / 2 + H / 2
        left, right = np.stack([np.full_like(at, -800.0), at], 1), np.stack([np.full_like(at, W + 800.0), at], 1)
        _lines(picture, _turned(left, angle), _turned(right, angle), (60, 60, 60), 2)
    return picture


def dots(rng: Rng, across: float, down: float, offset: float, turn: float, radius: int = 3) -> Image:
    picture = paint(rng, H, W, "texture", 150, 230)
    for row, y in enumerate(np.arange(-600, H + 600, down)):
        x = np.arange(-600, W + 600, across) + (row % 2) * offset * across
        for px, py in np.round(_turned(np.stack([x, np.full_like(x, y)], 1), turn) * 16).astype(int):
            cv2.circle(picture, (int(px), int(py)), radius * 16, (60, 60, 60), -1, cv2.LINE_AA, shift=4)
    return picture


def halftone(rng: Rng, pitch: float) -> Image:
    """A photograph as newsprint shows it: dots on a square screen at 45 degrees, larger where it is darker."""
    yy, xx = np.mgrid[0:H, 0:W].astype(np.float32)
    k = np.float32(2 * math.pi / pitch / math.sqrt(2))
    screen = np.cos(k * (xx + yy)) + np.cos(k * (xx - yy))
    tone = fractal(rng, H, W, 4) * 1.5
    return np.repeat(np.clip(128 + 200 * (screen + tone), 0, 255).astype(np.uint8)[..., None], 3, 2)


def areas(rng: Rng, count: int, jitter: float | None = None) -> Image:
    """An area map: provinces around random towns; with `jitter`, around a disturbed honeycomb of towns."""
    towns = rng.uniform(0, 1, (count, 2)) * [W, H]
    if jitter is not None:
        step = math.sqrt(W * H / count / 0.866)
        i, j = (a.ravel() for a in np.meshgrid(np.arange(W / step / 0.866 + 1), np.arange(H / step + 1)))
        towns = np.stack([i * step * 0.866, (j + (i % 2) / 2) * step], 1)
        towns += rng.uniform(-jitter, jitter, towns.shape) * step
    picture = paint(rng, H, W, "texture", 140, 220)
    division = cv2.Subdiv2D((-500, -500, W + 1000, H + 1000))
    for x, y in towns:
        if 0 < x < W and 0 < y < H:
            division.insert((float(x), float(y)))
    for cell in division.getVoronoiFacetList([])[0]:
        cv2.polylines(picture, [np.round(cell).astype(np.int32)], True, (40, 40, 40), 2, cv2.LINE_AA)
    words(rng, picture, 20)
    return picture


def text_page(rng: Rng, size: float) -> Image:
    page = np.full((H, W, 3), 245, np.uint8)
    for column in (60, W // 2 + 20):
        for y in np.arange(60, H - 40, 34 * size):
            line = " ".join(str(w) for w in rng.choice(WORDS, 9))[: int(38 / size)]
            at, ink = (column, int(y)), (25, 25, 25)
            cv2.putText(page, line, at, cv2.FONT_HERSHEY_SIMPLEX, 0.7 * size, ink, 1, cv2.LINE_AA)
    return wear(rng, page, 0.5, 3, 80)


def counter_sheet(rng: Rng, pitch: int, gap: int) -> Image:
    sheet = np.full((H, W, 3), 235, np.uint8)
    for y in range(30, H - pitch, pitch + gap):
        for x in range(30, W - pitch, pitch + gap):
            cv2.rectangle(sheet, (x, y), (x + pitch, y + pitch), colour(rng, 120, 200), -1)
            cv2.rectangle(sheet, (x, y), (x + pitch, y + pitch), (20, 20, 20), 1)
            a, b = (x + pitch // 4, y + pitch // 4), (x + 3 * pitch // 4, y + pitch // 2)
            cv2.rectangle(sheet, a, b, (20, 20, 20), 2)
            if rng.random() < 0.7:
                cv2.line(sheet, a, b, (20, 20, 20), 2, cv2.LINE_AA)
                cv2.line(sheet, (a[0], b[1]), (b[0], a[1]), (20, 20, 20), 2, cv2.LINE_AA)
            label = f"{rng.integers(1, 9)}-{rng.integers(2, 9)}"
            at, ink = (x + pitch // 4, y + pitch - 8), (10, 10, 10)
            cv2.putText(sheet, label, at, cv2.FONT_HERSHEY_SIMPLEX, pitch / 110, ink, 2)
    return wear(rng, sheet, 0.5, 3, 85)


def charts(rng: Rng) -> Image:
    page = paint(rng, H, W, "gradient", 200, 240)
    for x in range(0, W - 300, 400):
        for y in range(0, H - 200, 300):
            chart(rng, page, x + 20, y + 20, x + 20 + int(rng.integers(200, 360)), y + int(rng.integers(150, 280)))
    return page


def photo(rng: Rng, roughness: float) -> Image:
    grey = 128 + 120 * fractal(rng, H, W, 3, roughness)
    return wear(rng, np.repeat(grey[..., None], 3, 2).astype(np.uint8), 0, 6, 75)


def checkers(rng: Rng, pitch: int) -> Image:
    yy, xx = np.mgrid[0:H, 0:W]
    board = np.where(((xx // pitch) + (yy // pitch)) % 2 == 0, 200, 90).astype(np.uint8)
    return wear(rng, np.repeat(board[..., None], 3, 2), 0.6, 4, 85)


def rings(rng: Rng) -> Image:
    picture = paint(rng, H, W, "map", 150, 230)
    for r in range(20, 1000, 40):
        cv2.circle(picture, (W // 2, H // 2), r, (40, 40, 40), 2, cv2.LINE_AA)
    return picture


def tangle(rng: Rng) -> Image:
    picture = paint(rng, H, W, "gradient", 180, 230)
    ends = rng.uniform(-200, 1400, (2, 160, 2))
    _lines(picture, ends[0], ends[1], (40, 40, 40), 2)
    return picture


def blank(rng: Rng, grain: float) -> Image:
    return wear(rng, np.full((H, W, 3), 220, np.uint8), 0, grain, None)


PICTURES: dict[str, Callable[[Rng], Image]] = {
    "square grid 40": lambda r: square_grid(r, 40),
    "square grid 90": lambda r: square_grid(r, 90, art="patches"),
    "square grid turned 2 degrees": lambda r: square_grid(r, 55, turn=2),
    "square grid turned 45 degrees": lambda r: square_grid(r, 60, turn=45),
    "square grid turned 30 degrees": lambda r: square_grid(r, 60, turn=30),
    "rectangles as wide as hexes": lambda r: square_grid(r, 60, ratio=0.866),
    "bricks of hex proportions": lambda r: bricks(r, 60, 60 * 0.866),
    "bricks of hex proportions, upright": lambda r: bricks(r, 60, 60 * 0.866, upright=True),
    "bricks 2:1": lambda r: bricks(r, 80, 40, art="texture"),
    "half-offset squares": lambda r: bricks(r, 50, 50),
    "half-offset squares, upright, plain": lambda r: bricks(r, 70, 70, True, "gradient"),
    "triangle paper": lambda r: triangles(r, 50),
    "triangle paper, upright": lambda r: triangles(r, 70, 30),
    "diamonds of 60 degrees": lambda r: diamonds(r, 50, 30),
    "diamonds of 60 degrees, upright": lambda r: diamonds(r, 50, 60),
    "dots on squares": lambda r: dots(r, 40, 40, 0, 0),
    "dots on squares turned 45 degrees": lambda r: dots(r, 40, 40, 0, 45),
    "dots on half-offset squares": lambda r: dots(r, 48, 48, 0.5, 0),
    "dots on rectangles": lambda r: dots(r, 60, 52, 0, 0),
    "halftone 12": lambda r: halftone(r, 12),
    "halftone 26": lambda r: halftone(r, 26),
    "area map": lambda r: areas(r, 90),
    "area map of many small provinces": lambda r: areas(r, 500),
    "area map with even provinces": lambda r: areas(r, 150, 0.35),
    "text page": lambda r: text_page(r, 1.0),
    "small print": lambda r: text_page(r, 0.6),
    "counter sheet": lambda r: counter_sheet(r, 70, 0),
    "counter sheet with gaps": lambda r: counter_sheet(r, 54, 8),
    "charts": charts,
    "photograph": lambda r: photo(r, 0.6),
    "rough photograph": lambda r: photo(r, 0.95),
    "chessboard": lambda r: checkers(r, 64),
    "rings": rings,
    "tangle of lines": tangle,
    "map without a grid": lambda r: paint(r, H, W, "map", 110, 225),
    "plain paper": lambda r: blank(r, 0),
    "grainy paper": lambda r: blank(r, 6),
}


def picture(name: str, seed: int = 1) -> Image:
    """The named picture, RGB."""
    return PICTURES[name](np.random.default_rng([seed, len(name)]))
