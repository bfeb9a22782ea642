"""A legend for a practice map, as a person would write one: a few examples of each sign, picked where it shows well."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from converter.scan.legend import Legend, read_legend_text
from converter.scenario import MapFile
from converter.scenario.yaml_writing import write

Pair = tuple[str, str]
EXAMPLES = 8
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
    along = {kind: pairs for kind, pairs in sides.items() if kind not in ("bridge", "lake")}
    along |= {"border": border_pairs(it), "outline": outline_pairs(it)}
    everything = {**links, **sides, "border": along["border"], "outline": along["outline"]}
    lines: dict[str, object] = {}
    for kind, pairs in {**links, **along}.items():
        alone = sorted(p for p in pairs if sum(p in other for other in everything.values()) == 1)
        shown_pairs = [list(alone[i]) for i in pick(alone, examples)]
        lines[kind] = {"across" if kind in links else "along": shown_pairs}
    lines["coast"] = {**dict(lines["coast"]), "separates": ["sea", "land"]}  # type: ignore[call-overload]
    lines["outline"] = {**dict(lines["outline"]), "ignore": True}  # type: ignore[call-overload]
    lines["lake"] = {"separates": ["lake", "land"]}
    lines["bridge"] = {"carries": sorted(links), "over": ["river", "major-river"]}
    places: dict[str, object] = {}
    for kind in ("city", "town", "village", "port", "peak", "airfield"):
        hexes = sorted(it.hexes_of_kind(kind))
        places[kind] = {"hexes": [hexes[i] for i in pick(hexes, 4)]}
    for kind in ("city", "port"):
        hexes = sorted(it.hexes_of_kind("port"))
        places[kind] = {"hexes": hexes[: len(hexes) // 2]}
    grid = {"columns": it.grid.columns, "rows": it.grid.rows}
    told = {"version": 1, "name": it.name, "grid": grid, "terrain": terrain, "lines": lines, "places": places}
    return write(told)
