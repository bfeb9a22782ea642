"""Signs printed in a hex (towns, ports, airfields, peaks): each kind's sign is a stamp, looked for in every hex."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from converter.scan.ink import to_lab
from converter.scan.judge import learn
from converter.scan.worksheet import Floats, Worksheet, cut

POINTS = 35
REACH = 0.42
SHIFT = 2
BAND = 768
WITHOUT_WEIGHT = 60.0

Likely = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]


def find_places(sheet: Worksheet, examples: Mapping[str, Rows]) -> dict[str, Likely]:
    """How likely each kind of sign is in each hex; `examples` are hexes by their place in the grid's order."""
    cuttings = _cuttings(sheet)
    fits = np.concatenate([_fits(cuttings, cuttings[rows]) for rows in examples.values()], 1)
    return {kind: _judge(fits, rows, examples) for kind, rows in examples.items()}


def _cuttings(sheet: Worksheet) -> Floats:
    """Each hex's middle as lightness against its surroundings."""
    share = np.linspace(-REACH, REACH, POINTS) * sheet.unit
    x, y = np.meshgrid(share, share)
    out = np.empty((len(sheet.grid), POINTS, POINTS), np.float32)
    high, lap = sheet.pixels.shape[0], round(1.2 * sheet.unit)
    for top in range(0, high, BAND):
        inside = (sheet.centres[:, 1] >= top) & (sheet.centres[:, 1] < top + BAND)
        these = np.flatnonzero(inside)
        if not len(these):
            continue
        start, stop = max(top - lap, 0), min(top + BAND + lap, high)
        light = to_lab(sheet.pixels[start:stop])[..., 0]
        against = np.asarray(light - cv2.GaussianBlur(light, (0, 0), 0.25 * sheet.unit), np.float32)
        at = sheet.centres[these]
        out[these] = cut(against, at[:, 0, None, None] + x, at[:, 1, None, None] + y - start)[..., 0]
    return out


def _fits(cuttings: Floats, examples: Floats) -> Floats:
    """How well the examples' common picture fits each hex, at its best place nearby; whole, and its middle alone."""
    inner = slice(SHIFT, POINTS - SHIFT)
    stamp = np.median(examples, 0)[inner, inner]
    size = stamp.shape[0]
    middle = slice(size // 4, size - size // 4)
    whole, core = [], []
    for down in range(2 * SHIFT + 1):
        for across in range(2 * SHIFT + 1):
            here = cuttings[:, down : down + size, across : across + size]
            whole.append(_alike(here, stamp))
            core.append(_alike(here[:, middle, middle], stamp[middle, middle]))
    return np.stack([np.max(whole, 0), np.max(core, 0)], 1)


def _alike(here: Floats, stamp: Floats) -> Floats:
    """Correlation, and nothing from bare ground."""
    a = here.reshape(len(here), -1)
    a = a - a.mean(1, keepdims=True)
    b = (stamp - stamp.mean()).ravel()
    bare = 2.0 * len(b) ** 0.5
    return np.asarray(a @ b / (np.linalg.norm(a, axis=1) + bare) / (np.linalg.norm(b) + 1e-6), np.float32)


def _judge(fits: Floats, mine: Rows, known: Mapping[str, Rows]) -> Likely:
    others = np.setdiff1d(np.concatenate(list(known.values())), mine)
    rest = np.setdiff1d(np.arange(len(fits)), np.concatenate([mine, others]))
    likely = np.zeros(len(fits))
    for turn in range(2):
        bare = rest if not turn else rest[likely[rest] < 0.3]
        more = rest[:0] if not turn else rest[likely[rest] > 0.8]
        rows = np.concatenate([mine, more, others, bare])
        truth = np.concatenate([np.ones(len(mine) + len(more)), np.zeros(len(others) + len(bare))]).astype(np.int64)
        weight = np.concatenate([
            np.full(len(mine), 3.0), np.full(len(more), 1.0), np.full(len(others), 2.0),
            np.full(len(bare), min(1.0, WITHOUT_WEIGHT / max(len(bare), 1))),
        ])  # fmt: skip
        likely = learn(fits[rows], truth, 2, weight=weight, caution=0.5, scale_from=fits).likelihoods(fits)[:, 1]
    return likely
