"""Plain values as YAML that a person likes to read: the same values always give the same text.

A short item stands on one line, a long one is spread out; long lists of hexes are wrapped, not one to a line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
    page = _Page()
    for key, value in data.items():
        page.entry(f"{page.texts[key]}:", value, 0)
    return "\n".join([*page.lines, ""])


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


class _Texts(dict[str, str]):
    """Texts as they are written; the same ones come again and again."""

    def __missing__(self, value: str) -> str:
        self[value] = written = _text(value)
        return written


class _Page:
    """The lines of a file."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.texts = _Texts()

    def entry(self, head: str, value: Any, indent: int, flow: str | None = None) -> None:
        """Add `head` (a key with its colon, or a dash) and its value, on as many lines as it takes.

        `flow` is the value on one line where that is known already.
        """
        pad = " " * indent
        if not value or not isinstance(value, (dict, list, tuple)):
            self.lines.append(f"{pad}{head} {flow or self._flow(value)}")
        elif isinstance(value, dict):
            self._mapping(head, value, indent)
        elif indent == 0 and any(isinstance(item, dict) for item in value):
            self._items(head, value, indent)
        elif len(line := f"{pad}{head} {flow or self._flow(value)}") <= WIDTH:
            self.lines.append(line)
        elif any(isinstance(item, dict) for item in value):
            self._items(head, value, indent)
        else:
            self._wrapped(f"{pad}{head} [", [self._flow(item) for item in value], indent + 2)

    def _flow(self, value: Any) -> str:
        if value.__class__ is str:
            return self.texts[value]
        if isinstance(value, dict):
            return "{" + ", ".join(self._flows(value)) + "}"
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join([self._flow(item) for item in value]) + "]"
        return scalar(value)

    def _flows(self, value: dict[str, Any]) -> list[str]:
        """Each key with its value, on one line."""
        texts = self.texts
        return [
            f"{texts[key]}: {texts[item] if item.__class__ is str else self._flow(item)}" for key, item in value.items()
        ]

    def _mapping(self, head: str, value: dict[str, Any], indent: int) -> None:
        pad = " " * indent
        flows = self._flows(value)
        line = f"{pad}{head} {{{', '.join(flows)}}}"
        if len(line) <= WIDTH:
            self.lines.append(line)
            return
        inner = f"{pad}  "
        start = f"{pad}- " if head == "-" else f"{pad}{head}\n{inner}"
        if len(inner) + max(map(len, flows)) <= WIDTH:
            self.lines.append(start + f"\n{inner}".join(flows))
            return
        first = len(self.lines)
        for flow, (key, item) in zip(flows, value.items(), strict=True):
            if len(inner) + len(flow) <= WIDTH:
                self.lines.append(inner + flow)
            else:
                own = f"{self.texts[key]}:"
                self.entry(own, item, indent + 2, flow[len(own) + 1 :])
        self.lines[first] = start + self.lines[first][len(inner) :]

    def _items(self, head: str, value: Sequence[Any], indent: int) -> None:
        self.lines.append(f"{' ' * indent}{head}")
        for item in value:
            self.entry("-", item, indent + 2)

    def _wrapped(self, line: str, items: list[str], indent: int) -> None:
        for i, item in enumerate(items):
            item += "]" if i == len(items) - 1 else ","
            if len(line) + 1 + len(item) > WIDTH and not line.endswith("["):
                self.lines.append(line)
                line = " " * indent + item
            else:
                line += item if line.endswith("[") else f" {item}"
        self.lines.append(line)
