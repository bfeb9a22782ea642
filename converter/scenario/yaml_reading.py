"""YAML as our files use it: plain values, the line of each, and nothing that can bite.

No tags, no anchors or aliases (nine lines of them can stand for a billion items), no second document, no key twice;
size, depth and number of items are bounded. Only `true`, `false`, `null` and decimal numbers are more than text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from converter.errors import BadInput, Problem

Path_ = tuple[str | int, ...]

MOST_BYTES = 16_000_000
MOST_ITEMS = 1_000_000
MOST_DEPTH = 24

_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_NUMBER = re.compile(r"[-+]?([0-9]{1,18}(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,3})?")


@dataclass
class Document:
    """What a file holds, and on which line each item of it stands."""

    file: str
    data: Any = None
    lines: dict[Path_, int] = field(default_factory=dict)

    def problem(self, path: Path_, what: str) -> Problem:
        """A problem with the item at `path`, told with the file and the nearest known line.

        >>> read_text("a: 1\\nb: [x, y]", "map.yaml").problem(("b", 1), "expected z")
        Problem(where='map.yaml:2', what='expected z')
        """
        while path and path not in self.lines:
            path = path[:-1]
        return Problem(f"{self.file}:{self.lines.get(path, 1)}", what)


def read_file(path: Path) -> Document:
    """Read a YAML file; BadInput where it is missing, too large or no such YAML."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"{path}: larger than {MOST_BYTES // 1_000_000} MB")
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: not UTF-8 text (byte {error.start})") from None
    return read_text(text, str(path))


def read_text(text: str, file: str) -> Document:
    """Read YAML text; `file` is the name to tell problems with.

    >>> read_text("{a: 12, b: '12', c: yes}", "x").data
    {'a': 12, 'b': '12', 'c': 'yes'}
    """
    if len(text) > MOST_BYTES:
        raise BadInput(f"{file}: larger than {MOST_BYTES // 1_000_000} MB")
    try:
        return _build(yaml.parse(text, Loader=_PARSER), file)
    except yaml.MarkedYAMLError as error:
        line = min(error.problem_mark.line, text.rstrip("\n").count("\n")) + 1 if error.problem_mark else 1
        raise BadInput(f"{file}:{line}: not YAML: {_hint(error, text)}") from None
    except yaml.YAMLError as error:
        raise BadInput(f"{file}: not YAML: {' '.join(str(error).split())}") from None


def _hint(error: yaml.MarkedYAMLError, text: str) -> str:
    """What the parser says, with the way out of the two mistakes that everyone makes."""
    said = str(error.problem or error.context)
    mark = error.problem_mark
    here = text.split("\n")[mark.line] if mark and mark.line < text.count("\n") + 1 else ""
    if "\t" in here and "cannot start any token" in said:
        return "a tab; YAML is indented with spaces"
    if "mapping values are not allowed" in said:
        return "a second ': ' where none can be; put text with a colon in quotes"
    return said


def _build(events: Iterator[Any], file: str) -> Document:
    """Put the parser's events together, without recursion."""
    document = Document(file)
    open_items: list[tuple[Any, Path_]] = []  # the lists and mappings not yet closed
    key: list[str | None] = []  # for each of them, the key whose value comes next
    documents = items = 0
    for event in events:
        line = event.start_mark.line + 1

        def refuse(what: str, line: int = line) -> BadInput:
            return BadInput(f"{file}:{line}: {what}")

        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise refuse("a second document ('---'); expected one")
        if isinstance(event, yaml.AliasEvent):
            raise refuse("an alias ('*'); write the value out")
        if isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            open_items.pop()
            key.pop()
        if not isinstance(event, yaml.NodeEvent):
            continue
        if event.anchor is not None:
            raise refuse("an anchor ('&'); write the value out where it is needed")
        if getattr(event, "tag", None) is not None:
            raise refuse("a tag ('!'); expected plain text, numbers, lists and mappings")
        items += 1
        if items > MOST_ITEMS or len(open_items) > MOST_DEPTH:
            raise refuse("too many items" if items > MOST_ITEMS else f"nested deeper than {MOST_DEPTH}")
        holder, path = open_items[-1] if open_items else (None, ())
        if isinstance(holder, dict) and key[-1] is None:
            if not isinstance(event, yaml.ScalarEvent):
                raise refuse("a key that is a list or mapping; expected a word")
            if event.value in holder:
                raise refuse(f"{event.value!r} is given twice")
            key[-1] = event.value
            document.lines[(*path, event.value)] = line
            continue
        value: Any
        if isinstance(event, yaml.ScalarEvent):
            value = _scalar(event.value) if event.implicit[0] else event.value
        else:
            value = {} if isinstance(event, yaml.MappingStartEvent) else []
        if isinstance(holder, dict):
            name = str(key[-1])
            path, key[-1] = (*path, name), None
            holder[name] = value
        elif isinstance(holder, list):
            path = (*path, len(holder))
            holder.append(value)
            document.lines[path] = line
        else:
            document.data = value
        if isinstance(value, (dict, list)):
            open_items.append((value, path))
            key.append(None)
    return document


def _scalar(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) and math.isfinite(float(text)) else text
