"""How many moves a second does the referee judge? A map of 3,000 hexes, 120 units, drags of every kind, one process.

python3 benchmarks/judged_moves.py [MOVES]
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from converter.hexgrid import Grid
from referee.games.korean_battles import facts
from referee.games.korean_battles.charts import Charts
from referee.games.korean_battles.court import Court
from referee.games.korean_battles.play import play
from referee.rules.board import ticks
from referee.rules.ground import Ground
from referee.table.acts import Step
from referee.table.clock import Clock
from referee.table.events import Moved, Place
from referee.table.position import Position
from referee.table.units import Unit, Values


def table(dice: random.Random) -> Court:
    """A field of mixed terrain with two armies in it."""
    grid = Grid(columns=60, rows=50)
    terrain: dict[str, tuple[str, ...]] = {
        number: (dice.choice(["clear", "clear", "hill", "mountain", "town"]),) for number in grid.numbers
    }
    ground = Ground("clear", terrain)
    for _ in range(40):
        here = dice.choice(grid.numbers)
        for _ in range(30):
            there = dice.choice(grid.neighbours(here))
            ground.roads.add(frozenset((here, there)))
            here = there
    charts = Charts({"hill": ticks(2), "mountain": ticks(3), "town": ticks(1)})
    position = Position()
    for i in range(120):
        side = "NK" if i % 2 else "UN"
        mobile = i % 5 == 0
        values = Values(3, 3, 8 if mobile else 4)
        unit = Unit(str(i), str(i), side, side, None, "regiment", mobile, values, one_sided=False, depleted=False)
        position.add(unit, dice.choice(grid.numbers))
    scenario = facts.scenario("pusan")
    clock = Clock(facts.moments("pusan")).said(2, "NK", "movement")
    return Court(scenario, grid, ground, charts, position, clock)


def main() -> None:
    moves = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    dice = random.Random(1)
    court = table(dice)
    steps = []
    for _ in range(moves):
        unit, here = dice.choice(list(court.position.on_map("NK")))
        there = dice.choice(court.grid.within(here, dice.randint(1, 6)))
        steps.append((unit.id, there))
    began = time.perf_counter()
    for number, (id, there) in enumerate(steps, 1):
        stood = court.position.where(id)
        court.trails.clear()
        play(court, Step(number, (Moved(id, id, Place("map", hex=stood), Place("map", hex=there)),)))
    took = time.perf_counter() - began
    illegal = len({finding.step for finding in court.findings})
    print(f"{moves} moves in {took:.2f} s: {moves / took:.0f} a second; {illegal} of them with findings")


if __name__ == "__main__":
    main()
