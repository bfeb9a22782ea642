"""What the logs of every game have in common, asked of the game's own facts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from converter.hexgrid import Grid
from converter.scenario import MapFile
from referee.logs.docket import DECLARING, Case
from referee.logs.game import Line
from referee.table.calendar import Calendar
from referee.table.events import Changed, Event
from referee.table.maps import sheet, wide_grid
from referee.table.units import Unit


class GameLogs:
    """`facts` is the module that holds what a game's rulebook prints."""

    id: str
    facts: Any
    out_of_phase: tuple[str, ...] = ()
    fought_in_contact: bool = False
    at_turns_end: Collection[str] = ()
    declaring: tuple[str, ...] = DECLARING
    displaces: bool = True

    def scenario(self, id: str) -> Any:
        """A scenario by its id."""
        return self.facts.scenario(id)

    def sheet(self, scenario: Any) -> MapFile:
        """The bundled map of a scenario."""
        return sheet(self.id, scenario.map)

    def wide_grid(self, scenario: Any) -> Grid:
        """Its grid, with room for what the text does not name."""
        return wide_grid(self.id, scenario.map)

    def calendar(self, scenario: Any) -> Calendar:
        """The moments of a turn and how players write them."""
        calendar: Calendar = self.facts.calendar(scenario.id)
        return calendar

    def turned(self, unit: Unit, before: Unit, after: Unit) -> Event:
        """What it means that a counter was turned in a combat."""
        return Changed(unit.id, unit.name, (("step", str(before.face), str(after.face)),))

    def lines(self, scenario: Any) -> Sequence[Line]:
        """The lines of a scenario's lists."""
        lines: Sequence[Line] = scenario.units
        return lines

    def unsaid(self, court: Any, case: Case) -> Iterable[tuple[str, Sequence[Event]]]:
        """Nothing is taken to be meant that was not said."""
        return ()
