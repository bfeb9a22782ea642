"""The referee's table in Yalu: tracks, designated attacks, infiltration dice, control of cities, zones of control."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any, ClassVar

import referee.court
from referee.checks import Checks, Entry
from referee.games.yalu import facts
from referee.games.yalu.charts import Charts
from referee.games.yalu.costs import cost_of, least_cost, mover_of, step_cost
from referee.games.yalu.gazetteer import Gazetteer, gazetteer_of
from referee.games.yalu.units import ISOLATED, NEUTRALIZED, UNSURE, is_support
from referee.rulebook import plain
from referee.rules.board import Board, Cost
from referee.rules.ground import Side, side
from referee.rules.reach import Reach
from referee.rules.zones_of_control import Follower, StackZones, Tally, Zones
from referee.table.acts import Act
from referee.table.ledger import Fact
from referee.table.units import Unit
from referee.verdict import Finding

CheckFunction = Callable[["Court", Act], Iterator[Finding]]
CHECKS: Checks[CheckFunction] = Checks(facts.GAME)
check = CHECKS.on


@dataclass
class Designation:
    """An attack on a hex as the phasing player announced it (10.5)."""

    hex: str
    side: str | None
    step: int
    units: list[str] = field(default_factory=list)
    kind: str | None = None  # supplied, unsupplied or hwa
    asp: int | None = None
    artillery: int | None = None  # the modifier bought, 1 or 2
    air: int | None = None
    support: list[str] = field(default_factory=list)
    was: dict[str, Unit] = field(default_factory=dict)
    fought: bool = False


@dataclass
class Try:
    """A die for infiltration (9.2.3). `success` None: the table would tell."""

    unit: str
    step: int
    die: int
    origin: str | None
    to: str | None
    success: bool | None
    used: bool = False


@dataclass
class Court(referee.court.Court[facts.Scenario, Charts]):
    """The state of a game as it is judged."""

    game: ClassVar[str] = facts.GAME
    moving: ClassVar[tuple[str, ...]] = ("movement", "bugout")
    fighting: ClassVar[tuple[str, ...]] = facts.COMBAT

    asp: int | None = None
    weather: str | None = None
    weather_die: int | None = None
    ridgway: str | None = None  # waiting, commands (second die not known), drm, removed
    air: int | None = None  # air units Available now
    air_offensive: int | None = None
    designations: dict[str, Designation] = field(default_factory=dict)
    tries: list[Try] = field(default_factory=list)
    control: dict[str, str] = field(default_factory=dict)  # plain city name -> side
    captured: dict[str, int | None] = field(default_factory=dict)  # plain city name -> turn of the first capture
    surprised: dict[str, bool | None] = field(default_factory=dict)
    breaks: dict[tuple[str, Any], int] = field(default_factory=dict)  # (marker, hex or hexside) -> value
    spent: dict[str, int] = field(default_factory=dict)  # ticks used before moving (breakdown), this phase
    overfull: dict[str, int] = field(default_factory=dict)  # overstacked hexes, and when they were found to be so
    railed: dict[str, int] = field(default_factory=dict)  # units that went by rail this phase
    bugged: dict[str, tuple[str, ...]] = field(default_factory=dict)  # bug-outs of this phase and their paths
    last_roll: Act | None = None
    way: tuple[Act, Unit, object] | None = None  # a unit, its act and the state of the table: a way was found
    bundled: dict[str, set[str]] = field(default_factory=dict)  # regions of the bundled map, as far as the text goes
    open_steps: dict[tuple[tuple[str, ...], tuple[str, ...]], Cost] = field(default_factory=dict)  # by terrain
    _boards: dict[str, Board] = field(default_factory=dict)
    _reaches: dict[str, Reach] = field(default_factory=dict)
    _links: tuple[tuple[int, int], list[list[int]]] | None = None
    _zones: dict[str, tuple[tuple[int, bool, int], StackZones]] = field(default_factory=dict)
    _crowds: dict[str, Tally] = field(default_factory=dict)
    _rounds: dict[tuple[int, str], tuple[int, ...]] = field(default_factory=dict)
    _known_places: dict[tuple[object, ...], Gazetteer] = field(default_factory=dict)

    def add(self, finding: Finding) -> None:
        if finding.check not in self.scenario.unasked:
            super().add(finding)

    def rule_of(self, entry: Entry) -> str:
        return self.scenario.rule_numbers.get(entry.id, entry.rule)

    # --- time

    def turn_words(self, turn: int) -> str:
        return facts.turn_name(self.scenario.id, turn)

    @property
    def month(self) -> str | None:
        return facts.month_of(self.scenario.id, self.turn) if self.turn is not None else None

    @property
    def week(self) -> str | None:
        return facts.week_of(self.scenario.id, self.turn) if self.turn is not None else None

    def dated(self, deluxe_turn: int) -> int:
        """A turn that the Deluxe rules number, in this edition's count."""
        return facts.dated(self.scenario.id, deluxe_turn)

    # --- geometry

    def board(self, side: str) -> Board:
        return self.board_of(side if side == facts.COMMUNIST else "UN division")

    def board_of(self, mover: str) -> Board:
        """The map as these movers pay for it: Communist, UN division, UN other."""
        if mover not in self._boards:
            told = self.survey() if self.ground.sides_known else None
            self._boards[mover] = Board(self.grid, lambda a, b: step_cost(self, mover, a, b), least_cost(self), told)
        return self._boards[mover]

    def board_for(self, unit: Unit) -> Board:
        """The map as a unit pays for it (12.1.9: supports go at the rate of units below a division)."""
        return self.board_of(mover_of(unit))

    def reach_for(self, unit: Unit) -> Reach:
        """What lies within a unit's reach where nobody stands in its way."""
        mover = mover_of(unit)
        if mover not in self._reaches:
            self._reaches[mover] = Reach(self.board_of(mover))
        return self._reaches[mover]

    def linked(self) -> list[list[int]]:
        """The hexes that roads and rails join each hex to."""
        stamp = (len(self.ground.roads), len(self.ground.rails))
        if self._links is None or self._links[0] != stamp:
            of, near = self.grid.index.of, self.grid.index.neighbours
            joined: list[list[int]] = [[] for _ in near]
            for pair in self.ground.roads | self.ground.rails:
                for here, there in permutations([of[hex] for hex in pair if hex in of], 2):
                    if there in near[here]:
                        joined[here].append(there)
            self._links = (stamp, joined)
        return self._links[1]

    def forget_costs(self) -> None:
        """The weather or a marker changed: costs must be worked out again."""
        self._boards.clear()
        self._reaches.clear()
        self.entries.clear()
        self.open_steps.clear()

    def this_combat(self, what: str, who: str | None = None) -> Iterator[Fact]:
        """Facts of this combat phase; in a log only those that were surely noted in it."""
        told = self.turn is not None and self.phasing is not None
        for fact in self.ledger.find(what, who, turn=self.turn, side=self.phasing):
            if self.complete or (told and fact.turn is not None and fact.side is not None) or fact.step == 0:
                yield fact

    # --- places

    def place(self, name: str) -> set[str]:
        """The hexes of a named city, port or region, as far as anybody told."""
        return self._gazetteer().places.get(plain(name), set())

    def _gazetteer(self) -> Gazetteer:
        """Names and kinds of regions, put in order once."""
        stamp = (len(self.ground.regions), len(self.charts.regions), len(self.bundled), self.complete)
        if stamp not in self._known_places:
            self._known_places[stamp] = gazetteer_of(self)
        return self._known_places[stamp]

    def lies(self, hex: str, kind: str) -> bool | None:
        """Does a hex lie in a region of this kind (north, south, staging ...)? None: nobody told."""
        hexes, complete = self._gazetteer().kinds[kind]
        if hex in hexes:
            return True
        return False if complete else None

    def kind(self, kind: str) -> set[str]:
        """The hexes known to lie in regions of this kind."""
        return self._gazetteer().kinds[kind][0]

    def north(self, hex: str) -> bool | None:
        """On or north of the Weather Line?"""
        if (told := self.lies(hex, "north")) is not None:
            return told
        return False if self.lies(hex, "between") or self.lies(hex, "south") else None

    def is_sea(self, hex: str) -> bool | None:
        """A full-sea hex? None where the terrain is not known."""
        if "full-sea" in self.ground.terrain(hex) or self.lies(hex, "east-sea") or self.lies(hex, "west-sea"):
            return True
        return False if self.ground.is_known(hex) or self.position.at(hex) else None

    def seas(self) -> tuple[frozenset[str], frozenset[str]]:
        """The full-sea hexes of the map, and those whose terrain nobody told."""
        return self._gazetteer().seas

    def is_coastal(self, hex: str) -> bool | None:
        """A land hex on the coast?"""
        if hex in self.ground.regions.get("coast", ()) or "coastal" in self.ground.terrain(hex) or self.port(hex):
            return True
        seas = [self.is_sea(other) for other in self.grid.neighbours(hex)]
        if any(seas):
            return True
        if self.complete and ("coast" in self.ground.regions or any(self.ground.hexes_with("full-sea"))):
            return False
        return None

    def port(self, hex: str) -> str | None:
        """The port in a hex."""
        city = self.city(hex)
        return city if city in facts.BOOK.rules["ports"] else None

    def city(self, hex: str) -> str | None:
        """The named city in a hex."""
        return self._gazetteer().cities.get(hex)

    def is_city(self, hex: str) -> bool | None:
        """Is there a city? None where the terrain is not known."""
        if self.city(hex) or {"city", "port"} & set(self.ground.terrain(hex)):
            return True
        return False if self.ground.is_known(hex) else None

    def to_pusan(self) -> list[str]:
        """The To Pusan hexes; the one that two rules misprint among them unless the players settled it."""
        hexes = [hex for hex in facts.BOOK.rules["to_pusan"] if hex in self.grid]
        misprint = facts.BOOK.rules["to_pusan_misprint"]
        return hexes + ([misprint] if self.charts.option("to_pusan_2817") is not False else [])

    def holder(self, city: str) -> str | None:
        """Who controls a city (2.6)."""
        return self.control.get(plain(city))

    def cities_of(self, side: str) -> set[str]:
        """The hexes of the named cities that a side controls."""
        return {hex for hex, city in self._gazetteer().cities.items() if self.holder(city) == side}

    # --- units

    def has(self, id: str, state: str) -> bool:
        """Is a unit in this state?"""
        return id in self.position.units and state in self.unit(id).traits

    def mark(self, id: str, state: str, on: bool = True) -> None:
        """Put a unit into a state, or take it out."""
        unit = self.unit(id)
        traits = unit.traits | {state} if on else unit.traits - {state}
        supplied = (not on) if state == ISOLATED else unit.supplied
        self.position.change(unit.but(traits=traits, supplied=supplied))

    def blocks(self, unit: Unit) -> bool:
        return unit.kind not in ("guerrilla", "naval", "air")

    def combat_units(self, hex: str, side: str) -> list[Unit]:
        """The combat units of a side in a hex, conscripts and guerrillas left out."""
        return [unit for unit in self.position.friends_at(hex, side) if unit.kind in (None, "garrison")]

    def is_weak(self, unit: Unit) -> bool | None:
        """Has it no zone of control of its own (8.1.2)? None where nation or size is not known."""
        if unit.zoc is not None:
            return not unit.zoc
        if unit.side == facts.COMMUNIST or not self.scenario.rules["weak_zones"]:
            return False
        if unit.kind == "garrison":
            told = self.charts.option("garrison_zone")
            return None if told is None else not told
        if unit.nation is None:
            return None
        if unit.nation == "Allied":
            return not self.charts.option("allied_zones")
        sizes = facts.BOOK.units["weak"].get(unit.nation)
        if sizes is None:
            return False
        return unit.size in sizes if unit.size is not None else None

    def exerts(self, units: Iterable[Unit]) -> bool | None:
        """Do these units of one hex exert a zone of control together (8.1.2, 8.1.3, 14.2)?"""
        able = [unit for unit in units if self.counts_for_zone(unit)]
        if any(UNSURE in unit.traits for unit in able):
            return None
        weak = [self.is_weak(unit) for unit in able]
        if any(one is False for one in weak) or len(able) >= 2:
            return True
        return None if None in weak else False

    def counts_for_zone(self, unit: Unit) -> bool:
        """Neutralized units, guerrillas and supports never do (8.1.3); Classic ships do (C12)."""
        if NEUTRALIZED in unit.traits or unit.kind == "guerrilla" or unit.kind == "air":
            return False
        if unit.kind == "naval":
            return bool(self.scenario.raw.get("naval_zone"))
        return not is_support(unit)

    def stacks(self, side: str) -> dict[str, list[Unit]]:
        """The units of a side by hex."""
        found: dict[str, list[Unit]] = {}
        for unit, hex in self.position.on_map(side):
            found.setdefault(hex, []).append(unit)
        return found

    def cost_of(self, kinds: tuple[str, ...]) -> Cost:
        return cost_of(self, kinds)

    def zones_against(self, side: str) -> Zones:
        stamp = (len(self.ground.sides), self.ground.sides_known, len(self.charts.options))
        known = self._zones.get(side)
        if known is None or known[0] != stamp:

            def zone(hex: str, units: Iterable[Unit]) -> tuple[tuple[int, ...], bool]:
                has = self.exerts(units)
                reached = self._zone_round(hex) if has is not False and hex in self.grid else ()
                return reached, bool(has) and self.ground.sides_known

            known = self._zones[side] = (stamp, StackZones(self.position, side, zone))
        return known[1].zones()

    def crowded(self, side: str, least: int) -> list[str]:
        """The hexes of the map that hold at least so many units of a side that count for stacking (7.1.1, 7.2.4)."""
        known = self._crowds.get(side)
        if known is None:

            def held(unit: Unit, hex: str) -> tuple[int, ...]:
                return (self.at(hex),) if unit.side == side and unit.kind is None and hex in self.grid else ()

            known = self._crowds[side] = Tally(self.position, held)
        return [self.grid.numbers[at] for at in known.crowded(least)]

    def _followers(self) -> Iterable[Follower]:
        yield from super()._followers()
        yield from self._crowds.values()
        yield from (zones for _, zones in self._zones.values())

    def _zone_round(self, hex: str) -> tuple[int, ...]:
        """The hexes that a zone of control reaches from a hex, worked out once."""
        key = (len(self.ground.sides), hex)
        found = self._rounds.get(key)
        if found is None:
            reached = (self.at(other) for other in self.grid.neighbours(hex) if self.zone_crosses(hex, other))
            found = self._rounds[key] = tuple(reached)
        return found

    def zone_crosses(self, one: str, other: str) -> bool:
        """Does a zone of control reach over this hexside (8.2.1)?"""
        return not self.ground.features(one, other) & set(facts.BOOK.rules["zone_barriers"])

    def in_zone(self, hex: str, side: str) -> bool | None:
        """Is a hex in the zone of control of this side's enemies?"""
        if hex not in self.grid:
            return False
        zones, at = self.zones_against(side), self.at(hex)
        return True if at in zones.sure else None if at in zones.maybe else False

    def barring_rail(self, hex: str, side: str) -> list[Unit]:
        """Enemy units next to a hex that keep trains out of it; in Classic only by a zone of control (C23.B, C28.D)."""
        if self.scenario.rules["rail_by_zones"] and not self.in_zone(hex, side):
            return []
        return [
            unit
            for other in self.grid.neighbours(hex)
            for unit in self.position.enemies_at(other, side)
            if unit.kind not in ("guerrilla", "naval", "air")
        ]

    def crossing(self, one: str, other: str) -> Side:
        """The hexside between two hexes."""
        return side(one, other)

    def entitled_to_fire_at_wave(self, unit: Unit) -> bool | None:
        """May it fire at a Human Wave (10.9.4)?"""
        if "marine" in unit.traits and unit.nation == "US":
            return True
        if unit.nation == "UK":
            return any(name in plain(unit.name) for name in map(plain, facts.BOOK.units["brigades"]))
        if unit.nation == "US":
            if self.ridgway in ("commands", "drm", "removed"):
                return True
            early = self.turn is not None and self.turn < self.dated(facts.BOOK.rules["ridgway_from"])
            return False if early or self.ridgway == "waiting" or self.complete else None
        return False if unit.nation is not None else None
