"""Printed lines: roads and the like that cross a hexside, rivers and the like that run along one.

Each kind's ink is learned from the examples of the legend; through every hexside the likeliest run of that ink is
followed, and what the runs of all kinds look like there decides. The map itself teaches what is no line: nearly all
of its hexsides have none. Each example also stands for itself half hidden, as by a bridge or a town. The widest kinds
are judged first, and what they explain is no evidence for another kind; and lines go on: a hexside counts for more
where the next one has the same line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from converter.scan.continuity import Onward
from converter.scan.ink import (
    SURE_STEP,
    Codes,
    Colours,
    count_colours,
    follow,
    ink_of_colour,
    learn_ink,
    profile,
    split,
)
from converter.scan.judge import learn
from converter.scan.worksheet import Floats, Worksheet

POINTS = 41
REACH = 0.5
PROFILE = 6
SHOWN, SOLID = -2, 0.92
"""The place among a run's features of the share of its way that shows its ink."""
MOST_WITHOUT = 3000
"""So many hexsides without a line teach as well as all."""
WITHOUT_WEIGHT = 200.0
SOME = 400
"""So many hexsides stand for the map at large."""
ROUNDS = 3
FARTHEST_PARTING = 3.0
STAND_INS = 12
FEWEST_ALONE = 3
SURELY = 0.97
MOST_SHOWN = 40
MOST_GROWTH = 1.25
HIDDEN_EACH = 4
"""So often each example is shown again with a part of it hidden."""
HIDDEN_WEIGHT = 0.5
LEAST_HIDDEN, MOST_HIDDEN = 0.2, 0.5

Pair = tuple[str, str]
Rows = npt.NDArray[np.int64]
Likely = npt.NDArray[np.float64]


@dataclass(frozen=True)
class LineKind:
    """A kind of line, the way it runs, and hexsides (by their two hexes) where the legend says it does."""

    kind: str
    crosses: bool
    examples: Sequence[Pair]
    colour: tuple[int, int, int] | None = None


@dataclass(frozen=True)
class Trace:
    """One kind's likeliest run through every strip, and what it looks like."""

    evidence: Floats
    path: npt.NDArray[np.int64]
    look: Floats


@dataclass(frozen=True)
class Found:
    """How likely one kind of line is on each of `Worksheet.sides`, and the way it takes there.

    `path` is in columns from the middle of the strip, a column for each of its rows, the rows `REACH` hexes about the
    hexside's middle.
    """

    likely: Likely
    path: npt.NDArray[np.int64]
    half_width: int
    width: float
    """Of its ink's own colour, in columns; 0 for a broken line, which covers nothing."""


@dataclass(frozen=True)
class Hidden:
    """Examples partly hidden: their places among the strips, and the hexsides they were made of."""

    rows: Rows
    of: Rows


def find_lines(
    sheet: Worksheet, codes: Codes, kinds: Sequence[LineKind], crossed: Likely, no: Rows, busy: Rows, looks: int
) -> dict[str, Found]:
    """Find all kinds that run the same way: all across hexsides or all along them.

    `crossed` says how likely it is that a line across the side hides what runs along it; `no` are sides known to have
    none of these kinds; `busy` are sides where names and houses hide lines. `looks` is 2, or 1 for a first look that
    finds lines which stray from their hexside, as coasts do.
    """
    place = {frozenset(pair): i for i, pair in enumerate(sheet.sides)}
    known = {kind.kind: np.array([place[frozenset(pair)] for pair in kind.examples], np.int64) for kind in kinds}
    colours = split(sheet.side_cuttings(codes, POINTS, REACH))
    crosses = kinds[0].crosses
    strips = _strips(colours, crosses)
    for kind in kinds:
        if not kind.examples and kind.colour:
            known[kind.kind] = _likest(strips, kind.colour)
    known = {kind: rows for kind, rows in known.items() if len(rows)}
    onward = Onward.links(sheet) if crosses else Onward.hexsides(sheet)
    return _find_group(strips, known, onward, crossed, no, busy, looks)


def paint(sheet: Worksheet, found: Found, mask: npt.NDArray[np.uint8]) -> None:
    """Mark a kind of line that crosses hexsides on a mask of the sheet, from the middle of hex to the middle of hex."""
    step = 2 * REACH / (POINTS - 1)
    rows = found.path.shape[1]
    share = (np.arange(rows) - rows // 2) * step
    width = max(3, round((2 * found.half_width + 3) * step * sheet.unit))
    for side in np.flatnonzero(found.likely > 0.5):
        middle, along, over = sheet.side_frames[side]
        across = (found.path[side] * step)[:, None]
        way = middle + along * across + share[:, None] * over
        line = np.concatenate([[middle - over / 2], way, [middle + over / 2]])
        cv2.polylines(mask, [np.rint(line).astype(np.int32)], False, 255, width)


def _strips(colours: Colours, crosses: bool) -> Colours:
    """From each cutting the part in which a line runs from the first row to the last."""
    middle = POINTS // 2
    if crosses:
        long, wide = POINTS * 36 // 100, POINTS * 30 // 100
        return colours[:, middle - long : middle + long + 1, middle - wide : middle + wide + 1]
    long, wide = POINTS * 24 // 100, POINTS * 26 // 100
    return colours.turned()[:, middle - long : middle + long + 1, middle - wide : middle + wide + 1]


def _likest(strips: Colours, colour: tuple[int, int, int]) -> Rows:
    """Where only a colour is known: the sides with the plainest run of it stand in for examples."""
    evidence = follow(ink_of_colour(colour).on(strips)).evidence
    best = np.argsort(-evidence)[:STAND_INS]
    return best[evidence[best] > 0.4 * SURE_STEP]


def _find_group(
    strips: Colours, known: Mapping[str, Rows], onward: Onward, crossed: Likely, no: Rows, busy: Rows, looks: int
) -> dict[str, Found]:
    """Twice: what is surely found the first time shows the inks better than a few examples could.

    A kind that the second time is seen in many more or far fewer places has learned a wrong ink: its first finds stand.
    """
    everywhere = count_colours(strips)
    some = strips[np.random.default_rng(4).permutation(len(strips.own))[:SOME]] if looks < 2 else None
    strips, partly = _partly_hidden(strips, known, busy)
    crossed = np.append(crossed, np.zeros(len(strips.own) - len(crossed)))
    shown = {kind: _alone(kind, known) for kind in known}
    found = _found(strips, everywhere, shown, known, partly, onward, crossed, no, some)
    if looks < 2:
        return found
    more = {kind: np.union1d(shown[kind], surest(kind, found)) for kind in known}
    again = _found(strips, everywhere, more, known, partly, onward, crossed, no, None)
    return {kind: found[kind] if _strays(found[kind], again[kind]) else again[kind] for kind in known}


def _strays(first: Found, second: Found) -> bool:
    before, after = (int((found.likely > 0.5).sum()) for found in (first, second))
    return after > MOST_GROWTH * before + 4 or before > MOST_GROWTH * after + 4


def surest(kind: str, found: Mapping[str, Found]) -> Rows:
    """Hexsides that surely have this kind and no other."""
    others = np.max([one.likely for other, one in found.items() if other != kind] or [np.zeros(1)], 0)
    mine = found[kind].likely
    rows = np.flatnonzero((mine > SURELY) & (others < 0.2))
    return rows[np.argsort(-mine[rows], kind="stable")[:MOST_SHOWN]]


def _found(
    strips: Colours, everywhere: tuple[Floats, Floats], shown: Mapping[str, Rows], known: Mapping[str, Rows],
    partly: Mapping[str, Hidden], onward: Onward, crossed: Likely, no: Rows, some: Colours | None,
) -> dict[str, Found]:  # fmt: skip
    """All kinds, their inks learned where they are `shown`, judged by the `known` examples."""
    evidence = {kind: learn_ink(strips[shown[kind]], everywhere, some).on(strips) for kind in known}
    for here in evidence.values():
        _under(here, crossed)
    seen = {kind: here.copy() for kind, here in evidence.items()}
    traces = {kind: _trace(here) for kind, here in evidence.items()}
    found: dict[str, Found] = {}
    for kind in sorted(known, key=lambda kind: -_width(traces[kind].look[shown[kind]])):
        mine = traces[kind]
        looks = [mine.look] + [_on_path(seen[other], mine.path) for other in known if other != kind]
        likely = _judge(kind, np.concatenate(looks, 1), mine.evidence, known, partly, onward, no)
        width = _half_width(mine.look[shown[kind]])
        path = mine.path[: len(likely)] - strips.own.shape[2] // 2
        found[kind] = Found(likely, path, width, _width(mine.look[shown[kind]]))
        covered = np.flatnonzero(likely > 0.5)
        for other in known:
            if other not in found:
                _cover(evidence[other], covered, mine.path, width)
                traces[other] = _trace(evidence[other])
    return found


def _partly_hidden(strips: Colours, known: Mapping[str, Rows], busy: Rows) -> tuple[Colours, dict[str, Hidden]]:
    """The strips, and after them each example a few times over with a part of it hidden by what is elsewhere on the
    map: a line is no less a line where a bridge, a town or a name lies on it."""
    chance = np.random.default_rng(2)
    count, rows = strips.own.shape[:2]
    parts, partly, at = [strips], {}, count
    for kind, these in known.items():
        of = np.repeat(these, HIDDEN_EACH)
        by = chance.integers(0, count, len(of))
        by[::2] = chance.choice(busy, len(by[::2])) if len(busy) else by[::2]
        long = chance.uniform(LEAST_HIDDEN, MOST_HIDDEN, len(of)) * rows
        start = chance.uniform(0, 1, len(of)) * (rows - long)
        row = np.arange(rows)
        hide = ((row >= start[:, None]) & (row < (start + long)[:, None]))[..., None]
        parts.append(Colours(np.where(hide, strips.own[by], strips.own[of]),
                             np.where(hide, strips.contrast[by], strips.contrast[of])))
        partly[kind] = Hidden(np.arange(at, at + len(of)), of)
        at += len(of)
    return Colours(np.concatenate([p.own for p in parts]), np.concatenate([p.contrast for p in parts])), partly


def _alone(kind: str, known: Mapping[str, Rows]) -> Rows:
    """Examples of a kind where no other runs; all of them where there are hardly any such."""
    others = [rows for other, rows in known.items() if other != kind]
    alone = np.setdiff1d(known[kind], np.concatenate(others)) if others else known[kind]
    return alone if len(alone) >= FEWEST_ALONE else known[kind]


def _under(evidence: Floats, crossed: Likely) -> None:
    """Where a road crosses, it and its bridge hide the middle of what runs along the hexside: it is seen to go on."""
    middle, half = evidence.shape[1] // 2, evidence.shape[1] * 3 // 10
    these = np.flatnonzero(crossed > 0.5)
    before = evidence[these, middle - half - 2 : middle - half].mean(1)
    after = evidence[these, middle + half + 1 : middle + half + 3].mean(1)
    evidence[these, middle - half : middle + half + 1] = np.minimum(before, after)[:, None]


def _half_width(look: Floats) -> int:
    """How many columns to each side of its path a line's ink reaches."""
    wide = np.median(look[:, : PROFILE + 1], 0)
    thin = np.flatnonzero(wide < 0.35 * wide[0])
    return int(thin[0]) - 1 if len(thin) else PROFILE


def _width(look: Floats) -> float:
    wide = np.median(look[:, : PROFILE + 1], 0)
    solid = float(np.median(look[:, SHOWN])) > SOLID
    return float(1 + 2 * np.clip(wide[1:] / max(float(wide[0]), 1e-6), 0, 1).sum()) if solid else 0.0


def _cover(evidence: Floats, covered: Rows, path: npt.NDArray[np.int64], width: int) -> None:
    """Take away, as evidence for one kind, the pixels that another's line explains."""
    cols = evidence.shape[2]
    band = np.clip(path[covered][:, :, None] + np.arange(-width, width + 1), 0, cols - 1)
    part = evidence[covered]
    np.put_along_axis(part, band, np.minimum(np.take_along_axis(part, band, 2), -1.0), 2)
    evidence[covered] = part


def _trace(evidence: Floats) -> Trace:
    run = follow(evidence)
    steps = np.take_along_axis(evidence, run.path[:, :, None], 2)[..., 0]
    thirds = np.stack([part.mean(1) for part in np.array_split(steps, 3, axis=1)], 1)
    look = [
        profile(evidence, run.path, PROFILE),
        np.sort(thirds, 1),
        _uneven(evidence, run.path)[:, None],
        np.minimum(thirds[:, 0], thirds[:, 2])[:, None],
        (steps > np.maximum(0.5 * np.quantile(steps, 0.9, axis=1), 0.0)[:, None]).mean(1)[:, None],
        np.abs(np.diff(steps, axis=1)).mean(1)[:, None],
    ]
    return Trace(run.evidence, run.path, np.concatenate(look, 1))


def _on_path(evidence: Floats, path: npt.NDArray[np.int64]) -> Floats:
    """Whether another kind's ink would explain a run as well: its evidence on the same path."""
    return np.asarray(np.take_along_axis(evidence, path[:, :, None], 2).mean(1))


def _uneven(evidence: Floats, path: npt.NDArray[np.int64]) -> Floats:
    """How unlike the two sides of a line are: a coast has water on one side, a river none."""
    cols = evidence.shape[2]
    off = np.arange(3, 9)
    left, right = (
        np.take_along_axis(evidence, np.clip(path[:, :, None] + way * off, 0, cols - 1), 2).mean((1, 2))
        for way in (-1, 1)
    )
    return np.asarray(np.abs(left - right), np.float32)


def _judge(
    kind: str, look: Floats, own: Floats, known: Mapping[str, Rows], partly: Mapping[str, Hidden],
    onward: Onward, no: Rows,
) -> Likely:  # fmt: skip
    """The legend against the map at large first; then the map as the round before saw it, with its lines going on."""
    mine, more = known[kind], partly[kind]
    others = np.setdiff1d(np.concatenate([*known.values(), no]), mine)
    legend = np.concatenate([mine, others])
    whole = sum(len(hidden.rows) for hidden in partly.values())
    real = own[: len(own) - whole]
    faint = np.flatnonzero(real < real[mine].min() - 0.15 * np.ptp(real))
    without = faint
    with_it: Rows = np.zeros(0, np.int64)
    chance = np.random.default_rng(1)
    likely = np.zeros(len(real))
    made_of = np.concatenate([hidden.of for hidden in partly.values()])
    for turn in range(ROUNDS):
        features = look
        if turn:
            goes_on = onward.features(likely)
            features = np.concatenate([look, np.concatenate([goes_on, goes_on[made_of]])], 1)
        if len(without) > MOST_WITHOUT:
            without = chance.choice(without, MOST_WITHOUT, replace=False)
        rows = np.concatenate([mine, with_it, more.rows, others, without])
        truth = np.zeros(len(rows), np.int64)
        truth[: len(rows) - len(others) - len(without)] = 1
        weight = np.concatenate([
            np.full(len(mine), 2.0), np.full(len(with_it), 1.0), np.full(len(more.rows), HIDDEN_WEIGHT),
            np.full(len(others), 2.0), np.full(len(without), min(1.0, WITHOUT_WEIGHT / max(len(without), 1))),
        ])  # fmt: skip
        judge = learn(features[rows], truth, 2, weight=weight, scale_from=features[: len(real)])
        likely = _parted(judge.likelihoods(features[: len(real)])[:, 1])
        with_it = np.setdiff1d(np.flatnonzero(likely > 0.8), legend)
        without = np.setdiff1d(faint[likely[faint] < 0.2], legend)
    return likely


def _parted(likely: Likely) -> Likely:
    """Move the even chance to where fewest hexsides are in doubt: between those with a line and those without."""
    odds = np.log(np.clip(likely, 1e-9, 1 - 1e-9) / np.clip(1 - likely, 1e-9, 1))
    steps = np.arange(-FARTHEST_PARTING, FARTHEST_PARTING + 0.01, 0.1)
    crowd = np.exp(-(((odds[:, None] - steps) / 0.7) ** 2) / 2).sum(0)
    best = steps[np.argmin(crowd + 0.15 * np.abs(steps))]
    return np.asarray(1 / (1 + np.exp(best - odds)))
