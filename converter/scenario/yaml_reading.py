"""YAML as our files use it: plain values, the line of each, and nothing that can bite.

No tags, no anchors or aliases (nine lines of them can stand for a billion items), no second document, no key twice;
size, depth and number of items are bounded. Only `true`, `false`, `null` and decimal numbers are more than text.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from converter.errors import BadInput, Problem

if TYPE_CHECKING:
    import yaml

Path_ = tuple[str | int, ...]

MOST_BYTES = 16_000_000
MOST_ITEMS = 1_000_000
MOST_DEPTH = 24

_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_NUMBER = re.compile(r"[-+]?([0-9]{1,18}(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,3})?")


@dataclass
class Document:
    """What a file holds, and on which line each item of it stands."""

    file: str
    data: Any = None
    text: str = field(default="", repr=False)

    @cached_property
    def lines(self) -> dict[Path_, int]:
        """The line of each item, looked for only where something is to be said of one."""
        found: dict[Path_, int] = {}
        _build(self.text, self.file, found)
        return found

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
    import yaml  # slow to load, and not needed where only our own files are read, which are kept

    if len(text) > MOST_BYTES:
        raise BadInput(f"{file}: larger than {MOST_BYTES // 1_000_000} MB")
    try:
        return Document(file, _build(text, file), text)
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


def _build(text: str, file: str, lines: dict[Path_, int] | None = None) -> Any:
    """Put the parser's events together, without recursion; `lines` is told on which line each item stands."""
    import yaml

    parser: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    data: Any = None
    open_items: list[tuple[Any, Path_]] = []  # the lists and mappings not yet closed
    keys: list[str | None] = []  # for each of them, the key whose value comes next
    documents = items = 0
    while True:
        event = parser.get_event()
        kind = type(event)
        if kind is yaml.SequenceEndEvent or kind is yaml.MappingEndEvent:
            open_items.pop()
            keys.pop()
            continue
        if kind is yaml.DocumentStartEvent:
            documents += 1
            if documents > 1:
                raise _refusal(file, event, "a second document ('---'); expected one")
            continue
        if kind is yaml.AliasEvent:
            raise _refusal(file, event, "an alias ('*'); write the value out")
        if kind is yaml.StreamEndEvent:
            return data
        is_text = kind is yaml.ScalarEvent
        if not is_text and kind is not yaml.SequenceStartEvent and kind is not yaml.MappingStartEvent:
            continue
        if event.anchor is not None:
            raise _refusal(file, event, "an anchor ('&'); write the value out where it is needed")
        if event.tag is not None:
            raise _refusal(file, event, "a tag ('!'); expected plain text, numbers, lists and mappings")
        items += 1
        if items > MOST_ITEMS or len(open_items) > MOST_DEPTH:
            deep = f"nested deeper than {MOST_DEPTH}"
            raise _refusal(file, event, "too many items" if items > MOST_ITEMS else deep)
        holder: Any
        holder, path = open_items[-1] if open_items else (None, ())
        in_mapping = type(holder) is dict
        key = keys[-1] if in_mapping else None
        if in_mapping and key is None:
            if not is_text:
                raise _refusal(file, event, "a key that is a list or mapping; expected a word")
            if event.value in holder:
                raise _refusal(file, event, f"{event.value!r} is given twice")
            keys[-1] = event.value
            if lines is not None:
                lines[(*path, event.value)] = event.start_mark.line + 1
            continue
        value: Any
        if is_text:
            value = _scalar(event.value) if event.implicit[0] else event.value
        else:
            value = {} if kind is yaml.MappingStartEvent else []
        at: str | int = 0
        if in_mapping:
            at, keys[-1] = str(key), None
            holder[at] = value
        elif holder is not None:
            at = len(holder)
            holder.append(value)
            if lines is not None:
                lines[(*path, at)] = event.start_mark.line + 1
        else:
            data = value
        if not is_text:
            open_items.append((value, path if holder is None or lines is None else (*path, at)))
            keys.append(None)


def _refusal(file: str, event: Any, what: str) -> BadInput:
    return BadInput(f"{file}:{event.start_mark.line + 1}: {what}")


def _scalar(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) and math.isfinite(float(text)) else text
