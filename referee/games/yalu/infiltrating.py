"""Which dice let a unit leave a hex in an enemy zone of control (9.2.3)."""

from __future__ import annotations

from referee.games.yalu import facts
from referee.games.yalu.court import Court
from referee.rulebook import plain
from referee.table.acts import Act


def infiltration_success(court: Court, origin: str | None, to: str | None, die: int, act: Act) -> bool | None:
    """Does a die let a unit leave its hex (9.2.3.2)? None where the table would tell."""
    said = act.fields.get("result") if act.fields.get("result") is not None else act.fields.get("success")
    number = number_to_leave(court, origin)
    if number is not None and origin is not None:
        if to is None:
            return True if die + 1 <= number else (False if die > number else None)
        add = _river_die(court) if "river" in court.ground.features(origin, to) else 0
        return die + add <= number
    if said is None:
        return None
    return bool(said) if isinstance(said, bool) else not any(word in plain(said) for word in ("fail", "no"))


def _river_die(court: Court) -> int:
    told = (court.charts.table("infiltration") or {}).get("river")
    return told if isinstance(told, int) else int(facts.BOOK.tables["infiltration"]["river"])


def number_to_leave(court: Court, hex: str | None) -> int | None:
    """The infiltration number of a hex; None where terrain or table does not tell."""
    if hex is None or not court.ground.is_known(hex):
        return None
    numbers = [court.charts.infiltration(kind) for kind in court.ground.terrain(hex)]
    known = [number for number in numbers if number is not None]
    return known[0] if len(known) == len(numbers) == 1 else None
