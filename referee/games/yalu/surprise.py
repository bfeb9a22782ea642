"""What a die for surprise means: by the user's table, else as far as the example of play pins it down (19.1.3)."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.yalu import facts
from referee.games.yalu.court import Court
from referee.table.units import Unit


def surprise_number(court: Court, unit: Unit) -> int | None:
    """The user's number for a unit of this nation and size."""
    row = (court.charts.table("surprise") or {}).get(unit.nation)
    if isinstance(row, Mapping):
        row = row.get(unit.size)
    return row if isinstance(row, int) else None


def is_surprised(court: Court, unit: Unit, die: int) -> bool | None:
    """Is a unit surprised by this unmodified die? Each turn after the first adds one; None where nobody told."""
    if court.turn is None:
        return None
    total = die + court.turn - 1
    number = surprise_number(court, unit)
    if number is not None:
        return total <= number
    if court.scenario.classic:
        return None
    known = facts.BOOK.tables["surprise"].get(f"{unit.nation} {unit.size}", {})
    if total <= max(known.get("surprised") or [0]):
        return True
    return False if total >= min(known.get("not") or [100]) else None
