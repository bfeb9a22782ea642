"""Applying results: retreats, eliminations, advances (10.3, 10.8, 12.1.7)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu import facts
from referee.games.yalu.court import Court, check
from referee.games.yalu.fires import attack_kind, results
from referee.games.yalu.retreating import barred, legal_goals, ways, zone_into
from referee.games.yalu.stacks import fits
from referee.games.yalu.supply import in_supply
from referee.games.yalu.units import NEUTRALIZED, is_support
from referee.table.acts import Act
from referee.table.combat import Combat
from referee.table.units import Unit
from referee.verdict import Finding

_IDS = {"zone": "RET-ZOC", "stack": "RET-STACK", "sea": "RET-SEA", "enemy": "RET-ZOC"}
_WORDS = {
    "zone": "is in an enemy zone of control",
    "stack": "has no room",
    "sea": "is sea",
    "enemy": "is held by the enemy",
}


def unsettled(court: Court, combat: Combat) -> bool:
    """A fire of a log in a phase that is not certain: what came of it is not judged."""
    return bool(combat.said.get("in_log")) and not court.complete


def _retreating(court: Court, id: str) -> set[str]:
    combat = court.combat
    if combat is None:
        return {id}
    driven = set(combat.defenders) if results(court, combat) == {"NR"} else set(combat.retreats)
    return {*driven, *combat.retreats, id}


@check(
    "retreat", ids=["RET-DISTANCE", "RET-ZOC", "RET-STACK", "RET-SEA", "RET-SELF-CLEAR", "RET-GARRISON", "RET-ISOLATED"]
)
def retreats(court: Court, act: Act) -> Iterator[Finding]:
    """Two hexes away, by hexes that are open to it."""
    for id in act.units:
        unit = court.unit(id)
        combat = court.combat
        start = combat.retreats[id].origin if combat is not None and id in combat.retreats else act.origin
        if unit.kind == "garrison" or unit.face.move == 0:
            yield court.find(
                "RET-GARRISON", act, f"{unit.name} is a garrison: it is Neutralized and stays", units=(id,)
            )
            continue
        if start is None or act.to is None:
            continue
        before = combat.retreats[id].path[1:] if combat is not None and id in combat.retreats else ()
        gone = court.distance(start, act.to)
        if gone != facts.BOOK.rules["retreat"]:
            hop = gone < facts.BOOK.rules["retreat"] and not court.complete
            missing = ("whether the unit was dragged on",) if hop else ()
            yield court.find(
                "RET-DISTANCE",
                act,
                f"{unit.name} ends {gone} hexes from {start}, not two",
                sure=not hop,
                missing=missing,
                units=(id,),
            )
            if gone > facts.BOOK.rules["retreat"] or gone == 0:
                continue
        yield from _way(court, act, unit, start, before)


def _way(court: Court, act: Act, unit: Unit, start: str, before: tuple[str, ...]) -> Iterator[Finding]:
    assert act.to is not None
    driven = _retreating(court, unit.id)
    if act.exact or before or court.touch(start, act.to):
        routes = [(*before, *act.path[1:])] if act.exact or before else [(act.to,)]
    else:
        routes = list(ways(court, start, act.to))
    reasons = []
    for route in routes:
        why = next(((hex, reason) for hex in route if (reason := barred(court, hex, unit, driven))), None)
        if why is None:
            yield from _isolated(court, act, unit, start, driven)
            return
        reasons.append(why)
    if not reasons:
        return
    hex, reason = min(reasons, key=lambda pair: ("zone", "stack", "enemy", "sea").index(pair[1]))
    if not act.exact and len({one for _, one in reasons}) > 1 and any(one == "stack" for _, one in reasons):
        reason = "stack" if act.to and barred(court, act.to, unit, driven) == "stack" else reason
    id = _IDS[reason]
    if reason == "zone" and zone_into(court, hex, unit, {unit.id}) is False:
        id = "RET-SELF-CLEAR"
    text = f"{unit.name} may not retreat into {hex}: it {_WORDS[reason]}"
    if id == "RET-SELF-CLEAR":
        text += "; units that retreat themselves cancel no zone"
    yield court.find(id, act, text, units=(unit.id,))


def _isolated(court: Court, act: Act, unit: Unit, start: str, driven: set[str]) -> Iterator[Finding]:
    """Not into isolation where another retreat exists (10.3.6)."""
    assert act.to is not None
    here = court.position.where(unit.id)
    states = {}
    if court.ground.default == "unstated":
        return
    for goal in {act.to, *legal_goals(court, start, unit, driven)}:
        court.position.put(unit.id, goal)
        states[goal] = in_supply(court, court.unit(unit.id))
    court.position.put(unit.id, here)
    others = [goal for goal, state in states.items() if state and goal != act.to]
    if states[act.to] is False and others:
        yield court.find(
            "RET-ISOLATED",
            act,
            f"{unit.name} is Isolated in {act.to}; in {min(others)} it would not be",
            units=(unit.id,),
        )


@check("exit", "embark", ids=["RET-SEA"])
def by_sea(court: Court, act: Act) -> Iterator[Finding]:
    """No retreat by sea (9.3.6.1)."""
    combat = court.combat
    if combat is not None and combat.rolls and court.must_be(None, facts.COMBAT):
        for id in act.units:
            if id in combat.defenders:
                yield court.find("RET-SEA", act, f"{court.name(id)} leaves by sea; a retreat goes by land", units=(id,))


@check("fire-over", ids=["RET-MISSING", "RET-NEUTRAL", "RET-NO-MARKER", "RET-D-SURVIVES", "RET-SUPPORT"])
def applied(court: Court, act: Act) -> Iterator[Finding]:
    """Was the result applied to every unit fired at?"""
    combat = court.combat
    if combat is None or combat.kind == "bugout" or combat.said.get("loose") or unsettled(court, combat):
        return
    found = results(court, combat)
    end = act.fields.get("closed_by") == "end"
    if len(found) != 1 or (end and not combat.touched and not combat.removed):
        return
    code = next(iter(found))
    for id in combat.defenders:
        yield from _fate(court, act, combat, id, code, end)
    yield from _supports(court, act, combat)


def _fate(court: Court, act: Act, combat: Combat, id: str, code: str, end: bool) -> Iterator[Finding]:
    unit = combat.units[id]
    gone = id in combat.removed or court.position.where(id) is None
    name = unit.name
    deadly = ("D",) if court.scenario.classic else ("D", "NR")  # 12.1.6; C11 and C10
    if is_support(unit) and code in deadly and not gone:
        yield court.find("RET-SUPPORT", act, f"{name} was alone and is eliminated by {code}", units=(id,))
    elif code == "D" and not gone:
        yield court.find("RET-D-SURVIVES", act, f"{name} is destroyed and still on the map", units=(id,))
    elif code == "NR" and not gone:
        if NEUTRALIZED in unit.traits:
            yield court.find(
                "RET-NEUTRAL", act, f"{name} was Neutralized before: a second time eliminates it", units=(id,)
            )
        elif unit.kind == "garrison" or unit.face.move == 0:
            if not court.has(id, NEUTRALIZED) and not end:
                yield court.find("RET-NO-MARKER", act, f"{name} has no Neutralized marker", units=(id,))
        elif id not in combat.retreats:
            yield court.find("RET-MISSING", act, f"{name} neither retreated nor was eliminated", units=(id,))
        elif not court.has(id, NEUTRALIZED) and not end:
            yield court.find("RET-NO-MARKER", act, f"{name} retreated and has no Neutralized marker", units=(id,))


def _supports(court: Court, act: Act, combat: Combat) -> Iterator[Finding]:
    """Supports die with their stack, and go with it (12.1.7)."""
    if not combat.targets or combat.side is None:
        return
    hex = combat.targets[0]
    side = court.enemy(combat.side)
    left = [unit for unit in court.position.friends_at(hex, side) if unit.kind in ("artillery", "tank")]
    if not left or court.combat_units(hex, side):
        return
    held = [id for id in combat.defenders if id not in combat.removed and id in combat.retreats]
    names = ", ".join(unit.name for unit in left)
    if any(is_support(combat.units[id]) for id in combat.defenders):
        return
    if not held and combat.removed:
        yield court.find(
            "RET-SUPPORT",
            act,
            f"{names} in {hex}: all combat units with it were eliminated",
            units=tuple(unit.id for unit in left),
        )
    elif held and not court.scenario.classic:  # C11: it need not go with them
        yield court.find(
            "RET-SUPPORT",
            act,
            f"{names} stays in {hex}: all combat units with it retreated",
            units=tuple(unit.id for unit in left),
        )


# --- advances


def _attacked(court: Court, unit: Unit) -> str | None:
    """The hex that a unit was sent against, or fired at."""
    sent = [hex for hex, held in court.designations.items() if unit.id in held.units]
    fired = [one.target for one in court.combats if one.kind == "assault" and unit.id in one.attackers]
    return next((hex for hex in (*sent, *fired) if hex), None)


@check("advance", ids=["ADV-VACANT", "ADV-WHO", "ADV-LATE", "ADV-STACK", "ADV-GARRISON", "DF-ADVANCE", "HWA-SURVIVOR"])
def advances(court: Court, act: Act) -> Iterator[Finding]:
    """Into a vacated hex, at once, by units that attacked it."""
    if act.to is None or court.must_be(None, ("bugout",)):
        return
    combat = court.combat
    units = [court.unit(id) for id in act.units]
    side = units[0].side
    enemies = [
        one.name
        for one in court.position.enemies_at(act.to, side)
        if one.kind in (None, "garrison", "conscript", "artillery", "tank")
    ]
    if enemies:
        yield court.find("ADV-VACANT", act, f"{', '.join(enemies)} is still in {act.to}")
    defensive = combat is not None and combat.kind == "defensive" and act.to in combat.targets
    if defensive or (court.phasing is not None and side != court.phasing and court.must_be(None, facts.COMBAT)):
        yield court.find("DF-ADVANCE", act, "there is no advance after Defensive Fire")
        return
    fought = [one for one in court.combats if one.kind == "assault" and act.to in one.targets]
    held = court.designations.get(act.to)
    if combat is not None and combat.kind == "assault" and act.to not in combat.targets and fought:
        yield court.find("ADV-LATE", act, f"another attack was resolved since {act.to} was vacated")
    for unit in units:
        took_part = any(unit.id in one.attackers for one in fought) or (held is not None and unit.id in held.units)
        if unit.kind == "garrison" or unit.face.move == 0:
            yield court.find("ADV-GARRISON", act, f"{unit.name} is a garrison and never advances", units=(unit.id,))
        elif (fought or held is not None) and not took_part and not is_support(unit):
            sure = held is not None or not any(one.said.get("in_log") for one in fought)
            missing = () if sure else ("whether it attacked without a call-out",)
            text = f"{unit.name} did not attack {act.to}"
            yield court.find("ADV-WHO", act, text, sure=sure, missing=missing, units=(unit.id,))
        elif not took_part and court.complete and (other := _attacked(court, unit)):
            yield court.find("ADV-WHO", act, f"{unit.name} attacked {other}, not {act.to}", units=(unit.id,))
        wave = (held is not None and held.kind == "hwa") or (fought and attack_kind(court, fought[-1]) == "hwa")
        if wave and took_part:
            yield court.find(
                "HWA-SURVIVOR", act, f"{unit.name} took part in a Human Wave and is eliminated", units=(unit.id,)
            )
    if fits(court, act.to, side, units) is False:
        yield court.find("ADV-STACK", act, f"{act.to} has no room for {', '.join(unit.name for unit in units)}")
