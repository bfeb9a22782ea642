"""A story's units and its time, in the words of any game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from referee.rulebook import Rulebook, plain
from referee.story import Story
from referee.story_events import as_list
from referee.table.calendar import Calendar
from referee.table.clock import Clock

_UNTOLD = ("", "?", "unknown", "none", "na", "n/a")
_OFF_MAP = ("off map", "track", "box", "pool", "reinforcements", "turn track", "off")
_FACTORS = ("attack", "defense", "move")


def _is_factor(value: Any) -> bool:
    """A number, or a text with one in it; nothing, or a word for it, where the counter is not known."""
    if isinstance(value, (int, float)):
        return value >= 0
    return not isinstance(value, str) or any(map(str.isdigit, value)) or plain(value) in _UNTOLD


def fields_of(book: Rulebook, story: Story, data: Any, i: int) -> dict[str, Any]:
    """A unit's fields under their own names; BadInput at the line of one that no unit has."""
    if not isinstance(data, Mapping):
        story.refuse("expected a unit: {name, side, hex, ...}", "units", i)
    words = book.word_map("unit_fields")
    found: dict[str, Any] = {}
    for name, value in data.items():
        if name not in words:
            story.refuse(f"unknown field '{name}' in unit", "units", i, name)
        if words[name] in _FACTORS and not _is_factor(value):
            story.refuse(f"'{name}' should be a number, not {value!r}", "units", i, name)
        found[words[name]] = value
    if found.get("name") is None:
        story.refuse("the unit has no 'name'", "units", i)
    return found


def unit_lines(
    book: Rulebook, story: Story, calendar: Calendar, read: Callable[[Any], str | None], boxes: tuple[str, ...] = ()
) -> Iterator[tuple[int, dict[str, Any], str | None]]:
    """Every unit of a story: its fields with side and nation as the rules name them, and its hex.

    `boxes` are places beside the map that a unit's `hex` may name; None is off the map.
    """
    for i, data in enumerate(story.units):
        told = fields_of(book, story, data, i)
        spoken = told.get("side") if told.get("side") is not None else told.get("nation")
        side = calendar.side_of(spoken)
        if side is None or side not in calendar.sides:
            sides = " and ".join(calendar.sides)
            story.refuse(f"unknown side {spoken!r}; {story.scenario} has {sides}", "units", i, "side")
        nation = book.nation_of(told.get("nation") or "") or book.nation_of(told.get("side") or "")
        told = {**told, "side": side, "nation": nation}
        hex = None
        if told.get("hex") is not None:
            hex = read(told["hex"])
            if hex is None and plain(told["hex"]) not in (*_OFF_MAP, *boxes):
                story.refuse(f"hex {told['hex']!r} is not on the map", "units", i, "hex")
        yield i, told, hex


def clock_of(book: Rulebook, story: Story, calendar: Calendar, turn_of: Callable[[Any], int | None]) -> Clock:
    """The time at which a story begins. `turn_of` reads a turn as the game names it; None where it is none."""
    clock = calendar.clock()
    told = story.phase
    if not told:
        return clock
    side, turn = told.get("side") or told.get("player"), None
    if told.get("turn") is not None:
        turn = turn_of(told["turn"])
        if turn is None:
            story.refuse("'turn' should be a number", "phase", "turn")
    named = calendar.side_of(side) if side is not None else None
    if side is not None and (named is None or named not in calendar.sides):
        story.refuse(f"unknown side {side!r}; {story.scenario} has {' and '.join(calendar.sides)}", "phase", "side")
    words = [told.get(key) for key in ("segment", "step", "name", "phase") if told.get(key) is not None]
    phases = [phase for word in words if (phase := calendar.phase_of(word, named)) is not None]
    if words and not phases:
        known = ", ".join(sorted(set(book.phase_names.values())))
        story.refuse(f"unknown phase {words[0]!r}; expected one of {known}", "phase")
    phase = phases[0] if phases else None
    return clock.said(turn, None if phase in calendar.shared else named, phase)


def brought_in(action: Mapping[str, Any]) -> Iterator[str]:
    """The names of what an action may bring into the game."""
    for verb in ("enter", "place", "replace", "break", "combine"):
        if verb in action:
            yield from (str(one) for one in as_list(action[verb]))
            others = [*as_list(action.get("into")), *as_list(action.get("with"))]
            yield from (one for one in others if isinstance(one, str))
