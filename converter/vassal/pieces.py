r"""Pieces: a chain of traits around a basic piece, a stack or a deck, in which each link is escaped once more.

Reading such a chain link by link, as the engine does, costs the square of its length, so `unroll` cuts it in one pass.

>>> unroll("mark;Side\tPROP;Note\\\tpiece;;;a.png;Inf")
['mark;Side', 'PROP;Note', 'piece;;;a.png;Inf']
>>> roll(["mark;Side", "PROP;Note", "piece;;;a.png;Inf"])
'mark;Side\tPROP;Note\\\tpiece;;;a.png;Inf'
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from operator import sub

from converter.errors import BadInput
from converter.vassal import sequence
from converter.vassal.traits import Trait, pair

TAB = "\t"
MOST_TRAITS = 2_000


def unroll(text: str) -> list[str]:
    """The links of a type or state chain, outermost first, the basic piece last."""
    return list(_unroll_plain(text) or _unroll_scanning(text.split(TAB)))


def unroll_states(text: str, length: int) -> tuple[str, ...]:
    r"""The links of the state chain of a piece with so many traits; fewer where the text has fewer.

    The engine goes by the type, so a TAB in the innermost state is part of it.

    >>> unroll_states("Red\tMap;0;0;;1;Note;a\\\tb", 2)
    ('Red', 'Map;0;0;;1;Note;a\tb')
    """
    if "'" not in text:
        outer, tab, innermost = text.rpartition(TAB)
        links = remembered_links(outer) if tab else ()
        if links is not None and len(links) < length:
            return (*links, innermost)
    return tuple(_unroll_scanning(text.split(TAB), length))


def _unroll_plain(text: str) -> tuple[str, ...] | None:
    """The links, where none holds a TAB or may be in quotes: so it is with nearly all."""
    if "'" in text:
        return None
    outer, tab, innermost = text.rpartition(TAB)
    if not tab:
        return (text,)
    links = remembered_links(outer)
    return None if links is None else (*links, innermost)


def outer_links(text: str) -> tuple[str, ...] | None:
    """The links before the last TAB of a text without quotes; None if one holds a TAB."""
    links = text.split(TAB)
    bare = tuple(map(str.rstrip, links, repeat("\\")))
    escapes = list(map(sub, map(len, links), map(len, bare)))  # one more for each link
    return bare if escapes == list(range(len(links))) and len(links) < MOST_TRAITS else None


remembered_links = lru_cache(maxsize=5_000)(outer_links)
"""Counters differ most in the innermost state, where they lie, so the others are remembered, and shared."""


def _unroll_scanning(parts: list[str], length: int | None = None) -> list[str]:
    """One pass over the TABs, whatever the text: with k links finished, a TAB after k backslashes ends a link, and one
    after more belongs to its content. What is left after each link may be in quotes of its own, and ends at the next
    TAB of the same depth; the engine passes over the rest.

    With a `length`, what is left when only one link is missing is that link as it stands.
    """
    depths = [len(part) - len(part.rstrip("\\")) for part in parts[:-1]]
    tabs: dict[int, list[int]] = {}
    for index, depth in enumerate(depths):
        tabs.setdefault(depth, []).append(index)
    links: list[str] = []
    # What is left: the parts from first to last, without a quote in front, and of the last one only `end`.
    first, last, quote, end = 0, len(parts) - 1, 0, parts[-1]

    def text(upto: int, tail: str, drop: int) -> str:
        inner = [part[: len(part) - drop] for part in parts[first:upto]]
        return TAB.join([*inner, tail])[quote:]

    while True:
        depth = len(links)
        if depth + 1 == length:
            links.append(text(last, end, depth))
            return links
        here = tabs.get(depth, [])
        at = bisect_left(here, first)
        if at == len(here) or here[at] >= last:
            links.append(sequence.unquote(text(last, end, depth + 1)))
            return links
        if depth >= MOST_TRAITS:
            raise BadInput(f"a piece has more than {MOST_TRAITS} traits")
        tab = here[at]
        links.append(sequence.unquote(text(tab, parts[tab][: len(parts[tab]) - depth], depth + 1)))
        if at + 1 < len(here) and here[at + 1] < last:
            last = here[at + 1]
            end = parts[last][: len(parts[last]) - depth]
        first, quote = tab + 1, 0
        opening = end if first == last else parts[first]
        if opening[:1] == "'" and end[-1:] == "'" and (first < last or len(end) > 1):
            quote, end = 1, end[:-1]


def roll(links: Sequence[str], encode: Callable[[list[str], str], str | None] = sequence.encode_safe) -> str:
    """Put a chain back together. `sequence.encode` instead of the safe way gives the engine's text, flaw and all."""
    text = links[-1]
    for link in reversed(links[:-1]):
        text = encode([link, text], TAB) or ""
    return text


@lru_cache(maxsize=20_000)
def type_links(type_text: str) -> tuple[str, ...]:
    """The links of a type chain; types repeat, so they are remembered."""
    return tuple(unroll(type_text))


def kind_of(type_text: str) -> str:
    """`piece`, `stack`, `deck`, or whatever else the innermost link calls itself."""
    return type_links(type_text)[-1].partition(";")[0]


@dataclass(frozen=True, slots=True)
class Piece:
    r"""What an `AddPiece` or a palette slot defines: type and state, and their traits side by side.

    >>> piece = Piece("mark;Side\tpiece;;;;Inf", "Red\tMain Map;108;96;1;0")
    >>> [trait.name for trait in piece.traits], piece.traits[0].state["values"], piece.basic.type["name"]
    (['Marker', 'Basic piece'], ('Red',), 'Inf')
    """

    type: str
    state: str

    @property
    def traits(self) -> tuple[Trait, ...]:
        """All traits, outermost first; missing states are empty."""
        types = type_links(self.type)
        states = unroll_states(self.state, len(types))
        states += ("",) * (len(types) - len(states))
        return tuple(pair(types, states))

    @property
    def basic(self) -> Trait:
        """The innermost link: the basic piece, stack or deck."""
        return self.traits[-1]

    @property
    def kind(self) -> str:
        """What the innermost link calls itself."""
        return kind_of(self.type)
