"""A full turn of a battle by the rules, with everything in it: roads and rivers, stacks, arrivals, support, results."""

from __future__ import annotations

import random

from field import Field
from foul_play import CASTS, CENTRES
from honest import AnyTable, Attack, Honest

ARRIVALS = {"chosin-few": ("41", "1903", 1), "inchon-seoul": ("ROK 2-2-4", "0108", 2), "pusan": ("23/2", "0216", 1)}
MARKERS = (2, 4, 9)
"""The values of the support markers that each side has in its pool."""


def row(field: Field, number: int) -> list[str]:
    """Hexes of a row from west to east, each touching the one before."""
    return [f"{column:02d}{number:02d}" for column in range(1, 17)]


def rich_map(field: Field) -> str:
    """Clear ground with a road along row 17, a river east of 1617 and before the fourth corner, and a hill beyond."""
    grid = field.grid
    road = ", ".join(f'"{hex}"' for hex in row(field, 17))
    bank = next(hex for hex in grid.neighbours("1617") if hex.startswith("17"))
    ford = f"['{CENTRES[3]}', '{field.where[CASTS[field.battle].first[3]]}']"
    return (
        f"version: 1\nname: {field.battle}\ngame: korean-battles\n"
        f"grid: {{columns: {grid.columns}, rows: {grid.rows}}}\n"
        "complete: [hexsides, links]\ndefault_terrain: {kind: clear, source: {person: a test}}\n"
        "terrain:\n  - {kind: hill, source: {person: a test}, hexes: ['1716']}\n"
        f"links:\n  - {{kind: road, source: {{person: a test}}, path: [{road}]}}\n"
        f"hexsides:\n  - {{kind: river, source: {{person: a test}}, between: [['1617', '{bank}'], {ford}]}}\n"
    )


class Defence(Honest):
    """Plays a turn by the rules with every part in use."""

    def __init__(self, table: AnyTable, field: Field) -> None:
        super().__init__(table, field, random.Random(7))
        self.cast = CASTS[field.battle]
        self.sides = field.scenario.sides
        field.rivers.add(frozenset((CENTRES[3], field.where[self.cast.first[3]])))
        self.codes: list[str] = []
        self.mobile_fights = 0

    def play(self) -> None:
        one, two = self.sides
        self.t.to(one, "movement")
        self.first_movement()
        self.arrive(one, 1)
        self.t.to(one, "combat")
        self.bombard()
        for n in range(5):
            self.corner_fight(n)
        self.mobile_phases(one)
        self.t.to(one, "rebuild")
        self.rebuild(one)
        self.t.to(two, "movement")
        self.arrive(two, 1)
        for name in self.cast.second[5:8]:
            paths = self.field.paths(name)
            hex = max(paths, key=lambda there: (self.field.grid.distance(there, self.field.where[name]), there))
            self.go(name, hex, paths[hex])
        self.t.to(two, "combat")
        headquarters = {unit.name for unit in self.field.units(two) if unit.kind}
        self.combat(two, headquarters)
        self.mobile_phases(two)
        self.t.to(two, "rebuild")
        self.rebuild(two)
        self.t.to(None, "turn-end")
        self.field.turn = 2
        self.t.to(one, "movement")
        self.arrive(one, 2)

    def mobile_phases(self, side: str) -> None:
        """The side's tanks go up to an enemy and attack him; of the North Koreans' supply no map here tells."""
        self.t.to(side, "mobile-movement")
        if "depots" in self.field.scenario.supply[side]:
            return
        field, tanks = self.field, []
        for unit in field.units(side):
            foes = field.held(field.enemy(side))
            paths = field.paths(unit.name) if unit.mobile and field.supplied(unit.name) and unit.attack else {}
            near = [hex for hex in sorted(paths) if any(field.grid.touch(hex, foe) for foe in foes)]
            if near or paths:
                self.go(unit.name, (near or sorted(paths))[-1])
                tanks.append(unit.name)
        self.t.to(side, "mobile-combat")
        for name in tanks:
            targets = [foe for foe in sorted(field.held(field.enemy(side))) if field.grid.touch(field.where[name], foe)]
            if targets and field.supplied(name):
                fought = self.fight([name], targets[0])
                self.codes.append(fought.code)
                self.mobile_fights += 1

    def first_movement(self) -> None:
        walker, other, *_ = self.cast.first[5:9]
        reach = self.field.counters[walker].reach
        road = row(self.field, 17)
        start = road.index(self.field.where[walker])
        self.put(walker, road[start + 2 * reach])  # half a point each
        bank = next(hex for hex in self.field.grid.neighbours("1617") if hex.startswith("17"))
        self.t.move(other, "1516")  # dropped in the wrong place
        self.t.move(other, "1617")
        self.put(other, bank)  # over the river
        own = self.cast.headquarters[0]
        friends = [unit.name for unit in self.field.units(self.sides[0]) if unit.large]
        stack = [self.field.where[name] for name in friends if self.field.where[name] in self.field.paths(own)]
        for hex in stack[:1] or [max(self.field.paths(own))]:
            self.put(own, hex)

    def put(self, name: str, hex: str) -> None:
        self.field.put(name, hex)
        self.t.move(name, hex)

    def arrive(self, side: str, turn: int) -> None:
        name, hex, when = ARRIVALS[self.field.battle]
        if self.field.counters[name].side == side and when == turn:
            self.put(name, hex)

    def bombard(self) -> None:
        """A marker on the lone defender that the headquarters reaches; a retreat is refused with a step."""
        side = self.sides[0]
        target = self.field.where[self.cast.second[6]]
        (defender,) = self.field.at(target)
        self.t.say(f"@bombard {side} +9 -> {target}")
        code = self.field.result(9, defender.defense, self.t.roll())
        self.codes.append(code)
        if code == "De":
            self.eliminate(defender.name)
        elif code == "Ex" or code[0] == "D":
            self.lose(defender.name)
        elif code == "(A)":
            own = self.field.units(side)
            self.lose(min(own, key=lambda unit: self.field.grid.distance(self.field.where[unit.name], target)).name)

    def corner_fight(self, n: int) -> None:
        """One corner: with markers laid beside the target, called out, or none, so that every kind of result comes."""
        attacker, defender, target = self.cast.first[n], self.cast.second[n], CENTRES[n]
        if attacker not in self.field.where or defender not in self.field.where:
            return
        attack, defense = self.field.strength(attacker), self.field.counters[defender].defense
        one, two = self.sides
        self.t.say(f"@attack {attacker} -> {target}")
        if n == 0:
            attack += self.lay(one, 4, target)
            defense += self.lay(two, 2, target)
        elif n in (1, 2):
            self.t.say(f"@support {one} +9 ({n}) for {target}")
            self.t.say(f"@support {one} +8 ({n}) for {target}")
            attack += 17
        elif n == 3:
            self.t.say(f"@pass {one}")
            self.t.say(f"@support {two} +9 ({n}) for {target}")
            defense += 9
        wave = n == 4 and self.field.battle == "pusan"
        if wave:
            self.t.say(f"@wave {attacker}")
            attack *= 2
        self.t.say(f"@odds {attack - defense:+d}")
        code = self.field.result(attack, defense, self.t.roll(), self.field.row([attacker], target))
        self.codes.append(code)
        if n == 0:
            self.t.off(f"{one} +4")
            self.t.off(f"{two} +2")
        self.apply(Attack([attacker], [defender], target, code))
        if wave and attacker in self.field.where:
            self.lose(attacker)

    def lay(self, side: str, value: int, target: str) -> int:
        """A support marker from the pool into the target's hex."""
        self.t.move(f"{side} +{value}", target)
        return value

    def rebuild(self, side: str) -> None:
        """The first depleted UN unit away from the enemy, no Marines; the enemy's supply no map here tells."""
        if side != "UN" or not self.field.scenario.rules["rebuild"]:
            return
        near = {hex for foe in self.field.held(self.field.enemy(side)) for hex in self.field.grid.neighbours(foe)}
        for unit in self.field.units(side):
            place = self.field.where[unit.name]
            if unit.name.endswith("1M"):
                continue
            if unit.down and len(unit.faces) == 2 and place not in near and self.field.supplied(unit.name):
                unit.down = 0
                self.t.unflip(unit.name)
                return


def waiting_fair(field: Field) -> list[str]:
    """Who lies in the pool: the arrival, and the support markers of both sides."""
    return [ARRIVALS[field.battle][0], *(f"{side} +{value}" for side in field.scenario.sides for value in MARKERS)]


FAIR_CHARTS = "hexsides: {minor-river: 1, frozen-river: 1}\nterrain: {hill: 2}\n"
