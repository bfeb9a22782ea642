"""The moments of a game's turn, and how its players write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

from referee.table.clock import Clock, Moment


@dataclass(frozen=True)
class Calendar:
    """`busy` are the phases of movement and combat, `shared` those that belong to no side; of the busy ones units move
    in those that are `moving` (only mobile units in `mobile` ones) and fight in those that are `fighting`.

    `read` finds turn, side and phase in a text; `phase_line` are the words of a line that names a phase and says
    nothing else ("movement phase done" is the end of one).
    """

    moments: tuple[Moment, ...]
    sides: tuple[str, str]
    busy: Collection[str]
    shared: Collection[str]
    read: Callable[[str], dict[str, Any]]
    side_of: Callable[[object], str | None]
    phase_of: Callable[[object, str | None], str | None]
    phase_line: Collection[str]
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()  # phases that are several moments
    moving: Collection[str] = ()
    fighting: Collection[str] = ()
    mobile: Collection[str] = ()
    reactions: tuple[str, ...] = ()  # phases of one side in which the other acts

    def clock(self, strict: bool = True) -> Clock:
        """A clock that shows no time yet."""
        return Clock(self.moments, strict=strict, groups=self.groups, reactions=self.reactions)

    def acting(self, places: Iterable[int]) -> int:
        """How many phases of movement or combat lie among these moments, a group of moments counting as one."""
        of = {moment: name for name, moments in self.groups for moment in moments}
        phases = ((self.moments[place].side, self.moments[place].phase) for place in places)
        return len({(side, of.get(phase, phase)) for side, phase in phases if phase in self.busy})

    def says_only_a_phase(self, text: str) -> bool:
        """Does a line name a phase and nothing else?"""
        words = [word for word in re.split(r"[\s*.:,!-]+", text.lower()) if word]
        return bool(words) and all(word in self.phase_line or re.fullmatch(r"t?\d+", word) for word in words)
