"""A story's `history`: what happened before its first action, put into the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.korean_battles import facts
from referee.games.korean_battles.court import Court
from referee.games.korean_battles.facts import calendar, turn_of
from referee.games.korean_battles.supply import in_supply
from referee.story import Story
from referee.story_events import as_list
from referee.story_past import Happened, past, text_of
from referee.table.combat import Combat, Roll
from referee.table.ledger import Fact

_TARGETS = ("target", "targets", "defender", "defenders", "on", "against", "hex", "of")
_DATED_ONLY_IF_SAID = {
    "eliminated", "captured", "vacated", "entered", "announced", "delayed", "steps", "broken", "drawn", "air",
}  # fmt: skip


def read_history(story: Story, court: Court) -> None:
    """Take in every line."""
    for told in past(facts.BOOK, story, court, calendar(court.scenario.id), turn_of, _DATED_ONLY_IF_SAID):
        _line(court, told)


def _line(court: Court, told: Happened) -> None:
    what, value, rest, when, side, phase = told
    if what == "steps" and isinstance(value, int) and text_of(value) not in court.position.units:
        court.given["marine steps"] = value
        return
    if what == "bridged":
        _bridge(court, value, when)
        return
    for who in as_list(value):
        name = text_of(who)
        unit = court.position.units.get(name)
        struck = what == "target" or (what == "attacked" and _was_struck(court, name, rest, side))
        if struck:
            _target(court, name, when, phase)
            for one in as_list(rest.get("by") or rest.get("attackers")):
                court.ledger.add(Fact("attacked", text_of(one), when, court.phasing, phase, 0, rest))
            continue
        owner = side or (unit.side if unit else court.phasing)
        court.ledger.add(Fact(what, name, when, owner, phase, 0, dict(rest)))
        if what == "eliminated" and unit is not None:
            court.position.kill(name)
        if what == "broken":
            court.broken[name] = tuple(map(text_of, as_list(rest.get("into"))))
    if what in ("attacked", "resolved", "target"):
        for key in _TARGETS:
            for target in as_list(rest.get(key)):
                _target(court, text_of(target), when, phase)
        court.ledger.add(Fact("ground", "", when, side or court.phasing, phase, 0, rest))
    if what in ("attacked", "resolved", "target", "bombarded") and rest.get("result") is not None:
        _open_combat(court, what, value, rest)


def _was_struck(court: Court, name: str, rest: Mapping[str, Any], side: str | None) -> bool:
    """Was the unit of an `attacked` line itself attacked? It is the attacker unless something says otherwise."""
    by = [text_of(one) for one in as_list(rest.get("by") or rest.get("attackers"))]
    if name in court.grid or any(one in court.position.units for one in by):
        return True
    unit = court.position.units.get(name)
    return (
        unit is not None and court.phasing not in (None, unit.side) and side != unit.side and rest.get("turn") is None
    )


def _target(court: Court, who: str, turn: int | None, phase: str | None) -> None:
    for id in court.position.at(who) if who in court.grid else [who]:
        court.ledger.add(Fact("target", id, turn, court.phasing, phase))
    if who in court.grid:
        court.ledger.add(Fact("target-hex", who, turn, court.phasing, phase))


def _bridge(court: Court, value: Any, turn: int | None) -> None:
    pairs = as_list(value)
    if pairs and not isinstance(pairs[0], (list, tuple)):
        pairs = [pairs]
    for pair in pairs:
        hexes = frozenset(map(text_of, pair))
        court.bridges[hexes] = turn or 0
        court.ledger.add(Fact("bridged", "/".join(sorted(hexes)), turn, "UN"))


def _open_combat(court: Court, what: str, value: Any, rest: Mapping[str, Any]) -> None:
    """A combat of the history whose result is still to be applied by the story's actions."""
    named = [text_of(one) for key in ("attackers", "by", "units", "unit") for one in as_list(rest.get(key))]
    named += [text_of(one) for one in as_list(value)]
    aims = [text_of(one) for key in _TARGETS for one in as_list(rest.get(key))] + named
    hexes = [one for one in aims if one in court.grid]
    hexes += [
        hex
        for one in aims
        if one in court.position.units and court.unit(one).side != court.phasing and (hex := court.position.where(one))
    ]
    targets = tuple(dict.fromkeys(hexes))
    attackers = tuple(
        dict.fromkeys(one for one in named if one in court.position.units and court.unit(one).side == court.phasing)
    )
    defenders = tuple(id for hex in targets for id in court.position.at(hex) if court.unit(id).side != court.phasing)
    kind = "bombardment" if what == "bombarded" else "ground"
    combat = Combat(kind, 0, court.phasing, () if kind == "bombardment" else attackers, targets, defenders)
    for id in (*attackers, *defenders):
        if (hex := court.position.where(id)) is not None:
            combat.stood[id] = hex
        combat.units[id] = court.unit(id)
        combat.supplied[id] = in_supply(court, court.unit(id))
    combat.said["result"] = rest["result"]
    die = rest.get("roll") or rest.get("die")
    combat.rolls.append(Roll(0, (die,) if isinstance(die, int) else (), 6))
    court.combat = combat
    court.combats.append(combat)
