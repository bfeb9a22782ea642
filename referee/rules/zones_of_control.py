"""Zones of control: the hexes around units that have one, those around units that may have one kept apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from typing import NamedTuple

from referee.rules.board import Board
from referee.table.position import Position
from referee.table.units import Unit


class Zones(NamedTuple):
    """Hexes (as the board counts them) surely in a zone of control, and those that may be."""

    sure: Set[int]
    maybe: Set[int]

    def readings(self) -> tuple[Set[int], ...]:
        """The zone at its smallest and, where that differs, at its largest."""
        return (self.sure, self.sure | self.maybe) if self.maybe and self.maybe - self.sure else (self.sure,)


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


class Tally:
    """The hexes that units cover (hold, control, see), kept up to date as they move.

    `covers` says which hexes a unit covers from where it stands; it must rest on nothing else that changes.

    >>> table = Position([(Unit("a", "5/1M", "UN"), "0101"), (Unit("b", "7/1M", "UN"), "0101")])
    >>> held = Tally(table, lambda unit, hex: (int(hex),))
    >>> sorted(held.hexes()); table.put("a", "0102"); sorted(held.hexes())
    [101]
    [101, 102]
    """

    def __init__(self, position: Position, covers: Callable[[Unit, str], Iterable[int]]) -> None:
        self._position = position
        self._covers = covers
        self._count: dict[int, int] = {}
        self._by_unit: dict[str, tuple[int, ...]] = {}
        self._seen = len(position.changes)
        for unit, _ in position.on_map():
            self._enter(unit.id)

    def hexes(self) -> Set[int]:
        """The hexes covered now. The set goes on to live with the tally: copy it to keep it."""
        changes = self._position.changes
        while self._seen < len(changes):
            self._enter(changes[self._seen])
            self._seen += 1
        return self._count.keys()

    def follow(self, position: Position, unlike: Iterable[str]) -> None:
        """Go on with another table, on which these units are not as on the last."""
        self.hexes()
        self._position = position
        self._seen = len(position.changes)
        for id in unlike:
            self._enter(id)

    def _enter(self, id: str) -> None:
        """Count what a unit covers now for what it covered before."""
        count, where = self._count, self._position.where(id)
        for hex in self._by_unit.pop(id, ()):
            if count[hex] == 1:
                del count[hex]
            else:
                count[hex] -= 1
        covered = tuple(self._covers(self._position.units[id], where)) if where is not None else ()
        if covered:
            self._by_unit[id] = covered
            for hex in covered:
                count[hex] = count.get(hex, 0) + 1
