"""Lines that run close beside a wider one, as railways beside roads do: the road hides a part of them, and only what
sticks out on one side of it tells.

What lies beside the road is held against what usually does, for most of its course it runs alone.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from converter.scan.ink import Codes, Colours, Ink, count_colours, follow, learn_ink, split
from converter.scan.judge import learn
from converter.scan.worksheet import Floats, Worksheet

Likely = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]

POINTS, REACH = 81, 0.5
LONG, WIDE = 29, 24
FARTHEST = 18
NEAR, FAR = 3, 14
"""What lies so many points from the road's middle is looked at, each a little more than a hundredth of a hex."""
SHIFTS = range(6, 12)
USUAL = 600
LEAST, MOST = -2.0, 6.0
"""One place says no less and no more than this."""
PARTS = 3
ROUNDS = 3
FEWEST = 8


def beside(sheet: Worksheet, codes: Codes, shown: Rows, roads: Rows, road_shown: Rows, likely: Likely) -> Likely:
    """How likely a line is beside each of the `roads`, hexsides that a wider line crosses.

    `shown` and `road_shown` are hexsides where the one and the other run alone; `likely` is what is known so far.
    """
    some = np.random.default_rng(3).choice(len(sheet.sides), min(USUAL, len(sheet.sides)), replace=False)
    usual = count_colours(_strips(sheet, codes, some))
    line, road = _strips(sheet, codes, shown), _strips(sheet, codes, roads)
    ink = learn_ink(line, usual)
    way = follow(learn_ink(_strips(sheet, codes, road_shown), usual).on(road)).path
    around = _around(ink, road, way)
    common = np.median(around, (0, 1))
    there = _sticks_out(around - common)
    alone = _around(ink, line, follow(ink.on(line)).path)
    made = np.concatenate([_sticks_out(_moved(alone, shift) - common) for shift in SHIFTS])
    found = likely
    for _ in range(ROUNDS):
        rows = np.concatenate([np.flatnonzero(found > 0.8), np.flatnonzero(found < 0.3)])
        truth = np.concatenate([np.ones(len(made)), found[rows] > 0.5]).astype(np.int64)
        weight = np.concatenate([np.full(len(made), FEWEST / len(made)), np.ones(len(rows))])
        seen = np.concatenate([made, there[rows]])[:, None]
        found = learn(seen, truth, 2, weight=weight, caution=0.1).likelihoods(there[:, None])[:, 1]
    return found


def _strips(sheet: Worksheet, codes: Codes, sides: Rows) -> Colours:
    middle = POINTS // 2
    cuttings = split(sheet.side_cuttings(codes, POINTS, REACH, sides))
    return cuttings[:, middle - LONG : middle + LONG + 1, middle - WIDE : middle + WIDE + 1]


def _around(ink: Ink, strips: Colours, path: npt.NDArray[np.int64]) -> Floats:
    """The mean evidence at each distance to the left and to the right of each part of a path."""
    evidence = ink.on(strips)
    off = np.arange(-FARTHEST, FARTHEST + 1)
    at = np.clip(path[:, :, None] + off, 0, evidence.shape[2] - 1)
    there = np.take_along_axis(evidence, at, 2)
    return np.stack([part.mean(1) for part in np.array_split(there, PARTS, axis=1)], 1)


def _moved(around: Floats, shift: int) -> Floats:
    """A line as it would look from a road `shift` points to its left."""
    return np.pad(around, ((0, 0), (0, 0), (shift, 0)), mode="edge")[..., :-shift]


def _sticks_out(more: Floats) -> Likely:
    """How much more than usual is seen on the side where it is more, all the way: houses are not."""
    held = np.clip(more, LEAST, MOST)
    right, left = held[..., FARTHEST + NEAR : FARTHEST + FAR], held[..., FARTHEST - FAR + 1 : FARTHEST - NEAR + 1]
    sides = [side.mean(2).min(1) for side in (left, right)]
    return np.asarray(np.maximum(*sides), np.float64)
