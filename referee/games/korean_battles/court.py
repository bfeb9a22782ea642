"""The referee's table in Korean Battles: everything known at this moment, and how a finding is worded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from converter.hexgrid import Grid
from referee.checks import Checks, Entry, read_catalogue
from referee.games.korean_battles import facts
from referee.games.korean_battles.charts import Charts
from referee.games.korean_battles.costs import step_cost
from referee.games.korean_battles.ledger import Fact, Ledger
from referee.rules.board import Board, Cost, ticks
from referee.rules.ground import Ground, Side
from referee.rules.zones_of_control import Zones, zones
from referee.table.acts import Act
from referee.table.clock import Clock, Moment
from referee.table.combat import Combat
from referee.table.position import Position
from referee.table.units import Unit
from referee.verdict import Finding, Verdict

MOVEMENT = ("movement", "mobile-movement")
COMBAT = ("combat", "mobile-combat")

CheckFunction = Callable[["Court", Act], Iterator[Finding]]
CHECKS: Checks[CheckFunction] = Checks(facts.GAME)
check = CHECKS.on


@dataclass
class Marker:
    """A support marker or another counter that is no unit."""

    name: str
    kind: str = "support"
    side: str | None = None
    value: int | None = None
    hex: str | None = None
    drawn: int | None = None


@dataclass
class Court:
    """The state of a game as it is judged."""

    scenario: facts.Scenario
    grid: Grid
    ground: Ground
    charts: Charts
    position: Position
    clock: Clock
    ledger: Ledger = field(default_factory=Ledger)
    markers: dict[str, Marker] = field(default_factory=dict)
    combat: Combat | None = None
    combats: list[Combat] = field(default_factory=list)
    waiting: list[tuple[Combat, Act]] = field(default_factory=list)  # left with a result not applied, and by what
    bridges: dict[Side, int] = field(default_factory=dict)
    complete: bool = False  # nothing happened that we were not told of
    doubts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    judged: int = 0
    start: dict[str, str] = field(default_factory=dict)  # where units stood when the phase began
    trails: dict[str, list[tuple[int, tuple[str, ...], bool]]] = field(default_factory=dict)  # moves of this phase
    arrivals: dict[str, list[tuple[int, str]]] = field(default_factory=dict)  # who came to a hex this phase
    broken: dict[str, tuple[str, ...]] = field(default_factory=dict)  # divisions broken down
    given: dict[str, Any] = field(default_factory=dict)
    entries: dict[tuple[str, ...], Cost] = field(default_factory=dict)  # what terrain costs, worked out once
    _boards: dict[Any, Board] = field(default_factory=dict)
    _zones: dict[str, tuple[tuple[int, int | None], Zones]] = field(default_factory=dict)
    _blocked: dict[str, tuple[int, frozenset[int]]] = field(default_factory=dict)
    _seen: set[tuple[object, ...]] = field(default_factory=set)

    # --- geometry

    def bridged(self) -> frozenset[frozenset[str]]:
        """The hexsides with an engineers' bridge that stands this game turn (12.0)."""
        now = self.turn
        return frozenset(pair for pair, laid in self.bridges.items() if not laid or now is None or laid >= now)

    def board(self, side: str) -> Board:
        """The map with the bridges that this side may use."""
        key = (side, self.bridged())
        if key not in self._boards:
            least = ticks(facts.rules()["road"])
            self._boards[key] = Board(self.grid, lambda a, b: step_cost(self, side, a, b), least)
        return self._boards[key]

    def pretended(self, side: str, name: str, make: Callable[[], Board]) -> Board:
        """A map with other costs, made once: what if there were a road, no river, ...?"""
        key = (side, name, self.bridged())
        if key not in self._boards:
            self._boards[key] = make()
        return self._boards[key]

    def at(self, hex: str) -> int:
        """A hex as the board counts it."""
        return self.grid.index.of[hex]

    def distance(self, one: str, other: str) -> int:
        """Hexes apart."""
        return self.grid.distance(one, other)

    def touch(self, one: str, other: str) -> bool:
        """Do two hexes share a side?"""
        return self.grid.touch(one, other)

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

    def exerts(self, unit: Unit) -> bool | None:
        """Has it a zone of control beyond its hex (6.0, 16.0, 20.0, 29.0)? None: the counter would tell."""
        if unit.zoc is not None:
            return unit.zoc
        turn = self.clock.turn
        until = unit.more.get("no_zoc_until")
        if until is not None and (turn is None or turn < until):
            return False if turn is not None else None
        if unit.dummy:
            return True
        word = unit.kind if unit.kind in facts.units()["no_zoc"] else unit.size
        if word in facts.units()["no_zoc"]:
            return False
        if word == "company":
            option = self.charts.option("company_zoc")
            return bool(option) if option is not None else None
        return True if word is not None else None

    def zones_against(self, side: str) -> Zones:
        """The enemy's zones of control, as a unit of this side meets them."""
        known = self._zones.get(side)
        stamp = (self.position.enemy_version(side), self.clock.turn)
        if known is None or known[0] != stamp:
            enemies = ((unit, hex) for unit, hex in self.position.on_map() if unit.side != side)
            known = (stamp, zones(self.board(side), enemies, self.exerts))
            self._zones[side] = known
        return known[1]

    def blocked_for(self, side: str) -> frozenset[int]:
        """The hexes that enemy units hold, as the board counts them."""
        stamp = self.position.enemy_version(side)
        known = self._blocked.get(side)
        if known is None or known[0] != stamp:
            held = (hex for unit, hex in self.position.on_map() if unit.side != side and hex in self.grid)
            known = self._blocked[side] = (stamp, frozenset(map(self.at, held)))
        return known[1]

    # --- time

    @property
    def turn(self) -> int | None:
        return self.clock.turn

    def may_be(self, side: str | None = None, phases: tuple[str, ...] | None = None) -> bool:
        """May it be this side's phase of this kind now?"""

        def fits(moment: Moment) -> bool:
            return (side is None or moment.side == side) and (phases is None or moment.phase in phases)

        return self.clock.may(fits)

    def must_be(self, side: str | None = None, phases: tuple[str, ...] | None = None) -> bool:
        """Is it certainly this side's phase of this kind now?"""

        def fits(moment: Moment) -> bool:
            return (side is None or moment.side == side) and (phases is None or moment.phase in phases)

        return self.clock.only(fits)

    @property
    def phasing(self) -> str | None:
        """Whose player turn it is, where that is certain."""
        sides = {self.clock.moment(time).side for time in self.clock.times()}
        return next(iter(sides)) if len(sides) == 1 else None

    @property
    def phase(self) -> str | None:
        """Which phase it is, where that is certain."""
        phases = self.clock.phases()
        return next(iter(phases)) if len(phases) == 1 else None

    def time_words(self) -> str:
        """The time as a report says it."""
        turn = f"turn {self.turn}" if self.turn is not None else ""
        return ", ".join(word for word in (turn, f"{self.phasing or ''} {self.phase or ''}".strip()) if word)

    def note(self, what: str, who: str, act: Act, **more: Any) -> None:
        """Put a fact into the ledger, dated now."""
        self.ledger.add(Fact(what, who, self.turn, self.phasing, self.phase, act.step, more))

    # --- findings

    def add(self, finding: Finding) -> None:
        """Keep a finding, once."""
        key = (finding.step, finding.check, finding.units)
        if (*key, finding.verdict) not in self._seen and (*key, Verdict.ILLEGAL) not in self._seen:
            self._seen.add((*key, finding.verdict))
            self.findings.append(finding)

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
        entry = catalogue()[check]
        who = act.units if units is None else units
        proved = sure and not self.doubts and (entry.severity != "W" or settled)
        lacking = tuple(missing) + tuple(self.doubts)
        if not proved and not lacking:
            lacking = (f"the text has more than one reading, or the intent cannot be seen (rule {entry.rule})",)
        owner = side or (self.unit(who[0]).side if who and who[0] in self.position.units else act.side)
        return Finding(
            step=act.step if step is None else step,
            check=check,
            rule=entry.rule,
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


_CATALOGUE: dict[str, Entry] = {}


def catalogue() -> dict[str, Entry]:
    """The game's catalogue, read once."""
    if not _CATALOGUE:
        _CATALOGUE.update(read_catalogue(facts.GAME))
    return _CATALOGUE
