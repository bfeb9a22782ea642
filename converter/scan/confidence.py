"""Is it really a hex grid? The printed marks must show where hexes have them and not where hexes have none."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from converter.scan.found import hexes_inside, inverse, project
from converter.scan.phase import CORNERS, Fit
from converter.scan.refine import HOPELESS, Floats, Ints, Probes, Refined, marks_at, printed, probe, strength
from converter.scan.spacing import REGULAR
from converter.scan.strokes import Grey

MOST_HEXES = 240
MOST_BETWEEN = 140
FEWEST_HEXES = 9
LEAST_FIT = {"sides": 0.2, "corners": 0.16, "centres": 0.16}
"""The least correlation of agreeing tiles with the ideal cell."""
MIDDLES = np.array([(0.0, 0.5), (0.5, 0.25), (-0.5, 0.25)])
"""Middles of the three sides a hex owns, from its centre."""
ENDS = ((0.1, 0.36), (0.64, 0.9))
"""The parts of a side that are looked at."""
CHANCE = 2.5
"""By how many standard errors the best of many places stands out by chance alone."""
PROPORTIONS = (0.82, 0.915)
"""dx / dy of printed hexes; regular ones have 0.866."""
MOST_CHANGE, STEEPEST, MOST_SKEW = 1.35, 7.0, 5.0
"""Change of spacing over the sheet, degrees of turn, and degrees between rows and columns that a scan may have."""
UNEVEN = 0.6
"""How much fainter one class of hexes may be printed."""
BALANCED = 0.4
"""How much of the plainest direction's strength the faintest must have; real grids have over 0.7."""
NEAT = 0.004
"""Marks that lie further than this from the grid, in hexes, cost confidence: hand-drawn grids reach 0.006."""
SURE = 0.5
"""Below this confidence there is no grid."""


@dataclass(frozen=True)
class Evidence:
    """How plainly marks show at their places, by the weakest kind, against places where a hex grid has none."""

    shown: float
    elsewhere: float
    sigmas: float
    """The difference in standard errors."""
    balance: float
    """The faintest kind of mark (direction of side, say) as a share of the plainest."""
    every_second: float
    """0 when all hexes show their marks alike, 1 when every second one in some direction shows none."""
    every_third: float
    """The same for every third hex."""
    hexes: int


def weigh(level: Grey, swap: bool, refined: Refined, fit: Fit) -> Evidence:
    """Measure the marks of a refined lattice and, with the same cuts, the places between them."""
    h, w = level.shape[::-1] if swap else level.shape
    hexes = printed(hexes_inside(refined.shape, w, h), fit)
    count = len(hexes)
    if count < FEWEST_HEXES:
        return Evidence(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, count)
    hexes = hexes[np.random.default_rng(1).permutation(count)[:MOST_HEXES]]
    first, last, kind = marks_at(hexes, fit.marks)

    def cut(a: Floats, b: Floats, kinds: Ints, part: tuple[float, float]) -> Probes:
        return probe(level, swap, refined.shape, refined.dy, a, b, kinds, fit.dark, part)

    if fit.marks == "sides":
        height, kinds, at = _side_heights(cut, first, last, kind)
    else:
        cuts = cut(first, last, kind, ENDS[0])
        half = len(cuts.kind) // 2
        height, kinds, at = np.minimum(*strength(cuts).reshape(2, half)), cuts.kind[:half], cuts.hex_at[:half]
    if len(height) < FEWEST_HEXES or height.mean() < HOPELESS:
        return Evidence(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, count)
    if fit.marks == "sides":
        outward = MIDDLES[kind]
        shifts = (-outward / 2, -outward, last - first)
        others = [_side_heights(cut, first + shift, last + shift, kind)[:2] for shift in shifts]
    else:
        hexes = hexes[:MOST_BETWEEN]
        none = np.zeros(len(hexes), np.intp)
        others = []
        for spot in _between(np.array(CORNERS if fit.marks == "corners" else ((0.0, 0.0),))):
            cuts = cut(hexes + spot, hexes + spot, none, ENDS[0])
            middle = cuts.response.shape[1] // 2
            both = cuts.response[:, middle - 2 : middle + 3].max(1).reshape(2, -1)
            others += [(heights.astype(np.float64), none) for heights in both]
        usual = float(np.median([heights.mean() for heights, _ in others]))
        others = [(heights - usual, none) for heights, _ in others]
    shown, elsewhere, sigmas, second, third = 0.0, 0.0, math.inf, 0.0, 0.0
    means = []
    for k in range(int(kind.max()) + 1):
        here = height[kinds == k]
        rest = [s[ks == k] if fit.marks == "sides" else s for s, ks in others]
        if len(here) < 4 or any(len(r) < 4 for r in rest):
            return Evidence(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, count)
        means.append(float(here.mean()))
        best = max(rest, key=lambda s: float(s.mean()))
        error = math.sqrt(here.var() / len(here) + best.var() / len(best)) + 1e-9
        above = float(best.mean()) - (CHANCE * math.sqrt(best.var() / len(best)) if len(rest) > 9 else 0.0)
        gap = float(here.mean() - above) / error
        if gap < sigmas:
            shown, elsewhere, sigmas = float(here.mean()), above, gap
        u, v = _axial(at[kinds == k])
        second, third = max(second, _uneven(here, (u % 2) * 2 + v % 2)), max(third, _uneven(here, (u - v) % 3))
    return Evidence(shown, elsewhere, sigmas, min(means) / max(means), second, third, count)


def _side_heights(cut: Callable[..., Probes], first: Floats, last: Floats, kind: Ints) -> tuple[Floats, Ints, Floats]:
    """Strength of sides by their two ends, so that a line crossing the middle counts for nothing."""
    one, other = (cut(first, last, kind, part) for part in ENDS)
    return (strength(one) + strength(other)) / 2, one.kind, one.hex_at


def _between(marks: Floats) -> Floats:
    """Places all over one hex cell that are well away from its marks."""
    u, v = (a.ravel() / 6 for a in np.meshgrid(np.arange(6), np.arange(6), indexing="ij"))
    spots = np.stack([u, v + u / 2], 1)
    around = np.array([(q, r + q / 2) for q in (-1, 0, 1, 2) for r in (-2, -1, 0, 1, 2)])
    taken = (marks[:, None] + around[None]).reshape(-1, 2)
    apart = np.hypot(*((spots[:, None] - taken[None]) * [REGULAR, 1]).transpose(2, 0, 1)).min(1)
    return np.asarray(spots[apart > 0.2])


def _axial(at: Floats) -> tuple[Floats, Floats]:
    """Which hex owns the marks at these places, in axial coordinates."""
    u = np.floor(at[:, 0] + 0.4)
    return u, np.floor(at[:, 1] - u / 2 + 0.2)


def _uneven(height: Floats, classes: Floats) -> float:
    """How much fainter the marks of one class of hexes are, where that cannot be chance."""
    parts = sorted((height[classes == c] for c in np.unique(classes)), key=lambda p: float(p.mean()))
    low, high = parts[0], parts[-1]
    if min(len(p) for p in parts) < 6 or high.mean() <= 0:
        return 0.0
    chance = 4 * math.sqrt(low.var() / len(low) + high.var() / len(high))
    return 0.0 if high.mean() - low.mean() < chance else 1 - max(0.0, float(low.mean())) / float(high.mean())


def plausible(refined: Refined, width: float, height: float) -> bool:
    """Whether a map can be a scanned hex grid by its shape alone: proportions, turn, bend."""
    corners = np.array([(x, y) for x in (0, width) for y in (0, height)] + [(width / 2, height / 2)])
    hexes = project(inverse(refined.shape), corners)
    column, row = (
        project(refined.shape, hexes + half) - project(refined.shape, hexes - half) for half in np.eye(2) / 2
    )
    dx, dy = np.hypot(*column.T), np.hypot(*row.T)
    lean = np.degrees([math.atan2(column[-1, 1], column[-1, 0]), math.atan2(-row[-1, 0], row[-1, 1])])
    return bool(
        PROPORTIONS[0] < dx[-1] / dy[-1] < PROPORTIONS[1]
        and max(dx.max() / dx.min(), dy.max() / dy.min()) < MOST_CHANGE
        and np.abs(lean).max() < STEEPEST
        and abs(lean[0] - lean[1]) < MOST_SKEW
    )


def confidence(fit: Fit, refined: Refined, seen: Evidence) -> float:
    """From 0 to 1, how sure it is that these are the printed hexes."""
    if seen.elsewhere > 0.55 * seen.shown or seen.balance < BALANCED:
        return 0.0
    if max(seen.every_second, seen.every_third) > UNEVEN:
        return 0.0
    strict = 1.0 if fit.marks == "sides" else 1.4
    gap = max(0.0, seen.shown - max(0.0, seen.elsewhere)) / strict
    sigmas = max(0.0, seen.sigmas - 2) / strict
    loose = max(0.0, refined.rest - NEAT) / NEAT
    plain, steady = 1 - math.exp(-((gap / 0.5) ** 2)), 1 - math.exp(-sigmas / 3.5)
    return math.sqrt(fit.agree) * plain * steady * math.exp(-0.5 * loose)
