r"""Every command of the stream as a typed value; what no encoder of VASSAL's own writes is kept verbatim as `Unknown`.

`parse` and `write` are each other's inverse:

>>> parse("M/100/Main Map/162/128/null/Main Map/108/96/null/pw").to
Spot(map='Main Map', x=162, y=128, under=None)
>>> write(parse("M/100/Main Map/162/128/null/Main Map/108/96/null/pw"))
'M/100/Main Map/162/128/null/Main Map/108/96/null/pw'
>>> parse("GlobalProperty\t;Weather;snow;Module")
GlobalProperty(name='Weather', value='snow', container='Module')
>>> parse("bd\tsomething of VASL's")
Unknown(text="bd\tsomething of VASL's")
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from converter.vassal import sequence
from converter.vassal.command_kinds import (
    AddPiece,
    Audio,
    BeginSave,
    Boards,
    ChangePiece,
    Chat,
    Clock,
    ClockControl,
    Command,
    EndSave,
    EventLog,
    Extension,
    Flare,
    GlobalProperty,
    LineOfSight,
    LoadDeck,
    LockTab,
    MovePiece,
    MutableProperty,
    Notes,
    Null,
    Player,
    PrivateNote,
    PublicNotes,
    RemovePiece,
    RemovePlayer,
    SecretNote,
    ServerMail,
    SetupStack,
    ShowResults,
    Spot,
    StartupKey,
    TurnState,
    Undo,
    Unknown,
    Unmask,
    VersionCheck,
    WakeUp,
)
from converter.vassal.fields import Kind, read_field, read_int, write_field

__all__ = [
    "AddPiece",
    "Audio",
    "BeginSave",
    "Boards",
    "ChangePiece",
    "Chat",
    "Clock",
    "ClockControl",
    "Command",
    "EndSave",
    "EventLog",
    "Extension",
    "Flare",
    "GlobalProperty",
    "LineOfSight",
    "LoadDeck",
    "LockTab",
    "MovePiece",
    "MutableProperty",
    "Notes",
    "Null",
    "Player",
    "PrivateNote",
    "PublicNotes",
    "RemovePiece",
    "RemovePlayer",
    "SecretNote",
    "ServerMail",
    "SetupStack",
    "ShowResults",
    "Spot",
    "StartupKey",
    "TurnState",
    "Undo",
    "Unknown",
    "Unmask",
    "VersionCheck",
    "WakeUp",
    "added",
    "parse",
    "write",
]

TAB = "\t"
_new = tuple.__new__
"""Makes a command of its fields quicker than its own constructor does."""


class Shape(NamedTuple):
    """A command that is its prefix followed by a sequence of simple fields."""

    prefix: str
    type: type
    kinds: str
    delimiter: str | None = TAB


SHAPES = (
    Shape("UNDO\t", Undo, "B"),
    Shape("AUDIO\t", Audio, "S", None),
    Shape("PLAYER\t", Player, "SSS"),
    Shape("PYREMOVE\t", RemovePlayer, "S"),
    Shape("PLAY\t", WakeUp, "SS"),
    Shape("MutableProperty\t", MutableProperty, "SSSs"),
    Shape("NOTES\t", Notes, "S", None),
    Shape("PNOTES\t", PublicNotes, "S", None),
    Shape("PNOTE\t", PrivateNote, "SS"),
    Shape("SNOTE\t", SecretNote, "SSBSss"),
    Shape("SETUP_STACK\t", SetupStack, "", None),
    Shape("EXT\t", Extension, "SS"),
    Shape("SGKC\t", StartupKey, "SB"),
    Shape("CLOCK\t", Clock, "SSLLBb"),
    Shape("CLOCKCONTROL\t", ClockControl, "BB"),
    Shape("LOCKSPOTAB\t", LockTab, "SSSS"),
    Shape("FLARE\t", Flare, "SII"),
    Shape("LOS\t", LineOfSight, "SIIIIBBb"),
    Shape("SEMAIL\t", ServerMail, "S", None),
    Shape("DECK\t", LoadDeck, "", None),
    Shape("CHECK\t", VersionCheck, "S", None),
    Shape("Events", EventLog, "S", None),
    Shape("CHAT", Chat, "S", None),
)
"""Commands made of plain fields. A small letter marks a field that older files leave out."""


def parse(text: str) -> Command:
    """Read one command. Text no decoder knows, or that breaks its own form, comes back as `Unknown`."""
    try:
        return _QUICK.get(text[:2], _parse_rarer)(text)
    except (IndexError, ValueError):
        return Unknown(text)


def _parse_rarer(text: str) -> Command:
    if not text or text == "null":
        return Null(text)
    for shape, read in _BY_WORD.get(text[:3], ()):
        if text.startswith(shape):
            return read(text)
    return _parse_boards(text) if "BoardPicker" in text else Unknown(text)


def write(command: Command) -> str:
    """The text of one command."""
    return _WRITERS[type(command)](command)


def added(text: str) -> tuple[str | None, str, str] | None:
    """Id, type and state of the piece that a text adds; None for any other text, or a broken one.

    Types repeat a thousandfold in a save, so their unescaped text is remembered, and shared.
    """
    if text[:2] != "+/":
        return None
    if "'" not in text:
        thing_id, _, rest = text[2:].partition("/")
        escaped_type, _, state = rest.rpartition("/")
        if escaped_type[-1:] != "\\" and "\\" not in thing_id:
            type_text = _unescaped_type(escaped_type)
            if type_text is not None:
                return (None if thing_id == "null" else thing_id), type_text, state
    tokens = sequence.decode(text[2:], "/")
    return (_named(tokens[0]), tokens[1], tokens[2]) if len(tokens) == 3 else None


def _parse_add(text: str) -> Command:
    fields = added(text)
    return Unknown(text) if fields is None else _new(AddPiece, fields)


@lru_cache(maxsize=20_000)
def _unescaped_type(text: str) -> str | None:
    tokens = sequence.decode(text, "/")
    return tokens[0] if len(tokens) == 1 and text else None


def _write_add(command: AddPiece) -> str:
    return f"+/{sequence.encode_safe([_name(command.id), command.type, command.state], '/')}"


def _parse_change(text: str) -> Command:
    tokens = sequence.decode(text[2:], "/")
    if len(tokens) not in (2, 3):
        return Unknown(text)
    return _new(ChangePiece, tokens if len(tokens) == 3 else (*tokens, None))


def _write_change(command: ChangePiece) -> str:
    tokens = [command.id, command.new] + ([] if command.old is None else [command.old])
    return f"D/{sequence.encode_safe(tokens, '/')}"


def _parse_move(text: str) -> Command:
    t = sequence.decode(text[2:], "/")
    if len(t) not in (9, 10):
        return Unknown(text)
    to, origin = _spot(t[1], t[2], t[3], t[4]), _spot(t[5], t[6], t[7], t[8])
    return _new(MovePiece, (_named(t[0]), to, origin, t[9] if len(t) == 10 else None))


@lru_cache(maxsize=5_000)
def _spot(map_name: str, x: str, y: str, under: str) -> Spot:
    """Where one move ends the next begins, so spots are remembered, and shared."""
    return Spot(_named(map_name), _whole(x), _whole(y), _named(under))


def _write_move(command: MovePiece) -> str:
    tokens = [_name(command.id)]
    for spot in (command.to, command.origin):
        tokens += [_name(spot.map), str(spot.x), str(spot.y), _name(spot.under)]
    if command.player is not None:
        tokens.append(command.player)
    return f"M/{sequence.encode_safe(tokens, '/')}"


def _parse_chat(text: str) -> Command:
    return _new(Chat, (text[4:],)) if text[:4] == "CHAT" else _parse_rarer(text)


def _parse_boards(text: str) -> Command:
    head, *rest = sequence.decode(text, TAB)
    if not head.endswith("BoardPicker") or len(rest) % 3:
        return Unknown(text)
    boards = []
    for name, column, row in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        tokens = sequence.decode(name, "/")
        boards.append((tokens[0], _whole(column), _whole(row), tokens[1:2] == ["rev"]))
    return Boards(head[: -len("BoardPicker")], tuple(boards))


def _write_boards(command: Boards) -> str:
    tokens: list[str | None] = [f"{command.map}BoardPicker"]
    for name, column, row, reverse in command.boards:
        tokens += [sequence.encode_safe([name, "rev"] if reverse else [name], "/"), str(column), str(row)]
    return sequence.encode_safe(tokens, TAB) or ""


def _parse_global_property(text: str) -> Command:
    tokens = sequence.decode(text, ";")
    if len(tokens) not in (3, 4):
        return Unknown(text)
    return GlobalProperty(tokens[1], tokens[2], tokens[3] if len(tokens) == 4 else None)


def _write_global_property(command: GlobalProperty) -> str:
    tokens = ["GlobalProperty\t", command.name, command.value]
    return sequence.encode_safe(tokens if command.container is None else [*tokens, command.container], ";") or ""


def _parse_turn(text: str) -> Command:
    tracker, *state = sequence.decode(text[4:], TAB)
    if len(state) != 1:
        return _parse_boards(text)  # of a map whose name starts with the word
    return TurnState(tracker, state[0])


def _write_turn(command: TurnState) -> str:
    return f"TURN{sequence.encode_safe([command.tracker, command.state], TAB)}"


def _parse_results(text: str) -> Command:
    name, *faces = sequence.decode(text[len("SHOW_RESULTS\t") :], TAB)
    return ShowResults(name, tuple(faces))


def _write_results(command: ShowResults) -> str:
    return f"SHOW_RESULTS\t{sequence.encode_safe([command.name, *command.faces], TAB)}"


def _parse_unmask(text: str) -> Command:
    rest = text[len("UNMASK\t") :]
    return Unmask(None if rest == "null" else tuple(sequence.decode(rest, TAB)))


def _write_unmask(command: Unmask) -> str:
    return "UNMASK\t" + ("null" if command.players is None else sequence.encode_safe(command.players, TAB) or "")


def _shape_reader(shape: Shape) -> Callable[[str], Command]:
    """A reader for one of `SHAPES`."""
    start, kinds = len(shape.prefix), [Kind(letter.upper()) for letter in shape.kinds]
    required = sum(letter.isupper() for letter in shape.kinds)
    if shape.delimiter is None:
        if not kinds:
            return lambda text: shape.type() if len(text) == start else Unknown(text)
        return lambda text: shape.type(text[start:])

    def read(text: str) -> Command:
        tokens = sequence.decode(text[start:], TAB)
        if not required <= len(tokens) <= len(kinds):
            return Unknown(text)
        values = [read_field(token, kind) for token, kind in zip(tokens, kinds, strict=False)]
        if None in values:  # a number that is none
            return Unknown(text)
        return shape.type(*values, *[None] * (len(kinds) - len(tokens)))

    return read


def _shape_writer(shape: Shape) -> Callable[[Command], str]:
    """A writer for one of `SHAPES`; fields that are None at the end are left out."""

    def write_shape(command: Command) -> str:
        values = list(command)
        while values and values[-1] is None:
            values.pop()
        if shape.delimiter is None:
            return shape.prefix + "".join(values)
        kinds = [Kind(letter.upper()) for letter in shape.kinds]
        tokens = [write_field(value, kind) for value, kind in zip(values, kinds, strict=False)]
        return shape.prefix + (sequence.encode_safe(tokens, TAB) or "")

    return write_shape


def _named(token: str) -> str | None:
    return None if token == "null" else token


def _name(value: str | None) -> str:
    return "null" if value is None else value


def _whole(token: str) -> int:
    value: int | None = read_int(token, None)
    if value is None:
        raise ValueError(token)
    return value


_QUICK: dict[str, Callable[[str], Command]] = {
    "+/": _parse_add,
    "-/": lambda text: RemovePiece(text[2:]),
    "D/": _parse_change,
    "M/": _parse_move,
    "CH": _parse_chat,
}

_READERS: dict[str, Callable[[str], Command]] = {
    "begin_save": lambda text: BeginSave() if text == "begin_save" else Unknown(text),
    "end_save": lambda text: EndSave() if text.rstrip() == "end_save" else Unknown(text),
    "GlobalProperty\t;": _parse_global_property,
    "TURN": _parse_turn,
    "SHOW_RESULTS\t": _parse_results,
    "UNMASK\t": _parse_unmask,
    **{shape.prefix: _shape_reader(shape) for shape in SHAPES},
}

_BY_WORD: dict[str, list[tuple[str, Callable[[str], Command]]]] = {}
for _prefix, _reader in _READERS.items():
    _BY_WORD.setdefault(_prefix[:3], []).append((_prefix, _reader))

_WRITERS: dict[type, Callable[[Any], str]] = {
    Null: lambda command: command.text,
    BeginSave: lambda command: "begin_save",
    EndSave: lambda command: "end_save",
    AddPiece: _write_add,
    RemovePiece: lambda command: f"-/{command.id}",
    ChangePiece: _write_change,
    MovePiece: _write_move,
    Boards: _write_boards,
    GlobalProperty: _write_global_property,
    TurnState: _write_turn,
    ShowResults: _write_results,
    Unmask: _write_unmask,
    Unknown: lambda command: command.text,
    **{shape.type: _shape_writer(shape) for shape in SHAPES},
}
