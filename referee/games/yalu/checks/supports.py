"""UN supports: artillery, tanks, ships and aircraft (12.0)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu import facts
from referee.games.yalu.announced import fire_of
from referee.games.yalu.court import Court, check
from referee.games.yalu.doing.moves import changes_seas
from referee.games.yalu.fires import support_points, supports_in
from referee.games.yalu.units import BOMBARDED, is_support, support_factor
from referee.table.acts import Act
from referee.table.combat import Combat
from referee.verdict import Finding


@check(
    "fire",
    ids=["SPT-OVER-3", "SPT-NOT-STACKED", "SPT-TWICE", "SPT-BOMBARD-THEN-SUPPORT", "SPT-UNDECLARED", "AIR-REUSE"],
)
def in_fire(court: Court, act: Act) -> Iterator[Finding]:
    """What supports a fire, how much, and whether it still can."""
    combat = fire_of(court, act)
    if combat is None or combat.side != facts.UN:
        return
    limit = court.scenario.rule("support_limit")
    points = support_points(court, combat)
    told = combat.said.get("points")
    total = told if isinstance(told, int) else points
    if limit is not None and total is not None and total > limit:
        yield court.find("SPT-OVER-3", act, f"{total} support factors; at most {limit} for a fire")
    supports = supports_in(court, combat)
    for id in supports:
        yield from _one(court, act, combat, id)
    air = combat.said.get("air")
    if isinstance(air, int) and court.air is not None and air > court.air:
        yield court.find("AIR-REUSE", act, f"{air} air units are used, {court.air} are Available")
    yield from _declared(court, act, combat, supports)


def _one(court: Court, act: Act, combat: Combat, id: str) -> Iterator[Finding]:
    unit, hex = court.unit(id), court.position.where(id)
    firing = {combat.stood.get(one) for one in combat.attackers if not is_support(combat.units[one])}
    if unit.kind in ("artillery", "tank") and hex is not None and firing and hex not in firing:
        yield court.find("SPT-NOT-STACKED", act, f"{unit.name} in {hex} is not stacked with a firing unit", units=(id,))
    used = [fact for fact in court.this_combat("used", id) if fact.more.get("kind") in (combat.kind, None)]
    if used and unit.kind != "naval":
        check_id = "AIR-REUSE" if unit.kind == "air" else "SPT-TWICE"
        yield court.find(check_id, act, f"{unit.name} has supported a fire in this phase", units=(id,))
    if unit.kind == "air" and unit.more.get("box") == "unavailable":
        yield court.find("AIR-REUSE", act, f"{unit.name} is Unavailable", units=(id,))
    struck = BOMBARDED in unit.traits or court.ledger.any("bombarded", id, turn=court.turn, side=facts.UN) is not None
    if combat.kind == "assault" and struck:
        yield court.find(
            "SPT-BOMBARD-THEN-SUPPORT",
            act,
            f"{unit.name} bombarded this turn and may not support an Assault",
            units=(id,),
        )


def _declared(court: Court, act: Act, combat: Combat, supports: list[str]) -> Iterator[Finding]:
    """Supports of a UN Assault are declared in Attack Designation (10.5.6)."""
    held = court.designations.get(combat.targets[0]) if combat.targets else None
    if combat.kind != "assault" or held is None:
        return
    late = [id for id in supports if id not in held.support]
    air = combat.said.get("air")
    if late or (isinstance(air, int) and air > (held.air or 0)):
        names = ", ".join(map(court.name, late)) or "air"
        yield court.find("SPT-UNDECLARED", act, f"{names} was not declared for {held.hex} in Attack Designation")


@check("fire", "bombard", ids=["NAV-RANGE", "NAV-SEA-CHANGE", "NAV-SPLIT"])
def ships(court: Court, act: Act) -> Iterator[Finding]:
    """A ship's range is its factor; it may split it, in one phase (12.2)."""
    if act.verb == "fire":
        combat = fire_of(court, act)
        if combat is None or combat.side != facts.UN:
            return
        named, target, kind = supports_in(court, combat), combat.targets[0] if combat.targets else None, combat.kind
        split = combat.said.get("split") or {}
        friends = [
            combat.stood[id] for id in combat.attackers if id in combat.stood and not is_support(combat.units[id])
        ]
    else:
        from referee.games.yalu.checks.bombardment import bombarders, target_of

        named, target, kind, friends = list(bombarders(court, act)), target_of(court, act), "bombardment", []
        factors = act.fields.get("factors")
        split = {named[0]: factors} if len(named) == 1 and isinstance(factors, int) else {}
    for id in named:
        unit, hex = court.unit(id), court.position.where(id)
        reach = support_factor(unit)
        if unit.kind != "naval" or reach is None:
            continue
        if hex is not None and target is not None:
            far = court.distance(hex, target)
            if kind == "defensive" and friends:
                reading = court.charts.option("naval_defensive_range")
                near = min(court.distance(hex, friend) for friend in friends)
                far = {"target": far, "friend": near}.get(str(reading), min(far, near))
            if far > reach:
                yield court.find(
                    "NAV-RANGE", act, f"{unit.name} in {hex} reaches {reach} hexes; {target} is {far} away", units=(id,)
                )
        if kind != "defensive" and court.ledger.any("sea-changed", id, turn=court.turn):
            yield court.find("NAV-SEA-CHANGE", act, f"{unit.name} changed seas this turn and may not fire", units=(id,))
        yield from _parts(court, act, id, kind, split)


def _parts(court: Court, act: Act, id: str, kind: str, split: dict[str, int]) -> Iterator[Finding]:
    """All parts of a split factor lie in one phase and make no more than the factor."""
    whole = support_factor(court.unit(id)) or 0
    if court.scenario.classic:  # C12: its factor is never split
        split = {}
    now = split.get(id, whole)
    if not isinstance(now, int):
        return
    spent = court.given.setdefault("naval", {}).setdefault(
        (id, court.turn, "defence" if kind == "defensive" else "offence"), []
    )
    spent[:] = [entry for entry in spent if entry[2] != act.step]
    before = sum(points for points, _, _ in spent)
    phases = {phase for _, phase, _ in spent}
    if spent and kind not in phases:
        yield court.find("NAV-SPLIT", act, f"{court.name(id)} fired in another phase of this player turn", units=(id,))
    elif before + now > whole:
        yield court.find(
            "NAV-SPLIT",
            act,
            f"{court.name(id)} has {whole} factors; {before} are used, {now} more are too many",
            units=(id,),
        )
    spent.append((now, kind, act.step))


@check("sail", ids=["NAV-MOVE-PHASE", "NAV-SEA-CHANGE"])
def sails(court: Court, act: Act) -> Iterator[Finding]:
    """Ships move in the UN bombardment phase (12.2.3); one that fired in it stays in its sea (12.2.4)."""
    for id in act.units if changes_seas(court, act) else ():
        if court.ledger.any("bombarded", id, turn=court.turn, side=facts.UN):
            yield court.find("NAV-SEA-CHANGE", act, f"{court.name(id)} fired this turn and changes seas", units=(id,))
    if not court.may_be(facts.UN, ("bombardment",)):
        names = ", ".join(map(court.name, act.units))
        yield court.find("NAV-MOVE-PHASE", act, f"{names} sails in {court.time_words()}")


@check("neutralize", ids=["SPT-NEUTRALIZED"])
def neutralized(court: Court, act: Act) -> Iterator[Finding]:
    """Supports are never Neutralized (12.1.6, 12.1.7)."""
    for id in act.units:
        if is_support(court.unit(id)):
            yield court.find(
                "SPT-NEUTRALIZED", act, f"{court.name(id)} is a support and is never Neutralized", units=(id,)
            )
