"""An honest player who leaves nothing out: bombardment, human waves, mobile combat, arrivals, rebuilding, advances."""

from __future__ import annotations

import random

from field import Counter, Field
from honest import AnyTable, Attack, Honest


class Thorough(Honest):
    """Plays player turns with every kind of act in them. Everything is said: phases, attacks, markers, waves."""

    def __init__(self, table: AnyTable, field: Field, dice: random.Random, sloppy: float = 0.0) -> None:
        super().__init__(table, field, dice, sloppy)
        self.fought: set[str] = set()  # attacked in this player turn
        self.done: set[str] = set()  # advanced in it: nothing more
        self.driven_off: set[str] = set()
        self.shelled: set[str] = set()  # hexes bombarded in this game turn
        self.waves = field.battle == "pusan"
        self.way: list[str] = []
        self.codes: list[str] = []
        self.acts: set[str] = set()

    # --- arrivals

    def arrive(self, side: str, waiting: set[str]) -> set[str]:
        """Who is due and whose hex is open comes in, the first of its hex this turn, and stays there."""
        field, came = self.field, set()
        zone, entered = field.zone(side), set()
        for line in field.scenario.units:
            if line.id not in waiting or line.side != side or line.turn is None or line.turn > field.turn:
                continue
            open_hexes = [hex for hex in line.at if hex not in zone and hex not in entered and field.fits(line.id, hex)]
            if open_hexes and not line.depleted and self.dice.random() < 0.7:
                hex = self.dice.choice(open_hexes)
                waiting.discard(line.id)
                entered.add(hex)
                field.put(line.id, hex)
                self.t.move(line.id, hex)
                self.acts.add("arrival")
                came.add(line.id)
        return came

    # --- combat

    def bombard(self, side: str) -> None:
        """A marker on a hex that a headquarters reaches and that was spared so far this turn."""
        field, grid = self.field, self.field.grid
        for target in sorted(field.held(field.enemy(side)) - self.shelled):
            headquarters = [field.where[unit.name] for unit in field.units(side) if unit.kind == "hq"]
            marker, value = self.supported(side)
            reach = min((grid.distance(hex, target) for hex in headquarters), default=99)
            if value < reach or self.dice.random() < 0.5:
                continue
            self.shelled.add(target)
            defenders = field.at(target)
            self.t.say(f"@bombard {marker} -> {target}")
            code = field.result(value, sum(unit.defense for unit in defenders), self.t.roll())
            self.codes.append(code)
            self.acts.add("bombardment")
            self.shatter(side, target, [unit.name for unit in defenders], code)

    def shatter(self, side: str, target: str, defenders: list[str], code: str) -> None:
        """What a bombardment does: a retreat is refused with a step."""
        field = self.field
        if code == "De":
            for name in defenders:
                self.eliminate(name)
        elif code == "Ex":
            self.lose(self.chosen(defenders))
        elif code[0] == "D":
            for name in defenders:
                self.lose(name)
        elif code == "(A)":
            own = sorted(field.units(side), key=lambda unit: field.grid.distance(field.where[unit.name], target))
            far = field.grid.distance(field.where[own[0].name], target)
            near = [unit.name for unit in own if field.grid.distance(field.where[unit.name], target) == far]
            self.lose(self.dice.choice(near))

    def declare(self, attackers: list[str], target: str, words: bool = True) -> Attack:
        """With a human wave, where there are any and the dice say so."""
        field = self.field
        doubled = [name for name in attackers if self._may_surge(field.counters[name])]
        self.fought |= set(attackers)
        if not doubled or self.dice.random() < 0.5:
            self.surging: list[str] = []
            fought = super().declare(attackers, target, words)
        else:
            self.surging = doubled
            self.acts.add("human wave")
            foes = [unit.name for unit in field.at(target)]
            self.t.say(f"@attack {', '.join(attackers)} -> {target}")
            self.t.say(f"@wave {', '.join(doubled)}")
            attack = sum(map(field.strength, attackers)) + sum(map(field.strength, doubled))
            defense = sum(field.counters[name].defense for name in foes)
            self.t.say(f"@odds {attack - defense:+d}")
            fought = Attack(attackers, foes, target, field.result(attack, defense, self.t.roll()))
        self.codes.append(fought.code)
        return fought

    def _may_surge(self, unit: Counter) -> bool:
        return self.waves and unit.side == "NK" and len(unit.faces) > 1 and not unit.down

    def apply(self, fought: Attack) -> None:
        super().apply(fought)
        for name in self.surging:
            if name in self.field.where:
                self.lose(name)

    def defeat(self, fought: Attack, length: int) -> None:
        """Attackers go after the defenders, one to a hex of the way."""
        field = self.field
        causes = [field.where[name] for name in fought.attackers]
        ways = [self.driven(name, length, causes) for name in fought.defenders]
        if not all(ways) or len(ways) != 1:
            return
        (way,) = ways
        assert way is not None
        free = [hex for hex in way[:-1] if not field.at(hex)]
        for name in self.dice.sample(fought.attackers, len(fought.attackers)):
            if free and self.dice.random() < 0.6:
                self.advanced(name, free.pop(self.dice.randrange(len(free))))
                self.done.add(name)
                self.acts.add("advance")

    def combat(self, side: str, barred: set[str], mobile: bool = False) -> None:
        supplied = {unit.name for unit in self.field.units(side) if not mobile or self.field.supplied(unit.name)}
        idle = {unit.name for unit in self.field.units(side)} - supplied
        before = len(self.codes)
        super().combat(side, barred | idle, mobile)
        if mobile and len(self.codes) > before:
            self.acts.add("mobile combat")

    # --- the end of a player turn

    def rebuild(self, side: str) -> None:
        """A depleted UN unit in supply and away from the enemy, no Marines; of the enemy's supply no map here tells."""
        field = self.field
        near = {hex for foe in field.held(field.enemy(side)) for hex in field.grid.neighbours(foe)}
        for unit in field.units(side):
            fit = unit.down == 1 and len(unit.faces) == 2 and not unit.name.endswith("1M")
            if fit and side == "UN" and field.where[unit.name] not in near and field.supplied(unit.name):
                unit.down = 0
                self.t.say(f"{unit.name} gets replacements")  # a flip turned back without a word is an undo
                self.t.unflip(unit.name)
                self.acts.add("rebuild")
                return
