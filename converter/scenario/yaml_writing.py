"""Plain values as YAML that a person likes to read: the same values always give the same text.

A short item stands on one line, a long one is spread out; long lists of hexes are wrapped, not one to a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

WIDTH = 118
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 _./'()-]*(?<! )")
_NOT_PLAIN = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def write(data: Mapping[str, Any]) -> str:
    """A whole file: each top-level item starts a line of its own.

    >>> print(write({"name": "pusan", "hexes": ["0101", "A1"], "size": {"columns": 3, "at": [1.5, None]}}), end="")
    name: pusan
    hexes: ["0101", A1]
    size: {columns: 3, at: [1.5, null]}
    """
    return "".join(f"{line}\n" for key, value in data.items() for line in _entry(f"{scalar(key)}:", value, 0))


def scalar(value: Any) -> str:
    """One value; text that could be taken for something else is quoted.

    >>> scalar("Hagaru-ri"), scalar("0105"), scalar("no"), scalar("a: b"), scalar(2e-7)
    ('Hagaru-ri', '"0105"', '"no"', '"a: b"', '2.0e-07')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        text = repr(value)
        return text.replace("e", ".0e") if "e" in text and "." not in text else text
    if _PLAIN.fullmatch(value) and value.lower() not in _NOT_PLAIN:
        return str(value)
    return '"' + "".join(map(_character, value)) + '"'


def _character(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable() and character != "\ufeff":
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{scalar(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return scalar(value)


def _entry(head: str, value: Any, indent: int) -> Iterable[str]:
    """`head` (a key with its colon, or a dash) and its value, on as many lines as it takes."""
    pad = " " * indent
    line = f"{pad}{head} {_flow(value)}"
    spread = isinstance(value, (list, tuple)) and any(isinstance(item, Mapping) for item in value)
    if (
        not isinstance(value, (Mapping, list, tuple))
        or not value
        or (len(line) <= WIDTH and not (spread and indent == 0))
    ):
        yield line
    elif isinstance(value, Mapping):
        lines = [line for key, item in value.items() for line in _entry(f"{scalar(key)}:", item, indent + 2)]
        if head == "-":
            lines[0] = f"{pad}- {lines[0].lstrip()}"
        else:
            yield f"{pad}{head}"
        yield from lines
    elif spread:
        yield f"{pad}{head}"
        for item in value:
            yield from _entry("-", item, indent + 2)
    else:
        yield from _wrapped(f"{pad}{head} [", [_flow(item) for item in value], indent + 2)


def _wrapped(line: str, items: list[str], indent: int) -> Iterable[str]:
    for i, item in enumerate(items):
        item += "]" if i == len(items) - 1 else ","
        if len(line) + 1 + len(item) > WIDTH and not line.endswith("["):
            yield line
            line = " " * indent + item
        else:
            line += item if line.endswith("[") else f" {item}"
    yield line
