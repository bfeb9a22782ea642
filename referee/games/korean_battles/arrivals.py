"""When and where a reinforcement may come in, by the scenario's lists (26.0 to 29.0, 21.0)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from referee.games.korean_battles import facts, names
from referee.games.korean_battles.allotment import is_called
from referee.games.korean_battles.court import Court
from referee.table.units import Unit


@dataclass(frozen=True)
class Arrival:
    """One way that the lists let a unit come in. `turns` None: whenever its condition holds."""

    what: str
    turns: tuple[int, ...] | None
    hexes: tuple[str, ...] = ()
    within: int = 0
    with_unit: str | None = None
    condition: str | None = None
    region: str | None = None
    depleted: bool | None = None
    accelerated: int | None = None
    only_accelerated: bool = False
    division: int | None = None


def arrivals(court: Court, unit: Unit) -> list[Arrival]:
    """Every line of the lists that may be this unit."""
    scenario = court.scenario
    found: list[Arrival] = []
    division = names.division_of(scenario, unit) if unit.side == "Chinese" and unit.kind is None else None
    plan = next((formation for formation in scenario.formations if formation["division"] == division), None)
    if plan is not None:
        common: dict[str, Any] = {
            "accelerated": plan.get("accelerated"),
            "only_accelerated": bool(plan.get("only_accelerated")),
            "division": division,
        }
        if unit.size != "division":
            parts = plan.get("arrive", ())
            group: dict[tuple[Any, ...], list[int]] = {}
            for part in parts:
                key = (
                    tuple(part.get("at", ())) or ((part["of"],) if "of" in part else ()),
                    part.get("within", 0),
                    part.get("with"),
                )
                group.setdefault(key, []).append(part["turn"])
            for (hexes, within, with_unit), turns in group.items():
                found.append(Arrival(f"{division} ID", tuple(turns), hexes, within, with_unit, **common))
        if unit.size in ("division", None) and "turn" in plan.get("as_division", {}):
            part = plan["as_division"]
            found.append(
                Arrival(
                    f"{division} ID as a division",
                    (part["turn"],),
                    tuple(part.get("at", ())),
                    0,
                    part.get("with"),
                    **common,
                )
            )
        return found
    for line in names.listed(scenario, unit, arrives=True):
        if (
            line.kind == "cadre"
            and unit.face.defense is not None
            and line.values is not None
            and unit.face.defense != line.values.defense
            and not unit.depleted
        ):
            continue
        when = (line.turn,) if line.turn is not None else None
        found.append(
            Arrival(line.id, when, line.at, 0, line.with_unit, line.when, line.region, line.depleted, line.accelerated)
        )
    return found


def announced(court: Court) -> bool:
    """Did the Chinese announce the acceleration of HQ 26 before play (21.0)?"""
    if court.given.get("accelerated"):
        return True
    for fact in court.ledger.find("announced"):
        before_play = (
            fact.step == 0 and (fact.turn is None or fact.turn <= 1 or fact.phase == "setup")
        ) or fact.phase == "setup"
        late = fact.step == 0 and isinstance(fact.more.get("turn"), int) and fact.more["turn"] > 0
        text = f"{fact.who} {fact.more}"
        if before_play and not late and (re.search(r"accel|78|88|26|21", text) or not fact.who):
            return True
    return False


def kimpo_open(court: Court) -> tuple[bool, str]:
    """May 187 land: was Kimpo taken by the UN, left, and not lost again (28.0/UN-REINF)?"""
    hex = court.scenario.raw["kimpo"]
    units = [court.unit(id) for id in court.position.at(hex)]
    if any(unit.side == "UN" for unit in units):
        return False, f"a UN unit still stands in {hex}"
    if units:
        return False, f"{hex} is held by the North Koreans"
    told = court.given.get("kimpo")
    if told is not None:
        text = str(told).lower()
        bad = told is False or (
            re.search(r"\bnot\b|never|retaken|recaptured|nk\b|north korean", text)
            and not re.search(r"not (re)?taken|not retaken|never retaken|not recaptured", text)
        )
        return (not bad, f"Kimpo: {told}")
    taken = [fact for fact in court.ledger.find("captured") if fact.who in (hex, "Kimpo", "kimpo")]
    taken = taken or [fact for fact in court.ledger.find("vacated") if fact.who == hex]  # who left it had held it
    if not taken:
        return False, f"no UN unit has captured {hex}"
    by = str(taken[-1].more.get("by") or taken[-1].side or "UN")
    if by not in ("UN", "US", "ROK") and not any(
        by == unit.id and unit.side == "UN" for unit in court.position.units.values()
    ):
        return False, f"{hex} was last captured by the {by}"
    return True, f"{hex} was captured by the UN and is vacant"


def dead_on(court: Court, id: str) -> tuple[bool, int | None]:
    """Is a unit dead, and since which turn?"""
    for fact in court.ledger.find("eliminated"):
        if is_called(court, fact.who, id):
            return True, fact.turn
    return any(is_called(court, name, id) for name in court.position.dead), None


def marine_steps(court: Court) -> tuple[int, int | None, bool]:
    """Marine steps lost, the turn of the last one that counts, and whether a whole regiment is dead."""
    regiments = facts.units()["marine_regiments"]
    steps = [fact for fact in court.ledger.find("steps") if any(is_called(court, fact.who, id) for id in regiments)]
    count = 0
    last: int | None = None
    for fact in steps:
        number = fact.more.get("count") or fact.more.get("steps") or fact.more.get("lost") or 1
        count += number if isinstance(number, int) else 1
        last = fact.turn
    count += sum(
        int(unit.more.get("steps_lost") or 0)
        for unit in court.position.units.values()
        if isinstance(unit.more.get("steps_lost"), int)
    )
    for unit in court.position.units.values():
        if (
            "marine" in unit.traits
            and unit.faces
            and unit.face in unit.faces
            and unit.id not in court.position.dead
            and not any(fact.who == unit.id for fact in steps)
        ):
            count += unit.faces.index(unit.face)
    given = court.given.get("marine steps")
    dead = [dead_on(court, id) for id in regiments]
    gone = [turn for is_dead, turn in dead if is_dead]
    if gone:
        last = gone[0]
    return (int(given) if isinstance(given, int) else count), last, bool(gone)
