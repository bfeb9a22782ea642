"""What happens at the table, in the players' terms: the one vocabulary that logs and stories are both turned into.

Events are values: nothing changes one. They are not frozen because that makes thousands of them slow to make.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(slots=True, unsafe_hash=True)
class Place:
    """Where a piece lies. `hex` is the printed number (or the zone's or deck's name); None if unknown."""

    map: str | None
    x: int = 0
    y: int = 0
    hex: str | None = None


@dataclass(slots=True, unsafe_hash=True)
class Event:
    """Something that happened in a step. `type` is the word the JSON uses."""

    type: ClassVar[str] = "other"


@dataclass(slots=True, unsafe_hash=True)
class Moved(Event):
    """A piece was dragged or sent from one place to another; only the two ends are known."""

    type: ClassVar[str] = "moved"
    piece: str
    name: str
    origin: Place
    to: Place


@dataclass(slots=True, unsafe_hash=True)
class Added(Event):
    """A piece came into the game (from the palette, a clone, a marker put down)."""

    type: ClassVar[str] = "added"
    piece: str
    name: str
    at: Place


@dataclass(slots=True, unsafe_hash=True)
class Removed(Event):
    """A piece left the game."""

    type: ClassVar[str] = "removed"
    piece: str
    name: str
    origin: Place


@dataclass(slots=True, unsafe_hash=True)
class Changed(Event):
    """A piece changed its state: a flip, a step lost, a marker toggled. `properties` maps name -> (before, after)."""

    type: ClassVar[str] = "changed"
    piece: str
    name: str
    properties: tuple[tuple[str, str, str], ...]


@dataclass(slots=True, unsafe_hash=True)
class Stacked(Event):
    """A stack's order as it now is, bottom to top."""

    type: ClassVar[str] = "stacked"
    stack: str
    pieces: tuple[str, ...]
    at: Place


@dataclass(slots=True, unsafe_hash=True)
class Chat(Event):
    """A line in the chat window. `speaker` is the name it was typed under, None for a report of the module."""

    type: ClassVar[str] = "chat"
    text: str
    speaker: str | None = None


@dataclass(slots=True, unsafe_hash=True)
class Rolled(Event):
    """Dice, each die's face; `text` is how the log tells it, `label` the button's name or what the roll is for."""

    type: ClassVar[str] = "rolled"
    dice: tuple[int, ...]
    sides: int | None
    text: str
    label: str = ""
    total: int | None = None
    about: tuple[tuple[str, Any], ...] = ()  # what else was told of it: for which unit, into which hex


@dataclass(slots=True, unsafe_hash=True)
class Turn(Event):
    """The turn tracker moved. `levels` are its readings from the outermost in, as (property, text)."""

    type: ClassVar[str] = "turn"
    tracker: str
    levels: tuple[tuple[str, str], ...]
    text: str = ""


@dataclass(slots=True, unsafe_hash=True)
class Property(Event):
    """A global property was set. `container` is `Module`, a map's name or `map:zone`."""

    type: ClassVar[str] = "property"
    name: str
    before: str | None
    after: str | None
    container: str = "Module"


@dataclass(slots=True, unsafe_hash=True)
class Undone(Event):
    """This step takes back the whole of an earlier one. `step` is that one's number; None where the log speaks of an
    undo but nothing earlier is just what it reverses."""

    type: ClassVar[str] = "undone"
    step: int | None


@dataclass(slots=True, unsafe_hash=True)
class Declared(Event):
    """A player announced something in a form we understand (a call-out). `what` is the verb, `fields` what was said."""

    type: ClassVar[str] = "declared"
    what: str
    fields: tuple[tuple[str, Any], ...]
    text: str = ""


@dataclass(slots=True, unsafe_hash=True)
class Other(Event):
    """Anything else worth showing: sounds, flares, notes, players. `what` is a short word, `text` harmless to print."""

    type: ClassVar[str] = "other"
    what: str
    text: str = ""
