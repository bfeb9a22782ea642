"""What time it is in a log. Between two announcements it is some phase from the first to just before the second."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from referee.table import callouts
from referee.table.acts import Step
from referee.table.calendar import Calendar
from referee.table.clock import Clock, Time
from referee.table.events import Chat, Event, Turn

_TURN_NAME = re.compile(r"turn|^gt$", re.I)
_SPOKEN = re.compile(r"<.{0,200}?> - (?P<text>.*)", re.DOTALL)
HABIT = 3  # announcements, each the phase right after the one before: these players announce every phase


class Said(NamedTuple):
    """A phase as announced; None where that part was not told."""

    turn: int | None
    side: str | None
    phase: str | None


@dataclass(frozen=True)
class Span:
    """From one announcement to the next: what it may be, and whether one phase of action at most lies in it."""

    said: Said
    clock: Clock
    certain: bool
    back: bool = False  # an earlier moment than the one before: a slip corrected, or a phase taken up again


def spoken(event: Chat) -> str | None:
    """What a player typed; None for lines that the module writes."""
    found = _SPOKEN.fullmatch(event.text) if event.speaker is not None else None
    return found["text"] if found else None


def said_in(event: Event, calendar: Calendar) -> Said | None:
    """The phase that an event announces: a move of the turn tracker, or a call-out."""
    if isinstance(event, Turn):
        words = calendar.read(" ".join(text for _, text in event.levels) or event.text)
        numbers = [(name, int(text)) for name, text in event.levels if re.fullmatch(r"\d{1,3}", text.strip())]
        named = [number for name, number in numbers if _TURN_NAME.search(name) or _TURN_NAME.search(event.tracker)]
        turn = words.get("turn") or (named[0] if len(named) == 1 else None)
    elif isinstance(event, Chat) and (text := spoken(event)) is not None:
        found = callouts.read(text, calendar.read)
        called = text.lstrip("-* ").startswith("@") or calendar.says_only_a_phase(text)
        if found is None or found.what != "phase" or not called:
            return None
        words = dict(found.fields)
        turn = words.get("turn")
    else:
        return None
    side = calendar.side_of(words.get("side") or "")
    side = side if side in calendar.sides else None
    readings = [text for _, text in event.levels] if isinstance(event, Turn) else []
    name = words.get("name") or next((text for text in readings if calendar.phase_of(text, None) is not None), None)
    phase = calendar.phase_of(name, side)
    if phase in calendar.shared:
        side = None
    return Said(turn, side, phase) if turn is not None or side is not None or phase is not None else None


class Timetable:
    """The spans of a log, in the order of their announcements; `before` is the time until the first."""

    def __init__(self, calendar: Calendar, steps: Sequence[Step], opening: Turn | None = None) -> None:
        self.calendar = calendar
        self.clock = calendar.clock(strict=False)
        found = [said for step in steps for event in step.events if (said := said_in(event, calendar))]
        tracked = any(isinstance(event, Turn) for step in steps for event in step.events)
        first = said_in(opening, calendar) if opening is not None and tracked else None
        times = self._times([first, *found] if first is not None else found)
        begun = times[0] is not None and times[0] != Time(1, 0) if first is not None and times else False
        spans = self._spans([first, *found] if first is not None else found, times)
        self.before = spans.pop(0) if first is not None else None
        if not begun:  # the tracker still stands where a new game puts it: the set-up may not be over
            self.before = None
        self.spans = spans
        known = [time.turn for time in times if time is not None and time.turn is not None]
        self.from_the_start = bool(known) and known[0] == 1

    def _times(self, found: Sequence[Said | None]) -> list[Time | None]:
        """The moment of each announcement, where it is one; a turn nobody named is that of the moment before."""
        times: list[Time | None] = []
        last: Time | None = None
        for said in found:
            places = self.clock.places(said.side, said.phase) if said is not None and said.phase is not None else []
            if said is None or (len(places) != 1 and not self._is_group(said, places)):
                times.append(None)
                continue
            turn = said.turn
            if turn is None and last is not None and last.turn is not None:
                turn = last.turn + (places[0] < last.place)
            last = Time(turn, places[0])
            times.append(last)
        return times

    def _is_group(self, said: Said, places: Sequence[int]) -> bool:
        """Is it one phase that is several moments? Then it begins with the first of them."""
        sides = {self.clock.moments[place].side for place in places}
        return said.phase in dict(self.clock.groups) and len(sides) == 1

    def _spans(self, found: Sequence[Said | None], times: Sequence[Time | None]) -> list[Span]:
        orders = [self._order(time) for time in times]
        gaps = [None if a is None or b is None else b - a for a, b in pairwise(orders)]
        skipped = self._passed_over(orders, gaps)
        spans = []
        for i, (said, time) in enumerate(zip(found, times, strict=True)):
            assert said is not None
            back = i > 0 and (gaps[i - 1] or 0) < 0
            gap = gaps[i] if i < len(gaps) else None
            if time is None:
                clock = replace(self.clock, strict=False)
                spans.append(Span(said, clock.said(*said), False, back))
                continue
            if i == len(times) - 1 and len(gaps) + 1 >= HABIT and skipped is not None:
                gap = 1
                while self._phase(time, gap) in skipped:
                    gap += 1
            if gap is None or gap < 0 or gap > len(self.clock.moments):
                far = gap is not None and gap > 0  # turns went by without a word
                possible = frozenset() if far else frozenset({time})
                spans.append(Span(said, replace(self.clock, possible=possible), False, back))
                continue
            possible = frozenset(self._later(time, ahead) for ahead in range(max(gap, 1)))
            busy = self.calendar.acting(at.place for at in possible)
            clock = replace(self.clock, possible=possible, strict=True)
            spans.append(Span(said, clock, busy <= 1 and time.turn is not None, back))
        return spans

    def _passed_over(self, orders: Sequence[int | None], gaps: Sequence[int | None]) -> set[str] | None:
        """The quiet phases these players never announce; None where they pass over a phase of action."""
        passed: set[str] = set()
        for start, gap in zip(orders, gaps, strict=False):
            if start is None or gap is None:
                return None
            for ahead in range(1, gap):
                passed.add(self.clock.moments[(start + ahead) % len(self.clock.moments)].phase)
        return None if passed & {*self.calendar.busy} else passed

    def _phase(self, time: Time, ahead: int) -> str:
        return self.clock.moments[(time.place + ahead) % len(self.clock.moments)].phase

    def _order(self, time: Time | None) -> int | None:
        return (time.turn or 0) * len(self.clock.moments) + time.place if time is not None else None

    def _later(self, time: Time, ahead: int) -> Time:
        turns, place = divmod(time.place + ahead, len(self.clock.moments))
        return Time(time.turn + turns if time.turn is not None else None, place)
