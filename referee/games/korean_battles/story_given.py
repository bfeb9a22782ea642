"""A story's `given` and `assume`: facts that the referee accepts as told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from referee.games.korean_battles import charts as charts_of
from referee.games.korean_battles import facts
from referee.games.korean_battles.court import Court
from referee.games.korean_battles.story_history import text_of
from referee.rulebook import plain
from referee.story import Story
from referee.story_events import as_list
from referee.table.ledger import Fact


def read_given(story: Story, court: Court) -> None:
    """Take in `assume` and `given`; an entry of `given` that nobody understands is a doubt about everything."""
    for name, value in story.assume.items():
        if not charts_of.take(court.charts, name, value, court.scenario) and not _given(court, name, value):
            court.notes.append(f"assume: '{name}' is no chart or option of korean-battles")
    for name, value in story.given.items():
        if not _given(court, name, value) and not charts_of.take(court.charts, name, value, court.scenario):
            court.doubts.append(f"what is meant by the given '{name}'")


@cache
def _meaning() -> Mapping[str, str]:
    return {str(word): str(own) for own, words in facts.words()["given"].items() for word in words}


def _given(court: Court, name: str, value: Any) -> bool:
    """Understand one fact; False where it is none that this game knows."""
    key = plain(name)
    if "kimpo" in key or key == court.scenario.raw.get("kimpo"):
        court.given["kimpo"] = value
        return True
    meaning = _meaning().get(key)
    if meaning is None:
        return False
    read = _READERS.get(meaning)
    if read is not None:
        return read(court, value)
    court.given[meaning] = value
    return True


def _yes(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    word = plain(value)
    if word in ("in", "yes", "in supply", "supplied", "true", "full"):
        return True
    return False if word in ("out", "no", "out of supply", "unsupplied", "false", "oos", "none") else None


def _supply(court: Court, value: Any, default: bool) -> bool:
    """A list of units, a mapping of units (or sides) to in or out, {in: [...], out: [...]}, or one word for all."""
    if isinstance(value, Mapping):
        for key, told in value.items():
            state = _yes(told) if not isinstance(told, list) else None
            if state is not None:
                _set_supply(court, text_of(key), state)
            elif isinstance(told, list) and _yes(key) is not None:
                for unit in told:
                    _set_supply(court, text_of(unit), bool(_yes(key)))
            else:
                return False
        return True
    if isinstance(value, bool) or (isinstance(value, str) and plain(value) in ("all", "everyone", "all units")):
        state = default if not isinstance(value, bool) else value == default
        for unit in list(court.position.units):
            _set_supply(court, unit, state)
        return True
    for unit in as_list(value):
        _set_supply(court, text_of(unit), default)
    return True


def _set_supply(court: Court, name: str, supplied: bool) -> None:
    if name in court.position.units:
        court.position.change(court.unit(name).but(supplied=supplied))
        return
    side = facts.side_of(name, court.scenario.id)
    for unit, _ in list(court.position.on_map(side)) if side else ():
        court.position.change(unit.but(supplied=supplied))


def _accelerated(court: Court, value: Any) -> bool:
    court.given["accelerated"] = value not in (False, None, "no", "none", [])
    return True


def _dead(court: Court, value: Any) -> bool:
    if isinstance(value, Mapping):
        court.given["dead"] = dict(value)
        return True
    for unit in as_list(value):
        if isinstance(unit, Mapping):
            court.given.setdefault("dead units", []).append(dict(unit))
            continue
        court.ledger.add(Fact("eliminated", text_of(unit)))
        if text_of(unit) in court.position.units:
            court.position.kill(text_of(unit))
    return True


def _captured(court: Court, value: Any) -> bool:
    if not isinstance(value, Mapping):
        value = dict.fromkeys(map(text_of, as_list(value)))
    for key, told in value.items():
        side = facts.side_of(key, court.scenario.id)
        if side is not None and key not in court.grid and isinstance(told, list):  # {NK: ["2221"]}
            for hex in told:
                court.ledger.add(Fact("captured", text_of(hex), None, side))
        else:
            owner = facts.side_of(told, court.scenario.id) if told is not None else None
            court.ledger.add(Fact("captured", text_of(key), None, owner))
    return True


def _count(name: str) -> Callable[[Court, Any], bool]:
    def read(court: Court, value: Any) -> bool:
        court.given[name] = value if isinstance(value, int) else len(as_list(value))
        return True

    return read


def _reductions(court: Court, value: Any) -> bool:
    court.given["reductions"] = value
    return isinstance(value, Mapping) and all(isinstance(cut, int) for cut in value.values())


def _air(court: Court, value: Any) -> bool:
    count = value if isinstance(value, int) and not isinstance(value, bool) else len(as_list(value))
    for number in range(count):
        court.ledger.add(Fact("air", f"#{number}", None, "UN"))
    return True


def _drawn(court: Court, value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    court.given["drawn"] = {facts.side_of(side, court.scenario.id): count for side, count in value.items()}
    return True


def _delayed(court: Court, value: Any) -> bool:
    for unit in as_list(value):
        court.ledger.add(Fact("delayed", text_of(unit)))
    return True


def _broken(court: Court, value: Any) -> bool:
    for unit in value if isinstance(value, Mapping) else as_list(value):
        court.broken[text_of(unit)] = tuple(map(text_of, as_list(value[unit]))) if isinstance(value, Mapping) else ()
    return True


def _bridges(court: Court, value: Any) -> bool:
    pairs = as_list(value)
    for pair in pairs if pairs and isinstance(pairs[0], (list, tuple)) else [pairs]:
        court.bridges[frozenset(map(text_of, pair))] = court.turn or 0
    return True


def _zoc(court: Court, value: Any, default: bool) -> bool:
    told = value.items() if isinstance(value, Mapping) else ((unit, True) for unit in as_list(value))
    for unit, state in told:
        if text_of(unit) in court.position.units:
            court.position.change(court.unit(text_of(unit)).but(zoc=bool(state) == default))
    return True


_READERS: Mapping[str, Callable[[Court, Any], bool]] = {
    "in_supply": lambda court, value: _supply(court, value, True),
    "out_of_supply": lambda court, value: _supply(court, value, False),
    "ignored": lambda court, value: True,
    "accelerated": _accelerated,
    "dead": _dead,
    "captured": _captured,
    "marine_steps": _count("marine steps"),
    "divisions": _count("divisions"),
    "reductions": _reductions,
    "air": _air,
    "drawn": _drawn,
    "delayed": _delayed,
    "broken": _broken,
    "bridges": _bridges,
    "zoc": lambda court, value: _zoc(court, value, True),
    "no_zoc": lambda court, value: _zoc(court, value, False),
}
