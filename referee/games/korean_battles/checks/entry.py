"""Where reinforcements come in, and what the entry hex costs those who come later (26.0)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from referee.games.korean_battles import facts, names
from referee.games.korean_battles.arrivals import Arrival, arrivals
from referee.games.korean_battles.checks.movement import judge_journey
from referee.games.korean_battles.court import Court, check
from referee.games.korean_battles.journeys import Journey, attempt, frames, journey_of
from referee.rules.board import TICKS, points, ticks
from referee.rules.reinforcements import beside_on_edge, in_wide_zone
from referee.table.acts import Act
from referee.table.maps import sheet
from referee.table.units import Unit
from referee.verdict import Finding


@check("enter", ids=["REINF-WRONG-HEX", "REINF-ALT-EDGE", "REINF-WIDE-EARLY", "REINF-HQ27"])
def at_its_hex(court: Court, act: Act) -> Iterator[Finding]:
    """The listed hex; if it is barred, next to it on the edge; after a turn's wait, within three."""
    for place, id in enumerate(act.units):
        at = _door(court, act, court.unit(id), place)
        if at is not None:
            yield from _no_door(court, replace(act, units=(id,), to=at), court.unit(id), at)


def _no_door(court: Court, act: Act, unit: Unit, at: str) -> list[Finding]:
    """Why a unit may not come in at a hex; nothing where one of its lines lets it."""
    answers = [list(_hex(court, act, unit, line, at)) for line in arrivals(court, unit)]
    return min(answers, key=len) if answers and all(answers) else []


def _door(court: Court, act: Act, unit: Unit, place: int) -> str | None:
    """The hex a unit comes in by: as told, or for a drag from off the map one from which it can have walked on."""
    told = act.path[0] if act.path else act.to
    if told is None or not act.get("dragged") or not _no_door(court, act, unit, told):
        return told
    reach = facts.rules()["entry_zone"]
    listed = {hex for line in arrivals(court, unit) for hex in _bases(court, unit, line)}
    for at in (hex for hex in court.grid.numbers if any(court.distance(hex, base) <= reach for base in listed)):
        if court.position.enemies_at(at, unit.side) or _no_door(court, act, unit, at):
            continue
        low, _ = _entry_cost(court, unit, at)
        paid = low * (len(_came_before(court, unit, at)) + place + 1)
        journey = Journey(unit, court.at(at), (court.at(told),), False)
        if any(
            attempt(court.board(unit.side), journey, replace(reading, allowance=reading.allowance - paid))
            for reading in (frame.reading for frame in frames(court, unit))
        ):
            return at
    return told


def _bases(court: Court, unit: Unit, line: Arrival) -> set[str]:
    """The hexes that a line of the lists names, or where the unit stands on which it comes in."""
    if line.with_unit is not None:
        return {
            hex
            for other, hex in court.position.on_map(unit.side)
            if other.kind == "hq" and names.called(other) == names.words(line.with_unit)
        }
    if line.region is not None:
        return set(court.charts.symbols or court.scenario.supply.get("NK", {}).get("symbols", ()))
    return set(line.hexes)


def _hex(court: Court, act: Act, unit: Unit, line: Arrival, at: str) -> Iterator[Finding]:
    if line.with_unit is not None:
        if line.condition == "marine-cadre":
            return
        where = next(iter(_bases(court, unit, line)), None)
        if where is None or where == at:
            return
        yield court.find("REINF-HQ27", act, f"{unit.name} enters in {at}; it comes in on {line.with_unit} in {where}")
        return
    if line.region is not None:
        known = _bases(court, unit, line)
        if known and at not in known:
            sure = court.charts.symbols is not None
            yield court.find(
                "REINF-WRONG-HEX",
                act,
                f"{unit.name} enters in {at}, which is no supply hex",
                sure=sure,
                missing=() if sure else ("all printed supply symbols",),
            )
        return
    if any(court.distance(hex, at) <= line.within for hex in line.hexes) or not line.hexes:
        return
    listed = " or ".join(line.hexes)
    if line.within:
        yield court.find(
            "REINF-WRONG-HEX", act, f"{unit.name} enters in {at}; the list says within {line.within} of {listed}"
        )
        return
    barred = [_barred(court, unit, hex) for hex in line.hexes]
    delayed = court.ledger.any("delayed", unit.id) is not None
    overdue = line.turns is not None and court.turn is not None and court.turn > max(line.turns)
    rows = sheet(facts.GAME, court.scenario.map).grid.rows
    beside = [beside_on_edge(court.grid, hex, at, rows) for hex in line.hexes]
    wide = in_wide_zone(court.grid, line.hexes, at, facts.rules()["entry_zone"], rows)
    told: dict[str, Any] = {
        "listed": list(line.hexes),
        "barred": [hex for hex, state in zip(line.hexes, barred, strict=True) if state is not False],
    }
    if wide and (delayed or overdue) and not any(beside):
        if not delayed:
            yield court.find(
                "REINF-WIDE-EARLY",
                act,
                f"{unit.name} uses the wide entry zone",
                sure=False,
                missing=(f"whether {unit.name} was held over because {listed} was barred",),
                **told,
            )
        return
    chosen = any(state and near for state, near in zip(barred, beside, strict=True))
    if False in barred and not chosen and not (wide and delayed):
        yield court.find("REINF-WRONG-HEX", act, f"{unit.name} enters in {at} while {listed} is open", **told)
        if not any(beside) and not wide:
            yield court.find("REINF-ALT-EDGE", act, f"{at} is not next to {listed} on the same edge of the map", **told)
        elif not any(beside) and wide:
            yield court.find(
                "REINF-WIDE-EARLY", act, f"{unit.name} uses the wide entry zone without having waited a turn", **told
            )
        return
    if True in beside:
        if None in barred:
            yield court.find(
                "REINF-WRONG-HEX",
                act,
                f"{unit.name} enters in {at}; {listed} may be open",
                sure=False,
                missing=("which enemy units have a zone of control",),
                **told,
            )
        return
    if None in beside:
        yield court.find(
            "REINF-ALT-EDGE",
            act,
            f"{at} is next to {listed}; whether it is on the same edge of the map is not known",
            sure=False,
            missing=("the map's edge",),
            **told,
        )
        return
    if wide:
        yield court.find(
            "REINF-WIDE-EARLY", act, f"{unit.name} uses the wide entry zone without having waited a turn", **told
        )
    else:
        yield court.find("REINF-ALT-EDGE", act, f"{at} is not next to {listed} on the same edge of the map", **told)


def _barred(court: Court, unit: Unit, hex: str) -> bool | None:
    """Is an entry hex held by the enemy or in his zone of control?"""
    zone = court.zones_against(unit.side)
    index = court.at(hex)
    if court.position.enemies_at(hex, unit.side) or index in zone.sure:
        return True
    return None if index in zone.maybe else False


@check("enter", ids=["REINF-COST", "MOVE-ENEMY-HEX"])
def price_of_entry(court: Court, act: Act) -> Iterator[Finding]:
    """The first unit pays the entry hex, the second twice that, and so on; then it moves with what is left."""
    for place, id in enumerate(act.units):
        unit = court.unit(id)
        at = _door(court, act, unit, place)
        if at is None:
            continue
        hexes = act.path if len(act.path) > 1 or at == act.to else (at, act.to)
        one = act.of(id)
        if court.position.enemies_at(at, unit.side):
            yield court.find("MOVE-ENEMY-HEX", one, f"{unit.name} enters {at}, which an enemy unit holds")
            continue
        number = len({who for who, _ in _came_before(court, unit, at)}) + place + 1
        low, _ = _entry_cost(court, unit, at)
        if unit.face.move is None:
            continue
        most = unit.face.move * TICKS
        told: dict[str, Any] = {"number": number, "entry": points(low * number), "allowance": unit.face.move}
        if low * number > most:
            yield court.find(
                "REINF-COST",
                one,
                f"{unit.name} is unit {number} to enter at {at} and pays {points(low * number)} of {unit.face.move}",
                **told,
            )
            continue
        if len(hexes) < 2:
            continue
        numbers = [court.at(hex) for hex in hexes if hex is not None]
        journey = Journey(unit, numbers[0], tuple(numbers[1:]), act.exact)
        if not any(
            attempt(court.board(unit.side), journey, replace(frame.reading, allowance=most - low))
            for frame in frames(court, unit)
        ):
            yield from judge_journey(court, replace(one, origin=at), unit, journey)
            if not any(
                attempt(court.board(unit.side), journey, replace(frame.reading, allowance=most))
                for frame in frames(court, unit)
            ):
                continue
        yield from _too_little_left(court, one, unit, journey, at, number)


@check("move", ids=["REINF-COST"])
def walks_on_after_entry(court: Court, act: Act) -> Iterator[Finding]:
    """A unit that entered this phase and is moved on by a further drag has paid for its entry hex all the same."""
    for id in act.units:
        unit = court.unit(id)
        came = court.ledger.any("entered", id, turn=court.turn)
        if came is None or not came.step or not court.trails.get(id) or unit.face.move is None:
            continue
        journey = journey_of(court, act, unit)
        if journey is None:
            continue
        at = str(came.more.get("at"))
        if journey.start != court.at(at) or not any(
            attempt(court.board(unit.side), journey, frame.reading) for frame in frames(court, unit)
        ):
            continue
        before = {who for who, step in _came_before(court, unit, at) if step < came.step}
        yield from _too_little_left(court, act.of(id), unit, journey, at, len(before) + 1)


def _came_before(court: Court, unit: Unit, at: str) -> list[tuple[str, int]]:
    """The other units of a side that entered at a hex this turn, and at which step."""
    return [
        (fact.who, fact.step)
        for fact in court.ledger.find("entered", turn=court.turn)
        if fact.who != unit.id
        and at in (fact.more.get("at"), fact.more.get("hex"))
        and (fact.who not in court.position.units or court.unit(fact.who).side == unit.side)
    ]


def _too_little_left(court: Court, act: Act, unit: Unit, journey: Journey, at: str, number: int) -> Iterator[Finding]:
    """Does the way on cost more than the entry, as unit `number` at that hex, has left over?"""
    if unit.face.move is None:
        return
    low, high = _entry_cost(court, unit, at)
    board, most = court.board(unit.side), unit.face.move * TICKS
    told: dict[str, Any] = {"number": number, "entry": points(low * number), "allowance": unit.face.move}

    def reaches(left: int, dear: bool = False) -> bool:
        return any(
            attempt(board, journey, replace(frame.reading, allowance=left, dear=dear)) for frame in frames(court, unit)
        )

    if not reaches(most - low * number):
        yield court.find(
            "REINF-COST",
            act,
            f"{unit.name} is unit {number} to enter at {at}, pays {points(low * number)} of "
            f"{unit.face.move} for it and has too little left to reach {act.to}",
            **told,
        )
    elif not reaches(most - min(high * number, most), dear=True):
        yield court.find(
            "REINF-COST",
            act,
            f"{unit.name} is unit {number} to enter at {at} and may have too little left to reach {act.to}",
            sure=False,
            missing=(f"the entry cost of {at}",),
            **told,
        )


def _entry_cost(court: Court, unit: Unit, hex: str) -> tuple[int, int]:
    """The least cost of the entry hex: by road where one reaches it, and perhaps so where nobody spoke of roads.

    Units that arrive inside the map (on a headquarters, near a hex, by air) may pay nothing: 26.0 speaks of map edges.
    """
    given = court.given.get("entry_cost")
    if isinstance(given, dict):
        given = given.get(hex)
    if isinstance(given, (int, float)):
        return ticks(given), ticks(given)
    road = ticks(facts.rules()["road"])
    inside = any(line.with_unit or line.within or line.condition for line in arrivals(court, unit))
    if court.ground.on_road(hex):
        return (0 if inside else road), road
    board = court.board(unit.side)
    index = court.at(hex)
    costs = [board.cost(near, index) for near in board.neighbours[index]]
    low, high = min(cost.low for cost in costs), min(cost.high for cost in costs)
    roads_told = court.ground.is_known(hex) and bool(court.ground.roads)
    return (0 if inside else low if roads_told else min(road, low)), high
