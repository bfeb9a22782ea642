"""Retreat and displacement as the pieces move (6.2, 7.7 to 7.7.2). How far and at what loss: checks/results.py."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from referee.games.korean_battles.checks.stacking import limit, word
from referee.games.korean_battles.court import Court, check
from referee.games.korean_battles.outcome import codes, outcomes, retreat_length
from referee.games.korean_battles.retreat_paths import Bans, open_hex, ways
from referee.table.acts import Act
from referee.table.combat import Combat
from referee.table.units import Unit
from referee.verdict import Finding


def lengths(court: Court, combat: Combat | None, unit: Unit) -> set[int]:
    """How far the unit may have to retreat; empty where no result of this combat drives it."""
    if combat is None:
        return {far for code in codes() for side in (True, False) if (far := retreat_length(code, side)) is not None}
    attacker = unit.id in combat.attackers
    return {far for code in outcomes(court, combat) if (far := retreat_length(code, attacker)) is not None}


@check("retreat", ids=["RET-EZOC", "RET-ENEMY-HEX", "RET-PROHIBITED"])
def where_to(court: Court, act: Act) -> Iterator[Finding]:
    """Some path of open hexes must lead to where the unit ended."""
    for id in act.units:
        unit = court.unit(id)
        if act.origin is None or act.to is None:
            continue
        one = act.of(id)
        if act.exact:
            yield from _step_by_step(court, one, unit)
            continue
        far = court.distance(act.origin, act.to)
        if any(True for _ in ways(court, unit, act.origin, far, Bans(), act.to)):
            if not any(True for _ in ways(court, unit, act.origin, far, Bans(doubtful_zones=True), act.to)):
                yield court.find(
                    "RET-EZOC",
                    one,
                    f"every way of {unit.name} to {act.to} may lead through a zone of control or banned terrain",
                    sure=False,
                    missing=("which enemy units have a zone of control", "terrain on the way"),
                )
            continue
        for id_, bans, what in (
            ("RET-ENEMY-HEX", Bans(enemies=False), "an enemy unit"),
            ("RET-EZOC", Bans(zones=False), "an enemy zone of control"),
            ("RET-PROHIBITED", Bans(terrain=False), "prohibited terrain"),
        ):
            if any(True for _ in ways(court, unit, act.origin, far, bans, act.to)):
                yield court.find(
                    id_, one, f"every way of {unit.name} from {act.origin} to {act.to} leads through {what}"
                )
        if court.position.enemies_at(act.to, unit.side):
            yield court.find("RET-ENEMY-HEX", one, f"{unit.name} retreats into {act.to}, which an enemy unit holds")
        elif court.at(act.to) in court.zones_against(unit.side).sure:
            yield court.find(
                "RET-EZOC", one, f"{unit.name} retreats into {act.to}, which is in an enemy zone of control"
            )
        elif not open_hex(court, unit, act.origin, act.to, Bans(enemies=False, zones=False)) and court.touch(
            act.origin, act.to
        ):
            yield court.find("RET-PROHIBITED", one, f"{unit.name} retreats into {act.to}, which is prohibited terrain")
        elif far > 0 and not any(
            True for _ in ways(court, unit, act.origin, far, Bans(zones=False, enemies=False), act.to)
        ):
            continue
        else:
            yield court.find("RET-EZOC", one, f"no open way leads {unit.name} from {act.origin} to {act.to}")


def _step_by_step(court: Court, act: Act, unit: Unit) -> Iterator[Finding]:
    for here, there in pairwise(act.path):
        if not court.touch(here, there):
            continue
        if not open_hex(court, unit, here, there, Bans(zones=False, terrain=False)):
            yield court.find("RET-ENEMY-HEX", act, f"{unit.name} retreats through {there}, which an enemy unit holds")
        elif not open_hex(court, unit, here, there, Bans(enemies=False, terrain=False)):
            yield court.find(
                "RET-EZOC", act, f"{unit.name} retreats into {there}, which is in an enemy zone of control", hex=there
            )
        elif not open_hex(court, unit, here, there, Bans(enemies=False, zones=False)):
            yield court.find(
                "RET-PROHIBITED", act, f"{unit.name} retreats into {there}, which is prohibited terrain", hex=there
            )
        elif not open_hex(court, unit, here, there, Bans(doubtful_zones=True)):
            yield court.find(
                "RET-EZOC",
                act,
                f"{unit.name} retreats into {there}, which may be in a zone of control or banned",
                sure=False,
                missing=("which enemy units have a zone of control", f"terrain of {there}"),
            )


@check(
    "retreat",
    ids=["RET-NOT-AWAY", "RET-LENGTH", "RET-WRONG-OWNER", "RET-THROUGH-FRIEND"],
    partly={"RET-WRONG-OWNER": "only where it is told who moved the piece"},
)
def how(court: Court, act: Act) -> Iterator[Finding]:
    """Away from the enemy that caused it, by vacant hexes, by the owner."""
    for id in act.units:
        combat = court.combat_of(id)
        unit = court.unit(id)
        if act.origin is None or act.to is None:
            continue
        one = act.of(id)
        if act.side is not None and act.side != unit.side:
            yield court.find("RET-WRONG-OWNER", one, f"{unit.name} is retreated by the {act.side}; its owner does that")
        start = combat.retreats[id].origin if combat is not None and id in combat.retreats else act.origin
        causes = _causes(court, combat, unit)
        gains = {cause: court.distance(act.to, cause) - court.distance(start, cause) for cause in causes}
        if gains and any(gain <= 0 for gain in gains.values()):
            sure = all(gain <= 0 for gain in gains.values()) or any(gain < 0 for gain in gains.values())
            told: dict[str, Any] = {
                cause: f"{court.distance(start, cause)} before, {court.distance(act.to, cause)} after"
                for cause in causes
            }
            yield court.find(
                "RET-NOT-AWAY",
                one,
                f"{unit.name} ends no farther from the enemy that caused the retreat",
                sure=sure,
                missing=() if sure else ("how a retreat from several enemies is measured",),
                distances=told,
            )
        far, asked = court.distance(start, act.to), lengths(court, combat, unit)
        if asked and combat is not None and far > max(asked):
            yield court.find(
                "RET-LENGTH", one, f"{unit.name} retreats {far} hexes; the result asks for {max(asked)}", distance=far
            )
        yield from _past_friends(court, one, unit, court.distance(act.origin, act.to))


def _causes(court: Court, combat: Combat | None, unit: Unit) -> list[str]:
    """The hexes of the enemies that caused the retreat."""
    if combat is None or combat.kind == "bombardment":
        return []
    ids = combat.defenders if unit.id in combat.attackers else combat.attackers if unit.id in combat.defenders else ()
    return list(dict.fromkeys(combat.stood[id] for id in ids if id in combat.stood))


def _past_friends(court: Court, act: Act, unit: Unit, far: int) -> Iterator[Finding]:
    if far < 1 or act.origin is None or act.to is None:
        return
    through = [hex for hex in act.path[1:-1] if court.position.friends_at(hex, unit.side)] if act.exact else []
    if not act.exact:
        clear = any(
            not any(court.position.friends_at(hex, unit.side) for hex in path[1:-1])
            for path in ways(court, unit, act.origin, far, Bans(), act.to)
        )
        crossed = next(iter(ways(court, unit, act.origin, far, Bans(), act.to)), None)
        if not clear and crossed:
            through = [hex for hex in crossed[1:-1] if court.position.friends_at(hex, unit.side)]
    if through and any(True for _ in ways(court, unit, act.origin, far, Bans(friends=True))):
        yield court.find(
            "RET-THROUGH-FRIEND",
            act,
            f"{unit.name} retreats through {', '.join(through)} past friendly units; a vacant route was open",
            through=through,
        )


@check("combat-over", ids=["STACK-RETREAT-END", "RET-BOMB-DIRECTION"])
def where_it_ended(court: Court, act: Act) -> Iterator[Finding]:
    """Stacking in the last hex, and the direction of a retreat from bombardment."""
    combat = court.combat
    if combat is None:
        return
    for id, way in combat.retreats.items():
        here = court.position.where(id)
        if here is None:
            continue
        unit = court.unit(id)
        stack = list(court.position.friends_at(here, unit.side))
        fits = limit().fits([word(one) for one in stack])
        if fits is not True:
            yield court.find(
                "STACK-RETREAT-END",
                act,
                f"{unit.name} ends its retreat in {here} with {', '.join(one.name for one in stack if one.id != id)}",
                step=way.step,
                units=(id,),
                sure=fits is False,
                missing=() if fits is False else ("the sizes of the units",),
                hex=here,
            )
        if combat.kind == "bombardment" and combat.lost(id) == 0:
            enemies = [(enemy.name, hex) for enemy, hex in court.position.on_map() if enemy.side != unit.side]
            near = min((court.distance(way.origin, hex) for _, hex in enemies), default=None)
            closest = [(name, hex) for name, hex in enemies if court.distance(way.origin, hex) == near]
            if near is not None and closest and all(court.distance(way.to, hex) <= near for _, hex in closest):
                names = ", ".join(name for name, _ in closest)
                yield court.find(
                    "RET-BOMB-DIRECTION",
                    act,
                    f"{unit.name} retreats from bombardment no farther from {names}, the nearest enemy, and "
                    "loses no step",
                    step=way.step,
                    units=(id,),
                    before=near,
                )
    for id in combat.displaced:
        here = court.position.where(id)
        if here is None:
            continue
        stack = list(court.position.friends_at(here, court.unit(id).side))
        if limit().fits([word(one) for one in stack]) is False:
            yield court.find(
                "STACK-RETREAT-END",
                act,
                f"{court.name(id)} is displaced into {here} over the stacking limit",
                step=combat.last_change,
                units=(id,),
                hex=here,
            )


@check("displace", ids=["DISP-UNNEEDED", "DISP-EZOC", "DISP-FAR", "DISP-PARTICIPANT"])
def displaced(court: Court, act: Act) -> Iterator[Finding]:
    """A friend makes room: one hex, out of zones of control, only where nothing else is open."""
    combat = court.combat
    for id in act.units:
        unit = court.unit(id)
        if act.origin is None or act.to is None:
            continue
        one = act.of(id)
        far = court.distance(act.origin, act.to)
        if far > 1:
            yield court.find(
                "DISP-FAR", one, f"{unit.name} is displaced {far} hexes; a displacement is one", distance=far
            )
        if far == 1 and not open_hex(court, unit, act.origin, act.to, Bans()):
            yield court.find(
                "DISP-EZOC",
                one,
                f"{unit.name} is displaced into {act.to}, which is in an enemy zone of control, held by the "
                "enemy or banned",
            )
        elif far > 1 and court.at(act.to) in court.zones_against(unit.side).sure:
            yield court.find(
                "DISP-EZOC", one, f"{unit.name} is displaced into {act.to}, which is in an enemy zone of control"
            )
        elif far == 1 and not open_hex(court, unit, act.origin, act.to, Bans(doubtful_zones=True)):
            yield court.find(
                "DISP-EZOC",
                one,
                f"{unit.name} is displaced into {act.to}, which may be in a zone of control",
                sure=False,
                missing=("which enemy units have a zone of control",),
            )
        if combat is None:
            continue
        if id in combat.attackers or id in combat.defenders:
            yield court.find(
                "DISP-PARTICIPANT", one, f"{unit.name} takes part in the combat and cannot be displaced by it"
            )
        for other in (*combat.defenders, *combat.attackers):
            driven = court.unit(other)
            start = combat.stood.get(other)
            if driven.side != unit.side or start is None or other == id:
                continue
            for length in lengths(court, combat, driven):
                free = [
                    path[-1]
                    for path in ways(court, driven, start, length, Bans())
                    if not court.position.friends_at(path[-1], unit.side)
                ]
                causes = _causes(court, combat, driven)
                free = [
                    hex
                    for hex in free
                    if all(court.distance(hex, cause) > court.distance(start, cause) for cause in causes)
                ]
                if free:
                    yield court.find(
                        "DISP-UNNEEDED",
                        one,
                        f"{unit.name} is displaced although {driven.name} could retreat to "
                        f"{', '.join(sorted(set(free))[:4])}",
                        vacant=sorted(set(free)),
                    )
                    break
