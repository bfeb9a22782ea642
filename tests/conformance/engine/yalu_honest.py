"""Yalu played at random by the rules, in either edition: a table that knows the rules by itself, and writes a log."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from converter.hexgrid import Grid
from converter.scenario import MapFile, read_map_text
from referee.games.yalu import facts
from referee.games.yalu.charts import Charts, take
from referee.table.acts import Step
from referee.table.binding import Piece
from referee.table.events import Changed, Chat, Event, Moved, Place, Rolled, Turn

MAIN, BOX = "Main Map", "Boxes"
COM, UN = facts.COMMUNIST, facts.UN
COLUMNS, ROWS, SEA_FROM = 16, 18, 15  # the columns from SEA_FROM on are sea
RAIL_ROW, ROAD_ROW = 9, 14
COST = {"clear": 1, "rough": 2, "mountain": 3}
DRM = {"defensive": {"clear": 0, "rough": 0, "mountain": 1}, "assault": {"clear": 0, "rough": 1, "mountain": 2}}
COLUMN = ("1-6", "1-4", "1-2", "1-1", "3-2", "2-1", "3-1", "4-1", "5-1", "6-1", "8-1")
INFILTRATION = {"clear": 1, "rough": 2, "mountain": 3}
SURPRISE = {"US": 3, "ROK": 4, "UK": 3}
MORALE = {"PVA": 8, "NKPA": 7, "US": 8, "ROK": 6, "UK": 9}
PORT = "1408"


@dataclass
class Man:
    """A counter at the table."""

    name: str
    side: str
    nation: str
    size: str
    factor: int
    move: int
    kind: str = ""
    army: str = ""
    hex: str | None = None
    tired: bool = False  # Neutralized
    support: int = 0

    def marks(self) -> dict[str, str]:
        told = {
            "Side": self.side, "Nation": self.nation, "Size": self.size, "Type": self.kind, "Army": self.army,
            "Combat": str(self.factor) if not self.support else "", "Move": str(self.move),
            "Support": str(self.support or ""),
        }  # fmt: skip
        level = {} if self.kind in ("artillery", "naval", "guerrilla") else {"Step_Level": "2" if self.tired else "1"}
        told |= {"Move": ""} if self.kind in ("guerrilla", "naval") else {}
        return {key: value for key, value in told.items() if value} | level


def roster() -> list[Man]:
    """Both sides' counters."""
    men = [Man(f"PVA {n}", COM, "PVA", "division", 4, 6, army="20") for n in (58, 59, 60, 89)]
    men += [Man(f"PVA {n}", COM, "PVA", "division", 5, 6, army="38") for n in (112, 113, 114)]
    men += [Man(f"PVA {n}", COM, "PVA", "division", 4, 6, army="50") for n in (148, 149, 150)]
    men += [Man(f"NKPA {n}", COM, "NKPA", "division", 2, 6) for n in (5, 12, 31)]
    men += [Man(f"Guerrilla {n}", COM, "NKPA", "", 0, 0, "guerrilla") for n in (1, 2)]
    men += [Man(f"US {n}", UN, "US", "division", 10, 5) for n in (2, 7, 24)]
    men += [Man(f"{n}/25", UN, "US", "regiment", 3, 6) for n in (24, 27, 35)]
    men += [Man(f"{n}/9/2", UN, "US", "battalion", 1, 6) for n in (1, 2)]
    men += [Man(f"ROK {n}", UN, "ROK", "division", 4, 5) for n in (1, 7, 8)]
    men += [Man(n, UN, "UK", "brigade", 3, 6) for n in ("27 BC", "29 Br")]
    men += [Man("Artillery 1", UN, "US", "", 0, 6, "artillery", support=1)]
    men += [Man("Cruiser", UN, "US", "", 0, 0, "naval", support=2)]
    return men


@dataclass
class Table:
    """The map and the counters, with the rules of zones, stacks, marches and retreats, worked out plainly."""

    edition: str
    dice: random.Random
    men: dict[str, Man] = field(default_factory=lambda: {man.name: man for man in roster()})
    ground: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sheet = read_map_text(self.yaml(("clear", [])))
        self.grid: Grid = self.sheet.grid
        kinds = ["clear"] * 5 + ["rough"] * 3 + ["mountain"]
        for hex in self.grid.numbers:
            self.ground[hex] = "full-sea" if int(hex[:2]) >= SEA_FROM else self.dice.choice(kinds)
        self.ground[PORT] = "clear"

    @property
    def deluxe(self) -> bool:
        return self.edition == "deluxe"

    def yaml(self, *groups: tuple[str, list[str]], known: bool = True) -> str:
        lines = ["version: 1", "name: random", "game: yalu", f"grid: {{columns: {COLUMNS}, rows: {ROWS}}}"]
        if known:
            lines += ["complete: [hexsides, links]", "default_terrain: {kind: clear, source: {person: a test}}"]
            told = [f"  - {{kind: {kind}, source: {{person: a test}}, hexes: {hexes!r}}}" for kind, hexes in groups]
            lines += ["terrain:", *told] if any(hexes for _, hexes in groups) else []
            rail = [f"{column:02d}{RAIL_ROW:02d}" for column in range(1, SEA_FROM)]
            road = [f"{column:02d}{ROAD_ROW:02d}" for column in range(1, SEA_FROM)]
            lines += [
                "links:",
                f"  - {{kind: rail, source: {{person: a test}}, path: {rail!r}}}",
                f"  - {{kind: road, source: {{person: a test}}, path: {road!r}}}",
            ]
        return "\n".join(lines) + "\n"

    def map_file(self, known: bool = True) -> MapFile:
        groups = [
            (kind, [hex for hex, own in self.ground.items() if own == kind])
            for kind in ("rough", "mountain", "full-sea")
        ]
        return read_map_text(self.yaml(*groups, known=known))

    def charts(self) -> Charts:
        charts = Charts()
        rows = {row: [hex for hex in self.grid.numbers if int(hex[2:]) in row] for row in (range(1, 8), range(8, 14))}
        take(charts, "regions", {
            "North of the Weather Line": rows[range(1, 8)], "Between the lines": rows[range(8, 14)],
            "South of the 38th Parallel": [hex for hex in self.grid.numbers if int(hex[2:]) >= 14],
            "Hungnam": [PORT], "Seoul": ["0816"], "Inchon": ["0717"], "Pyongyang": ["0411"],
        })  # fmt: skip
        take(charts, "road", {"Communist": 0.5, "UN division": 0.5, "UN other": 0.25})
        take(charts, "drm", DRM)
        take(charts, "crt", {column: {n: self.cell(column, n) for n in range(-3, 16)} for column in COLUMN})
        take(charts, "infiltration", INFILTRATION)
        take(charts, "surprise_table", SURPRISE)
        return charts

    @staticmethod
    def cell(column: str, total: int) -> str:
        """A combat table of our own."""
        shift = COLUMN.index(column)
        return "D" if total <= shift - 2 else "NR" if total <= shift + 2 else "-"

    # --- who is where

    def at(self, hex: str, side: str | None = None) -> list[Man]:
        return [man for man in self.men.values() if man.hex == hex and side in (None, man.side)]

    def here(self, side: str) -> list[Man]:
        """The combat units of a side on the map."""
        return [man for man in self.men.values() if man.side == side and man.hex and not man.kind]

    @staticmethod
    def foe(side: str) -> str:
        return UN if side == COM else COM

    def land(self, hex: str) -> bool:
        return self.ground[hex] != "full-sea"

    def held(self, hex: str, side: str) -> bool:
        """By enemies that bar the hex."""
        return any(man.kind not in ("guerrilla", "naval") for man in self.at(hex, self.foe(side)))

    def has_zone(self, men: Iterable[Man]) -> bool:
        able = [man for man in men if not man.tired and man.kind in ("", *(() if self.deluxe else ("naval",)))]
        weak = [man for man in able if self.deluxe and (man.nation, man.size) in WEAK]
        return len(able) > len(weak) or len(able) > 1

    def zone(self, hex: str, side: str) -> bool:
        """Is a hex in a zone of control of this side's enemies?"""
        return any(self.has_zone(self.at(other, self.foe(side))) for other in self.grid.neighbours(hex))

    def room(self, hex: str, men: Iterable[Man]) -> bool:
        """Would these fit with who is there?"""
        group = {man.name: man for man in (*self.at(hex), *men) if not man.kind}
        own = [man for man in group.values() if man.side == next(iter(men)).side]
        if not own:
            return True
        if own[0].side == COM:
            return len(own) <= 3 or (len({man.army for man in own}) == 1 and bool(own[0].army))
        load = sum({"division": 9, "regiment": 3, "brigade": 3, "battalion": 1}[man.size] for man in own)
        return load <= (27 if all(man.nation == "ROK" for man in own) else 18)

    # --- moving

    def pay(self, man: Man, here: str, there: str) -> Fraction:
        """What a step costs: by road, or by the ground."""
        cost = Fraction(COST[self.ground[there]])
        if {here[2:], there[2:]} == {f"{ROAD_ROW:02d}"}:
            rate = Fraction(1, 2) if man.side == COM or man.size == "division" else Fraction(1, 4)
            cost = min(cost, rate)
        return cost

    def reach(self, man: Man) -> dict[str, tuple[Fraction, list[str]]]:
        """Every hex that a unit can march to, with cost and path; it stops where it meets a zone of control."""
        assert man.hex
        best: dict[str, tuple[Fraction, list[str]]] = {man.hex: (Fraction(0), [man.hex])}
        queue = [man.hex]
        while queue:
            here = queue.pop(0)
            spent, path = best[here]
            if here != man.hex and self.zone(here, man.side):
                continue
            for there in self.grid.neighbours(here):
                if not self.land(there) or self.held(there, man.side):
                    continue
                if man.side == COM and not self.room(there, [man]):
                    continue
                cost = spent + self.pay(man, here, there)
                if cost <= man.move and (there not in best or cost < best[there][0]):
                    best[there] = (cost, [*path, there])
                    queue.append(there)
        del best[man.hex]
        return best

    def retreats(self, man: Man, away: set[str], phasing: str) -> list[str]:
        """Where a retreat of two hexes may end."""
        assert man.hex

        def open_to(hex: str) -> bool:
            if not self.land(hex) or self.held(hex, man.side) or not self.room(hex, [man]):
                return False
            friends = [one for one in self.at(hex, man.side) if one.name not in away and not one.kind]
            if not self.deluxe:
                return (man.side == COM and phasing == UN) or not self.zone(hex, man.side)
            if man.side == UN:
                return any(one.nation in ("US", "UK") for one in friends) or not self.zone(hex, man.side)
            near = [self.at(other, UN) for other in self.grid.neighbours(hex)]
            if friends:
                near = [[one for one in stack if one.nation in ("US", "UK")] for stack in near]
            return not any(self.has_zone(stack) for stack in near)

        found = set()
        for over in filter(open_to, self.grid.neighbours(man.hex)):
            found |= {
                goal for goal in self.grid.neighbours(over) if self.grid.distance(man.hex, goal) == 2 and open_to(goal)
            }
        return sorted(found)

    def zone_cost(self, hex: str) -> int:
        row = int(hex[2:])
        return (1 if row < 8 else 2 if row < 14 else 3) if self.deluxe else 1


WEAK = {("US", "battalion"), ("ROK", "regiment"), ("ROK", "battalion")}


def odds(value: Fraction) -> str:
    """The column that odds are read in."""
    fitting = [column for column in COLUMN if Fraction(*map(int, column.split("-"))) <= value]
    return fitting[-1] if fitting else COLUMN[0]


@dataclass
class Log:
    """What a log shows of all that."""

    steps: list[Step] = field(default_factory=list)

    def do(self, *events: Event) -> int:
        self.steps.append(Step(len(self.steps) + 1, events))
        return len(self.steps)

    def move(self, man: Man, hex: str | None) -> int:
        here, there = (Place(MAIN, hex=at) if at else Place(BOX) for at in (man.hex, hex))
        man.hex = hex
        return self.do(Moved(man.name, man.name, here, there))

    def turn(self, man: Man, tired: bool) -> int:
        old, new = ("2", "1") if man.tired else ("1", "2")
        man.tired = tired
        return self.do(Changed(man.name, man.name, (("Step_Level", old, new),)))

    def say(self, text: str) -> int:
        return self.do(Chat(f"<Ann> - {text}", "Ann"))

    def roll(self, *dice: int) -> int:
        return self.do(Rolled(dice, 6, f"{len(dice)}d6"))

    def click(self, turn: str, phase: str) -> int:
        return self.do(Turn("Turn", (("TurnNo", turn), ("Phase", phase))))


def pieces(table: Table) -> list[Piece]:
    """The counters as the log opens."""
    return [
        Piece(man.name, man.name, Place(MAIN, hex=man.hex) if man.hex else Place(BOX), man.marks())
        for man in table.men.values()
    ]
