"""A story's `given` and `assume`: facts that the referee accepts as told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from referee import story_past
from referee.games.korean_battles import charts as charts_of
from referee.games.korean_battles import facts
from referee.games.korean_battles.court import Court
from referee.rulebook import plain
from referee.story import Story
from referee.story_events import as_list
from referee.story_past import text_of
from referee.table.ledger import Fact


def read_given(story: Story, court: Court) -> None:
    """Take in `assume` and `given`."""
    story_past.read_given(
        story,
        court,
        lambda name, value: charts_of.take(court.charts, name, value, court.scenario),
        lambda name, value: _given(court, name, value),
    )


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


def _side_of(court: Court) -> Callable[[object], str | None]:
    return lambda word: facts.side_of(word, court.scenario.id)


_READERS: Mapping[str, Callable[[Court, Any], bool]] = {
    "in_supply": lambda court, value: story_past.supply(court, value, True, _side_of(court)),
    "out_of_supply": lambda court, value: story_past.supply(court, value, False, _side_of(court)),
    "ignored": lambda court, value: True,
    "accelerated": _accelerated,
    "dead": _dead,
    "captured": lambda court, value: story_past.captured(court, value, _side_of(court)),
    "marine_steps": _count("marine steps"),
    "divisions": _count("divisions"),
    "reductions": _reductions,
    "air": _air,
    "drawn": _drawn,
    "delayed": _delayed,
    "broken": _broken,
    "bridges": _bridges,
    "zoc": lambda court, value: story_past.has_zone(court, value, True),
    "no_zoc": lambda court, value: story_past.has_zone(court, value, False),
}
