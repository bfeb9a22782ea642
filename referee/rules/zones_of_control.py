"""Zones of control: the hexes around units that have one, those around units that may have one kept apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from typing import NamedTuple

from referee.table.position import Position
from referee.table.units import Unit


class Zones(NamedTuple):
    """Hexes (as the board counts them) surely in a zone of control, and those that may be."""

    sure: Set[int]
    maybe: Set[int]

    def readings(self) -> tuple[Set[int], ...]:
        """The zone at its smallest and, where that differs, at its largest."""
        return (self.sure, self.sure | self.maybe) if self.maybe and self.maybe - self.sure else (self.sure,)


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
        self._held: dict[str, tuple[int, ...]] = {}  # what is counted for each unit
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

    def crowded(self, least: int) -> list[int]:
        """The hexes that at least so many units cover."""
        self.hexes()
        return [hex for hex, count in self._count.items() if count >= least]

    def _enter(self, id: str) -> None:
        """Count what a unit covers now for what it covered before."""
        where = self._position.where(id)
        self._hold(id, self._covers(self._position.units[id], where) if where is not None else ())

    def _hold(self, key: str, covered: Iterable[int]) -> None:
        """Count these hexes for what was counted before."""
        count, before, now = self._count, self._held.pop(key, ()), tuple(covered)
        if now:
            self._held[key] = now
            for hex in now:
                count[hex] = count.get(hex, 0) + 1
        for hex in before:
            if count[hex] == 1:
                del count[hex]
            else:
                count[hex] -= 1


class StackTally(Tally):
    """The hexes that stacks cover, where what a unit covers hangs on who stands with it.

    >>> table = Position([(Unit("a", "5/1M", "UN"), "0101"), (Unit("b", "7/1M", "UN"), "0101")])
    >>> pairs = StackTally(table, lambda hex, units: (int(hex),) if len(units) > 1 else ())
    >>> sorted(pairs.hexes()); table.put("a", "0102"); sorted(pairs.hexes())
    [101]
    []
    """

    def __init__(self, position: Position, covers: Callable[[str, Sequence[Unit]], Iterable[int]]) -> None:
        self._stood: dict[str, str] = {}
        self._of_stack = covers
        super().__init__(position, lambda unit, hex: ())

    def _enter(self, id: str) -> None:
        position = self._position
        before, now = self._stood.pop(id, None), position.where(id)
        if now is not None:
            self._stood[id] = now
        for hex in {before, now}:
            if hex is not None:
                self._hold(hex, self._of_stack(hex, [position.units[other] for other in position.at(hex)]))
