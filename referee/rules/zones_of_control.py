"""Zones of control: the hexes around units that have one, those around units that may have one kept apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from referee.rules.board import Board
from referee.table.units import Unit


@dataclass(frozen=True)
class Zones:
    """Hexes (as the board counts them) surely in a zone of control, and those that may be."""

    sure: frozenset[int]
    maybe: frozenset[int]

    def readings(self) -> tuple[frozenset[int], ...]:
        """The zone at its smallest and, where that differs, at its largest."""
        whole = self.sure | self.maybe
        return (self.sure,) if whole == self.sure else (self.sure, whole)


def zones(board: Board, units: Iterable[tuple[Unit, str]], exerts: Callable[[Unit], bool | None]) -> Zones:
    """The zones of these units; `exerts` says whether a unit has one, None where nobody knows."""
    sure: set[int] = set()
    maybe: set[int] = set()
    for unit, hex in units:
        has = exerts(unit)
        if has is False or hex not in board.of:
            continue
        (sure if has else maybe).update(board.neighbours[board.of[hex]])
    return Zones(frozenset(sure), frozenset(maybe - sure))
