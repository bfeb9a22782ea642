"""Supply as a fixed point: lines to edges, ports and roads, then through units that are supplied themselves (5.1)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from referee.games.yalu import facts
from referee.games.yalu.court import Court
from referee.rules.ground import UNSTATED
from referee.table.units import Unit

UNTIED = ("guerrilla", "naval", "air")
"""Kinds of units that need no supply and keep no line open."""


class Lines:
    """The supply of one side in one reading: `generous` takes every doubt in the player's favour."""

    def __init__(self, court: Court, side: str, generous: bool) -> None:
        self.court, self.side, self.generous = court, side, generous
        zones = court.zones_against(side)
        self.zone = zones.sure if generous else zones.sure | zones.maybe
        self.reach = int(facts.BOOK.rules["supply_reach"])
        told = (
            court.ground.links_known and court.ground.default != UNSTATED and (court.ground.roads or court.ground.rails)
        )
        self.everywhere = generous and not told  # roads that nobody drew may lie anywhere
        self._sources: set[str] | None = None
        self._supplied: set[str] | None = None
        self._closed = self._closed_hexes()
        barriers = set(facts.BOOK.rules["supply_barriers"])
        self._barred = {pair for pair, features in court.ground.sides.items() if features & barriers}

    def open(self, hex: str) -> bool:
        """May a line lie in this hex (5.1.2)?"""
        return hex not in self._closed

    def _closed_hexes(self) -> set[str]:
        court, position = self.court, self.court.position
        friends = {hex for unit, hex in position.on_map(self.side) if unit.kind not in UNTIED}
        closed = {court.grid.numbers[at] for at in self.zone} - friends
        closed |= {hex for unit, hex in position.on_map() if unit.side != self.side and court.blocks(unit)}
        closed |= court.cities_of(court.enemy(self.side))
        seas, doubtful = court.seas()
        if not self.generous and court.ground.default != UNSTATED:
            closed |= {hex for hex in doubtful if not position.at(hex)}
        return closed | seas

    def crosses(self, one: str, other: str) -> bool:
        """May a line cross this hexside?"""
        if not self._barred:
            return self.generous or self.court.ground.sides_known
        return frozenset((one, other)) not in self._barred and (self.generous or self.court.ground.sides_known)

    def sources(self) -> set[str]:
        """Friendly edge hexes and ports, and road and rail hexes with an open way to one."""
        if self._sources is not None:
            return self._sources
        court = self.court
        ends = {hex for hex in self._edges() if self.open(hex)}
        if self.side == facts.UN and court.scenario.rules["ports_supply"]:
            frozen = facts.BOOK.rules["frozen_port"]
            for port in facts.BOOK.rules["ports"]:
                closed = port == frozen["name"] and court.weather in frozen["weather"]
                if not closed and court.holder(port) != facts.COMMUNIST:
                    ends |= {hex for hex in court.place(port) if hex in court.grid and self.open(hex)}
        links = court.ground.roads | court.ground.rails
        far: dict[str, int] = {}
        self._spread(far, ends, lambda a, b: court.crossing(a, b) in links if links else False, None)
        self._sources = set(far)
        return self._sources

    def _edges(self) -> set[str]:
        """The hexes of the side's map edges; generously, where they may be (5.1.1)."""
        court, grid = self.court, self.court.grid
        kind = "communist-edge" if self.side == facts.COMMUNIST else "un-edge"
        told = {hex for hex in court.kind(kind) if hex in grid}
        if self.side == facts.COMMUNIST:
            return told | {
                number for number, at in zip(grid.numbers, grid.hexes, strict=True) if not at.col or not at.row
            }
        told |= {hex for hex in facts.BOOK.rules["to_pusan"] if hex in grid}
        if not self.generous:
            return told
        last = grid.columns - 1
        return told | {
            number
            for number, at in zip(grid.numbers, grid.hexes, strict=True)
            if at.col == last or at.row >= grid.rows - 8
        }

    def _spread(
        self, far: dict[str, int], starts: Iterable[str], links: Callable[[str, str], bool] | None, reach: int | None
    ) -> None:
        """Add to `far` every hex that a line from these hexes can come to, and how many hexes it is away."""
        neighbours = self.court.grid.neighbours
        queue = deque(hex for hex in starts if far.get(hex) != 0)
        far.update(dict.fromkeys(queue, 0))
        while queue:
            here = queue.popleft()
            away = far[here] + 1
            if reach is not None and away > reach:
                continue
            for there in neighbours(here):
                if there in far and far[there] <= away:
                    continue
                if (links is None or links(here, there)) and self.crosses(here, there) and self.open(there):
                    far[there] = away
                    queue.append(there)

    def supplied(self) -> set[str]:
        """The units in supply, grown until nothing changes."""
        if self._supplied is not None:
            return self._supplied
        court = self.court
        units = {unit.id: hex for unit, hex in court.position.on_map(self.side) if unit.kind not in UNTIED}
        found: set[str] = set()
        reach = None if self.everywhere else self.reach
        waiting = dict(units)
        covered: dict[str, int] = {}
        starts = self.sources()
        while True:
            self._spread(covered, starts, None, reach)
            new = {id for id, hex in waiting.items() if hex in covered}
            if not new:
                break
            found |= new
            starts = {waiting.pop(id) for id in new}
        self._supplied = found
        return found


def in_supply(court: Court, unit: Unit) -> bool | None:
    """Is a unit in supply? None where the map does not tell."""
    if unit.kind in UNTIED:
        return True
    if unit.id in Lines(court, unit.side, generous=False).supplied():
        return True
    return None if unit.id in Lines(court, unit.side, generous=True).supplied() else False


def supplied_units(court: Court, side: str) -> dict[str, bool | None]:
    """The state of every unit of a side on the map."""
    sure, perhaps = Lines(court, side, generous=False).supplied(), Lines(court, side, generous=True).supplied()
    return {
        unit.id: True if unit.id in sure else None if unit.id in perhaps else False
        for unit, _ in court.position.on_map(side)
        if unit.kind not in UNTIED
    }
