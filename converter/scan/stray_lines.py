"""Strays: a short piece of line that leads nowhere is more likely a mark of the terrain or a letter than a road."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

Likely = npt.NDArray[np.float64]
Pair = tuple[str, str]

SHORT = 2
"""So many steps at most are a stray."""
DOUBTED = 0.45


def doubt_strays(sides: Sequence[Pair], links: Mapping[str, Likely], places: frozenset[str]) -> dict[str, Likely]:
    """`links` again, short pieces doubted where neither another kind of line nor a place is at any of their hexes.

    >>> sides = [("a", "b"), ("b", "c"), ("x", "y")]
    >>> links = {"road": np.array([0.9, 0.0, 0.0]), "trail": np.array([0.0, 0.9, 0.9])}
    >>> {kind: row.tolist() for kind, row in doubt_strays(sides, links, frozenset()).items()}
    {'road': [0.9, 0.0, 0.0], 'trail': [0.0, 0.9, 0.45]}
    """
    met: defaultdict[str, set[str]] = defaultdict(set)
    for kind, line in links.items():
        for i in np.flatnonzero(line > 0.5).tolist():
            for number in sides[i]:
                met[number].add(kind)
    out = {}
    for kind, line in links.items():
        out[kind] = line.copy()
        for piece in _pieces(sides, np.flatnonzero(line > 0.5)):
            hexes = {number for i in piece for number in sides[i]}
            if len(piece) <= SHORT and not hexes & places and all(met[number] == {kind} for number in hexes):
                out[kind][piece] = DOUBTED
    return out


def _pieces(sides: Sequence[Pair], drawn: npt.NDArray[np.int64]) -> list[list[int]]:
    """The steps that are drawn, in groups that meet."""
    at: defaultdict[str, list[int]] = defaultdict(list)
    for i in drawn.tolist():
        for number in sides[i]:
            at[number].append(i)
    left, found = set(drawn.tolist()), []
    while left:
        queue = [left.pop()]
        piece = []
        while queue:
            piece.append(queue.pop())
            for number in sides[piece[-1]]:
                near = [i for i in at[number] if i in left]
                left.difference_update(near)
                queue += near
        found.append(piece)
    return found
