"""Stacking (5.3, 11.0, 20.0), judged when a phase is over; attributed to the act that brought the last unit in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from referee.games.korean_battles import facts
from referee.games.korean_battles.arrivals import arrivals
from referee.games.korean_battles.court import MOVEMENT, Court, check
from referee.rules.stacking import StackLimit
from referee.table.acts import Act
from referee.table.units import Unit
from referee.verdict import Finding


def limit() -> StackLimit:
    """20.0."""
    rule = facts.units()["stacking"]
    return StackLimit(rule["limit"], frozenset(rule["first"]), frozenset(rule["second"]))


def word(unit: Unit) -> str | None:
    """A unit's word in the stacking rule: HQ, depot and cadre by kind, the others by size."""
    return unit.kind if unit.kind in ("hq", "depot", "cadre") else unit.size


def sisters(units: list[Unit]) -> list[Unit]:
    """Regiments of one broken-down division."""
    for one in units:
        group = [
            other for other in units if one.division and other.division == one.division and other.size != "division"
        ]
        if len(group) > 1:
            return group
    return []


@check("phase-over", ids=["STACK-THREE", "STACK-TWO-LARGE", "STACK-UNCOVERED-PAIR", "STACK-BREAKDOWN", "STACK-SETUP"])
def stacks(court: Court, act: Act) -> Iterator[Finding]:
    """Every hex that somebody came to in this phase."""
    setup = court.phase == "setup"
    hexes = dict(court.arrivals)
    if setup:
        hexes |= {hex: court.arrivals.get(hex, [(act.step, "")]) for _, hex in court.position.on_map()}
    elif not court.may_be(None, MOVEMENT):
        return
    for hex, came in hexes.items():
        for side in court.scenario.sides:
            units = list(court.position.friends_at(hex, side))
            if setup:
                units = [unit for unit in units if not unit.dummy]
            if len(units) > 1:
                step = max((at for at, id in came if not id or court.unit(id).side == side), default=act.step)
                yield from judge_stack(
                    court,
                    replace(act, step=step, to=hex, origin=None, units=tuple(unit.id for unit in units)),
                    units,
                    setup,
                )


def judge_stack(court: Court, act: Act, units: list[Unit], setup: bool = False) -> Iterator[Finding]:
    """One hex with several units of a side."""
    told: dict[str, Any] = {
        "hex": act.to,
        "stack": [f"{unit.name} ({word(unit) or 'size not known'})" for unit in units],
    }
    names_ = ", ".join(unit.name for unit in units)
    fits = limit().fits([word(unit) for unit in units])
    if setup:
        if fits is not True:
            yield court.find(
                "STACK-SETUP",
                act,
                f"{names_} are set up together in {act.to}",
                sure=fits is False,
                missing=_missing(units),
                **told,
            )
        return
    passing = [] if act.fields else [unit for unit in units if _arrived_with_hq(court, unit)]  # the phase goes on
    missing = ("whether the arrivals move off the headquarters' hex before the phase ends",) if passing else ()
    if group := sisters(units):
        yield court.find(
            "STACK-BREAKDOWN",
            act,
            f"{', '.join(unit.name for unit in group)} in {act.to} are regiments of one division",
            sure=not passing,
            missing=missing,
            **told,
        )
    if len(units) > limit().limit:
        yield court.find(
            "STACK-THREE",
            act,
            f"{len(units)} units end in {act.to}: {names_}",
            sure=not passing,
            missing=missing,
            **told,
        )
        return
    if fits is False:
        yield court.find(
            "STACK-TWO-LARGE",
            act,
            f"{names_} end in {act.to}; only one of them may be a brigade, regiment or division",
            sure=not passing,
            missing=missing,
            **told,
        )
    elif fits is None and any(word(unit) is None for unit in units):
        yield court.find(
            "STACK-TWO-LARGE", act, f"{names_} end in {act.to}", sure=False, missing=_missing(units), **told
        )
    elif fits is None and not passing:
        yield court.find(
            "STACK-UNCOVERED-PAIR", act, f"{names_} end in {act.to} with no battalion or larger unit", **told
        )


def _missing(units: list[Unit]) -> tuple[str, ...]:
    return tuple(f"the size of {unit.name} (printed on the counter)" for unit in units if word(unit) is None)


def _arrived_with_hq(court: Court, unit: Unit) -> bool:
    """Units that the list brings in on a headquarters' hex (29.0)."""
    if not court.ledger.any("entered", unit.id, turn=court.turn):
        return False
    return any(line.with_unit is not None for line in arrivals(court, unit))
