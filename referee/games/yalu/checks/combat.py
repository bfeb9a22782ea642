"""Fires: who may shoot at whom, and the arithmetic (10.1, 10.2, 10.6, 10.7, 10.9, 19.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from referee.games.yalu import facts
from referee.games.yalu.apply import fire_of
from referee.games.yalu.charts import odds_text, result_code
from referee.games.yalu.court import Court, check
from referee.games.yalu.fires import (
    attack_kind,
    columns_for,
    exact_odds,
    fire_word,
    modifier,
    ratio,
    results,
    supports_in,
    totals,
    value_of,
)  # fmt: skip
from referee.games.yalu.surprise import is_surprised, surprise_number
from referee.games.yalu.units import ISOLATED, NEUTRALIZED, factor, is_support
from referee.rulebook import plain
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
        if hex and stood and not court.touch(stood, hex):
            yield court.find("CBT-ADJACENT", act, f"{unit.name} in {stood} is not next to {hex}", units=(id,))
        if combat.kind == "assault":
            yield from _assaulter(court, act, combat, id, hex)
        if (
            combat.kind != "bugout"
            and court.ledger.any("fired", id, turn=court.turn, side=court.phasing)
            and not is_support(unit)
        ):
            fired = [
                fact
                for fact in court.ledger.find("fired", id, turn=court.turn, side=court.phasing)
                if fact.more.get("kind") != "bugout"
            ]
            if fired and (court.phasing is not None or fired[-1].step == 0 or court.complete):
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
            yield court.find("CBT-UNDESIGNATED", act, text, units=(id,))


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
        struck = [
            fact
            for fact in court.ledger.find("fired-at", id, turn=court.turn, side=court.phasing)
            if fact.more.get("kind") != "bugout"
        ]
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
            if not court.scenario.classic:
                yield court.find("DF-WHO", act, f"{hex} is not attacked: {unit.name} may not fire", units=(id,))
            continue
        others = [one for one in combat.defenders if one not in held.units]
        if others and not court.scenario.classic:
            names = ", ".join(map(court.name, others))
            yield court.find("DF-WHO", act, f"{names} is not designated against {hex}", units=(id,))
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


# --- arithmetic


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
    combat = _meant(court, act)
    said = act.fields.get("odds", act.fields.get("column"))
    if combat is None or said is None:
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
    allowed = columns_for(court, value) | {exact_odds(value)}
    top = court.scenario.raw.get("odds", {}).get("highest", 8)
    if value > top:
        allowed |= {f"{top}-1"}
    if told in allowed:
        return
    id = _why(court, combat, told) or "CBT-ODDS"
    text = (
        f"{_sum(fire.parts)} = {_n(fire.total)} at {_sum(target.parts)} = {_n(target.total)}: "
        f"{exact_odds(value)}, column {' or '.join(sorted(columns_for(court, value)))}; announced {told}"
    )
    yield court.find(id, act, text, units=combat.attackers)


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
                from referee.games.yalu.fires import rate_of

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
    combat = _meant(court, act)
    said = act.fields.get("drm")
    if combat is None or not isinstance(said, int):
        return
    held = court.designations.get(combat.targets[0]) if combat.targets else None
    if combat.kind == "assault" and combat.said.get("artillery") is None and held is not None and held.artillery:
        others = [one for one in court.combats if one.targets == combat.targets and one is not combat]
        if not any(one.said.get("artillery") for one in others):
            _with_guns(court, combat, held.artillery, said)
    found = modifier(court, combat)
    if found.total == said:
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
    """Two dice for a fire (10.2.2)."""
    if act.fields.get("purpose") == "fire" and court.combat is not None and len(act.fields.get("dice", ())) != 2:
        yield court.find("CBT-DICE", act, f"{len(act.fields.get('dice', ()))} dice; a fire takes two")


@check("fire-over", ids=["CBT-DICE"])
def no_dice(court: Court, act: Act) -> Iterator[Finding]:
    """A result without a roll."""
    combat = court.combat
    if combat is None or combat.rolls or not court.complete or combat.step == 0:
        return
    if combat.said.get("result") is not None and act.fields.get("closed_by") != "end":
        yield court.find(
            "CBT-DICE", act, "a result was applied and no dice were rolled", units=combat.attackers, step=combat.step
        )


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


# --- surprise


def _surprise_turns(court: Court) -> tuple[int, int]:
    rule = court.scenario.rule("surprise")
    return int(rule["first"]), int(rule["last"])


@check("roll", ids=["SUR-WINDOW", "SUR-MOD"])
def surprise(court: Court, act: Act) -> Iterator[Finding]:
    """Only on the first five turns, never against a Human Wave, with the turn's modifier (19.1)."""
    if act.fields.get("purpose") != "surprise":
        return
    _, last = _surprise_turns(court)
    if court.turn is not None and court.turn > last:
        yield court.find("SUR-WINDOW", act, f"no surprise after {court.turn_words(last)}")
        return
    for id in act.units:
        held = court.designations.get(court.position.where(id) or "")
        if held is not None and held.kind == "hwa":
            yield court.find(
                "SUR-WINDOW", act, f"{court.name(id)} is under a Human Wave: no surprise roll", units=(id,)
            )
    if court.turn is None:
        return
    want = court.turn - 1
    said = act.fields.get("modifier", act.fields.get("drm"))
    if isinstance(said, int) and said != want:
        yield court.find(
            "SUR-MOD", act, f"{court.turn_words(court.turn)} adds {want:+d} to the die; announced {said:+d}"
        )
    yield from _surprise_result(court, act, want)


def _surprise_result(court: Court, act: Act, add: int) -> Iterator[Finding]:
    word = act.fields.get("result")
    if word is None:
        return
    told = "not" not in plain(word) and plain(word) != "no" and word is not False
    for id, die in zip(act.units, act.fields.get("dice", ()), strict=False):
        unit = court.unit(id)
        means = is_surprised(court, unit, die)
        if means is not None and means != told:
            number = surprise_number(court, unit)
            by = f"against {number}" if number is not None else "as in the example of play"
            text = f"{unit.name}: {die} {add:+d} {by} means {'surprised' if means else 'not surprised'}"
            yield court.find("SUR-MOD", act, text, units=(id,))


@check("phase-over", "fire", ids=["SUR-NO-ROLL"])
def no_surprise_roll(court: Court, act: Act) -> Iterator[Finding]:
    """A die for each UN unit in each defending hex, before the fires begin (19.1.2)."""
    first, last = _surprise_turns(court)
    if court.phasing != facts.COMMUNIST or court.turn is None or not first <= court.turn <= last or not court.complete:
        return
    if act.verb == "phase-over" and not court.may_be(None, ("designation",)):
        return
    if act.verb == "fire" and (
        court.ledger.any("fired", turn=court.turn, side=court.phasing) or court.must_be(None, ("bugout",))
    ):
        return
    for held in court.designations.values():
        if held.kind == "hwa" or held.step == 0:
            continue
        for unit in court.position.enemies_at(held.hex, facts.COMMUNIST):
            if unit.kind in (None, "garrison") and unit.id not in court.surprised:
                yield court.find("SUR-NO-ROLL", act, f"no surprise die for {unit.name} in {held.hex}", units=(unit.id,))


@check("fire-over", ids=["HWA-SURVIVOR"])
def wave_over(court: Court, act: Act) -> Iterator[Finding]:
    """All units of a Human Wave are eliminated after its result (10.9.6)."""
    combat = court.combat
    if combat is None or combat.kind != "assault" or attack_kind(court, combat) != "hwa" or not combat.rolls:
        return
    if act.fields.get("closed_by") == "end" and not combat.removed:
        return
    for id in combat.attackers:
        if (
            court.position.where(id) is not None
            and NEUTRALIZED not in combat.units[id].traits
            and not is_support(combat.units[id])
        ):
            yield court.find(
                "HWA-SURVIVOR", act, f"{court.name(id)} took part in a Human Wave and is still on the map", units=(id,)
            )


@check("remove", ids=["HWA-OVERKILL"])
def overkill(court: Court, act: Act) -> Iterator[Finding]:
    """A unit that Defensive Fire Neutralized did not attack and survives the Human Wave (10.9.6)."""
    combat = court.combat
    for id in act.units:
        held = next((one for one in court.designations.values() if id in one.units and one.kind == "hwa"), None)
        if held is None or not court.has(id, NEUTRALIZED):
            continue
        if (
            combat is not None
            and id in combat.defenders
            and (results(court, combat) & {"D"} or id in combat.retreats or not combat.closed)
        ):
            continue
        yield court.find(
            "HWA-OVERKILL",
            act,
            f"{court.name(id)} was Neutralized before the Human Wave and is not removed with it",
            units=(id,),
        )


def unnamed_supports(court: Court, combat: Combat) -> list[str]:
    """The supports of a fire."""
    return supports_in(court, combat)


def better(one: str, other: str) -> bool:
    """Is a column better for the firer?"""
    return value_of(one) > value_of(other)
