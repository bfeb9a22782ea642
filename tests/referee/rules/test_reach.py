"""Reachable hexes on small random maps, against an enumeration that shares no code with the search.

The enumeration knows places in the plane instead of a grid's neighbours, looks every price up in the map as it was
drawn, and keeps every state a unit can be in: hex, points spent, whether it left the enemy's zone. It never drops a
state for a better one.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field
from math import hypot, isclose

import pytest

from converter.hexgrid import Grid
from referee.rules.board import NEVER, Board, Cost
from referee.rules.paths import Reading, find, stride
from referee.rules.reach import Reach

SEED = int(os.environ.get("HEXREF_SEED", "20"))
MAPS = 3_000
POINT = 12
Pair = frozenset[str]


@dataclass
class Land:
    """A map as drawn: terrain as (least, most) points, roads at half a point, hexsides that cost more or are shut."""

    grid: Grid
    terrain: dict[str, tuple[int, int]] = field(default_factory=dict)
    roads: set[Pair] = field(default_factory=set)
    rivers: dict[Pair, tuple[int, int]] = field(default_factory=dict)
    shut: set[Pair] = field(default_factory=set)

    def places(self) -> dict[str, tuple[float, float]]:
        """The centre of each hex: columns are 1.5 apart, every second one stands half a hex lower."""
        found = {}
        for number in self.grid.numbers:
            column, row = int(number[:2]), int(number[2:])
            found[number] = (column * 1.5, (row + (0.5 if column % 2 == 0 else 0.0)) * 3**0.5)
        return found

    def price(self, here: str, there: str, dear: bool) -> int | None:
        """What a step costs in ticks, at its cheapest or dearest; None where there is no step."""
        pair = frozenset((here, there))
        if pair in self.shut:
            return None
        if pair in self.roads:
            return POINT // 2
        least, most = self.terrain[there]
        more = self.rivers.get(pair, (0, 0))
        price = (most if dear else least) + more[dear]
        return price if price < NEVER else None


def drawn(dice: random.Random) -> Land:
    """Open and broken ground, unknown hexes, roads, rivers of a known or unknown price, shut hexsides."""
    land = Land(Grid(columns=dice.choice([3, 4, 5]), rows=dice.choice([3, 4])))
    kinds = [(12, 12), (12, 12), (24, 24), (36, 36), (6, 12), (18, NEVER), (6, NEVER), (NEVER, NEVER)]
    for number in land.grid.numbers:
        land.terrain[number] = dice.choice(kinds)
        for other in land.grid.neighbours(number):
            pair = frozenset((number, other))
            match dice.random():
                case share if share < 0.08:
                    land.roads.add(pair)
                case share if share < 0.16:
                    land.rivers[pair] = dice.choice([(12, 12), (0, 12), (12, NEVER)])
                case share if share < 0.22:
                    land.shut.add(pair)
    land.shut -= land.roads
    return land


def board_of(land: Land) -> Board:
    """The same land as the search sees it."""

    def cost(here: str, there: str) -> Cost:
        low, high = land.price(here, there, dear=False), land.price(here, there, dear=True)
        return Cost(NEVER if low is None else low, NEVER if high is None else high)

    return Board(land.grid, cost, POINT // 2)


def mover(dice: random.Random, land: Land) -> Reading:
    """A unit: one that zones stop, one that pays for them, or one that they do not touch."""
    grid = land.grid
    hexes = range(len(grid))
    allowance = POINT * dice.choice([1, 2, 3, 4])
    kind = dice.choice(["stops", "pays", "pays again", "free"])
    half = allowance // 2
    steps = [(a, b) for a in hexes for b in grid.index.neighbours[a]]
    return Reading(
        allowance,
        frozenset(hex for hex in hexes if dice.random() < 0.35),
        frozenset(hex for hex in hexes if dice.random() < 0.1),
        halts=kind == "stops",
        infiltrate=kind == "stops" and dice.random() < 0.8,
        direct=half if kind.startswith("pays") else 0,
        reentry=half if kind == "pays again" else 0,
        zone_barred=frozenset(step for step in steps if dice.random() < 0.1),
        dear=dice.random() < 0.5,
    )


def reachable(land: Land, start: str, unit: Reading, limit: int) -> dict[str, int]:
    """Every hex the unit can end in with `limit` to spend, and the least that takes, by trying everything."""
    places, numbers = land.places(), land.grid.numbers
    side = 3**0.5
    touching = {
        a: [b for b in numbers if isclose(hypot(places[a][0] - places[b][0], places[a][1] - places[b][1]), side)]
        for a in numbers
    }
    zone = {numbers[hex] for hex in unit.zone}
    held = {numbers[hex] for hex in unit.blocked}
    barred = {(numbers[a], numbers[b]) for a, b in unit.zone_barred}
    State = tuple[str, int, bool, bool]  # hex, spent, left a zone, has moved
    todo: list[State] = [(start, 0, False, False)]
    seen: set[State] = set(todo)
    while todo:
        here, spent, left, moved = todo.pop()
        if unit.halts and moved and here in zone:
            continue
        for there in touching[here]:
            price = land.price(here, there, unit.dear)
            if price is None or there in held:
                continue
            if here in zone and there in zone:
                if (here, there) in barred:
                    continue
                if unit.halts:
                    if moved or not unit.infiltrate:
                        continue
                    price = unit.allowance
                price += unit.direct
            elif there in zone and left:
                price += unit.reentry
            state = (there, spent + price, left or (here in zone and there not in zone), True)
            if state[1] <= limit and state not in seen:
                seen.add(state)
                todo.append(state)
    best: dict[str, int] = {}
    for hex, spent, _, _ in seen:
        best[hex] = min(spent, best.get(hex, NEVER))
    return best


@pytest.mark.parametrize("part", range(10))
def test_the_search_finds_what_can_be_reached_and_nothing_else(part: int) -> None:
    dice = random.Random(SEED * 100 + part)
    reached = refused = 0
    for _ in range(MAPS // 10):
        land = drawn(dice)
        unit, board = mover(dice, land), board_of(land)
        start = dice.choice([number for number in land.grid.numbers if board.of[number] not in unit.blocked])
        limit = unit.allowance + dice.choice([0, 0, 0, 4 * POINT])
        expected = reachable(land, start, unit, limit)
        for goal in land.grid.numbers:
            if goal == start:
                continue
            path = find(board, board.of[start], (board.of[goal],), unit, limit)
            assert (path.total if path else None) == expected.get(goal), (start, goal, land, unit)
            straight = stride(board, board.of[start], (board.of[goal],), unit)
            assert straight is None or goal in expected, (start, goal, land, unit)
            reached, refused = reached + (path is not None), refused + (path is None)
    assert min(reached, refused) > 300


def test_what_is_within_reach_of_a_lone_unit_is_what_it_can_pay() -> None:
    dice = random.Random(SEED)
    near = far = cut_off = 0
    for _ in range(100):
        land = drawn(dice)
        board = board_of(land)
        reach, limit = Reach(board), POINT * dice.choice([1, 2, 3])
        for start in dice.sample(land.grid.numbers, 3):
            free = reachable(land, start, Reading(NEVER), 40 * POINT)
            for goal in land.grid.numbers:
                here, there = board.of[start], board.of[goal]
                assert reach.within(here, there, limit) is (goal == start or free.get(goal, NEVER) <= limit)
                assert reach.leads(here, there) is (goal == start or goal in free), (start, goal, land)
                near, far = near + (free.get(goal, NEVER) <= limit), far + (limit < free.get(goal, 0))
                cut_off += goal not in free
    assert min(near, far, cut_off) > 300
