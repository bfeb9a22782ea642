"""Fronts paired with backs: the same places on a second scan, however the sheet was turned over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from converter.scan.sheet.blocks import Cell

Turn = Literal["mirrored", "same", "upside", "turned"]
TURNS: tuple[Turn, ...] = ("mirrored", "same", "upside", "turned")
_SURE = 0.85  # the best way must cost less than this share of what the usual way costs, or the usual one is taken
_NEAR = 0.35  # of a counter's side


@dataclass(frozen=True)
class Pairs:
    """The number of each front's back (None: it has none), how the sheet was turned, and whether colours told so."""

    backs: tuple[int | None, ...]
    turn: Turn
    sure: bool


def pair(
    fronts: Sequence[Cell],
    backs: Sequence[Cell],
    front_colours: NDArray[np.float64],
    back_colours: NDArray[np.float64],
    turn: Turn | None = None,
) -> Pairs:
    """Pair by place. Where nobody says how the sheet was turned over, the way in which colours agree best.

    Colours that agree equally well in several ways: left and right exchanged, as in a book.
    """
    if turn:
        return Pairs(tuple(_match(fronts, backs, turn)), turn, True)
    costs = {}
    for way in TURNS:
        found = _match(fronts, backs, way)
        gaps = [np.abs(front_colours[i] - back_colours[j]).mean() for i, j in enumerate(found) if j is not None]
        lost = len(fronts) - len(gaps) + len(backs) - len(gaps)
        costs[way] = (float(np.sum(gaps)) + 60.0 * lost) / max(len(fronts), 1) + 2.0
    best = min(TURNS, key=lambda way: costs[way])
    sure = costs[best] < _SURE * min(cost for way, cost in costs.items() if way != best)
    if costs[best] >= _SURE * costs["mirrored"]:
        best = "mirrored"
    return Pairs(tuple(_match(fronts, backs, best)), best, sure)


def _match(fronts: Sequence[Cell], backs: Sequence[Cell], turn: Turn) -> list[int | None]:
    """For each front the back at its place; each back is given once."""
    here, there = _places(fronts), _places(backs)
    flip = {"mirrored": (-1, 1), "same": (1, 1), "upside": (1, -1), "turned": (-1, -1)}[turn]
    there = there * np.array(flip)
    here, there = here - here.min(axis=0), there - there.min(axis=0)
    found: list[int | None] = []
    taken: set[int] = set()
    for place in here:
        away = np.abs(there - place).max(axis=1)
        near = int(away.argmin())
        fits = bool(away[near] < _NEAR) and near not in taken
        found.append(near if fits else None)
        if fits:
            taken.add(near)
    return found


def _places(cells: Sequence[Cell]) -> NDArray[np.float64]:
    """The middles of counters, counted in counters, with the sheet's turn on the scanner taken out."""
    middles = np.array([cell.middle for cell in cells])
    across = np.median([cell.corners[1] - cell.corners[0] for cell in cells], axis=0)
    down = np.median([cell.corners[3] - cell.corners[0] for cell in cells], axis=0)
    return np.asarray(middles @ np.linalg.inv(np.stack([across, down], axis=1)).T)
