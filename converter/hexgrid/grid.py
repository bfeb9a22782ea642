"""A map's own piece of the honeycomb: which hexes it has and the numbers printed in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, repeat
from typing import Literal

from converter.hexgrid.lattice import DOWN, STEPS, Hex, Lattice
from converter.hexgrid.numbering import CCRR, Numbering

Short = Literal["none", "first", "second"]
_new_hex: Callable[[tuple[int, int]], Hex] = partial(tuple.__new__, Hex)  # for thousands: without a call of ours


@dataclass(frozen=True)
class Grid:
    """`columns` times `rows` hexes, less what is missing.

    Of two neighbouring columns one is often a hex shorter: `short` says whether the first, third, ... ("first") or the
    second, fourth, ... ("second") are. `absent` are further places within the rectangle that are no hexes of the map
    (a stepped outline, a chart printed over them).

    >>> sheet = Grid(columns=3, rows=2)
    >>> sheet.numbers
    ('0101', '0102', '0201', '0202', '0301', '0302')
    >>> sheet.neighbours("0202")
    ('0201', '0302', '0102')
    >>> sheet.distance("0101", "0302"), "0303" in sheet
    (2, False)
    """

    columns: int
    rows: int
    lattice: Lattice = DOWN
    numbering: Numbering = CCRR
    sideways: bool = False
    short: Short = "none"
    absent: frozenset[Hex] = frozenset()

    def __contains__(self, number: object) -> bool:
        return number in self._hex_of

    def __len__(self) -> int:
        return len(self.hexes)

    def rows_of(self, col: int) -> int:
        """How many rows a column has, absent hexes not yet taken out."""
        return self.rows - (self.short == ("second" if col & 1 else "first"))

    @cached_property
    def hexes(self) -> tuple[Hex, ...]:
        """Every hex of the map, column by column."""
        every = (zip(repeat(col), range(self.rows_of(col))) for col in range(self.columns))
        hexes = map(_new_hex, chain.from_iterable(every))
        return tuple([hex for hex in hexes if hex not in self.absent] if self.absent else hexes)

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The printed numbers, in the order of `hexes`."""
        return self.numbering.numbers(self.hexes)

    @cached_property
    def _hex_of(self) -> dict[str, Hex]:
        return dict(zip(self.numbers, self.hexes, strict=True))

    def hex(self, number: str) -> Hex:
        """The hex with this number; KeyError where the map has none."""
        return self._hex_of[number]

    def number(self, hex: Hex) -> str | None:
        """The number printed in a hex; None where it is not on the map."""
        number = self.numbering.number(hex)
        return number if self._hex_of.get(number) == hex else None

    def neighbours(self, number: str) -> tuple[str, ...]:
        """The numbers round a hex, those off the map left out, in the order of the directions."""
        return self._round[number]

    @cached_property
    def _round(self) -> dict[str, tuple[str, ...]]:
        numbers = self.numbers
        around = self.index.neighbours
        return {number: tuple([numbers[other] for other in around[i]]) for i, number in enumerate(numbers)}

    def touch(self, one: str, other: str) -> bool:
        """Do two hexes share a side?"""
        index = self.index
        return index.of[other] in index.neighbours[index.of[one]]

    def distance(self, one: str, other: str) -> int:
        """How many hexes apart, counted straight across whatever lies between, the map's edge included."""
        index = self.index
        (q, r), (other_q, other_r) = index.axial[index.of[one]], index.axial[index.of[other]]
        q, r = other_q - q, other_r - r
        return max(abs(q), abs(r), abs(q + r))  # as Lattice.distance

    def within(self, number: str, radius: int) -> tuple[str, ...]:
        """The numbers at most `radius` away, the hex itself first, those off the map left out."""
        return self._on_map(self.lattice.area(self.hex(number), radius))

    def ring(self, number: str, radius: int) -> tuple[str, ...]:
        """The numbers exactly `radius` away."""
        return self._on_map(self.lattice.ring(self.hex(number), radius))

    def line(self, start: str, end: str, lean: Literal[-1, 1] = 1) -> tuple[str, ...]:
        """The numbers a straight line passes, ends included; see `Lattice.line`."""
        return self._on_map(self.lattice.line(self.hex(start), self.hex(end), lean))

    def _on_map(self, hexes: Iterable[Hex]) -> tuple[str, ...]:
        return tuple(number for hex in hexes if (number := self.number(hex)) is not None)

    @cached_property
    def edge(self) -> tuple[str, ...]:
        """The numbers of hexes with less than six neighbours: the map's rim, and the rim of holes in it."""
        neighbours = self.index.neighbours
        return tuple(number for number, round_it in zip(self.numbers, neighbours, strict=True) if len(round_it) < 6)

    @cached_property
    def index(self) -> Index:
        """The map as whole numbers, for searches that visit thousands of hexes. Made once."""
        axial = tuple(map(self.lattice.axial, self.hexes))
        wide = 2 * (self.columns + self.rows) + 3  # a place as one number: no step leads round to another column
        places = [q * wide + r for q, r in axial]
        at = {place: i for i, place in enumerate(places)}
        steps = [q * wide + r for q, r in STEPS]
        neighbours = tuple([tuple([at[place + step] for step in steps if place + step in at]) for place in places])
        return Index({number: i for i, number in enumerate(self.numbers)}, neighbours, axial)


@dataclass(frozen=True)
class Index:
    """Hexes counted from 0 in the order of `Grid.numbers`: `of` a number, the `neighbours` of each, and its place in
    the honeycomb (see `Lattice.axial`)."""

    of: dict[str, int]
    neighbours: tuple[tuple[int, ...], ...]
    axial: tuple[tuple[int, int], ...]

    @cached_property
    def places(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The places in the honeycomb, all first numbers and all second ones."""
        return tuple(q for q, _ in self.axial), tuple(r for _, r in self.axial)
