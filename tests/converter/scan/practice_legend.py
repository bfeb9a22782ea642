"""A legend for a practice map, as a person would write one: a few examples of each sign, picked where it shows well."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from converter.scan.legend import Legend, read_legend_text
from converter.scenario import MapFile
from converter.scenario.yaml_writing import write

Pair = tuple[str, str]
EXAMPLES = 8
PLACES = ("city", "town", "village", "port", "peak", "airfield")
TOWNS = 2
"""So many of the examples are hexes with a town, for names and houses cover the ground."""


def link_pairs(it: MapFile) -> dict[str, set[Pair]]:
    """Every kind of link with its steps, each pair in order."""
    found: dict[str, set[Pair]] = {}
    for link in it.all_links:
        found.setdefault(link.kind, set()).update(ordered(pair) for pair in pairwise(link.path))
    return found


def hexside_pairs(it: MapFile) -> dict[str, set[Pair]]:
    """Every kind of hexside with its pairs, each in order."""
    found: dict[str, set[Pair]] = {}
    for feature in it.hexsides:
        found.setdefault(feature.kind, set()).update(ordered(pair) for pair in feature.between)
    return found


def border_pairs(it: MapFile) -> set[Pair]:
    """The sides that borders and parallels run along."""
    return {ordered(pair) for line in it.lines for pair in line.between}


def outline_pairs(it: MapFile) -> set[Pair]:
    """The sides along which an area's outline is printed."""
    found = set()
    for region in it.regions:
        if region.kind in ("staging-area", "perimeter"):
            within = set(region.hexes)
            found |= {ordered((hex, n)) for hex in within for n in it.grid.neighbours(hex) if n not in within}
    return found


def ordered(pair: tuple[str, str]) -> Pair:
    """A pair of hexes, the lower number first."""
    return (min(pair), max(pair))


def legend_of(it: MapFile, seed: int = 0, examples: int = EXAMPLES) -> Legend:
    """The legend, and with it the extent of the grid."""
    return read_legend_text(legend_text(it, seed, examples))


def legend_text(it: MapFile, seed: int = 0, examples: int = EXAMPLES) -> str:
    """The legend as the text of its file."""
    chance = np.random.default_rng(seed)

    def pick(items: list[str] | list[Pair], most: int) -> list[int]:
        return sorted(chance.choice(len(items), min(most, (len(items) + 1) // 2), replace=False).tolist())

    terrain: dict[str, object] = {}
    for kind in sorted({it.terrain(number) or "" for number in it.grid.numbers}):
        hexes = [number for number in it.grid.numbers if it.terrain(number) == kind]
        towns = [number for number in hexes if it.places_at(number)]
        bare = [number for number in hexes if number not in towns]
        shown = [towns[i] for i in pick(towns, TOWNS)] if len(towns) > 2 else []
        shown += [bare[i] for i in pick(bare, examples - len(shown))]
        if len(shown) < 3:
            shown = [hexes[i] for i in pick(hexes, examples)]
        terrain[kind] = {"hexes": sorted(shown)}
    links, sides = link_pairs(it), hexside_pairs(it)
    along = _along(it)
    everything = {**sides, **links, **along}
    lines: dict[str, object] = {}
    for kind, pairs in {**links, **along}.items():
        alone = sorted(p for p in pairs if sum(p in other for other in everything.values()) == 1)
        shown_pairs = [list(alone[i]) for i in pick(alone, examples)]
        lines[kind] = {"across" if kind in links else "along": shown_pairs}
    places: dict[str, object] = {}
    for kind in PLACES:
        hexes = sorted(it.hexes_of_kind(kind))
        if hexes:
            places[kind] = {"hexes": [hexes[i] for i in pick(hexes, 4)]}
    return _written(it, terrain, lines, places)


def plain_legend_text(it: MapFile, seed: int = 0, examples: int = 5, first: bool = False) -> str:
    """A legend by somebody who takes no care: hexes and hexsides by chance, or the first."""
    chance = np.random.default_rng(seed)

    def take(items: list[str] | list[Pair], most: int) -> list[object]:
        if first:
            return list(items[:most])
        return [items[i] for i in sorted(chance.choice(len(items), min(most, len(items)), replace=False).tolist())]

    kinds = sorted({it.terrain(number) or "" for number in it.grid.numbers})
    of_kind = {kind: [number for number in it.grid.numbers if it.terrain(number) == kind] for kind in kinds}
    terrain: dict[str, object] = {kind: {"hexes": take(hexes, examples)} for kind, hexes in of_kind.items()}
    lines: dict[str, object] = {}
    for way, found in (("across", link_pairs(it)), ("along", _along(it))):
        for kind, pairs in found.items():
            if pairs:
                lines[kind] = {way: [list(pair) for pair in take(sorted(pairs), examples)]}  # type: ignore[call-overload]
    of_place = {kind: sorted(it.hexes_of_kind(kind)) for kind in PLACES}
    places: dict[str, object] = {kind: {"hexes": take(hexes, 3)} for kind, hexes in of_place.items() if hexes}
    return _written(it, terrain, lines, places)


def _along(it: MapFile) -> dict[str, set[Pair]]:
    """What is printed along hexsides, kind by kind."""
    sides = {kind: pairs for kind, pairs in hexside_pairs(it).items() if kind not in ("bridge", "lake")}
    return {kind: pairs for kind, pairs in {**sides, "border": border_pairs(it), "outline": outline_pairs(it)}.items()
            if pairs}  # fmt: skip


def _written(it: MapFile, terrain: dict[str, object], lines: dict[str, object], places: dict[str, object]) -> str:
    """The legend's text, with what follows from other signs."""
    links = sorted(link_pairs(it))
    for kind, more in (("coast", {"separates": ["sea", "land"]}), ("outline", {"ignore": True})):
        if kind in lines:
            lines[kind] = {**dict(lines[kind]), **more}  # type: ignore[call-overload]
    lines["lake"] = {"separates": ["lake", "land"]}
    lines["bridge"] = {"carries": links, "over": [kind for kind in ("river", "major-river") if kind in lines]}
    grid = {"columns": it.grid.columns, "rows": it.grid.rows}
    told = {"version": 1, "name": it.name, "grid": grid, "terrain": terrain, "lines": lines, "places": places}
    return write(told)
