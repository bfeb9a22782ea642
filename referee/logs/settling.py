"""The end of a phase of combat: each case is played before the court as a story tells it, and then judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from referee.court import Court
from referee.logs.ahead import Ahead
from referee.logs.docket import Case, Docket, Drag, History, at, is_claim
from referee.logs.game import LogGame
from referee.logs.markers import SupportPieces
from referee.logs.reckoning import Doing
from referee.logs.steps import LogLedger
from referee.logs.unsaid import Before, illegal
from referee.table.acts import Step
from referee.table.calendar import Calendar
from referee.table.clock import Moment
from referee.table.combat import Combat
from referee.table.events import Declared, Event, Moved, Removed
from referee.table.units import Unit
from referee.verdict import Finding, Verdict

WHICH_DIE = "which die decided the combat"
STILL_TO_COME = "whether the result was applied after the log ends"
PERHAPS_MOVED = "whether a drag after the last die belongs to the phase that was called out next"
REBUILT = "whether a unit that was turned up again was rebuilt after the combat"
UNCALLED = "whether it belongs to a combat that nobody called out"
CALLED_LATE = "whether the combat was called out after its result"
PUT_ASIDE = "whether a unit taken from the map was only put aside"


@dataclass(frozen=True)
class Ending:
    """How a phase ended: at which step, by the players' word or with the log, and the moment that came next."""

    step: int
    told: bool
    coming: Moment | None


class Settling:
    """Judges the cases of one phase."""

    def __init__(
        self,
        game: LogGame,
        docket: Docket,
        ahead: Ahead,
        calendar: Calendar,
        ending: Ending,
        face: Callable[[Unit, str], Unit],
        dice_used: bool,
        step_property: str,
        support: SupportPieces,
    ) -> None:
        self.game = game
        self.docket = docket
        self.court: Court[Any, Any] = docket.court
        self.ahead = ahead
        self.calendar = calendar
        self.ending = ending
        self.face = face
        self.dice_used = dice_used
        self.step_property = step_property
        self.support = support
        self.end = self.court.position
        self._changed_later: set[str] = set()  # units to which something was done after the case that is judged
        self._hit: set[str] = set()  # by their own side's fire
        self._attached: set[str] = set()  # units that took no part, and whose changes belong to a case all the same

    def settle(self) -> Iterator[tuple[int, Case | None]]:
        """Judge everything that waits; yields after each case the number of findings there were before it."""
        court, docket = self.court, self.docket
        clock = court.clock
        parts = [self._participants(case) for case in docket.cases]
        fought = [part if case.rolls else set() for case, part in zip(docket.cases, parts, strict=True)]
        everybody: set[str] = set().union(*fought)
        doubtful: set[int] = set()  # cases of which something was said: what comes after may be their result
        for n, case in enumerate(docket.cases):
            over = docket.cases[n + 1].step if n + 1 < len(docket.cases) else self.ending.step
            others = [m for m, other in enumerate(fought) if m != n and parts[n] & other]
            then = others[0] if len(others) == 1 and self._shells_first(n, others[0]) else None
            after = others[0] if len(others) == 1 and self._shells_first(others[0], n) else None
            twice = bool(others) and then is None and (after is None or after in doubtful)
            before = len(court.findings)
            whole = self.end, docket.histories
            if then is not None:
                self._up_to(docket.cases[then])
            state = Before.of(court)
            self._case(case, over, twice, everybody)
            if illegal(court.findings[before:]):
                judge = partial(self._case, over=over, twice=twice, everybody=everybody)
                self._read_otherwise(case, judge, state, before)
            yield before, case
            self.end, docket.histories = whole
            self._changed_later = set()
            if len(court.findings) > before:
                doubtful.add(n)
        court.clock = clock
        for id, history in docket.histories.items() if docket.open else ():
            if id not in self._attached:
                since = min(
                    (case.step for case, part in zip(docket.cases, fought, strict=True) if id in part), default=None
                )
                before = len(court.findings)
                self._bystander(id, [drag for drag in history.moves if since is None or drag.step < since])
                yield before, None
        if court.position is not self.end:
            court.lay(self.end)
        court.clock = clock
        court.combat = None

    def _read_otherwise(self, case: Case, judge: Callable[[Case], None], state: Before, first: int) -> None:
        """Findings that fall away if something was meant that nobody called out are in doubt."""
        court = self.court
        left = proved = illegal(court.findings[first:])
        best = ""
        for doubt, meant in self.game.unsaid(court, case):
            kept = set(self._attached), set(self._hit)
            found = state.found(
                court, partial(judge, replace(case, said=[*((case.step, e) for e in meant), *case.said]))
            )
            self._attached, self._hit = kept
            if found < left:
                left, best = found, doubt
        court.findings[first:] = [
            one.in_doubt(best) if (one.step, one.check) in proved - left else one for one in court.findings[first:]
        ]

    def _shells_first(self, n: int, m: int) -> bool:
        """Is one case a bombardment, and the other a ground attack on the same units after it?"""
        one, other = self.docket.cases[n], self.docket.cases[m]
        return n < m and one.event.what == "bombard" != other.event.what

    def _up_to(self, case: Case) -> None:
        """What was done before a combat was called out is all that counts for the bombardment before it."""
        self._changed_later = {id for id, done in self.docket.histories.items() if done.last_change() > case.step}
        self.end = case.position
        self.docket.histories = {id: done.until(case.step) for id, done in self.docket.histories.items()}

    def _participants(self, case: Case) -> set[str]:
        """Who attacks and who defends, by the call-out and the table as it was."""
        fields = dict(case.event.fields)
        found = {str(id) for key in ("attackers", "defenders") for id in fields.get(key) or ()}
        sides = {case.position.units[id].side for id in found if id in case.position.units}
        targets = fields.get("target") or ()
        for hex in (targets,) if isinstance(targets, str) else targets:
            found |= {id for id in case.position.at(hex) if case.position.units[id].side not in sides}
        return found

    # --- one combat

    def _case(self, case: Case, over: int, twice: bool, everybody: set[str]) -> None:
        court = self.court
        court.lay(case.position.copy())
        court.clock = case.clock
        if isinstance(court.ledger, LogLedger):
            court.ledger.certain = case.certain and bool(case.rolls)  # what was never rolled for was not fought
        self._play(case.step, self.support.declaration(case))
        for number, event in self.support.support(case):
            if not is_claim(event):
                self._play(number, event)
        claims = list(_last_words(case.said))
        for number, event in claims:
            if "result" not in dict(event.fields):
                self._claim(number, event)
        for number, rolled in case.rolls:
            self._play(number, rolled)
        for number, event in claims:
            if "result" in dict(event.fields):
                self._play(number, event)
        combat = court.combat
        judged = self.docket.open and case.certain and case.decided and not twice and combat is not None
        if judged and combat is not None:
            court.complete = True
            self._results(case, combat, everybody)
            for id in combat.touched:
                combat.touched[id] = self.docket.histories[id].last_change()
        self.game.close(court, over)
        court.complete = False

    def _play(self, step: int, *events: Event) -> None:
        self.game.play(self.court, Step(step, events))

    def _claim(self, step: int, event: Declared) -> None:
        """Figures may be said of the counters alone or with the support so far: they count as they may be meant."""
        combat = self.court.combat
        whole = list(combat.support) if combat is not None else []
        for number in range(len(whole)):
            assert combat is not None
            combat.support = whole[:number]
            fine = not self._tried(step, event)
            combat.support = whole
            if fine:
                return
        self._play(step, event)

    def _tried(self, step: int, *events: Event) -> list[Finding]:
        """What the court would say, without its being said or done."""
        court = self.court
        kept = court.findings, court.combat, court.position, court.judged
        seen = set(court._seen)
        court.findings = []
        if court.combat is not None:
            court.combat = _cloned(court.combat)
        court.lay(court.position.copy())
        self._play(step, *events)
        found = [finding for finding in court.findings if finding.verdict == Verdict.ILLEGAL]
        court.findings, court.combat, position, court.judged = kept
        court._seen = seen
        court.lay(position)
        return found

    def _results(self, case: Case, combat: Combat, everybody: set[str]) -> None:
        """Everything that happened to its units, as it stands at the end of the phase."""
        ids = [id for id in (*combat.defenders, *combat.attackers) if self._in_time(id, case)]
        for id in ids:
            self._turned(id, case)
        shifted = {id: self.end.where(id) for id in ids if self.end.where(id) not in (None, case.position.where(id))}
        sides = {self.court.unit(id).side for id in shifted}
        for id, history in self.docket.histories.items():
            own_fire = combat.kind == "bombardment" and self.end.units[id].side == combat.side
            if own_fire and id not in ids:
                self._hit_by_own_fire(id, history, case)
            if own_fire or id in everybody or id in self._attached:
                continue
            if history.turned_since(case.step) and self._follows(case, history.turns[-1][0]):
                self._attached.add(id)
                self._turned(id, case)
            elif (
                self.game.displaces
                and history.moves
                and self._follows(case, history.last_move())
                and not self._perhaps_moved(id, history)
            ):
                self._beside(id, history, combat, sides)
        beside = sorted(id for id in self._participants(case) if id not in ids and id in self.docket.histories)
        for group in (combat.defenders, combat.attackers):  # a hex is vacated before anybody advances into it
            side = [id for id in group if id in ids]
            for id in side:
                if id in shifted:
                    self._shifted(id, case)
            for id in beside:
                self._beside(id, self.docket.histories[id], combat, sides)
                self._gone(id, case)
            beside = []
            for id in side:
                self._gone(id, case)

    def _in_time(self, id: str, case: Case) -> bool:
        """Was what happened to a unit done before the next die? If not, in some games another combat did it."""
        history = self.docket.histories.get(id)
        if self.game.displaces or history is None:
            return True
        mine = case.rolls[0][0]
        dice = (*self.docket.loose, *(number for other in self.docket.cases for number, _ in other.rolls))
        return history.last_change() < min((number for number in dice if number > mine), default=self.ending.step + 1)

    def _gone(self, id: str, case: Case) -> None:
        """A unit that left the map and does not come back."""
        gone = self.end.where(id) is None and case.position.where(id) is not None
        if gone and id in self.docket.histories and not self.ahead.comes_back(id, self.ending.step):
            step = self.docket.histories[id].last_move()
            self._play(step, Removed(id, self.court.name(id), at(self.court.position.where(id))))

    def _follows(self, case: Case, step: int) -> bool:
        """Is the die of a combat the last one before a step?"""
        dice = [*self.docket.loose, *(number for one in self.docket.cases for number, _ in one.rolls)]
        return bool(case.rolls) and case.rolls[0][0] == max((die for die in dice if die < step), default=None)

    def _hit_by_own_fire(self, id: str, history: History, case: Case) -> None:
        """A step that a unit lost after a bombardment by its own side and before the next combat was called out."""
        following = [other.step for other in self.docket.cases if other.step > case.step]
        until = min(following, default=self.ending.step + 1)
        if any(other.step <= case.step and id in self._participants(other) for other in self.docket.cases):
            return
        if history.turned_since(case.step, until):
            self._hit.add(id)
            self._turned(id, case, until)
        last, gone = history.last_move(), self.end.where(id) is None
        if gone and case.step < last < until and not self.ahead.comes_back(id, self.ending.step):
            self._attached.add(id)
            self._play(last, Removed(id, self.court.name(id), at(self.court.position.where(id))))

    def _turned(self, id: str, case: Case, until: int | None = None) -> None:
        """Each step lost, down to the side that shows in the end."""
        history = self.docket.histories.get(id)
        turned = history.turned_since(case.step, until) if history is not None else None
        if turned is None or (self.end.where(id) is None and case.position.where(id) is None):
            return
        step, old, new = turned
        if not (old.isdigit() and new.isdigit()):
            return
        for level in range(int(old), int(new)):
            unit = self.court.unit(id)
            shown, then = (self.face(unit, str(n)) for n in (level, level + 1))
            self._play(step, self.game.turned(unit, shown, then))

    def _shifted(self, id: str, case: Case) -> None:
        """A retreat or an advance. If the court objects, the table as it lay at the last drag may show it otherwise."""
        court = self.court
        history = self.docket.histories[id]
        move = Moved(id, court.name(id), at(case.position.where(id)), at(self.end.where(id)))
        found = self._tried(history.last_move(), move)
        if found and history.moves:
            other = history.moves[-1].table.copy()
            for one, hex in (court.combat.stood if court.combat is not None else {}).items():
                if one == id or court.unit(one).side != court.unit(id).side:
                    other.put(one, hex)
            mine = court.position
            court.lay(other)
            again = self._tried(history.last_move(), move)
            court.lay(mine)
            if not again:
                quiet = len(court.findings)
                self._play(history.last_move(), move)
                del court.findings[quiet:]
                return
        self._play(history.last_move(), move)

    def _beside(self, id: str, history: History, combat: Combat, sides: set[str]) -> None:
        """A unit that took no part: it made room for one that did, or took its place."""
        court = self.court
        was, now = court.position.where(id), self.end.where(id)
        unit = court.unit(id)
        if was is None or now is None or was == now:
            return
        move = Moved(id, unit.name, at(was), at(now))
        if now in combat.targets and unit.side == combat.side:
            self._attached.add(id)
            self._play(history.last_move(), Declared("as", (("as", "advance"),)), move)
        elif unit.side in sides:
            self._attached.add(id)
            self._play(history.last_move(), Declared("as", (("as", "displace"),)), move)

    # --- the rest

    def _bystander(self, id: str, drags: list[Drag]) -> None:
        """Moved in a phase of combat, and by no combat that was called out."""
        court = self.court
        if not drags or drags[0].origin is None or drags[-1].to is None or drags[0].origin == drags[-1].to:
            return
        step, origin, to = drags[-1].step, drags[0].origin, drags[-1].to
        if not self.ending.told and self.docket.cases and step > self._last_die():
            return  # the phase may have ended without a word
        late = self.docket.before and not self.game.displaces  # perhaps a result of the subphase before
        called = any(id in case.named and case.step < step for case in self.docket.cases if not case.rolls)
        fled = self._fled_before(id)
        unknown = not self.dice_used or self.docket.unaccounted(step) or late or called or fled
        if unknown and self._may_be_driven(id, drags[0], to):
            return
        court.lay(drags[-1].table.copy())
        court.position.put(id, origin)
        court.combat = None
        self._play(step, Moved(id, court.name(id), at(origin), at(to)))

    def _may_be_driven(self, id: str, first: Drag, to: str) -> bool:
        """May it be a retreat, an advance or a displacement, by its length and by who stood where?"""
        court, origin = self.court, first.origin or to
        far, side = court.distance(origin, to), self.end.units[id].side
        if far > self.game.farthest:
            return False
        if not self.game.fought_in_contact or far <= 1 or side != court.phasing or self._fled_before(id):
            return True
        near = set(court.grid.neighbours(origin))
        left = {
            drag.origin
            for other, done in self.docket.histories.items()
            for drag in done.moves
            if self._foe(other, side)
        }
        return bool(near & left) or any(first.table.enemies_at(hex, side) for hex in near)

    def _fled_before(self, id: str) -> bool:
        """May a unit have been driven off in the phase before, by a combat that this phase should have begun with?"""
        return self.docket.before and id in self.docket.engaged_before

    def _foe(self, id: str, side: str) -> bool:
        return id in self.end.units and self.end.units[id].side != side

    # --- doubts

    def doubts(self, case: Case | None, finding: Finding) -> Iterator[str]:
        """What a finding of a case rests on that the log may not show."""
        if case is None:
            return
        names = {self.end.units[id].name: id for id in (*self._participants(case), *self._attached, *self._hit)}
        ids = [names[name] for name in finding.units if name in names]
        for id in names.values() if finding.check.startswith("CMB-") else ids:  # those rest on all that was done
            history = self.docket.histories.get(id)
            if history is not None and self._perhaps_moved(id, history):
                yield PERHAPS_MOVED
            gone = history is not None and self.end.where(id) is None and not history.deleted
            if gone and not self.ahead.goes_on(self.ending.step):
                yield PUT_ASIDE
        if any(self._dragged_on(id) for id in self._participants(case)):
            yield PERHAPS_MOVED
        if any(self._was_put_aside(id) for id in self._participants(case)):
            yield PUT_ASIDE
        if self.docket.turned_up & self._participants(case):
            yield REBUILT
        if any(self._is_anothers(id, case) for id in ids or names.values()):
            yield UNCALLED
        left = {id for id, done in self.docket.histories.items() if any(drag.to is None for drag in done.moves)}
        changed = any(self._changed_before(id, case) for id in self._participants(case) | left)
        accounted = self.docket.open and not self.docket.early  # for what was done before the call-out
        if case.loose and (changed or not accounted):
            yield CALLED_LATE
        if finding.check in self.game.omissions and self._changed_later.intersection(ids):
            yield STILL_TO_COME
        elif finding.check in self.game.omissions:
            sides = {self.end.units[id].side for id in ids} or ({finding.side} if finding.side else set())
            for side in sides:
                again = self.ahead.moves_again(side, self.ending.step)
                if not self.ending.told or again is None or any(self._mended(id, again) for id in ids):
                    yield STILL_TO_COME

    def _is_anothers(self, id: str, case: Case) -> bool:
        """Was a unit moved or turned after a later die of which nobody told what it was for?"""
        history = self.docket.histories.get(id)
        dice = [die for die in self.docket.loose if die > case.step]
        return history is not None and bool(dice) and history.last_change() > min(dice)

    def _changed_before(self, id: str, case: Case) -> bool:
        """Was something done to a unit in the phase before its combat was called out?"""
        history = self.docket.histories.get(id)
        return history is not None and history.until(case.step).last_change() > 0

    def _mended(self, id: str, until: int) -> bool:
        if self.ahead.first_moved(self.ending.step) == id:
            return True
        return self.ahead.mended(id, self.ending.step, until, self.step_property)

    def _was_put_aside(self, id: str) -> bool:
        return self.end.where(id) is None and self.ahead.comes_back(id, self.ending.step)

    def _last_die(self) -> int:
        return max((number for case in self.docket.cases for number, _ in case.rolls), default=0)

    def _dragged_on(self, id: str) -> bool:
        """Was a unit dragged twice after the last die? The first drag may be its result, and others followed that."""
        history = self.docket.histories.get(id)
        if history is None or not self._perhaps_moved(id, history):
            return False
        return sum(drag.step > self._last_die() for drag in history.moves) > 1

    def _others_move_after(self, step: int) -> bool:
        """Is a unit that fought in no combat dragged after a step?"""
        fought = {id for case in self.docket.cases for id in self._participants(case)}
        return any(history.last_move() > step for id, history in self.docket.histories.items() if id not in fought)

    def _perhaps_moved(self, id: str, history: History) -> bool:
        """A drag after the last die may belong to the phase that was called out next."""
        last = self._last_die()
        if not self.ending.told:
            return history.last_move() > last and self._others_move_after(last)
        if history.last_move() <= last:
            return False
        unit = self.end.units[id]
        moves = Doing("move", unit.side, unit.mobile is False)
        return self.ending.coming is None or moves.fits(self.ending.coming, self.calendar)


def _cloned(combat: Combat) -> Combat:
    made = copy(combat)
    for name, value in vars(combat).items():
        if isinstance(value, (dict, list, set)):
            setattr(made, name, copy(value))
    return made


def _last_words(said: Iterable[tuple[int, Event]]) -> Iterator[tuple[int, Declared]]:
    """The claims that no later one replaces."""
    claims = [(number, event) for number, event in said if isinstance(event, Declared) and event.what == "claim"]
    for n, (number, event) in enumerate(claims):
        later = {key for _, other in claims[n + 1 :] for key, _ in other.fields}
        kept = tuple((key, value) for key, value in event.fields if key not in later)
        if kept:
            yield number, replace(event, fields=kept)
