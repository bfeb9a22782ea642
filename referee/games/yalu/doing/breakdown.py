"""Units that break down into parts, and parts that combine."""

from __future__ import annotations

from referee.games.yalu import facts
from referee.games.yalu.court import Court
from referee.games.yalu.interpret import units_in
from referee.games.yalu.units import NEUTRALIZED
from referee.table.acts import Act


def break_down(court: Court, act: Act) -> None:
    """A unit is replaced by its parts."""
    into = units_in(court, act.fields.get("into"))
    for id in act.units:
        hex = court.position.where(id)
        unit = court.unit(id)
        court.note("broken", id, act, into=into)
        court.position.take(id)
        levels = 2 if unit.size == "division" and any(court.unit(part).size == "battalion" for part in into) else 1
        cost = facts.BOOK.rules["breakdown"].get(unit.nation or "US", 2) * levels * 12
        for part in into:
            court.position.put(part, hex)
            court.spent[part] = court.spent.get(id, 0) + cost
            court.start[part] = hex or ""
            court.note("part-of", part, act, unit=id)


def combine(court: Court, act: Act) -> None:
    """Parts are replaced by their unit."""
    into = units_in(court, act.fields.get("into"))
    hex = next((hex for id in act.units if (hex := court.position.where(id))), None)
    tired = any(court.has(id, NEUTRALIZED) for id in act.units)
    for id in act.units:
        court.position.take(id)
    for id in into:
        court.position.put(id, hex)
        court.note("combined", id, act, of=act.units, neutralized=tired)
