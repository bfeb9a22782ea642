"""Is there any legal path? A* with zones of control, stopping at the first answer.

The search knows hexes as whole numbers and costs as ticks (referee/rules/board.py). It answers for one reading of the
rules; a referee asks it once for each reading that the evidence leaves open.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise

from referee.rules.board import NEVER, Board

NOTHING: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Reading:
    """How one unit may move.

    `zone` is the enemy's zone of control. `halts`: entering it ends the move. `infiltrate`: as its whole move a unit
    that starts in the zone may step into an adjacent zone hex, whatever it costs. `direct` is added for a step from
    zone to zone, `reentry` for entering the zone from outside after having left it in the same move.
    `zone_barred` holds hexsides (a, b) that no step from zone to zone may cross.
    """

    allowance: int
    zone: Collection[int] = NOTHING
    blocked: Collection[int] = NOTHING
    halts: bool = False
    infiltrate: bool = False
    direct: int = 0
    reentry: int = 0
    zone_barred: Collection[tuple[int, int]] = frozenset()
    dear: bool = False


@dataclass(frozen=True)
class Path:
    """Hexes from the start on, and what each step cost."""

    hexes: tuple[int, ...]
    costs: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(self.costs)


def find(board: Board, start: int, stops: Sequence[int], reading: Reading, limit: int | None = None) -> Path | None:
    """The cheapest legal path from `start` through `stops` in order to the last of them, costing at most `limit`.

    `limit` is the allowance unless given: a larger one tells by how much a move is too long. None: there is no path.
    """
    limit = reading.allowance if limit is None else limit
    last = len(stops)
    zone, blocked, dear = reading.zone, reading.blocked, reading.dear
    goal_first = stops[0]
    starts_in_zone = start in zone
    ahead = [0] * (last + 1)
    for k in range(last - 1, 0, -1):
        ahead[k] = ahead[k + 1] + board.distance(stops[k - 1], stops[k])
    best: dict[tuple[int, bool, int], int] = {(start, False, 0): 0}
    came: dict[tuple[int, bool, int], tuple[tuple[int, bool, int], int]] = {}
    queue: list[tuple[int, int, int, bool, int]] = [(0, 0, start, False, 0)]
    least, far_q, far_r = board.least, board.q, board.r
    while queue:
        _, spent, here, left_zone, k = heappop(queue)
        state = (here, left_zone, k)
        if spent > best[state]:
            continue
        if k == last:
            return _path(start, state, came)
        here_in_zone = here in zone
        at_start = state == (start, False, 0)
        if reading.halts and here_in_zone and not at_start:
            continue
        for there, cost in board.steps(here, dear):
            if there in blocked:
                continue
            there_in_zone = there in zone
            now_left = left_zone
            if here_in_zone and there_in_zone:
                if (here, there) in reading.zone_barred:
                    continue
                if reading.halts:
                    # Only a first step from zone to zone, paid with the whole allowance, gets here.
                    if not (at_start and reading.infiltrate and starts_in_zone) or cost >= NEVER:
                        continue
                    cost = reading.allowance
                else:
                    cost += reading.direct
            elif there_in_zone and left_zone:
                cost += reading.reentry
            if here_in_zone and not there_in_zone:
                now_left = bool(reading.reentry)
            total = spent + cost
            if total > limit:
                continue
            now_k = k + 1 if there == stops[k] else k
            hope = total
            if now_k < last:
                goal = stops[now_k]
                q, r = far_q[goal] - far_q[there], far_r[goal] - far_r[there]
                hope += least * (max(abs(q), abs(r), abs(q + r)) + ahead[now_k + 1])  # as Board.distance
                if hope > limit:
                    continue
            new = (there, now_left, now_k)
            if total < best.get(new, NEVER):
                best[new] = total
                came[new] = (state, cost)
                heappush(queue, (hope, total, there, now_left, now_k))
    return Path((start,), ()) if goal_first == start and last == 1 else None


def stride(board: Board, start: int, goal: int, reading: Reading) -> Path | None:
    """A legal path straight to the goal, found without a search: each step nearer, at its dearest, out of every zone of
    control but the goal's. Most moves of a game are such; None says nothing about the others."""
    zone, blocked = reading.zone, reading.blocked
    if goal in blocked or (start in zone and goal in zone):
        return None
    hexes, costs = [start], []
    left, here, far = reading.allowance, start, board.distance(start, goal)
    while far:
        best = (left + 1, 0)
        for there, cost in board.steps(here, True):
            open_ = cost < best[0] and there not in blocked and (there == goal or there not in zone)
            if open_ and board.distance(there, goal) < far:
                best = (cost, there)
        cost, here = best
        if cost > left:
            return None
        left -= cost
        far -= 1
        hexes.append(here)
        costs.append(cost)
    return Path(tuple(hexes), tuple(costs))


def walk(board: Board, hexes: Sequence[int], reading: Reading) -> Path | None:
    """The price of a path known hex by hex; None where a step is not to a neighbour or is forbidden."""
    costs = []
    left_zone = False
    for i, (here, there) in enumerate(pairwise(hexes)):
        cost = next((cost for other, cost in board.steps(here, reading.dear) if other == there), NEVER)
        here_in_zone, there_in_zone = here in reading.zone, there in reading.zone
        if cost >= NEVER or there in reading.blocked:
            return None
        if reading.halts and here_in_zone and i > 0:
            return None
        if here_in_zone and there_in_zone:
            if (here, there) in reading.zone_barred:
                return None
            if reading.halts:
                if i > 0 or not reading.infiltrate:
                    return None
                cost = reading.allowance
            else:
                cost += reading.direct
        elif there_in_zone and left_zone:
            cost += reading.reentry
        left_zone = left_zone or (here_in_zone and not there_in_zone)
        costs.append(cost)
    return Path(tuple(hexes), tuple(costs))


def _path(
    start: int,
    state: tuple[int, bool, int],
    came: dict[tuple[int, bool, int], tuple[tuple[int, bool, int], int]],
) -> Path:
    hexes, costs = [state[0]], []
    while state in came:
        state, cost = came[state]
        hexes.append(state[0])
        costs.append(cost)
    return Path(tuple(reversed(hexes)), tuple(reversed(costs)))
