"""Games played at random by the rules, with as much said as real players say: nobody is accused."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from pathlib import Path

import pytest
from korean_battles_play import write
from written_log import Writer

from referee.check import check
from referee.table.maps import wide_grid

GRID = wide_grid("korean-battles", "chosin-few")
SIDES = {
    "Chinese": {f"{division}/{number}": 4 for division in (58, 59, 79, 80, 89) for number in (1, 2)},
    "UN": {"5/1M": 5, "7/1M": 5, "1/1M": 5, "31/7": 5},
}
CLEAR = """
version: 1
name: clear
grid: {columns: 19, rows: 18}
complete: [hexsides, links]
default_terrain: {kind: clear, source: {person: a test}}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("legal")
    write(where / "chosin.vmod", "chosin-few")
    (where / "map.yaml").write_text(CLEAR, encoding="utf-8")
    return where


def reach(start: str, allowance: int, barred: Collection[str], held: Collection[str]) -> list[str]:
    """The free hexes that a unit gets to on clear ground without touching a zone of control."""
    seen = {start: 0}
    queue = [start]
    for here in queue:
        for there in GRID.neighbours(here) if seen[here] < allowance else ():
            if there not in seen and there not in barred:
                seen[there] = seen[here] + 1
                queue.append(there)
    return [hex for hex in seen if hex not in held]


class Players:
    """Two players, who say each phase, some, or none of them."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.silence = (0.0, 0.2, 0.5, 1.0)[seed % 4]
        units = [unit for own in SIDES.values() for unit in own]
        near = [hex for hex in GRID.numbers if int(hex[2:]) < 13]
        self.log = Writer(folder, dict(zip(units, self.random.sample(near, len(units)), strict=True)))

    def say(self, turn: int, side: str, phase: str) -> None:
        if self.random.random() >= self.silence:
            self.log.say(f"@phase turn {turn} {side} {phase}")

    def player_turn(self, turn: int, side: str) -> None:
        own, foe = SIDES[side], SIDES["UN" if side == "Chinese" else "Chinese"]
        self.say(turn, side, "movement")
        self.movement(own, foe)
        self.say(turn, side, "combat")
        for _ in range(self.random.randint(0, 3)):
            self.log.roll(self.random.randint(1, 6))
            self.results([*own, *foe])
        self.say(turn, side, "mobile movement")
        self.say(turn, side, "mobile combat")

    def movement(self, own: Mapping[str, int], foe: Mapping[str, int]) -> None:
        where = self.log.where
        for unit in self.random.sample(list(own), self.random.randint(0, len(own))):
            zone = {hex for enemy in foe for hex in (where[enemy], *GRID.neighbours(where[enemy]))}
            goals = reach(where[unit], own[unit], zone, where.values())
            if self.random.random() < 0.1:  # dropped in the wrong place, and put back
                here = where[unit]
                self.log.move(unit, self.random.choice(GRID.numbers)).move(unit, here)
            if goals:
                self.log.move(unit, self.random.choice(goals))

    def results(self, units: list[str]) -> None:
        """Retreats and advances of combats that nobody calls out."""
        where = self.log.where
        for _ in range(self.random.randint(0, 2)):
            unit = self.random.choice(units)
            free = [hex for hex in GRID.within(where[unit], 3) if hex not in where.values()]
            if free:
                self.log.move(unit, self.random.choice(free))


@pytest.mark.parametrize("seed", range(24))
def test_a_legal_game(folder: Path, seed: int) -> None:
    players = Players(folder, seed)
    for turn in (1, 2, 3):
        for side in SIDES:
            players.player_turn(turn, side)
    told = check([players.log.write(folder / f"{seed}.vlog")], map=folder / "map.yaml")[0]
    assert told.judged > 0
    assert [finding for finding in told.findings if finding.verdict == "illegal"] == []
