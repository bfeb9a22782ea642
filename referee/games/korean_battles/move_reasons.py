"""Why a move is illegal: which rules it breaks, found by asking what would have made it legal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from referee.games.korean_battles.court import Court
from referee.games.korean_battles.journeys import (
    UNBOUNDED,
    Frame,
    Journey,
    allowance,
    attempt,
    pretend,
)
from referee.rules.board import NEVER, points
from referee.rules.paths import NOTHING, Path
from referee.rules.sums import arithmetic
from referee.table.acts import Act
from referee.table.units import Unit
from referee.verdict import Finding


def why_not(court: Court, act: Act, unit: Unit, journey: Journey, readings: list[Frame]) -> Iterator[Finding]:
    """Which rules a move breaks, found by asking what would have made it legal."""
    board = court.board(unit.side)
    kind = readings[0]
    enemies = {hex for hex in journey.stops if journey.exact and hex in kind.reading.blocked}
    for hex in sorted(enemies):
        yield court.find(
            "MOVE-ENEMY-HEX", act, f"{unit.name} goes through {board.numbers[hex]}, which an enemy unit holds"
        )
    banned = [hex for hex in journey.stops if all(board.cost(near, hex).low >= NEVER for near in board.neighbours[hex])]
    for hex in banned[:1]:
        yield court.find(
            "MOVE-PROHIBITED-TERRAIN",
            act,
            f"{board.numbers[hex]} is prohibited terrain",
            terrain=list(court.ground.terrain(board.numbers[hex])),
        )
    ways = [attempt(board, journey, frame.reading, NEVER) for frame in readings]  # with points without end
    zoc = list(_zones(court, act, unit, journey, readings, ways))
    yield from zoc
    costs = list(_too_dear(court, act, unit, journey, readings, ways))
    yield from costs
    if enemies or banned or zoc or costs:
        return
    land = pretend(court, unit.side, "land")
    if any(attempt(land, journey, frame.reading) for frame in readings):
        yield court.find(
            "MOVE-PROHIBITED-TERRAIN", act, f"every way of {unit.name} to {act.to} leads through prohibited terrain"
        )
        return
    yield court.find(
        "MOVE-NONCONTIGUOUS", act, f"no path of hexes open to {unit.name} leads from {act.origin} to {act.to}"
    )


def _zones(
    court: Court, act: Act, unit: Unit, journey: Journey, readings: list[Frame], ways: list[Path | None]
) -> Iterator[Finding]:
    """The zone of control is what stops the move: without it the move would be legal."""
    board = court.board(unit.side)
    free = None
    for frame in readings:
        relaxed = replace(frame.reading, zone=NOTHING, zone_barred=frozenset())
        free = free or attempt(board, journey, relaxed)
    leg = [frame for frame in readings if not frame.mobile]
    mobile = [frame for frame in readings if frame.mobile]
    if free is None and not (journey.exact and leg and not mobile):
        return
    hexes = journey.hexes if journey.exact else free.hexes if free else journey.hexes
    zone = readings[0].reading.zone
    how = [board.numbers[hex] for hex in hexes]
    within = [board.numbers[hex] for hex in hexes if hex in zone]
    if len(readings) > len(leg) and mobile and free is not None:
        surcharge = mobile[0].reading.direct
        barred = list(_barred_steps(court, act, unit, hexes, mobile[0]))
        yield from barred
        open_way = attempt(board, journey, replace(mobile[0].reading, zone_barred=frozenset()))
        if not barred or open_way is None:
            way = attempt(board, journey, replace(mobile[0].reading, reentry=0, zone_barred=frozenset()), NEVER)
            needs = f"needs {points(way.total)} of {unit.face.move} movement points" if way else "has no way"
            evidence = arithmetic(board, way) if way else {}
            settled = court.charts.option("mobile_ezoc_surcharge") == "any"
            cheap = replace(mobile[0].reading, reentry=0, zone_barred=frozenset())
            if settled and attempt(board, journey, cheap) is not None:
                yield court.find(
                    "MOVE-ZOC-MOBILE-REENTRY",
                    act,
                    f"{unit.name} re-enters a zone of control without half its allowance to pay",
                    settled=True,
                    zone=within,
                )
            else:
                yield court.find(
                    "MOVE-ZOC-MOBILE-SURCHARGE",
                    act,
                    f"{unit.name} {needs}: a step from zone to zone costs {points(surcharge)} more",
                    zone=within,
                    **evidence,
                )
    if not leg:
        return
    entered = next((i for i in range(1, len(hexes)) if hexes[i] in zone), None)
    if entered is None:
        return
    last = entered == len(hexes) - 1
    if last:
        yield from _barred_steps(court, act, unit, hexes, leg[0])
        return
    here, beyond = board.numbers[hexes[entered]], board.numbers[hexes[entered + 1]]
    told: dict[str, Any] = {"path": how, "in_zone": within}
    if mobile:
        return
    if journey.exact and entered == 1 and hexes[0] in zone:  # another way might break another rule
        yield court.find(
            "MOVE-ZOC-LEG-INFIL-CONT",
            act,
            f"{unit.name} infiltrated to {here} with its whole allowance and went on to {beyond}",
            **told,
        )
    if journey.exact and any(hexes[i] in zone and hexes[i + 1] in zone for i in range(1, len(hexes) - 1)):
        yield court.find(
            "MOVE-ZOC-LEG-INFIL-LATE", act, f"{unit.name} steps from zone to zone after it had moved", **told
        )
    around = next((way for frame, way in zip(readings, ways, strict=True) if way and not frame.mobile), None)
    if journey.exact or around is None:
        yield court.find(
            "MOVE-ZOC-LEG-NO-STOP",
            act,
            f"{unit.name} entered an enemy zone of control at {here} and went on to {beyond}",
            **told,
        )
    else:
        yield court.find(
            "MOVE-ZOC-LEG-NO-STOP",
            act,
            f"{unit.name} can reach {act.to} only by going on from {here} in an enemy zone of control; the "
            f"way round costs {points(around.total)} of {unit.face.move}",
            **told,
            around=arithmetic(board, around, zone),
        )


def _barred_steps(court: Court, act: Act, unit: Unit, hexes: tuple[int, ...], frame: Frame) -> Iterator[Finding]:
    numbers = court.grid.numbers
    for a, b in pairwise(hexes):
        if (a, b) not in frame.reading.zone_barred or a not in frame.reading.zone or b not in frame.reading.zone:
            continue
        if "minefield" in court.ground.features(numbers[a], numbers[b]):
            yield court.find(
                "MOVE-ZOC-MINEFIELD",
                act,
                f"{unit.name} steps from zone to zone over the minefield between {numbers[a]} and {numbers[b]}",
            )
        else:
            yield court.find(
                "MOVE-ZOC-FORT", act, f"{unit.name} steps from zone to zone into the fortification at {numbers[b]}"
            )


def _too_dear(
    court: Court, act: Act, unit: Unit, journey: Journey, readings: list[Frame], open_ways: list[Path | None]
) -> Iterator[Finding]:
    """The points are what stops the move: with more of them it would be legal."""
    if allowance(unit) >= UNBOUNDED:
        return
    board = court.board(unit.side)
    ways = [path for path in open_ways if path is not None]
    if not ways:
        free = [
            path
            for frame in readings
            if (path := attempt(board, journey, replace(frame.reading, zone=NOTHING), NEVER - 1))
        ]
        if not free or min(path.total for path in free) <= allowance(unit):
            return
        ways = free
    best = min(ways, key=lambda path: path.total)
    if best.total <= allowance(unit):
        return
    zone = readings[0].reading.zone
    told: dict[str, Any] = {"allowance": unit.face.move, **arithmetic(board, best, zone)}
    message = f"{unit.name} needs {points(best.total)} movement points for {act.to} and has {unit.face.move}"
    if unit.dummy:
        yield court.find("MOVE-DUMMY-OVER-4", act, f"{message}: a dummy moves as {unit.face.move}", **told)
    far = board.distance(journey.start, journey.goal)
    if unit.face.move is not None and far > 2 * unit.face.move:
        yield court.find(
            "MOVE-DIST-BOUND",
            act,
            f"{act.to} is {far} hexes away; {unit.name} reaches {2 * unit.face.move} by road all the way",
            distance=far,
            **told,
        )
    for id, change, what in (
        ("MOVE-ROAD-CREDIT", "road", "only a road through the hexside gives the road rate"),
        ("MOVE-TRAIL-CREDIT", "trail", "only a trail through the hexside gives the trail rate"),
    ):
        if (court.ground.roads if id == "MOVE-ROAD-CREDIT" else court.ground.trails) and _would_do(
            court, unit, journey, readings, change
        ):
            yield court.find(id, act, f"{message}; {what}", **told)
    if any(court.ground.sides.values()) and _would_do(court, unit, journey, readings, "dry"):
        yield court.find("MOVE-HEXSIDE-UNPAID", act, f"{message}, the river hexside included", **told)
        if court.scenario.rules["bridging"] or act.get("bridge", "mode") or court.scenario.crt == "A":
            yield court.find("MOVE-BRIDGE-UNBUILT", act, f"{message}: there is no bridge over the river", **told)
    before = best.total - best.costs[-1]
    if before < allowance(unit):
        yield court.find(
            "MOVE-LAST-HEX-SHORT",
            act,
            f"{unit.name} has {points(allowance(unit) - before)} left and the last hex costs {points(best.costs[-1])}",
            **told,
        )
    yield court.find("MOVE-OVER-MA", act, message, **told)


def _would_do(court: Court, unit: Unit, journey: Journey, readings: list[Frame], change: str) -> bool:
    board = pretend(court, unit.side, change)
    return any(attempt(board, journey, frame.reading) for frame in readings)
