"""Markers laid and taken up, tracks set, and control markers turned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.games.yalu import facts
from referee.games.yalu.court import Court
from referee.games.yalu.interpret import weather_code
from referee.games.yalu.units import NEUTRALIZED
from referee.rulebook import plain
from referee.rules.board import ticks
from referee.table.acts import Act

TRACKS = ("asp", "weather", "weather_die", "air", "ridgway", "conscripts")


def state(state: str, on: bool) -> Callable[[Court, Act], None]:
    """The act that gives units a state, or takes it away."""

    def change(court: Court, act: Act) -> None:
        for id in act.units:
            if id in court.position.units:
                court.mark(id, state, on)
                court.note(state if on else f"un{state}", id, act)
                if court.combat is not None and state == NEUTRALIZED and on:
                    court.combat.touched[id] = act.step

    return change


def recover(court: Court, act: Act) -> None:
    """Units are Neutralized no more. In Classic they pay movement points for it, the UN all (C23.A, C28.C)."""
    state(NEUTRALIZED, False)(court, act)
    if court.scenario.classic:
        fee = facts.scenario("classic").raw["regroup"]
        for id in act.units:
            unit = court.unit(id)
            if court.may_be(unit.side, ("movement",)) and unit.face.move is not None and id not in court.spent:
                court.spent[id] = ticks(fee if unit.side == facts.COMMUNIST else unit.face.move)


def interdict(court: Court, act: Act) -> None:
    """A marker breaks a road, a railway or a bridge."""
    kind = act.fields["marker"]
    for place in _break_places(act):
        court.breaks[kind, place] = int(act.fields.get("value") or 1)
    court.forget_costs()


def uninterdict(court: Court, act: Act) -> None:
    """A break is mended."""
    kind = act.fields["marker"]
    for key in [key for key in court.breaks if key[0] == kind and (not act.path or key[1] in _break_places(act))]:
        court.breaks.pop(key)
    court.forget_costs()


def _break_places(act: Act) -> list[Any]:
    if act.fields["marker"] == "bridge" and len(act.path) == 2:
        return [frozenset(act.path)]
    return list(act.path)


def artillery(court: Court, act: Act) -> None:
    """An artillery marker is laid on an attacked hex."""
    if act.to in court.designations:
        value = act.fields.get("value")
        court.designations[act.to].artillery = min(abs(int(value)), 2) if value else 1


def set_track(court: Court, act: Act) -> None:
    """A track is set to a value."""
    value = act.fields.get("value")
    match act.verb:
        case "set-asp" if isinstance(value, int):
            court.asp = value if value >= 0 else None
            court.given["asp turn"] = court.turn
        case "set-weather":
            court.weather = weather_code(value) or court.weather
            court.forget_costs()
        case "set-weather_die" if isinstance(value, int):
            court.weather_die = value
        case "set-air" if isinstance(value, int):
            court.air = value
            if court.must_be(facts.UN):
                court.air_offensive = value
            court.note("air-set", "", act, value=value)
        case "set-ridgway":
            word = plain(value)
            court.ridgway = (
                "drm" if "flip" in word or "drm" in word else "removed" if "remov" in word else court.ridgway
            )
        case "set-conscripts" if isinstance(value, int):
            court.note("drafted", str(value), act)
        case _:
            pass


def control(court: Court, act: Act) -> None:
    """A city marker is turned."""
    side = facts.side_of(act.fields.get("value") or act.fields.get("side") or "")
    city = act.fields.get("city") or (court.city(act.to) if act.to else None)
    if side and city:
        court.control[plain(city)] = side
