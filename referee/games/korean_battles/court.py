"""The referee's table in Korean Battles: bridges, broken-down divisions and who has a zone of control."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import referee.court
from referee.checks import Checks
from referee.court import Marker
from referee.games.korean_battles import facts
from referee.games.korean_battles.charts import Charts
from referee.games.korean_battles.costs import cost_of, least_cost, step_cost
from referee.games.korean_battles.facts import COMBAT, MOVEMENT, REBUILDING
from referee.rules.board import Board, Cost
from referee.rules.ground import Side
from referee.rules.supply import Joined
from referee.rules.zones_of_control import Follower, Tally, Zones
from referee.table.acts import Act
from referee.table.combat import Combat
from referee.table.units import Unit
from referee.verdict import Finding

__all__ = ["CHECKS", "COMBAT", "MOVEMENT", "REBUILDING", "CheckFunction", "Court", "Marker", "check"]


CheckFunction = Callable[["Court", Act], Iterator[Finding]]
CHECKS: Checks[CheckFunction] = Checks(facts.GAME)
check = CHECKS.on


@dataclass
class Court(referee.court.Court[facts.Scenario, Charts]):
    """The state of a game as it is judged."""

    game: ClassVar[str] = facts.GAME
    moving: ClassVar[tuple[str, ...]] = MOVEMENT
    fighting: ClassVar[tuple[str, ...]] = COMBAT

    waiting: list[tuple[Combat, Act]] = field(default_factory=list)  # left with a result not applied, and by what
    bridges: dict[Side, int] = field(default_factory=dict)
    broken: dict[str, tuple[str, ...]] = field(default_factory=dict)  # divisions broken down
    supply_lines: dict[Any, tuple[Any, Joined]] = field(default_factory=dict)  # hexes joined to sources, as of when
    barred_ground: dict[Any, tuple[Set[int], Set[tuple[int, int]]]] = field(default_factory=dict)  # closed to supply
    frames: dict[Any, Any] = field(default_factory=dict)  # readings of the movement rules, by kind of unit
    _boards: dict[Any, Board] = field(default_factory=dict)
    _tallies: dict[str, tuple[int | None, Tally, Tally]] = field(default_factory=dict)

    def cost_of(self, kinds: tuple[str, ...]) -> Cost:
        return cost_of(self, kinds)

    def bridged(self) -> frozenset[frozenset[str]]:
        """The hexsides with an engineers' bridge that stands this game turn (12.0)."""
        if not self.bridges:
            return frozenset()
        now = self.turn
        return frozenset(pair for pair, laid in self.bridges.items() if not laid or now is None or laid >= now)

    def board(self, side: str) -> Board:
        """The map with the bridges that this side may use."""
        bridges = self.bridged()
        key = (side, bridges) if bridges else None  # without bridges the map is the same for both
        found = self._boards.get(key)
        if found is None:
            found = self._boards[key] = Board(
                self.grid, lambda a, b: step_cost(self, side, a, b), least_cost(self), self.survey()
            )
        return found

    def pretended(self, side: str, name: str, make: Callable[[], Board]) -> Board:
        """A map with other costs, made once: what if there were a road, no river, ...?"""
        key = (side, name, self.bridged())
        if key not in self._boards:
            self._boards[key] = make()
        return self._boards[key]

    def exerts(self, unit: Unit) -> bool | None:
        """Has it a zone of control beyond its hex (6.0, 16.0, 20.0, 29.0)? None: the counter would tell."""
        if unit.zoc is not None:
            return unit.zoc
        turn = self.clock.turn
        until = unit.more.get("no_zoc_until")
        if until is not None and (turn is None or turn < until):
            return False if turn is not None else None
        if unit.dummy:
            return True
        word = unit.kind if unit.kind in facts.units()["no_zoc"] else unit.size
        if word in facts.units()["no_zoc"]:
            return False
        if word == "company":
            option = self.charts.option("company_zoc")
            return bool(option) if option is not None else None
        return True if word is not None else None

    def zones_against(self, side: str) -> Zones:
        known = self._tallies.get(side)
        if known is not None and known[0] != self.turn:  # who has a zone may depend on the turn
            dated = [unit.id for unit, _ in self.position.on_map() if "no_zoc_until" in unit.more]
            for tally in known[1:]:
                tally.follow(self.position, dated)
            known = self._tallies[side] = (self.turn, *known[1:])
        if known is None:
            of, neighbours = self.grid.index.of, self.grid.index.neighbours

            def around(unit: Unit, hex: str, has: bool | None) -> tuple[int, ...]:
                there = unit.side != side and hex in of and self.exerts(unit) is has
                return neighbours[of[hex]] if there else ()

            sure, maybe = (Tally(self.position, partial(around, has=has)) for has in (True, None))
            known = self._tallies[side] = (self.turn, sure, maybe)
        return Zones(known[1].hexes(), known[2].hexes())

    def _followers(self) -> Iterable[Follower]:
        yield from super()._followers()
        for _, *tallies in self._tallies.values():
            yield from tallies

    def put_aside(self) -> None:
        """Leave every open combat: the next log begins."""
        super().put_aside()
        self.waiting.clear()

    def combat_of(self, id: str) -> Combat | None:
        """The open combat, or one that still waits for its result to be applied."""
        now = self.combat
        if now is not None and (id in now.attackers or id in now.defenders):
            return now
        waiting = (combat for combat, _ in reversed(self.waiting) if id in combat.attackers or id in combat.defenders)
        return next(waiting, now)
