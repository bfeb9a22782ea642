"""The figures of a fire: odds, modifier, dice and result (10.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from referee.games.yalu import facts
from referee.games.yalu.announced import fire_of
from referee.games.yalu.charts import odds_text, result_code
from referee.games.yalu.court import Court, check
from referee.games.yalu.fires import (
    attack_kind,
    columns_for,
    exact_odds,
    modifier,
    rate_of,
    ratio,
    readings,
    results,
    totals,
    value_of,
)
from referee.games.yalu.units import ISOLATED, factor
from referee.table.acts import Act
from referee.table.combat import Combat
from referee.verdict import Finding


def _meant(court: Court, act: Act) -> Combat | None:
    """The fire that figures are announced for; with a designation they are those of its Assault."""
    if act.verb == "fire":
        return fire_of(court, act)
    if act.verb == "designate":
        kind = act.fields.get("type")
        return fire_of(court, replace(act, fields={**act.fields, "type": "assault", "attack_type": kind}))
    return court.combat


@check(
    "fire",
    "claim",
    "designate",
    ids=["CBT-ODDS", "SUP-HALF-CF", "UNSUP-FULL", "HWA-DEF-DOUBLE", "BUG-FIRE-ODDS", "SUP-UN-HALVED"],
)
def odds(court: Court, act: Act) -> Iterator[Finding]:
    """The odds announced against the odds as they are."""
    said = act.fields.get("odds", act.fields.get("column"))
    combat = _meant(court, act) if said is not None else None
    if combat is None:
        return
    told = odds_text(said)
    if not _is_odds(told):
        return
    fire, target = totals(court, combat)
    value = ratio(court, combat)
    if value is None:
        missing = tuple(fire.missing + target.missing)
        if missing:
            yield court.find(
                "CBT-ODDS", act, f"{told} was announced", sure=False, missing=missing, units=combat.attackers
            )
        return
    allowed: set[str] = set()
    for one in readings(court, combat):
        if (worth := ratio(court, one)) is None:
            return
        allowed |= _announced(court, one, worth)
    if told in allowed:
        return
    id = _why(court, combat, told) or "CBT-ODDS"
    text = (
        f"{_sum(fire.parts)} = {_n(fire.total)} at {_sum(target.parts)} = {_n(target.total)}: "
        f"{exact_odds(value)}, column {' or '.join(sorted(columns_for(court, value)))}; announced {told}"
    )
    yield court.find(id, act, text, units=combat.attackers)


def _announced(court: Court, combat: Combat, value: Fraction) -> set[str]:
    """The odds that a fire of this worth may be announced with."""
    allowed = columns_for(court, value) | {exact_odds(value)}
    top = court.scenario.raw.get("odds", {}).get("highest", 8)
    if value > top:
        allowed |= {f"{top}-1"}
    red = combat.side == facts.COMMUNIST and combat.kind == "assault"
    if court.scenario.classic and red and value > Fraction(1, 2):
        allowed |= {"1-2"}  # C15: odds may be lowered to save attack supply
    return allowed


@check("fire", "claim", ids=["CBT-ODDS", "UNSUP-FULL", "ASP-OVERSPEND"])
def classic_limits(court: Court, act: Act) -> Iterator[Finding]:
    """Classic: no attack below 1-6 (C9); without an attack supply point none above 1-2 (C15)."""
    combat = _meant(court, act) if court.scenario.classic else None
    if combat is None or combat.kind == "bugout":
        return
    values = [ratio(court, one) for one in readings(court, combat)]
    value = max((one for one in values if one is not None), default=None) if None not in values else None
    lowest = court.scenario.raw["odds"]["lowest"]
    if value is not None and value < Fraction(1, lowest) and act.verb == "fire":
        text = f"{exact_odds(value)}: attacks below 1-{lowest} are not made"
        yield court.find("CBT-ODDS", act, text, units=combat.attackers)
    told = odds_text(act.fields.get("odds", ""))
    if combat.side != facts.COMMUNIST or combat.kind != "assault" or not _is_odds(told):
        return
    held = [court.designations[hex] for hex in combat.targets if hex in court.designations]
    bare = not any(one.asp for one in held) and not combat.said.get("asp")
    if value_of(told) <= Fraction(1, 2) or not bare:
        return
    if any(one.kind == "unsupplied" for one in held):
        text = f"{told} without attack supply: at most 1-2"
        yield court.find("UNSUP-FULL", act, text, units=combat.attackers)
    elif court.asp == 0 and court.complete:
        yield court.find("ASP-OVERSPEND", act, f"{told} costs a point, none are there", units=combat.attackers)


def _is_odds(text: str) -> bool:
    parts = text.split("-")
    return len(parts) == 2 and all(part.isdigit() and int(part) for part in parts)


def _sum(parts: list[str]) -> str:
    return " + ".join(parts)


def _n(value: Fraction | None) -> str:
    return "?" if value is None else str(value.numerator) if value.denominator == 1 else str(float(value))


def _why(court: Court, combat: Combat, told: str) -> str | None:
    """Which mistake gives the odds that were announced?"""
    fire, target = totals(court, combat)
    if fire.total is None or not target.total:
        return None
    kind = attack_kind(court, combat)
    tired = [id for id in (*combat.attackers, *combat.defenders) if ISOLATED in combat.units[id].traits]
    reds = [id for id in tired if combat.units[id].side == facts.COMMUNIST]
    blues = [id for id in tired if combat.units[id].side == facts.UN]

    def fits(value: Fraction) -> bool:
        return told in columns_for(court, value) | {exact_odds(value)}

    def with_rates(change: dict[str, Fraction]) -> Fraction | None:
        sums = [Fraction(0), Fraction(0)]
        for i, ids in enumerate((combat.attackers, combat.defenders)):
            for id in ids:
                base = factor(combat.units[id])
                if base is None:
                    return None
                sums[i] += base * rate_of(court, combat.units[id], combat, i == 0) * change.get(id, Fraction(1))
        return sums[0] / sums[1] if sums[1] else None

    own = [id for id in (*combat.attackers, *combat.defenders) if combat.units[id].side == facts.COMMUNIST]
    guesses = [
        ("SUP-HALF-CF", {id: Fraction(2) for id in reds}, bool(reds)),
        ("SUP-UN-HALVED", {id: Fraction(1, 2) for id in blues}, bool(blues)),
        ("BUG-FIRE-ODDS", {id: Fraction(1, 2) for id in own}, combat.kind == "bugout"),
        ("UNSUP-FULL", {id: Fraction(2) for id in own}, kind == "unsupplied"),
        ("HWA-DEF-DOUBLE", {id: Fraction(2) for id in own}, kind == "hwa" and combat.kind == "defensive"),
    ]
    for id, change, on in guesses:
        if on and (value := with_rates(change)) is not None and fits(value):
            return id
    return None


@check("fire", "claim", "designate", ids=["CBT-DRM", "CBT-DRM-SURPRISE", "CBT-DRM-RIDGWAY"])
def drm(court: Court, act: Act) -> Iterator[Finding]:
    """The modifier announced against terrain, supports, artillery and Ridgway."""
    said = act.fields.get("drm")
    if not isinstance(said, int) or (combat := _meant(court, act)) is None:
        return
    held = court.designations.get(combat.targets[0]) if combat.targets else None
    if combat.kind == "assault" and combat.said.get("artillery") is None and held is not None and held.artillery:
        others = [one for one in court.combats if one.targets == combat.targets and one is not combat]
        if not any(one.said.get("artillery") for one in others):
            _with_guns(court, combat, held.artillery, said)
    found = modifier(court, combat)
    if found.total + found.low <= said <= found.total:
        return
    if found.missing:
        if not court.charts.table("drm") and court.ground.default == "unstated":
            return
        yield court.find(
            "CBT-DRM", act, f"{said:+d} was announced", sure=False, missing=tuple(found.missing), units=combat.attackers
        )
        return
    if court.ground.default == "unstated" and not court.ground.hexes:
        return
    text = f"{', '.join(found.parts) or 'no modifier'}: {found.total:+d}; announced {said:+d}"
    yield court.find(_drm_why(court, combat, said), act, text, units=combat.attackers)


def _with_guns(court: Court, combat: Combat, guns: int, said: int) -> None:
    """The hex has an artillery marker: this may be the fire it modifies."""
    plain_total = modifier(court, combat).total
    if said == plain_total - guns:
        combat.said["artillery"] = guns


def _drm_why(court: Court, combat: Combat, said: int) -> str:
    total = modifier(court, combat).total
    surprised = [court.surprised.get(id) for id in combat.defenders]
    if combat.kind == "assault" and any(surprised):
        kept = dict(court.surprised)
        court.surprised = {} if all(surprised) else {**kept, **dict.fromkeys(combat.defenders, True)}
        other = modifier(court, combat).total
        court.surprised = kept
        if other == said:
            return "CBT-DRM-SURPRISE"
    if court.ridgway == "drm" and combat.side == facts.COMMUNIST:
        blue = any(combat.units[id].nation in ("US", "UK") for id in combat.defenders)
        if (combat.kind == "assault" and blue and said == total - 1) or (
            not (combat.kind == "assault" and blue) and said == total + 1
        ):
            return "CBT-DRM-RIDGWAY"
    return "CBT-DRM"


@check("roll", ids=["CBT-DICE"])
def dice(court: Court, act: Act) -> Iterator[Finding]:
    """Two dice for a fire (10.2.2); in a story they may fall one after the other."""
    combat, purpose, fell = court.combat, act.fields.get("purpose"), len(act.fields.get("dice", ()))
    many = purpose is None and court.complete and combat is not None and not combat.rolls and fell > 2
    if combat is not None and ((purpose == "fire" and fell != 2) or (many and combat.step)):
        yield court.find("CBT-DICE", act, f"{fell} dice; a fire takes two")


@check("fire-over", ids=["CBT-DICE"])
def no_dice(court: Court, act: Act) -> Iterator[Finding]:
    """A result without a roll, or with one die only."""
    combat = court.combat
    if combat is None or combat.rolls or not court.complete or combat.step == 0:
        return
    fallen = combat.said.get("one by one", ())
    struck = {*combat.removed, *combat.retreats, *combat.touched} & {*combat.defenders}
    told = combat.said.get("result") is not None
    if fallen:
        yield court.find("CBT-DICE", act, "one die; a fire takes two", units=combat.attackers, step=fallen[0][0])
    elif (told and act.fields.get("closed_by") != "end") or (struck and not told):
        text = "a result was applied and no dice were rolled"
        yield court.find("CBT-DICE", act, text, units=combat.attackers, step=combat.step)


@check("remove", "neutralize", "retreat", ids=["CBT-RESULT"])
def no_effect(court: Court, act: Act) -> Iterator[Finding]:
    """Something is done to units that were fired at without effect."""
    combat = court.combat
    if combat is None or combat.closed or not court.complete or results(court, combat) != {"-"}:
        return
    for id in act.units:
        if id in combat.defenders:
            text = f"the fire at {court.name(id)} had no effect"
            yield court.find("CBT-RESULT", act, text, units=(id,))


@check("claim", "fire", ids=["CBT-RESULT"])
def result(court: Court, act: Act) -> Iterator[Finding]:
    """The result announced against the table."""
    combat = court.combat
    said = act.fields.get("result")
    if combat is None or said is None or not combat.rolls or act.verb == "fire":
        return
    told = result_code(said)
    spoken = combat.said.pop("result", None)
    cells = results(court, combat)
    if spoken is not None:
        combat.said["result"] = spoken
    if cells and told not in cells:
        value = ratio(court, combat)
        column = " or ".join(sorted(columns_for(court, value))) if value is not None else combat.said.get("odds")
        total = sum(combat.rolls[-1].dice) + modifier(court, combat).total
        sums = f"{sum(combat.rolls[-1].dice)} {modifier(court, combat).total:+d} = {total}"
        text = f"column {column}, {sums}: {' or '.join(sorted(cells))}; announced {told}"
        yield court.find("CBT-RESULT", act, text, units=combat.attackers)
