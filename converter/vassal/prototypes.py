r"""Prototypes: named sets of traits that piece slots refer to, put in place as VASSAL does when a piece enters play.

>>> book = Prototypes({"Unit": "+/null/mark;Side\tpiece;;;;/Red\tnull;0;0;;0"})
>>> book.expand("+/null/prototype;Unit\tpiece;;;inf.png;1st Inf/\tnull;0;0;7;0")
Definition(type='mark;Side\tpiece;;;inf.png;1st Inf', state='Red\tnull;0;0;7;0')

Most readers want the single traits, so those are kept, each prototype's once; a chain is put together when asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from converter.errors import BadInput, Problem
from converter.vassal import formats, pieces, sequence
from converter.vassal.pieces import MOST_TRAITS, TAB, Piece
from converter.vassal.traits import Trait, pair

DEEPEST = 64
ROOM = 256 << 20  # bytes for all pieces together: nesting makes long chains grow with the square
MOST_SEEN = 10_000  # looked at for one piece, prototypes and comments included
USE = "prototype;"
COMMENT = "cmt;"
NO_ROOM = f"the module's counters take more than {ROOM >> 20} MiB; the rest are left as they are"
TOO_MANY = "makes a piece of too many traits; cut off there"


@dataclass(frozen=True)
class Definition:
    """A piece as it enters play: its trait chain and the chain of their first states."""

    type: str
    state: str


class Prototypes:
    """The module's prototypes by name. What is odd about them is collected in `problems`."""

    def __init__(self, definitions: Mapping[str, str]) -> None:
        self.definitions = definitions
        self.problems: list[Problem] = []
        self._room = ROOM
        self._played: dict[str, tuple[Trait, ...]] = {}
        self._outer: dict[tuple[str, str], tuple[Trait, ...] | None] = {}
        self._inner: dict[str, list[Trait]] = {}
        self._made: dict[str, Definition] = {}
        self._looked_up: dict[str, tuple[str, list[Trait]]] = {}

    def traits(self, text: str) -> tuple[Trait, ...]:
        """The traits of the piece that a slot's text defines, outermost first; none where the text is no piece."""
        played = self._played.get(text)
        if played is None:
            try:
                played = self._expand(text)
            except BadInput as error:
                self._note("", str(error))
                played = ()
            self._played[text] = played
        return played

    def expand(self, text: str) -> Definition | None:
        """The piece that a slot's text defines; None where the text is no piece at all."""
        made = self._made.get(text)
        if made is not None:
            return made
        traits = self.traits(text)
        tokens = _tokens(text) if traits else None
        if tokens is None:
            return None
        if not _has_prototypes(tokens[0]):
            return Definition(*tokens)
        types, states = zip(*traits, strict=True)
        if self._room < 0:
            self._note("", NO_ROOM)
            return Definition(*tokens)
        self._made[text] = made = Definition(pieces.roll(types), pieces.roll(states))
        self._room -= len(made.type) + len(made.state)
        return made

    def _expand(self, text: str) -> tuple[Trait, ...]:
        tokens = _tokens(text)
        if tokens is None:
            return ()
        if self._room < 0:
            self._note("", NO_ROOM)
            return Piece(*tokens).traits
        if "'" not in text:
            (kinds, tab, basic), (states, _, state) = tokens[0].rpartition(TAB), tokens[1].rpartition(TAB)
            around = self._around(kinds, states) if tab else None
            if around is not None:
                self._room -= 8 * len(around)  # the traits themselves are shared
                return (*around, Trait(basic, state))
        if not _has_prototypes(tokens[0]):
            return Piece(*tokens).traits
        *traits, last = _traits(*tokens)
        played = self._put_in_place(traits)
        self._room -= 8 * len(played)  # the traits themselves are shared
        return (*played, last)

    def _put_in_place(self, traits: Iterable[Trait]) -> list[Trait]:
        """The traits around a piece, with those of the prototypes instead of their names."""
        played: list[Trait] = []
        for trait in traits:
            letter = trait.text[:1]
            if letter == "p" and trait.text.startswith(USE):
                played += self._inside(trait)
                if len(played) >= MOST_TRAITS:
                    break
            elif letter != "c" or not trait.text.startswith(COMMENT):
                played.append(trait)
        if len(played) >= MOST_TRAITS:
            self._note("", TOO_MANY)
            del played[MOST_TRAITS - 1 :]
        return played

    def _around(self, kinds: str, states: str) -> tuple[Trait, ...] | None:
        """The traits that play around a basic piece, where their chains are plain: many counters have the same."""
        key = kinds, states
        if key not in self._outer:
            types, held = pieces.outer_links(kinds), pieces.remembered_links(states)
            if types is None or held is None or len(types) != len(held):
                self._outer[key] = None
            elif _has_prototypes(kinds):
                self._outer[key] = tuple(self._put_in_place(pair(types, held)))
            else:
                self._outer[key] = tuple(pair(types, held))
        return self._outer[key]

    def _inside(self, use: Trait) -> list[Trait]:
        """The traits that stand in place of one that names a prototype."""
        known = self._inner.get(use.text)
        if known is not None:
            return known
        played: list[Trait] = []
        # Still to do, nearest last; a None ends the prototype that was entered last.
        waiting: list[Trait | None] = [use]
        entered: list[str] = []
        seen = 0
        while waiting:
            trait = waiting.pop()
            if trait is None:
                entered.pop()
                continue
            seen += 1
            if seen > MOST_SEEN or len(played) >= MOST_TRAITS - 1:
                self._note(entered[0] if entered else "", TOO_MANY)
                break
            if trait.text.startswith(USE):
                name, inner = self._lookup(trait.text)
                if name in entered or len(entered) >= DEEPEST:
                    self._note(name, "uses itself; left out there")
                else:
                    entered.append(name)
                    waiting.append(None)
                    waiting.extend(reversed(inner[:-1]))
            elif not trait.text.startswith(COMMENT):
                played.append(trait)
        self._inner[use.text] = played
        return played

    def _lookup(self, use: str) -> tuple[str, list[Trait]]:
        """The prototype's name and its traits, basic piece last; an unknown one has none."""
        if use not in self._looked_up:
            self._looked_up[use] = self._read(use)
        return self._looked_up[use]

    def _read(self, use: str) -> tuple[str, list[Trait]]:
        tokens = sequence.decode(use[len(USE) :], ";")
        name = tokens[0]
        text = self.definitions.get(name)
        if text is None:
            self._note(name, "is not defined")
            return name, []
        if len(tokens) > 1:
            pairs = (sequence.decode(pair, "=") for pair in sequence.decode(tokens[1], ","))
            text = formats.fill(text, {pair[0]: pair[1] for pair in pairs if len(pair) > 1})
        parts = _tokens(text)
        if parts is None:
            self._note(name, "is no piece definition")
            return name, []
        return name, _traits(*parts)

    def _note(self, name: str, what: str) -> None:
        problem = Problem(f"prototype '{name}'", what)
        if problem not in self.problems:
            self.problems.append(problem)


def _tokens(text: str) -> tuple[str, str] | None:
    """Type and state of a `+/id/type/state` text."""
    if not text.startswith("+/"):
        return None
    tokens = sequence.decode(text[2:], "/")
    return (tokens[1], tokens[2] if len(tokens) > 2 else "") if len(tokens) > 1 else None


def _traits(type_text: str, state_text: str) -> list[Trait]:
    kinds = pieces.unroll(type_text)
    states = pieces.unroll(state_text)
    states += [""] * (len(kinds) - len(states))
    return list(pair(kinds, states))


def _has_prototypes(type_text: str) -> bool:
    """Whether a chain of traits changes when the piece enters play."""
    return USE in type_text or COMMENT in type_text
