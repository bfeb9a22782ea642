"""The ground under the ink: each hex's terrain as colour, shade and texture, flowing into its neighbours."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from converter.drawing.styles import HEIGHT, PRINT_INKS, PRINT_TINTS, Style, look_of
from converter.hexgrid import Layout
from converter.scenario import MapFile

Raster = NDArray[np.float32]
Picture = NDArray[np.uint8]
WATER = ("sea", "lake", "ice")


def fractal(height: int, width: int, cell: float, chance: np.random.Generator, octaves: int = 4) -> Raster:
    """Cloudy noise about 0 with a spread of about 1; `cell` pixels is the size of its largest lumps."""
    total = np.zeros((height, width), np.float32)
    weight = 1.0
    for _ in range(octaves):
        rows, cols = max(int(height / cell) + 2, 2), max(int(width / cell) + 2, 2)
        coarse = chance.normal(size=(rows, cols)).astype(np.float32)
        total += weight * cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
        weight, cell = weight / 2, max(cell / 2, 1.0)
    return total


def terrain_at_pixels(it: MapFile, layout: Layout, size: tuple[int, int], bend: float, seed: int) -> NDArray[np.int32]:
    """The look of each pixel's hex (an index into `looks_on`; -1 off the map), hexes' borders bent by `bend` pixels."""
    width, height = size
    chance = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    straight = _looks_at(it, layout, x, y)
    if not bend:
        return straight
    x += bend * fractal(height, width, layout.dy * 0.55, chance, 3)
    y += bend * fractal(height, width, layout.dy * 0.55, chance, 3)
    bent = _looks_at(it, layout, x, y)
    return np.where((straight < 0) | (bent < 0), straight, bent)


def _looks_at(it: MapFile, layout: Layout, x: Raster, y: Raster) -> NDArray[np.int32]:
    """`Layout.hex_at` for many points at once."""
    if layout.sideways:
        x, y = y, x
    q = (x - np.float32(layout.x0)) / np.float32(layout.dx)
    r = (y - np.float32(layout.y0)) / np.float32(layout.dy) - q / 2
    s = -q - r
    whole_q, whole_r, whole_s = np.rint(q), np.rint(r), np.rint(s)
    off_q, off_r, off_s = np.abs(whole_q - q), np.abs(whole_r - r), np.abs(whole_s - s)
    fix_q = (off_q > off_r) & (off_q > off_s)
    fix_r = ~fix_q & (off_r > off_s)
    whole_q = np.where(fix_q, -whole_r - whole_s, whole_q)
    whole_r = np.where(fix_r, -whole_q - whole_s, whole_r)
    col = whole_q.astype(np.int32)
    shift = col & 1
    row = whole_r.astype(np.int32) + ((col - shift if layout.lattice.stagger == "down" else col + shift) >> 1)
    looks = looks_on(it)
    table = np.full((it.grid.columns, it.grid.rows), -1, np.int32)
    for number, hex in zip(it.grid.numbers, it.grid.hexes, strict=True):
        table[hex.col, hex.row] = looks.index(look_of(it.terrain(number)))
    inside = (col >= 0) & (row >= 0) & (col < it.grid.columns) & (row < it.grid.rows)
    return np.where(inside, table[np.where(inside, col, 0), np.where(inside, row, 0)], -1)


def looks_on(it: MapFile) -> list[str]:
    """The looks this map needs, in a fixed order."""
    return sorted({look_of(it.terrain(number)) for number in it.grid.numbers})


def paint_ground(it: MapFile, layout: Layout, size: tuple[int, int], style: Style, seed: int) -> Picture:
    """The coloured ground, the coast drawn."""
    width, height = size
    looks = looks_on(it)
    raw = terrain_at_pixels(it, layout, size, style.wobble * layout.dy * 0.5, seed)
    soft = layout.dy * 0.11
    best = np.full((height, width), -1.0, np.float32)
    kind = np.full((height, width), -1, np.int32)
    for i, share in _shares(raw, len(looks), soft):
        wins = share > best
        kind[wins], best[wins] = i, share[wins]
    kind[raw < 0] = -1
    water = np.isin(kind, [i for i, look in enumerate(looks) if look in WATER])
    if style.ground == "print":
        picture = _print(kind, water, looks, layout.dy, style)
    elif style.ground == "relief":
        picture = _relief(raw, kind, water, looks, layout.dy, style, seed)
    else:
        palette = np.array([style.colours[look] for look in looks] + [style.paper], np.uint8)
        picture = palette[kind]
    if style.grain:
        grain = fractal(height, width, 3.0, np.random.default_rng(seed + 7), 2)
        picture = np.clip(picture + (grain * 6 * style.grain)[..., None], 0, 255).astype(np.uint8)
    inland = cv2.distanceTransform((~water).astype(np.uint8), cv2.DIST_L2, 5)
    ink = np.clip(layout.dy * 0.03 + 0.5 - inland, 0, 1) * ~water
    inked: Picture = (picture * (1 - ink[..., None]) + np.array(style.coast_ink) * ink[..., None]).astype(np.uint8)
    inked[kind < 0] = style.paper
    return inked


def _shares(raw: NDArray[np.int32], looks: int, soft: float) -> Iterator[tuple[int, Raster]]:
    """How much of each look there is round each pixel."""
    for i in range(looks):
        yield i, cv2.GaussianBlur((raw == i).astype(np.float32), (0, 0), max(soft, 0.5))


def _relief(
    raw: NDArray[np.int32],
    kind: NDArray[np.int32],
    water: NDArray[np.bool_],
    looks: list[str],
    dy: float,
    style: Style,
    seed: int,
) -> Picture:
    """Land shaded by a light from the upper left, water darkening off the coast."""
    rows, cols = raw.shape
    colour = np.zeros((rows, cols, 3), np.float32)
    level = np.zeros((rows, cols), np.float32)
    weight = np.full((rows, cols), 1e-6, np.float32)
    for i, share in _shares(raw, len(looks), dy * 0.22):
        if looks[i] not in WATER:
            colour += share[..., None] * np.array(style.colours[looks[i]], np.float32)
            weight += share
        level += share * HEIGHT[looks[i]]
    chance = np.random.default_rng(seed + 3)
    bumps = fractal(rows, cols, dy * 0.9, chance, 5)
    level = level + np.clip(level, 0.05, 1) * bumps * 0.26
    slope_x = cv2.Sobel(level, cv2.CV_32F, 1, 0, ksize=3)
    slope_y = cv2.Sobel(level, cv2.CV_32F, 0, 1, ksize=3)
    shade = np.clip(1.0 + (slope_x + slope_y) * dy * 0.055, 0.62, 1.3)
    land = colour / weight[..., None] * (shade * (0.97 + 0.12 * np.clip(level, 0, 1)))[..., None]
    depth = cv2.distanceTransform((water | (kind < 0)).astype(np.uint8), cv2.DIST_L2, 3)
    fade = (0.86 + 0.2 * np.exp(-depth / (dy * 0.55)) + 0.02 * bumps)[..., None]
    sea = np.array([style.colours.get(look, style.paper) for look in looks] + [style.paper], np.float32)[kind] * fade
    shaded: Picture = np.clip(np.where(water[..., None], sea, land), 0, 255).astype(np.uint8)
    return shaded


def _print(kind: NDArray[np.int32], water: NDArray[np.bool_], looks: list[str], dy: float, style: Style) -> Picture:
    """Two inks on cream paper: dot screens for the heights, fine lines along the shore for the water."""
    rows, cols = kind.shape
    picture = np.full((rows, cols, 3), style.paper, np.uint8)
    y, x = np.mgrid[0:rows, 0:cols].astype(np.float32)
    pitch = max(dy / 14, 3.0) * 0.7071
    screen = (np.cos((x + y) * np.pi / pitch * 0.7071) * np.cos((x - y) * np.pi / pitch * 0.7071) + 1) / 2
    tint = np.array([PRINT_TINTS.get(look, 0.0) for look in looks] + [0.0], np.float32)[kind]
    black, ochre = PRINT_INKS
    picture[screen < tint] = ochre
    depth = cv2.distanceTransform((water | (kind < 0)).astype(np.uint8), cv2.DIST_L2, 5)
    reach, line = 0.0, max(dy * 0.016, 0.8)
    for step in range(1, 7):
        reach += dy * (0.045 + 0.02 * step)
        ring = water & (np.abs(depth - reach) < line * (1.1 - 0.1 * step))
        picture[ring] = black
    return picture
