"""A story's `history` and `given`: what happened before its first action, and facts accepted as told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from referee.court import Court
from referee.rulebook import Rulebook, plain
from referee.story import Story
from referee.story_events import as_list
from referee.table.calendar import Calendar
from referee.table.ledger import Fact

_WHO = ("unit", "units", "attackers", "by", "marker", "hex", "at", "target")


def text_of(value: Any) -> str:
    """A name, or a hex's number as printed.

    >>> text_of(805), text_of("5/1M"), text_of(17)
    ('0805', '5/1M', '17')
    """
    return f"{value:04d}" if isinstance(value, int) and value > 100 else str(value)


class Happened(NamedTuple):
    """A line of a history: what, to whom or what, and when, as far as it was told. `when` is the turn it counts for."""

    what: str
    value: Any
    rest: Mapping[str, Any]
    when: int | None
    side: str | None
    phase: str | None


def past(
    book: Rulebook,
    story: Story,
    court: Court[Any, Any],
    calendar: Calendar,
    turn_of: Callable[[Any], int | None],
    dated_only_if_said: set[str],
) -> Iterator[Happened]:
    """Every line of a story's history; one that nobody understands is a doubt about everything.

    What is told without a date happened this turn, save the kinds `dated_only_if_said`.
    """
    words = book.word_map("history")
    for i, line in enumerate(story.history):
        if not isinstance(line, Mapping):
            story.refuse("expected a fact such as {attacked: UNIT, phase: combat}", "history", i)
        key = next((key for key in line if key in words), None)
        if key is None:
            if not set(line) <= {"note", "why", "phase", "turn", "side"}:
                court.doubts.append(f"what the history means by {{{', '.join(map(str, line))}}}")
            continue
        what, value = words[key], line[key]
        rest = {name: told for name, told in line.items() if name != key}
        if isinstance(value, Mapping):
            rest = {**rest, **value}
            value = next((value[name] for name in _WHO if name in value), None)
        said = rest.get("phase")
        told = said if isinstance(said, Mapping) else {"name": said, "turn": rest.get("turn")}
        phase = book.phase_names.get(plain(told.get("name") or ""))
        turn = turn_of(told.get("turn")) if told.get("turn") is not None else None
        spoken = rest.get("side") or told.get("side") or rest.get("by")
        side = calendar.side_of(spoken) if isinstance(spoken, str) else None
        dated = turn is not None or phase is not None or what not in dated_only_if_said
        yield Happened(what, value, rest, turn if turn is not None else court.turn if dated else None, side, phase)


def read_given(
    story: Story,
    court: Court[Any, Any],
    chart: Callable[[str, Any], bool],
    fact: Callable[[str, Any], bool],
) -> None:
    """Take in `assume` and `given`; an entry of `given` that nobody understands is a doubt about everything."""
    for name, value in story.assume.items():
        if not chart(name, value) and not fact(name, value):
            court.notes.append(f"assume: '{name}' is no chart or option of {court.game}")
    for name, value in story.given.items():
        if not fact(name, value) and not chart(name, value):
            court.doubts.append(f"what is meant by the given '{name}'")


def yes(value: Any) -> bool | None:
    """Yes or no, in or out; None where it is neither."""
    if isinstance(value, bool):
        return value
    word = plain(value)
    if word in ("in", "yes", "in supply", "supplied", "true", "full"):
        return True
    return False if word in ("out", "no", "out of supply", "unsupplied", "false", "oos", "none", "isolated") else None


def supply(court: Court[Any, Any], value: Any, default: bool, side_of: Callable[[object], str | None]) -> bool:
    """A list of units, a mapping of units (or sides) to in or out, {in: [...], out: [...]}, or one word for all."""

    def tell(name: str, supplied: bool) -> None:
        if name in court.position.units:
            court.position.change(court.unit(name).but(supplied=supplied))
            return
        side = side_of(name)
        for unit, _ in list(court.position.on_map(side)) if side else ():
            court.position.change(unit.but(supplied=supplied))

    if isinstance(value, Mapping):
        for key, told in value.items():
            state = yes(told) if not isinstance(told, list) else None
            if state is not None:
                tell(text_of(key), state)
            elif isinstance(told, list) and yes(key) is not None:
                for unit in told:
                    tell(text_of(unit), bool(yes(key)))
            else:
                return False
        return True
    if isinstance(value, bool) or (isinstance(value, str) and plain(value) in ("all", "everyone", "all units")):
        state = default if not isinstance(value, bool) else value == default
        for unit in list(court.position.units):
            tell(unit, state)
        return True
    for unit in as_list(value):
        tell(text_of(unit), default)
    return True


def captured(court: Court[Any, Any], value: Any, side_of: Callable[[object], str | None]) -> bool:
    """{hex or place: side}, {side: [hexes]} or a list of hexes."""
    if not isinstance(value, Mapping):
        value = dict.fromkeys(map(text_of, as_list(value)))
    for key, told in value.items():
        side = side_of(key)
        if side is not None and key not in court.grid and isinstance(told, list):  # {NK: ["2221"]}
            for hex in told:
                court.ledger.add(Fact("captured", text_of(hex), None, side))
        else:
            owner = side_of(told) if told is not None else None
            court.ledger.add(Fact("captured", text_of(key), None, owner))
    return True


def has_zone(court: Court[Any, Any], value: Any, default: bool) -> bool:
    """Units that have a zone of control, or have none: a list, or {unit: true}."""
    told = value.items() if isinstance(value, Mapping) else ((unit, True) for unit in as_list(value))
    for unit, state in told:
        if text_of(unit) in court.position.units:
            court.position.change(court.unit(text_of(unit)).but(zoc=bool(state) == default))
    return True
