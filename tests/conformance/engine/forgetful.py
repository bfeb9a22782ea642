"""Habits of players who forget, mix up or delay their call-outs: they change what is written, not what is done."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

OF_A_COMBAT = ("@attack", "@support", "@odds", "@wave")
FREE = (
    "two regiments attack {1}, 2-1, DRM +1", "{0} attack {1}", "{1} is attacked", "{0} vs {1} +2", "all on {1}, 3-1",
)  # fmt: skip


class Habit:
    """Changes what a player writes, not what he does."""

    def __init__(self, evening: Any, seed: int) -> None:
        self.evening, self.paper, self.chance = evening, evening.paper, random.Random(seed + 1)
        self.say, self.roll, self.flip = self.paper.say, self.paper.roll, self.paper.flip
        self.announce = evening.announce
        self.paper.say, self.paper.roll, self.paper.flip = self.writes, self.rolls, self.flips
        evening.announce = self.announces

    def often(self) -> bool:
        return self.chance.random() < 0.5

    def writes(self, text: str) -> Any:
        return self.say(text)

    def rolls(self) -> Any:
        return self.roll()

    def flips(self, name: str) -> Any:
        return self.flip(name)

    def announces(self, side: str | None, phase: str) -> None:
        self.announce(side, phase)


class NoAttack(Habit):
    """An attack is not called out, or in words of the player's own; its support and its odds are."""

    def writes(self, text: str) -> Any:
        if text.startswith("@attack") and self.often():
            names, target = text.removeprefix("@attack ").split(" -> ")
            text = self.chance.choice(("here we go", *FREE)).format(names.replace(", ", " and "), target)
        return self.say(text)


class NoWave(Habit):
    """A human wave is shouted, or not even that."""

    def writes(self, text: str) -> Any:
        return self.say(text if not text.startswith("@wave") or self.often() else "human wave!")


class SpokenSupport(Habit):
    """Support is told in plain words, and wrong figures are only withdrawn."""

    def writes(self, text: str) -> Any:
        if text.startswith("@support"):
            text = text.removeprefix("@support ").replace(" for ", " on ")
        return self.say(text)


class AfterTheDie(Habit):
    """A combat is called out after its die."""

    def __init__(self, evening: Any, seed: int) -> None:
        super().__init__(evening, seed)
        self.waiting: list[str] = []

    def writes(self, text: str) -> Any:
        if text.startswith(OF_A_COMBAT) and (self.waiting or (text.startswith("@attack") and self.often())):
            self.waiting.append(text)
            return self.paper.step
        return self.say(text)

    def rolls(self) -> Any:
        die = self.roll()
        self.tells()
        return die

    def tells(self) -> None:
        for text in self.waiting:
            self.say(text)
        self.waiting.clear()


class AfterTheResult(AfterTheDie):
    """A combat is called out when its result was applied: before the next one or the next phase."""

    def writes(self, text: str) -> Any:
        if text.startswith(("@attack", "@bombard")):
            self.tells()
        return super().writes(text)

    def rolls(self) -> Any:
        return self.roll()

    def announces(self, side: str | None, phase: str) -> None:
        self.tells()
        super().announces(side, phase)


class WrongCounter(Habit):
    """The wrong counter is turned, and turned back; a die is thrown too early."""

    def flips(self, name: str) -> Any:
        field = self.evening.field
        fresh = [one for one in field.where if one != name and one not in self.paper.levels]
        if fresh and self.often():
            wrong = self.chance.choice(fresh)
            self.flip(wrong)
            self.paper.unflip(wrong)
        return self.flip(name)

    def rolls(self) -> Any:
        if self.often():
            self.roll()
            self.say("oops, not yet")
        return self.roll()


class AllBack(Habit):
    """Everybody is moved, everybody is put back, and then the phase is played."""

    def __init__(self, evening: Any, seed: int) -> None:
        super().__init__(evening, seed)
        player = getattr(evening, "player", None) or evening.honest
        player.movement = partial(self.moves, player.movement)

    def moves(self, movement: Callable[..., set[str]], side: str, **told: object) -> set[str]:
        field = self.evening.field
        where, lost = dict(field.where), set(field.lost)
        if not told and self.often():
            for name in self.chance.sample(sorted(done := movement(side)), len(done)):
                self.paper.move(name, where[name])
            field.where.clear()
            field.where.update(where)
            field.lost = lost
        return movement(side, **told)


HABITS = (NoAttack, NoWave, SpokenSupport, AfterTheDie, AfterTheResult, WrongCounter, AllBack)
