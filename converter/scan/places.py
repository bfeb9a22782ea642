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
ROUNDS = 2
WIDE = 14.0
"""Colours so far apart, in Lab, are hardly one ink."""
INKS = 10
RARE = 0.05
PRIOR = 1.0
"""So many examples' worth of doubt: the sign may look like the map at large."""

Likely = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]


def find_places(sheet: Worksheet, examples: Mapping[str, Rows]) -> dict[str, Likely]:
    """How likely each kind of sign is in each hex; `examples` are hexes by their place in the grid's order.

    A sign has an ink of its own. Which one is tried: of the colours in the examples that whose pattern is most alike in
    all of them and most unlike the map at large. What is no ink is ground, road or name, whatever its colour. Hexes
    that surely have a sign help to know it better, so it is looked for twice.
    """
    cuttings = _cuttings(sheet)
    inks = _inks(cuttings[np.unique(np.concatenate(list(examples.values())))])
    shown = dict(examples)
    found: dict[str, Likely] = {}
    for _ in range(ROUNDS):
        fits = _fits(cuttings, inks, list(shown.values()))
        found = {kind: _judge(fits, rows, examples) for kind, rows in examples.items()}
        shown = {kind: np.union1d(rows, np.flatnonzero(found[kind] > 0.9)) for kind, rows in examples.items()}
    return found


def _cuttings(sheet: Worksheet) -> Floats:
    """Each hex's middle in colours: hexes x points x points x 3."""
    share = np.linspace(-REACH, REACH, POINTS) * sheet.unit
    x, y = np.meshgrid(share, share)
    out = np.empty((len(sheet.grid), POINTS, POINTS, 3), np.float32)
    high, lap = sheet.pixels.shape[0], round(1.2 * sheet.unit)
    for top in range(0, high, BAND):
        inside = (sheet.centres[:, 1] >= top) & (sheet.centres[:, 1] < top + BAND)
        these = np.flatnonzero(inside)
        if not len(these):
            continue
        start, stop = max(top - lap, 0), min(top + BAND + lap, high)
        lab = to_lab(sheet.pixels[start:stop])
        soft = np.asarray(cv2.GaussianBlur(lab, (0, 0), 0.012 * sheet.unit), np.float32)
        at = sheet.centres[these]
        out[these] = cut(soft, at[:, 0, None, None] + x, at[:, 1, None, None] + y - start)
    return out


def _inks(examples: Floats) -> Floats:
    """The colours that the middles of the examples are made of."""
    middle = slice(POINTS // 4, POINTS - POINTS // 4)
    points = np.ascontiguousarray(examples[:, middle, middle].reshape(-1, 3))
    enough = (cv2.TERM_CRITERIA_MAX_ITER, 20, 0.0)
    cv2.setRNGSeed(1)
    count = min(INKS, len(points))
    _, _, centres = cv2.kmeans(points, count, np.zeros((len(points), 1), np.int32), enough, 2, cv2.KMEANS_PP_CENTERS)
    return np.asarray(centres, np.float32)


def _fits(cuttings: Floats, inks: Floats, shown: list[Rows]) -> Floats:
    """How well each sign fits each hex in the ink that tells most of it: whole, and its middle alone."""
    telling = np.full(len(shown), -np.inf)
    fits = np.zeros((len(cuttings), 2 * len(shown)), np.float32)
    for colour in inks:
        ink = np.exp(-((cuttings - colour) ** 2).sum(-1) / (2 * WIDE**2))
        middle, tells = _tells(ink, shown)
        better = np.flatnonzero(tells > telling)
        if len(better):
            whole = _fit(ink, 1.0, [shown[k] for k in better])
            telling[better] = tells[better]
            fits[:, 2 * better], fits[:, 2 * better + 1] = whole, middle[:, better]
    return fits


def _tells(ink: Floats, shown: list[Rows]) -> tuple[Floats, npt.NDArray[np.float64]]:
    """The fits of the signs' middles, and how telling each is: whether an example fits the others better than nearly
    all of the map does."""
    without = [np.setdiff1d(rows, row) if len(rows) > 1 else rows for rows in shown for row in rows]
    fits = _fit(ink, 0.5, shown + without)
    rest = np.quantile(fits[:, : len(shown)], 0.98, axis=0)
    each = fits[np.concatenate(shown), np.arange(len(shown), fits.shape[1])]
    ends = np.cumsum([len(rows) for rows in shown])[:-1]
    return fits[:, : len(shown)], np.array([np.median(part) for part in np.split(each, ends)]) - rest


def _fit(ink: Floats, reach: float, shown: list[Rows]) -> Floats:
    """How much better each hex is explained by the pattern of each group of examples than as a mere amount of ink, at
    the best of all shifts: so an even ground tells nothing. Hexes x groups."""
    size = POINTS - 2 * SHIFT
    offset = np.linspace(-1, 1, size)
    part = np.flatnonzero(np.hypot(*np.meshgrid(offset, offset)) < reach)
    steps = range(2 * SHIFT + 1)
    own = ink[:, SHIFT : SHIFT + size, SHIFT : SHIFT + size].reshape(len(ink), -1)[:, part]
    common = np.stack([(own[rows].sum(0) + PRIOR * own[rows].mean()) / (len(rows) + PRIOR) for rows in shown], 1)
    common = np.clip(common, RARE, 1 - RARE)
    speaks, silent = np.log(common), np.log(1 - common)
    best = np.full((len(ink), len(shown)), -np.inf, np.float32)
    for down in steps:
        for across in steps:
            here = ink[:, down : down + size, across : across + size].reshape(len(ink), -1)[:, part]
            rate = np.clip(here.mean(1), RARE, 1 - RARE)
            even = rate * np.log(rate) + (1 - rate) * np.log(1 - rate)
            score = (here @ (speaks - silent) + silent.sum(0)) / len(part) - even[:, None]
            np.maximum(best, score, out=best)
    return best


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
