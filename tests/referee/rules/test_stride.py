"""The short cut for plain moves: whatever it allows, the walk and the search allow too."""

from __future__ import annotations

import random
from dataclasses import replace

from converter.hexgrid import Grid
from referee.rules.board import NEVER, TICKS, Board, Cost
from referee.rules.paths import Reading, find, stride, walk

GRID = Grid(12, 12)


def random_board(rng: random.Random) -> Board:
    costs: dict[tuple[str, str], Cost] = {}

    def cost(here: str, there: str) -> Cost:
        if (here, there) not in costs:
            low = rng.choice([6, 12, 12, 24, 36])
            costs[here, there] = Cost(low, rng.choice([low, low, low + TICKS, NEVER]))
        return costs[here, there]

    return Board(GRID, cost, 6)


def random_reading(rng: random.Random) -> Reading:
    leg = rng.random() < 0.5
    return Reading(
        rng.choice([3, 4, 5, 8]) * TICKS,
        frozenset(rng.sample(range(len(GRID)), rng.choice([0, 20, 50]))),
        frozenset(rng.sample(range(len(GRID)), 10)),
        halts=leg,
        infiltrate=leg,
        direct=0 if leg else 2 * TICKS,
        reentry=0 if leg else rng.choice([0, 2 * TICKS]),
    )


def test_what_it_allows_is_legal_at_the_dearest() -> None:
    rng = random.Random(5)
    found = 0
    board = random_board(rng)
    for _ in range(3_000):
        reading = random_reading(rng)
        start = rng.randrange(len(GRID))
        goal = board.of[rng.choice(GRID.within(GRID.numbers[start], 5))]
        path = stride(board, start, [goal], reading)
        if path is None or start == goal:
            continue
        found += 1
        walked = walk(board, path.hexes, replace(reading, dear=True))
        assert walked is not None
        assert walked.total == path.total <= reading.allowance
        cheapest = find(board, start, [goal], reading)
        assert cheapest is not None
        assert cheapest.total <= path.total
    assert found > 200


def test_a_plain_move_needs_no_search() -> None:
    board = Board(GRID, lambda here, there: Cost(TICKS, TICKS), 6)
    start, goal = board.of["0303"], board.of["0703"]
    path = stride(board, start, [goal], Reading(4 * TICKS))
    assert path is not None
    assert len(path.hexes) == 5
    assert stride(board, start, [goal], Reading(3 * TICKS)) is None
    assert stride(board, start, [goal], Reading(4 * TICKS, blocked=frozenset({goal}))) is None
