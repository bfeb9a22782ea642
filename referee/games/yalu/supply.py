"""Supply as a fixed point: lines to edges, ports and roads, then through units that are supplied themselves (5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from functools import cached_property, lru_cache

from converter.hexgrid import Grid
from referee.games.yalu import facts
from referee.games.yalu.court import Court
from referee.rules.ground import UNSTATED, side
from referee.table.units import Unit

UNTIED = ("guerrilla", "naval", "air")
"""Kinds of units that need no supply and keep no line open."""


class Lines:
    """The supply of one side in one reading: `generous` takes every doubt in the player's favour. Hexes are as the
    board counts them."""

    def __init__(self, court: Court, side: str, generous: bool) -> None:
        self.court, self.side, self.generous = court, side, generous
        zones = court.zones_against(side)
        self.zone = zones.sure if generous else zones.sure | zones.maybe
        self.reach = int(facts.BOOK.rules["supply_reach"])
        ground = court.ground
        told = ground.links_known and ground.default != UNSTATED
        drawn = ground.roads or ground.rails or "roads" in ground.whole
        self.everywhere = generous and not (told and drawn)  # roads that nobody drew may lie anywhere
        self._closed = self._closed_hexes()
        barriers = set(facts.BOOK.rules["supply_barriers"])
        self._barred = {pair for pair, features in court.ground.sides.items() if features & barriers}
        self._by_barrier = self._at(set().union(*self._barred))

    def _at(self, hexes: Iterable[str]) -> set[int]:
        """These hexes as the board counts them."""
        of = self.court.grid.index.of
        return {of[hex] for hex in hexes if hex in of}

    def _closed_hexes(self) -> set[int]:
        """Where no line may lie (5.1.2)."""
        court, position = self.court, self.court.position
        friends = self._at(hex for unit, hex in position.on_map(self.side) if unit.kind not in UNTIED)
        closed = set(self.zone) - friends
        closed |= self._at(hex for unit, hex in position.on_map() if unit.side != self.side and court.blocks(unit))
        closed |= self._at(court.cities_of(court.enemy(self.side)))
        seas, doubtful = court.seas()
        if not self.generous and court.ground.default != UNSTATED:
            closed |= self._at(hex for hex in doubtful if not position.at(hex))
        return closed | self._at(seas)

    def _crosses(self, one: int, other: int) -> bool:
        """May a line cross this hexside?"""
        numbers = self.court.grid.numbers
        return side(numbers[one], numbers[other]) not in self._barred

    @cached_property
    def sources(self) -> Set[int]:
        """Friendly edge hexes and ports, and road and rail hexes with an open way to one."""
        court = self.court
        ends = self._edges() - self._closed
        if self.side == facts.UN and court.scenario.rules["ports_supply"]:
            frozen = facts.BOOK.rules["frozen_port"]
            for port in facts.BOOK.rules["ports"]:
                closed = port == frozen["name"] and court.weather in frozen["weather"]
                if not closed and court.holder(port) != facts.COMMUNIST:
                    ends |= self._at(court.place(port)) - self._closed
        return self._lines_from(ends, None, court.linked())

    def _edges(self) -> set[int]:
        """The hexes of the side's map edges; generously, where they may be (5.1.1)."""
        court = self.court
        if self.side == facts.COMMUNIST:
            return self._at(court.kind("communist-edge")) | _north_and_west(court.grid)
        told = self._at(court.kind("un-edge")) | self._at(facts.BOOK.rules["to_pusan"])
        return told | _south_and_east(court.grid) if self.generous else told

    def _lines_from(
        self, starts: Set[int], reach: int | None, near: Sequence[Sequence[int]], wanted: Set[int] | None = None
    ) -> set[int]:
        """The hexes that a line of at most `reach` hexes from one of these can come to, themselves among them; no
        farther than to the last that is `wanted`. `near`: the hexes that it may come to from each."""
        found, edge = set(starts), set(starts)
        away = 0
        if not self.generous and not self.court.ground.sides_known:  # a barrier may lie on any hexside
            return found
        while edge and (reach is None or away < reach) and (wanted is None or not wanted <= found):
            away += 1
            reached = set().union(*[near[here] for here in edge - self._by_barrier])
            for here in edge & self._by_barrier:
                reached.update([there for there in near[here] if self._crosses(here, there)])
            edge = reached - self._closed - found
            found |= edge
        return found

    def supplied(self) -> set[str]:
        """The units in supply, grown until nothing changes."""
        of, near = self.court.grid.index.of, self.court.grid.index.neighbours
        units = self.court.position.on_map(self.side)
        waiting = {unit.id: of.get(hex) for unit, hex in units if unit.kind not in UNTIED}
        found: set[str] = set()
        reach = None if self.everywhere else self.reach
        starts = self.sources
        while starts and waiting:
            covered = self._lines_from(starts, reach, near, {hex for hex in waiting.values() if hex is not None})
            new = {id: hex for id, hex in waiting.items() if hex in covered}
            found |= new.keys()
            starts = {hex for id in new if (hex := waiting.pop(id)) is not None}
        return found


@lru_cache(maxsize=8)
def _north_and_west(grid: Grid) -> frozenset[int]:
    return frozenset(at for at, hex in enumerate(grid.hexes) if not hex.col or not hex.row)


@lru_cache(maxsize=8)
def _south_and_east(grid: Grid) -> frozenset[int]:
    last, south = grid.columns - 1, grid.rows - 8
    return frozenset(at for at, hex in enumerate(grid.hexes) if hex.col == last or hex.row >= south)


def in_supply(court: Court, unit: Unit) -> bool | None:
    """Is a unit in supply? None where the map does not tell."""
    if unit.kind in UNTIED:
        return True
    if unit.id in Lines(court, unit.side, generous=False).supplied():
        return True
    return None if unit.id in Lines(court, unit.side, generous=True).supplied() else False


def cut_off(court: Court, side: str) -> list[str]:
    """The units of a side on the map that no line of supply reaches, whatever the map does not tell."""
    perhaps = Lines(court, side, generous=True).supplied()
    return [unit.id for unit, _ in court.position.on_map(side) if unit.kind not in UNTIED and unit.id not in perhaps]


def supplied_units(court: Court, side: str) -> dict[str, bool | None]:
    """The state of every unit of a side on the map."""
    sure, perhaps = Lines(court, side, generous=False).supplied(), Lines(court, side, generous=True).supplied()
    return {
        unit.id: True if unit.id in sure else None if unit.id in perhaps else False
        for unit, _ in court.position.on_map(side)
        if unit.kind not in UNTIED
    }
