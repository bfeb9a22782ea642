"""The path search against brute force: every walk on small random maps, tried one by one."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from converter.hexgrid import Grid
from referee.rules.board import NEVER, Board, Cost
from referee.rules.paths import Reading, find, walk

GRID = Grid(columns=4, rows=4)


def random_board(dice: random.Random) -> Board:
    costs = {}
    for number in GRID.numbers:
        for other in GRID.neighbours(number):
            low = dice.choice([6, 12, 12, 24, 36, NEVER])
            high = low if dice.random() < 0.6 else min(NEVER, low + dice.choice([6, 12, NEVER]))
            costs[number, other] = Cost(low, high)
    return Board(GRID, lambda a, b: costs[a, b], 6)


def random_reading(dice: random.Random) -> Reading:
    hexes = range(len(GRID))
    leg = dice.random() < 0.5
    allowance = dice.choice([12, 24, 36, 48, 60])
    zone = frozenset(hex for hex in hexes if dice.random() < 0.4)
    half = allowance // 2
    pairs = [(a, b) for a in hexes for b in GRID.index.neighbours[a]]
    return Reading(
        allowance,
        zone,
        frozenset(hex for hex in hexes if dice.random() < 0.1),
        halts=leg,
        infiltrate=leg,
        direct=0 if leg else half,
        reentry=0 if leg or dice.random() < 0.5 else half,
        zone_barred=frozenset(pair for pair in pairs if dice.random() < 0.1),
        dear=dice.random() < 0.3,
    )


def cheapest_walk(board: Board, start: int, goal: int, reading: Reading) -> int | None:
    """The least total of any walk within the allowance, found by trying them all."""
    best: int | None = None
    stack: list[tuple[int, ...]] = [(start,)]
    while stack:
        path = stack.pop()
        priced = walk(board, path, reading)
        if priced is None or priced.total > reading.allowance:
            continue
        if path[-1] == goal:
            best = priced.total if best is None else min(best, priced.total)
        stack.extend((*path, there) for there in board.neighbours[path[-1]])
    return best


@pytest.mark.parametrize("seed", range(40))
def test_search_equals_brute_force(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(50):
        board, reading = random_board(dice), random_reading(dice)
        start, goal = dice.sample(range(len(GRID)), 2)
        if start in reading.blocked:
            continue
        found = find(board, start, (goal,), reading)
        assert (found.total if found else None) == cheapest_walk(board, start, goal, reading)


@pytest.mark.parametrize("seed", range(20))
def test_search_through_stops_equals_brute_force(seed: int) -> None:
    dice = random.Random(1000 + seed)
    for _ in range(30):
        board, reading = random_board(dice), random_reading(dice)
        start, middle, goal = dice.sample(range(len(GRID)), 3)
        found = find(board, start, (middle, goal), reading)
        best: int | None = None
        stack: list[tuple[int, ...]] = [(start,)]
        while stack:
            path = stack.pop()
            priced = walk(board, path, reading)
            if priced is None or priced.total > reading.allowance:
                continue
            if path[-1] == goal and middle in path:
                best = priced.total if best is None else min(best, priced.total)
            stack.extend((*path, there) for there in board.neighbours[path[-1]])
        assert (found.total if found else None) == best


def test_a_found_path_is_a_walk_of_the_same_price() -> None:
    dice = random.Random(7)
    for _ in range(500):
        board, reading = random_board(dice), random_reading(dice)
        start, goal = dice.sample(range(len(GRID)), 2)
        found = find(board, start, (goal,), reading)
        if found is None:
            continue
        assert all(b in board.neighbours[a] for a, b in pairwise(found.hexes))
        again = walk(board, found.hexes, reading)
        assert again is not None
        assert again.costs == found.costs


@pytest.mark.parametrize(("allowance", "count"), [(12, 7), (24, 19), (36, 37)])
def test_reach_on_clear_ground(allowance: int, count: int) -> None:
    """On open ground a unit reaches every hex within its allowance and no other: 7, 19 and 37 with its own."""
    grid = Grid(columns=15, rows=15)
    board = Board(grid, lambda a, b: Cost(12, 12), 12)
    start = grid.index.of["0808"]
    reached = [goal for goal in range(len(grid)) if goal == start or find(board, start, (goal,), Reading(allowance))]
    assert len(reached) == count
