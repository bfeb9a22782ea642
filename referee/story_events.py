"""A story's actions as events: the same vocabulary that a log's commands are turned into."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from referee.story import MOVING, Story, verb_of
from referee.table.acts import Step
from referee.table.callouts import phase_words
from referee.table.events import Changed, Chat, Declared, Event, Moved, Place, Removed, Rolled

MAP = "map"
OFF = Place(None)
_SAME = {"declare_wave": "wave", "human_wave": "wave", "stiff_resistance": "stiff", "eliminate": "remove"}
_HEX_FIELDS = {
    "to",
    "at",
    "hex",
    "from",
    "target",
    "hexside",
    "for",
    "path",
    "via",
    "source",
    "hexes",
    "between",
    "targets",
}
_FIGHTERS = {"attackers", "attacker", "defenders", "defender"}


def as_list(value: Any) -> list[Any]:
    """One or many, as a list.

    >>> as_list("a"), as_list(["a", "b"]), as_list(None)
    (['a'], ['a', 'b'], [])
    """
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


class StoryEvents:
    """Turns actions into steps one by one; it follows where the pieces are, so that a move knows where it began."""

    def __init__(self, story: Story, hex_of: Callable[[Any], str | None], where: Mapping[str, str | None]) -> None:
        """`hex_of` reads a hex's number, None where it is not on the map; `where` is the starting position."""
        self.story = story
        self.hex_of = hex_of
        self.where = dict(where)

    def steps(self) -> Iterator[Step]:
        """One step an action, counted from 1."""
        for i, action in enumerate(self.story.actions):
            player = action.get("by") or action.get("player")
            events = tuple(self._events(verb_of(self.story, action, i), action, i))
            yield Step(i + 1, events, str(player) if isinstance(player, str) else None)

    def _hex(self, value: Any, *path: str | int) -> str:
        number = self.hex_of(value)
        if number is None:
            self.story.refuse(f"hex {value!r} is not on the map", "actions", *path)
        return number

    def _unit(self, value: Any, verb: str, *path: str | int) -> str:
        name = str(value)
        if name not in self.where:
            if verb not in ("enter", "place", "replace", "break", "combine", "remove", "flip", "move"):
                self.story.refuse(f"there is no unit '{name}' in this story", "actions", *path)
            if verb in ("remove", "flip", "move") and not any(name == marker for marker in self._marker_names()):
                self.story.refuse(f"there is no unit '{name}' in this story", "actions", *path)
            self.where[name] = None
        return name

    def _marker_names(self) -> list[str]:
        names = []
        for marker in self.story.markers:
            if isinstance(marker, dict):
                names += [str(marker[key]) for key in ("name", "id", "marker") if key in marker]
            else:
                names.append(str(marker))
        return names

    def _events(self, verb: str, action: Mapping[str, Any], i: int) -> Iterator[Event]:
        if verb in MOVING:
            yield from self._moving(verb, action, i)
            return
        value = action[verb]
        match verb:
            case "roll":
                if any(isinstance(die, str) and not any(map(str.isdigit, die)) for die in as_list(value)):
                    self.story.refuse(f"a roll is told in numbers, not as {value!r}", "actions", i, verb)
                dice = tuple(int(die) for die in as_list(value) if isinstance(die, int))
                sides = action.get("sides", 6)
                if not isinstance(sides, int) or sides < 1:
                    self.story.refuse(f"'sides' should be a number from 1 on, not {sides!r}", "actions", i, "sides")
                for die in dice:
                    if not 1 <= die <= sides:
                        self.story.refuse(f"a die with {sides} sides does not show {die}", "actions", i, verb)
                rest = {key: told for key, told in action.items() if key not in ("roll", "for", "sides", "by")}
                about = {key: self._hexes(told, i, key) if key in _HEX_FIELDS else told for key, told in rest.items()}
                label = str(action.get("for") or "")
                yield Rolled(dice, sides, str(value), label, about=tuple(about.items()))
                if action.get("result") is not None:
                    yield Declared("claim", (("result", action["result"]),))
            case "chat":
                yield Chat(str(value))
            case "flip":
                for name in as_list(value):
                    if isinstance(name, dict):
                        name = name.get("unit")
                    face = action.get("to") or action.get("face") or action.get("side_up") or ""
                    yield Changed(self._unit(name, verb, i, verb), str(name), (("step", "", str(face)),))
            case "remove" | "eliminate":
                for name in as_list(value):
                    unit = self._unit(name, "remove", i, verb)
                    yield Removed(unit, unit, self._place(self.where[unit]))
                    self.where[unit] = None
            case "phase":
                words = phase_words(str(value))
                spoken = words if "side" in words else {"name": value}
                said = value if isinstance(value, dict) else spoken
                rest = {key: action[key] for key in ("turn", "side", "segment") if key in action}
                yield Declared("phase", tuple((said | rest).items()), str(value))
            case _:
                if verb in ("break", "combine"):
                    here = next((self.where.get(str(name)) for name in as_list(value)), None)
                    for name in as_list(action.get("into")):
                        self.where[str(name)] = here
                yield Declared(_SAME.get(verb, verb), tuple(self._fields(verb, action, i).items()), "")

    def _fields(self, verb: str, action: Mapping[str, Any], i: int) -> dict[str, Any]:
        """The verb's own mapping and what stands beside it, with every hex read."""
        value = action[verb]
        fields: dict[str, Any] = dict(value) if isinstance(value, dict) else {"what": value}
        fields |= {key: other for key, other in action.items() if key != verb and key not in fields}
        for key in _FIGHTERS & set(fields):
            for name in as_list(fields[key]):
                if isinstance(name, str) and name not in self.where and self.hex_of(name) is None:
                    self.story.refuse(f"there is no unit '{name}' in this story", "actions", i, verb)
        for key in _HEX_FIELDS & set(fields) if verb != "set" else ():
            fields[key] = self._hexes(fields[key], i, key)
        if not isinstance(value, dict):
            named = [str(name) for name in as_list(value)]
            if named and all(name in self.where for name in named):
                fields["units"] = tuple(named)
        return fields

    def _hexes(self, value: Any, i: int, key: str) -> Any:
        if isinstance(value, (list, tuple)):
            return tuple(self._hexes(item, i, key) for item in value)
        text = f"{value:04d}" if isinstance(value, int) and value > 100 else str(value)
        if text.isdigit() and len(text) == 4:
            return self._hex(value, i, key) if text not in self.where else text
        return value

    def _place(self, hex: str | None) -> Place:
        return Place(MAP, 0, 0, hex) if hex is not None else OFF

    def _moving(self, verb: str, action: Mapping[str, Any], i: int) -> Iterator[Event]:
        story = self.story
        manner = str(action.get("as") or verb)
        manner = {"displacement": "displace", "retreats": "retreat", "advances": "advance"}.get(manner, manner)
        if manner == "withdraw":
            manner = "exit"
        path = [self._hex(hex, i, "path") for hex in as_list(action.get("path"))]
        goal = action.get("to") or action.get("hex") or action.get("at")
        units = [self._unit(name, verb, i, verb) for name in as_list(action[verb])]
        if not units:
            story.refuse(f"'{verb}' names no unit", "actions", i)
        extra = {key: value for key, value in action.items() if key not in (verb, "as", "path", "to", "hex")}
        for key in _HEX_FIELDS & set(extra):
            extra[key] = self._hexes(extra[key], i, key)
        yield Declared("as", tuple({"as": manner, "exact": bool(path), **extra}.items()))
        for unit in units:
            stops: list[str | None] = list(path)
            here = self.where[unit]
            if manner == "exit":
                start = action.get("from") or action.get("at")
                if start is not None and self.hex_of(start) != here:
                    stops.append(self._hex(start, i, "from"))
                stops.append(None)
            elif manner == "enter":
                first = self._hex(action["at"], i, "at") if action.get("at") is not None else None
                stops = [first, *[hex for hex in path if hex != first]] if first else list(path)
                if action.get("to") is not None:
                    last = self._hex(action["to"], i, "to")
                    stops += [last] if not stops or stops[-1] != last else []
                if not stops:
                    story.refuse("'enter' needs a hex: {enter: UNIT, at: HEX}", "actions", i)
            elif path:
                if path[0] == here:
                    stops = stops[1:]
                if goal is not None and self._hex(goal, i, "to") != (path[-1]):
                    stops.append(self._hex(goal, i, "to"))
            elif goal is not None:
                stops = [self._hex(goal, i, "to")]
            else:
                story.refuse(f"'{verb}' needs 'to' or 'path'", "actions", i)
            for stop in stops:
                yield Moved(unit, unit, self._place(here), self._place(stop))
                here = stop
            if not stops:
                yield Moved(unit, unit, self._place(here), self._place(here))
            self.where[unit] = here
