r"""Single fields of commands and traits: how a token becomes a value and back, with VASSAL's own defaults.

The engine's token readers are not uniform: an empty number takes its default, an empty boolean is false.

>>> read_field("7", Kind.INT, 1), read_field("", Kind.INT, 1)
(7, 1)
>>> read_field(None, Kind.BOOL, True), read_field("", Kind.BOOL, True)
(True, False)
>>> read_field("a,b\\,c", Kind.ARRAY)
('a', 'b,c')
>>> read_field("65,130", Kind.KEY)
Key(code=65, modifiers=130, name='')
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Any, NamedTuple

from converter.vassal import sequence

_INT = re.compile(r"[+-]?[0-9]+", re.ASCII)


class Kind(Enum):
    """What a token holds."""

    STRING = "S"
    INT = "I"
    LONG = "L"
    DOUBLE = "D"
    BOOL = "B"
    CHAR = "C"
    COLOUR = "R"
    KEY = "K"
    KEYS = "Y"
    ARRAY = "A"

    __hash__ = object.__hash__  # the usual one of an Enum is slow, and each field of each trait asks for it


class Key(NamedTuple):
    """A key stroke. With a name it is a named command, and only the name matters."""

    code: int
    modifiers: int
    name: str = ""


Colour = tuple[int, ...]


def read_field(token: str | None, kind: Kind, default: Any = None) -> Any:
    """The value of a token; None (no token) gives the default."""
    if token is None:
        return () if default is None and kind in (Kind.ARRAY, Kind.KEYS) else default
    return _READ[kind](token, default)


def write_field(value: Any, kind: Kind) -> str:
    """The token for a value.

    >>> write_field(True, Kind.BOOL), write_field((255, 0, 0), Kind.COLOUR), write_field(Key(0, 0, "flip"), Kind.KEY)
    ('true', '255,0,0', '0,0,flip')
    """
    if value is None:
        return ""
    if kind is Kind.BOOL:
        return "true" if value else "false"
    if kind is Kind.ARRAY:
        return sequence.encode_safe(value, ",") or ""
    if kind is Kind.KEYS:
        return sequence.encode_safe([write_field(key, Kind.KEY) for key in value], ",") or ""
    if kind is Kind.KEY:
        return f"{value.code},{value.modifiers}" + (f",{value.name}" if value.name else "")
    if kind is Kind.COLOUR:
        return ",".join(map(str, value))
    return str(value)


def read_lines(token: str) -> str:
    r"""Multi-line text, stored with bars for line ends.

    >>> read_lines("a|b||c\\|d")
    'a\nb\n\nc|d'
    """
    return "\n".join(sequence.decode(token, "|"))


def write_lines(text: str) -> str:
    r"""Store multi-line text; one newline at the end is lost, as in the engine.

    >>> write_lines("a\nb\n\nc|d\r\n")
    'a|b||c\\|d'
    """
    lines = text.replace("\r", "").split("\n")
    if len(lines) > 1 and lines[-1] == "":
        lines.pop()
    return sequence.encode_safe(lines, "|") or ""


def read_int(token: str, default: Any = 0, low: int = -(2**31), high: int = 2**31 - 1) -> Any:
    """A whole number as Java parses it; what does not parse or does not fit gives the default.

    >>> read_int("12"), read_int("1.5", -1), read_int("99999999999", -1)
    (12, -1, -1)
    """
    if len(token) < 10 and token.isdecimal():
        return int(token)
    if len(token) > 20 or not _INT.fullmatch(token):
        return default
    value = int(token)
    return value if low <= value <= high else default


def _read_double(token: str, default: Any) -> Any:
    try:
        return float(token) if "_" not in token else default
    except ValueError:
        return default


def _read_colour(token: str, default: Any) -> Colour | None:
    if token in ("", "null"):
        return None
    parts = token.split(",")
    if len(token) < 40 and len(parts) in (3, 4) and all(part.strip().isdecimal() for part in parts):
        return tuple(int(part) for part in parts)
    if token[:2] in ("0x", "0X"):
        try:
            number = int(token, 16)
        except ValueError:
            return (0, 0, 0)
        return (number >> 16 & 255, number >> 8 & 255, number & 255)
    return (0, 0, 0)


def _read_key(token: str, default: Any) -> Key | None:
    """No text is no key; text without a comma is its first character with Ctrl."""
    if not token:
        return None
    if "," not in token:
        return Key(ord(token[0]), 130)
    code, modifiers, *name = token.split(",")
    numbers = read_int(code, None), read_int(modifiers, None)
    return None if None in numbers else Key(*numbers, name[0] if name else "")


def _read_keys(token: str, default: Any) -> tuple[Key | None, ...]:
    if not token:
        return ()
    if "," not in token[1:]:
        return tuple(Key(ord(letter), 130) for letter in token)
    return tuple(_read_key(part, None) for part in sequence.decode(token, ","))


_READ: dict[Kind, Any] = {
    Kind.STRING: lambda token, default: token,
    Kind.INT: read_int,
    Kind.LONG: lambda token, default: read_int(token, default, -(2**63), 2**63 - 1),
    Kind.DOUBLE: _read_double,
    Kind.BOOL: lambda token, default: token == "true",
    Kind.CHAR: lambda token, default: token[:1] or default,
    Kind.COLOUR: _read_colour,
    Kind.KEY: _read_key,
    Kind.KEYS: _read_keys,
    Kind.ARRAY: lambda token, default: tuple(sequence.decode(token, ",")) if token else (),
}
