"""The referee's table in any game: everything known at this moment, and how a finding is worded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from converter.hexgrid import Grid
from referee.checks import Checks, Entry, catalogue_of
from referee.rules.board import Board, Cost, Survey
from referee.rules.ground import UNKNOWN, UNSTATED, Ground
from referee.rules.zones_of_control import Follower, Tally, Zones
from referee.table.acts import Act, Step, acts_of
from referee.table.clock import Clock
from referee.table.combat import Combat
from referee.table.ledger import Fact, Ledger
from referee.table.position import Position
from referee.table.units import Unit
from referee.verdict import Finding, Judged, Verdict


class Battle(Protocol):
    """What every game's scenario tells."""

    @property
    def id(self) -> str: ...

    @property
    def map(self) -> str: ...

    @property
    def sides(self) -> tuple[str, str]: ...

    def enemy(self, side: str) -> str: ...


S = TypeVar("S", bound=Battle)
C = TypeVar("C")


@dataclass
class Marker:
    """A counter that is no unit."""

    name: str
    kind: str = "support"
    side: str | None = None
    value: int | None = None
    hex: str | None = None
    drawn: int | None = None


@dataclass
class Court(Generic[S, C]):
    """The state of a game as it is judged. A game's own court says what a step costs and who has a zone of control."""

    game: ClassVar[str]
    moving: ClassVar[tuple[str, ...]]  # the phases in which units move
    fighting: ClassVar[tuple[str, ...]]  # the phases in which they retreat and advance

    scenario: S
    grid: Grid
    ground: Ground
    charts: C
    position: Position
    clock: Clock
    ledger: Ledger = field(default_factory=Ledger)
    markers: dict[str, Marker] = field(default_factory=dict)
    combat: Combat | None = None
    combats: list[Combat] = field(default_factory=list)
    complete: bool = False  # nothing happened that we were not told of
    doubts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    judged: int = 0
    start: dict[str, str] = field(default_factory=dict)  # where units stood when the phase began
    trails: dict[str, list[tuple[int, tuple[str, ...], bool]]] = field(default_factory=dict)  # moves of this phase
    arrivals: dict[str, list[tuple[int, str]]] = field(default_factory=dict)  # who came to a hex this phase
    given: dict[str, Any] = field(default_factory=dict)
    entries: dict[tuple[str, ...], Cost] = field(default_factory=dict)  # what terrain costs, worked out once
    _blocked: dict[str, Tally] = field(default_factory=dict)
    _seen: set[tuple[object, ...]] = field(default_factory=set)
    _said: tuple[Clock, str] | None = None  # the time in words, and as of when

    # --- geometry

    def board(self, side: str) -> Board:
        """The map as a side's units move on it."""
        raise NotImplementedError

    def cost_of(self, kinds: tuple[str, ...]) -> Cost:
        """What entering a hex with these kinds of terrain costs, hexsides and roads apart."""
        raise NotImplementedError

    def entry_cost(self, hex: str) -> Cost:
        """What entering a hex costs, hexsides and roads apart."""
        return self._terrain_cost(self.ground.terrain(hex))

    def _terrain_cost(self, kinds: tuple[str, ...]) -> Cost:
        known = self.entries.get(kinds)
        if known is None:
            known = self.entries[kinds] = self.cost_of(kinds)
        return known

    def survey(self) -> Survey:
        """The steps that cost what the terrain costs: between known hexes, with nothing on the hexside and no road."""
        ground, of = self.ground, self.grid.index.of
        if not ground.links_known:
            return Survey((None,) * len(self.grid.numbers), frozenset())
        marked: set[tuple[int, int]] = set()
        for pair in ground.roads | ground.trails | ground.sides.keys():
            marked.update(permutations([of[hex] for hex in pair if hex in of], 2))
        terrain = [ground.terrain(hex) for hex in self.grid.numbers]
        told = set(terrain) - {(UNKNOWN,), (UNSTATED,)}
        costs = {kinds: self._terrain_cost(kinds) for kinds in told}
        return Survey([costs.get(kinds) for kinds in terrain], marked)

    def at(self, hex: str) -> int:
        """A hex as the board counts it."""
        return self.grid.index.of[hex]

    def distance(self, one: str, other: str) -> int:
        """Hexes apart."""
        return self.grid.distance(one, other)

    def touch(self, one: str, other: str) -> bool:
        """Do two hexes share a side?"""
        index = self.grid.index
        return index.of[other] in index.neighbours[index.of[one]]

    # --- units

    def unit(self, id: str) -> Unit:
        """A unit by its id."""
        return self.position.units[id]

    def name(self, id: str) -> str:
        """What players call it."""
        unit = self.position.units.get(id)
        return unit.name if unit else id

    def enemy(self, side: str) -> str:
        """The other side."""
        return self.scenario.enemy(side)

    def zones_against(self, side: str) -> Zones:
        """The enemy's zones of control, as a unit of this side meets them. They go on to live with the table."""
        raise NotImplementedError

    def blocks(self, unit: Unit) -> bool:
        """Does a unit bar its hex to the enemy? Only what its counter shows may matter."""
        return True

    def blocked_for(self, side: str) -> Set[int]:
        """The hexes that enemy units hold, as the board counts them."""
        known = self._blocked.get(side)
        if known is None:
            of = self.grid.index.of

            def held(unit: Unit, hex: str) -> tuple[int, ...]:
                return (of[hex],) if unit.side != side and hex in of and self.blocks(unit) else ()

            known = self._blocked[side] = Tally(self.position, held)
        return known.hexes()

    def lay(self, position: Position) -> None:
        """Look at another table: the same game at another moment."""
        unlike = position.unlike(self.position)
        self.position = position
        for follower in self._followers():
            follower.follow(position, unlike)

    def _followers(self) -> Iterable[Follower]:
        """What is worked out from the table and kept up to date."""
        return self._blocked.values()

    def put_aside(self) -> None:
        """Leave the open combat: the next log begins."""
        self.combat = None

    def combat_of(self, id: str) -> Combat | None:
        """The combat that a change to a unit belongs to."""
        return self.combat

    # --- time

    @property
    def turn(self) -> int | None:
        return self.clock.turn

    def may_be(self, side: str | None = None, phases: tuple[str, ...] | None = None) -> bool:
        """May it be this side's phase of this kind now?"""
        return self.clock.may_be(side, phases)

    def must_be(self, side: str | None = None, phases: tuple[str, ...] | None = None) -> bool:
        """Is it certainly this side's phase of this kind now?"""
        return self.clock.must_be(side, phases)

    @property
    def phasing(self) -> str | None:
        """Whose player turn it is, where that is certain."""
        return self.clock.side

    @property
    def phase(self) -> str | None:
        """Which phase it is, where that is certain."""
        return self.clock.phase

    def turn_words(self, turn: int) -> str:
        """A turn as players call it."""
        return f"turn {turn}"

    def time_words(self) -> str:
        """The time as a report says it."""
        if self._said is None or self._said[0] is not self.clock:
            turn = self.turn_words(self.turn) if self.turn is not None else ""
            phase = f"{self.phasing or ''} {self.phase or ''}".strip()
            self._said = (self.clock, ", ".join(word for word in (turn, phase) if word))
        return self._said[1]

    def new_phase(self) -> None:
        """Forget what counted for the phase that is over."""
        self.start = self.position.places()
        self.trails = {}
        self.arrivals = {}

    def note(self, what: str, who: str, act: Act, **more: Any) -> None:
        """Put a fact into the ledger, dated now."""
        clock = self.clock
        self.ledger.add(Fact(what, who, clock.turn, clock.side, clock.phase, act.step, more))

    # --- findings

    def add(self, finding: Finding) -> None:
        """Keep a finding, once."""
        key = (finding.step, finding.check, finding.units)
        if (*key, finding.verdict) not in self._seen and (*key, Verdict.ILLEGAL) not in self._seen:
            self._seen.add((*key, finding.verdict))
            self.findings.append(finding)

    def rule_of(self, entry: Entry) -> str:
        """The number of the rule that an entry of the catalogue rests on."""
        return entry.rule

    def find(
        self,
        check: str,
        act: Act,
        message: str,
        *,
        sure: bool = True,
        settled: bool = False,
        units: tuple[str, ...] | None = None,
        missing: tuple[str, ...] = (),
        step: int | None = None,
        side: str | None = None,
        **evidence: Any,
    ) -> Finding:
        """A finding: `illegal` if it is sure, and the text has one reading or the players `settled` it."""
        entry = catalogue_of(self.game)[check]
        who = act.units if units is None else units
        proved = sure and not self.doubts and (entry.severity != "W" or settled)
        lacking = tuple(missing) + tuple(self.doubts)
        if not proved and not lacking:
            lacking = (
                f"the text has more than one reading, or the intent cannot be seen (rule {self.rule_of(entry)})",
            )
        owner = side or (self.unit(who[0]).side if who and who[0] in self.position.units else act.side)
        return Finding(
            step=act.step if step is None else step,
            check=check,
            rule=self.rule_of(entry),
            verdict=Verdict.ILLEGAL if proved else Verdict.UNSURE,
            message=message,
            side=owner,
            units=tuple(map(self.name, who)),
            origin=act.origin,
            to=act.to,
            evidence=evidence,
            missing=() if proved else lacking,
            when=self.time_words(),
        )


AnyCourt = TypeVar("AnyCourt", bound=Court[Any, Any])


def findings_of(
    checks: Checks[Callable[[AnyCourt, Act], Iterator[Finding]]], court: AnyCourt, act: Act
) -> Iterator[Finding]:
    """What the checks of an act's verb find."""
    for check in checks.of(act.verb):
        yield from check(court, act)


def run(checks: Checks[Callable[[AnyCourt, Act], Iterator[Finding]]], court: AnyCourt, act: Act) -> None:
    """Let the checks of an act's verb speak, and keep what they find."""
    for finding in findings_of(checks, court, act):
        court.add(finding)


def play(
    checks: Checks[Callable[[AnyCourt, Act], Iterator[Finding]]],
    court: AnyCourt,
    step: Step,
    interpret: Callable[[AnyCourt, Act], Act],
    before: Callable[[AnyCourt, Act], None],
    doing: Mapping[str, Callable[[AnyCourt, Act], None]],
) -> None:
    """Judge one step and do it: each act is understood, checked against the rules, and then done.

    `before` closes what an act brings to an end; `doing` is what each act does to the table, by its verb.
    """
    for raw in acts_of(step):
        act = interpret(court, raw)
        before(court, act)
        if act.verb not in ("chat", "ignored"):
            court.judged += 1
        run(checks, court, act)
        if act.verb in doing:
            doing[act.verb](court, act)
        after = f"after-{act.verb}"
        if checks.of(after):
            run(checks, court, replace(act, verb=after))


def verdicts(court: Court[Any, Any]) -> Judged:
    """What came of a story that has been played to its end."""
    return Judged(tuple(sorted(court.findings, key=lambda finding: finding.step)), court.judged, tuple(court.notes))
