"""Drags put right: a counter dropped in a wrong hex and then taken to a right one was never played there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from referee.court import Court
from referee.logs.game import LogGame
from referee.table.events import Event, Moved, Rolled
from referee.table.units import Unit
from referee.verdict import Verdict

SLIP = "whether that drag was only a slip: the unit was put right later in the phase"
_ABOUT_PLACE = ("MOVE-", "STACK-", "SEQ-MOVE-", "BUG-ADVANCE")


class _Dropped(NamedTuple):
    """An illegal drag: which finding says so, and the unit's way in this phase up to where the drag began."""

    finding: int
    way: tuple[str, ...]


@dataclass
class Slips:
    """Illegal drags of this phase that may still be put right."""

    game: LogGame
    court: Court[Any, Any]
    dropped: dict[str, list[_Dropped]] = field(default_factory=dict)

    def clear(self) -> None:
        """A phase or a roll settles what lies on the map."""
        self.dropped.clear()

    def dragged(self, piece: str, to: str | None) -> None:
        """A unit is dragged, whether that is judged or not: which of its illegal drags were perhaps slips?"""
        findings, waiting = self.court.findings, []
        for dropped in self.dropped[piece]:
            if findings[dropped.finding].verdict != Verdict.ILLEGAL:
                continue
            if self._open(self.court.unit(piece), dropped.way, to):
                findings[dropped.finding] = findings[dropped.finding].in_doubt(SLIP)
            else:
                waiting.append(dropped)
        self.dropped[piece] = waiting

    def judged(self, before: int, events: Sequence[Event]) -> None:
        """After a step: its illegal drags are remembered."""
        if any(isinstance(event, Rolled) for event in events):
            self.clear()
            return
        court = self.court
        moved = [event for event in events if isinstance(event, Moved) and event.piece in court.position.units]
        for index in range(before, len(court.findings)):
            found = court.findings[index]
            if found.verdict != Verdict.ILLEGAL or not found.check.startswith(_ABOUT_PLACE) or not found.origin:
                continue
            for event in moved:
                if found.units == (court.name(event.piece),):
                    way = self._way(event.piece, found.step, found.origin)
                    self.dropped.setdefault(event.piece, []).append(_Dropped(index, way))

    def _open(self, unit: Unit, way: tuple[str, ...], to: str | None) -> bool:
        """Might the unit have gone there by right?"""
        court = self.court
        if to is None or to not in court.grid or any(hex not in court.grid for hex in way):
            return False
        if any(map(court.blocks, court.position.enemies_at(to, unit.side))):
            return False
        return court.distance(way[0], to) <= self.game.farthest or self.game.could_move(court, unit, (*way, to))

    def _way(self, piece: str, step: int, origin: str) -> tuple[str, ...]:
        """Where the unit went in this phase before a drag, as far as its drags hang together."""
        way: list[str] = []
        for earlier, hexes, _ in self.court.trails.get(piece, ()):
            if earlier < step:
                way = [*way, *hexes[1:]] if way and hexes and way[-1] == hexes[0] else list(hexes)
        return tuple(way) if way and way[-1] == origin else (origin,)
