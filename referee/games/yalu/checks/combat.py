"""Fires: who may shoot at whom (10.1, 10.6, 10.7, 10.9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.games.yalu import facts
from referee.games.yalu.announced import fire_of
from referee.games.yalu.court import Court, check
from referee.games.yalu.fires import fire_word
from referee.games.yalu.units import NEUTRALIZED, factor, is_support
from referee.story_events import as_list
from referee.table.acts import Act
from referee.table.combat import Combat
from referee.verdict import Finding


@check("fire", ids=[
    "CBT-ADJACENT", "CBT-ATTACKER-NEUTRALIZED", "CBT-UNDESIGNATED", "CBT-FIRE-TWICE", "CBT-TARGET-TWICE",
    "CBT-MULTIHEX", "CBT-SPLIT", "CBT-SUPPORT-TARGET", "CBT-GUERRILLA",
])  # fmt: skip
def who(court: Court, act: Act) -> Iterator[Finding]:
    """Who fires at whom."""
    combat = fire_of(court, act)
    if combat is None:
        return
    hexes = {combat.stood[id] for id in combat.defenders if id in combat.stood} | set(combat.targets)
    if len(hexes) > 1 and combat.kind != "bugout" and court.scenario.rules["one_target_hex"]:
        yield court.find("CBT-MULTIHEX", act, f"one fire at {', '.join(sorted(hexes))}: a fire has one target hex")
    hex = combat.targets[0] if combat.targets else None
    for id in combat.attackers:
        unit, stood = combat.units[id], combat.stood.get(id)
        if unit.kind == "guerrilla":
            yield court.find("CBT-GUERRILLA", act, f"{unit.name} is a guerrilla and never fires", units=(id,))
            continue
        if unit.kind in ("naval", "air"):
            continue
        far = [one for one in sorted(hexes) if stood and not court.touch(stood, one)]
        if far and (court.scenario.classic or hex in far):  # C9: next to every unit fired at
            yield court.find("CBT-ADJACENT", act, f"{unit.name} in {stood} is not next to {far[0]}", units=(id,))
        if combat.kind == "assault":
            yield from _assaulter(court, act, combat, id, hex)
        if combat.kind != "bugout" and not is_support(unit):
            fired = [fact for fact in court.this_combat("fired", id) if fact.more.get("kind") != "bugout"]
            if fired:
                yield court.find("CBT-FIRE-TWICE", act, f"{unit.name} has fired in this combat phase", units=(id,))
    for id in combat.defenders:
        yield from _target(court, act, combat, id)
    yield from _split(court, act)


def _assaulter(court: Court, act: Act, combat: Combat, id: str, hex: str | None) -> Iterator[Finding]:
    unit = combat.units[id]
    if NEUTRALIZED in unit.traits:
        yield court.find(
            "CBT-ATTACKER-NEUTRALIZED", act, f"{unit.name} is Neutralized and may not assault", units=(id,)
        )
    if court.designations and hex is not None and not is_support(unit):
        held = court.designations.get(hex)
        if held is None or id not in held.units:
            other = next((one.hex for one in court.designations.values() if id in one.units), None)
            text = f"{unit.name} was not designated against {hex}" + (f", but against {other}" if other else "")
            sure = court.complete or other is not None
            missing = () if sure else _unsaid(court)
            yield court.find("CBT-UNDESIGNATED", act, text, sure=sure, missing=missing, units=(id,))


def _target(court: Court, act: Act, combat: Combat, id: str) -> Iterator[Finding]:
    unit, hex = combat.units[id], combat.stood.get(id)
    if unit.kind == "guerrilla":
        yield court.find("CBT-GUERRILLA", act, f"{unit.name} is a guerrilla and is never fired at", units=(id,))
        return
    if unit.kind in ("naval", "air"):
        yield court.find("CBT-SUPPORT-TARGET", act, f"{unit.name} can never be attacked", units=(id,))
        return
    if unit.kind in ("artillery", "tank") and hex is not None:
        others = [one.name for one in court.combat_units(hex, unit.side)]
        if others:
            text = f"{unit.name} is stacked with {', '.join(others)} and cannot be a target"
            yield court.find("CBT-SUPPORT-TARGET", act, text, units=(id,))
    if combat.kind != "bugout":
        struck = [fact for fact in court.this_combat("fired-at", id) if fact.more.get("kind") != "bugout"]
        if struck:
            yield court.find(
                "CBT-TARGET-TWICE", act, f"{unit.name} has been fired at in this combat phase", units=(id,)
            )


def _split(court: Court, act: Act) -> Iterator[Finding]:
    for one in as_list(act.fields.get("by") or act.fields.get("attackers")):
        if isinstance(one, Mapping):
            id = str(one.get("unit") or one.get("name"))
            part = one.get("factors", one.get("factor"))
            whole = factor(court.unit(id)) if id in court.position.units else None
            if isinstance(part, int) and whole is not None and part < whole:
                yield court.find(
                    "CBT-SPLIT", act, f"{id} fires with {part} of {whole}: a factor is never split", units=(id,)
                )


def _unsaid(court: Court) -> tuple[str, ...]:
    return () if court.complete else ("whether the attack was announced without a call-out",)


@check("fire", ids=["DF-WHO", "DF-SURPRISED", "HWA-DEFFIRE", "DF-COM-ARTILLERY"])
def defensive(court: Court, act: Act) -> Iterator[Finding]:
    """Defensive Fire: from an attacked hex, at its attackers, by those who may."""
    combat = fire_of(court, act)
    if combat is None:
        return
    if combat.side == facts.COMMUNIST and combat.kind in ("defensive", "bugout") and combat.said.get("artillery"):
        id = "BUG-FIRE-ODDS" if combat.kind == "bugout" else "DF-COM-ARTILLERY"
        yield court.find(id, act, f"no artillery in {fire_word(combat.kind)}")
    if combat.kind != "defensive":
        return
    for id in combat.attackers:
        unit, hex = combat.units[id], combat.stood.get(id)
        if court.surprised.get(id):
            yield court.find("DF-SURPRISED", act, f"{unit.name} is surprised and may not fire", units=(id,))
        if not court.designations or hex is None or is_support(unit):
            continue
        held = court.designations.get(hex)
        if held is None:
            text = f"{hex} is not attacked: {unit.name} may not fire"
            yield court.find("DF-WHO", act, text, sure=court.complete, missing=_unsaid(court), units=(id,))
            continue
        others = [one for one in combat.defenders if one not in held.units]
        if others and not court.scenario.classic:
            names = ", ".join(map(court.name, others))
            sent = {one for against in court.designations.values() for one in against.units}
            sure = court.complete or (len(others) == len(combat.defenders) and set(others) <= sent)
            missing = () if sure else _unsaid(court)
            text = f"{names} is not designated against {hex}"
            yield court.find("DF-WHO", act, text, sure=sure, missing=missing, units=(id,))
        if held.kind == "hwa":
            entitled = court.entitled_to_fire_at_wave(unit)
            if court.scenario.classic:
                entitled = False
            if entitled is not True:
                missing = () if entitled is False else ("whether Ridgway commands, or the unit's nation",)
                yield court.find(
                    "HWA-DEFFIRE",
                    act,
                    f"{unit.name} may not fire at a Human Wave",
                    sure=entitled is False,
                    missing=missing,
                    units=(id,),
                )
