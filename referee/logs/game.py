"""What a game must tell so that its logs can be judged."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from converter.hexgrid import Grid
from converter.scenario import MapFile
from referee.court import Court
from referee.rules.ground import Ground
from referee.table.acts import Step
from referee.table.binding import Piece
from referee.table.calendar import Calendar
from referee.table.callouts import Verb
from referee.table.clock import Clock
from referee.table.events import Event
from referee.table.ledger import Ledger
from referee.table.position import Position
from referee.table.units import Unit
from referee.verdict import Finding

if TYPE_CHECKING:
    from referee.logs.docket import Case
    from referee.logs.steps import LogTable


class Line(Protocol):
    """A line of a scenario's lists."""

    @property
    def id(self) -> str: ...

    @property
    def side(self) -> str: ...

    @property
    def nation(self) -> str | None: ...


class Laid(NamedTuple):
    """A table as a log lays it, in the order in which a court takes it."""

    scenario: Any
    grid: Grid
    ground: Ground
    charts: Any
    position: Position
    clock: Clock
    ledger: Ledger


class LogGame(Protocol):
    """The part of a game that its logs need. A `scenario` is the game's own, as `scenario` gives it."""

    id: str
    scenarios: tuple[str, ...]
    unit_fields: tuple[str, ...]
    marks: tuple[str, ...]  # markers on the pieces of modules made by hexref, besides Side
    farthest: int  # no retreat or advance goes farther: a longer drag is a move in any reading
    fought_in_contact: bool  # of the side whose phase it is only units next to an enemy retreat or advance
    passing: Collection[str]  # facts that belong to a phase: not noted while the phase is not certain
    out_of_phase: tuple[str, ...]  # how the checks of acts at the wrong time begin
    at_turns_end: Collection[str]  # findings that something was done before a player turn was over
    declaring: tuple[str, ...]  # the call-outs that open a combat
    displaces: bool  # units that took no part make room for those that retreat, and results are applied in any order
    omissions: Collection[str]  # findings that something was left undone: it may still be done

    callouts: Mapping[str, Verb]  # its own, besides those of every game

    def scenario(self, id: str) -> Any: ...

    def read_charts(self, path: Path | None, scenario: Any) -> Any: ...

    def sheet(self, scenario: Any) -> MapFile: ...

    def wide_grid(self, scenario: Any) -> Grid: ...

    def calendar(self, scenario: Any) -> Calendar: ...

    def told(self, scenario: Any, charts: Any, entry: Mapping[str, Any]) -> Unit | None:
        """The unit that these fields tell of; None where it is none of the scenario's."""
        ...

    def line_of(self, scenario: Any, unit: Unit) -> Line | None:
        """The line of the scenario's lists that a unit is."""
        ...

    def is_listed(self, scenario: Any, unit: Unit) -> bool: ...

    def lines(self, scenario: Any) -> Sequence[Line]: ...

    def guess(self, scenario: Any, piece: Piece) -> Line | None:
        """The one line that a piece's name fits best."""
        ...

    def could_move(self, court: Any, unit: Unit, way: tuple[str, ...]) -> bool:
        """May the unit have moved along these hexes in one phase, in any reading?"""
        ...

    def as_shown(self, unit: Unit, properties: Mapping[str, str], step: str) -> Unit:
        """The unit in the state that its counter shows."""
        ...

    def turned(self, unit: Unit, before: Unit, after: Unit) -> Event:
        """What it means that a counter was turned in a combat."""
        ...

    def words(self, name: str) -> frozenset[str]:
        """The telling parts of a name."""
        ...

    def open(self, laid: Laid) -> Court[Any, Any]: ...

    def table(self, court: Court[Any, Any], battlefield: str | None, step: str) -> LogTable: ...

    def play(self, court: Any, step: Step) -> None: ...

    def close(self, court: Any, step: int) -> None:
        """Judge how the result of the open combat was applied."""
        ...

    def unsaid(self, court: Any, case: Case) -> Iterable[tuple[str, Sequence[Event]]]:
        """What may have been meant of a combat without a call-out: the doubt, and what would have been called out."""
        ...

    def missing(self, table: LogTable, finding: Finding, from_the_start: bool) -> Iterable[str]:
        """What a finding rests on that the log may not show."""
        ...
