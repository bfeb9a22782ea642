"""Two sources on one map: a rulebook's facts completed by a scan or a module, or a story's terrain laid over a map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Protocol, TypeVar

from converter.errors import Problem
from converter.hexgrid import Grid
from converter.scenario.map_file import MapFile
from converter.scenario.map_items import UNKNOWN, Hexes, Pair, Terrain


class _Named(Protocol):
    @property
    def name(self) -> str | None: ...


Named = TypeVar("Named", bound=_Named)


def complete_map(first: MapFile, second: MapFile) -> tuple[MapFile, list[Problem]]:
    """`first` with whatever `second` adds; where both speak of the same thing and differ, `first` wins.

    Both must number their hexes alike. Each disagreement on terrain is told. Hexes that `first` has not are left out,
    and their number is told.
    """
    told = list(_disagreements(first, second))
    off = {hex for entry in second.terrains for hex in entry.hexes if hex not in first.grid}
    if off:
        told.append(Problem(second.name, f"{len(off)} hexes are not on the map {first.name}, {min(off)} the first"))
    second = _cut(second, first.grid)
    added = [replace(entry, hexes=more) for entry in second.terrains if (more := _news(entry, first))]
    settled = {hex for entry in added for hex in entry.hexes}
    kept = (replace(entry, hexes=tuple(hex for hex in entry.hexes if hex not in settled)) for entry in first.terrains)
    merged = replace(
        first,
        picture=first.picture or second.picture,
        complete=tuple(dict.fromkeys((*first.complete, *second.complete))),
        default_terrain=first.default_terrain or second.default_terrain,
        terrains=(*(entry for entry in kept if entry.hexes), *added),
        hexsides=(*first.hexsides, *second.hexsides),
        all_links=(*first.all_links, *second.all_links),
        places=_join(first.places, second.places),
        regions=_join(first.regions, second.regions),
        lines=_join(first.lines, second.lines),
        boxes=_join(first.boxes, second.boxes),
        notes=(*first.notes, *second.notes),
    )
    return merged, told


def _disagreements(first: MapFile, second: MapFile) -> Iterator[Problem]:
    for entry in second.terrains:
        for hex in entry.hexes:
            known = first.possible_terrain(hex)
            if known and UNKNOWN not in entry.kinds and not set(known) & set(entry.kinds):
                ours, theirs = " or ".join(known), " or ".join(entry.kinds)
                what = f"hex {hex} is {ours} by {first.terrain_source(hex)}, {theirs} by {entry.source}"
                yield Problem(second.name, what)


def _news(entry: Terrain, first: MapFile) -> Hexes:
    """The hexes of whose terrain `entry` tells what `first` leaves open."""
    if UNKNOWN in entry.kinds:
        return ()
    known = {hex: first.possible_terrain(hex) for hex in entry.hexes}
    return tuple(hex for hex, kinds in known.items() if kinds is None or set(entry.kinds) < set(kinds))


def _cut(it: MapFile, grid: Grid) -> MapFile:
    """A map without what it says of hexes that another grid has not."""

    def hexes(listed: Hexes) -> Hexes:
        return tuple(hex for hex in listed if hex in grid)

    def pairs(listed: tuple[Pair, ...]) -> tuple[Pair, ...]:
        return tuple(pair for pair in listed if pair[0] in grid and pair[1] in grid)

    return replace(
        it,
        terrains=tuple(replace(entry, hexes=hexes(entry.hexes)) for entry in it.terrains),
        hexsides=tuple(replace(entry, between=pairs(entry.between)) for entry in it.hexsides),
        all_links=tuple(link for link in it.all_links if all(hex in grid for hex in (*link.path, *link.route))),
        places=tuple(replace(place, hexes=hexes(place.hexes)) for place in it.places),
        regions=tuple(replace(region, hexes=hexes(region.hexes)) for region in it.regions),
        lines=tuple(replace(line, hexes=hexes(line.hexes), between=pairs(line.between)) for line in it.lines),
        boxes=tuple(replace(box, leads_to=hexes(box.leads_to)) for box in it.boxes),
    )


def _join(first: Iterable[Named], second: Iterable[Named]) -> tuple[Named, ...]:
    first = tuple(first)
    names = {item.name for item in first if item.name}
    return (*first, *(item for item in second if item.name not in names and item not in first))
