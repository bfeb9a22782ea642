"""Where the hexes start, all over the sheet: each tile of the picture votes, and one smooth map must explain the votes.

A tile's marks come folded into one hex cell (see `tiles`); where the ideal outline, or dot, fits best is the tile's
vote. A vote is known only up to whole hexes, so the map is grown: from the place where neighbours agree best
outwards, refitting as it goes, so that it never slips by a hex.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

from converter.scan.found import project
from converter.scan.spacing import REGULAR, Candidate
from converter.scan.tiles import BINS, axial

Floats = npt.NDArray[np.float64]

MARKS = ("sides", "corners", "centres")
FEWEST_TILES = 3
LEAST_AGREE = 0.5
"""Share of its neighbours that must agree with a tile to start from it."""
VOTE_ERROR = 0.03
"""Usual error of a good vote, in hexes."""
STEP_PRIOR, TILT_PRIOR = 0.006, 0.03
"""How far, as shares, the steps may be off, and the spacing may change from the middle of the sheet to its edge."""

SIDE_ENDS = {0: ((-1 / 3, 0.5), (1 / 3, 0.5)), 1: ((2 / 3, 0.0), (1 / 3, 0.5)), 2: ((-2 / 3, 0.0), (-1 / 3, 0.5))}
"""Ends of the three sides a hex owns, in columns and rows from its centre, in the order of the normals."""
CORNERS = ((2 / 3, 0.0), (-2 / 3, 0.0))
"""The two corners a hex owns."""


@dataclass(frozen=True)
class Votes:
    """One vote a tile: its middle (upright pixels), the phase of the hexes there (axial, 0 to 1) and its weight."""

    middle: Floats
    phase: Floats
    weight: Floats


@dataclass(frozen=True)
class Fit:
    """A grown map: `to_hex` takes upright pixels (x, y, 1) to axial hex coordinates, whole numbers at the centres."""

    to_hex: Floats
    marks: str
    dark: bool
    agree: float
    """Weight of the tiles that agree as a share of all."""
    tiles: int
    """How many tiles agree."""
    fit: float
    """Mean correlation of the agreeing tiles with the ideal cell."""
    covered: Floats
    """Middles of the tiles that agree strongly, in columns times sqrt(3)/2 and rows."""
    reach: float
    """Half the distance from tile to tile, in hexes: so far each speaks for its surroundings."""


def _template(marks: str) -> Floats:
    """The folded ideal cell, one layer a direction for sides and one for dots, each with mean 0."""
    layers = []
    for k in range(3 if marks == "sides" else 1):
        if marks == "sides":
            ends = np.array(SIDE_ENDS[k])
            points = ends[0] + np.linspace(0.1, 0.9, 60)[:, None] * (ends[1] - ends[0])
        else:
            points = np.array(CORNERS if marks == "corners" else ((0.0, 0.0),))
        u, v = points[:, 0], points[:, 1] - points[:, 0] / 2
        cell = np.zeros((BINS, BINS))
        at = np.arange(BINS) / BINS
        for a, b in zip(u, v, strict=True):
            du, dv = (at - a + 0.5) % 1 - 0.5, (at - b + 0.5) % 1 - 0.5
            q, r = du[:, None], dv[None, :] + du[:, None] / 2
            cell += np.exp(-((REGULAR * q) ** 2 + r**2) / (2 * 0.03**2))
        layers.append(cell - cell.mean())
    stack = np.stack(layers)
    return np.asarray(stack / np.sqrt((stack**2).sum()))


TEMPLATES = {m: np.conj(np.fft.rfft2(_template(m))) for m in MARKS}


def votes(cells: Floats, middle: Floats, marks: str) -> tuple[Votes, bool]:
    """Each tile's best phase for one kind of mark, and whether the marks are dark."""
    level = cells - cells.mean((2, 3), keepdims=True)
    size = np.sqrt((level**2).sum((1, 2, 3))) + 1e-9
    match = np.fft.irfft2((np.fft.rfft2(level) * TEMPLATES[marks]).sum(1), (BINS, BINS)) / size[:, None, None]
    flat = match.reshape(len(match), -1)
    dark = float((np.maximum(flat.max(1), 0) ** 2).sum()) >= float((np.maximum(-flat.min(1), 0) ** 2).sum())
    if not dark:
        match, flat = -match, -flat
    best = flat.argmax(1)
    u, v = best // BINS, best % BINS
    at = np.arange(len(match))
    height = flat.max(1)

    def between(low: Floats, high: Floats) -> Floats:
        bend = 2 * height - low - high
        return np.where(bend > 1e-9, (high - low) / np.maximum(2 * bend, 1e-9), 0.0).clip(-0.5, 0.5)

    du = between(match[at, u - 1, v], match[at, (u + 1) % BINS, v])
    dv = between(match[at, u, v - 1], match[at, u, (v + 1) % BINS])
    phase = np.stack([u + du + 0.5, v + dv + 0.5], 1) / BINS
    return Votes(middle, phase, np.maximum(height, 0) ** 2), dark


def nearest_hex(at: Floats) -> Floats:
    """What is left of axial coordinates after the nearest whole hex, as columns and rows times sqrt(3)/2 and 1."""
    part = at - np.floor(at)
    q, r = part[:, 0] * REGULAR, part[:, 1] + part[:, 0] / 2
    best, out = np.full(len(at), np.inf), np.zeros_like(part)
    for u, v in ((0, 0), (1, 0), (0, 1), (1, 1)):
        x, y = q - u * REGULAR, r - v - u / 2
        far = x * x + y * y
        closer = far < best
        best = np.where(closer, far, best)
        out[:, 0], out[:, 1] = np.where(closer, x, out[:, 0]), np.where(closer, y, out[:, 1])
    return out


def _unaxial(left: Floats) -> Floats:
    """Back from columns and rows as `nearest_hex` gives them to axial."""
    u = left[:, 0] / REGULAR
    return np.stack([u, left[:, 1] - u / 2], 1)


def grow(seen: Votes, straight: Floats) -> tuple[Floats, Floats] | None:
    """The map that explains most votes, from one seed outwards; and how far each vote is off it, in hexes.

    None when no tile's neighbours agree with it.
    """
    middle = seen.middle
    if len(middle) < FEWEST_TILES:
        return None
    centre = (middle.max(0) + middle.min(0)) / 2
    reach = float(max(np.abs(middle - centre).max(), 1.0))
    p = (middle - centre) / reach
    expected = middle @ straight.T - seen.phase
    hexes_across = reach * math.sqrt(abs(np.linalg.det(straight)))
    seed, spread, agree = _seed(seen, p, expected, straight)
    if agree < LEAST_AGREE:
        return None
    base = np.array([[straight[0, 0], straight[0, 1], 0], [straight[1, 0], straight[1, 1], 0], [0, 0, 0]]) * reach
    shape = base.copy()
    start = expected[seed] - straight @ (middle[seed] - centre)
    shape[:2, 2] = start
    apart = np.hypot(*(p - p[seed]).T)
    radius = spread
    rounds = 0
    while True:
        near = apart <= radius
        off = nearest_hex(expected - _apply(shape, p))
        far = np.hypot(*off.T)
        trust = seen.weight * near * np.clip(1 - (far / 0.2) ** 2, 0, 1) ** 2
        if (trust > 0).sum() >= 3:
            target = _apply(shape, p) + _unaxial(off)
            shape = _solve(p, target, trust, base, hexes_across)
        if radius > 3:
            rounds += 1
            if rounds == 4:
                break
        radius *= 1.4
    off = nearest_hex(expected - _apply(shape, p))
    shape = shape.copy()
    shape[2, 2] = 1
    move = np.array([[1 / reach, 0, -centre[0] / reach], [0, 1 / reach, -centre[1] / reach], [0, 0, 1]])
    return shape @ move, np.hypot(*off.T)


def _apply(shape: Floats, p: Floats) -> Floats:
    return np.asarray((p @ shape[:2, :2].T + shape[:2, 2]) / (1 + p @ shape[2, :2])[:, None])


def _seed(seen: Votes, p: Floats, expected: Floats, straight: Floats) -> tuple[int, float, float]:
    """The tile whose neighbours agree best with it, how far they reach, and the share of them that agrees."""
    apart, near = cKDTree(p).query(p, min(9, len(p)))
    step = (seen.middle[near] - seen.middle[:, None]) @ straight.T
    off = nearest_hex((expected[near] - expected[:, None] - step).reshape(-1, 2))
    close = (np.hypot(*off.T) < 0.12).reshape(near.shape)
    support = (close * seen.weight[near]).sum(1) * np.sqrt(seen.weight)
    best = int(support.argmax())
    share = float((close[best, 1:] * seen.weight[near[best, 1:]]).sum() / max(seen.weight[near[best, 1:]].sum(), 1e-9))
    return best, float(np.median(apart[:, -1])) * 1.05, share


def _solve(p: Floats, target: Floats, trust: Floats, base: Floats, hexes_across: float) -> Floats:
    """Weighted least squares for the eight numbers of a perspective map, held near the straight lattice."""
    n = len(p)
    one, none = np.ones(n), np.zeros((n, 3))
    anchor = np.average(target, axis=0, weights=trust)
    aim = target - anchor
    first = np.c_[p, one, none, -p * aim[:, :1]]
    second = np.c_[none, p, one, -p * aim[:, 1:]]
    scale = np.sqrt(trust / trust.max()) / VOTE_ERROR
    rows = np.concatenate([first * scale[:, None], second * scale[:, None]])
    aims = np.concatenate([aim[:, 0] * scale, aim[:, 1] * scale])
    step, tilt = 1 / (STEP_PRIOR * hexes_across), 1 / TILT_PRIOR
    prior = np.zeros((6, 8))
    for row, (column, weight) in enumerate(((0, step), (1, step), (3, step), (4, step), (6, tilt), (7, tilt))):
        prior[row, column] = weight
    held = np.array([base[0, 0], base[0, 1], base[1, 0], base[1, 1], 0, 0])
    aims = np.r_[aims, prior[np.arange(6), [0, 1, 3, 4, 6, 7]] * held]
    system = np.concatenate([rows, prior])
    a, b, c, d, e, f, g, h = np.linalg.solve(system.T @ system + 1e-9 * np.eye(8), system.T @ aims)
    tilted = np.array([g, h])
    shape = np.zeros((3, 3))
    shape[0] = [a + anchor[0] * tilted[0], b + anchor[0] * tilted[1], c + anchor[0]]
    shape[1] = [d + anchor[1] * tilted[0], e + anchor[1] * tilted[1], f + anchor[1]]
    shape[2, :2] = tilted
    return shape


def fit_phase(cells: Floats, middle: Floats, half: float, candidate: Candidate, marks: str) -> Fit | None:
    """Vote, grow, and count who agrees; None when nobody does."""
    seen, dark = votes(cells, middle, marks)
    grown = grow(seen, axial(candidate.column, candidate.row))
    if grown is None:
        return None
    to_hex, off = grown
    agree = off < 0.1
    if not agree.any():
        return None
    share = float(seen.weight[agree].sum() / max(seen.weight.sum(), 1e-9))
    fit = float(np.sqrt(seen.weight[agree]).mean())
    strong = agree & (seen.weight > 0.25 * np.average(seen.weight[agree], weights=seen.weight[agree] + 1e-9))
    u, v = project(to_hex, middle[strong]).T
    covered = np.stack([u * REGULAR, v + u / 2], 1)
    return Fit(to_hex, marks, dark, share, int(agree.sum()), fit, covered, half / candidate.dy * 0.8)
