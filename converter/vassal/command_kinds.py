"""What a command of the stream may be: one small type for each kind that VASSAL's own encoders write."""

from __future__ import annotations

from typing import Any, NamedTuple


class Spot(NamedTuple):
    """A place on a map and the piece directly beneath, as a move names it. None stands for `null`."""

    map: str | None
    x: int
    y: int
    under: str | None


class Null(NamedTuple):
    """A grouping without an action of its own: no text, or `null` for a command that has no encoder."""

    text: str = ""


class BeginSave(NamedTuple):
    """The current game is closed; the state that follows replaces it."""


class EndSave(NamedTuple):
    """The state is complete; the game starts."""


class AddPiece(NamedTuple):
    """A piece, stack or deck comes into the game."""

    id: str | None
    type: str
    state: str


class RemovePiece(NamedTuple):
    """A piece leaves the game."""

    id: str


class ChangePiece(NamedTuple):
    """A piece's state changes; where the old state is known only the difference is applied."""

    id: str
    new: str
    old: str | None


class MovePiece(NamedTuple):
    """A piece or stack goes from one spot to another. `player` is a player's id (a password): never show it."""

    id: str | None
    to: Spot
    origin: Spot
    player: str | None


class Chat(NamedTuple):
    """A line in the chat window."""

    text: str


class Boards(NamedTuple):
    """Which boards a map shows: (board, column, row, reversed). `map` is the map's name or `Map<n>`."""

    map: str
    boards: tuple[tuple[str, int, int, bool], ...]


class GlobalProperty(NamedTuple):
    """A global property's value in a save."""

    name: str
    value: str
    container: str | None


class TurnState(NamedTuple):
    """Where a turn tracker stands; `state` is read with the tracker's definition."""

    tracker: str
    state: str


class ShowResults(NamedTuple):
    """Faces of symbolic dice, counted from 0."""

    name: str
    faces: tuple[str, ...]


class Unmask(NamedTuple):
    """Player ids (passwords) that may unmask; None where the engine wrote `null`."""

    players: tuple[str, ...] | None


class Undo(NamedTuple):
    """The commands between `Undo(True)` and `Undo(False)` take an earlier step back."""

    active: bool


class Audio(NamedTuple):
    """A sound was played."""

    clip: str


class Player(NamedTuple):
    """Who plays which side. `id` is the player's password: never show it."""

    id: str
    name: str
    side: str


class RemovePlayer(NamedTuple):
    """A player left the roster."""

    id: str


class MutableProperty(NamedTuple):
    """A global property changed in play."""

    name: str
    old: str
    new: str
    container: str | None


class Notes(NamedTuple):
    """The scenario notes."""

    text: str


class PublicNotes(NamedTuple):
    """The public notes."""

    text: str


class PrivateNote(NamedTuple):
    """A player's own note: secret, and `owner` is a password."""

    owner: str
    text: str


class SecretNote(NamedTuple):
    """A delayed note: secret until revealed, and `owner` is a password."""

    name: str
    owner: str
    hidden: bool
    text: str
    date: str | None
    handle: str | None


class SetupStack(NamedTuple):
    """The game is not new: at-start stacks are already among the pieces."""


class Extension(NamedTuple):
    """An extension that the game uses."""

    name: str
    version: str


class StartupKey(NamedTuple):
    """A start-up key command has been applied."""

    id: str
    applied: bool


class Clock(NamedTuple):
    """A chess clock, in milliseconds."""

    who: str
    name: str
    elapsed: int
    verified: int
    ticking: bool
    restore: bool | None


class ClockControl(NamedTuple):
    """Whether the clocks are shown."""

    showing: bool
    online: bool


class LockTab(NamedTuple):
    """Scenario options were locked; `by` and `password` are secret."""

    tab: str
    by: str
    password: str
    date: str


class Flare(NamedTuple):
    """A player pointed at a place."""

    id: str
    x: int
    y: int


class LineOfSight(NamedTuple):
    """A line-of-sight thread was drawn."""

    id: str
    ax: int
    ay: int
    bx: int
    by: int
    persist: bool
    mirror: bool
    reset: bool | None


class ServerMail(NamedTuple):
    """A dice server's mail address: personal, never show it."""

    address: str


class LoadDeck(NamedTuple):
    """The pieces below replace a deck."""


class EventLog(NamedTuple):
    """The module's event log, kept as text."""

    text: str


class VersionCheck(NamedTuple):
    """A check that engines up to 2.9 wrote; nothing executes it today."""

    text: str


class WakeUp(NamedTuple):
    """A wake-up sound for a player; `player` may be an id."""

    key: str
    player: str


class Unknown(NamedTuple):
    """A command of some module's own code, kept to the letter."""

    text: str


Command = Any
"""One of the classes above."""
