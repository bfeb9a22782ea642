"""What lies on a map as far as anyone has told: terrain of hexes, features of hexsides, roads, regions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, TypeVar

from converter.scenario import MapFile

UNKNOWN = "unknown"
UNSTATED = "unstated"  # nobody spoke of terrain at all: nothing is held against a player on its account
Side = frozenset[str]
T = TypeVar("T")


def side(one: str, other: str) -> Side:
    """The hexside between two hexes, under one name for both."""
    return frozenset((one, other))


@dataclass
class Ground:
    """The lie of the land. A hex in neither `hexes` nor `unknown` has the default terrain."""

    default: str = UNSTATED
    hexes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    roads: set[Side] = field(default_factory=set)
    trails: set[Side] = field(default_factory=set)
    rails: set[Side] = field(default_factory=set)
    bridges: set[Side] = field(default_factory=set)
    sides: dict[Side, set[str]] = field(default_factory=dict)
    regions: dict[str, set[str]] = field(default_factory=dict)
    links_known: bool = True
    sides_known: bool = True  # every feature of a hexside is told
    whole: set[str] = field(default_factory=set)  # regions all of whose hexes are told
    _lists: dict[str, tuple[int, list[Any]]] = field(default_factory=dict, repr=False)
    _touch: dict[str, tuple[int, set[str]]] = field(default_factory=dict, repr=False)

    def terrain(self, hex: str) -> tuple[str, ...]:
        """The kinds of terrain in a hex; (UNKNOWN,) or (UNSTATED,) where that is so."""
        if hex in self.unknown:
            return (UNKNOWN,)
        return self.hexes.get(hex, (self.default,))

    def is_known(self, hex: str) -> bool:
        """Has somebody told what is there?"""
        return self.terrain(hex)[0] not in (UNKNOWN, UNSTATED)

    def features(self, one: str, other: str) -> set[str]:
        """What is on the hexside between two hexes, bridges apart."""
        return self.sides.get(side(one, other), set())

    def on_road(self, hex: str) -> bool:
        """Does a road touch the hex?"""
        return hex in self._touched("roads", self.roads)

    def on_trail(self, hex: str) -> bool:
        """Does a trail touch the hex?"""
        return hex in self._touched("trails", self.trails)

    def on_rail(self, hex: str) -> bool:
        """Does a railroad touch the hex?"""
        return hex in self._touched("rails", self.rails)

    def _touched(self, name: str, links: set[Side]) -> set[str]:
        """The hexes that links touch, worked out again only when links were added."""
        known = self._touch.get(name)
        if known is None or known[0] != len(links):
            known = self._touch[name] = (len(links), {hex for pair in links for hex in pair})
        return known[1]

    def hexes_with(self, kind: str) -> list[str]:
        """The hexes that have a kind of terrain."""
        return self._listed(f"hexes {kind}", len(self.hexes), lambda: [h for h, k in self.hexes.items() if kind in k])

    def sides_with(self, kind: str) -> list[Side]:
        """The hexsides that have a feature."""
        return self._listed(f"sides {kind}", len(self.sides), lambda: [s for s, k in self.sides.items() if kind in k])

    def _listed(self, name: str, size: int, find: Callable[[], list[T]]) -> list[T]:
        known = self._lists.get(name)
        if known is None or known[0] != size:
            known = self._lists[name] = (size, find())
        return known[1]

    def renamed(self, name: Callable[[str], str]) -> Ground:
        """The same ground in a game's own words: a user's map may say woods and river where the rules say otherwise.

        >>> Ground("plain", {"0101": ("woods",)}).renamed({"woods": "rough", "plain": "clear"}.__getitem__).hexes
        {'0101': ('rough',)}
        """
        name = cache(name)  # a few words for thousands of hexes
        all_of = cache(lambda kinds: tuple(map(name, kinds)))
        return replace(
            self,
            default=self.default if self.default in (UNKNOWN, UNSTATED) else name(self.default),
            hexes={hex: all_of(kinds) for hex, kinds in self.hexes.items()},
            sides={pair: set(map(name, kinds)) for pair, kinds in self.sides.items()},
            _lists={},
        )

    def add_sides(self, pairs: Iterable[Any], kind: str) -> None:
        """Put a feature on hexsides, each named by its two hexes."""
        for pair in pairs:
            self.sides.setdefault(frozenset(pair), set()).add(kind)


def ground_of(sheet: MapFile) -> Ground:
    """The ground as a map file tells it; what the file does not tell is unknown."""
    ground = Ground(default=sheet.default_terrain[0] if sheet.default_terrain else UNKNOWN)
    told = sheet.told_terrain()
    usual = (sheet.default_terrain[0],) if sheet.default_terrain else ()
    for number in sheet.grid.numbers:
        kinds = told.get(number, usual)
        if len(kinds) == 1:
            ground.hexes[number] = kinds
        elif number in told:  # not the default: it may be anything, or one of several
            ground.unknown.add(number)
    for pair, links in sheet.linked():
        if "road" in links:
            ground.roads.add(pair)
        if "trail" in links:
            ground.trails.add(pair)
        if "rail" in links or "railroad" in links:
            ground.rails.add(pair)
    for pair, features in sheet.featured():
        if "bridge" in features:
            ground.bridges.add(pair)
        if features - {"bridge"}:
            ground.sides[pair] = set(features - {"bridge"})
    for place in sheet.places:
        if place.name:
            ground.regions.setdefault(place.name, set()).update(place.hexes)
    for region in sheet.regions:
        ground.regions.setdefault(region.name, set()).update(region.hexes)
    ground.links_known = "links" in sheet.complete
    ground.sides_known = "hexsides" in sheet.complete
    ground.whole = {region.name for region in sheet.regions if region.complete}
    return ground
