"""A full turn of a battle in which the rules are broken in many ways, each in its own corner of the map."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from field import Field
from honest import AnyTable, Attack, Honest

Foul = Callable[[int, str], None]


@dataclass(frozen=True)
class Cast:
    """Who plays which part: leg units of either side, the mobile ones, headquarters, and who waits off the map."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    mobile: tuple[str, ...]  # of the second player
    headquarters: tuple[str, str]
    early: tuple[str, str]  # a reinforcement of a later turn, and its hex
    extra: tuple[str, str]  # a unit of the set-up that does not arrive, and a hex
    waiting: tuple[str, ...] = ()


CASTS = {
    "chosin-few": Cast(
        tuple(f"{division}/{n}" for n in (1, 2) for division in (58, 59, 60, 79, 80, 81, 89, 76, 77)),
        ("5/1M", "7/1M", "1/1M", "32/7", "15/3", "65/3", "7/3", "31/7"),
        ("Mar",), ("HQ 20", "HQ 1M"), ("17/7", "1301"), ("HQ 27", "0407"), ("41",),
    ),
    "inchon-seoul": Cast(
        ("1/1M", "5/1M", "32/7", "31/7", "1KM", "7/3", "17", "7/1M", "17/7"),
        ("31", "226", "Seoul", "18/1", "18/22", "18/70", "9/87", "9/85"),
        ("42/1",), ("HQ 1M", "10 RR"), ("25", "1701"), ("877", "0906"), ("187",),
    ),
    "pusan": Cast(
        ("12", "15", "2", "4", "13", "766", "10", "7", "9"),
        ("5/1M", "Cap", "1", "24/25", "35/25", "34/24", "21/24", "19/24"),
        ("70",), ("NK HQ 1", "HQ 25"), ("72", "0216"), ("27/25", "0205"), ("16",),
    ),
}  # fmt: skip
SYMBOL = "2501"
CHARTS = f"options: {{mobile_ezoc_surcharge: direct}}\nsupply_symbols: ['{SYMBOL}']\n"
CENTRES = [f"{column:02d}{row:02d}" for row in (3, 8, 13) for column in (3, 9, 15)]


@dataclass
class Planted:
    """What was done against the rules: step and catalogue id."""

    fouls: list[tuple[int, str]] = field(default_factory=list)
    botched: set[int] = field(default_factory=set)  # steps that apply half a result: where no terrain tells which

    def __call__(self, step: int, id: str) -> None:
        self.fouls.append((step, id))

    @property
    def ids(self) -> set[str]:
        return {id for _, id in self.fouls}


class Prosecution(Honest):
    """Sets up the corners, breaks the rules in them, and tells each time what was broken."""

    def __init__(self, table: AnyTable, field: Field, foul: Planted) -> None:
        super().__init__(table, field, random.Random(1))
        self.foul = foul
        self.cast = CASTS[field.battle]
        self.sides = field.scenario.sides
        self.owed: list[str] = []  # left undone: seen when the next combat is called out

    # --- finding a place

    def beside(self, hex: str, direction: int = 0) -> str:
        return self.field.grid.neighbours(hex)[direction]

    def lonely(self, hex: str, name: str) -> bool:
        """Is nobody else in or next to a hex?"""
        near = (unit.name for one in (hex, *self.field.grid.neighbours(hex)) for unit in self.field.at(one))
        return all(other == name for other in near)

    def far(self, name: str, distance: int) -> str:
        """A lonely hex so far from a unit, along a way that passes nobody."""
        here = self.field.where[name]
        grid = self.field.grid
        others = [hex for other, hex in self.field.where.items() if other != name]
        free = [hex for hex in grid.numbers if grid.distance(here, hex) == distance and not self.field.at(hex)]
        found = [hex for hex in free if self.lonely(hex, name)] or free
        return max(found, key=lambda hex: min(grid.distance(hex, other) for other in others))

    def drag(self, name: str, hex: str, *ids: str) -> int:
        """Move a unit against the rules."""
        self.field.put(name, hex)
        step = self.t.move(name, hex)
        for id in ids:
            self.foul(step, id)
        return step

    def call(self, text: str, *ids: str) -> int:
        step = self.t.say(text)
        due = list(ids)
        if text.startswith(("@attack", "@bombard")):
            due += self.owed
            self.owed = []
        for id in due:
            self.foul(step, id)
        return step

    def later(self, id: str) -> None:
        self.owed.append(id)

    # --- the turn

    def play(self) -> None:
        one, two = self.sides
        self.t.to(one, "movement")
        self.first_movement()
        self.local_movement(one)
        self.t.to(one, "combat")
        self.first_combat()
        self.local_combat(one)
        self.t.to(one, "mobile-movement")
        self.drag(self.walker, self.far(self.walker, 1), "SEQ-LEG-IN-MOBILE-MOVE")
        self.t.to(one, "mobile-combat")
        self.call(f"@attack {self.cast.first[3]} -> {self.corner(5)}", "SEQ-LEG-IN-MOBILE-COMBAT")
        self.t.to(two, "movement")
        self.second_movement()
        self.local_movement(two)
        self.t.to(two, "combat")
        self.second_combat()
        self.local_combat(two)
        self.t.to(two, "mobile-movement")
        (tank,) = self.cast.mobile
        self.drag(tank, self.far(tank, 1), "SEQ-MOBILE-MOVED-TWICE")
        self.t.to(two, "rebuild")
        if self.field.battle == "chosin-few":
            self.turn_up(two, "RB-CHOSIN")
        self.t.to(one, "movement")  # of the next turn
        self.drag(self.walker, self.far(self.walker, 1))
        self.t.to(one, "combat")

    def corner(self, n: int) -> str:
        return CENTRES[n]

    @property
    def walker(self) -> str:
        return self.cast.first[5]

    def first_movement(self) -> None:
        cast = self.cast
        _, stacker, intruder, hasty = cast.first[5:9]
        away = self.far(self.walker, self.field.counters[self.walker].reach + 1)
        self.drag(self.walker, away, "MOVE-OVER-MA")
        self.drag(stacker, away, "MOVE-DIST-BOUND", "STACK-TWO-LARGE")
        self.drag(intruder, self.corner(5), "MOVE-ENEMY-HEX")
        barred = set(self.field.paths(hasty, zones=False)) - set(self.field.paths(hasty))
        self.drag(hasty, max(barred), "MOVE-ZOC-LEG-NO-STOP")
        enemy = cast.second[7]
        self.drag(enemy, self.far(enemy, 1), "SEQ-MOVE-WRONG-PLAYER")
        name, hex = cast.early
        if self.field.counters[name].side == self.sides[0]:
            self.drag(name, hex, "REINF-EARLY")
        name, hex = cast.extra
        if self.field.counters[name].side == self.sides[0]:
            self.drag(name, hex, "REINF-EXTRA")
        own = cast.headquarters[0]
        self.go(own, self.far(own, 1))

    def second_movement(self) -> None:
        name, hex = self.cast.early
        if self.field.counters[name].side == self.sides[1]:
            self.drag(name, hex, "REINF-EARLY")
        name, hex = self.cast.extra
        if self.field.counters[name].side == self.sides[1]:
            self.drag(name, hex, "REINF-EXTRA")
        (tank,) = self.cast.mobile
        self.go(tank, self.far(tank, 2))

    def second_combat(self) -> None:
        attacker = self.cast.second[7]
        target = self.field.where[self.cast.first[0]]
        self.call(f"@attack {attacker} -> {target}", "CMB-NOT-ADJACENT")

    # --- what only one battle forbids

    def local_movement(self, side: str) -> None:
        """Bridges off their map, Kimpo not taken, the cadre of 1206, a third Air Supply, rebuilding in mid-turn."""
        if side != "UN":
            return
        if self.field.battle == "chosin-few":
            self.drag("Army Cadre", "1207", "MOVE-CADRE-T1")
        elif self.field.battle == "inchon-seoul":
            self.drag("187", "0805", "REINF-187-CONDITION")
            self.call("@bridge 0904 0905", "ENG-RANGE")
        if self.field.battle != "inchon-seoul":
            self.call("@bridge 1804 1805", "ENG-SCENARIO")
            self.turn_up(side, "RB-TIMING" if self.field.battle == "pusan" else "RB-CHOSIN")
        supplied = [unit.name for unit in self.field.units(side) if unit.large][:3]
        for name, ids in zip(supplied, ((), (), ("AIR-THIRD",)), strict=True):
            self.call(f"@air {name}", *ids)

    def local_combat(self, side: str) -> None:
        """A depot attacks, a bridge is laid amid combat, Air Supply for the enemy."""
        if self.field.battle == "pusan" and side == "NK":
            self.call(f"@attack Depot -> {self.corner(0)}", "CMB-DEPOT-ATTACKS", "CMB-NOT-ADJACENT")
        if self.field.battle == "inchon-seoul" and side == "UN":
            self.call("@bridge 0904 0905", "ENG-PHASE")
            self.call(f"@air {self.cast.second[5]}", "AIR-NOT-UN")

    def turn_up(self, side: str, id: str) -> None:
        """Rebuild a depleted unit, where there is one."""
        for unit in self.field.units(side):
            if unit.down and len(unit.faces) == 2:
                unit.down -= 1
                self.foul(self.t.unflip(unit.name), id)
                return

    # --- the combats

    def markers(self) -> Iterator[str]:
        number = 0
        while True:
            number += 1
            yield f"{self.sides[0]} +9 (no. {number})"

    def first_combat(self) -> None:
        one, two = self.sides
        cast = self.cast
        marker = self.markers()
        self.drag(self.walker, self.far(self.walker, 1), "SEQ-MOVE-WRONG-PHASE")
        self.call(f"@bombard {one} +1 -> {self.corner(4)}", "BOMB-RANGE")
        self.call(f"@bombard {one} +9, {one} +8, {one} +6 -> {self.field.where[cast.second[6]]}", "BOMB-THREE")
        reused = next(marker)
        for n in range(5):
            attacker, target = cast.first[n], self.corner(n)
            attack = self.field.strength(attacker)
            defender = cast.second[n]
            defense = self.field.counters[defender].defense
            self.call(f"@attack {attacker} -> {target}")
            if n == 0:
                self.support(reused, target)
                attack += 9
                self.call("@odds +40", "CMB-WRONG-SUM")
            elif n == 1:
                self.support(reused, target, "SF-REUSE")
                attack += 9
            elif n == 2:
                for ids in ((), (), ("SF-THREE",)):
                    self.support(next(marker), target, *ids)
                    attack += 9
                self.call(f"@wave {attacker}", "HW-LATE" if self.field.battle == "pusan" else "HW-WRONG-SCENARIO")
                attack += self.field.strength(attacker)
            elif n == 3:
                self.support(next(marker), target)
                self.support(next(marker), target)
                attack += 18
                self.support(f"{two} +1 (x)", target)
                self.support(f"{two} +1 (y)", target, "SF-ORDER")
                defense += 2
            die = self.t.roll()
            self.botch(Attack([attacker], [defender], target, self.field.result(attack, defense, die)))
            if n == 2:
                self.later("HW-NO-LOSS")
            if n == 0:
                self.call(f"@attack {attacker} -> {self.corner(1)}", "CMB-UNIT-TWICE")
                self.call(f"@attack {cast.first[2]} -> {self.field.where.get(defender, target)}", "CMB-TARGET-TWICE")
        self.call(f"@attack {cast.second[5]} -> {self.field.where[cast.first[8]]}", "CMB-WRONG-PLAYER")
        self.call(f"@bombard {one} +9 -> {self.field.where[cast.second[5]]}", "SEQ-BOMBARD-LATE")

    def support(self, marker: str, target: str, *ids: str) -> None:
        self.call(f"@support {marker} for {target}", *ids)

    def botch(self, fought: Attack) -> None:
        """Apply the result wrongly, in a way that was not tried yet where there is one."""
        code = fought.code
        (attacker,), (defender,) = fought.attackers, fought.defenders
        if code in ("De", "Ae", "(A)"):
            self.later({"De": "RES-DE-IGNORED", "Ae": "RES-AE-IGNORED", "(A)": "RES-A-LOSS"}[code])
        elif code == "Ex":
            self.foul.botched.add(self.lose(defender))
            self.later("RES-EX-PARTIAL")
        elif code == ".":
            self.foul(self.lose(defender), "RES-DOT-CHANGED")
        elif code[0] == "A" or "RET-NONE" not in self.foul.ids | set(self.owed):
            self.later("RET-NONE")
        else:
            length = int(code[1])
            way = max(self.field.retreats(defender, length, [self.field.where[attacker]]), key=str)
            if "RES-EXCESS" not in self.foul.ids:
                self.field.put(defender, way[-1])
                self.t.move(defender, way[-1])
                self.foul(self.lose(defender), "RES-EXCESS")
            elif "RET-SHORT-NO-LOSS" not in self.foul.ids:
                self.drag(defender, way[1], "RET-SHORT-NO-LOSS")
            else:
                self.field.put(defender, way[-1])
                self.t.move(defender, way[-1])
                self.drag(attacker, self.beside(self.field.where[attacker], 0), "RES-EXCESS")


def set_up(battle: str) -> Field:
    """The corners: in each of the first five an attacker next to a defender, in the others what moves."""
    table = Field(battle)
    cast = CASTS[battle]
    grid = table.grid
    for n in range(5):
        table.where[cast.second[n]] = CENTRES[n]
        table.where[cast.first[n]] = grid.neighbours(CENTRES[n])[0]
    table.where[cast.second[5]] = CENTRES[5]
    ring = [hex for hex in grid.numbers if grid.distance(hex, CENTRES[5]) == 2]
    table.where[cast.first[7]], table.where[cast.first[8]] = ring[0], ring[-1]
    table.where[cast.first[5]] = "0217"
    table.where[cast.first[6]] = "1617"
    table.where[cast.second[6]] = CENTRES[7]
    table.where[cast.headquarters[0]] = grid.neighbours(grid.neighbours(CENTRES[7])[0])[0]
    table.where[cast.second[7]] = CENTRES[6]
    table.where[cast.mobile[0]] = CENTRES[8]
    if battle == "pusan":
        table.where["Depot"] = SYMBOL
    elif battle == "chosin-few":
        table.where["Army Cadre"] = "1206"
    else:
        table.where |= {"Engineer": "1217", "Mar": "0717"}
    return table


def waiting(battle: str) -> tuple[str, ...]:
    """Who lies in the pool."""
    cast = CASTS[battle]
    return (cast.early[0], cast.extra[0], *cast.waiting)
