"""A player who keeps the rules and is careless about everything else: drags twice, types wrong, clicks late."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from field import Counter, Field


class AnyTable(Protocol):
    """The engine's table or one on paper."""

    step: int

    def move(self, name: str, hex: str) -> int: ...

    def kill(self, name: str) -> int: ...

    def off(self, name: str) -> int: ...

    def flip(self, name: str) -> int: ...

    def unflip(self, name: str) -> int: ...

    def say(self, text: str) -> int: ...

    def roll(self) -> int: ...

    def to(self, side: str | None, phase: str) -> int: ...


@dataclass
class Attack:
    """A combat: who, where, and what the die made of it."""

    attackers: list[str]
    defenders: list[str]
    target: str
    code: str = "."


TALK = (
    "good luck", "phew, 3-1 is my favourite", "movement phase was long", "attack is the best defence, +2 for style",
    "brb", "should I attack 0710? no", "your move soon", "combat? not yet", "what a turn 3 that will be",
)  # fmt: skip


class Honest:
    """Plays both sides by the rules. `sloppy` is how often a habit shows, from 0 to 1."""

    def __init__(self, table: AnyTable, field: Field, dice: random.Random, sloppy: float = 0.0) -> None:
        self.t = table
        self.field = field
        self.dice = dice
        self.sloppy = sloppy
        self.marker = 0
        self.pause: Callable[[], None] = lambda: None  # between the die and its result

    def often(self, share: float = 1.0) -> bool:
        return self.dice.random() < self.sloppy * share

    def talk(self) -> None:
        if self.often(0.3):
            self.t.say(self.dice.choice(TALK))

    # --- movement

    def go(self, name: str, hex: str, path: list[str] | None = None) -> int:
        """Drag a unit to a hex, perhaps in two drags, perhaps first to the wrong place."""
        here = self.field.where[name]
        if self.often(0.15):
            wrong = self.dice.choice([one for one in self.field.grid.numbers if not self.field.at(one)])
            self.t.move(name, wrong)
            self.t.move(name, here)
        if path is not None and len(path) > 2 and self.often(0.3):
            self.t.move(name, self.dice.choice(path[1:-1]))
        if self.often(0.1):
            self.t.say("hm, let me see")
        self.field.put(name, hex)
        return self.t.move(name, hex)

    def movement(self, side: str, mobile: bool = False, moved: set[str] | None = None) -> set[str]:
        """Any number of units, each as far as it may go."""
        done: set[str] = set()
        own = [
            unit for unit in self.field.units(side) if not mobile or (unit.mobile and unit.name not in (moved or ()))
        ]
        for unit in self.dice.sample(own, self.dice.randint(0, len(own))):
            if unit.kind == "cadre" or (mobile and not self.field.supplied(unit.name)):
                continue
            paths = self.field.paths(unit.name)
            if paths:
                hex = self.dice.choice(sorted(paths))
                self.go(unit.name, hex, paths[hex])
                done.add(unit.name)
                self.talk()
        return done

    # --- combat

    def attacks(self, side: str, barred: set[str], mobile: bool = False) -> list[list[str]]:
        """Attacks that may be made, each unit in one of them at most: attackers, then the target."""
        field = self.field
        free = [
            unit
            for unit in field.units(side)
            if unit.kind != "depot" and unit.name not in barred and (not mobile or unit.mobile)
        ]
        self.dice.shuffle(free)
        found: list[list[str]] = []
        used: set[str] = set()
        for target in sorted(field.held(field.enemy(side))):
            near = [u.name for u in free if u.name not in used and field.grid.touch(field.where[u.name], target)]
            if near and self.dice.random() < 0.6:
                chosen = near[: self.dice.randint(1, len(near))]
                used |= set(chosen)
                found.append([*chosen, target])
        return found

    def supported(self, side: str) -> tuple[str, int]:
        """A support marker of its own name and its value."""
        self.marker += 1
        value = self.dice.randint(1, 6)
        return f"{side} +{value} ({self.marker})", value

    def declare(self, attackers: list[str], target: str, words: bool = True) -> Attack:
        field, t = self.field, self.t
        side = field.counters[attackers[0]].side
        foes = [unit.name for unit in field.at(target)]
        names = ", ".join(attackers)
        if self.often(0.1):
            t.say(f"@attack {attackers[0]} -> {field.where[attackers[0]]}")  # a slip of the finger
        t.say(f"@attack {names} -> {target}")
        attack = sum(map(field.strength, attackers))
        defense = sum(field.counters[name].defense for name in foes)
        early = attack - defense
        for who in (side, field.enemy(side)):
            if self.dice.random() < 0.4:
                marker, value = self.supported(who)
                t.say(f"@support {marker} for {target}")
                attack, defense = (attack + value, defense) if who == side else (attack, defense + value)
        if words:
            if self.often(0.2):
                t.say(f"@odds {attack - defense + 3:+d}")
                t.say("sorry, wrong")
            t.say(f"@odds {early if self.often(0.2) else attack - defense:+d}")
        self.talk()
        die = t.roll()
        return Attack(attackers, foes, target, field.result(attack, defense, die, field.row(attackers, target)))

    def fight(self, attackers: list[str], target: str) -> Attack:
        """One combat from first word to last advance."""
        fought = self.declare(attackers, target)
        self.pause()
        self.apply(fought)
        return fought

    def lose(self, name: str) -> int:
        """One step."""
        unit = self.field.counters[name]
        if unit.last:
            return self.eliminate(name)
        if self.often(0.1):
            self.t.say("which one? this one")
        unit.down += 1
        return self.t.flip(name)

    def chosen(self, names: list[str]) -> str:
        """Who takes a loss: a unit whose depleted side is printed, where there is one."""
        printed = [name for name in names if len(self.field.counters[name].faces) > 1]
        return self.dice.choice(printed or names)

    def eliminate(self, name: str) -> int:
        del self.field.where[name]
        return self.t.kill(name)

    def apply(self, fought: Attack) -> None:
        """The result, by the rules."""
        code, field = fought.code, self.field
        if code == ".":
            return
        if code == "De":
            for name in fought.defenders:
                self.eliminate(name)
        elif code == "Ae":
            for name in fought.attackers:
                self.eliminate(name)
        elif code == "(A)":
            self.lose(self.chosen(fought.attackers))
        elif code == "Ex":
            hit = [self.chosen(fought.attackers), self.chosen(fought.defenders)]
            self.dice.shuffle(hit)
            for name in hit:
                self.lose(name)
        elif code.startswith("A"):
            causes = [fought.target]
            for name in fought.attackers:
                self.driven(name, int(code[1]), causes)
        else:
            self.defeat(fought, int(code[1]))
        assert all(hex in field.grid for hex in field.where.values())

    def defeat(self, fought: Attack, length: int) -> None:
        field = self.field
        causes = [field.where[name] for name in fought.attackers]
        ways = [self.driven(name, length, causes) for name in fought.defenders]
        if all(ways) and self.dice.random() < 0.6:
            name = self.dice.choice(fought.attackers)
            if not field.at(fought.target):
                self.advanced(name, fought.target)

    def advanced(self, name: str, hex: str) -> None:
        self.field.put(name, hex)
        self.t.move(name, hex)

    def driven(self, name: str, length: int, causes: list[str]) -> list[str] | None:
        """Retreat, or lose a step instead; the way it went, None where it stood."""
        field = self.field
        ways = field.retreats(name, length, causes)
        if not ways or self.dice.random() < 0.3:
            if field.trapped(name):
                self.eliminate(name)
            else:
                self.lose(name)
            return None
        way = self.dice.choice(ways)
        if self.often(0.3):
            for hex in way[1:-1]:
                self.t.move(name, hex)
        elif self.often(0.15):
            wrong = self.dice.choice([one for one in field.grid.within(way[0], 3) if not field.at(one)])
            self.t.move(name, wrong)
            self.t.say("no, here")
        if self.often(0.15):
            self.t.off(name)  # to see what lies below
        field.put(name, way[-1])
        self.t.move(name, way[-1])
        return way

    def combat(self, side: str, barred: set[str], mobile: bool = False) -> None:
        for *attackers, target in self.attacks(side, barred, mobile):
            units = [name for name in attackers if name in self.field.where]
            there = self.field.at(target)
            near = all(self.field.grid.touch(self.field.where[name], target) for name in units)
            if units and near and there and there[0].side != side:
                self.fight(units, target)

    def counter(self, name: str) -> Counter:
        return self.field.counters[name]
