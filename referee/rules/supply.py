"""Lines of supply: which hexes a chain of open hexes joins to a source."""

from __future__ import annotations

from collections.abc import Collection, Set

from referee.rules.board import Board

Steps = Collection[tuple[int, int]]


def joined(board: Board, sources: Collection[int], closed: Collection[int], closed_steps: Steps) -> Set[int]:
    """The hexes that open hexes join to a source, the source's own included, which must be open too.

    `closed_steps` are the pairs of hexes (both ways round) between which no line may run.
    """
    shut = set(closed)
    edge = set(sources) - shut
    found = set(edge)
    near = board.neighbours
    walled = {here for here, _ in closed_steps}
    while edge:
        reached = set().union(*[near[here] for here in edge - walled])
        for here in edge & walled:
            reached.update([there for there in near[here] if (here, there) not in closed_steps])
        edge = reached - found - shut
        found |= edge
    return found


def has_line(board: Board, start: int, sources: Collection[int], joined: Collection[int], closed_steps: Steps) -> bool:
    """Does a line lead from next to `start` (itself no part of it) to a source? A unit on a source is supplied."""
    if start in sources:
        return True
    return any(there in joined and (start, there) not in closed_steps for there in board.neighbours[start])
