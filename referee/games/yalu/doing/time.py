"""Phases that begin and end."""

from __future__ import annotations

from dataclasses import replace

from referee.games.yalu import facts
from referee.games.yalu.court import Court
from referee.table.acts import Act


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
    court.clock = court.clock.said(turn, side, phase)
    _begin(court)


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
