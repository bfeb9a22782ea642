"""Tracing a line of supply: is there a chain of open hexes from next to a unit to a source?"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection

from referee.rules.board import Board


def trace(
    board: Board,
    start: int,
    sources: Collection[int],
    open_hex: Callable[[int], bool],
    open_side: Callable[[int, int], bool],
) -> tuple[int, ...] | None:
    """The shortest line from `start` (itself not part of it) to a source, or None.

    `open_hex` says whether the line may lie in a hex, the source's own included; `open_side` whether it may cross
    from one hex to the next. A unit that stands on a source is supplied.
    """
    if start in sources:
        return (start,)
    came: dict[int, int] = {start: start}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there in board.neighbours[here]:
            if there in came or not open_side(here, there) or not open_hex(there):
                continue
            came[there] = here
            if there in sources:
                line = [there]
                while line[-1] != start:
                    line.append(came[line[-1]])
                return tuple(reversed(line))
            queue.append(there)
    return None
