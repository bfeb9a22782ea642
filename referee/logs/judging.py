"""Judging logs. A log is never complete: time moves on unannounced, combats are fought without a word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from converter.collecting import no_collection
from converter.scenario import MapFile
from referee.court import Court
from referee.logs.ahead import Ahead
from referee.logs.binding import unit_for
from referee.logs.clock import Span, Timetable, said_in
from referee.logs.game import Laid, LogGame
from referee.logs.settling import Ending, Settling
from referee.logs.slips import Slips
from referee.logs.steps import LogLedger, LogTable
from referee.rules.ground import ground_of
from referee.table.acts import Step, without_undone
from referee.table.binding import STEP_PROPERTY, Binding, Piece, bind
from referee.table.calendar import Calendar
from referee.table.clock import Clock, Moment
from referee.table.events import Declared, Event, Moved, Turn, Undone
from referee.table.position import Position
from referee.table.takebacks import without_takebacks
from referee.table.units import Unit
from referee.verdict import Finding, Judged, Verdict

SET_UP = 3
"""So few units may be reinforcements, or counters put right."""


@no_collection()
def open_log(
    game: LogGame,
    scenario_id: str,
    pieces: Iterable[Piece],
    map_file: MapFile | None = None,
    charts: Any = None,
    binding: Binding | None = None,
) -> Court[Any, Any]:
    """The court of a log. `map_file` is the user's map where he has one, else what the rulebook tells of it."""
    scenario = game.scenario(scenario_id)
    known = charts if charts is not None else game.read_charts(None, scenario)
    grid = map_file.grid if map_file is not None else game.wide_grid(scenario)

    def unit_of(piece: Piece) -> Unit | None:
        return unit_for(game, scenario, known, piece, binding)

    position = Position()
    for unit, hex in bind(pieces, unit_of):
        position.add(unit, hex if hex is not None and hex in grid else None)
    clock = game.calendar(scenario).clock(strict=False)
    ground = ground_of(map_file or game.sheet(scenario))
    court = game.open(Laid(scenario, grid, ground, known, position, clock, LogLedger(game.passing)))
    court.start = {unit.id: hex for unit, hex in position.on_map()}
    return court


@no_collection()
def judge_log(
    game: LogGame,
    court: Court[Any, Any],
    steps: Sequence[Step],
    newcomers: Iterable[Piece] = (),
    opening: Turn | None = None,
    table: LogTable | None = None,
    binding: Binding | None = None,
) -> Judged:
    """Judge a log's steps; those that were taken back do not count.

    `newcomers` are the pieces that come into the game on the way, `opening` is where the turn tracker stands before.
    """
    scenario = court.scenario
    kept = without_undone(steps)
    calendar = game.calendar(scenario)
    kept = without_takebacks(kept, lambda event: said_in(event, calendar) is not None)
    table = table or game.table(court, None, STEP_PROPERTY)
    newcomers = tuple(newcomers)
    came = ((piece.id, unit_for(game, scenario, court.charts, piece, binding)) for piece in newcomers)
    table.newcomers = {id: unit for id, unit in came if unit is not None}
    table.take_markers(newcomers, binding, on_the_map=False)
    table.dice_used = table.dice_used or any(event.type == "rolled" for step in kept for event in step.events)
    table.setting_up = _is_set_up(table, kept, calendar)
    ahead = Ahead(kept, table.doings)
    times = Timetable(calendar, kept, opening, lambda: ahead.done)
    judge = _LogJudge(game, court, table, times, ahead)
    first, judged = len(court.findings), court.judged
    judge.begin()
    when: list[tuple[int, str]] = []
    shown: tuple[Clock | None, str] = (None, "")
    for step in kept:
        judge.step(step)
        told = (court.clock, judge.announced)
        if told[0] is not shown[0] or told[1] != shown[1]:
            shown = told
            words = judge.time_words()
            if not when or when[-1][1] != words:
                when.append((step.number, words))
    judge.finish(kept[-1].number if kept else 0)
    found = sorted(court.findings[first:], key=lambda finding: finding.step)
    return Judged(tuple(found), court.judged - judged, tuple(court.notes), tuple(when))


def _is_set_up(table: LogTable, steps: Sequence[Step], calendar: Calendar) -> bool:
    """Does the log begin with the set-up? Then most units come on the map before the first die or phase."""
    came = 0
    for step in steps:
        if any(event.type == "rolled" or said_in(event, calendar) is not None for event in step.events):
            break
        came += table.arriving(step)
    return came >= max(SET_UP, sum(1 for _ in table.court.position.on_map()))


class _LogJudge:
    """Goes through a log with the court, and says of each finding whether the log proves it."""

    def __init__(self, game: LogGame, court: Court[Any, Any], table: LogTable, times: Timetable, ahead: Ahead) -> None:
        self.game = game
        self.court = court
        self.table = table
        self.times = times
        self.announced = ""
        self.ahead = ahead
        self.slips = Slips(game, court)
        self.span: Span | None = None
        self.held: dict[str, list[tuple[int, str]]] = {}  # who came to a hex before the last click on the tracker

    def begin(self) -> None:
        """Before the first step: only the turn tracker tells the time."""
        self._forget()
        self.table.last_dragged = ""
        if self.times.before is not None:
            self._enter(self.times.before)
        else:
            self.court.clock = self.times.clock
            self._certain(False)

    def step(self, step: Step) -> None:
        """Judge one step."""
        if any(isinstance(event, Undone) for event in step.events):
            self.table.quietly(step)
            self._forget()
            return
        for span in self.times.beginning_at(step.number):
            self._phase(step.number, span)
        self.table.between_own_moves = self.span is not None and step.number < self.span.last_own
        events = tuple(self.table.events(step))
        for event in step.events:
            if isinstance(event, Moved) and event.piece in self.slips.dropped:
                self.slips.dragged(event.piece, self.table.hex(event.to))
        if not events:
            self.table.settle_faces(step)
            return
        before = len(self.court.findings)
        self.game.play(self.court, Step(step.number, events))
        self.table.settle_faces(step)
        self._temper(before, events)
        self.slips.judged(before, events)
        driven = self.table.certain and self._after_die(step.number)
        for event in events:
            if not isinstance(event, Moved):
                continue
            if self._was_put_back(event):
                self.court.trails.pop(event.piece, None)
            if self._was_put_back(event) or (driven and self._may_be_driven(event)):
                self.court.ledger.forget("moved", event.piece, step.number)
        if not self.table.certain:
            self._forget_uncertain(events)
            if self.span is not None:
                self.court.clock = self.span.clock  # a drag may be a result: it does not tell the phase

    def time_words(self) -> str:
        """The time, or where several phases are possible the last one that was announced."""
        return self.court.time_words() or (f"{self.announced} or later" if self.announced else "")

    def finish(self, last: int) -> None:
        """The log is over."""
        self._settle(Ending(last, False, None))

    def _phase(self, step: int, span: Span) -> None:
        self.slips.clear()
        turn = self.court.turn_words(span.said.turn) if span.said.turn is not None else ""
        spoken = f"{span.said.side or ''} {span.said.phase or ''}".strip()
        self.announced = ", ".join(filter(None, (turn, spoken)))
        same = self.table.begun and span.clock == self.court.clock and span.tracked == self.table.tracked
        fought = any(case.rolls for case in self.table.docket.cases)
        if not same:
            self._settle(Ending(step, not span.tracked and not span.unsaid, _begins_with(span)))
        slip = span.back and (not fought or (not span.tracked and self.times.idle(step)))
        if not same and not span.unsaid and not slip:
            told = {"turn": span.said.turn, "side": span.said.side, "name": span.said.phase}
            before = len(self.court.findings)
            if span.tracked:
                self._hold_arrivals()
            self.game.play(self.court, Step(step, (Declared("phase", tuple(told.items())),)))
            self._temper(before, ())
        if not same or span.tracked:
            self._forget()
            self.table.new_phase()
        self._enter(span)

    def _enter(self, span: Span) -> None:
        court, table = self.court, self.table
        self.span = span
        court.clock = span.clock
        table.begun = True
        table.tracked = span.tracked
        self._certain(span.certain)
        busy = {moment.phase for moment in court.clock.open_moments} & {*self.times.calendar.busy}
        table.docket.open = (
            span.certain and bool(busy) and busy <= {*court.fighting}
        )  # and nothing is done in quiet ones

    def _hold_arrivals(self) -> None:
        """A click may come while units still move: a stack is judged when it is still there at the next click."""
        now = {hex: list(came) for hex, came in self.court.arrivals.items()}
        stays = {hex: came for hex, came in self.held.items() if hex not in now}
        self.court.arrivals, self.held = stays, now

    def _settle(self, ending: Ending) -> None:
        """Judge the combats of the phase that is over."""
        table, docket = self.table, self.table.docket
        self._play_waiting()
        table.settle_strays()
        settling = Settling(
            self.game, docket, self.ahead, self.times.calendar, ending, table.face, table.dice_used,
            table.step_property, table.support,
        )  # fmt: skip
        certain = table.certain
        for before, case in settling.settle():
            self._certain(certain if case is None else case.certain)
            table.case = case
            self._temper(before, (), partial(settling.doubts, case))
        self._certain(certain)
        table.case = None
        self._play_waiting()
        docket.clear()

    def _play_waiting(self) -> None:
        """Judge what was said in the phase that is over and could be put right until now."""
        before, now = len(self.court.findings), self.court.position
        for said in self.table.waiting():
            self.court.lay(said.position)
            self.game.play(self.court, Step(said.step, (said.event,)))
        self.court.lay(now)
        self._temper(before, ())

    def _certain(self, certain: bool) -> None:
        self.table.certain = certain
        if isinstance(self.court.ledger, LogLedger):
            self.court.ledger.certain = certain

    def _forget(self) -> None:
        """A phase may have ended: earlier drags are no part of this one's."""
        self.court.trails = {}
        self.court.arrivals = {}

    def _forget_uncertain(self, events: Sequence[Event]) -> None:
        """Between two clicks of the tracker drags add up where only one phase lets the unit move."""
        if not self.table.tracked:
            self._forget()
            return
        clock = self.court.clock
        for event in events:
            if isinstance(event, Moved) and event.piece in self.court.trails:
                if self.table.may_be_result() and self._is_short_drag(event):
                    del self.court.trails[event.piece]  # perhaps a retreat, and no part of a march
                    continue
                unit = self.court.unit(event.piece)
                moves = self.table.any_move(unit)
                phases = [time for time in clock.times() if moves.fits(clock.moment(time), self.times.calendar)]
                result = self.table.may_be_result() and self._is_short_drag(event)
                if result or len(phases) != 1 or phases[0].turn is None:
                    del self.court.trails[event.piece]

    def _temper(
        self, before: int, events: Sequence[Event], doubts: Callable[[Finding], Iterable[str]] = lambda finding: ()
    ) -> None:
        """Findings of this step that rest on what the log may not show are said with a doubt."""
        findings = self.court.findings
        for i in range(before, len(findings)):
            if findings[i].verdict == Verdict.ILLEGAL:
                missing = (*self._missing(findings[i], events), *doubts(findings[i]))
                findings[i] = findings[i].in_doubt(*missing) if missing else findings[i]

    def _missing(self, finding: Finding, events: Sequence[Event]) -> Iterable[str]:
        table = self.table
        if table.may_be_result() and any(map(self._is_short_drag, events)):
            yield "which phase it is (turn tracker or call-outs): it may be a retreat or an advance"
        elif (not table.certain and any(map(self._puts_right, events))) or (
            not finding.check.startswith(self.game.out_of_phase) and any(map(self._was_put_back, events))
        ):
            yield "whether the drag before it was only a slip"
        elif table.certain and self._after_die(finding.step) and any(map(self._may_be_driven, events)):
            yield "whether the phase that was called out was over: after a die it may be a retreat or an advance"
        if finding.step in self.times.maybe_late and finding.check.startswith(self.game.out_of_phase):
            yield "whether the phase that was called out next had begun"
        if finding.check in self.game.at_turns_end and self.times.turn_is_over(finding.step, finding.side or ""):
            yield "whether the phases that were called out after it were over"
        yield from self.game.missing(table, finding, self.times.from_the_start)

    def _was_put_back(self, event: Event) -> bool:
        """Is a unit dragged back to where its last drag before the phase was called out began?"""
        back = self.table.put_back
        return isinstance(event, Moved) and event.piece in back and event.to.hex == back[event.piece]

    def _puts_right(self, event: Event) -> bool:
        """Might a drag put right the one before: could the unit have gone there at once?"""
        if not isinstance(event, Moved) or event.piece not in self.court.position.units:
            return False
        unit, to = self.court.unit(event.piece), event.to.hex
        return any(
            one is None
            or to is None
            or to not in self.court.grid
            or (self.table.may_be_result() and self.court.distance(one, to) <= self.game.farthest)
            or self.game.could_move(self.court, unit, (one, to))
            for one in self.table.taken_from[:-1]
        )

    def _after_die(self, step: int) -> bool:
        """Was a die thrown in a phase of movement? Then its end was called out late, or not at all."""
        docket = self.table.docket
        thrown = (*docket.loose, *(number for case in docket.cases for number, _ in case.rolls))
        return not self.court.must_be(None, self.court.fighting) and any(number < step for number in thrown)

    def _may_be_driven(self, event: Event) -> bool:
        """May a drag after a die be a retreat, an advance or a displacement, by its length and by who stood where?"""
        if not isinstance(event, Moved) or not self._is_short_drag(event):
            return False
        court, one, other = self.court, event.origin.hex, event.to.hex
        if not self.game.fought_in_contact or one is None or other is None or court.distance(one, other) <= 1:
            return True
        own = event.piece in court.position.units and court.unit(event.piece).side == court.phasing
        return not own or event.piece in self.table.engaged

    def _is_short_drag(self, event: Event) -> bool:
        """May a drag be a retreat or an advance, by its length?"""
        if not isinstance(event, Moved):
            return False
        court = self.court
        one, other = event.origin.hex, event.to.hex
        return one is None or other is None or court.distance(one, other) <= self.game.farthest


def _begins_with(span: Span) -> Moment | None:
    """The moment that a span begins with, where that is known."""
    first = min(span.clock.possible, key=lambda time: (time.turn or 0, time.place), default=None)
    return span.clock.moment(first) if first is not None else None


def continued(table: LogTable, pieces: Iterable[Piece], binding: Binding | None) -> bool:
    """Lay the table as the next log of the same game opens; False where it is another game's table."""
    court = table.court
    laid = {piece.id: piece for piece in pieces}
    known = [id for id in court.position.units if id in laid]
    if len(known) * 2 < len(court.position.units):
        return False
    for piece in laid.values():
        unit = unit_for(table.game, court.scenario, court.charts, piece, binding)
        if unit is not None:
            court.position.add(unit, table.hex(piece.place))
    for id in [id for id in court.position.units if id not in laid]:
        court.position.take(id)
    table.take_markers(laid.values(), binding)
    court.put_aside()
    return True
