"""What time it is in a log. Players' own words count as they stand, the turn tracker only to the neighbouring phases.

A tracker is clicked late, early or in bursts, so what happens while it shows a phase belongs to some phase from the one
shown when something last happened to the one shown when something happens next. A phase called out is that phase, and
if the last acts before a call-out belong to the phase it names, it came late and holds for them too.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from referee.logs.reckoning import Acts, Doing, Reckoning, Said, misnamed
from referee.table import callouts
from referee.table.acts import Step
from referee.table.calendar import Calendar
from referee.table.clock import Clock, Moment, Time
from referee.table.events import Chat, Event, Turn

_TURN_NAME = re.compile(r"turn|^gt$", re.I)
_SPOKEN = re.compile(r"<.{0,200}?> - (?P<text>.*)", re.DOTALL)
_WRITTEN = re.compile(r"[-*\s]*(?P<text>@.*)", re.DOTALL)  # by a button of a module of ours
RESULTS = 4  # so many drags may follow a die: retreats and advances
HABIT = 3  # announcements, each the phase right after the one before: these players announce every phase


@dataclass(frozen=True)
class Span:
    """From one announcement to the next: what it may be, and whether one phase of action at most lies in it."""

    said: Said
    clock: Clock
    certain: bool
    back: bool = False  # an earlier moment than the one before: a slip corrected, or a phase taken up again
    tracked: bool = False  # only the turn tracker says so
    unsaid: bool = False  # nobody announced it: time went on
    last_own: int = -1  # the last step in which the side that the tracker shows moves


class Announcement(NamedTuple):
    """A phase announced in a step; `spoken` by the players themselves rather than by a click on the tracker."""

    step: int
    said: Said
    spoken: bool


def spoken(event: Chat) -> str | None:
    """What a player typed, or a call-out that a button of the module wrote for him; None for the module's reports."""
    found = _SPOKEN.fullmatch(event.text) if event.speaker is not None else _WRITTEN.fullmatch(event.text)
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


def announcements(steps: Iterable[Step], calendar: Calendar) -> list[Announcement]:
    """The phases announced, in order. Where players call them out themselves the clicks on the tracker do not count."""
    found = [
        Announcement(step.number, said, not isinstance(event, Turn))
        for step in steps
        for event in step.events
        if (said := said_in(event, calendar)) is not None
    ]
    words = [one for one in found if one.spoken]
    return words if words and len(words) >= min(HABIT, len(found) - len(words)) else found


class Timetable:
    """The spans of a log in order, and the step at which each begins; `before` is the time until the first.

    `acts` are the steps that do something which belongs into certain phases.
    """

    def __init__(
        self,
        calendar: Calendar,
        steps: Sequence[Step],
        opening: Turn | None = None,
        acts: Callable[[], Sequence[Acts]] = lambda: (),
    ) -> None:
        self.calendar = calendar
        self.reckoning = Reckoning(calendar)
        self.clock = self.reckoning.clock
        found = announcements(steps, calendar)
        self.spoken = any(one.spoken for one in found)
        tracked = any(not one.spoken for one in found)
        first = said_in(opening, calendar) if opening is not None and tracked else None
        if first is not None:
            found.insert(0, Announcement(-1, first, False))
        said, starts = [one.said for one in found], [one.step for one in found]
        self._acts = acts() if found else ()
        self._numbers = [number for number, _ in self._acts]
        heard = times = self.reckoning.times(said)
        under = self._under(starts) if found else []
        wrong = {} if tracked or not found else misnamed(self.reckoning, said, under)
        if wrong:
            said = [self._meant(wrong[i]) if i in wrong else one for i, one in enumerate(said)]
            times = self.reckoning.times(said)
        spans = self._spans(said, times)
        for i in wrong:  # it may have been the phase that was named all the same
            possible = spans[i].clock.possible | {time for time in (heard[i],) if time is not None}
            if i and (times[i] == times[i - 1] or not under[i]):  # nothing was done under it: it says nothing of before
                others = [j for j in range(len(said)) if j != i]
                spans[i - 1] = self._spans([said[j] for j in others], [times[j] for j in others])[i - 1]
                possible |= spans[i - 1].clock.possible
            spans[i] = replace(spans[i], clock=replace(spans[i].clock, possible=possible), certain=False)
        self.maybe_late: set[int] = set()  # steps that may belong to the phase called out only after them
        if tracked:  # and a word here and there between clicks says no more than they do
            spans = self._loosened(spans, times, starts)
        else:
            starts = self._pulled_forward(times, starts)
            self._open_end(spans, times, starts)
        begun = first is not None and times[0] is not None and times[0] != Time(1, 0)
        self.before = spans[0] if begun else None  # else the tracker is where a new game puts it: perhaps the set-up
        skip = 1 if first is not None else 0
        self.spans = spans[skip:]
        self._by_start: dict[int, list[Span]] = {}
        for start, span in zip(starts[skip:], self.spans, strict=True):
            self._by_start.setdefault(start, []).append(span)
        known = [time.turn for time in times if time is not None and time.turn is not None]
        self.from_the_start = bool(known) and known[0] == 1

    def beginning_at(self, step: int) -> Sequence[Span]:
        """The spans that begin with a step."""
        return self._by_start.get(step, ())

    def idle(self, step: int) -> bool:
        """Is nothing done between the announcement in a step and the next one?"""
        ends = min((start for start in self._by_start if start > step), default=None)
        last = self._numbers[-1] if self._numbers else step
        return not self._between(step + 1, ends - 1 if ends is not None else last)

    def turn_is_over(self, step: int, side: str) -> bool:
        """Does a side do nothing more after a step until the other one moves or a phase of the other is announced?"""
        ends = (start for start, spans in self._by_start.items() if start > step and spans[-1].said.side != side)
        last = self._numbers[-1] if self._numbers else step
        later = self._between(step + 1, min(ends, default=last + 1) - 1)
        return not later or all(one.side not in (side, None) for one in later[0][1])

    def _between(self, start: int, end: int) -> Sequence[Acts]:
        """What is done from one step to another, both included."""
        return self._acts[bisect_left(self._numbers, start) : bisect_right(self._numbers, end)]

    def _meant(self, time: Time) -> Said:
        return Said(time.turn, *self.clock.moment(time))

    def _under(self, starts: Sequence[int]) -> list[Sequence[Acts]]:
        """What is done between each announcement and the next."""
        ends = [*(start - 1 for start in starts[1:]), self._numbers[-1] if self._numbers else 0]
        return [self._between(start + 1, end) for start, end in zip(starts, ends, strict=True)]

    def _spans(self, found: Sequence[Said], times: Sequence[Time | None]) -> list[Span]:
        orders = [self.reckoning.order(time) for time in times]
        gaps = [None if a is None or b is None else b - a for a, b in pairwise(orders)]
        skipped = self._passed_over(orders, gaps)
        spans = []
        for i, (said, time) in enumerate(zip(found, times, strict=True)):
            back = i > 0 and (gaps[i - 1] or 0) < 0
            gap = gaps[i] if i < len(gaps) else None
            if time is None:
                clock = replace(self.clock, strict=False)
                spans.append(Span(said, clock.said(*said), False, back))
                continue
            if i == len(times) - 1 and len(gaps) + 1 >= HABIT and skipped is not None:
                gap = 1
                while self.reckoning.phase(time, gap) in skipped:
                    gap += 1
            if gap is None or gap < 0 or gap > len(self.clock.moments):
                far = gap is not None and gap > 0  # turns went by without a word
                possible = frozenset() if far else frozenset({time})
                spans.append(Span(said, replace(self.clock, possible=possible), False, back))
                continue
            possible = frozenset(self.reckoning.later(time, ahead) for ahead in range(max(gap, 1)))
            busy = self.calendar.acting(at.place for at in possible)
            clock = replace(self.clock, possible=possible, strict=True)
            spans.append(Span(said, clock, busy <= 1 and time.turn is not None, back))
        return spans

    def _loosened(self, spans: Sequence[Span], times: Sequence[Time | None], starts: Sequence[int]) -> list[Span]:
        """Spans between clicks: from the phase shown when something last happened to the one when something will."""
        ends = [*starts[1:], self._numbers[-1] if self._numbers else 0]
        inside = [self._between(start + 1, end) for start, end in zip(starts, ends, strict=True)]
        orders = [self.reckoning.order(time) for time in times]
        loose = []
        for i, (span, time) in enumerate(zip(spans, times, strict=True)):
            here = orders[i]
            if here is None or time is None or time.turn is None or i == len(spans) - 1 or span.back:
                clock = replace(self.clock, possible=frozenset())
                loose.append(replace(span, clock=clock, certain=False, tracked=True))
                continue
            before = next((j for j in range(i - 1, -1, -1) if inside[j]), None)
            after = next((j for j in range(i + 1, len(spans)) if inside[j]), len(spans) - 1)
            earlier = orders[before] if before is not None else None
            later = orders[after]
            low = here - 1 if earlier is None else min(here - 1, earlier)
            high = here + 1 if later is None else max(here + 1, later)
            unread = later is None or (before is not None and earlier is None)  # a click that may mean two phases
            far = unread or high - low > len(self.clock.moments)
            possible = frozenset() if far else frozenset(map(self.reckoning.at, range(low, high + 1)))
            clock = replace(self.clock, possible=possible, strict=not far)
            side = self.clock.moment(time).side
            own = [n for n, done in inside[i] if any(one.what == "move" and one.side == side for one in done)]
            loose.append(replace(span, clock=clock, certain=False, tracked=True, last_own=max(own, default=-1)))
        return loose

    def _pulled_forward(self, times: Sequence[Time | None], starts: Sequence[int]) -> list[int]:
        """A call-out after the first acts of its phase came late: the phase began with those acts."""
        moved = list(starts)
        if times and times[0] is not None and self.clock.moment(times[0]).phase in self.calendar.fighting:
            fought = any(one.what == "fight" for _, done in self._between(0, starts[0] - 1) for one in done)
            self.maybe_late |= set(self._drags_after(starts[0])) if fought else set()
        for i in range(1, len(starts)):
            now, coming = times[i - 1], times[i]
            if now is None or coming is None or (self.reckoning.order(coming) or 0) <= (self.reckoning.order(now) or 0):
                continue
            new = self.clock.moment(coming)
            orders = range(self.reckoning.order(now) or 0, self.reckoning.order(coming) or 0)
            earlier = {self.clock.moment(self.reckoning.at(order)) for order in orders}
            inside = self._between(min(starts[i - 1] + 1, moved[i - 1]), starts[i] - 1)
            results = any(one.what == "fight" for _, done in inside for one in done)  # called out or not
            begins = starts[i]
            for number, done in reversed(inside):
                if not all(self._has_begun(one, earlier, new) for one in done) or (
                    results and any(one.what == "move" for one in done)
                ):
                    break
                begins = number
            moved[i] = begins
            tail = self._tail(new, self._between(starts[i - 1] + 1, begins - 1))
            if tail and new.phase in self.calendar.fighting:  # and the words may have come before all its results
                tail |= set(self._drags_after(starts[i]))
            self.maybe_late |= tail
        return moved

    def _drags_after(self, step: int) -> Iterator[int]:
        """The first few drags after a step, up to the next die."""
        last = self._numbers[-1] if self._numbers else step
        for number, done in self._between(step + 1, last)[:RESULTS]:
            if any(one.what == "fight" for one in done):
                return
            yield number

    def _tail(self, new: Moment, inside: Sequence[Acts]) -> set[int]:
        """The last steps before a call-out that fit the phase it names, whatever else they may be.

        After a die a few drags fit a phase of combat too: they may be its results.
        """
        found: set[int] = set()
        drags: list[int] = []
        for number, done in reversed(inside):
            if all(one.fits(new, self.calendar) for one in done):
                found |= {number, *drags}
                drags = []
            elif (
                new.phase in self.calendar.fighting and len(drags) < RESULTS and all(one.what == "move" for one in done)
            ):
                drags.append(number)
            else:
                break
        return found

    def _open_end(self, spans: list[Span], times: list[Time | None], starts: list[int]) -> None:
        """After the last call-out time goes on unannounced: from the first act that belongs to another phase on."""
        time = times[-1] if times else None
        if time is None or not spans[-1].certain:
            return
        moment, fought = self.clock.moment(time), False
        for number, done in self._between(starts[-1] + 1, self._numbers[-1] if self._numbers else 0):
            fought = fought or any(one.what == "fight" for one in done)
            results = fought and moment.phase in self.calendar.fighting
            if any(not one.fits(moment, self.calendar) and not (results and one.what == "move") for one in done):
                clock = replace(self.clock, possible=frozenset({time}))
                spans.append(Span(spans[-1].said, clock, False, back=True, unsaid=True))
                starts.append(number)
                return

    def _has_begun(self, doing: Doing, earlier: Iterable[Moment], new: Moment) -> bool:
        """Does it belong to the new phase, and to none from the one called out before up to it?"""
        return doing.fits(new, self.calendar) and not any(doing.fits(old, self.calendar) for old in earlier)

    def _passed_over(self, orders: Sequence[int | None], gaps: Sequence[int | None]) -> set[str] | None:
        """The quiet phases these players never announce; None where they pass over a phase of action."""
        passed: set[str] = set()
        for start, gap in zip(orders, gaps, strict=False):
            if start is None or gap is None:
                return None
            for ahead in range(1, gap):
                passed.add(self.clock.moments[(start + ahead) % len(self.clock.moments)].phase)
        return None if passed & {*self.calendar.busy} else passed
