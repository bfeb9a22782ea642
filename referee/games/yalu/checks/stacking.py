"""Stacking at the end of phases, guerrillas, conscripts left alone, ships and aircraft (7.0, 12.2.3, 16.0, 17.5)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu import facts
from referee.games.yalu.court import Court, check
from referee.games.yalu.stacks import counted, describe, fits, load, most_that_surely_fit
from referee.games.yalu.units import NEUTRALIZED
from referee.table.acts import Act
from referee.table.units import Unit
from referee.verdict import Finding


def overfull(court: Court, side: str) -> Iterator[tuple[str, list[Unit]]]:
    """Hexes that surely hold more of a side than they may, with what counts there."""
    crowded = court.crowded(side, most_that_surely_fit(side) + 1)
    for hex, units in court.stacks(side).items() if crowded else ():
        if hex in crowded and fits(court, hex, side) is False:
            yield hex, counted(units)


@check("phase-over", "story-over", ids=["STACK-UN-LIMIT"])
def un_limit(court: Court, act: Act) -> Iterator[Finding]:
    """The UN limit holds at the end of UN movement (7.2.6)."""
    if not court.must_be(facts.UN, ("movement",)) or (act.verb == "story-over" and not court.trails):
        return
    if act.verb == "story-over":
        return
    for hex, units in overfull(court, facts.UN):
        if not any(NEUTRALIZED not in unit.traits for unit in units):
            continue
        least, _ = load(units)
        limit = facts.BOOK.rules["stack"]["ROK" if all(unit.nation == "ROK" for unit in units) else "UN"]
        each = facts.BOOK.rules["load"]["division"]
        text = f"{hex} holds {describe(court, units)}: a load of {least}, the limit is {limit} ({each} a division)"
        yield court.find("STACK-UN-LIMIT", act, text, units=tuple(unit.id for unit in units))


@check("enter", "retreat", "advance", "bugout", ids=["STACK-UN-LIMIT"])
def un_limit_elsewhere(court: Court, act: Act) -> Iterator[Finding]:
    """Outside UN movement the UN limit holds at all times (7.2.6)."""
    if act.to is None or not act.units or act.verb == "retreat":
        return
    units = [court.unit(id) for id in act.units]
    if units[0].side != facts.UN or court.may_be(facts.UN, ("movement",)) or act.verb in ("enter", "bugout"):
        return
    if fits(court, act.to, facts.UN, units) is False:
        yield court.find(
            "STACK-UN-LIMIT",
            act,
            f"{act.to} would hold {describe(court, [*court.position.friends_at(act.to, facts.UN), *units])}",
        )


@check("phase-over", "story-over", ids=["STACK-NOT-NEUTRALIZED"])
def not_neutralized(court: Court, act: Act) -> Iterator[Finding]:
    """Units of an overstacked hex are Neutralized at once (7.3); a UN stack is found to be one when its movement ends,
    so what comes after tells."""
    found: dict[str, int] = {}
    for side in court.scenario.sides:
        may_move = side == facts.UN and court.may_be(facts.UN, ("movement",))
        if (may_move and not court.must_be(facts.UN, ("movement",))) or (act.verb == "story-over" and side != facts.UN):
            continue
        for hex, units in overfull(court, side):
            well = [unit for unit in units if NEUTRALIZED not in unit.traits]
            if not well or not _came(court, units):
                continue
            if may_move:
                if act.verb == "phase-over":
                    found[hex] = act.step
                continue
            text = f"{hex} is overstacked ({describe(court, units)}) and {describe(court, well)} is not Neutralized"
            step, who = court.overfull.get(hex, act.step), tuple(unit.id for unit in well)
            yield court.find("STACK-NOT-NEUTRALIZED", act, text, step=step, units=who, side=side)
    court.overfull = found


def _came(court: Court, units: list[Unit]) -> bool:
    """Did one of them come here since we look on? How a position began is not held against anybody."""
    words = ("moved", "entered", "advanced", "retreated")
    return any(fact.step for unit in units for word in words for fact in court.ledger.find(word, unit.id))


@check("mark-regroup", "recover", ids=["STACK-REGROUP"])
def regroup_overstacked(court: Court, act: Act) -> Iterator[Finding]:
    """Overstacked units cannot Regroup (7.3)."""
    for id in act.units:
        hex = court.position.where(id)
        if hex is not None and fits(court, hex, court.unit(id).side) is False:
            yield court.find("STACK-REGROUP", act, f"{court.name(id)} is in {hex}, which is overstacked", units=(id,))


@check("move", "enter", ids=["STACK-COM-LIMIT"])
def guerrillas_together(court: Court, act: Act) -> Iterator[Finding]:
    """In Classic no two guerrillas stand in a hex (C17)."""
    movers = [id for id in act.units if court.unit(id).kind == "guerrilla"]
    if not movers or act.to is None or not court.scenario.classic:
        return
    here = [unit.id for unit in court.position.friends_at(act.to, facts.COMMUNIST) if unit.kind == "guerrilla"]
    both = dict.fromkeys([*here, *movers])
    if len(both) > 1:
        text = f"{act.to} holds {', '.join(map(court.name, both))}: guerrillas may not stack"
        yield court.find("STACK-COM-LIMIT", act, text, units=tuple(movers))


@check("phase-over", ids=["STACK-GUER-COM"])
def guerrilla_with_communists(court: Court, act: Act) -> Iterator[Finding]:
    """A guerrilla that shares a hex with a Communist combat unit or conscript is eliminated (16.1)."""
    for unit, hex in court.position.of_kind("guerrilla", facts.COMMUNIST):
        others = [
            one.name for one in court.position.friends_at(hex, facts.COMMUNIST) if one.kind in (None, "conscript")
        ]
        if others:
            text = f"{unit.name} is still in {hex} with {', '.join(others)}"
            yield court.find("STACK-GUER-COM", act, text, units=(unit.id,))


@check("sail", "enter", "place", ids=["STACK-NAVAL-LAND"])
def ship_on_land(court: Court, act: Act) -> Iterator[Finding]:
    """Ships stay in full-sea hexes (7.2.5, 12.2.3)."""
    for id in act.units:
        if court.unit(id).kind == "naval" and act.to is not None and court.is_sea(act.to) is False:
            kinds = " and ".join(court.ground.terrain(act.to))
            yield court.find(
                "STACK-NAVAL-LAND",
                act,
                f"{court.name(id)} is put into {act.to} ({kinds}), no full-sea hex",
                units=(id,),
            )


@check("phase-over", ids=["STACK-AIR-MAP"])
def air_on_map(court: Court, act: Act) -> Iterator[Finding]:
    """Aircraft lie on the map only while they are used (12.3.2, 10.5.6)."""
    if court.may_be(None, (*facts.COMBAT, "bombardment")):
        return
    for unit, hex in court.position.of_kind("air", facts.UN):
        yield court.find("STACK-AIR-MAP", act, f"{unit.name} lies in {hex}, in no use", units=(unit.id,))


@check("phase-over", "story-over", ids=["CON-ALONE"])
def conscript_alone(court: Court, act: Act) -> Iterator[Finding]:
    """A conscript without a combat unit is removed, save in Communist movement (17.5)."""
    if court.may_be(facts.COMMUNIST, ("movement",)):
        return
    for unit, hex in court.position.of_kind("conscript", facts.COMMUNIST):
        if not court.combat_units(hex, facts.COMMUNIST):
            text = f"{unit.name} is alone in {hex} when the phase ends and stays on the map"
            yield court.find("CON-ALONE", act, text, units=(unit.id,))
