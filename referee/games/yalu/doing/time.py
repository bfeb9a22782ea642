"""Phases that begin and end."""

from __future__ import annotations

from dataclasses import replace

from referee.games.yalu import facts
from referee.games.yalu.court import Court
from referee.games.yalu.units import ISOLATED
from referee.table.acts import Act
from referee.table.clock import Clock


def phase(court: Court, act: Act) -> None:
    """A phase is announced."""
    told = act.fields
    side = facts.side_of(told.get("side") or told.get("player") or "")
    words = [told.get(key) for key in ("segment", "step", "name", "phase") if told.get(key) is not None]
    phase = next((found for word in words if (found := facts.phase_of(word))), None)
    if side is None and words:
        side = next((found for word in words for part in str(word).split() if (found := facts.side_of(part))), None)
    if phase in facts.BOOK.rules["shared"]:
        side = None
    turn = facts.turn_of(court.scenario.id, told["turn"]) if told.get("turn") is not None else None
    before = court.clock
    court.clock = before.said(turn, side, phase)
    if _new_turn(before, court.clock):
        court.weather = court.weather_die = None  # each turn has its own (4.1.1)
        court.forget_costs()
        for unit in list(court.position.units.values()) if not court.complete else ():
            if ISOLATED in unit.traits and unit.side == facts.COMMUNIST:
                court.mark(unit.id, ISOLATED, False)  # in a log it is called out anew (5.2.1)
    _begin(court)


def _new_turn(before: Clock, after: Clock) -> bool:
    """Has another turn begun? Where nobody told its number, a phase that comes earlier than the one before tells."""
    if before.turn is not None and after.turn is not None:
        return before.turn != after.turn
    was, now = ({time.place for time in clock.possible} for clock in (before, after))
    return bool(was and now) and min(was) > min(now)


def end_phase(court: Court, act: Act) -> None:
    """A phase is said to be over."""
    times = court.clock.times()
    time = next(iter(times))
    if len(times) == 1 and time.place >= 0:
        place = time.place + 1
        over = place >= len(court.clock.moments)
        turn = time.turn + 1 if over and time.turn is not None else time.turn
        court.clock = replace(court.clock, possible=frozenset({time._replace(place=0 if over else place, turn=turn)}))
    _begin(court)


def _begin(court: Court) -> None:
    court.new_phase()
    court.combat = None
    if not court.may_be(None, facts.COMBAT):
        court.designations.clear()
        court.surprised.clear()
    for held in (court.tries, court.spent, court.railed, court.bugged):
        held.clear()
    for fact in ("bombardment", "bombardment dice"):
        court.given.pop(fact, None)
