"""Turn trackers: the tree of levels in the build file, and the state a save or log carries for them.

>>> from lxml import etree
>>> tracker = read_turn_tracker(etree.fromstring('''<VASSAL.build.module.turn.TurnTracker name="Turn">
...   <VASSAL.build.module.turn.CounterTurnLevel property="Year" start="1941">
...     <VASSAL.build.module.turn.ListTurnLevel property="Season" list="Summer,Winter"/>
...   </VASSAL.build.module.turn.CounterTurnLevel></VASSAL.build.module.turn.TurnTracker>'''), 0)
>>> state = decode_state(tracker, r"0|1941;0;false;-1;1\\;0\\;0\\;true,true")
>>> readings(tracker, state), turn_text(tracker, state).strip()
([('Year', '1941'), ('Season', 'Winter')], '1941 Winter')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lxml import etree

from converter.vassal import formats, sequence
from converter.vassal.buildfile import class_name, components
from converter.vassal.fields import Kind, read_field, read_int

TURN_FORMAT = "$level1$ $level2$ $level3$ $level4$"
MOST_LEVELS = 15  # that many $levelN$ variables the engine fills

LevelKind = Literal["counter", "list"]


@dataclass(frozen=True)
class TurnLevel:
    """One wheel of the clock: a counter (year 1950, 1951 ...) or a list (phases)."""

    kind: LevelKind
    name: str
    property: str
    turn_format: str = "$value$"
    start: int = 1
    increment: int = 1
    loop: bool = False
    loop_limit: int = -1
    entries: tuple[str, ...] = ()
    levels: tuple[TurnLevel, ...] = ()


@dataclass(frozen=True)
class TurnTracker:
    """A turn tracker; `id` is what commands call it."""

    id: str
    name: str
    levels: tuple[TurnLevel, ...]
    turn_format: str = TURN_FORMAT
    report_format: str = ""


@dataclass(frozen=True)
class LevelState:
    """Where one level stands: a counter's value or a list's index, and which of its own levels is under way."""

    current: int
    level: int = 0
    loop: bool = False
    loop_limit: int = -1
    first: int = 0
    active: tuple[bool, ...] = ()
    levels: tuple[LevelState, ...] = ()


@dataclass(frozen=True)
class TurnState:
    """Where a tracker stands."""

    level: int
    levels: tuple[LevelState, ...]


def read_turn_tracker(element: etree._Element, number: int) -> TurnTracker:
    """The tracker of a build file element; `number` counts trackers in build order from 0."""
    return TurnTracker(
        id=f"TurnTracker{number}",
        name=element.get("name", ""),
        levels=_read_levels(element),
        turn_format=element.get("turnFormat", TURN_FORMAT),
        report_format=element.get("reportFormat", ""),
    )


def start_state(tracker: TurnTracker) -> TurnState:
    """Where the tracker stands at the start of a new game."""
    return TurnState(0, tuple(_start(level) for level in tracker.levels))


def decode_state(tracker: TurnTracker, text: str) -> TurnState:
    """The state in a TURN command; tokens that are missing or make no sense give the engine's defaults."""
    current, *states = sequence.decode(text, "|")
    return TurnState(read_int(current), _decode_levels(tracker.levels, states))


def encode_state(tracker: TurnTracker, state: TurnState) -> str:
    """The text of a TURN command, as the engine writes it."""
    tokens = [_encode_level(level, held) for level, held in zip(tracker.levels, state.levels, strict=True)]
    return sequence.encode_safe([str(state.level), *tokens], "|") or ""


def readings(tracker: TurnTracker, state: TurnState) -> list[tuple[str, str]]:
    """What the tracker shows, outermost level first, as (property, value)."""
    return [(level.property or level.name, _value(level, held)) for level, held in _shown(tracker, state)]


def turn_text(tracker: TurnTracker, state: TurnState, properties: Mapping[str, str] | None = None) -> str:
    """The text the tracker shows. `properties` are global properties a format may name."""
    known = properties or {}
    shown = _shown(tracker, state)
    texts = [formats.fill(level.turn_format, {**known, "value": _value(level, held)}) for level, held in shown]
    filled = {f"level{index + 1}": "".join(texts[index : index + 1]) for index in range(MOST_LEVELS)}
    return formats.fill(tracker.turn_format, {**known, **filled})


def _read_levels(element: etree._Element) -> tuple[TurnLevel, ...]:
    levels = []
    for child in components(element):
        kind = class_name(child)
        if kind in ("CounterTurnLevel", "ListTurnLevel"):
            levels.append(
                TurnLevel(
                    kind="counter" if kind == "CounterTurnLevel" else "list",
                    name=child.get("name", ""),
                    property=child.get("property", ""),
                    turn_format=child.get("turnFormat", "$value$"),
                    start=read_int(child.get("start", ""), 1),
                    increment=read_int(child.get("incr", ""), 1),
                    loop=child.get("loop", "").lower() == "true",
                    loop_limit=read_int(child.get("loopLimit", ""), -1),
                    entries=read_field(child.get("list", ""), Kind.ARRAY),
                    levels=_read_levels(child),
                )
            )
    return tuple(levels)


def _start(level: TurnLevel) -> LevelState:
    inner = tuple(_start(child) for child in level.levels)
    if level.kind == "counter":
        return LevelState(level.start, loop=level.loop, loop_limit=level.loop_limit, levels=inner)
    return LevelState(0, active=(True,) * len(level.entries), levels=inner)


def _decode_levels(levels: Sequence[TurnLevel], states: Sequence[str]) -> tuple[LevelState, ...]:
    padded = [*states, *[""] * len(levels)]
    return tuple(_decode_level(level, text) for level, text in zip(levels, padded, strict=False))


def _decode_level(level: TurnLevel, text: str) -> LevelState:
    tokens = sequence.decode(text, ";")
    first, inner, third, fourth = (*tokens, "", "", "", "")[:4]
    current = read_int(first, level.start)
    under_way = read_int(inner, 0)
    levels = _decode_levels(level.levels, tokens[4:])
    if level.kind == "counter":
        return LevelState(current, under_way, third == "true", read_int(fourth, -1), levels=levels)
    flags = [flag == "true" for flag in sequence.decode(fourth, ",")] + [False] * len(level.entries)
    active = tuple(flags[: len(level.entries)])
    return LevelState(current, under_way, first=read_int(third, 0), active=active, levels=levels)


def _encode_level(level: TurnLevel, state: LevelState) -> str:
    tokens = [str(state.current), str(state.level)]
    if level.kind == "counter":
        tokens += ["true" if state.loop else "false", str(state.loop_limit)]
    else:
        tokens += [str(state.first), ",".join("true" if flag else "false" for flag in state.active)]
    tokens += [_encode_level(child, held) for child, held in zip(level.levels, state.levels, strict=True)]
    return sequence.encode_safe(tokens, ";") or ""


def _shown(tracker: TurnTracker, state: TurnState) -> list[tuple[TurnLevel, LevelState]]:
    """The levels under way, from the outermost in."""
    shown: list[tuple[TurnLevel, LevelState]] = []
    levels, states, current = tracker.levels, state.levels, state.level
    while 0 <= current < len(levels):
        level, held = levels[current], states[current]
        shown.append((level, held))
        levels, states, current = level.levels, held.levels, held.level
    return shown


def _value(level: TurnLevel, state: LevelState) -> str:
    if level.kind == "counter":
        return str(state.current)
    return level.entries[state.current] if 0 <= state.current < len(level.entries) else ""
