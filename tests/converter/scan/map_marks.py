"""Marks for a map read off a scan, against the map it was printed from."""

from __future__ import annotations

from dataclasses import astuple, dataclass

from practice_legend import border_pairs, hexside_pairs, link_pairs, ordered

from converter.scan.legend import Legend
from converter.scenario import MapFile

Item = tuple[str, str, str]


@dataclass(frozen=True)
class Marks:
    """Shares from 0 to 1; `rest` leaves out what the legend shows as examples."""

    terrain: float
    terrain_rest: float
    links: float
    links_rest: float
    hexsides: float
    hexsides_rest: float
    border: float
    places: float

    @property
    def values(self) -> tuple[float, ...]:
        """In order."""
        return astuple(self)


def mark(read: MapFile, truth: MapFile, legend: Legend) -> Marks:
    """Compare hex by hex and side by side."""
    shown = {number for sign in legend.terrain for number in sign.hexes}
    right = {number: read.terrain(number) == truth.terrain(number) for number in truth.grid.numbers}
    rest = [ok for number, ok in right.items() if number not in shown]
    examples = {(sign.kind, *ordered(pair)) for sign in legend.lines for pair in sign.pairs}
    links = _items(link_pairs(read)), _items(link_pairs(truth))
    read_sides = hexside_pairs(read)
    border = {ordered(pair) for pair in read_sides.pop("border", set())}
    sides = _items(read_sides), _items(hexside_pairs(truth))
    signs = [
        {(kind, number) for place in it.places for kind in place.kinds for number in place.hexes}
        for it in (read, truth)
    ]
    places = [{(kind, number) for kind, number in found if kind in legend.places} for found in signs]
    return Marks(
        sum(right.values()) / len(right), sum(rest) / len(rest),
        f1(*links), f1(links[0] - examples, links[1] - examples),
        f1(*sides), f1(sides[0] - examples, sides[1] - examples),
        f1(border, border_pairs(truth)), f1(*places),
    )  # fmt: skip


def f1(found: set[object] | set[Item], true: set[object] | set[Item]) -> float:
    """The harmonic mean of precision and recall.

    >>> f1({1, 2}, {1, 2}), f1({1}, {2})
    (1.0, 0.0)
    """
    return 2 * len(found & true) / max(len(found) + len(true), 1)


def _items(kinds: dict[str, set[tuple[str, str]]]) -> set[Item]:
    return {(kind, *pair) for kind, pairs in kinds.items() for pair in pairs}
