"""Logs to judge: two armies of 60 units on 3,000 hexes, silent or with every phase and combat called out; and logs
on a game's own map, Pusan or Yalu's."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
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
from referee.games.korean_battles import facts as korean_battles
from referee.games.yalu import facts as yalu
from referee.table.maps import wide_grid

SHEET = Grid(columns=60, rows=50)
TURNS = 20
MAIN = "Main Map"
CLEAR = """
version: 1
name: large
grid: {columns: 60, rows: 50}
complete: [hexsides, links]
default_terrain: {kind: clear, source: {person: benchmark}}
"""


def mixed_map(game: Game, seed: int = 1) -> str:
    """Clear ground, hills, mountains and towns, with forty roads and ten rivers."""
    rng = random.Random(seed)
    source = "source: {person: benchmark}"
    kinds: dict[str, list[str]] = {kind: [] for kind in game.terrain}
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
        lines.append(f"  - {{kind: {game.river}, between: [{', '.join(sides)}], {source}}}")
    return "\n".join(lines)


class Counter(NamedTuple):
    """A unit with its markers."""

    name: str
    side: str
    marks: tuple[str, ...]  # size, class and values as the game's modules mark them


@dataclass(frozen=True)
class Game:
    """What a log of a game needs: its sides in order, their phases, how an attack is called out, and its counters."""

    id: str
    scenario: str
    sides: tuple[str, str]
    marks: tuple[str, ...]
    phases: dict[str, tuple[str, ...]]
    attack: dict[str, tuple[str, ...]]  # by phase: what is typed of each attack, a die where it is empty
    terrain: tuple[str, ...]
    river: str
    army: Callable[[int], list[Counter]]  # by movement allowance, sixty units a side
    listed: Callable[[], list[Counter]]  # the units of the scenario
    allowances: tuple[int, int]  # in silent and in spoken logs


def regiments(move: int) -> list[Counter]:
    """Sixty regiments a side."""
    sides = ("NK", "UN")
    marks = ("regiment", "mobile" if move > 8 else "leg", "3", "3", str(move))
    return [Counter(f"{number}/9", sides[number % 2], marks) for number in range(120)]


def pusan_armies() -> list[Counter]:
    """The units that the lists of Pusan Perimeter name, as battalions where a list leaves the size to the counter."""
    lines = {line.id: line for line in korean_battles.scenario("pusan").units if line.values is not None}
    found = []
    for line in lines.values():
        values = [value or 0 for value in line.values or ()]
        kind = "mobile" if values[2] > 8 else "leg"
        found.append(Counter(line.id, line.side, (line.size or "battalion", kind, *map(str, values))))
    return found


def divisions(move: int) -> list[Counter]:
    """Sixty divisions a side."""
    nations = (("Communist", "PVA"), ("UN", "ROK"))
    return [
        Counter(f"{nation} {200 + number}", side, (nation, "division", "4", str(move)))
        for number in range(120)
        for side, nation in (nations[number % 2],)
    ]


def yalu_armies() -> list[Counter]:
    """The units that the set-up of Yalu names, as divisions of the usual strength."""
    lines = {line.id: line for line in yalu.scenario("deluxe").units}
    return [Counter(line.id, line.side, (line.nation, "division", "4", "5")) for line in lines.values()]


_BATTLE = ("movement", "combat", "mobile movement", "mobile combat")
_WEEK = ("reinforcement", "movement", "designation", "defensive-fire", "assault", "morale")
GAMES = {
    "korean-battles": Game(
        "korean-battles", "pusan", ("NK", "UN"), ("Side", "Size", "Class", "Attack", "Defense", "Move"),
        {"NK": _BATTLE, "UN": _BATTLE}, {"combat": ("@attack {unit} -> {target}", "")},
        ("hill", "mountain", "town"), "minor-river", regiments, pusan_armies, (4, 8),
    ),
    "yalu": Game(
        "yalu", "deluxe", ("Communist", "UN"), ("Side", "Nation", "Size", "Combat", "Move"),
        {"Communist": ("supply", *_WEEK), "UN": ("bombardment", *_WEEK)},
        {"designation": ("@attack {unit} -> {target}, 1 ASP",), "assault": ("@fire {unit} -> {target}", "")},
        ("rough", "mountain", "city"), "river", divisions, yalu_armies, (4, 8),
    ),
}  # fmt: skip


@dataclass
class Table:
    """Where the units stand while a log is written."""

    game: Game
    rng: random.Random
    sheet: Grid
    points: dict[str, tuple[int, int]]
    units: list[Counter]
    hexes: list[str]
    attacks: list[tuple[str, str]] = field(default_factory=list)

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
            turn, side = 1 + part // 2, self.game.sides[part % 2]
            own = [number for number, unit in enumerate(self.units) if unit.side == side]
            until = moves * (part + 1) // (2 * TURNS)
            drags = -(-(until - done) // len(own))
            self.attacks.clear()
            for phase in self.game.phases[side]:
                yield Chat(f"&lt;Ann&gt; - @phase turn {turn} {side} {phase}")
                if phase == "movement":
                    for unit in self.rng.sample(own, min(len(own), until - done)):
                        for _ in range(min(drags, until - done)):
                            yield self.move(unit, 12 if self.rng.random() < 0.02 else 3 if drags == 1 else 1)
                            done += 1
                elif phase in self.game.attack:
                    yield from self._fight(own, self.game.attack[phase])

    def _fight(self, own: list[int], words: tuple[str, ...]) -> Iterator[Command]:
        for unit, target in self.attacks or self._targets(own):
            for word in words:
                said = f"&lt;Ann&gt; - {word.format(unit=unit, target=target)}"
                yield Chat(said if word else f"*** 1d6 = {self.rng.randint(1, 6)} *** &lt;Ann&gt;")

    def _targets(self, own: list[int]) -> Iterator[tuple[str, str]]:
        enemies = {hex for number, hex in enumerate(self.hexes) if number not in own}
        for number in own:
            target = next((hex for hex in self.sheet.neighbours(self.hexes[number]) if hex in enemies), None)
            if target is not None and self.rng.random() < 0.3:
                self.attacks.append((self.units[number].name, target))
                yield self.attacks[-1]


def write_log(folder: Path, game: Game, moves: int, style: str) -> tuple[Path, Path]:
    """A module with the map, and a log of that many moves. `style` is silent, spoken or listed: the game's own map
    and units, spoken too."""
    rng = random.Random(moves)
    sheet = wide_grid(game.id, game.scenario) if style == "listed" else SHEET
    grid = HexGrid(dx=54, dy=62, x0=40, y0=40, numbering=Numbering(stagger=False))
    board = BoardPlan("Board", (54 * (sheet.columns + 1), 62 * (sheet.rows + 1)), grid=grid)
    name = f"{game.id}-{style}"
    module = folder / f"{name}.vmod"
    write_module(module, ModulePlan(name, sides=game.sides, maps=(MapPlan(MAIN, (board,)),)))
    layout = read_module(module).maps[0].layout()
    points = {hex: point for hex in sheet.numbers if (point := layout.point(hex)) is not None}
    units = game.listed() if style == "listed" else game.army(game.allowances[style == "spoken"])
    table = Table(game, rng, sheet, points, units, rng.sample(sheet.numbers, len(units)))
    pieces = [
        AddPiece(
            str(1000 + number), roll([write_type("mark", names=game.marks), f"piece;;;;{unit.name}"]), _state(unit, at)
        )
        for number, unit in enumerate(units)
        if (at := points[table.hexes[number]])
    ]
    elements = opening(pieces, [Player("x", "Ann", game.sides[1]), Boards(MAIN, (("Board", 0, 0, False),))])
    elements += [step([command]) for command in (table.silent if style == "silent" else table.spoken)(moves)]
    log = folder / f"{name}-{moves}.vlog"
    write_game(log, new_game(Stream(elements), Metadata(name=name, version="1.0"), VASSAL_VERSION))
    return module, log


def _state(unit: Counter, at: tuple[int, int]) -> str:
    return roll([",".join((unit.side, *unit.marks)), f"{MAIN};{at[0]};{at[1]};;0"])
