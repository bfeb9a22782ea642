"""The combats of a phase, put together from call-outs, dice and what then happened to the pieces, judged when it ends.

Players roll before they type, correct what they typed, apply results in any order and in several drags. So a combat is
judged by what it came to: the last word on its figures, its one die, and each unit as it stood when the combat was
called out and as it stands when the phase is over. The acts are then played before the court as a story tells them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from referee.court import Court
from referee.table.clock import Clock
from referee.table.events import Declared, Event, Place, Rolled
from referee.table.position import Position

OFF = Place(None)
_WITHDRAWN = re.compile(r"\b(sorry|wrong|oops|mistake|scratch that|never mind)\b", re.I)
DECLARING = ("declare", "bombard")


@cache
def at(hex: str | None) -> Place:
    """A place of the battlefield, or off it."""
    return Place("map", 0, 0, hex) if hex is not None else OFF


@dataclass
class Case:
    """One combat that was called out: what was said and rolled for it, and the table as it was then."""

    step: int
    event: Declared
    position: Position
    clock: Clock
    certain: bool
    said: list[tuple[int, Event]] = field(default_factory=list)
    talk: list[str] = field(default_factory=list)  # what else was typed until the next one
    rolls: list[tuple[int, Rolled]] = field(default_factory=list)
    loose: bool = False  # a die of which nobody told what it was for came before it in the phase
    strays: int = 0  # pieces that are no units and may belong to it
    markers: list[tuple[int, str]] = field(default_factory=list)  # support markers in its hexes when it was rolled for

    @property
    def named(self) -> set[str]:
        """The units that the call-out names."""
        fields = dict(self.event.fields)
        return {str(id) for key in ("attackers", "defenders", "units") for id in fields.get(key) or ()}

    @property
    def target(self) -> object:
        return dict(self.event.fields).get("target")

    @property
    def hexes(self) -> set[str]:
        """The hexes that are attacked and those that attack."""
        told = self.target
        targets = {told} if isinstance(told, str) else set(told) if isinstance(told, tuple) else set()
        return {*targets, *(hex for id in self.named if id in self.position.units and (hex := self.position.where(id)))}

    def is_meant(self, event: Event) -> bool:
        """May a word be said of it? Once it was rolled for, support for another hex is another combat's."""
        where = dict(event.fields).get("for") if isinstance(event, Declared) and event.what == "support" else None
        return not self.rolls or where is None or where in self.hexes or where in self.named

    def amends(self, before: Case) -> bool:
        """Does it say again, nothing having been rolled, what was called out before?"""
        again = self.target == before.target or bool(self.named & before.named)
        return not before.rolls and again and self.event.what == before.event.what

    @property
    def decided(self) -> bool:
        """Is there no doubt which die decided it?"""
        return not self.loose and len(self.rolls) == 1


class Drag(NamedTuple):
    """A unit moved on the map, off it or onto it, and the table before."""

    step: int
    origin: str | None
    to: str | None
    table: Position


@dataclass
class History:
    """What was done to a unit in the phase: each drag, each turn of its counter, each time it left the map."""

    moves: list[Drag] = field(default_factory=list)
    turns: list[tuple[int, str, str]] = field(default_factory=list)  # step, level before, level after
    deleted: bool = False

    def last_move(self) -> int:
        """The step of the last drag."""
        return self.moves[-1].step if self.moves else 0

    def last_change(self) -> int:
        """The step of the last drag or turn."""
        return max(self.last_move(), self.turns[-1][0] if self.turns else 0)

    def until(self, step: int) -> History:
        """The same up to a step."""
        moves = [drag for drag in self.moves if drag.step < step]
        return History(moves, [turn for turn in self.turns if turn[0] < step], self.deleted and moves == self.moves)

    def turned_since(self, step: int, until: int | None = None) -> tuple[int, str, str] | None:
        """The last turn after a step (and before another), the level it had at that step and the one it has then."""
        turns = [turn for turn in self.turns if turn[0] > step and (until is None or turn[0] < until)]
        return (turns[-1][0], turns[0][1], turns[-1][2]) if turns else None


@dataclass
class Docket:
    """The open phase: its cases and what happened to each unit."""

    court: Court[Any, Any]
    cases: list[Case] = field(default_factory=list)
    histories: dict[str, History] = field(default_factory=dict)
    loose: list[int] = field(default_factory=list)  # the steps of dice for combats that nobody called out
    turned_up: set[str] = field(default_factory=set)  # a loss put right, or a unit rebuilt when the phase was over
    before: bool = False  # dice were thrown in the phase before this one
    early: bool = False  # such a die was thrown although it was no phase of combat: perhaps one of this phase
    engaged_before: set[str] = field(default_factory=set)  # units next to an enemy when they were thrown
    blurred: bool = False  # a combat was called out since the last one, and nobody knows which
    open: bool = False  # a phase of combat, by the players' own word: changes wait for its end

    # --- what happens

    def declare(self, step: int, event: Declared, certain: bool) -> None:
        """A combat is called out."""
        clock = self.court.clock.during(self.court.fighting) if self.open else self.court.clock
        case = Case(step, event, self.court.position.copy(), clock, certain)
        case.loose = self.early or self.unaccounted(step)
        if self.cases and case.amends(self.cases[-1]):
            case.said = [(number, word) for number, word in self.cases.pop().said if _is_support(word)]
        self.cases.append(case)
        self.blurred = False

    def cancel(self) -> None:
        """The last combat is taken back, if nothing was rolled for it."""
        if self.cases and not self.cases[-1].rolls:
            self.cases.pop()

    def say(self, step: int, event: Event) -> bool:
        """Something is said of the last combat, or of one that nobody called out; False where there is none."""
        if not self.cases:
            return False
        self.blurred = self.blurred or not self.cases[-1].is_meant(event)
        if not self.blurred:
            self.cases[-1].said.append((step, event))
        return True

    def heard(self, text: str) -> None:
        """Something is typed that is no call-out. `Sorry, wrong` takes the last figures back."""
        if not self.cases:
            return
        case = self.cases[-1]
        case.talk.append(text)
        if _WITHDRAWN.search(text) and case.said and is_claim(case.said[-1][1]):
            case.said.pop()

    def roll(self, step: int, event: Rolled) -> None:
        """A die: of the last combat that was called out, unless its result has been applied."""
        last = self.cases[-1] if self.cases else None
        if last is None or self.blurred or self._is_applied(last):
            self.loose.append(step)
        else:
            last.rolls.append((step, event))
        if last is not None and last.rolls:  # what was said since the first die may be meant of this one
            last.said = [word for word in last.said if word[0] < last.rolls[0][0] or word[0] > step]

    def since(self) -> int:
        """The step after which whatever is laid down belongs to the last combat: the die of the one before."""
        return max((number for case in self.cases[:-1] for number, _ in case.rolls), default=0)

    def _is_applied(self, case: Case) -> bool:
        """Was anything done since its die, or to its units before there was one: was it called out after its die?"""
        if case.rolls:
            return any(history.last_change() > case.rolls[-1][0] for history in self.histories.values())
        now = self.court.position
        turned = (history.turned_since(case.step) for id, history in self.histories.items() if id in case.named)
        return any(turned) or any(now.where(id) != case.position.where(id) for id in case.named)

    def unaccounted(self, before: int) -> bool:
        """Was there a die before a step of which nobody told what it was for?"""
        spare = (number for case in self.cases for number, _ in case.rolls[1:])
        return any(number < before for number in (*self.loose, *spare))

    def moved(self, step: int, id: str, origin: str | None, to: str | None, deleted: bool = False) -> None:
        """A unit is about to be dragged, on the map, off it or onto it."""
        history = self.histories.setdefault(id, History())
        history.moves.append(Drag(step, origin, to, self.court.position.copy()))
        history.deleted = deleted

    def turned(self, step: int, id: str, old: str, new: str) -> None:
        """A unit's counter is turned."""
        self.histories.setdefault(id, History()).turns.append((step, old, new))

    def clear(self) -> None:
        """A new phase."""
        self.before = bool(self.loose) or any(case.rolls for case in self.cases)
        self.early = bool(self.loose) and not self.open
        self.cases.clear()
        self.histories.clear()
        self.loose.clear()
        self.turned_up.clear()
        self.blurred = False


def is_claim(event: Event) -> bool:
    """Are figures announced?"""
    return isinstance(event, Declared) and event.what == "claim"


def _is_support(event: Event) -> bool:
    return isinstance(event, Declared) and event.what in ("support", "pass")
