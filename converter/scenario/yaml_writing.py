"""Plain values as YAML that a person likes to read: the same values always give the same text.

A short item stands on one line, a long one is spread out; long lists of hexes are wrapped, not one to a line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

WIDTH = 118
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 _./'()-]*(?<! )")
_QUOTED = re.compile(r"[ !#-\[\]-~]*")  # letters that stand for themselves between quotes
_NOT_PLAIN = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}


def write(data: Mapping[str, Any]) -> str:
    """A whole file: each top-level item starts a line of its own.

    >>> print(write({"name": "pusan", "hexes": ["0101", "A1"], "size": {"columns": 3, "at": [1.5, None]}}), end="")
    name: pusan
    hexes: ["0101", A1]
    size: {columns: 3, at: [1.5, null]}
    """
    lines: list[str] = []
    for key, value in data.items():
        _entry(lines, f"{scalar(key)}:", value, 0)
    return "\n".join([*lines, ""])


@lru_cache(maxsize=20_000, typed=True)
def scalar(value: Any) -> str:
    """One value; text that could be taken for something else is quoted.

    >>> scalar("Hagaru-ri"), scalar("0105"), scalar("no"), scalar("a: b"), scalar(2e-7)
    ('Hagaru-ri', '"0105"', '"no"', '"a: b"', '2.0e-07')
    """
    if isinstance(value, str):
        return _text(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    text = repr(value)
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def _text(value: str) -> str:
    if _PLAIN.fullmatch(value) and value.lower() not in _NOT_PLAIN:
        return value
    if _QUOTED.fullmatch(value):
        return f'"{value}"'
    return '"' + "".join(map(_character, value)) + '"'


def _character(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable() and character != "\ufeff":
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def _flow(value: Any) -> str:
    if value.__class__ is str:  # so it is with nearly all
        return scalar(value)
    if isinstance(value, dict):
        return "{" + ", ".join([f"{scalar(key)}: {_flow(item)}" for key, item in value.items()]) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join([_flow(item) for item in value]) + "]"
    return scalar(value)


def _entry(lines: list[str], head: str, value: Any, indent: int, flow: str | None = None) -> None:
    """Add `head` (a key with its colon, or a dash) and its value, on as many lines as it takes.

    `flow` is the value on one line where that is known already.
    """
    pad = " " * indent
    if not value or not isinstance(value, (dict, list, tuple)):
        lines.append(f"{pad}{head} {flow or _flow(value)}")
    elif isinstance(value, dict):
        _mapping(lines, head, value, indent, flow)
    elif indent == 0 and any(isinstance(item, dict) for item in value):
        _items(lines, head, value, indent)
    elif len(line := f"{pad}{head} {flow or _flow(value)}") <= WIDTH:
        lines.append(line)
    elif any(isinstance(item, dict) for item in value):
        _items(lines, head, value, indent)
    else:
        _wrapped(lines, f"{pad}{head} [", [_flow(item) for item in value], indent + 2)


def _mapping(lines: list[str], head: str, value: dict[str, Any], indent: int, flow: str | None) -> None:
    pad = " " * indent
    if flow is not None and len(pad) + len(head) + 1 + len(flow) <= WIDTH:
        lines.append(f"{pad}{head} {flow}")
        return
    flows = [f"{scalar(key)}: {_flow(item)}" for key, item in value.items()]
    line = f"{pad}{head} {{{', '.join(flows)}}}"
    if len(line) <= WIDTH:
        lines.append(line)
        return
    first = len(lines)
    if head != "-":
        lines.append(f"{pad}{head}")
    inner = f"{pad}  "
    for flow, (key, item) in zip(flows, value.items(), strict=True):
        if len(inner) + len(flow) <= WIDTH:
            lines.append(inner + flow)
        else:
            start = f"{scalar(key)}:"
            _entry(lines, start, item, indent + 2, flow[len(start) + 1 :])
    if head == "-":
        lines[first] = f"{pad}- {lines[first][len(inner) :]}"


def _items(lines: list[str], head: str, value: Sequence[Any], indent: int) -> None:
    lines.append(f"{' ' * indent}{head}")
    for item in value:
        _entry(lines, "-", item, indent + 2)


def _wrapped(lines: list[str], line: str, items: list[str], indent: int) -> None:
    for i, item in enumerate(items):
        item += "]" if i == len(items) - 1 else ","
        if len(line) + 1 + len(item) > WIDTH and not line.endswith("["):
            lines.append(line)
            line = " " * indent + item
        else:
            line += item if line.endswith("[") else f" {item}"
    lines.append(line)
