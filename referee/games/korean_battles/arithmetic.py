"""The arithmetic of a combat: totals, row, column and result, each as the set of values the evidence leaves open."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from referee.games.korean_battles import facts
from referee.games.korean_battles.court import Court
from referee.rules.ground import UNKNOWN, UNSTATED, side
from referee.rules.tables import DifferentialTable, Row
from referee.table.combat import Combat

Numbers = frozenset[int]


def _sums(parts: Iterable[Numbers | None]) -> Numbers | None:
    """Every sum of one value from each part; None where a part is not known."""
    total: Numbers = frozenset({0})
    for part in parts:
        if part is None:
            return None
        total = frozenset(a + b for a in total for b in part)
    return total


def half_up(number: int) -> int:
    """Half, fractions up (10.4)."""
    return (number + 1) // 2


def half_down(number: int) -> int:
    """Half, fractions down (7.5)."""
    return number // 2


def attack_of(court: Court, combat: Combat, id: str, *, rounded_up: bool = True, halve: bool = True) -> Numbers | None:
    """A unit's attack: halved without supply, doubled in a human wave, in an order that is open (10.4, 14.0)."""
    printed = combat.units[id].face.attack
    if printed is None:
        return None
    doubled = id in combat.doubled
    half = half_up if rounded_up else half_down
    supplied = combat.supplied[id] if halve else True
    found: set[int] = set()
    if supplied is not False:
        found.add(printed * 2 if doubled else printed)
    if supplied is not True:
        if not doubled:
            found.add(half(printed))
        else:
            first = court.charts.option("wave_then_halve")
            if first is not False:
                found.add(half(printed * 2))
            if first is not True:
                found.add(half(printed) * 2)
    return frozenset(found)


def fortified(court: Court, combat: Combat) -> bool:
    """Is the target a fortification (7.5)?"""
    return combat.target is not None and "fortification" in court.ground.terrain(combat.target)


def _markers(combat: Combat, whose: str | None, halved: bool, half: Callable[[int], int] = half_down) -> Numbers | None:
    values = [use.value for use in combat.used_by(whose)]
    if any(value is None for value in values):
        return None
    return frozenset({sum(half(value or 0) if halved else value or 0 for value in values)})


def attack_total(
    court: Court,
    combat: Combat,
    *,
    rounded_up: bool = True,
    halve: bool = True,
    fort: bool = True,
    fort_down: bool = True,
    support: bool = True,
) -> Numbers | None:
    """The attacker's total. The switches undo one rule each, to see which of them a wrong claim forgot."""
    parts = [attack_of(court, combat, id, rounded_up=rounded_up, halve=halve) for id in combat.attackers]
    if support:
        half = half_down if fort_down else half_up
        parts.append(_markers(combat, combat.side, fort and fortified(court, combat), half))
    if combat.kind == "bombardment" and not combat.used_by(combat.side):
        return None
    return _sums(parts)


def defence_total(
    court: Court, combat: Combat, *, fort: bool = True, halved: bool = False, support: bool = True
) -> Numbers | None:
    """The defender's total: a stack adds up, a fortification doubles, supply does not matter (7.5, 10.4, 20.0)."""
    if not combat.defenders or combat.side is None:
        return None
    parts: list[Numbers | None] = []
    for id in combat.defenders:
        printed = combat.units[id].face.defense
        if printed is None:
            return None
        value = printed * 2 if fort and fortified(court, combat) else printed
        if halved and combat.supplied[id] is not True:
            parts.append(frozenset({half_up(value), value // 2}))
        else:
            parts.append(frozenset({value}))
    if support:
        parts.append(_markers(combat, court.enemy(combat.side), False))
    return _sums(parts)


def differential(attack: Numbers | None, defence: Numbers | None) -> Numbers | None:
    """Attack minus defence."""
    return None if attack is None or defence is None else frozenset(a - d for a in attack for d in defence)


def crt(court: Court) -> DifferentialTable:
    """The table of this map."""
    return facts.table(court.scenario.crt, court.charts.option("crt_alignment") == "right")


def features_for(court: Court, combat: Combat) -> list[set[str]]:
    """What the defender may use, a set for each reading; a hexside counts only if all attackers cross it."""
    table, target = crt(court), combat.target
    if target is None:
        return []
    kinds = set(court.ground.terrain(target))
    if kinds & {UNKNOWN, UNSTATED}:
        return [set(row.terrain) for row in table.rows]
    named = {kind for kind in kinds if table.row(kind)} or {"clear"}
    readings = [named]
    if court.scenario.crt == "B" and court.ground.on_road(target) and named == {"clear"}:
        option = court.charts.option("road_row")
        readings = [{"road"}] if option == "road" else [{"clear"}] if option == "clear" else [{"clear"}, {"road"}]
    crossings = [_crossing(court, combat.stood[id], target) for id in combat.attackers if id in combat.stood]
    if not crossings or len(crossings) < len(combat.attackers):
        return readings
    wet = [crossing for crossing in crossings if crossing & set(facts.rules()["rivers"])]
    bridged = [crossing for crossing in crossings if "bridge" in crossing]
    frozen = [crossing for crossing in crossings if "frozen-reservoir-hexside" in crossing]
    if len(wet) == len(crossings):
        every = {kind for crossing in wet for kind in crossing}
        readings = [reading | {kind} for reading in readings for kind in every]
    elif len(bridged) == len(crossings):
        readings = [reading | {"bridge"} for reading in readings]
    elif bridged:
        readings = [*readings, *(reading | {"bridge"} for reading in readings)]
    if len(frozen) == len(crossings):
        readings = [reading | {"frozen-reservoir-hexside"} for reading in readings]
    elif frozen and court.charts.option("reservoir_needs_all") is not True:
        with_it = [reading | {"frozen-reservoir-hexside"} for reading in readings]
        readings = with_it if court.charts.option("reservoir_needs_all") is False else [*readings, *with_it]
    return readings


def _crossing(court: Court, here: str, target: str) -> set[str]:
    features = court.ground.features(here, target)
    pair = side(here, target)
    if features & set(facts.rules()["rivers"]) and (pair in court.ground.bridges or pair in court.bridges):
        return {"bridge"}
    return features


def rows(court: Court, combat: Combat) -> list[Row]:
    """The rows of the table that may apply."""
    table = crt(court)
    found = [table.best(reading) for reading in features_for(court, combat)]
    return list(dict.fromkeys(found))


def columns(court: Court, combat: Combat) -> Numbers | None:
    """The columns that may apply; None where the differential is not known."""
    gap = differential(attack_total(court, combat), defence_total(court, combat))
    if gap is None:
        return None
    table = crt(court)
    return frozenset(table.column_in(row, number) for row in rows(court, combat) for number in gap)


def results(court: Court, combat: Combat) -> set[str]:
    """The results that the die may give; every result of the die's line where the column is not known."""
    die = combat.die
    table = crt(court)
    if die is None or die not in table.results:
        return set()
    known = columns(court, combat)
    if not known:
        return set(table.results[die])
    return {table.result(column, die) for column in known}


def shown(numbers: Numbers | None) -> str:
    """A set of numbers for a message.

    >>> shown(frozenset({3})), shown(frozenset({3, 2})), shown(None)
    ('3', '2 or 3', 'unknown')
    """
    return "unknown" if numbers is None else " or ".join(str(number) for number in sorted(numbers))
