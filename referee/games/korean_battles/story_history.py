"""A story's `history`: what happened before its first action, put into the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.korean_battles import facts
from referee.games.korean_battles.court import Court
from referee.games.korean_battles.supply import in_supply
from referee.rulebook import plain
from referee.story import Story
from referee.story_events import as_list
from referee.table.combat import Combat, Roll
from referee.table.ledger import Fact

_TARGETS = ("target", "targets", "defender", "defenders", "on", "against", "hex", "of")
_DATED_ONLY_IF_SAID = {
    "eliminated", "captured", "vacated", "entered", "announced", "delayed", "steps", "broken", "drawn", "air",
}  # fmt: skip


def text_of(value: Any) -> str:
    """A name, or a hex's number as printed.

    >>> text_of(805), text_of("5/1M"), text_of(17)
    ('0805', '5/1M', '17')
    """
    return f"{value:04d}" if isinstance(value, int) and value > 100 else str(value)


def read_history(story: Story, court: Court) -> None:
    """Take in every line; one that nobody understands is a doubt about everything."""
    words = facts.word_map("history")
    for i, line in enumerate(story.history):
        if not isinstance(line, Mapping):
            story.refuse("expected a fact such as {attacked: UNIT, phase: combat}", "history", i)
        key = next((key for key in line if key in words), None)
        if key is not None:
            _line(court, words[key], line[key], {name: value for name, value in line.items() if name != key})
        elif not set(line) <= {"note", "why", "phase", "turn", "side"}:
            court.doubts.append(f"what the history means by {{{', '.join(map(str, line))}}}")


def _line(court: Court, what: str, value: Any, rest: Mapping[str, Any]) -> None:
    if isinstance(value, Mapping):
        rest = {**rest, **value}
        names = ("unit", "units", "attackers", "by", "marker", "hex", "at", "target")
        value = next((value[name] for name in names if name in value), None)
    said = rest.get("phase")
    told = said if isinstance(said, Mapping) else {"name": said, "turn": rest.get("turn")}
    phase = facts.phase_names().get(plain(told.get("name") or ""))
    turn = told.get("turn") if isinstance(told.get("turn"), int) else None
    spoken = rest.get("side") or rest.get("by")
    side = facts.side_of(spoken, court.scenario.id) if isinstance(spoken, str) else None
    dated = turn is not None or phase is not None or what not in _DATED_ONLY_IF_SAID
    when = turn if turn is not None else court.turn if dated else None
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
