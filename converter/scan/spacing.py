"""How far apart the hexes are and which way they point, from how well a picture matches itself when moved.

Wherever the hexes start, a picture moved by one hex matches itself again, so the autocorrelation of the strokes has
peaks at every lattice vector. A spacing scores by the height of its nearest peaks less the height half-way and a
third of the way between them: double and half spacings, which share some peaks, lose by that.
"""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt
import scipy.fft

from converter.scan.strokes import FLAT_NORMALS, POINTY_NORMALS, Field, Grey, Strokes, strokes

REGULAR = math.sqrt(3) / 2
PROPORTIONS = (0.854, 0.879)
SMALLEST = 16.0
LARGEST = 110.0
"""On each level hexes from the smallest to the largest of these heights are looked for, in its pixels."""
LADDER = 1.03
TURNS = np.radians(np.linspace(-3.6, 3.6, 5))
TOLERANCE = 0.03
WORKERS = min(3, os.cpu_count() or 1)
BLOCK = 384
WHOLE = 800_000
"""A level of more pixels than this is looked at in blocks and tiles only."""

_HEX = np.array([[1, 1, 0, 2, 1, 1, 2, 2, 0], [0.5, -0.5, 1, 0, 1.5, -1.5, 1, -1, 2]])
"""The nine nearest lattice vectors of one half-plane, in columns (dx) and rows (dy)."""
_HALVES = _HEX[:, :3] / 2
_THIRDS = np.array([[2 / 3, 1 / 3, 1 / 3], [0, 0.5, -0.5]])
_AXIS_THIRDS = np.concatenate([_HEX[:, :3] / 3, _HEX[:, :3] * 2 / 3], 1)
_PLACES = np.concatenate([_HEX, _HALVES, _THIRDS, _AXIS_THIRDS], 1).astype(np.float32)


@dataclass(frozen=True)
class Candidate:
    """A lattice that may be there: the steps to the next column and the next row, in pixels of the upright picture.

    `sideways` lattices are given with x and y swapped, so that every candidate is flat-topped.
    """

    column: npt.NDArray[np.float64]
    row: npt.NDArray[np.float64]
    sideways: bool
    marks: str
    score: float
    match: Field | None = field(default=None, repr=False, compare=False)
    """The autocorrelation it was seen in, if it was."""

    @property
    def dy(self) -> float:
        return float(np.hypot(*self.row))


def shrink(grey: Grey) -> list[Grey]:
    """The picture and its halvings, down to the last that can still show a few hexes."""
    levels = [grey]
    while min(levels[-1].shape) >= 300:
        h, w = (n // 2 for n in levels[-1].shape)
        even = levels[-1][: 2 * h, : 2 * w]
        levels.append(np.asarray(cv2.resize(even, (w, h), interpolation=cv2.INTER_AREA), np.uint8))
    return levels


def self_match(marks: list[Field], reach: int) -> Field:
    """Mean of the autocorrelations, 1 at no shift, for shifts up to `reach`; no shift is at [reach, reach]."""
    h, w = marks[0].shape[-2:]
    shape = (scipy.fft.next_fast_len(h, True), scipy.fft.next_fast_len(w, True))
    total = np.zeros((shape[0], shape[1] // 2 + 1), np.float32)
    for mark in marks:
        spectrum = scipy.fft.rfft2(mark, shape)
        power = spectrum.real**2
        power += spectrum.imag**2
        if power.ndim == 3:
            power = power.sum(0)
        energy = float(mark.ravel() @ mark.ravel()) - float(power[0, 0]) / (shape[0] * shape[1])
        power *= np.float32(1 / max(energy, 1e-6) / len(marks))
        total += power
    total[0, 0] = 0
    whole = scipy.fft.irfft2(total, shape)
    rows, columns = np.arange(-reach, reach + 1) % shape[0], np.arange(-reach, reach + 1) % shape[1]
    return np.asarray(whole[rows][:, columns], np.float32)


def candidates(match: Field, sideways: bool, marks: str, keep: int = 2) -> list[Candidate]:
    """The best flat-topped lattices in one autocorrelation, best first, steps in its pixels."""
    reach = match.shape[0] // 2
    largest = reach / 2.2
    if largest <= SMALLEST:
        return []
    sizes = SMALLEST * LADDER ** np.arange(math.log(largest / SMALLEST) / math.log(LADDER))
    dy, ratio, turn = (a.ravel() for a in np.meshgrid(sizes, PROPORTIONS, TURNS, indexing="ij"))
    swelled = np.stack([match] + [cv2.dilate(match, np.ones((2 * r + 1, 2 * r + 1))) for r in (1, 2, 3, 5, 8)])
    cos, sin = np.cos(turn), np.sin(turn)
    steps = np.array([dy * ratio * cos, dy * ratio * sin, -dy * sin, dy * cos], np.float32)
    x, y = steps[0][:, None] * _PLACES[0], steps[1][:, None] * _PLACES[0]
    x += steps[2][:, None] * _PLACES[1]
    y += steps[3][:, None] * _PLACES[1]
    far = np.hypot(REGULAR * _PLACES[0], _PLACES[1]) * dy[:, None]
    slack = np.searchsorted([0.6, 1.6, 2.6, 4, 6.5], TOLERANCE * far)
    heights = swelled[slack, np.rint(y).astype(np.int32) + reach, np.rint(x).astype(np.int32) + reach]
    on, halves, thirds, axis_thirds = np.split(heights, np.cumsum([n.shape[1] for n in (_HEX, _HALVES, _THIRDS)]), 1)
    off = np.max([halves.mean(1), thirds.mean(1), axis_thirds.mean(1)], 0)
    score = (on.mean(1) + on.min(1)) / 2 - off
    found: list[Candidate] = []
    for k in np.argsort(-score)[: 40 * keep]:
        if all(abs(math.log(dy[k] / f.dy)) > 0.09 for f in found):
            step = np.array([[cos[k], -sin[k]], [sin[k], cos[k]]])
            column, row = step @ [dy[k] * ratio[k], 0], step @ [0, dy[k]]
            found.append(Candidate(column, row, sideways, marks, float(score[k]), match))
            if len(found) == keep:
                break
    return found


def sharpened(found: Candidate) -> Candidate:
    """Fit both steps to the autocorrelation's real peaks, from the nearest outwards."""
    match = found.match
    if match is None:
        return found
    reach = match.shape[0] // 2
    steps = np.stack([found.column, found.row], 1)
    for furthest, slack in ((1.3, 0.07), (2.2, 0.04), (4.5, 0.025), (9.0, 0.015)):
        span = np.arange(-9, 10)
        q, r = (a.ravel() for a in np.meshgrid(span, span, indexing="ij"))
        hexes = np.stack([q, r + 0.5 * (q % 2)], 1)
        size = np.hypot(hexes[:, 0] * REGULAR, hexes[:, 1])
        at = hexes @ steps.T
        good = (size > 0) & (size < furthest) & (np.abs(at).max(1) < reach - 2) & (q >= 0)
        peaks, weights, used = [], [], []
        for hex_at, (x, y), far in zip(hexes[good], at[good], size[good], strict=True):
            r0 = max(1, round(slack * far * found.dy))
            cx, cy = round(x) + reach, round(y) + reach
            window = match[max(cy - r0, 0) : cy + r0 + 1, max(cx - r0, 0) : cx + r0 + 1]
            line, col = np.unravel_index(int(window.argmax()), window.shape)
            height = float(window[line, col])
            if height > 0.01:
                peaks.append((col + max(cx - r0, 0) - reach, line + max(cy - r0, 0) - reach))
                weights.append(math.sqrt(height))
                used.append(hex_at)
        if len(used) < 3:
            break
        w = np.array(weights)[:, None]
        better = np.linalg.lstsq(np.array(used) * w, np.array(peaks) * w, rcond=None)[0].T
        if np.linalg.cond(better) > 2:
            break
        steps = better
    return replace(found, column=steps[:, 0], row=steps[:, 1])


def blocks(level: Grey) -> list[Grey]:
    """Windows spread evenly over a level too large to search whole."""
    h, w = level.shape
    budget = min(14, max(4, round(0.5 * h * w / BLOCK**2)))
    across = max(1, round(math.sqrt(budget * w / h)))
    down = max(1, budget // across)
    xs = ((w - BLOCK) * (np.arange(across) + 0.5) / across).astype(int)
    ys = ((h - BLOCK) * (np.arange(down) + 0.5) / down).astype(int)
    return [level[y : y + BLOCK, x : x + BLOCK] for y in ys for x in xs]


def search(level: Grey, whole: Strokes | None) -> list[Candidate]:
    """Candidates of both orientations and all kinds of mark on one level; without its strokes, blocks are searched."""
    if whole is None:
        cut = blocks(level)
        found = strokes(np.concatenate(cut))
        shape = (len(cut), BLOCK, BLOCK)
        seen = Strokes(*(a.reshape(shape) for a in (found.line, found.dot, found.cos2, found.sin2)))
        reach = BLOCK * 9 // 20
    else:
        seen = whole
        reach = min(level.shape) * 9 // 20
    reach = min(reach, round(2.2 * LARGEST))

    def sides(sideways: bool) -> list[Candidate]:
        match = self_match([seen.across(n) for n in (POINTY_NORMALS if sideways else FLAT_NORMALS)], reach)
        return candidates(np.ascontiguousarray(match.T) if sideways else match, sideways, "sides")

    def dots(_: bool) -> list[Candidate]:
        match = self_match([seen.dot], reach)
        return candidates(match, False, "dots") + candidates(np.ascontiguousarray(match.T), True, "dots")

    with ThreadPoolExecutor(WORKERS) as pool:
        jobs = [pool.submit(work, sideways) for work, sideways in ((sides, False), (sides, True), (dots, False))]
        return [candidate for job in jobs for candidate in job.result()]
