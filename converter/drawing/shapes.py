"""Lines for the pen: sides and links put together into long strokes, and strokes made smooth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Node = TypeVar("Node", bound=Hashable)
Points = NDArray[np.float64]


def strokes(pieces: Iterable[tuple[Node, Node]]) -> list[list[Node]]:
    """Short pieces put together into strokes as long as they go; a stroke ends where lines fork or end.

    >>> strokes([("a", "b"), ("c", "b"), ("c", "d")])
    [['a', 'b', 'c', 'd']]
    """
    meets: defaultdict[Node, list[Node]] = defaultdict(list)
    for one, other in dict.fromkeys(pieces):
        if other not in meets[one]:
            meets[one].append(other)
            meets[other].append(one)
    drawn: set[frozenset[Node]] = set()
    found: list[list[Node]] = []

    def follow(start: Node, to: Node) -> None:
        stroke = [start, to]
        drawn.add(frozenset((start, to)))
        while len(meets[stroke[-1]]) == 2 and stroke[-1] != start:
            ahead = next((n for n in meets[stroke[-1]] if frozenset((stroke[-1], n)) not in drawn), None)
            if ahead is None:
                break
            drawn.add(frozenset((stroke[-1], ahead)))
            stroke.append(ahead)
        found.append(stroke)

    ends_first = sorted(meets, key=lambda node: len(meets[node]) == 2)
    for node in ends_first:
        for other in meets[node]:
            if frozenset((node, other)) not in drawn:
                follow(node, other)
    return found


def smooth(points: Points, rounds: int = 3) -> Points:
    """The same stroke with its corners cut; the ends stay (Chaikin's way).

    >>> smooth(np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0]]), 1).tolist()
    [[0.0, 0.0], [3.0, 0.0], [4.0, 1.0], [4.0, 4.0]]
    """
    for _ in range(rounds):
        if len(points) < 3:
            return points
        one, other = points[:-1], points[1:]
        cut = np.empty((2 * len(one), 2))
        cut[0::2], cut[1::2] = 0.75 * one + 0.25 * other, 0.25 * one + 0.75 * other
        points = np.vstack([points[:1], cut[1:-1], points[-1:]])
    return points


def meander(points: Points, reach: float, chance: np.random.Generator) -> Points:
    """A stroke that wanders a little: a bend between each two points, sideways by up to `reach`."""
    if len(points) < 2:
        return points
    along = np.diff(points, axis=0)
    length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) / length[:, None]
    bends = (points[:-1] + points[1:]) / 2 + across * chance.uniform(-reach, reach, (len(along), 1))
    mixed = np.empty((2 * len(points) - 1, 2))
    mixed[0::2], mixed[1::2] = points, bends
    return mixed


def every(points: Points, step: float) -> tuple[Points, Points]:
    """Points at equal distances along a stroke, and the direction of the stroke at each.

    >>> at, _ = every(np.array([[0.0, 0.0], [10.0, 0.0]]), 4.0)
    >>> at[:, 0].tolist()
    [0.0, 4.0, 8.0]
    """
    legs = np.hypot(*np.diff(points, axis=0).T)
    gone = np.concatenate([[0.0], np.cumsum(legs)])
    marks = np.arange(0.0, gone[-1] + 1e-9, step)
    at = np.stack([np.interp(marks, gone, points[:, axis]) for axis in (0, 1)], axis=1)
    leg = np.clip(np.searchsorted(gone, marks, side="right") - 1, 0, len(legs) - 1)
    direction = np.diff(points, axis=0)[leg] / np.maximum(legs[leg], 1e-9)[:, None]
    return at, direction
