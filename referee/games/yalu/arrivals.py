"""Why a unit comes on the map: reinforcement, replacement, conscript, guerrilla, or back from sea and off the map."""

from __future__ import annotations

from referee.games.yalu import facts
from referee.games.yalu.court import Court
from referee.games.yalu.units import words
from referee.table.acts import Act
from referee.table.units import Unit


def reason(court: Court, act: Act, unit: Unit) -> str:
    """reinforcement, replacement, conditional, conscript, guerrilla, returning or ship."""
    mode = act.fields.get("mode")
    if unit.kind in ("conscript", "guerrilla", "naval", "air"):
        return "ship" if unit.kind in ("naval", "air") else unit.kind
    if mode in ("conditional", "replacement"):
        return str(mode)
    for word in ("embarked", "evacuated", "exited"):
        facts_ = list(court.ledger.find(word, unit.id))
        if facts_:
            return "returning"
    if mode in ("land", "off-map"):
        return "returning"
    if unit.id in court.position.dead or court.ledger.any("eliminated", unit.id):
        return "replacement"
    return "reinforcement"


def arrived(court: Court, kind: str) -> list[str]:
    """The units that came for a reason this turn, before this act."""
    found = []
    for fact in court.ledger.find("entered", turn=court.turn):
        if fact.who in court.position.units and fact.more.get("kind") == kind:
            found.append(fact.who)
    for fact in court.ledger.find("placed", turn=court.turn):
        if fact.who in court.position.units and (fact.more.get("kind") or "replacement") == kind and fact.step == 0:
            found.append(fact.who)
    return found


def due(court: Court, unit: Unit) -> int | None:
    """The turn on which the order of battle brings a unit; None where nobody told."""
    told = court.charts.table("reinforcements") or {}
    for name, turn in told.items():
        if words(str(name)) == words(unit.name):
            return facts.turn_of(court.scenario.id, turn)
    return facts.turn_of(court.scenario.id, unit.more["turn"]) if "turn" in unit.more else None


def lost_on(court: Court, unit: Unit) -> int | None:
    """The turn on which a unit was eliminated, where that was told."""
    turns = [fact.turn for fact in court.ledger.find("eliminated", unit.id) if fact.turn is not None]
    return turns[-1] if turns else None
