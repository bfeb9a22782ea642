r"""Prototypes: named sets of traits that piece slots refer to, put in place as VASSAL does when a piece enters play.

>>> book = Prototypes({"Unit": "+/null/mark;Side\tpiece;;;;/Red\tnull;0;0;;0"})
>>> book.expand("+/null/prototype;Unit\tpiece;;;inf.png;1st Inf/\tnull;0;0;7;0")
Definition(type='mark;Side\tpiece;;;inf.png;1st Inf', state='Red\tnull;0;0;7;0')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from converter.errors import BadInput, Problem
from converter.vassal import formats, pieces, sequence
from converter.vassal.pieces import MOST_TRAITS

DEEPEST = 64
ROOM = 256 << 20  # characters for all pieces together: nesting makes long chains grow with the square
MOST_SEEN = 10_000  # looked at for one piece, prototypes and comments included
USE = "prototype;"
COMMENT = "cmt;"

Trait = tuple[str, str]  # type and state


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
        self._expanded: dict[str, Definition | None] = {}
        self._room = ROOM
        self._looked_up: dict[str, tuple[str, list[Trait]]] = {}

    def expand(self, text: str) -> Definition | None:
        """The piece that a slot's text defines; None where the text is no piece at all."""
        if text not in self._expanded:
            try:
                self._expanded[text] = self._expand(text)
            except BadInput as error:
                self._note("", str(error))
                self._expanded[text] = None
        return self._expanded[text]

    def _expand(self, text: str) -> Definition | None:
        tokens = _tokens(text)
        if tokens is None:
            return None
        if self._room < 0:
            self._note("", f"the module's counters take more than {ROOM >> 20} MiB; the rest are left as they are")
        if self._room < 0 or (USE not in tokens[0] and COMMENT not in tokens[0]):
            return Definition(*tokens)
        traits = _traits(*tokens)
        played: list[Trait] = []
        # Still to do, nearest last; a None ends the prototype that was entered last.
        waiting: list[Trait | None] = list(reversed(traits[:-1]))
        entered: list[str] = []
        seen = 0
        while waiting:
            trait = waiting.pop()
            if trait is None:
                entered.pop()
                continue
            seen += 1
            if seen > MOST_SEEN or len(played) >= MOST_TRAITS - 1:
                self._note(entered[0] if entered else "", "makes a piece of too many traits; cut off there")
                break
            if trait[0].startswith(USE):
                name, inner = self._lookup(trait[0])
                if name in entered or len(entered) >= DEEPEST:
                    self._note(name, "uses itself; left out there")
                else:
                    entered.append(name)
                    waiting.append(None)
                    waiting.extend(reversed(inner[:-1]))
            elif not trait[0].startswith(COMMENT):
                played.append(trait)
        played.append(traits[-1])
        made = Definition(pieces.roll([kind for kind, _ in played]), pieces.roll([state for _, state in played]))
        self._room -= len(made.type) + len(made.state)
        return made

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
    return list(zip(kinds, states, strict=False))
