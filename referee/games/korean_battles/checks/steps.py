"""Steps lost and regained one by one: without a combat, down the Marine ladder, back from the dead (15.0, 24.0)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.korean_battles.court import COMBAT, MOVEMENT, Court, check
from referee.games.korean_battles.outcome import outcomes, retreat_length
from referee.games.korean_battles.retreat_paths import can_retreat
from referee.rules.steps import ladder_place
from referee.table.acts import Act
from referee.table.combat import Combat
from referee.verdict import Finding


@check("flip", "remove", ids=["RES-EXCESS", "RES-USMC-STEP", "MOVE-OFF-MAP"])
def without_cause(court: Court, act: Act) -> Iterator[Finding]:
    """Steps lost while no combat is being resolved; a Marine regiment removed before its last step."""
    for id in act.units:
        if id not in court.position.units:
            continue
        unit = court.unit(id)
        if act.verb == "remove" and "marine" in unit.traits and unit.faces and court.position.where(id) is not None:
            place = ladder_place(unit, unit.face)
            done = court.combat is not None and outcomes(court, court.combat) & {"De", "Ae"}
            if (
                place is not None
                and place < len(unit.faces) - 1
                and not done
                and court.combat is not None
                and id not in court.combat.doubled
            ):
                yield court.find(
                    "RES-USMC-STEP",
                    act,
                    f"{unit.name} as {unit.face} is removed; its next step is {unit.faces[place + 1]}",
                    sure=not _trapped(court, court.combat, id),
                    missing=("whether it could retreat at all",),
                )
        if unit.dummy or court.phase == "setup":
            continue
        if court.combat is None or court.combat.closed:
            if act.verb == "flip" and unit.kind == "cadre":
                continue
            sure = court.complete and court.phase in COMBAT
            if act.verb == "remove" and court.phase in MOVEMENT:
                yield court.find(
                    "MOVE-OFF-MAP", act, f"{unit.name} is taken off the map", sure=False, missing=("why it was",)
                )
            yield court.find(
                "RES-EXCESS",
                act,
                f"{unit.name} loses a step and no combat result asks for it",
                sure=sure,
                missing=() if sure else ("what the change was for",),
            )


def _trapped(court: Court, combat: Combat, id: str) -> bool:
    start = combat.stood.get(id)
    driven = any(retreat_length(code, id in combat.attackers) for code in outcomes(court, combat))
    return bool(driven and start is not None and not can_retreat(court, court.unit(id), start, 1))


@check("flip", "replace", ids=["RES-USMC-STEP"])
def marine_ladder(court: Court, act: Act) -> Iterator[Finding]:
    """8-7-5, 6-6-5, 4-5-5, 2-4-4: one step at a time (24.0)."""
    from referee.games.korean_battles.story_units import values_in

    for id in act.units:
        unit = court.unit(id)
        if "marine" not in unit.traits or not unit.faces:
            continue
        place = ladder_place(unit, unit.face)
        told = act.fields.get("step")
        raw = told[1] if isinstance(told, tuple) else act.get("with", "into", "to", "value", "face", "by")
        raw = raw[0] if isinstance(raw, (list, tuple)) and raw else raw
        named = values_in(raw) if raw else None
        if named is None and raw and str(raw) in court.position.units:
            named = court.unit(str(raw)).face
        if place is None or named is None:
            if place is not None and act.verb == "flip" and place == len(unit.faces) - 1 and named is None:
                yield court.find("RES-USMC-STEP", act, f"{unit.name} as {unit.face} has no step left to turn to")
            continue
        right = unit.faces[place + 1] if place + 1 < len(unit.faces) else None
        if named != right:
            yield court.find(
                "RES-USMC-STEP",
                act,
                f"{unit.name} goes from {unit.face} to {named}; the next step is {right or 'elimination'}",
                ladder=[str(face) for face in unit.faces],
            )


@check("enter", "place", "rebuild", ids=["RES-REVIVED"])
def revived(court: Court, act: Act) -> Iterator[Finding]:
    """A dead unit does not come back."""
    for id in act.units:
        dead = id in court.position.dead or any(True for _ in court.ledger.find("eliminated", id))
        if act.verb == "rebuild" and court.position.where(id) is not None:
            continue  # it was only put aside
        if dead and act.get("as_") is None:
            yield court.find("RES-REVIVED", act, f"{court.name(id)} was eliminated and cannot return")
