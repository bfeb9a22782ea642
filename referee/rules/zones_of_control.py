"""Zones of control: the hexes around units that have one, those around units that may have one kept apart."""

from __future__ import annotations

from abc import ABC, abstractmethod
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


class Cover:
    """How often each hex is covered, and by whom."""

    def __init__(self) -> None:
        self.count: dict[int, int] = {}
        self._held: dict[str, tuple[int, ...]] = {}  # what is counted for each unit or stack

    def hold(self, key: str, hexes: tuple[int, ...]) -> None:
        """Count these hexes for what was counted before."""
        count, before = self.count, self._held.get(key, ())
        if hexes == before:
            return
        self._held[key] = hexes
        for hex in hexes:
            count[hex] = count.get(hex, 0) + 1
        for hex in before:
            if count[hex] == 1:
                del count[hex]
            else:
                count[hex] -= 1


class Follower(ABC):
    """Something worked out from a table and kept up to date as units move."""

    def __init__(self, position: Position) -> None:
        self._position = position
        self._seen = len(position.changes)
        for unit, _ in position.on_map():
            self._enter(unit.id)

    def catch_up(self) -> None:
        """Take in what changed since the last time."""
        changes = self._position.changes
        while self._seen < len(changes):
            self._enter(changes[self._seen])
            self._seen += 1

    def follow(self, position: Position, unlike: Iterable[str]) -> None:
        """Go on with another table, on which these units are not as on the last."""
        self.catch_up()
        self._position = position
        self._seen = len(position.changes)
        for id in unlike:
            self._enter(id)

    @abstractmethod
    def _enter(self, id: str) -> None:
        """A unit is no longer where or as it was."""


class Tally(Follower):
    """The hexes that units cover (hold, control, see), kept up to date as they move.

    `covers` says which hexes a unit covers from where it stands; it must rest on nothing else that changes.

    >>> table = Position([(Unit("a", "5/1M", "UN"), "0101"), (Unit("b", "7/1M", "UN"), "0101")])
    >>> held = Tally(table, lambda unit, hex: (int(hex),))
    >>> sorted(held.hexes()); table.put("a", "0102"); sorted(held.hexes())
    [101]
    [101, 102]
    """

    def __init__(self, position: Position, covers: Callable[[Unit, str], Iterable[int]]) -> None:
        self._covers = covers
        self._cover = Cover()
        super().__init__(position)

    def hexes(self) -> Set[int]:
        """The hexes covered now. The set goes on to live with the tally: copy it to keep it."""
        self.catch_up()
        return self._cover.count.keys()

    def crowded(self, least: int) -> list[int]:
        """The hexes that at least so many units cover."""
        self.catch_up()
        return [hex for hex, count in self._cover.count.items() if count >= least]

    def _enter(self, id: str) -> None:
        where = self._position.where(id)
        covered = self._covers(self._position.units[id], where) if where is not None else ()
        self._cover.hold(id, tuple(covered))


class StackZones(Follower):
    """The zones of control against a side, kept up to date as its enemies move.

    `zone` tells the hexes that the zone of a stack in a hex reaches, and whether it surely has one.

    >>> table = Position([(Unit("a", "5/1M", "UN"), "0101"), (Unit("b", "7/1M", "UN"), "0101")])
    >>> zones = StackZones(table, "NK", lambda hex, units: ((int(hex),), len(units) > 1)).zones()
    >>> sorted(zones.sure), sorted(zones.maybe)
    ([101], [])
    """

    def __init__(
        self, position: Position, side: str, zone: Callable[[str, Sequence[Unit]], tuple[tuple[int, ...], bool]]
    ) -> None:
        self._side = side
        self._zone = zone
        self._stood: dict[str, str] = {}
        self._sure, self._maybe = Cover(), Cover()
        super().__init__(position)

    def zones(self) -> Zones:
        """The zones now. They go on to live with the table."""
        self.catch_up()
        return Zones(self._sure.count.keys(), self._maybe.count.keys())

    def _enter(self, id: str) -> None:
        position = self._position
        if position.units[id].side == self._side:
            return
        before, now = self._stood.pop(id, None), position.where(id)
        if now is not None:
            self._stood[id] = now
        for hex in {before, now}:
            if hex is not None:
                reached, surely = self._zone(hex, position.enemies_at(hex, self._side))
                self._sure.hold(hex, reached if surely else ())
                self._maybe.hold(hex, () if surely else reached)
