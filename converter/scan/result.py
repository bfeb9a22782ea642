"""A reading as a map.yaml: every item with the scan as its source and a confidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from converter.hexgrid import Grid
from converter.scan.legend import Legend
from converter.scan.reading import Reading
from converter.scenario import HexsideFeature, Link, MapFile, Picture, Place, Source, Terrain

Likely = npt.NDArray[np.float64]
LEVELS = (0.99, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0)
"""Confidences are told in steps, always rounded down."""
TOLD = 0.5
"""From here on an item is told as found; terrain less likely is told as one of several kinds."""
_SEVERAL = 0.9


def level(confidence: float) -> float:
    """The step a confidence is told as.

    >>> level(0.973), level(1.0), level(0.42)
    (0.95, 0.99, 0.4)
    """
    return next(step for step in LEVELS if confidence >= step - 1e-9)


def map_of(reading: Reading, legend: Legend, picture: Picture, scan: str, told: Mapping[str, Any]) -> MapFile:
    """The map file of a reading; `told` are fields that the caller knows (grid_note, extent, ...)."""
    grid = reading.sheet.grid
    sides = reading.sheet.sides
    return MapFile(
        name=legend.name or "map",
        title=legend.title,
        game=legend.game,
        scale=legend.scale,
        north=legend.grid.get("north", "up"),
        grid=grid,
        grid_source=Source("scan", scan, picture.confidence),
        picture=picture,
        terrains=tuple(_terrains(grid, reading, scan)),
        hexsides=tuple(
            HexsideFeature(kind, tuple(pairs), Source("scan", scan, sure))
            for kind, likely in reading.hexsides.items()
            for sure, pairs in _by_level(sides, likely)
        ),
        all_links=tuple(
            Link(kind, path, (), Source("scan", scan, sure))
            for kind, likely in reading.links.items()
            for sure, pairs in _by_level(sides, likely)
            for path in paths(pairs)
        ),
        places=tuple(
            Place((kind,), tuple(hexes), Source("scan", scan, sure))
            for kind, likely in reading.places.items()
            for sure, hexes in _by_level(grid.numbers, likely)
        ),
        **told,
    )


def _terrains(grid: Grid, reading: Reading, scan: str) -> Iterable[Terrain]:
    groups: defaultdict[tuple[tuple[str, ...], float], list[str]] = defaultdict(list)
    for number, likely in zip(grid.numbers, reading.terrain_likely, strict=True):
        order = np.argsort(-likely)
        best = float(likely[order[0]])
        kinds: tuple[str, ...] = (reading.terrain[order[0]],)
        if best < TOLD:
            enough = int(np.searchsorted(np.cumsum(likely[order]) / likely.sum(), _SEVERAL)) + 1
            kinds = tuple(sorted(reading.terrain[k] for k in order[:enough])) if enough <= 3 else ("unknown",)
        groups[kinds, level(best)].append(number)
    for (kinds, sure), hexes in sorted(groups.items(), key=lambda group: (group[0][0], -group[0][1])):
        yield Terrain(kinds, tuple(hexes), Source("scan", scan, sure))


def _by_level(items: Iterable[Any], likely: Likely) -> list[tuple[float, list[Any]]]:
    """Items that are likely, in groups of one confidence, the surest first."""
    groups: defaultdict[float, list[Any]] = defaultdict(list)
    for item, value in zip(items, likely, strict=True):
        if value > TOLD:
            groups[level(float(value))].append(item)
    return sorted(groups.items(), reverse=True)


def paths(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Steps from hex to hex put together into paths as long as they go.

    >>> paths([("0102", "0103"), ("0101", "0102"), ("0102", "0202")])
    [('0101', '0102', '0103'), ('0202', '0102')]
    """
    left: defaultdict[str, list[str]] = defaultdict(list)
    for one, other in pairs:
        left[one].append(other)
        left[other].append(one)
    found = []
    for start in sorted(left, key=lambda number: (len(left[number]) != 1, number)):
        while left[start]:
            path = [start]
            while left[path[-1]]:
                here = path[-1]
                ahead = min(left[here])
                left[here].remove(ahead)
                left[ahead].remove(here)
                path.append(ahead)
            found.append(tuple(path))
    return found
