"""A log of Yalu as it is read: dice by what they were called out for, attacks by the last word, fires as cases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from referee.games.yalu import facts
from referee.logs.clock import spoken
from referee.logs.reckoning import Doing
from referee.logs.steps import LogTable, Waiting
from referee.table.acts import Step
from referee.table.clock import Moment
from referee.table.events import Added, Changed, Chat, Declared, Event, Moved, Rolled
from referee.table.ledger import Fact
from referee.table.units import Unit

COM, UN = facts.COMMUNIST, facts.UN
FIRE_DICE = 2  # 10.2.2
_HEX = re.compile(r"\d{4}")


def _moments(*told: tuple[str | None, str]) -> frozenset[Moment]:
    return frozenset(Moment(side, phase) for side, phase in told)


def _both(phase: str) -> frozenset[Moment]:
    return _moments((COM, phase), (UN, phase))


SPOKEN: dict[str, tuple[str, frozenset[Moment]]] = {
    "attack": ("fight", _both("designation")), "hwa": ("fight", _moments((COM, "designation"))),
    "wave": ("fight", _moments((COM, "designation"))), "defend": ("fight", _both("defensive-fire")),
    "fire": ("fight", _both("assault")), "assault": ("fight", _both("assault")),
    "bugfire": ("shoot", _moments((COM, "bugout"))), "infiltrate": ("roll", _moments((COM, "movement"))),
    "surprise": ("roll", _moments((COM, "designation"))), "regroup": ("roll", _both("morale")),
    "isolation": ("roll", _moments((UN, "morale"))), "evacuate": ("roll", _moments((UN, "movement"))),
    "sea": ("roll", _moments((UN, "movement"))),
    "drop": ("roll", _moments((UN, "movement"))), "hunt": ("roll", _moments((UN, "movement"))),
    "ambush": ("roll", _moments((UN, "movement"))), "weatherroll": ("roll", _moments((None, "weather"))),
    "weather": ("roll", _moments((None, "weather"))), "ridgway": ("roll", _moments((UN, "reinforcement"))),
    "bombard": ("strike", _moments((UN, "bombardment"))),
}  # fmt: skip
"""What a call-out does, and when it is done."""
_TWO_DICE = frozenset({
    *_both("defensive-fire"), *_both("assault"), *_both("morale"), Moment(COM, "bugout"), Moment(UN, "bombardment"),
})  # fmt: skip
"""A fire, a check of morale, or a bombardment of two units."""
_WALKS = {COM: _moments((COM, "movement")), UN: _moments((UN, "movement"))}
_ARRIVES = {COM: _moments((COM, "reinforcement")), UN: _moments((UN, "reinforcement"), (UN, "movement"))}
_SAILS = _moments((UN, "bombardment"))


@dataclass
class YaluTable(LogTable):
    """A counter's second step is its Neutralized state; a call-out says what the next die is for."""

    expected: dict[str, Any] = field(default_factory=dict)
    designated: list[Waiting] = field(default_factory=list)  # attacks of this phase, the last word on each
    late: list[Waiting] = field(default_factory=list)  # attacks that were announced after a fire
    leaving: dict[str, str] = field(default_factory=dict)  # units that were called out to leave by sea, and how

    def events(self, step: Step) -> Iterator[Event]:
        for event in step.events:
            if isinstance(event, Rolled):
                yield from self._dice(event, step.number)
                continue
            for told in super().events(Step(step.number, (event,), step.player)):
                if isinstance(told, Declared) and told.what != "embark":
                    self.leaving = {}
                if isinstance(told, Declared) and told.what in ("expect", "leave"):
                    self._expect(told)
                elif isinstance(told, Declared) and told.what == "designate":
                    self._hold(step.number, told)
                elif isinstance(told, Declared) and told.what == "set" and self.designated:
                    self.designated.append(Waiting(step.number, told, self.court.position.copy()))  # what is left then
                else:
                    yield told

    # --- by sea

    def _expect(self, told: Declared) -> None:
        """What comes next is announced: a die, or units that leave by sea."""
        fields = dict(told.fields)
        by_sea = {"leave": "embark"}.get(told.what) or ("evacuate" if fields.get("for") == "evacuation" else None)
        if by_sea and self.certain:
            self.leaving = dict.fromkeys(fields.get("units") or (), by_sea)
        if told.what == "expect":
            self.expected = fields

    def new_phase(self) -> None:
        super().new_phase()
        self.leaving = {}

    def _moved(self, event: Moved, step: int) -> Iterator[Event]:
        """A unit that was called out to leave by sea, and is taken off the map next, has left by sea."""
        by_sea = self.leaving.get(event.piece)
        here, to = self.hex(event.origin), self.hex(event.to)
        known = event.piece in self.court.position.units
        if by_sea is None and known:
            self.leaving = {}
        if by_sea is None or not known or here is None or to is not None:
            yield from super()._moved(event, step)
            return
        self.court.position.put(event.piece, here)
        self.left.setdefault(here, []).append(self.court.unit(event.piece).side)
        self.seen.add(event.piece)
        if by_sea == "evacuate":  # how that ends the die tells, and where the counter lies nobody can see
            self.court.ledger.add(Fact("eliminated", event.piece, self.court.turn, None, None, step, {"hex": here}))
        yield Declared(by_sea, (("units", (event.piece,)),))

    def _is_judged(self, id: str, origin: str | None, to: str) -> bool:
        """A unit that went aboard and comes back in another phase, in another hex, has landed."""
        gone = self.court.ledger.any("embarked", id) if origin is None else None
        if gone is None:
            return super()._is_judged(id, origin, to)
        now = (self.court.turn, self.court.phase)
        landed = self.certain and None not in now and (gone.turn, gone.phase) != now and gone.more.get("at") != to
        if not landed:
            self.court.ledger.forget("embarked", id)  # it was only put aside
        return landed

    # --- what belongs when

    def doings(self, step: Step) -> Iterator[Doing]:
        for event in step.events:
            if isinstance(event, (Moved, Added)):
                yield from self._drag(event)
            elif isinstance(event, Rolled) and len(event.dice) == FIRE_DICE:
                yield Doing("fight", times=_TWO_DICE)
            elif isinstance(event, Chat) and (text := spoken(event)) is not None:
                word = text.lstrip("-* ")
                known = SPOKEN.get(word[1:].split(" ")[0].lower()) if word.startswith("@") else None
                if known is not None and (known[0] != "fight" or _HEX.search(word)):
                    yield Doing(known[0], times=known[1])

    def any_move(self, unit: Unit) -> Doing:
        return Doing("move", unit.side, times=_WALKS[unit.side] | _moments((COM, "bugout")))

    def _drag(self, event: Moved | Added) -> Iterator[Doing]:
        unit = self.court.position.units.get(event.piece) or self.newcomers.get(event.piece)
        to = self.hex(event.to if isinstance(event, Moved) else event.at)
        here = self.hex(event.origin) if isinstance(event, Moved) else None
        if unit is None or to is None or to == here or unit.kind == "air":
            return
        if unit.kind == "naval":
            yield Doing("sail", unit.side, times=_SAILS)
        elif here is None:
            yield Doing("arrive", unit.side, times=_ARRIVES[unit.side])
        else:
            yield Doing("move", unit.side, times=_WALKS[unit.side])

    # --- dice and words

    def _dice(self, event: Rolled, step: int) -> Iterator[Event]:
        """Two dice of which nothing was said are a fire's, and wait with it; others are judged at once."""
        told, self.expected = self.expected, {}
        if told:
            self.rolls += 1
            about = tuple((key, value) for key, value in told.items() if key != "for")
            yield replace(event, label=str(told["for"]), about=about)
        elif len(event.dice) == FIRE_DICE:
            self._rolled(event, step)
        else:
            self.rolls += 1
            yield event

    def _hold(self, step: int, told: Declared) -> None:
        """An attack is announced. What is said again of a hex or a unit replaces what was said before."""
        fields = dict(told.fields)
        slip = self._slip(fields)
        if slip is not None:
            self.court.notes.append(f"'{told.text}' was not used: {slip}")
            return
        said = Waiting(step, told, self.court.position.copy())
        if any(case.rolls for case in self.docket.cases):
            self.late.append(said)
            return
        named = set(fields.get("attackers") or ())
        self.designated = [*self._amended(named, fields.get("target")), said]

    def _amended(self, named: set[str], target: object) -> Iterable[Waiting]:
        """The attacks announced before that still stand when these units are sent against a hex."""
        for before in self.designated:
            fields = dict(before.event.fields)
            if before.event.what == "set":
                yield before
                continue
            units = [id for id in fields.get("attackers") or () if id not in named]
            again = len(units) < len(fields.get("attackers") or ())
            if not units or (again and fields.get("target") == target):
                continue
            fields["attackers"] = tuple(units)
            yield before._replace(event=replace(before.event, fields=tuple(fields.items())))

    def waiting(self) -> Iterator[Waiting]:
        """The attacks announced in a phase are judged when it ends, those after the first fire when that was judged."""
        held, self.designated, self.late = self.designated, self.late, []
        yield from held

    # --- Neutralized counters

    def _changed(self, event: Changed, step: int) -> Iterator[Event]:
        told = next(((old, new) for name, old, new in event.properties if name == self.step_property), None)
        if told is None or event.piece not in self.court.position.units:
            return
        if self.docket.open:
            self.docket.turned(step, event.piece, *told)
            self._show(event)
            return
        verb = "neutralize" if told[1] == "2" else "recover" if told[0] == "2" else None
        if verb is None or not self.begun or not self.certain or self.court.position.where(event.piece) is None:
            self._show(event)
        else:
            yield Declared(verb, (("units", (event.piece,)),))
