"""Lines of supply: which hexes a chain of open hexes joins to a source."""

from __future__ import annotations

from collections.abc import Collection

from referee.rules.board import Board

Steps = Collection[tuple[int, int]]


class Joined:
    """The hexes that open hexes join to a source, the source's own included, which must be open too. They are looked
    for ring by ring, as far as somebody asks.

    `closed_steps` are the pairs of hexes (both ways round) between which no line may run.
    """

    def __init__(
        self, board: Board, sources: Collection[int], closed: Collection[int], closed_steps: Steps = frozenset()
    ) -> None:
        self._near = board.neighbours
        self._shut = set(closed)
        self._sources = sources
        self._closed_steps = closed_steps
        self._walled = {here for here, _ in closed_steps}
        self._edge = set(sources) - self._shut
        self._found = set(self._edge)

    def has_line(self, start: int) -> bool:
        """Does a line lead from next to `start` (itself no part of it) to a source? A unit on a source is supplied."""
        if start in self._sources:
            return True
        beside = {there for there in self._near[start] if (start, there) not in self._closed_steps}
        while self._edge and self._found.isdisjoint(beside):
            self._spread()
        return not self._found.isdisjoint(beside)

    def _spread(self) -> None:
        """One ring farther."""
        near, edge = self._near, self._edge
        reached = set().union(*[near[here] for here in edge - self._walled])
        for here in edge & self._walled:
            reached.update([there for there in near[here] if (here, there) not in self._closed_steps])
        self._edge = reached - self._found - self._shut
        self._found |= self._edge
