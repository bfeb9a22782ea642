"""Declaring an attack: who, whom, when (7.0 to 7.3, 10.3, 10.4, 14.0), and rolling for it (4.1-D)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.games.korean_battles.apply import doubled_in
from referee.games.korean_battles.court import COMBAT, Court, check
from referee.games.korean_battles.interpret import attackers_of, targets_of
from referee.games.korean_battles.supply import in_supply, supply_words
from referee.rules.ground import side
from referee.story_events import as_list
from referee.table.acts import Act
from referee.verdict import Finding


@check(
    "declare",
    ids=[
        "CMB-NOT-ADJACENT",
        "CMB-WRONG-PLAYER",
        "CMB-SEA-HEXSIDE",
        "CMB-DEPOT-ATTACKS",
        "CMB-AFTER-ADVANCE",
        "CMB-AFTER-DISPLACED",
        "CMB-OOS-MOBILE",
        "HID-DUMMY-ATTACKS",
    ],
)
def who_attacks(court: Court, act: Act) -> Iterator[Finding]:
    """Each attacker by itself."""
    targets, _ = targets_of(court, act.fields)
    for unit in attackers_of(court, act):
        one = replace(act, units=(unit.id,), origin=court.position.where(unit.id), to=targets[0] if targets else None)
        here = court.position.where(unit.id)
        if here is not None and targets and not any(court.touch(here, target) for target in targets):
            far = min(court.distance(here, target) for target in targets)
            yield court.find(
                "CMB-NOT-ADJACENT",
                one,
                f"{unit.name} in {here} is {far} hexes from {' and '.join(targets)}",
                distance=far,
            )
        if not court.may_be(unit.side, COMBAT):
            now = f"{court.phasing or ''} {court.phase or ''}".strip()
            yield court.find("CMB-WRONG-PLAYER", one, f"{unit.name} of the {unit.side} attacks in the {now} phase")
        for target in targets:
            features = court.ground.features(here, target) if here is not None else set()
            if (
                features & {"sea-hexside", "prohibited"}
                and here is not None
                and side(here, target) not in court.ground.bridges
            ):
                yield court.find(
                    "CMB-SEA-HEXSIDE",
                    one,
                    f"{unit.name} attacks from {here} to {target} across a prohibited hexside",
                    hexside=sorted(features),
                )
        if unit.kind == "depot":
            yield court.find(
                "CMB-DEPOT-ATTACKS", one, f"{unit.name} is a supply depot and cannot take part in an attack"
            )
        if unit.dummy:
            yield court.find("HID-DUMMY-ATTACKS", one, f"{unit.name} is a dummy and attacks")
        if court.ledger.any("advanced", unit.id, turn=court.turn, side=unit.side):
            yield court.find(
                "CMB-AFTER-ADVANCE", one, f"{unit.name} advanced after combat and does nothing more this player turn"
            )
        if court.ledger.any("displaced", unit.id, turn=court.turn):
            yield court.find("CMB-AFTER-DISPLACED", one, f"{unit.name} was displaced and cannot attack this turn")
        if court.must_be(None, ("mobile-combat",)) and unit.mobile is not False:
            supplied = in_supply(court, unit)
            words = supply_words(court, unit)
            if supplied is False or (supplied is None and words and unit.mobile):
                sure = supplied is False and unit.mobile is True
                yield court.find(
                    "CMB-OOS-MOBILE",
                    one,
                    f"{unit.name} has no line of supply and may not attack in the mobile combat phase",
                    sure=sure,
                    missing=() if sure else words,
                )


@check("declare", ids=["CMB-UNIT-TWICE", "CMB-TARGET-TWICE", "CMB-SPLIT-STRENGTH", "CMB-MULTI-HEX-TARGET"])
def once_each(court: Court, act: Act) -> Iterator[Finding]:
    """A unit attacks once, a defender is attacked once, and strength is not shared out."""
    phase = court.phase if court.phase in COMBAT else None
    targets, named = targets_of(court, act.fields)
    amended = _amends(court, act)
    for unit in attackers_of(court, act):
        one = act.of(unit.id)
        before = court.ledger.any("attacked", unit.id, turn=court.turn, side=unit.side, phase=phase)
        if before is not None and not amended:
            yield court.find(
                "CMB-UNIT-TWICE", one, f"{unit.name} already attacked in this combat phase", before=before.step
            )
            yield court.find(
                "CMB-SPLIT-STRENGTH",
                one,
                f"the strength of {unit.name} goes into two combats of one phase",
                before=before.step,
            )
    if act.get("split") is True:
        yield court.find("CMB-SPLIT-STRENGTH", act, "a unit's strength cannot be shared among combats")
    attacking = {unit.side for unit in attackers_of(court, act)}
    struck = {id for hex in targets for id in court.position.at(hex) if court.unit(id).side not in attacking} | set(
        named
    )
    for id in sorted(struck):
        before = court.ledger.any("target", id, turn=court.turn, side=court.phasing, phase=phase)
        if before is not None and not amended:
            yield court.find(
                "CMB-TARGET-TWICE",
                act.of(id),
                f"{court.name(id)} was already attacked in this combat phase",
                before=before.step,
            )
    if len(targets) > 1:
        yield court.find("CMB-MULTI-HEX-TARGET", act, f"one attack on {' and '.join(targets)}", targets=list(targets))


def _amends(court: Court, act: Act) -> bool:
    """Does this declaration say the last one again, nothing having been rolled or fired for it?"""
    last = court.combats[-1] if court.combats else None
    if last is None or last.rolls or last.support or last.kind != "ground":
        return False
    targets, _ = targets_of(court, act.fields)
    return set(targets) == set(last.targets)


@check("roll", ids=["CMB-DIE-COUNT", "CMB-REROLL"])
def one_die(court: Court, act: Act) -> Iterator[Finding]:
    """One six-sided die decides a combat, thrown once."""
    combat = court.combat
    said = str(act.fields.get("for") or "").lower()
    if (
        combat is None
        or combat.closed
        or any(word in said for word in ("naktong", "draw", "random", "initiative", "weather"))
    ):
        return
    dice, sides = act.fields.get("dice", ()), act.fields.get("sides")
    if len(dice) != 1 or sides not in (6, None):
        yield court.find(
            "CMB-DIE-COUNT",
            act,
            f"{len(dice)} dice with {sides} sides are rolled for one combat",
            side=combat.side,
            dice=list(dice),
        )
    waiting = any(not other.rolls and not other.said.get("result") for other in court.combats if other is not combat)
    if combat.rolls and not waiting:
        yield court.find(
            "CMB-REROLL",
            act,
            f"the combat of action {combat.step} was already rolled for",
            side=combat.side,
            rolls=[list(roll.dice) for roll in combat.rolls],
        )


@check("combat-over", ids=["CMB-DIE-COUNT", "CMB-CANCELLED"])
def unrolled(court: Court, act: Act) -> Iterator[Finding]:
    """A declared combat is rolled for, once support has been declared at the latest."""
    combat = court.combat
    if combat is None or combat.rolls or not court.complete or combat.said.get("result") is not None:
        return
    gone = [id for id in combat.defenders if court.unit(id).dummy]
    if gone and len(gone) == len(combat.defenders):
        return
    touched = [id for id in (*combat.attackers, *combat.defenders) if combat.changed(id) and not court.unit(id).dummy]
    if touched:
        yield court.find(
            "CMB-DIE-COUNT", act, "losses or retreats without a roll", step=combat.last_change, units=tuple(touched)
        )
    elif combat.support and act.get("closed_by") != "end":
        yield court.find(
            "CMB-CANCELLED",
            act,
            f"the combat of action {combat.step} was dropped after support was declared",
            side=combat.side,
            units=combat.attackers,
        )


@check("declare", "wave", ids=["HW-WRONG-SCENARIO", "HW-LATE"])
def human_wave(court: Court, act: Act) -> Iterator[Finding]:
    """Doubling is for North Koreans at Pusan, and chosen before any support."""
    if act.verb == "wave":
        units = act.units or (court.combat.attackers if court.combat else ())
    else:
        units = doubled_in(court, act, tuple(unit.id for unit in attackers_of(court, act)))
        if (
            not units
            and as_list(act.get("human_wave", "wave", "doubled"))
            and act.get("human_wave", "wave", "doubled") is not False
        ):
            units = tuple(unit.id for unit in attackers_of(court, act))
    if not units:
        return
    one = replace(act, units=tuple(units))
    if not court.scenario.rules["human_wave"]:
        yield court.find("HW-WRONG-SCENARIO", one, f"there is no human wave in {court.scenario.title}")
    elif any(court.unit(id).side != "NK" for id in units):
        yield court.find("HW-WRONG-SCENARIO", one, "only North Korean units attack in human waves")
    if act.verb == "wave" and court.combat is not None and (court.combat.support or court.combat.rolls):
        yield court.find("HW-LATE", one, "the doubled units are chosen after support fire was declared")
