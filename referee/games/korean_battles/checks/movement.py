"""Movement: allowance, terrain, enemies and zones of control (5.0 to 5.2.2, 10.4, 12.0, 16.0)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from referee.games.korean_battles import facts
from referee.games.korean_battles.court import MOVEMENT, Court, check
from referee.games.korean_battles.journeys import (
    Frame,
    Journey,
    attempt,
    frames,
    journey_of,
    legal_for_commandos,
    surely,
)
from referee.games.korean_battles.move_reasons import why_not
from referee.games.korean_battles.supply import in_supply, supply_words
from referee.rules.board import NEVER, points
from referee.rules.ground import side
from referee.rules.paths import Path, stride
from referee.rules.sums import arithmetic
from referee.table.acts import Act
from referee.table.units import Unit
from referee.verdict import Finding

_POINTS = r"(mp|mps|points?|movement)"
_SAVED = (
    r"(saved|saving|bank(ed|ing)?|carr(y|ied|ying)|left\s?over|borrow\w*|lend\w*|lent|transfer\w*|unused|accumulat\w*)"
)
_BANKED = re.compile(rf"\b{_SAVED}\b.*\b{_POINTS}\b|\b{_POINTS}\b.*\b({_SAVED}|from last turn)\b", re.I)
_ALL = [
    "MOVE-OVER-MA", "MOVE-DIST-BOUND", "MOVE-LAST-HEX-SHORT", "MOVE-NONCONTIGUOUS", "MOVE-ENEMY-HEX",
    "MOVE-PROHIBITED-TERRAIN", "MOVE-ROAD-CREDIT", "MOVE-TRAIL-CREDIT", "MOVE-HEXSIDE-UNPAID",
    "MOVE-ZOC-LEG-NO-STOP", "MOVE-ZOC-LEG-INFIL-LATE", "MOVE-ZOC-LEG-INFIL-CONT", "MOVE-ZOC-MOBILE-SURCHARGE",
    "MOVE-ZOC-MOBILE-REENTRY", "MOVE-ZOC-MINEFIELD", "MOVE-ZOC-FORT", "MOVE-DUMMY-OVER-4", "MOVE-BRIDGE-UNBUILT",
    "MOVE-BRIDGE-NK", "STACK-ENEMY",
]  # fmt: skip


@check("move", ids=_ALL)
def ordinary_move(court: Court, act: Act) -> Iterator[Finding]:
    """Is there any legal path?"""
    for id in act.units:
        unit = court.unit(id)
        journey = journey_of(court, act, unit)
        if journey is not None:
            yield from judge_journey(court, act.of(id), unit, journey)


def judge_journey(court: Court, act: Act, unit: Unit, journey: Journey) -> Iterator[Finding]:
    """A move is illegal if no reading allows it, legal if all do, and in doubt otherwise."""
    if act.to is not None and court.position.enemies_at(act.to, unit.side):
        enemies = ", ".join(enemy.name for enemy in court.position.enemies_at(act.to, unit.side))
        yield court.find("MOVE-ENEMY-HEX", act, f"{unit.name} enters {act.to}, which {enemies} holds", enemies=enemies)
        yield court.find("STACK-ENEMY", act, f"{unit.name} shares {act.to} with {enemies}")
        return
    board = court.board(unit.side)
    tried: list[tuple[Frame, Path | None, bool]] = []
    for frame in frames(court, unit):
        if not journey.exact:
            straight = stride(board, journey.start, journey.stops, frame.reading)
            if straight is not None:
                tried.append((frame, straight, True))
                continue
        cheap = attempt(board, journey, frame.reading)
        tried.append((frame, cheap, cheap is not None and surely(board, journey, frame.reading, cheap)))
    if all(path is None for _, path, _ in tried):
        direct = replace(journey, stops=journey.stops[-1:], exact=False)
        taken_back = (
            (not court.complete or journey.start in journey.stops)  # in a story only by going back to the start
            and court.trails.get(unit.id)
            and any(attempt(board, direct, frame.reading) for frame, _, _ in tried)
        )
        for finding in why_not(court, act, unit, journey, [frame for frame, _, _ in tried]):
            if taken_back:
                finding = finding.in_doubt("whether an earlier drag of the unit was only a slip")
            elif any(legal_for_commandos(court, unit, journey, frame.reading) for frame, _, _ in tried):
                finding = finding.in_doubt(f"whether {unit.name} is a commando (5.1.2, option commando_41)")
            yield finding
        return
    if unit.hidden and unit.face.move is None:
        yield from _perhaps_a_dummy(court, act, unit, journey)
    if unit.side != "UN" and court.bridged():
        yield from _enemy_bridge(court, act, unit, journey)
    if not all(sure for _, _, sure in tried):
        yield from _in_doubt(court, act, unit, journey, tried)


def _perhaps_a_dummy(court: Court, act: Act, unit: Unit, journey: Journey) -> Iterator[Finding]:
    """A hidden unit that went farther than a dummy can: whether that is a breach shows when it is turned up."""
    most = facts.units()["dummies"]["move"]
    as_dummy = unit.but(face=unit.face._replace(move=most))
    board = court.board(unit.side)
    if not any(attempt(board, journey, frame.reading) for frame in frames(court, as_dummy)):
        message = f"{unit.name} moves farther than a dummy's {most} points"
        yield court.find("MOVE-DUMMY-OVER-4", act, message, sure=False, missing=(f"what the hidden {unit.name} is",))


def _enemy_bridge(court: Court, act: Act, unit: Unit, journey: Journey) -> Iterator[Finding]:
    """A North Korean unit and the engineers' bridge (12.0 does not say)."""
    option = court.charts.option("nk_uses_bridge")
    if option is True:
        return
    crossed = [
        pair
        for pair in court.bridged()
        if journey.exact
        and any(side(court.grid.numbers[a], court.grid.numbers[b]) == pair for a, b in pairwise(journey.hexes))
    ]
    if not crossed:
        laid, court.bridges = court.bridges, {}
        without = any(
            surely(court.board(unit.side), journey, frame.reading, path)
            for frame in frames(court, unit)
            if (path := attempt(court.board(unit.side), journey, frame.reading))
        )
        court.bridges = laid
        if without:
            return
    where = " and ".join(sorted(crossed[0])) if crossed else "the river"
    yield court.find(
        "MOVE-BRIDGE-NK", act, f"{unit.name} uses the engineers' bridge at {where}", settled=option is False
    )


def _in_doubt(
    court: Court, act: Act, unit: Unit, journey: Journey, tried: list[tuple[Frame, Path | None, bool]]
) -> Iterator[Finding]:
    """Some reading allows the move and another does not: say which fact decides."""
    board = court.board(unit.side)
    allowed = [frame for frame, path, _ in tried if path is not None]
    refused = [frame for frame, path, _ in tried if path is None]
    if refused:
        if {frame.mobile for frame in allowed} != {frame.mobile for frame in refused} and len(
            {frame.mobile for frame, _, _ in tried}
        ) > 1:
            id = "MOVE-ZOC-LEG-NO-STOP" if not refused[0].mobile else "MOVE-ZOC-MOBILE-SURCHARGE"
            missing: tuple[str, ...] = (f"whether {unit.name} is leg or mobile",)
        elif any(frame.whole_zone for frame in refused) != any(frame.whole_zone for frame in allowed):
            id = "MOVE-ZOC-MOBILE-SURCHARGE" if refused[0].mobile else "MOVE-ZOC-LEG-NO-STOP"
            missing = (f"which of {_doubtful_zones(court, unit)} has a zone of control",)
        else:
            id = "MOVE-ZOC-MOBILE-REENTRY" if refused[0].mobile else "MOVE-ZOC-LEG-NO-STOP"
            missing = (
                "whether re-entering a zone of control costs half the allowance (5.1.1, option mobile_ezoc_surcharge)",
            )
        open_way = next(path for _, path, _ in tried if path is not None)
        yield court.find(
            id,
            act,
            f"the move of {unit.name} to {act.to} is legal in one reading only",
            sure=False,
            missing=missing,
            **arithmetic(board, open_way),
        )
    for _, path, sure in tried:
        if path is None or sure:
            continue
        steps = [(a, b, board.cost(a, b)) for a, b in pairwise(path.hexes)]
        vague = [(a, b, cost) for a, b, cost in steps if cost.low != cost.high]
        missing = tuple(
            dict.fromkeys(
                f"the cost of {board.numbers[b]} from {board.numbers[a]} ({cost.why})" for a, b, cost in vague
            )
        )
        low, high = path.total, sum(cost.high for _, _, cost in steps)
        told: dict[str, Any] = {
            "allowance": unit.face.move,
            "at_least": points(low),
            "at_most": points(min(high, NEVER)),
            **arithmetic(board, path),
        }
        message = (
            f"{unit.name} needs at least {points(low)} of {unit.face.move} movement points for {act.to}, perhaps more"
        )
        ids = ["MOVE-OVER-MA"]
        if any(court.ground.features(board.numbers[a], board.numbers[b]) for a, b, _ in vague):
            ids = ["MOVE-HEXSIDE-UNPAID", "MOVE-BRIDGE-UNBUILT", *ids]
        if any(not court.ground.is_known(board.numbers[b]) and cost.high >= NEVER for _, b, cost in vague):
            ids.append("MOVE-PROHIBITED-TERRAIN")
        if unit.dummy:
            ids.insert(0, "MOVE-DUMMY-OVER-4")
        for id in ids:
            yield court.find(id, act, message, sure=False, missing=missing, **told)
        break


def _doubtful_zones(court: Court, unit: Unit) -> str:
    return (
        ", ".join(
            enemy.name
            for enemy, _ in court.position.on_map()
            if enemy.side != unit.side and court.exerts(enemy) is None
        )
        or "the enemy units"
    )


@check("move", "enter", ids=["MOVE-AFTER-ADVANCE", "MOVE-CADRE-T1", "MOVE-OOS-MOBILE"])
def barred_from_moving(court: Court, act: Act) -> Iterator[Finding]:
    """Units that may not move at all just now."""
    for id in act.units:
        unit = court.unit(id)
        here = act.of(id)
        if court.ledger.any("advanced", id, turn=court.turn, side=unit.side):
            yield court.find(
                "MOVE-AFTER-ADVANCE", here, f"{unit.name} advanced after combat and does nothing more this player turn"
            )
        held = court.scenario.raw.get("held_on_turn_1")
        if (
            held
            and unit.side == "UN"
            and act.origin == held["hex"]
            and unit.kind == held["kind"]
            and act.verb == "move"
            and 1 in court.clock.turns()
        ):
            yield court.find(
                "MOVE-CADRE-T1", here, f"{unit.name} may not leave {held['hex']} on turn 1", sure=court.turn == 1
            )
        if court.must_be(None, ("mobile-movement",)) and unit.mobile is not False:
            supplied = in_supply(court, unit)
            words = supply_words(court, unit)
            if supplied is False or (supplied is None and words and unit.mobile):
                sure = supplied is False and unit.mobile is True
                yield court.find(
                    "MOVE-OOS-MOBILE",
                    here,
                    f"{unit.name} has no line of supply and may not move in the mobile movement phase",
                    sure=sure,
                    missing=() if sure else words,
                )


@check("chat", "claim", ids=["MOVE-BANKED-MP"])
def banked_points(court: Court, act: Act) -> Iterator[Finding]:
    """Points saved from another turn or lent by another unit (what was moved is counted by MOVE-OVER-MA)."""
    said = act.text if act.verb == "chat" else " ".join(f"{key} {value}" for key, value in act.fields.items())
    keys = {str(key).lower() for key in act.fields}
    if _BANKED.search(said.replace("_", " ")) or keys & {
        "banked",
        "saved",
        "carried",
        "borrowed",
        "saved_mp",
        "banked_mp",
        "carried_mp",
    }:
        yield court.find("MOVE-BANKED-MP", act, "movement points cannot be saved or handed to another unit", said=said)


@check("move-marker", "support", ids=["MOVE-MARKER-AS-UNIT"])
def marker_moves(court: Court, act: Act) -> Iterator[Finding]:
    """A support marker is fire, not a unit: it is on the map only while a combat is resolved."""
    if act.verb == "support":
        if court.combat is None and court.must_be(None, MOVEMENT):
            yield court.find("MOVE-MARKER-AS-UNIT", act, "a support marker is put on the map in a movement phase")
        return
    for name in act.units:
        marker = court.markers.get(name)
        if (
            marker is not None
            and marker.kind == "support"
            and (court.combat is None or court.combat.closed or act.to not in court.combat.targets)
        ):
            yield court.find("MOVE-MARKER-AS-UNIT", act, f"{name} is moved over the map as if it were a unit")
