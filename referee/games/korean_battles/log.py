"""Judging logs. A log is never complete: time moves on unannounced, combats are fought without a word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from converter.scenario import MapFile
from referee.games import Judged
from referee.games.korean_battles import facts
from referee.games.korean_battles.binding import unit_for
from referee.games.korean_battles.charts import Charts
from referee.games.korean_battles.court import Court
from referee.games.korean_battles.log_clock import Span, Timetable, said_in
from referee.games.korean_battles.log_steps import FARTHEST, LogLedger, LogTable
from referee.games.korean_battles.opening import sheet, wide_grid
from referee.games.korean_battles.play import play
from referee.rules.ground import ground_of
from referee.table.acts import Step, without_undone
from referee.table.binding import Binding, Piece, bind
from referee.table.clock import Clock
from referee.table.events import Declared, Event, Moved, Turn, Undone
from referee.table.position import Position
from referee.table.takebacks import without_takebacks
from referee.table.units import Unit
from referee.verdict import Finding, Verdict

_HISTORY = (
    "REINF-187-CONDITION", "REINF-ARMY-CADRE", "REINF-MARINE-CADRE", "REINF-94-RATE", "REINF-EXTRA", "SF-",
    "VP-", "SET-",
)  # fmt: skip
"""Findings that rest on all that happened since the game began."""
_SUMS = ("CMB-WRONG-SUM", "CMB-OOS", "CMB-FORT", "CMB-CRT", "CMB-ROW", "CMB-COLUMN", "CMB-TERRAIN", "RET-LENGTH")
"""Findings that rest on knowing everything that counted in a combat."""
SET_UP = 3
"""So few units may be reinforcements, or counters put right."""
_SUPPLY = ("OOS", "SUP-", "RB-UNSUPPLIED")
"""Findings that rest on knowing every depot."""
_RIVERS = ("MOVE-PROHIBITED-TERRAIN", "MOVE-HEXSIDE-UNPAID", "MOVE-BRIDGE-UNBUILT", "MOVE-OVER-MA")
"""Findings that rest on knowing every bridge, where engineers lay them."""


def open_log(
    scenario_id: str,
    pieces: Iterable[Piece],
    map_file: MapFile | None = None,
    charts: Charts | None = None,
    binding: Binding | None = None,
) -> Court:
    """The court of a log. `map_file` is the user's map where he has one, else what the rulebook tells of it."""
    scenario = facts.scenario(scenario_id)
    known = charts or Charts()
    grid = map_file.grid if map_file is not None else wide_grid(scenario.map)

    def unit_of(piece: Piece) -> Unit | None:
        return unit_for(scenario, known, piece, binding)

    position = Position()
    for unit, hex in bind(pieces, unit_of):
        position.add(unit, hex if hex is not None and hex in grid else None)
    clock = Clock(facts.moments(scenario_id), strict=False)
    ground = ground_of(map_file or sheet(scenario.map))
    court = Court(scenario, grid, ground, known, position, clock, ledger=LogLedger())
    court.start = {unit.id: hex for unit, hex in position.on_map()}
    return court


def judge_log(
    court: Court,
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
    kept = without_takebacks(kept, lambda event: said_in(event, scenario.id) is not None)
    table = table or LogTable(court)
    came = ((piece.id, unit_for(scenario, court.charts, piece, binding)) for piece in newcomers)
    table.newcomers = {id: unit for id, unit in came if unit is not None}
    table.dice_used = table.dice_used or any(event.type == "rolled" for step in kept for event in step.events)
    table.setting_up = _is_set_up(table, kept)
    times = Timetable(scenario.id, kept, opening)
    judge = _LogJudge(court, table, times)
    first, judged = len(court.findings), court.judged
    judge.begin()
    for step in kept:
        judge.step(step)
    found = sorted(court.findings[first:], key=lambda finding: finding.step)
    return Judged(tuple(found), court.judged - judged, tuple(court.notes))


def _is_set_up(table: LogTable, steps: Sequence[Step]) -> bool:
    """Does the log begin with the set-up? Then most units come on the map before the first die or phase."""
    scenario = table.court.scenario.id
    came = 0
    for step in steps:
        if any(event.type == "rolled" or said_in(event, scenario) is not None for event in step.events):
            break
        came += table.arriving(step)
    return came >= max(SET_UP, sum(1 for _ in table.court.position.on_map()))


class _LogJudge:
    """Goes through a log with the court, and says of each finding whether the log proves it."""

    def __init__(self, court: Court, table: LogTable, times: Timetable) -> None:
        self.court = court
        self.table = table
        self.times = times
        self.spans = iter(times.spans)
        self.fought = False

    def begin(self) -> None:
        """Before the first step: only the turn tracker tells the time."""
        self._forget()
        if self.times.before is not None:
            self.court.clock = self.times.before.clock
            self._certain(self.times.before.certain)
            self.table.begun = True
        else:
            self.court.clock = self.times.clock
            self._certain(False)

    def step(self, step: Step) -> None:
        """Judge one step."""
        if any(isinstance(event, Undone) for event in step.events):
            self.table.quietly(step)
            self._forget()
            return
        for event in step.events:
            if said_in(event, self.court.scenario.id) is not None:
                self._phase(step, next(self.spans))
        events = tuple(self.table.events(step))
        if not events:
            self.table.settle_faces(step)
            return
        before = len(self.court.findings)
        play(self.court, Step(step.number, events))
        self.table.settle_faces(step)
        self.fought = self.fought or (self.court.combat is not None and bool(self.court.combat.rolls))
        self._temper(before, events)
        if not self.table.certain:
            self._forget()

    def _phase(self, step: Step, span: Span) -> None:
        same = self.table.begun and span.clock == self.court.clock
        if not same and (not span.back or self.fought):
            told = {"turn": span.said.turn, "side": span.said.side, "name": span.said.phase}
            before = len(self.court.findings)
            play(self.court, Step(step.number, (Declared("phase", tuple(told.items())),)))
            self._temper(before, ())
        if not same:
            self.fought = False
            self._forget()
            self.table.new_phase()
        self.court.clock = span.clock
        self.table.begun = True
        self._certain(span.certain)

    def _certain(self, certain: bool) -> None:
        self.table.certain = certain
        if isinstance(self.court.ledger, LogLedger):
            self.court.ledger.certain = certain

    def _forget(self) -> None:
        """A phase may have ended: earlier drags are no part of this one's."""
        self.court.trails = {}
        self.court.arrivals = {}

    def _temper(self, before: int, events: Sequence[Event]) -> None:
        """Findings of this step that rest on what the log may not show are said with a doubt."""
        findings = self.court.findings
        for i in range(before, len(findings)):
            if findings[i].verdict == Verdict.ILLEGAL:
                missing = tuple(self._missing(findings[i], events))
                findings[i] = findings[i].in_doubt(*missing) if missing else findings[i]

    def _missing(self, finding: Finding, events: Sequence[Event]) -> Iterable[str]:
        table = self.table
        if not table.certain and any(isinstance(event, Moved) and self._short(event) for event in events):
            yield "which phase it is (turn tracker or call-outs): it may be a retreat or an advance"
        if not self.times.from_the_start and finding.check.startswith(_HISTORY):
            yield "what happened before the log begins"
        if finding.check.startswith(_SUMS) and (around := self._strays()):
            yield f"what {around} pieces that are not bound to units mean for the combat (bind.yaml)"
        if table.strays and any(word in finding.check for word in _SUPPLY):
            yield f"whether one of the {len(table.strays)} pieces that are not bound gives supply (bind.yaml)"
        bridges = self.court.scenario.rules["bridging"] and self.court.ground.sides and finding.side == "UN"
        if table.strays and bridges and finding.check in _RIVERS:
            yield f"whether one of the {len(table.strays)} pieces that are not bound is a bridge (bind.yaml)"
        if finding.check == "CMB-REROLL":
            yield "what the second die was for: the next combat may not have been called out"

    def _short(self, event: Moved) -> bool:
        court = self.court
        one, other = event.origin.hex, event.to.hex
        return one is None or other is None or court.distance(one, other) <= FARTHEST

    def _strays(self) -> int:
        """Pieces that are no units and may belong to the combat: near it, or moved since it was declared."""
        combat = self.court.combat
        if combat is None:
            return self.table.stray_moves
        hexes = {*combat.targets, *combat.stood.values()}
        return self.table.stray_moves + sum(hex in hexes for hex in self.table.strays.values())


def continued(court: Court, table: LogTable, pieces: Iterable[Piece], binding: Binding | None) -> bool:
    """Lay the table as the next log of the same game opens; False where it is another game's table."""
    laid = {piece.id: piece for piece in pieces}
    known = [id for id in court.position.units if id in laid]
    if len(known) * 2 < len(court.position.units):
        return False
    for piece in laid.values():
        unit = unit_for(court.scenario, court.charts, piece, binding)
        if unit is not None:
            court.position.add(unit, table.hex(piece.place))
    for id in [id for id in court.position.units if id not in laid]:
        court.position.take(id)
    court.combat = None
    court.waiting.clear()
    return True
