"""The last fit: measure where each printed side or dot really lies and move the whole grid to suit."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

from converter.scan.found import hexes_inside, inverse, project
from converter.scan.phase import CORNERS, SIDE_ENDS, Fit
from converter.scan.spacing import REGULAR
from converter.scan.strokes import Grey

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]

FEWEST_MARKS = 24
HOPELESS, HOPELESS_AT = 0.3, 0.03
"""A map whose marks are on average this faint once the window is this narrow is given up."""
REACH = 0.16
"""How far to either side of a mark to look, in hexes."""
LINE, DOT = 0.011, 0.022
"""Half the usual width of a line and of a dot, in hexes."""
WINDOWS = (0.06, 0.04, 0.025, 0.016, 0.012)
"""Width of the window round the expected place, in hexes, narrowing round by round."""
NO_MATTER = 0.0004
"""A richer model that improves the fit by less than this, in hexes, is not worth its freedom."""
MARKS_USED = (400, 400, 400, 800, 2400)
"""How many marks are measured in each round."""
FAMILIES = (4, 5, 6, 8)
"""Numbers in the model: straight; turned; skewed; in perspective."""


@dataclass(frozen=True)
class Probes:
    """Short cuts across expected marks: the middle of each in hex coordinates and in pixels, and what it crosses."""

    hex_at: Floats
    pixel_at: Floats
    across: Floats
    kind: Ints
    response: npt.NDArray[np.float32]
    """Probe x step: how much like a mark of the right tone it is at each step; 0 is the middle step."""
    step: float


def printed(hexes: Floats, fit: Fit) -> Floats:
    """Those hexes that lie in the part of the sheet where the tiles agreed."""
    apart, _ = cKDTree(fit.covered).query(hexes * [REGULAR, 1], p=np.inf, distance_upper_bound=fit.reach)
    return np.asarray(hexes[np.isfinite(apart)])


def marks_at(hexes: Floats, marks: str) -> tuple[Floats, Floats, Ints]:
    """Both ends of each expected mark in hex coordinates (equal for dots) and its kind: direction, or which corner."""
    if marks == "sides":
        ends = np.array([SIDE_ENDS[k] for k in range(3)])
    else:
        ends = np.array([(c, c) for c in (CORNERS if marks == "corners" else ((0.0, 0.0),))])
    kinds = np.repeat(np.arange(len(ends)), len(hexes))
    a = np.concatenate([hexes + e[0] for e in ends])
    b = np.concatenate([hexes + e[1] for e in ends])
    return a, b, kinds


def probe(level: Grey, swap: bool, shape: Floats, dy: float, first: Floats, last: Floats, kind: Ints, dark: bool,
          part: tuple[float, float] = (0.14, 0.86)) -> Probes:
    """Cut across each mark, averaging along a part of it. A dot (both ends equal) is cut along x, then, in the second
    half of the result, along y."""
    h, w = level.shape[::-1] if swap else level.shape
    p, q = project(shape, first), project(shape, last)
    reach = REACH * dy
    low, high = np.minimum(p, q), np.maximum(p, q)
    inside = (low > reach + 1).all(1) & (high[:, 0] < w - reach - 2) & (high[:, 1] < h - reach - 2)
    p, q, kind, at_hex = p[inside], q[inside], kind[inside], ((first + last) / 2)[inside]
    dots = bool((first == last).all())
    if dots:
        thick = max(1.0, 0.02 * dy)
        along = np.repeat([[1.0, 0.0], [0.0, 1.0]], len(p), 0)
        p, kind, at_hex = np.tile(p, (2, 1)), np.tile(kind, 2), np.tile(at_hex, (2, 1))
        p, q = p - thick * along, p + thick * along
        spots = np.linspace(0, 1, 5)
    else:
        along = (q - p) / np.hypot(*(q - p).T)[:, None]
        spots = np.linspace(*part, 9 if part[1] - part[0] > 0.5 else 4)
    across = np.stack([-along[:, 1], along[:, 0]], 1)
    steps = 2 * max(5, round(reach / max(0.5, dy / 90))) + 1
    offset = np.linspace(-reach, reach, steps)
    profile = np.zeros((len(p), steps), np.float32)
    share = np.full(len(spots), 1 / len(spots), np.float32)
    for start in range(0, len(p), 1000):
        some = slice(start, start + 1000)
        x, y = (
            ((p[some, None, k] + spots * (q - p)[some, None, k]).astype(np.float32)[:, None]
             + (offset[:, None] * across[some, None, k].T).T.astype(np.float32)[:, :, None]).reshape(len(p[some]), -1)
            for k in ((1, 0) if swap else (0, 1))
        )  # fmt: skip
        seen = cv2.remap(level, x, y, cv2.INTER_LINEAR)
        profile[some] = (seen.reshape(-1, len(spots)).astype(np.float32) @ share).reshape(-1, steps)
    step = float(offset[1] - offset[0])
    response = _ridge(profile if dark else -profile, step, (DOT if dots else LINE) * dy)
    return Probes(at_hex, (p + q) / 2, across, kind, response, step)


def _ridge(profile: npt.NDArray[np.float32], step: float, width: float) -> npt.NDArray[np.float32]:
    """How dark a thin line at each step is against its surroundings, in units of the usual for that cut."""
    narrow = max(0.7, width) / step
    thin = cv2.GaussianBlur(profile, (0, 0), sigmaX=narrow, sigmaY=1e-3, borderType=cv2.BORDER_REPLICATE)
    wide = cv2.GaussianBlur(profile, (0, 0), sigmaX=2.2 * narrow, sigmaY=1e-3, borderType=cv2.BORDER_REPLICATE)
    out = wide - thin
    return np.asarray(out / (np.abs(out).mean(1, keepdims=True) + np.float32(0.25)), np.float32)


def strength(cuts: Probes) -> Floats:
    """How much like a mark each cut's middle is: about 0 anywhere, 2 to 4 on a clean line."""
    middle = cuts.response.shape[1] // 2
    return np.asarray(cuts.response[:, middle - 1 : middle + 2].mean(1), np.float64)


def displaced(cuts: Probes, window: float) -> tuple[Floats, Floats]:
    """How far each mark lies from where it was expected, along its cut, and how much to trust that."""
    middle = cuts.response.shape[1] // 2
    offset = (np.arange(cuts.response.shape[1]) - middle) * cuts.step
    weight = np.maximum(cuts.response, 0) * np.exp(-((offset / window) ** 2) / 2)
    total = weight.sum(1)
    return (weight @ offset) / np.maximum(total, 1e-9), np.minimum(total * cuts.step / window / 2.5, 1.5)


def _shape_of(n: Floats, family: int) -> Floats:
    """The model's 3 x 3 matrix from its numbers."""
    if family == 5:
        c, s = math.cos(n[4]), math.sin(n[4])
        return np.array([[n[0] * c, -n[1] * s, n[2]], [n[0] * s, n[1] * c, n[3]], [0, 0, 1]])
    full = np.zeros(8)
    full[:family] = n
    return np.array([[full[0], full[4], full[2]], [full[5], full[1], full[3]], [full[6], full[7], 1]])


def _start(shape: Floats, family: int) -> Floats:
    a = shape / shape[2, 2]
    if family == 5:
        turn = math.atan2(a[1, 0], a[0, 0])
        return np.array([math.hypot(a[0, 0], a[1, 0]), math.hypot(a[0, 1], a[1, 1]), a[0, 2], a[1, 2], turn])
    return np.array([a[0, 0], a[1, 1], a[0, 2], a[1, 2], a[0, 1], a[1, 0], a[2, 0], a[2, 1]])[:family]


def _slopes(shape: Floats, n: Floats, family: int, p: Floats, across: Floats) -> Floats:
    """How each measured distance changes with each of the model's numbers."""
    below = 1 / (p @ shape[2, :2] + 1)
    a, b = p[:, 0] * below, p[:, 1] * below
    x, y = across.T
    if family == 5:
        c, s = math.cos(n[4]), math.sin(n[4])
        turned = -(n[0] * s * a + n[1] * c * b) * x + (n[0] * c * a - n[1] * s * b) * y
        return np.stack([a * (c * x + s * y), b * (c * y - s * x), x, y, turned], 1)
    along = (project(shape, p) * across).sum(1)
    return np.stack([a * x, b * y, below * x, below * y, b * x, a * y, -a * along, -b * along], 1)[:, :family]


def solve(shape: Floats, family: int, hex_at: Floats, target: Floats, across: Floats, trust: Floats,
          robust: bool = True) -> tuple[Floats, float, Floats]:
    """Fit one family to measured places, each known only along its cut: the matrix, the RMS left over, the weights."""
    middle = np.average(hex_at, axis=0, weights=trust + 1e-9)
    span = float(np.abs(hex_at - middle).max())
    inward = np.array([[span, 0, middle[0]], [0, span, middle[1]], [0, 0, 1]])
    p = (hex_at - middle) / span
    numbers = _start(shape @ inward, family)
    weight = trust
    for _ in range(3):
        now_shape = _shape_of(numbers, family)
        now = ((project(now_shape, p) - target) * across).sum(1)
        if robust:
            scale = 1.5 * float(np.median(np.abs(now[trust > 0.2]))) if (trust > 0.2).any() else 1.0
            weight = trust / (1 + (now / (2 * scale + 1e-6)) ** 2) ** 2
        slope = _slopes(now_shape, numbers, family, p, across)
        pull = slope * weight[:, None]
        numbers = numbers - np.linalg.solve(pull.T @ slope + 1e-9 * np.eye(family), pull.T @ now)
    left = ((project(_shape_of(numbers, family), p) - target) * across).sum(1)
    rest = float(np.sqrt(np.average(left**2, weights=weight + 1e-12)))
    return _shape_of(numbers, family) @ inverse(inward), rest, weight


@dataclass(frozen=True)
class Refined:
    """The final map from columns and rows to upright pixels of the level, and what it rests on."""

    shape: Floats
    family: int
    rest: float
    """RMS of what the map leaves over, in hexes."""
    dy: float
    """Pixels a row in the middle of the level."""


def refine(level: Grey, swap: bool, shape: Floats, fit: Fit) -> Refined | None:
    """Move a nearly right map onto the printed marks; a richer model only where it is plainly needed.

    None when there are too few marks to measure, or they do not show.
    """
    h, w = level.shape[::-1] if swap else level.shape
    middle = project(inverse(shape), np.array([[w / 2, h / 2]]))
    half = np.array([0, 0.5])
    dy = float(np.hypot(*(project(shape, middle + half) - project(shape, middle - half)).T)[0])
    first, last, kind = marks_at(printed(hexes_inside(shape, w, h), fit), fit.marks)
    order = np.random.default_rng(0).permutation(len(first))
    for window, most in zip(WINDOWS, MARKS_USED, strict=True):
        some = order[:most]
        cuts = probe(level, swap, shape, dy, first[some], last[some], kind[some], fit.dark)
        if len(cuts.kind) < FEWEST_MARKS:
            return None
        away, trust = displaced(cuts, max(window * dy, 0.5))
        if window < HOPELESS_AT and float(strength(cuts).mean()) < HOPELESS:
            return None
        target = cuts.pixel_at + away[:, None] * cuts.across
        shape, _, weight = solve(shape, 8, cuts.hex_at, target, cuts.across, trust)
    tries = {f: solve(shape, f, cuts.hex_at, target, cuts.across, weight, robust=False) for f in FAMILIES}
    family = _simplest({f: tries[f][1] / dy for f in FAMILIES}, len(target))
    return Refined(tries[family][0], family, tries[family][1] / dy, dy)


def _simplest(rest: dict[int, float], marks: int) -> int:
    """The family with fewest numbers that leaves hardly more over than the richest."""
    best = rest[8] ** 2
    for family in FAMILIES[:-1]:
        if rest[family] ** 2 <= best * (1 + max(0.04, 60 / marks)) + NO_MATTER**2:
            return family
    return 8
