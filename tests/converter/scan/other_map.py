"""Maps unlike the practice map: terrain, roads and rivers by chance, in colours by chance.

Seeds 0 to 6 were looked at while the reader was made; higher ones measure how it does on what it has not seen.
"""

from __future__ import annotations

import colorsys
import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

import cv2
import numpy as np

from converter.drawing import STYLES
from converter.drawing.styles import Colour, Style
from converter.hexgrid import Grid, Layout
from converter.scenario import HexsideFeature, Line, Link, MapFile, Place, Source, Terrain

Pair = tuple[str, str]
Node = TypeVar("Node", bound=Hashable)
DRAWN = Source("person", "drawn by chance")
WATER = ("sea", "lake")
COST = {"clear": 1.0, "woods": 1.6, "marsh": 2.5, "hill": 1.8, "rough": 2.2, "mountain": 4.0, "city": 1.0}


def other_map(seed: int, columns: int = 24, rows: int = 20) -> MapFile:
    """A map with everything the practice map has; every second one has its hexes the other way up."""
    chance = np.random.default_rng(1000 + seed)
    grid = Grid(columns, rows, sideways=bool(seed % 2))
    layout = Layout.regular(1.0, sideways=grid.sideways, lattice=grid.lattice)
    at = {number: np.array(layout.centre(hex)) for number, hex in zip(grid.numbers, grid.hexes, strict=True)}
    terrain = _ground(grid, at, chance)
    land = [number for number in grid.numbers if terrain[number] not in WATER]
    sites = [number for number in land if terrain[number] in ("clear", "woods", "hill")]
    cities, towns, villages = _apart(sites, grid, chance, (5, 12, 8))
    for number in cities:
        terrain[number] = "city"
        more = [n for n in grid.neighbours(number) if terrain[n] not in WATER and n not in towns + villages]
        for near in more[: int(chance.integers(0, 3))]:
            terrain[near] = "city"
    ways = {n: [m for m in grid.neighbours(n) if terrain[m] not in WATER] for n in land}
    links = _links(cities, towns, villages, ways, terrain, chance)
    rivers = _rivers(grid, layout, terrain, chance)
    crossed = {_ordered(pair) for kind, path in links if kind != "trail" for pair in pairwise(path)}
    wet = {_ordered(pair) for _, pairs in rivers for pair in pairs}
    sides = {_ordered((n, m)) for n in grid.numbers for m in grid.neighbours(n)}
    shore = {
        kind: sorted(pair for pair in sides
                     if sum(terrain[n] == water for n in pair) == 1 and any(terrain[n] not in WATER for n in pair))
        for kind, water in (("coast", "sea"), ("lake", "lake"))
    }  # fmt: skip
    features = list(shore.items()) + rivers + [("bridge", sorted(crossed & wet))]
    middle = float(np.median([at[n][1] for n in land]))
    border = sorted(p for p in sides if all(terrain[n] not in WATER for n in p)
                    and (at[p[0]][1] < middle) != (at[p[1]][1] < middle))  # fmt: skip
    signs = [("city", cities), ("town", towns), ("village", villages)]
    signs.append(("port", [n for n in cities if any(terrain[m] == "sea" for m in grid.neighbours(n))]))
    heights = [n for n in land if terrain[n] == "mountain"]
    signs.append(("peak", sorted(chance.choice(heights, min(6, len(heights)), replace=False).tolist())))
    kinds = sorted(set(terrain.values()))
    return MapFile(
        f"other-{seed}", grid,
        terrains=tuple(Terrain((k,), tuple(n for n in grid.numbers if terrain[n] == k), DRAWN) for k in kinds),
        hexsides=tuple(HexsideFeature(kind, tuple(pairs), DRAWN) for kind, pairs in features if pairs),
        all_links=tuple(Link(kind, tuple(path), (), DRAWN) for kind, path in links),
        places=tuple(Place((kind,), (n,), DRAWN, _name(chance)) for kind, numbers in signs for n in numbers),
        lines=(Line("The Border", "border", tuple(border), (), DRAWN),),
    )  # fmt: skip


def other_style(seed: int) -> Style:
    """One of the styles in other colours: hues, inks and grid by chance, all of them plain enough for a person."""
    chance = np.random.default_rng(2000 + seed)
    base = list(STYLES.values())[seed % len(STYLES)]
    if base.ground == "print":
        paper = _rgb(chance.uniform(), chance.uniform(0.02, 0.14), chance.uniform(0.9, 0.97))
        return replace(base, paper=paper, halo=paper, colours=dict.fromkeys(base.colours, paper))
    colours = _palette(tuple(base.colours), chance)
    grounds = list(colours.values())
    inks = [_ink(grounds, chance, least) for least in (30, 38, 30, 26, 30)]
    return replace(
        base, colours=colours, water_ink=inks[0], coast_ink=_dark(colours["sea"], 0.6), road=inks[1],
        road_edge=_dark(inks[1], 0.4), trail=inks[2], marks=_dark(colours["woods"], 0.65), line_ink=inks[4],
        rail=_rgb(chance.uniform(), 0.4, 0.15), grid_strength=float(chance.uniform(0.4, 0.75)),
    )  # fmt: skip


def _ground(grid: Grid, at: Mapping[str, np.ndarray], chance: np.random.Generator) -> dict[str, str]:
    """Terrain from two cloudy heights: how high and how wet."""
    places = np.array([at[number] for number in grid.numbers])
    places = (places - places.min(0)) / np.ptp(places, 0).max()

    def cloud(cells: float) -> np.ndarray:
        total = np.zeros(len(places))
        for octave in range(3):
            for _ in range(10):
                way, turn = chance.normal(size=2) * cells * 2**octave, chance.uniform(0, 2 * math.pi)
                total += np.sin(places @ way + turn) / 2**octave
        return total.argsort().argsort() / len(total)

    side = chance.uniform(0, 2 * math.pi)
    high = cloud(5.0) + 0.7 * (places @ [math.cos(side), math.sin(side)])
    high, wet = high.argsort().argsort() / len(high), cloud(6.0)
    found: dict[str, str] = {}
    for number, h, w in zip(grid.numbers, high, wet, strict=True):
        dry = "hill" if h > 0.62 else "clear"
        kind = "sea" if h < 0.24 else "mountain" if h > 0.88 else "rough" if h > 0.76 else dry
        if kind in ("clear", "hill") and w > 0.7:
            kind = "woods"
        if kind == "clear" and w < 0.1:
            kind = "marsh"
        found[number] = kind
    for number in list(found):
        if found[number] == "sea" and _pool(number, found, grid) < 6:
            found[number] = "clear"
    inland = [n for n in grid.numbers if found[n] != "sea" and len(grid.neighbours(n)) == 6
              and all(found[m] != "sea" for m in grid.neighbours(n))]  # fmt: skip
    for start in chance.choice(inland, 2, replace=False).tolist():
        body = [start, *grid.neighbours(start)[: int(chance.integers(2, 5))]]
        if all(n in inland for n in body):
            found |= dict.fromkeys(body, "lake")
    return found


def _pool(number: str, terrain: Mapping[str, str], grid: Grid) -> int:
    seen, queue = {number}, [number]
    while queue:
        for other in grid.neighbours(queue.pop()):
            if other not in seen and terrain[other] == "sea":
                seen.add(other)
                queue.append(other)
    return len(seen)


def _apart(sites: list[str], grid: Grid, chance: np.random.Generator, counts: tuple[int, ...]) -> list[list[str]]:
    """Some sites of each kind, none beside another."""
    order = [sites[i] for i in chance.permutation(len(sites))]
    taken: list[str] = []
    for number in order:
        if all(grid.distance(number, other) > 2 for other in taken):
            taken.append(number)
    out, start = [], 0
    for count in counts:
        out.append(sorted(taken[start : start + count]))
        start += count
    return out


def _links(
    cities: list[str], towns: list[str], villages: list[str], ways: Mapping[str, list[str]],
    terrain: Mapping[str, str], chance: np.random.Generator,
) -> list[tuple[str, list[str]]]:  # fmt: skip
    """Roads from town to town, railroads between cities, trails to the villages: each step drawn once a kind."""
    found: list[tuple[str, list[str]]] = []
    used: defaultdict[str, set[Pair]] = defaultdict(set)

    def join(kind: str, start: str, ends: Iterable[str], liking: Callable[[Pair], float]) -> None:
        path = _shortest(start, set(ends) - {start}, lambda n: ways[n],
                         lambda a, b: COST[terrain[b]] * liking(_ordered((a, b))))  # fmt: skip
        piece: list[str] = []
        for pair in pairwise(path):
            if _ordered(pair) in used[kind]:
                piece = []
                continue
            used[kind].add(_ordered(pair))
            if piece:
                piece.append(pair[1])
            else:
                piece = list(pair)
                found.append((kind, piece))

    served = cities + towns
    for start in served:
        for end in chance.choice(served, 2, replace=False).tolist():
            join("road", start, [end], lambda pair: 0.5 if pair in used["road"] else 1.0)
    for start, end in pairwise(cities):
        join("rail", start, [end], lambda pair: 1.6 if pair in used["road"] else 0.8)
    for start in villages:
        join("trail", start, served, lambda pair: 9.0 if pair in used["road"] | used["rail"] else 1.0)
    return found


def _rivers(
    grid: Grid, layout: Layout, terrain: Mapping[str, str], chance: np.random.Generator
) -> list[tuple[str, list[Pair]]]:
    """Rivers along hexsides from the heights to the water, the lower course of some of them wide."""
    at: dict[tuple[Pair2, Pair2], Pair] = {}
    meets: defaultdict[Pair2, list[Pair2]] = defaultdict(list)
    shores: set[Pair2] = set()
    for number in grid.numbers:
        for other in grid.neighbours(number):
            if number < other:
                side = grid.lattice.hexside(grid.hex(number), grid.hex(other))
                a, b = ((round(x, 3), round(y, 3)) for x, y in layout.side_ends(side))
                dry = [n for n in (number, other) if terrain[n] not in WATER]
                if len(dry) == 2:
                    at[a, b] = at[b, a] = (number, other)
                    meets[a].append(b)
                    meets[b].append(a)
                elif dry:
                    shores |= {a, b}
    roughness = {pair: float(chance.uniform(0.4, 1.6)) for pair in at.values()}
    springs = sorted({a for (a, _), pair in at.items() if "mountain" in {terrain[n] for n in pair}} - shores)
    found: list[tuple[str, list[Pair]]] = []
    wet: set[Pair2] = set()
    for spring in chance.permutation(len(springs)).tolist()[:7]:
        path = _shortest(springs[spring], shores | wet, lambda n: meets[n], lambda a, b: roughness[at[a, b]])
        if len(path) < 6 or springs[spring] in wet:
            continue
        pairs = [at[step] for step in pairwise(path)]
        wide = len(pairs) * 2 // 3 if path[-1] in shores and chance.uniform() < 0.6 else len(pairs)
        found += [("river", pairs[:wide])] + ([("major-river", pairs[wide:])] if pairs[wide:] else [])
        wet |= set(path)
    return found


Pair2 = tuple[float, float]


def _shortest(
    start: Node, ends: set[Node], ways: Callable[[Node], list[Node]], cost: Callable[[Node, Node], float]
) -> list[Node]:
    """Dijkstra's way to the nearest end; no way is an empty list."""
    best: dict[Node, float] = {start: 0.0}
    came: dict[Node, Node] = {}
    queue: list[tuple[float, int, Node]] = [(0.0, 0, start)]
    while queue:
        gone, _, here = heapq.heappop(queue)
        if here in ends and here != start:
            path = [here]
            while path[-1] != start:
                path.append(came[path[-1]])
            return path[::-1]
        if gone > best[here]:
            continue
        for other in ways(here):
            total = gone + cost(here, other)
            if total < best.get(other, math.inf):
                best[other], came[other] = total, here
                heapq.heappush(queue, (total, len(came), other))
    return []


def _ordered(pair: tuple[str, str]) -> Pair:
    return (min(pair), max(pair))


def _name(chance: np.random.Generator) -> str:
    parts = ["ka", "ro", "mi", "sen", "tal", "vo", "ush", "ben", "dra", "lo"]
    return "".join(parts[i] for i in chance.integers(0, len(parts), int(chance.integers(2, 5)))).title()


def _rgb(hue: float, saturation: float, value: float) -> Colour:
    r, g, b = (round(255 * part) for part in colorsys.hsv_to_rgb(hue, saturation, value))
    return r, g, b


def _lab(colour: Colour) -> np.ndarray:
    return np.asarray(cv2.cvtColor(np.array([[colour]], np.float32) / 255, cv2.COLOR_RGB2Lab)[0, 0])


def _dark(colour: Colour, share: float) -> Colour:
    r, g, b = (round(part * share) for part in colour)
    return r, g, b


def _palette(names: tuple[str, ...], chance: np.random.Generator) -> dict[str, Colour]:
    """A ground colour for each name, light rather than dark, each plainly unlike the others."""
    found: dict[str, Colour] = {}
    least = 14.0
    while len(found) < len(names):
        colour = _rgb(chance.uniform(), chance.uniform(0.1, 0.5), chance.uniform(0.6, 0.97))
        if all(np.linalg.norm(_lab(colour) - _lab(other)) > least for other in found.values()):
            found[names[len(found)]] = colour
        least *= 0.999
    return found


def _ink(grounds: list[Colour], chance: np.random.Generator, least: float) -> Colour:
    while True:
        colour = _rgb(chance.uniform(), chance.uniform(0.3, 1.0), chance.uniform(0.15, 0.9))
        if all(np.linalg.norm(_lab(colour) - _lab(ground)) > least for ground in grounds):
            return colour
        least *= 0.995
