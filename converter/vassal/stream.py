r"""The command stream of a save or log: one tree of commands, written with ESC between a command and its children.

An ESC with n backslashes before it stands n levels deep. A stream is kept as its top-level elements, each with the text
it was read from, so what nobody changed is written back to the byte. An element's commands come flat and in the order
of execution from `heads`; `tree` gives their nesting.

>>> stream = decode("begin_save\x1b\x1b\\\x1b+/1/stack/null;0;0\x1bend_save")
>>> [element.raw for element in stream.elements]
['begin_save', '', '\\\x1b+/1/stack/null;0;0', 'end_save']
>>> stream.elements[2].heads()
['', '+/1/stack/null;0;0']
>>> encode(Stream([Element.of(element.tree) for element in stream.elements])) == encode(stream)
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from converter.errors import BadInput
from converter.vassal import sequence

ESC = "\x1b"
LOG = "LOG\t"
_LOGGED = (LOG, f"'{LOG}")
_BETWEEN_ELEMENTS = re.compile("\x1b(?<!\\\\\x1b)")
"""An ESC that no backslash stands before; looked for by the ESC, which is quick."""
MOST_COMMANDS = 2_000_000
DEEPEST = 200


class Node:
    """A command's own text, `LOG` prefix and all, and the commands under it."""

    __slots__ = ("children", "text")

    def __init__(self, text: str, children: Iterable[Node] = ()) -> None:
        self.text = text
        self.children = list(children)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self.text == other.text and self.children == other.children

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Node({self.text!r}, {self.children!r})" if self.children else f"Node({self.text!r})"


class Element:
    """A top-level command of the stream. `raw` is its text, escaped as it stands between the ESCs."""

    __slots__ = ("raw",)

    def __init__(self, raw: str) -> None:
        self.raw = raw

    @classmethod
    def of(cls, node: Node) -> Element:
        """An element for a tree of commands."""
        return cls(sequence.encode_safe([_encode(node)], ESC) or "")

    @property
    def is_logged(self) -> bool:
        """Whether it was logged after the save."""
        return self.raw.startswith(_LOGGED)

    @property
    def is_step(self) -> bool:
        """Whether the Step button stops here: it was logged, and not all of it is commands without an encoder."""
        if not self.is_logged or self.raw[4:8] != "null":
            return self.is_logged
        try:
            return any(text != "null" for text in self.heads())
        except BadInput:
            return True

    @property
    def tree(self) -> Node:
        """Its commands as they nest. Absurdly many levels raise `BadInput`."""
        parts = self.raw.split(ESC)
        return _decode_quoted(parts) if _is_quoted(parts) else _decode_levels(parts)

    def heads(self) -> list[str]:
        """The texts of its commands in the order the engine executes them, without `LOG` prefixes."""
        raw = self.raw
        if ESC not in raw and raw[:1] != "'":
            return [raw[4:] if raw[:4] == LOG else raw]
        parts = raw.split(ESC)
        if "'" in raw and _is_quoted(parts):
            texts = _flat(_decode_quoted(parts))
        else:
            texts = [part.rstrip("\\") for part in parts]
            texts[-1] = parts[-1]
        return [text[4:] if text[:4] == LOG else text for text in texts] if self.is_logged else texts


@dataclass
class Stream:
    """A whole `savedGame`. To the engine its first element is the head and the others are its children."""

    elements: list[Element]

    @property
    def state(self) -> list[Element]:
        """What sets up the opening position."""
        return [element for element in self.elements if not element.is_logged]

    @property
    def steps(self) -> list[Element]:
        """What was logged, one element for each press of the Step button."""
        return [element for element in self.elements if element.is_step]


def decode(text: str) -> Stream:
    """Cut a stream's text into its elements. An absurd number of commands raises `BadInput`."""
    if len(text) >= MOST_COMMANDS and text.count(ESC) >= MOST_COMMANDS:
        raise BadInput(f"savedGame: more than {MOST_COMMANDS} commands")
    return Stream([Element(raw) for raw in _BETWEEN_ELEMENTS.split(text)])


def encode(stream: Stream) -> str:
    """The stream's text."""
    return ESC.join(element.raw for element in stream.elements)


def _is_quoted(parts: list[str]) -> bool:
    """Whether a token of an element may be in quotes: then only the engine's own procedure reads it right."""
    return any(part[:1] == "'" for part in parts)


def _encode(node: Node) -> str:
    """A tree as text, before it is escaped as part of something larger; the deepest first, without recursion."""
    finished: dict[int, str] = {}
    waiting = [(node, False)]
    while waiting:
        this, children_done = waiting.pop()
        if not this.children:
            finished[id(this)] = this.text
        elif children_done:
            tokens = [this.text, *(finished[id(child)] for child in this.children)]
            finished[id(this)] = sequence.encode_safe(tokens, ESC) or ""
        else:
            waiting.append((this, True))
            waiting.extend((child, False) for child in this.children)
    return finished[id(node)]


def _flat(node: Node) -> list[str]:
    texts = []
    waiting = [node]
    while waiting:
        this = waiting.pop()
        texts.append(this.text)
        waiting.extend(reversed(this.children))
    return texts


def _decode_levels(parts: list[str]) -> Node:
    """The quick way where nothing is quoted: the text after an ESC with n backslashes is a child of the newest command
    that came after fewer."""
    first, *parts = parts
    text = first.rstrip("\\") if parts else first
    level = len(first) - len(text)
    root = Node(text)
    levels, nodes = [0], [root]
    last = len(parts) - 1
    for index, part in enumerate(parts):
        if level > DEEPEST:
            raise BadInput(f"savedGame: commands nested more than {DEEPEST} deep")
        text = part.rstrip("\\") if index != last else part
        while levels[-1] >= level:
            levels.pop()
            nodes.pop()
        node = Node(text)
        nodes[-1].children.append(node)
        levels.append(level)
        nodes.append(node)
        level = len(part) - len(text)
    return root


def _decode_quoted(parts: list[str]) -> Node:
    """The engine's own procedure, for the rare text with quoted tokens; but nothing is copied from level to level."""
    depths = [len(part) - len(part.rstrip("\\")) for part in parts[:-1]]

    def read(first: int, last: int, quote: int, end: str, level: int) -> Node:
        """The command in the parts from first to last, without a quote in front, and of the last one only `end`."""
        if first == last:
            return Node(_unquote_fully(end[quote:]))
        if level > DEEPEST + 1:
            raise BadInput(f"savedGame: commands nested more than {DEEPEST} deep")
        nodes = []
        for cut in [*(index for index in range(first, last) if depths[index] == level), last]:
            tail = end if cut == last else parts[cut][: len(parts[cut]) - level]
            if first < cut and parts[first][quote : quote + 1] == "'" == tail[-1:]:
                nodes.append(read(first, cut, quote + 1, tail[:-1], level + 1))
            else:
                nodes.append(read(first, cut, quote, tail, level + 1))
            first, quote = cut + 1, 0
        head, *children = nodes
        head.children += children
        return head

    return read(0, len(parts) - 1, 0, parts[-1], 0)


def _unquote_fully(text: str) -> str:
    """A command's own text: as long as it is in quotes the engine takes them off."""
    opening = len(text) - len(text.lstrip("'"))
    closing = len(text) - len(text.rstrip("'"))
    if opening == len(text):
        return text[: opening % 2]
    pairs = min(opening, closing)
    return text[pairs : len(text) - pairs]
