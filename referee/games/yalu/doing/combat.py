"""Attacks that are announced, fires, claims and bombardments."""

from __future__ import annotations

from referee.games.yalu import facts
from referee.games.yalu.announced import fire_of
from referee.games.yalu.court import Court, Designation
from referee.games.yalu.interpret import hex_in, units_in
from referee.games.yalu.units import BOMBARDED, is_support
from referee.story_events import as_list
from referee.table.acts import Act


def designate(court: Court, act: Act) -> None:
    """An attack is announced: units against a hex (10.5)."""
    fields = act.fields
    for one in as_list(fields.get("target") or fields.get("targets") or fields.get("hex")):
        hex = hex_in(court, one)
        if hex is None:
            continue
        units = units_in(court, fields.get("attackers") or fields.get("by") or fields.get("units"))
        held = court.designations.setdefault(hex, Designation(hex, court.phasing, act.step))
        held.units += [id for id in units if id not in held.units]
        held.was |= {id: court.unit(id) for id in units}
        kind = fields.get("type")
        held.kind = held.kind or (str(kind) if kind else None)
        asp = fields.get("asp")
        paid = asp if isinstance(asp, int) else None
        if paid is not None:
            held.asp = (held.asp or 0) + paid
            court.asp = court.asp - paid if court.asp is not None and court.asp >= paid else None
        guns = fields.get("artillery")
        if isinstance(guns, int) and guns:
            held.artillery = abs(guns) if abs(guns) <= 2 else 2
        held.air = fields.get("air") if isinstance(fields.get("air"), int) else held.air
        held.support += list(units_in(court, fields.get("support")))
        if held.side is None and units:
            held.side = court.unit(units[0]).side
        court.note("designation", hex, act, type=kind)


def open_fire(court: Court, act: Act) -> None:
    """A fire is announced; what follows is its dice and its result."""
    combat = fire_of(court, act)
    if combat is None:
        return
    court.combat = combat
    court.combats.append(combat)
    for id in combat.attackers:
        court.note("fired", id, act, kind=combat.kind, hex=combat.targets[0] if combat.targets else None)
    for id in combat.defenders if not combat.said.get("loose") else ():
        court.note("fired-at", id, act, kind=combat.kind, hex=combat.targets[0] if combat.targets else None)
    for id in {*combat.said.get("supports", ()), *(id for id in combat.attackers if is_support(combat.units[id]))}:
        court.note("used", id, act, kind=combat.kind)
    air = combat.said.get("air")
    again = court.scenario.classic and combat.kind == "defensive"  # C13: it may be used once more in the UN turn
    if isinstance(air, int) and court.air is not None and combat.side == facts.UN and not again:
        court.air = max(0, court.air - air)
    for hex in combat.targets:
        if hex in court.designations:
            court.designations[hex].fought = True
    phase = {"defensive": "defensive-fire", "assault": "assault", "bugout": "bugout"}.get(combat.kind)
    if phase is not None and court.clock.strict:
        court.clock = court.clock.not_before(lambda moment: moment.phase == phase)


def claim(court: Court, act: Act) -> None:
    """Figures are announced for the fire that goes on."""
    if court.combat is not None:
        for key in ("odds", "drm", "result", "column", "total"):
            if act.fields.get(key) is not None:
                court.combat.said[key] = act.fields[key]


def bombard(court: Court, act: Act) -> None:
    """Units, or air points, bombard a hex."""
    for id in units_in(court, act.fields.get("by")):
        court.note("bombarded", id, act, hex=act.fields.get("target"), mission=act.fields.get("mission"))
        court.mark(id, BOMBARDED)
    air = act.fields.get("air")
    if isinstance(air, int) and court.air is not None:
        court.air = max(0, court.air - air)
    court.given["bombardment"] = act
    court.given["bombardment dice"] = 0
