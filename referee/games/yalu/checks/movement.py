"""Ordinary movement and zones of control (8.3.1, 9.1, 9.2.3)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from referee.games.yalu import facts
from referee.games.yalu.court import Court, check
from referee.games.yalu.journeys import (
    LONGEST,
    Search,
    allowance,
    full_hexes,
    has_way,
    marches,
    may_ride,
    mp,
    note_way,
    one_hex,
    stops_of,
    terrain_missing,
    tries_of,
    weather_rate,
)  # fmt: skip
from referee.games.yalu.units import REGROUPING
from referee.rules.board import NEVER
from referee.rules.ground import UNSTATED
from referee.table.acts import Act
from referee.table.units import Unit
from referee.verdict import Finding

_MOVES = ("move", "rail", "bugout", "airdrop")


@check("move", "bugout", ids=[
    "MOVE-MP", "MOVE-BARRIER", "MOVE-ZOC-CONTINUE", "MOVE-ZOC-ZOC", "SUP-HALF-MP", "BRK-MP", "WX-MOVE",
    "MOVE-OVER-BRIDGE", "MOVE-INTERDICTED-ROAD",
])  # fmt: skip
def ordinary(court: Court, act: Act) -> Iterator[Finding]:
    """Is there any legal way? If not, which rule bars it?"""
    for id in act.units:
        unit = court.unit(id)
        if unit.kind in ("guerrilla", "naval", "air") or act.origin is None or act.to is None or unit.face.move == 0:
            continue
        if went_otherwise(court, id):
            continue  # RAIL-MIX and DROP-MOVE speak of it
        if not marches(court, act, unit):
            yield from _journey(court, act, unit)


def went_otherwise(court: Court, id: str) -> bool:
    """Did a unit go by rail or drop this phase, so that its trail is no march?"""
    return id in court.railed or bool(court.ledger.any("dropped", id, turn=court.turn, phase=court.phase))


def _journey(court: Court, act: Act, unit: Unit) -> Iterator[Finding]:
    stops = stops_of(court, unit, act)
    if len(stops) < 2 or any(hex not in court.grid for hex in stops):
        return
    tries = tries_of(court, unit)
    bug = act.verb == "bugout"
    zones = court.zones_against(unit.side)
    blocked = court.blocked_for(unit.side) - {court.at(stops[0])}
    by_rule = Search(court, unit, zones.sure if not bug else frozenset(), blocked)
    have = allowance(court, unit)
    limit = have.usable
    short = one_hex(court, stops) and not have.spent
    if by_rule.pays(stops, tries, None if short else limit):
        note_way(court, act, unit)
        yield from _doubt(court, act, unit, stops)
        return
    if _by_rail(court, unit, act, stops):
        return
    if court.at(stops[-1]) in blocked:
        return  # STACK-ENEMY says it
    unbarred = Search(court, unit, blocked=blocked)
    if not bug and unbarred.pays(stops, [], None if short else limit):
        yield from _zone(court, act, unit, stops)
        return
    for search, dice in ((by_rule, tries), (unbarred, [])) if limit is not None else ():
        cost = search.cost(stops, dice)
        if cost is not None:
            note_way(court, act, unit)
            yield from _too_far(court, act, unit, stops, cost, search.told(stops))
            return
    if Search(court, unit).cost(stops, []) is None:
        yield _barrier(court, act, unit, stops)  # else only through enemy units: MOVE-ENEMY-HEX says it


def _by_rail(court: Court, unit: Unit, act: Act, stops: list[str]) -> bool:
    """May the drag be rail movement that nobody called so?"""
    if act.fields.get("mode") not in (None, "rail") or act.verb != "move":
        return False
    return may_ride(court, unit, stops)


def _doubt(court: Court, act: Act, unit: Unit, stops: list[str]) -> Iterator[Finding]:
    """It may be legal; say so with a doubt where terrain that nobody told decides."""
    have = allowance(court, unit)
    if have.usable is None or one_hex(court, stops) or court.ground.default == UNSTATED:
        return
    missing = terrain_missing(court, stops)
    if not missing:
        return
    zones = court.zones_against(unit.side)
    blocked = court.blocked_for(unit.side) - {court.at(stops[0])}
    dear = Search(court, unit, zones.sure | zones.maybe, blocked, dear=True)
    if not dear.pays(stops, tries_of(court, unit), have.usable):
        text = f"{unit.name} has {have.words}; whether {stops[0]} to {stops[-1]} can be paid depends on terrain"
        yield court.find("MOVE-MP", act, text, sure=False, missing=missing, units=(unit.id,))


def _barrier(court: Court, act: Act, unit: Unit, stops: list[str]) -> Finding:
    for here, there in pairwise(stops):
        cost = court.board_for(unit).cost(court.at(here), court.at(there)) if court.touch(here, there) else None
        if cost is not None and cost.low >= NEVER:
            return court.find(
                "MOVE-BARRIER", act, f"{unit.name} may not go from {here} to {there}: {cost.why}", units=(unit.id,)
            )
    goal = court.ground.terrain(stops[-1])
    text = f"{unit.name}: no way on land from {stops[0]} to {stops[-1]} ({', '.join(goal)})"
    return court.find("MOVE-BARRIER", act, text, units=(unit.id,))


def _zone(court: Court, act: Act, unit: Unit, stops: list[str]) -> Iterator[Finding]:
    zone = court.zones_against(unit.side).sure
    in_zone = [court.at(hex) in zone for hex in stops]
    tries = [attempt for attempt in tries_of(court, unit) if attempt.success is False]
    if tries and any(attempt.origin in stops for attempt in tries):
        return  # INF-RESULT and INF-AFTER-FAIL speak of it
    stuck = len(stops) > 2 and in_zone[-2] and not _let_on(court, unit, stops)
    if any(a.success and a.origin in stops[1:-1] for a in tries_of(court, unit)) and not act.exact and not stuck:
        return
    direct = in_zone[0] and len(stops) > 2 and in_zone[1] and court.touch(stops[0], stops[1])
    id = "MOVE-ZOC-ZOC" if direct else "MOVE-ZOC-CONTINUE"
    where = [hex for hex, held in zip(stops[1:-1], in_zone[1:-1], strict=True) if held]
    if act.fields.get("mode") == "infiltrate" and unit.side == facts.COMMUNIST:
        return  # judged as an infiltration
    text = (
        f"{unit.name} starts in an enemy zone of control at {stops[0]}, steps into another at {stops[1]} and goes on"
        if direct
        else f"{unit.name} does not stop on entering an enemy zone of control"
        + (
            f" at {', '.join(where)}"
            if where
            else f": every way from {stops[0]} to {stops[-1]} that it can pay enters one"
        )
    )
    free = Search(court, unit, blocked=court.blocked_for(unit.side) - {court.at(stops[0])})
    yield court.find(id, act, text, units=(unit.id,), **free.told(stops))


def _let_on(court: Court, unit: Unit, stops: list[str]) -> bool:
    """Did a die let the unit go on from its last stop, into the next hex or by way of the one it named (9.2.3.2)?"""
    here, there = stops[-2:]
    for attempt in tries_of(court, unit):
        if attempt.success is False or attempt.origin not in (None, here):
            continue
        if attempt.to in (None, there) or not court.touch(here, there):
            return True
        zone, blocked = court.zones_against(unit.side).sure, court.blocked_for(unit.side) - {court.at(stops[0])}
        by_way_of = [*stops[:-1], attempt.to, there]
        if Search(court, unit, zone, blocked).pays(by_way_of, tries_of(court, unit), allowance(court, unit).usable):
            return True
    return False


def _too_far(
    court: Court, act: Act, unit: Unit, stops: list[str], cost: int, way_told: dict[str, Any]
) -> Iterator[Finding]:
    have = allowance(court, unit)
    way = " to ".join((stops[0], stops[-1]))
    text = f"{unit.name}: {way} costs at least {mp(cost)}, it has {have.words}"
    evidence = {"allowance": have.words, "cost": mp(cost), **way_told}
    ids = []
    full = allowance(court, unit, isolation=False).usable
    if have.isolated and full is not None and cost <= full:
        ids.append("SUP-HALF-MP")
    whole = allowance(court, unit, spent=False).usable
    if have.spent and whole is not None and cost <= whole:
        regrouped = court.scenario.classic and court.ledger.any("unneutralized", unit.id, turn=court.turn)
        parts = court.ledger.any("part-of", unit.id) is not None
        ids.append("MOVE-REGROUPING" if regrouped else "BRK-MP" if parts else "MOVE-BANKED-MP")
    calm = allowance(court, unit, weather=False).usable
    if have.weather and calm is not None and cost <= calm:
        if weather_rate(court, unit) == 0 and one_hex(court, stops) and court.charts.option("minimum_move_in_weather"):
            return
        ids.append("WX-MOVE")
    if not ids and unit.side == facts.COMMUNIST:
        for kind, id in (("bridge", "MOVE-OVER-BRIDGE"), ("interdiction", "MOVE-INTERDICTED-ROAD")):
            if _would_fit(court, unit, stops, kind):
                ids.append(id)
    for id in ids or ["MOVE-MP"]:
        yield court.find(id, act, text, units=(unit.id,), **evidence)


def _would_fit(court: Court, unit: Unit, stops: list[str], kind: str) -> bool:
    """Could it be paid if these markers did not lie there?"""
    kept = dict(court.breaks)
    if not any(key[0] == kind for key in kept):
        return False
    court.breaks = {key: value for key, value in kept.items() if key[0] != kind}
    court.forget_costs()
    cost = Search(court, unit).cost(stops, [])
    court.breaks = kept
    court.forget_costs()
    have = allowance(court, unit).usable
    return cost is not None and have is not None and cost <= have


@check("move", "rail", "bugout", ids=["MOVE-REGROUPING"])
def regrouping(court: Court, act: Act) -> Iterator[Finding]:
    """A unit with a Regroup marker may not move (15.4.1)."""
    for id in act.units:
        if court.scenario.classic and court.unit(id).side == facts.COMMUNIST:
            continue  # C23.A: it pays three points and may go on
        if court.has(id, REGROUPING):
            yield court.find(
                "MOVE-REGROUPING", act, f"{court.name(id)} has a Regroup marker and may not move", units=(id,)
            )


@check(*_MOVES, "retreat", "advance", ids=["MOVE-GARRISON"])
def garrison(court: Court, act: Act) -> Iterator[Finding]:
    """A unit without movement points never changes its hex (9.1.3)."""
    for id in act.units:
        unit = court.unit(id)
        if (
            act.verb in _MOVES
            and act.origin != act.to
            and unit.face.move == 0
            and unit.kind not in ("naval", "guerrilla")
        ):
            yield court.find("MOVE-GARRISON", act, f"{unit.name} has 0 movement points and cannot move", units=(id,))


@check("move", "rail", "bugout", ids=["MOVE-ENEMY-HEX"])
def enemy_hex(court: Court, act: Act) -> Iterator[Finding]:
    """No hex with an enemy unit may be entered, guerrillas excepted (9.1.3)."""
    for id in act.units[:1]:
        unit = court.unit(id)
        if unit.kind == "guerrilla" and not court.scenario.classic:
            continue
        hexes = act.path[1:] if act.exact else ((act.to,) if act.to else ())
        for hex in hexes:
            enemies = [one.name for one in court.position.enemies_at(hex, unit.side) if court.blocks(one)]
            if enemies:
                yield court.find("MOVE-ENEMY-HEX", act, f"{unit.name} enters {hex}, which {', '.join(enemies)} holds")
                return
        if unit.kind != "guerrilla" and not (act.origin and act.to and court.touch(act.origin, act.to)):
            yield from _walled_in(court, act, unit)


def _walled_in(court: Court, act: Act, unit: Unit) -> Iterator[Finding]:
    """Every way leads through enemy units."""
    if act.exact or act.origin is None or act.to is None or has_way(court, act, unit):
        return
    stops = stops_of(court, unit, act)
    if any(hex not in court.grid for hex in stops) or len(stops) < 2:
        return
    have = allowance(court, unit).usable
    past = Search(court, unit, blocked=court.blocked_for(unit.side) - {court.at(stops[0])})
    if past.pays(stops, [], have) or not Search(court, unit).pays(stops, [], have):
        return
    if past.cost(stops, []) is None:
        yield court.find(
            "MOVE-ENEMY-HEX", act, f"{unit.name}: every way from {stops[0]} to {stops[-1]} enters an enemy unit's hex"
        )


@check("move", ids=["MOVE-MIN-ABUSE", "MOVE-BANKED-MP", "SEQ-INTERLEAVE"])
def moved_before(court: Court, act: Act) -> Iterator[Finding]:
    """A second drag of the same unit in the phase (9.1.1, 9.1.2, 9.1.3)."""
    for id in act.units:
        unit, trail = court.unit(id), court.trails.get(id)
        if not trail or unit.kind == "guerrilla" or act.to is None or act.fields.get("mode") == "infiltrate":
            continue
        if went_otherwise(court, id):
            continue
        others = [
            one
            for one, way in court.trails.items()
            if one != id and way[-1][0] > trail[-1][0] and not (set(act.units) & {one})
        ]
        if others:
            text = f"{unit.name} moves on after {', '.join(map(court.name, others[:3]))} moved"
            yield court.find("SEQ-INTERLEAVE", act, text, units=(id,))
        have, search, stops = allowance(court, unit).usable, Search(court, unit), stops_of(court, unit, act)
        if have is None or (search.pays(stops, [], have) and search.pays(_flat(trail), [], have)):
            continue
        before, after = search.cost(_flat(trail), []), search.cost(stops, [])
        if before is None or after is None:
            continue
        if before > have and one_hex(court, _flat(trail)):
            text = f"{unit.name} used the move of one hex, {mp(before)} with {mp(have)}, and moves again"
            yield court.find("MOVE-MIN-ABUSE", act, text, units=(id,))
        elif after > have and after - before <= have and not _by_rail(court, unit, act, stops):
            text = f"{unit.name} spent {mp(before)} and now {mp(after - before)} more; it has {mp(have)} in all"
            yield court.find("MOVE-BANKED-MP", act, text, units=(id,))


def _flat(trail: list[tuple[int, tuple[str, ...], bool]]) -> list[str]:
    found: list[str] = []
    for _, hexes, _exact in trail:
        found += [hex for hex in hexes if not found or hex != found[-1]]
    return found[-LONGEST:]


@check("move", "rail", "airdrop", "enter", "retreat", "advance", "bugout", "place", ids=["STACK-ENEMY"])
def with_enemy(court: Court, act: Act) -> Iterator[Finding]:
    """Enemies never share a hex, guerrillas excepted (7.0)."""
    if act.to is None or not act.units:
        return
    unit = court.unit(act.units[0])
    if unit.kind in ("guerrilla", "naval", "air"):
        return
    enemies = [one.name for one in court.position.enemies_at(act.to, unit.side) if court.blocks(one)]
    if enemies:
        yield court.find("STACK-ENEMY", act, f"{unit.name} comes into {act.to} with {', '.join(enemies)}")


@check("move", "bugout", ids=["STACK-COM-LIMIT"])
def in_transit(court: Court, act: Act) -> Iterator[Finding]:
    """The Communist limit holds in every hex of the way (7.1.2)."""
    from referee.games.yalu.stacks import communist_fits, describe

    units = [court.unit(id) for id in act.units]
    if not units or units[0].side != facts.COMMUNIST or units[0].kind is not None or act.to is None:
        return
    hexes = act.path[1:] if act.exact else (act.to,)
    for hex in hexes:
        others = [one for one in court.position.friends_at(hex, units[0].side) if one.id not in act.units]
        whole = [*others, *units]
        if communist_fits(court, whole) is False:
            stack = describe(court, [one for one in whole if one.kind is None])
            text = f"{hex} would hold {stack}; at most three divisions or one Army"
            yield court.find("STACK-COM-LIMIT", act, text)
            return
    if act.exact or len(units) > 1 or act.origin is None:
        return
    unit = units[0]
    full = full_hexes(court, unit) - {court.at(act.origin), court.at(act.to)}
    have = allowance(court, unit).usable
    if not full or have is None or marches(court, act, unit, full):
        return
    stops, tries = stops_of(court, unit, act), tries_of(court, unit)
    if len(stops) < 2 or one_hex(court, stops):
        return
    blocked = court.blocked_for(unit.side) - {court.at(stops[0])}
    zone = court.zones_against(unit.side).sure
    if not Search(court, unit, zone, blocked).pays(stops, tries, have):
        return
    if not Search(court, unit, zone, blocked | full).pays(stops, tries, have):
        text = f"{unit.name}: every way from {stops[0]} to {stops[-1]} that it can pay passes a full hex"
        yield court.find("STACK-COM-LIMIT", act, text)
