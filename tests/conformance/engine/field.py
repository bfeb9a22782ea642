"""A battle on open ground, as an honest player sees it: who is where, how far each may go, where it may retreat.

Written from the rulebook for the tests alone, apart from the referee's own search, so that each checks the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from korean_battles_play import faces_of, unit_marks

from referee.games.korean_battles import facts
from referee.table.maps import wide_grid

Face = tuple[int, int, int]
LARGE = ("regiment", "brigade", "division")


@dataclass
class Counter:
    """A unit and the side of it that shows, 0 for the full one."""

    name: str
    side: str
    size: str
    kind: str
    mobile: bool
    division: str
    faces: list[Face]
    down: int = 0

    @property
    def face(self) -> Face:
        return self.faces[min(self.down, len(self.faces) - 1)]

    @property
    def attack(self) -> int:
        return self.face[0]

    @property
    def defense(self) -> int:
        return self.face[1]

    @property
    def reach(self) -> int:
        return self.face[2]

    @property
    def large(self) -> bool:
        return self.size in LARGE

    @property
    def last(self) -> bool:
        """Does one more loss remove it?"""
        return self.down + 1 >= len(self.faces)


@dataclass
class Field:
    """The table. Everything is clear, without roads and rivers."""

    battle: str
    where: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.scenario = facts.scenario(self.battle)
        self.grid = wide_grid(facts.GAME, self.scenario.map)
        self.turn = 1
        self.rivers: set[frozenset[str]] = set()  # hexsides, named by their two hexes
        self.lost: set[str] = set()  # sources of supply that the enemy has been in
        self.counters = {
            name: Counter(
                name, marks["Side"], marks.get("Size", ""), marks.get("Type", ""), marks["Class"] == "mobile",
                marks.get("Division", ""), faces_of(self.scenario, name),
            )
            for name, marks in unit_marks(self.scenario).items()
        }  # fmt: skip

    def put(self, name: str, hex: str) -> None:
        """Move a unit."""
        self.where[name] = hex
        for side, told in self.scenario.supply.items():
            if side != self.counters[name].side and hex in told.get("until_occupied", ()):
                self.lost.add(hex)

    def units(self, side: str) -> list[Counter]:
        return [self.counters[name] for name in self.where if self.counters[name].side == side]

    def enemy(self, side: str) -> str:
        return self.scenario.enemy(side)

    def at(self, hex: str) -> list[Counter]:
        return [self.counters[name] for name, here in self.where.items() if here == hex]

    def has_zone(self, unit: Counter) -> bool:
        if unit.name == "31/7" and self.battle == "chosin-few" and self.turn < 2:
            return False
        return unit.large and not unit.kind

    def zone(self, side: str) -> set[str]:
        """The hexes in enemy zones of control."""
        foes = (unit for unit in self.units(self.enemy(side)) if self.has_zone(unit))
        return {hex for unit in foes for hex in self.grid.neighbours(self.where[unit.name])}

    def held(self, side: str) -> set[str]:
        return {self.where[unit.name] for unit in self.units(side)}

    def fits(self, name: str, hex: str) -> bool:
        """May the unit stay there?"""
        there = [unit for unit in self.at(hex) if unit.name != name]
        unit = self.counters[name]
        if any(other.side != unit.side for other in there) or len(there) > 1:
            return False
        if not there:
            return True
        pair = (unit, there[0])
        if unit.division and unit.division == there[0].division:
            return False
        big, small = sum(one.large for one in pair), sum(one.size == "battalion" for one in pair)
        return big < 2 and big + small > 0

    def paths(self, name: str, zones: bool = True) -> dict[str, list[str]]:
        """Every hex that the unit may end a move in, and a way to it (5.1.1, 5.1.2), or as if there were no zones."""
        unit, start = self.counters[name], self.where[name]
        zone, foes = self.zone(unit.side) if zones else set(), self.held(self.enemy(unit.side))
        found: dict[str, list[str]] = {}
        spent = {start: 0}
        queue = [[start]]
        for path in queue:
            here = path[-1]
            if not unit.mobile and here in zone and len(path) > 1:
                continue  # a leg unit stops
            for there in self.grid.neighbours(here):
                if there in foes:
                    continue
                cost = 1
                if here in zone and there in zone:
                    if unit.mobile:
                        cost += unit.reach // 2
                    elif len(path) == 1:
                        found.setdefault(there, [here, there])  # the whole move
                        continue
                    else:
                        continue
                total = spent[here] + cost
                if total <= unit.reach and total < spent.get(there, 99):
                    spent[there] = total
                    found[there] = [*path, there]
                    queue.append([*path, there])
                    queue.sort(key=lambda way: spent[way[-1]])
        return {hex: path for hex, path in found.items() if hex != start and self.fits(name, hex)}

    def retreats(self, name: str, length: int, causes: list[str]) -> list[list[str]]:
        """Ways to retreat that keep to every reading of 7.7: by vacant hexes, out of zones, away from each cause."""
        unit, start = self.counters[name], self.where[name]
        zone = self.zone(unit.side)
        ways = [[start]]
        for step in range(1, length + 1):
            ways = [
                [*way, there]
                for way in ways
                for there in self.grid.neighbours(way[-1])
                if self.grid.distance(start, there) == step and there not in zone and not self.at(there)
            ]
        return [
            way
            for way in ways
            if all(self.grid.distance(way[-1], cause) > self.grid.distance(start, cause) for cause in causes)
        ]

    def trapped(self, name: str) -> bool:
        """Is there not even one hex to retreat to, by any reading?"""
        unit = self.counters[name]
        zone, foes = self.zone(unit.side), self.held(self.enemy(unit.side))
        return all(hex in zone or hex in foes for hex in self.grid.neighbours(self.where[name]))

    def strength(self, name: str) -> int:
        """What a unit attacks with: half, rounded up, without supply (10.4)."""
        attack = self.counters[name].attack
        return attack if self.supplied(name) else (attack + 1) // 2

    def supplied(self, name: str) -> bool:
        """A line of supply by any hexes, mountains and rivers there are none (10.0). Depots are taken to be near."""
        unit = self.counters[name]
        if self.scenario.supply[unit.side].get("depots"):
            return True
        told = self.scenario.supply[unit.side]
        source = {*told.get("hexes", ()), *(set(told.get("until_occupied", ())) - self.lost)}
        if self.where[name] in source:
            return True
        zone, foes, own = self.zone(unit.side), self.held(self.enemy(unit.side)), self.held(unit.side)
        seen = {self.where[name]}
        queue = [self.where[name]]
        for here in queue:
            for there in self.grid.neighbours(here):
                if there in seen or there in foes or (there in zone and there not in own):
                    continue
                if there in source:
                    return True
                seen.add(there)
                queue.append(there)
        return False

    def row(self, attackers: list[str], target: str) -> str:
        """The line of the table: a river counts where every attacker is across it (7.4)."""
        across = all(frozenset((self.where[name], target)) in self.rivers for name in attackers)
        return "river" if attackers and across else "clear"

    def result(self, attack: int, defense: int, die: int, row: str = "clear") -> str:
        """The table's answer, on open ground unless told otherwise; rivers are frozen on the Chosin map."""
        table = facts.table(self.scenario.crt)
        line = row if row != "river" else "frozen-river" if self.scenario.crt == "B" else "minor-river"
        return table.result(table.column(line, attack - defense), die)


def is_way(field: Field, path: list[str]) -> bool:
    """Do the hexes of a path touch?"""
    return all(field.grid.touch(one, other) for one, other in pairwise(path))
