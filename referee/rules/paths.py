"""Is there any legal path? A* with zones of control, stopping at the first answer.

The search knows hexes as whole numbers and costs as ticks (referee/rules/board.py). It answers for one reading of the
rules; a referee asks it once for each reading that the evidence leaves open.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from referee.rules.board import NEVER, Board

NOTHING: frozenset[int] = frozenset()


@dataclass(slots=True)
class Reading:
    """How one unit may move. It never changes; that is not enforced because one is made for each move.

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


class Path(NamedTuple):
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
    zone, blocked = reading.zone, reading.blocked
    if any(stop in blocked for stop in stops) or (reading.halts and any(stop in zone for stop in stops[:-1])):
        return None
    if limit > reading.allowance and not all(map(partial(_may_lead, board, reading), (start, *stops), stops)):
        return None
    if reading.reentry:
        return _search(board, start, stops, reading, limit)
    least = _least(board, reading)
    hexes: list[int] = [start]  # what one leg costs does not hang on the others
    costs: list[int] = []
    for k, stop in enumerate(stops):
        rest = least * sum(map(board.distance, stops[k:], stops[k + 1 :]))
        begin, left = hexes[-1], limit - sum(costs) - rest
        if begin != stop:
            leg = _leg(board, begin, stop, reading, left)
        else:
            leg = _search(board, begin, (stop,), reading, left)
        if leg is None:
            return None
        hexes += leg.hexes[1:]
        costs += leg.costs
    return Path(tuple(hexes), tuple(costs))


def _least(board: Board, reading: Reading) -> int:
    """What a step costs at the least: the cheapest ground, or the allowance where that pays for any step."""
    return min(board.least, reading.allowance) if reading.infiltrate else board.least


def _may_lead(board: Board, reading: Reading, start: int, goal: int) -> bool:
    """False where enemies and zones that halt surely cut two hexes off from one another, however much is spent.

    Both ends spread in turn until they meet, so that a pocket round either of them soon shows.
    """
    if start == goal or goal in board.neighbours[start]:
        return True
    blocked, zone = reading.blocked, reading.zone if reading.halts else NOTHING
    reached, edges = ({start}, {goal}), ([start], [goal])
    while edges[0] and edges[1]:
        mine = len(edges[1]) < len(edges[0])
        ours, theirs = reached[mine], reached[not mine]
        edge: list[int] = []
        for here in edges[mine]:
            for there in board.neighbours[here]:
                if there in theirs:
                    return True
                if there not in ours and there not in blocked and there not in zone:
                    ours.add(there)
                    edge.append(there)
        edges[mine][:] = edge
    return False


def _leg(board: Board, start: int, goal: int, reading: Reading, limit: int) -> Path | None:
    """A* to one stop where no step hangs on the way before it: the state is the hex alone. Else as `_search`."""
    zone, blocked, halts, dear = reading.zone, reading.blocked, reading.halts, reading.dear
    direct, barred = reading.direct, reading.zone_barred
    least, known, steps = _least(board, reading), board.known[dear], board.steps
    far_q, far_r = board.q, board.r
    goal_q, goal_r = far_q[goal], far_r[goal]
    if least * board.distance(start, goal) > limit:
        return None
    best = {start: 0}
    reached = best.get
    came: dict[int, int] = {}
    queue = [(0, 0, start)]
    while queue:
        _, spent, here = heappop(queue)
        spent = -spent
        if here == goal:
            return _path(here, came, best, len(far_q))
        if spent > best[here]:
            continue
        here_in_zone = here in zone
        if halts and here_in_zone and here != start:
            continue
        for there, cost in known[here] or steps(here, dear):
            if here_in_zone and there in zone:
                if (here, there) in barred:
                    continue
                if not halts:
                    cost += direct
                elif reading.infiltrate and cost < NEVER:  # the first step, paid with the whole allowance
                    cost = reading.allowance
                else:
                    continue
            total = spent + cost
            if total > limit or total >= reached(there, NEVER) or there in blocked:
                continue
            q, r = goal_q - far_q[there], goal_r - far_r[there]
            across = q + r  # the distance, as Board.distance
            q, r, across = (q if q > 0 else -q), (r if r > 0 else -r), (across if across > 0 else -across)
            far = q if q > r else r
            hope = total + least * (far if far > across else across)
            if hope > limit:
                continue
            best[there] = total
            came[there] = here
            heappush(queue, (hope, -total, there))
    return None


def _search(board: Board, start: int, stops: Sequence[int], reading: Reading, limit: int) -> Path | None:
    """A*: the state is a hex, how many stops were passed, and whether the unit left the zone on its way."""
    zone, blocked, dear, halts = reading.zone, reading.blocked, reading.dear, reading.halts
    direct, reentry, barred = reading.direct, reading.reentry, reading.zone_barred
    least, far_q, far_r, steps = _least(board, reading), board.q, board.r, board.steps
    last = len(stops)
    ahead = [0] * (last + 1)  # hexes from each stop through those after it
    for k in range(last - 1, 0, -1):
        ahead[k] = ahead[k + 1] + board.distance(stops[k - 1], stops[k])
    if least * (board.distance(start, stops[0]) + ahead[1]) > limit:
        return None
    size = len(board.numbers)  # a state is hex + size * (has left the zone + 2 * stops passed)
    best = {start: 0}
    came: dict[int, int] = {}
    queue = [(0, 0, start)]
    while queue:
        _, spent, state = heappop(queue)
        spent = -spent  # of equal hopes the one farthest on its way is tried first
        if spent > best[state]:
            continue
        layer, here = divmod(state, size)
        k, left_zone = layer >> 1, layer & 1
        if k == last:
            return _path(state, came, best, size)
        here_in_zone = here in zone
        if halts and here_in_zone and state != start:
            continue
        goal, beyond = stops[k], ahead[k + 1]
        goal_q, goal_r = far_q[goal], far_r[goal]
        for there, cost in steps(here, dear):
            if there in blocked:
                continue
            now = layer
            if here_in_zone:
                if there not in zone:
                    now |= reentry > 0
                elif (here, there) in barred:
                    continue
                elif not halts:
                    cost += direct
                elif reading.infiltrate and cost < NEVER:  # the first step, paid with the whole allowance
                    cost = reading.allowance
                else:
                    continue
            elif left_zone and there in zone:
                cost += reentry
            total = spent + cost
            if total > limit:
                continue
            q, r = goal_q - far_q[there], goal_r - far_r[there]
            hope = total + least * (max(abs(q), abs(r), abs(q + r)) + beyond)  # as Board.distance
            if hope > limit:
                continue
            new = there + size * (now + 2 if there == goal else now)
            if total < best.get(new, NEVER):
                best[new] = total
                came[new] = state
                heappush(queue, (hope, -total, new))
    return Path((start,), ()) if last == 1 and stops[0] == start else None


def stride(board: Board, start: int, stops: Sequence[int], reading: Reading) -> Path | None:
    """A legal path straight to each stop, found without a search: each step nearer, at its dearest, out of every zone
    of control but the last stop's. Most moves of a game are such; None says nothing about the others."""
    zone, blocked, goal = reading.zone, reading.blocked, stops[-1]
    if goal in blocked or (start in zone and goal in zone):
        return None
    far_q, far_r, known, steps = board.q, board.r, board.known[True], board.steps
    hexes, costs = [start], []
    left, here = reading.allowance, start
    last = len(stops) - 1
    for k, stop in enumerate(stops):
        far = board.distance(here, stop)
        goal_q, goal_r = far_q[stop], far_r[stop]
        while far:
            least, best = left + 1, here
            for there, cost in known[here] or steps(here, True):
                if cost < least and there not in blocked and (there not in zone or (there == goal and k == last)):
                    q, r = goal_q - far_q[there], goal_r - far_r[there]
                    if max(abs(q), abs(r), abs(q + r)) < far:  # as Board.distance
                        least, best = cost, there
            if best == here:
                return None
            here = best
            left -= least
            far -= 1
            hexes.append(here)
            costs.append(least)
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


def _path(state: int, came: Mapping[int, int], best: Mapping[int, int], size: int) -> Path:
    """The way a search came to a state, and the price of each step."""
    hexes, costs = [state % size], []
    while state in came:
        before = came[state]
        costs.append(best[state] - best[before])
        state = before
        hexes.append(state % size)
    return Path(tuple(reversed(hexes)), tuple(reversed(costs)))
