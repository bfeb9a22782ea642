"""What time it is at the table: turn and phase, as the set of moments that the evidence leaves open."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple


class Moment(NamedTuple):
    """A phase of a game turn. `side` is None for phases that belong to both."""

    side: str | None
    phase: str


class Time(NamedTuple):
    """A moment of a certain turn; turn None: which turn is not known."""

    turn: int | None
    place: int  # in the game's list of moments; -1 before the first turn


@dataclass(frozen=True)
class Clock:
    """The moments of a game turn in order, and which of them it may be now.

    >>> clock = Clock((Moment("NK", "movement"), Moment("NK", "combat"), Moment("UN", "movement")))
    >>> clock.said(1, "NK", "combat").phases()
    {'combat'}
    >>> sorted(clock.sides())
    ['NK', 'UN']
    """

    moments: tuple[Moment, ...]
    possible: frozenset[Time] = frozenset()
    strict: bool = True
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()  # a phase that is several moments: (name, its moments)
    reactions: tuple[str, ...] = ()  # phases of one side in which the other acts

    def times(self) -> frozenset[Time]:
        """Every time it may be: without evidence any; where players move on without saying so, any later one too."""
        return self._times

    @cached_property
    def _times(self) -> frozenset[Time]:
        if not self.possible:
            return frozenset(Time(None, place) for place in range(len(self.moments)))
        if self.strict:
            return self.possible
        later = {
            Time(time.turn, place) for time in self.possible for place in range(max(time.place, 0), len(self.moments))
        }
        return frozenset(later | {Time(None, place) for place in range(len(self.moments))})

    def moment(self, time: Time) -> Moment:
        """The moment of a time; before the first turn it is the set-up."""
        return self.moments[time.place] if time.place >= 0 else Moment(None, "setup")

    @cached_property
    def open_moments(self) -> frozenset[Moment]:
        """The moments it may be, whatever the turn."""
        return frozenset(map(self.moment, self.times()))

    def sides(self) -> set[str]:
        """Whose phase it may be."""
        return {moment.side for moment in self.open_moments if moment.side is not None}

    def phases(self) -> set[str]:
        """Which phase it may be."""
        return {moment.phase for moment in self.open_moments}

    def turns(self) -> frozenset[int | None]:
        """Which turn it may be; None among them where that is not known."""
        return self._turns

    @cached_property
    def _turns(self) -> frozenset[int | None]:
        return frozenset(time.turn for time in self.times())

    @cached_property
    def turn(self) -> int | None:
        """The turn, where there is no doubt about it."""
        turns = self.turns()
        return next(iter(turns)) if len(turns) == 1 else None

    @cached_property
    def side(self) -> str | None:
        """Whose phase it is, where there is no doubt about it."""
        sides = {moment.side for moment in self.open_moments}
        return next(iter(sides)) if len(sides) == 1 else None

    @cached_property
    def phase(self) -> str | None:
        """Which phase it is, where there is no doubt about it."""
        phases = self.phases()
        return next(iter(phases)) if len(phases) == 1 else None

    def may_be(self, side: str | None, phases: tuple[str, ...] | None) -> bool:
        """May it be this side's phase of this kind? None fits any."""
        return self._fitting(side, phases) > 0

    def must_be(self, side: str | None, phases: tuple[str, ...] | None) -> bool:
        """Is it certainly this side's phase of this kind? None fits any."""
        return self._fitting(side, phases) == len(self.open_moments)

    def _fitting(self, side: str | None, phases: tuple[str, ...] | None) -> int:
        """How many of the moments it may be fit."""
        key = (side, phases)
        known = self._fits.get(key)
        if known is None:
            known = self._fits[key] = sum(
                (side is None or moment.side == side) and (phases is None or moment.phase in phases)
                for moment in self.open_moments
            )
        return known

    @cached_property
    def _fits(self) -> dict[tuple[str | None, tuple[str, ...] | None], int]:
        return {}

    def places(self, side: str | None, phase: str | None) -> list[int]:
        """The moments of a turn with this side and this phase (or group of them), None matching any."""
        wanted = dict(self.groups).get(phase, (phase,)) if phase is not None else ()
        return [
            place
            for place, moment in enumerate(self.moments)
            if (side is None or moment.side == side) and (phase is None or moment.phase in wanted)
        ]

    def meant(self, side: str | None, phase: str | None, now: int) -> list[int]:
        """The moments that words said at a moment may mean: a reaction may be named after the side that reacts.

        >>> moments = [Moment(side, phase) for side in ("NK", "UN") for phase in ("movement", "combat", "reply")]
        >>> clock = Clock(tuple(moments), reactions=("reply",))
        >>> clock.meant("UN", "reply", 1), clock.meant("UN", "reply", 0), clock.meant("UN", "reply", 4)
        ([2], [2, 5], [5])
        """
        literal = self.places(side, phase)
        either = self.places(None, phase)
        ahead = [place for place in either if place >= now][:1]
        if phase not in self.reactions or side is None or now < 0 or ahead == literal:
            return literal
        return ahead if ahead == [now + 1] else either

    def said(self, turn: int | None, side: str | None, phase: str | None) -> Clock:
        """The clock after someone announced (part of) the time. Without a turn number: the next time it comes round."""
        if phase == "setup":
            return replace(self, possible=frozenset({Time(turn if turn is not None else 0, -1)}))
        if not self.places(side, phase):
            return self
        found = set()
        for time in self.possible or {Time(None, -1)}:
            places = self.meant(side, phase, time.place)
            if turn is not None:
                found |= {Time(turn, place) for place in (places if turn == time.turn else self.places(side, phase))}
                continue
            ahead = [place for place in places if place >= time.place]
            if side is None and phase is not None:
                ahead = ahead[:1]
            now = time.turn
            if time.place < 0:
                now = 1 if now is not None else None
            if ahead:
                found |= {Time(now, place) for place in ahead}
            else:
                found |= {Time(None if now is None else now + 1, place) for place in places}
        return replace(self, possible=frozenset(found))

    def in_turn(self, turn: int) -> Clock:
        """The clock when nothing but the turn is known.

        >>> sorted(Clock((Moment("NK", "combat"), Moment("UN", "combat"))).in_turn(3).sides())
        ['NK', 'UN']
        """
        return replace(self, possible=frozenset(Time(turn, place) for place in range(len(self.moments))))

    def during(self, phases: Collection[str]) -> Clock:
        """The clock where something is done that only these phases allow and one of them it may be.

        >>> clock = Clock((Moment("NK", "combat"), Moment(None, "end"))).said(1, None, None)
        >>> clock.phase, clock.during(("combat",)).phase
        (None, 'combat')
        """
        fitting = frozenset(time for time in self.possible if self.moment(time).phase in phases)
        return replace(self, possible=fitting) if fitting and fitting != self.possible else self

    def not_before(self, test: Callable[[Moment], bool]) -> Clock:
        """The clock after something that only some moments allow: it is not earlier than the first of those.

        >>> moments = (Moment("NK", "movement"), Moment("NK", "combat"), Moment("UN", "movement"))
        >>> clock = Clock(moments).said(1, None, None)
        >>> sorted(clock.not_before(lambda moment: moment.phase == "combat").phases())
        ['combat', 'movement']
        """
        if not self.strict or self.turn is None:
            return self
        fitting = [time.place for time in self.possible if test(self.moment(time))]
        later = frozenset(time for time in self.possible if fitting and time.place >= min(fitting))
        return replace(self, possible=later) if later and later != self.possible else self
