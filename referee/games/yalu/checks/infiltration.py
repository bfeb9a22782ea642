"""Infiltration: dice matched to hexes (9.2.3)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu import facts
from referee.games.yalu.court import Court, check
from referee.games.yalu.infiltrating import number_to_leave
from referee.games.yalu.journeys import Search, allowance, mp, stops_of, tries_of
from referee.table.acts import Act
from referee.verdict import Finding


def _trail(court: Court, id: str) -> list[str]:
    hexes = [hex for _, way, _ in court.trails.get(id, ()) for hex in way]
    return [hex for i, hex in enumerate(hexes) if i == 0 or hex != hexes[i - 1]]


@check("roll", ids=["INF-SIDE", "INF-NOT-IN-ZOC", "INF-AFTER-ZOCZOC", "INF-AFTER-FAIL", "INF-GROUP-ROLL", "INF-MP"])
def attempt(court: Court, act: Act) -> Iterator[Finding]:
    """Who may roll, where, and for whom."""
    if act.fields.get("purpose") != "infiltration":
        return
    dice = act.fields.get("dice", ())
    if len(act.units) > 1 and len(dice) < len(act.units):
        yield court.find("INF-GROUP-ROLL", act, f"{len(dice)} die for {len(act.units)} units: each rolls its own")
    for id in act.units:
        unit, hex = court.unit(id), court.position.where(id)
        if unit.side != facts.COMMUNIST:
            yield court.find("INF-SIDE", act, f"{unit.name} is no Communist unit", units=(id,))
            continue
        if any(one.success is False for one in tries_of(court, unit)):
            yield court.find("INF-AFTER-FAIL", act, f"{unit.name} failed to infiltrate and tries again", units=(id,))
            continue
        if hex is None:
            continue
        trail = _trail(court, id)
        held = court.in_zone(hex, unit.side)
        if held is False and not (len(trail) < 2 and act.to and not court.touch(hex, act.to)):
            yield court.find("INF-NOT-IN-ZOC", act, f"{unit.name} in {hex} is in no UN zone of control", units=(id,))
            continue
        start = court.start.get(id, hex)
        if held and len(trail) < 2:
            text = f"{unit.name} began its move in {hex} in a UN zone of control: no infiltration from there"
            yield court.find("INF-AFTER-ZOCZOC", act, text, units=(id,))
        elif held and len(trail) == 2 and court.in_zone(start, unit.side) and court.touch(trail[0], trail[1]):
            if not any(one.used or one.success for one in tries_of(court, unit)):
                text = f"{unit.name} stepped from zone to zone ({trail[0]} to {trail[1]}): its move is over"
                yield court.find("INF-AFTER-ZOCZOC", act, text, units=(id,))
        elif held and act.to and court.touch(hex, act.to):
            yield from _pays(court, act, id, [*trail, act.to])


def _pays(court: Court, act: Act, id: str, stops: list[str]) -> Iterator[Finding]:
    unit = court.unit(id)
    have = allowance(court, unit).usable
    cost = Search(court, unit).cost(stops, [])
    if have is not None and cost is not None and cost > have:
        text = f"{unit.name}: entering {stops[-1]} brings its cost to {mp(cost)}, it has {mp(have)}"
        yield court.find("INF-MP", act, text, units=(id,))


@check("move", ids=["INF-NO-ROLL", "INF-RESULT", "INF-AFTER-FAIL", "INF-MP", "INF-SIDE"])
def moves_out(court: Court, act: Act) -> Iterator[Finding]:
    """A unit that stopped in a UN zone of control moves on."""
    if act.to is None or act.origin is None or len(act.units) == 0:
        return
    said = act.fields.get("mode") == "infiltrate"
    for id in act.units:
        unit = court.unit(id)
        if unit.kind is not None and unit.kind != "conscript":
            continue
        if said and unit.side != facts.COMMUNIST:
            yield court.find("INF-SIDE", act, f"{unit.name} is no Communist unit", units=(id,))
            continue
        if unit.side != facts.COMMUNIST:
            continue
        tries = tries_of(court, unit)
        failed = [one for one in tries if one.success is False]
        if failed:
            where = failed[-1]
            number = number_to_leave(court, where.origin)
            text = f"{unit.name} rolled {where.die}" + (
                f" to leave {where.origin} ({number} or less" if number else " (failed"
            )
            text += (
                f", {facts.BOOK.tables['infiltration']['river']:+d} over a river)"
                if where.to and where.origin and "river" in court.ground.features(where.origin, where.to)
                else ")"
            )
            moves = where.to == act.to or act.origin == where.origin or where.origin == act.origin
            if moves:
                yield court.find("INF-RESULT", act, f"{text} and moves to {act.to}", units=(id,))
            else:
                yield court.find("INF-AFTER-FAIL", act, f"{text} and moves again", units=(id,))
            continue
        if said:
            fresh = [one for one in tries if not one.used]
            if not fresh and court.complete:
                yield court.find(
                    "INF-NO-ROLL", act, f"{unit.name} infiltrates to {act.to} and no die was rolled", units=(id,)
                )
            elif fresh and fresh[-1].success is None:
                missing = (f"the infiltration number of {fresh[-1].origin} (Infiltration Table)",)
                text = f"{unit.name} rolled {fresh[-1].die} and moves to {act.to}"
                yield court.find("INF-RESULT", act, text, sure=False, missing=missing, units=(id,))
            yield from _pays(court, act, id, stops_of(court, unit, act))
