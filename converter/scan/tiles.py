"""The picture cut into tiles of a few hexes, each folded into a single hex cell: all its hexes laid on one another."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from converter.scan.spacing import Candidate
from converter.scan.strokes import FLAT_NORMALS, POINTY_NORMALS, Grey, Strokes, strokes

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]

BINS = 24
TILE_HEXES = 3.5
TILE_SHARE, LEAST_PIXELS, MOST_PIXELS = 0.3, 600_000, 1_500_000
"""How much of a level too large to look at whole is covered by tiles."""
MOST_CELLS = 500
MARGIN = 6
FAINT = 0.6
"""Weaker strokes are not folded."""
TO_AXIAL = np.array([[1, 0, 0], [-0.5, 1, 0], [0, 0, 1]])
"""From columns and rows to axial coordinates, which are whole numbers at every centre."""


@dataclass(frozen=True)
class Tiles:
    """Strokes and how they are cut: a level in cells, four to an overlapping tile; or tiles picked from a larger level.

    Picked tiles stand on one another in one tall picture, each with a margin that is not used.
    """

    seen: Strokes
    shape: tuple[int, int]
    down: int
    across: int
    corner: Ints | None = None
    size: int = 0

    @property
    def half(self) -> float:
        """Half the distance from tile to tile, or half a tile where they overlap, in pixels."""
        share = 1.0 if self.corner is None else 0.5
        return share * max(self.shape[0] / self.down, self.shape[1] / self.across)


def axial(column: Floats, row: Floats) -> Floats:
    """Upright pixels (x, y) to axial hex coordinates for straight lattices: the 2 x 2 matrix."""
    return np.asarray(TO_AXIAL[:2, :2] @ np.linalg.inv(np.stack([column, row], 1)))


def cut(level: Grey, whole: Strokes | None, hex_height: float) -> Tiles:
    """Tiles a few hexes wide; `whole` has the level's strokes where it is small enough to use all of it."""
    h, w = level.shape
    if whole is not None:
        size = max(round(TILE_HEXES * hex_height / 2), math.ceil(math.sqrt(h * w / MOST_CELLS)))
        return Tiles(whole, level.shape, max(2, round(h / size)), max(2, round(w / size)))
    size = min(round(TILE_HEXES * hex_height), min(h, w) - 2 * MARGIN)
    tall = size + 2 * MARGIN
    share = min(1.0, math.sqrt(max(LEAST_PIXELS, min(MOST_PIXELS, TILE_SHARE * h * w)) / (h * w)))
    across, down = max(2, int(share * w / size)), max(2, int(share * h / size))
    xs, ys = np.linspace(0, w - tall, across).astype(np.intp), np.linspace(0, h - tall, down).astype(np.intp)
    corner = np.array([(x, y) for y in ys for x in xs])
    seen = strokes(np.concatenate([level[y : y + tall, x : x + tall] for x, y in corner]))
    return Tiles(seen, level.shape, down, across, corner, size)


def folded(tiles: Tiles, candidate: Candidate, sides: bool) -> tuple[Floats, Floats]:
    """Each tile's marks folded into one cell, and the tiles' middles in upright pixels.

    The first result is tile x layer x cell; the layers are the three directions of `sides`, or else the one of dots.
    """
    h, w = tiles.shape
    normals = POINTY_NORMALS if candidate.sideways else FLAT_NORMALS
    layers = [tiles.seen.across(n) for n in normals] if sides else [tiles.seen.dot]
    count = tiles.down * tiles.across
    to_hex = axial(candidate.column, candidate.row) * BINS
    out = np.zeros((count, len(layers), BINS, BINS))
    for k, layer in enumerate(layers):
        place = np.flatnonzero(np.abs(layer) > FAINT)
        weight = layer.ravel()[place]
        y, x = np.divmod(place, layer.shape[1])
        if tiles.corner is None:
            cell = (y * tiles.down // h) * tiles.across + x * tiles.across // w
        else:
            cell, y = np.divmod(y, tiles.size + 2 * MARGIN)
            weight = weight * (np.minimum(x, y) >= MARGIN) * (np.maximum(x, y) < tiles.size + MARGIN)
            x, y = x + tiles.corner[cell, 0], y + tiles.corner[cell, 1]
        if candidate.sideways:
            x, y = y, x
        u = np.floor(to_hex[0, 0] * x + to_hex[0, 1] * y).astype(np.intp) % BINS
        v = np.floor(to_hex[1, 0] * x + to_hex[1, 1] * y).astype(np.intp) % BINS
        out[:, k] = np.bincount((cell * BINS + u) * BINS + v, weight, out[:, k].size).reshape(count, BINS, BINS)
    if tiles.corner is not None:
        middle = tiles.corner + MARGIN + tiles.size / 2
    else:
        grid = out.reshape(tiles.down, tiles.across, -1)
        out = (grid[1:, 1:] + grid[:-1, 1:] + grid[1:, :-1] + grid[:-1, :-1]).reshape(-1, len(layers), BINS, BINS)
        lines, columns = np.arange(1, tiles.down) * h / tiles.down, np.arange(1, tiles.across) * w / tiles.across
        at_y, at_x = np.meshgrid(lines, columns, indexing="ij")
        middle = np.stack([at_x.ravel(), at_y.ravel()], 1)
    return out, np.asarray(middle[:, ::-1] if candidate.sideways else middle, np.float64)
