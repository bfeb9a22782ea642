"""Find the printed hex grid of a scanned map by itself: orientation, spacing, origin and rotation."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from converter.scan.confidence import LEAST_FIT, SURE, UNEVEN, Evidence, confidence, plausible, weigh
from converter.scan.found import Floats, Lattice, NoGrid, hex_to_grid, inverse, lattice_from, project
from converter.scan.known_hexes import WORST_MISS, KnownHex, guesses
from converter.scan.phase import FEWEST_TILES, MARKS, Fit, fit_phase, nearest_hex
from converter.scan.picture import Picture
from converter.scan.refine import Refined, refine
from converter.scan.spacing import BLOCK, WHOLE, Candidate, search, sharpened, shrink
from converter.scan.strokes import Grey, Strokes, strokes
from converter.scan.tiles import TO_AXIAL, cut, folded

__all__ = ["Lattice", "NoGrid", "find_lattice"]

FEWEST_PIXELS = 60
MOST_TRIES = 4
FINE_HEX = 110.0
"""The last fit is made on the finest level whose hexes are no higher than this."""
USUAL_HEX = 48.0
"""Known hexes are looked at on the level where hexes are about this high."""
LEAST_SCORE = 0.003
LIKELY = 0.45
"""A candidate goes on to the last fit when this share of its tiles agrees."""
CERTAIN = 0.8
"""With this confidence no further candidate is looked at."""


@dataclass(frozen=True)
class Answer:
    """One candidate that went all the way."""

    refined: Refined
    fit: Fit
    seen: Evidence
    level: int
    sideways: bool
    confidence: float


class Levels:
    """The picture at each halving, and its strokes where it is small (or narrow) enough to look at whole."""

    def __init__(self, grey: Grey) -> None:
        self.pictures = shrink(grey)
        self._strokes: dict[int, Strokes] = {}

    def strokes(self, level: int) -> Strokes | None:
        picture = self.pictures[level]
        most = max(WHOLE, min(3 * WHOLE, self.pictures[0].size // 3))
        if picture.size > most and min(picture.shape) > BLOCK:
            return None
        if level not in self._strokes:
            self._strokes[level] = strokes(picture)
        return self._strokes[level]


def find_lattice(
    picture: Picture, at: Sequence[KnownHex] | None = None, progress: Callable[[str], None] | None = None
) -> Lattice:
    """The hex grid printed on a picture, or `NoGrid` when there is none to be sure of.

    `at` names two or three hexes and where their middles are: the grid is then looked for there first, then (a scan
    with perspective in it) everywhere, and where the print shows nothing that has those hexes in those places the
    lattice through them is the answer, with a confidence of 0.
    """
    if min(picture.width, picture.height) < FEWEST_PIXELS:
        raise NoGrid(f"{picture.name}: {picture.width} x {picture.height} pixels is too small to show a hex grid")
    say = progress or (lambda _: None)
    levels = Levels(picture.grey())
    if at:
        return _near(levels, at, picture, say)
    return _anywhere(levels, picture, say)


def _anywhere(levels: Levels, picture: Picture, say: Callable[[str], None]) -> Lattice:
    """The lattice that the print alone shows."""
    say("looking for the spacing of the hexes")
    found: list[tuple[int, Candidate]] = []
    for number, level in enumerate(levels.pictures):
        found += [(number, c) for c in search(level, levels.strokes(number))]
    best = _best(levels, _distinct(found)[: 2 * MOST_TRIES], say)
    if best is None or best.confidence < SURE:
        raise NoGrid(f"{picture.name}: no hex grid found: {_why(best)}")
    return _said(best, picture)


def _near(levels: Levels, at: Sequence[KnownHex], picture: Picture, say: Callable[[str], None]) -> Lattice:
    """The lattice through known hexes, moved onto the print where the print agrees."""
    places = guesses(at)
    tries = []
    for guess in places[:MOST_TRIES]:
        column, row = guess.shape[:2, 0], guess.shape[:2, 1]
        dy = float(np.hypot(*row))
        number = min(len(levels.pictures) - 1, max(0, round(math.log2(dy / USUAL_HEX))))
        tries.append((number, Candidate(column / 2**number, row / 2**number, guess.sideways, "sides", 1.0)))
    best = _best(levels, tries, say)
    if best is not None and best.confidence >= SURE:
        answer = _said(best, picture)
        if _holds(answer, at):
            return answer
    with suppress(NoGrid):
        answer = _anywhere(levels, picture, say)
        if _holds(answer, at) and _counts(answer, at):
            return answer
    first = places[0]
    size = picture.width, picture.height
    return lattice_from(first.shape, first.sideways, *size, True, 0.0, "known hexes", first.miss)


def _holds(answer: Lattice, at: Sequence[KnownHex]) -> bool:
    """Whether the known hexes are where the lattice has centres."""
    grid = hex_to_grid(answer.dx, answer.dy, answer.x0, answer.y0, answer.sideways)
    hexes = project(TO_AXIAL @ inverse(answer.to_scan @ grid), np.array([(k.x, k.y) for k in at]))
    return bool(np.hypot(*nearest_hex(hexes).T).max() < WORST_MISS)


def _counts(answer: Lattice, at: Sequence[KnownHex]) -> bool:
    """Whether the known hexes are as many columns apart as their numbers say, counted across or down."""
    points = project(inverse(answer.to_scan), np.array([(k.x, k.y) for k in at]))
    columns = [answer.layout.hex_at(*point).col for point in points]

    def apart(values: Sequence[int]) -> list[int]:
        steps = [value - values[0] for value in values]
        return steps if sum(steps) >= 0 else [-step for step in steps]

    return apart(columns) in (apart([k.first for k in at]), apart([k.second for k in at]))


def _best(levels: Levels, waiting: list[tuple[int, Candidate]], say: Callable[[str], None]) -> Answer | None:
    """Follow candidates in turn until one is certain or enough were tried."""
    best: Answer | None = None
    tried: list[tuple[bool, float]] = []
    while waiting and len(tried) < MOST_TRIES and (best is None or best.confidence < CERTAIN):
        number, rough = waiting.pop(0)
        candidate = sharpened(rough)
        height = math.log(candidate.dy * 2**number)
        if any(s == candidate.sideways and abs(h - height) < 0.03 for s, h in tried):
            continue
        tried.append((candidate.sideways, height))
        say(f"trying hexes {candidate.dy * 2**number:.1f} pixels high")
        for answer in _follow(levels, number, candidate):
            if best is None or answer.confidence > best.confidence:
                best = answer
            if answer.fit.marks == "centres" and answer.seen.every_third > UNEVEN:
                waiting.insert(0, (number, _larger(candidate)))
    return best


def _larger(candidate: Candidate) -> Candidate:
    """The lattice of which these are the corners: dots of which every third is missing are corners, not centres."""
    column, row = 1.5 * candidate.row[::-1], 2 * candidate.column[::-1]
    return replace(candidate, column=column, row=row, sideways=not candidate.sideways, match=None)


def _distinct(found: list[tuple[int, Candidate]]) -> list[tuple[int, Candidate]]:
    """One of each spacing and orientation, the best first; from the coarsest level that shows it nearly as well."""
    groups: list[list[tuple[int, Candidate]]] = []
    for number, candidate in sorted(found, key=lambda pair: -pair[1].score):
        if candidate.score < LEAST_SCORE:
            break
        height = candidate.dy * 2**number
        for group in groups:
            first_number, first = group[0]
            if first.sideways == candidate.sideways and abs(math.log(height / (first.dy * 2**first_number))) < 0.06:
                group.append((number, candidate))
                break
        else:
            groups.append([(number, candidate)])
    return [max((p for p in g if p[1].score > 0.7 * g[0][1].score), key=lambda p: p[0]) for g in groups]


def _follow(levels: Levels, number: int, candidate: Candidate) -> list[Answer]:
    """Take one candidate through voting, fitting and weighing, as each kind of mark that is likely."""
    answers: list[Answer] = []
    tiles = cut(levels.pictures[number], levels.strokes(number), candidate.dy)
    fine = max(0, math.ceil(math.log2(candidate.dy * 2**number / FINE_HEX)))
    fine = min(fine, len(levels.pictures) - 1)
    level = levels.pictures[fine]
    h, w = level.shape[::-1] if candidate.sideways else level.shape
    for marks in MARKS:
        if marks != "centres":
            cells = folded(tiles, candidate, marks == "sides")
        fit = fit_phase(*cells, tiles.half, candidate, marks)
        if fit is None or fit.agree < LIKELY or fit.fit < LEAST_FIT[marks] or fit.tiles < FEWEST_TILES:
            continue
        shape = _scaled(2.0 ** (number - fine)) @ inverse(fit.to_hex) @ TO_AXIAL
        refined = refine(level, candidate.sideways, shape / shape[2, 2], fit)
        if refined is None or not plausible(refined, w, h):
            continue
        seen = weigh(level, candidate.sideways, refined, fit)
        answers.append(Answer(refined, fit, seen, fine, candidate.sideways, confidence(fit, refined, seen)))
        if answers[-1].confidence > CERTAIN:
            break
    return answers


def _scaled(factor: float) -> Floats:
    """From pixels of one level to those of a finer one; whole numbers are pixel middles on both."""
    return np.array([[factor, 0, (factor - 1) / 2], [0, factor, (factor - 1) / 2], [0, 0, 1]])


def _why(best: Answer | None) -> str:
    if best is None:
        return "nothing repeats as hexes do"
    height = best.refined.dy * 2**best.level
    return f"the best guess (hexes {height:.0f} pixels high) does not fit the print well enough"


def _said(answer: Answer, picture: Picture) -> Lattice:
    shape = _scaled(2.0**answer.level) @ answer.refined.shape
    return lattice_from(
        shape, answer.sideways, picture.width, picture.height, answer.refined.family <= 5, answer.confidence,
        answer.fit.marks, answer.refined.rest,
    )  # fmt: skip
