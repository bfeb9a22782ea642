"""Who is where. Units stand on hexes or are off the map; markers lie on hexes or on units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.table.units import Unit


class Position:
    """The pieces on the table. It changes as acts are applied; `changes` lists the units that did, in order, so that
    what rests on it can be brought up to date, and `enemy_version` tells whether one had to.

    >>> table = Position([(Unit("a", "5/1M", "UN"), "0710"), (Unit("b", "HQ 1M", "UN"), None)])
    >>> table.put("b", "0710"); sorted(table.at("0710"))
    ['a', 'b']
    >>> table.take("a"); table.where("a"), table.at("0710"), "a" in table.dead
    (None, ('b',), False)
    """

    def __init__(self, units: Iterable[tuple[Unit, str | None]] = ()) -> None:
        self.units: dict[str, Unit] = {}
        self.dead: dict[str, Unit] = {}
        self.changes: list[str] = []
        self.state = object()  # another with each change; a copy has the same until one of the two changes
        self._versions: dict[str, int] = {}
        self._where: dict[str, str] = {}
        self._at: dict[str, tuple[str, ...]] = {}
        for unit, hex in units:
            self.add(unit, hex)

    def add(self, unit: Unit, hex: str | None) -> None:
        """Bring a unit into the game, off the map where `hex` is None."""
        self.units[unit.id] = unit
        self.put(unit.id, hex)

    def copy(self) -> Position:
        """The same table, to try something on."""
        made = Position()
        made.units, made.dead = dict(self.units), dict(self.dead)
        made.state = self.state
        made._versions, made._where = dict(self._versions), dict(self._where)
        made._at = dict(self._at)
        return made

    def unlike(self, other: Position) -> set[str]:
        """The units that stand elsewhere or show another face than on another table."""
        if self.state is other.state:
            return set()
        found = {id for id, _ in self._where.items() ^ other._where.items()}
        found.update(id for id, unit in self.units.items() if other.units.get(id) is not unit)
        return found

    def put(self, id: str, hex: str | None) -> None:
        """Move a unit, wherever it was."""
        old = self._where.pop(id, None)
        if old is not None:
            self._at[old] = tuple(other for other in self._at[old] if other != id)
        if hex is not None:
            self._where[id] = hex
            self._at[hex] = (*self._at.get(hex, ()), id)
        self._touched(self.units[id])

    def take(self, id: str) -> None:
        """Off the map, but still in the game (a reinforcement, a unit that left)."""
        self.put(id, None)

    def kill(self, id: str) -> None:
        """Off the map for good."""
        self.put(id, None)
        self.dead[id] = self.units[id]

    def change(self, unit: Unit) -> None:
        """Another face or state of a unit that is already here."""
        self.units[unit.id] = unit
        self._touched(unit)

    def _touched(self, unit: Unit) -> None:
        self.changes.append(unit.id)
        self.state = object()
        self._versions[unit.side] = self._versions.get(unit.side, 0) + 1

    def enemy_version(self, side: str) -> int:
        """A number that changes whenever a unit that is not of this side moves or changes."""
        return sum(version for other, version in self._versions.items() if other != side)

    def where(self, id: str) -> str | None:
        """The unit's hex; None off the map."""
        return self._where.get(id)

    def at(self, hex: str) -> tuple[str, ...]:
        """The units in a hex, first come first."""
        return self._at.get(hex, ())

    def places(self) -> dict[str, str]:
        """The hex of each unit on the map."""
        return dict(self._where)

    def on_map(self, side: str | None = None) -> Iterator[tuple[Unit, str]]:
        """All units on the map, of one side or of all."""
        for id, hex in self._where.items():
            unit = self.units[id]
            if side is None or unit.side == side:
                yield unit, hex

    def of_kind(self, kind: str, side: str) -> list[tuple[Unit, str]]:
        """The units of a kind that a side has on the map, which in most games are few."""
        units = self.units
        found = [(units[id], hex) for id, hex in self._where.items() if units[id].kind == kind]
        return [(unit, hex) for unit, hex in found if unit.side == side]

    def enemies_at(self, hex: str, side: str) -> tuple[Unit, ...]:
        """Units in a hex that are not of this side."""
        return tuple(self.units[id] for id in self.at(hex) if self.units[id].side != side)

    def friends_at(self, hex: str, side: str) -> tuple[Unit, ...]:
        """Units of this side in a hex."""
        return tuple(self.units[id] for id in self.at(hex) if self.units[id].side == side)
