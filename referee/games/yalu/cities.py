"""Whose city it is, and how it changes hands (2.6)."""

from __future__ import annotations

from referee.games.yalu import facts
from referee.games.yalu.court import Court
from referee.rulebook import plain
from referee.table.acts import Act


def control_city(court: Court, city: str, side: str) -> None:
    """Whose city it is, by name or hex."""
    name = court.city(city) if city in court.grid else city
    court.control[plain(name or city)] = side


def note_city(court: Court, city: str, side: str, turn: int | None) -> None:
    """A city is taken."""
    name = plain((court.city(city) if city in court.grid else city) or city)
    if court.control.get(name) != side and side == facts.COMMUNIST:
        court.captured.setdefault(name, turn)
    court.control[name] = side


def pass_through(court: Court, act: Act, id: str) -> None:
    """Entering or passing a city changes its control (2.6)."""
    unit = court.unit(id)
    if unit.kind in ("guerrilla", "naval", "air"):
        return
    for hex in {*act.path[1:], *([act.to] if act.to else [])} if act.exact else {act.to}:
        if hex is not None and (city := court.city(hex)):
            note_city(court, city, unit.side, court.turn)
