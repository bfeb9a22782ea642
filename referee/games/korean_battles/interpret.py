"""What an act is in this game: players say the same thing in several ways, and a log does not say `retreat`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.games.korean_battles import facts
from referee.games.korean_battles.court import COMBAT, MOVEMENT, Court
from referee.games.korean_battles.outcome import outcomes, retreat_length
from referee.games.korean_battles.story_markers import value_in
from referee.rulebook import plain
from referee.story_events import as_list
from referee.table.acts import Act
from referee.table.combat import Retreat
from referee.table.units import Unit

_TRACKS = (
    ("turn-marker", re.compile(r"\bturn\b(?!.*support)")),
    ("vp", re.compile(r"\bvps?\b|victory|score")),
    ("draw", re.compile(r"support|draw|allot|marker|chit")),
)


def interpret(court: Court, act: Act) -> Act:
    """The act under the verb that its checks are registered for."""
    act = _on_the_map(court, act)
    verb, fields = act.verb, dict(act.fields)
    spoken = fields.get("side") or fields.get("by") or act.side
    side = facts.side_of(spoken, court.scenario.id) if isinstance(spoken, str) else None
    side = side or (act.side if act.side in court.scenario.sides else None)
    act = act if side == act.side else replace(act, side=side)
    if verb == "change":
        return _changed(court, act)
    if verb == "move" and act.units and act.units[0] not in court.position.units and act.units[0] in court.markers:
        return _marker_moved(court, act)
    if (
        verb in ("place", "enter")
        and act.units
        and act.units[0] in court.markers
        and act.units[0] not in court.position.units
    ):
        return _marker_moved(court, act)
    if verb == "place" and _arrives(court, act):
        return replace(act, verb="enter")
    if verb == "remove" and act.units and act.units[0] not in court.position.units:
        return _marked(court, replace(act, verb="unmark", units=(), fields={"what": act.units[0]}))
    if verb == "move":
        return _moved(court, act)
    if verb in ("fire", "assault"):
        fields["attackers"] = fields.get("attackers") or fields.get("by") or fields.get("what")
        return replace(act, verb="declare", fields=fields)
    if verb in ("mark", "assign", "unmark"):
        return _marked(court, act)
    if verb == "set":
        return _set(court, act)
    if verb == "stiff" and not act.units:
        return replace(act, units=_units(court, fields.get("units") or fields.get("what") or fields.get("unit")))
    if (
        verb
        in (
            "rebuild",
            "recover",
            "reveal",
            "hide",
            "wave",
            "step_loss",
            "peek",
            "replace",
            "neutralize",
            "disrupt",
            "spend",
        )
        and not act.units
    ):
        return replace(
            act,
            verb="rebuild" if verb == "recover" else verb,
            units=_units(court, fields.get("units") or fields.get("unit") or fields.get("what")),
        )
    if verb == "recover":
        return replace(act, verb="rebuild")
    if verb == "step_loss":
        return replace(act, verb="flip")
    return act


def _on_the_map(court: Court, act: Act) -> Act:
    """Places that are no hexes (boxes, tracks) are off the map; pieces that are no units do nothing."""
    grid = court.grid
    places = {act.origin, act.to, *act.path} - {None}
    if not all(place in grid for place in places):
        to = act.to if act.to in grid else None
        origin = act.origin if act.origin in grid else None
        act = replace(act, to=to, origin=origin, path=tuple(hex for hex in act.path if hex in grid))
    if not act.units or act.verb not in _PHYSICAL:
        return act
    units = tuple(id for id in act.units if id in court.position.units or id in court.markers)
    if units == act.units:
        return act
    return replace(act, units=units) if units else replace(act, verb="ignored", units=())


_PHYSICAL = ("move", "retreat", "advance", "displace", "enter", "exit", "place", "change", "remove")


def _units(court: Court, value: Any) -> tuple[str, ...]:
    return tuple(name for one in as_list(value) if (name := str(one)) in court.position.units)


def _changed(court: Court, act: Act) -> Act:
    if act.units[0] not in court.position.units:
        return _marked(court, replace(act, verb="unmark", units=(), fields={"what": act.units[0]}))
    if "step" not in act.fields:
        return replace(act, verb="ignored")
    unit = court.unit(act.units[0])
    face = plain(act.fields.get("step", ("", ""))[1])
    if face in ("full", "front", "rebuilt", "up") or (not face and unit.depleted and "marine" not in unit.traits):
        return replace(act, verb="rebuild")
    if unit.hidden and face in ("", "revealed", "face up", "faceup"):
        return replace(act, verb="reveal")
    return replace(act, verb="flip")


def _moved(court: Court, act: Act) -> Act:
    """An ordinary drag; in a combat phase it is a retreat, an advance or a displacement where it can be one."""
    units = [court.unit(id) for id in act.units]
    if act.origin is None:
        if court.phase == "setup":
            return replace(act, verb="place")
        return replace(act, verb="enter", fields={**act.fields, "dragged": len(act.path) < 2})
    if act.to is None:
        return replace(act, verb="exit")
    if court.phase == "setup":
        return replace(act, verb="place")
    combat = court.combat
    if combat is None or not court.may_be(None, COMBAT) or not combat.rolls or len(units) != 1:
        return act
    unit = units[0]
    if act.to in combat.targets and unit.id in combat.attackers:
        return replace(act, verb="advance")
    if unit.id in combat.retreats or (unit.id in combat.defenders and act.origin in combat.targets):
        return replace(act, verb="retreat")  # on its way, hex by hex, or just driven out
    if unit.id in combat.advances:
        return replace(act, verb="advance")
    if unit.id in combat.attackers:
        driven_out = [way for id, way in combat.retreats.items() if id in combat.defenders]
        return replace(act, verb="advance" if any(_on_way(court, act.to, way) for way in driven_out) else "retreat")
    driven = any(retreat_length(code, unit.side == combat.side) for code in outcomes(court, combat))
    if unit.side != court.phasing or (driven and act.origin is not None and court.touch(act.origin, act.to)):
        return replace(act, verb="displace")
    return act


def _on_way(court: Court, hex: str, way: Retreat) -> bool:
    """May a retreat have passed through a hex? A drag tells only its ends; the way is as short as it can be (7.7)."""
    if hex in way.path or way.exact:
        return hex in way.path
    return court.distance(way.origin, hex) + court.distance(hex, way.to) == court.distance(way.origin, way.to)


def _arrives(court: Court, act: Act) -> bool:
    """Put on the map while units move: a reinforcement comes in. In a combat it may be a counter changed for another;
    in a log it may be a piece made anew."""
    gone = any(id in court.position.dead or court.position.where(id) is not None for id in act.units)
    return court.complete and bool(act.units) and act.to is not None and not gone and court.must_be(None, MOVEMENT)


def _marker_moved(court: Court, act: Act) -> Act:
    """A marker put down is what it is for: support in the combat hex, Air Supply on the unit under it."""
    marker = court.markers[act.units[0]]
    combat = court.combat
    if marker.kind == "support" and combat is not None and not combat.rolls and act.to in combat.targets:
        fields = {**act.fields, "marker": marker.name, "for": act.to, "put": act.to}
        return replace(act, verb="support", units=(), side=act.side or marker.side, fields=fields)
    under = court.position.at(act.to) if act.to is not None else ()
    if marker.kind == "air" and len(under) == 1:
        return replace(act, verb="air_supply", units=tuple(under), fields={**act.fields, "marker": marker.name})
    return replace(act, verb="move-marker")


def _marked(court: Court, act: Act) -> Act:
    fields = dict(act.fields)
    what = str(fields.get("what") or fields.get("marker") or fields.get("name") or "")
    low = what.lower()
    marker = court.markers.get(what)
    kind = (
        marker.kind
        if marker
        else "air"
        if "air" in low
        else "bridge"
        if "bridge" in low
        else "turn"
        if "turn" in low
        else ""
    )
    where = (
        fields.get("unit")
        or fields.get("to")
        or fields.get("hex")
        or fields.get("for")
        or fields.get("at")
        or fields.get("hexside")
    )
    if act.verb == "unmark":
        return replace(act, verb="unbridge" if kind == "bridge" else "takeback", fields={**fields, "marker": what})
    if kind == "air":
        return replace(
            act, verb="air_supply", units=_units(court, where), fields={**fields, "marker": what, "for": where}
        )
    if kind == "bridge":
        side = fields.get("hexside") or fields.get("hex") or fields.get("to") or fields.get("between")
        return replace(act, verb="bridge", fields={**fields, "hexside": side})
    if kind == "turn":
        return replace(act, verb="turn-marker", fields={**fields, "to": where})
    if "hidden" in low or "hide" in low:
        return replace(act, verb="hide", units=_units(court, where))
    if "wave" in low or "double" in low:
        return replace(act, verb="wave", units=_units(court, where))
    if kind == "support" or value_in(what) is not None:
        return replace(act, verb="support", fields={**fields, "marker": what, "for": where, "put": where})
    return replace(act, verb="mark-other")


def _set(court: Court, act: Act) -> Act:
    name = plain(act.fields.get("what") or act.fields.get("name") or "")
    value = act.fields.get("to", act.fields.get("value"))
    side = next((side for word in name.split() if (side := facts.side_of(word, court.scenario.id))), act.side)
    fields: dict[str, Any] = {**act.fields, "value": value}
    for verb, pattern in _TRACKS:
        if pattern.search(name):
            return replace(act, verb=verb, side=side, fields=fields)
    return replace(act, verb="set-other", side=side, fields=fields)


def attackers_of(court: Court, act: Act) -> list[Unit]:
    """The units that a declaration names as attackers: names, {unit: NAME, ...}, or a mapping from names."""
    named = []
    for one in as_list(act.get("attackers", "attacker", "by", "units")):
        if isinstance(one, Mapping):
            named += [one[key] for key in ("unit", "name", "id") if key in one] or list(one)
        else:
            named.append(one)
    return [court.unit(name) for one in named if (name := str(one)) in court.position.units]


def targets_of(court: Court, fields: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The hexes attacked and the units in them that defend."""
    hexes: list[str] = []
    units: list[str] = []
    for key in ("target", "targets", "hex", "at", "for", "on"):
        for one in as_list(fields.get(key)):
            name = f"{one:04d}" if isinstance(one, int) else str(one)
            if name in court.grid:
                hexes.append(name)
            elif name in court.position.units:
                units.append(name)
    for key in ("units", "defenders", "defender", "defending"):
        units += [name for one in as_list(fields.get(key)) if (name := str(one)) in court.position.units]
    for unit in units:
        hex = court.position.where(unit)
        if hex is not None:
            hexes.append(hex)
    return tuple(dict.fromkeys(hexes)), tuple(dict.fromkeys(units))
