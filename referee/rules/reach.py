"""How far a unit gets where nobody stands in its way: worked out once for each hex of a board, and then kept.

A search (referee/rules/paths.py) answers for one move among enemies who come and go. This answers, of the ground alone,
what is asked again and again of the same hexes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from heapq import heappop, heappush

from referee.rules.board import NEVER, Board
from referee.rules.paths import Reading, find


class Reach:
    """What lies within reach on a board, each step at its cheapest. It holds as long as the board does."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._asked: set[tuple[int, int]] = set()
        self._within: dict[tuple[int, int], int] = {}  # hexes as bits of a number: it takes little to keep thousands
        self._lands: list[tuple[Set[int], Set[int]]] = []

    def within(self, start: int, goal: int, limit: int) -> bool:
        """Does a way from one hex to another cost at most `limit`? To stay costs nothing."""
        if (start, limit) not in self._asked:  # one way is soon found; all of them are worth it when asked again
            self._asked.add((start, limit))
            return start == goal or find(self._board, start, (goal,), Reading(limit), limit) is not None
        found = self._within.get((start, limit))
        if found is None:
            found = self._within[start, limit] = sum(1 << hex for hex in self._spread(start, limit))
        return bool(found >> goal & 1)

    def _spread(self, start: int, limit: int) -> Iterable[int]:
        """The hexes to which a way costs at most `limit`."""
        best = {start: 0}
        queue = [(0, start)]
        while queue:
            spent, here = heappop(queue)
            if spent > best[here]:
                continue
            for there, cost in self._board.steps(here, False):
                total = spent + cost
                if total <= limit and total < best.get(there, NEVER):
                    best[there] = total
                    heappush(queue, (total, there))
        return best

    def leads(self, start: int, goal: int) -> bool:
        """Is there any way from one hex to another, whatever it costs?"""
        for onward, back in self._lands:
            if start in onward and start in back:  # there and back again: the same hexes can be reached from both
                return goal in onward
        onward, back = _flood(start, self._onward), _flood(start, self._back)
        self._lands.append((onward, back))
        return goal in onward

    def _onward(self, here: int) -> Iterable[int]:
        return [there for there, cost in self._board.steps(here, False) if cost < NEVER]

    def _back(self, here: int) -> Iterable[int]:
        cost = self._board.cost
        return [there for there in self._board.neighbours[here] if cost(there, here).low < NEVER]


def _flood(start: int, beyond: Callable[[int], Iterable[int]]) -> Set[int]:
    found, edge = {start}, [start]
    for here in edge:
        fresh = [there for there in beyond(here) if there not in found]
        found.update(fresh)
        edge += fresh
    return found
