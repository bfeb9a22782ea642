"""Lines under other lines: a railway that runs into a road and comes out of it again has followed it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence, Set
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Likely = npt.NDArray[np.float64]
Pair = tuple[str, str]

FARTHEST = 6
"""So many hexes at most may a line go unseen."""
FARTHEST_TOWN = 4
INFERRED = 0.62
FAINTEST = 0.01
"""A step less likely than this is not led on to."""


def follow_hidden(sides: Sequence[Pair], line: Likely, cover: Likely, endings: frozenset[str]) -> Likely:
    """`line` again, with gaps closed where the line ends at both of their ends and a road covers the whole way.

    `endings` are hexes in which a line may well end: towns. A line that ends in the open beside a road has followed it
    to the next of them.

    >>> way = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")]
    >>> follow_hidden(way, np.array([0.9, 0.1, 0.1, 0.9]), np.full(4, 0.9), frozenset()).tolist()
    [0.9, 0.62, 0.62, 0.9]
    >>> follow_hidden(way, np.array([0.9, 0.1, 0.1, 0.1]), np.full(4, 0.9), frozenset("d")).tolist()
    [0.9, 0.62, 0.62, 0.1]
    """
    place = {frozenset(pair): i for i, pair in enumerate(sides)}
    ends = _loose_ends(sides, line)
    roads: defaultdict[str, list[str]] = defaultdict(list)
    for (one, other), likely in zip(sides, cover, strict=True):
        if likely > 0.5 and line[place[frozenset((one, other))]] <= 0.5:
            roads[one].append(other)
            roads[other].append(one)
    out = line.copy()
    for start in sorted(ends):
        way = _shortest(start, ends, roads, FARTHEST)
        if way and start in endings and way[-1] in endings and len(way) > 3:
            way = []
        if not way and start not in endings:
            way = _shortest(start, endings, roads, FARTHEST_TOWN)
        for one, other in pairwise(way):
            i = place[frozenset((one, other))]
            out[i] = max(out[i], INFERRED)
    return out


def lead_on(sides: Sequence[Pair], line: Likely, places: frozenset[str], rim: frozenset[str]) -> Likely:
    """`line` again, led on where it ends in the open one step from a place or from its own other end: houses, names and
    bridges hide it there, and something of it is seen all the same. Off the `rim` of the map a line may end.

    >>> way = [("a", "b"), ("b", "c"), ("b", "d")]
    >>> lead_on(way, np.array([0.9, 0.2, 0.0]), frozenset("cd"), frozenset("a")).tolist()
    [0.9, 0.62, 0.0]
    """
    ends = _loose_ends(sides, line)
    at: defaultdict[str, list[int]] = defaultdict(list)
    for i, pair in enumerate(sides):
        for number in pair:
            at[number].append(i)
    out = line.copy()
    for end in sorted(ends - places - rim):
        ways = [i for i in at[end] if line[i] <= 0.5 and ({*sides[i]} - {end}) & (places | ends)]
        best = max(ways, key=lambda i: float(line[i]), default=None)
        if best is not None and line[best] > FAINTEST:
            out[best] = INFERRED
    return out


def _loose_ends(sides: Sequence[Pair], line: Likely) -> set[str]:
    meets: defaultdict[str, int] = defaultdict(int)
    for (one, other), likely in zip(sides, line, strict=True):
        if likely > 0.5:
            meets[one] += 1
            meets[other] += 1
    return {number for number, count in meets.items() if count == 1}


def _shortest(start: str, ends: Set[str], roads: dict[str, list[str]], farthest: int) -> list[str]:
    """The shortest way along roads to one of the ends; none where two of them are equally near."""
    came: dict[str, str | None] = {start: None}
    reached = [start]
    for _ in range(farthest):
        onward = []
        for here in reached:
            for other in roads.get(here, ()):
                if other not in came:
                    came[other] = here
                    onward.append(other)
        found = [number for number in onward if number in ends]
        if found:
            if len(found) > 1:
                return []
            way = found
            while (before := came[way[-1]]) is not None:
                way.append(before)
            return way[::-1]
        reached = onward
    return []
