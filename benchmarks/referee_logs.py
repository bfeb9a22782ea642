"""Logs to judge: two armies of 60 units on 3,000 hexes, silent or with every phase and combat called out; Pusan."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from converter.hexgrid import Grid
from converter.vassal.commands import AddPiece, Boards, Chat, Command, MovePiece, Player, Spot
from converter.vassal.compose import opening, step
from converter.vassal.grids import HexGrid, Numbering
from converter.vassal.metadata import Metadata
from converter.vassal.module import read_module
from converter.vassal.new_module import VASSAL_VERSION, BoardPlan, MapPlan, ModulePlan, write_module
from converter.vassal.pieces import roll
from converter.vassal.savegame import new_game, write_game
from converter.vassal.stream import Stream
from converter.vassal.traits import write_type
from referee.games.korean_battles import facts

SHEET = Grid(columns=60, rows=50)
TURNS = 20
MAIN = "Main Map"
MARKS = ("Side", "Size", "Class", "Attack", "Defense", "Move")
PHASES = ("movement", "combat", "mobile movement", "mobile combat")
CLEAR = """
version: 1
name: large
grid: {columns: 60, rows: 50}
complete: [hexsides, links]
default_terrain: {kind: clear, source: {person: benchmark}}
"""


def mixed_map(seed: int = 1) -> str:
    """Clear ground, hills, mountains and towns, with forty roads and ten rivers."""
    rng = random.Random(seed)
    source = "source: {person: benchmark}"
    kinds: dict[str, list[str]] = {"hill": [], "mountain": [], "town": []}
    for number in SHEET.numbers:
        kind = rng.choice(["clear", "clear", "clear", *kinds])
        if kind != "clear":
            kinds[kind].append(f'"{number}"')
    lines = [CLEAR, "terrain:"]
    lines += [f"  - {{kind: {kind}, hexes: [{', '.join(hexes)}], {source}}}" for kind, hexes in kinds.items()]
    lines.append("links:")
    for _ in range(40):
        path = [rng.choice(SHEET.numbers)]
        for _ in range(30):
            path.append(rng.choice(SHEET.neighbours(path[-1])))
        way = ", ".join(f'"{number}"' for number in path)
        lines.append(f"  - {{kind: road, path: [{way}], {source}}}")
    lines.append("hexsides:")
    for _ in range(10):
        here = rng.choice(SHEET.numbers)
        sides = []
        for _ in range(30):
            there = rng.choice(SHEET.neighbours(here))
            sides.append(f'["{here}", "{there}"]')
            here = there
        lines.append(f"  - {{kind: minor-river, between: [{', '.join(sides)}], {source}}}")
    return "\n".join(lines)


class Counter(NamedTuple):
    """A unit with its markers."""

    name: str
    side: str
    size: str
    values: tuple[int, int, int]


def two_armies(move: int) -> list[Counter]:
    """Sixty regiments a side."""
    return [Counter(f"{number}/9", "UN" if number % 2 else "NK", "regiment", (3, 3, move)) for number in range(120)]


def pusan_armies() -> list[Counter]:
    """The units that the lists of Pusan Perimeter name, as battalions where a list leaves the size to the counter."""
    lines = {line.id: line for line in facts.scenario("pusan").units if line.values is not None}
    return [
        Counter(line.id, line.side, line.size or "battalion", tuple(value or 0 for value in line.values or ()))  # type: ignore[arg-type]
        for line in lines.values()
    ]


@dataclass
class Table:
    """Where the units stand while a log is written."""

    rng: random.Random
    sheet: Grid
    points: dict[str, tuple[int, int]]
    units: list[Counter]
    hexes: list[str]

    def move(self, unit: int, radius: int) -> Command:
        here, goal = self.hexes[unit], self.rng.choice(self.sheet.within(self.hexes[unit], radius))
        self.hexes[unit] = goal
        there, origin = (Spot(MAIN, *self.points[hex], None) for hex in (goal, here))
        return MovePiece(str(1000 + unit), there, origin, "x")

    def silent(self, moves: int) -> Iterator[Command]:
        """Units of both sides wander about without a word; one move in fifty is much too far."""
        for _ in range(moves):
            yield self.move(self.rng.randrange(len(self.units)), 12 if self.rng.random() < 0.02 else 3)

    def spoken(self, moves: int) -> Iterator[Command]:
        """Twenty turns, every phase called out, attacks in each; in long logs units go in many short drags."""
        done = 0
        for part in range(2 * TURNS):
            turn, side = 1 + part // 2, "NK" if part % 2 == 0 else "UN"
            own = [number for number, unit in enumerate(self.units) if unit.side == side]
            until = moves * (part + 1) // (2 * TURNS)
            drags = -(-(until - done) // len(own))
            for phase in PHASES:
                yield Chat(f"&lt;Ann&gt; - @phase turn {turn} {side} {phase}")
                if phase == "movement":
                    for unit in self.rng.sample(own, min(len(own), until - done)):
                        for _ in range(min(drags, until - done)):
                            yield self.move(unit, 12 if self.rng.random() < 0.02 else 3 if drags == 1 else 1)
                            done += 1
                elif phase == "combat":
                    yield from self._attacks(own)

    def _attacks(self, own: list[int]) -> Iterator[Command]:
        enemies = {hex for number, hex in enumerate(self.hexes) if number not in own}
        for number in own:
            target = next((hex for hex in self.sheet.neighbours(self.hexes[number]) if hex in enemies), None)
            if target is not None and self.rng.random() < 0.3:
                yield Chat(f"&lt;Ann&gt; - @attack {self.units[number].name} -> {target}")
                yield Chat(f"*** 1d6 = {self.rng.randint(1, 6)} *** &lt;Ann&gt;")


def write_log(folder: Path, moves: int, style: str, sheet: Grid = SHEET) -> tuple[Path, Path]:
    """A module with the map, and a log of that many moves. `style` is silent, spoken or pusan."""
    rng = random.Random(moves)
    grid = HexGrid(dx=54, dy=62, x0=40, y0=40, numbering=Numbering(stagger=False))
    board = BoardPlan("Board", (54 * (sheet.columns + 1), 62 * (sheet.rows + 1)), grid=grid)
    module = folder / f"{style}.vmod"
    write_module(module, ModulePlan(style, sides=("UN", "NK"), maps=(MapPlan(MAIN, (board,)),)))
    layout = read_module(module).maps[0].layout()
    points = {hex: point for hex in sheet.numbers if (point := layout.point(hex)) is not None}
    units = pusan_armies() if style == "pusan" else two_armies(4 if style == "silent" else 8)
    table = Table(rng, sheet, points, units, rng.sample(sheet.numbers, len(units)))
    pieces = [
        AddPiece(str(1000 + number), roll([write_type("mark", names=MARKS), f"piece;;;;{unit.name}"]), _state(unit, at))
        for number, unit in enumerate(units)
        if (at := points[table.hexes[number]])
    ]
    elements = opening(pieces, [Player("x", "Ann", "UN"), Boards(MAIN, (("Board", 0, 0, False),))])
    elements += [step([command]) for command in (table.silent if style == "silent" else table.spoken)(moves)]
    log = folder / f"{style}-{moves}.vlog"
    write_game(log, new_game(Stream(elements), Metadata(name=style, version="1.0"), VASSAL_VERSION))
    return module, log


def _state(unit: Counter, at: tuple[int, int]) -> str:
    marks = (unit.side, unit.size, "mobile" if unit.values[2] > 8 else "leg", *map(str, unit.values))
    return roll([",".join(marks), f"{MAIN};{at[0]};{at[1]};;0"])
