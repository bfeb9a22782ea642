r"""The endless honeycomb: which hexes touch, how far apart two are, what lies between. No pixels, no printed numbers.

A *column* is a line of hexes joined side to side. On a flat-top sheet columns run down the page; on a `sideways`
sheet the same columns run across it, as in VASSAL. Rows count along a column. Every second column stands half a hex
further on; `stagger` says which way: "down" puts odd columns half a hex toward higher rows, "up" toward lower ones.

Directions count 0 to 5 round a hex: 0 is one row back in the same column, then toward the next column, and so on:

        0                The names hold for a flat-top sheet with row numbers growing downward.
     5 /‾\ 1
     4 \_/ 2
        3
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Stagger = Literal["down", "up"]
DIRECTIONS = range(6)

STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))  # axial (q, r), in the order of the directions


class Hex(NamedTuple):
    """A hex by its place in the honeycomb, counted from 0."""

    col: int
    row: int


class Hexside(NamedTuple):
    """One side, under one name for both hexes that share it: the hex that has it in direction 0, 1 or 2.

    >>> board = Lattice()
    >>> board.hexside(Hex(2, 2), Hex(2, 1)) == board.hexside(Hex(2, 1), Hex(2, 2)) == Hexside(Hex(2, 2), 0)
    True
    """

    hex: Hex
    direction: int


@dataclass(frozen=True)
class Lattice:
    """A honeycomb with its stagger.

    >>> Lattice("down").neighbours(Hex(1, 1))
    (Hex(col=1, row=0), Hex(col=2, row=1), Hex(col=2, row=2), Hex(col=1, row=2), Hex(col=0, row=2), Hex(col=0, row=1))
    """

    stagger: Stagger = "down"

    def axial(self, hex: Hex) -> tuple[int, int]:
        """The coordinates in which a step in a direction is the same everywhere."""
        col, row = hex
        shift = col & 1
        return col, row - ((col - shift if self.stagger == "down" else col + shift) >> 1)

    def from_axial(self, q: int, r: int) -> Hex:
        """The hex back from its axial coordinates."""
        shift = q & 1
        return Hex(q, r + ((q - shift if self.stagger == "down" else q + shift) >> 1))

    def neighbour(self, hex: Hex, direction: int) -> Hex:
        """The hex across the side in `direction` (0 to 5)."""
        q, r = self.axial(hex)
        step_q, step_r = STEPS[direction % 6]
        return self.from_axial(q + step_q, r + step_r)

    def neighbours(self, hex: Hex) -> tuple[Hex, ...]:
        """The six hexes round this one, in the order of the directions."""
        q, r = self.axial(hex)
        return tuple(self.from_axial(q + step_q, r + step_r) for step_q, step_r in STEPS)

    def direction(self, start: Hex, to: Hex) -> int | None:
        """The direction from a hex to one it touches; None where they do not touch.

        >>> Lattice().direction(Hex(0, 0), Hex(1, 0)), Lattice().direction(Hex(0, 0), Hex(2, 0))
        (2, None)
        """
        (q, r), (to_q, to_r) = self.axial(start), self.axial(to)
        step = (to_q - q, to_r - r)
        return STEPS.index(step) if step in STEPS else None

    def distance(self, one: Hex, other: Hex) -> int:
        """How many hexes apart; 0 for the same hex, 1 for hexes that touch.

        >>> Lattice().distance(Hex(0, 0), Hex(2, 1))
        2
        """
        (q, r), (other_q, other_r) = self.axial(one), self.axial(other)
        q, r = other_q - q, other_r - r
        return max(abs(q), abs(r), abs(q + r))

    def ring(self, centre: Hex, radius: int) -> tuple[Hex, ...]:
        """All hexes exactly `radius` away, in order round the centre.

        >>> [len(Lattice().ring(Hex(5, 5), radius)) for radius in range(4)]
        [1, 6, 12, 18]
        """
        if radius <= 0:
            return (centre,) if radius == 0 else ()
        q, r = self.axial(centre)
        q, r = q + STEPS[0][0] * radius, r + STEPS[0][1] * radius
        found = []
        for side in (2, 3, 4, 5, 0, 1):
            for _ in range(radius):
                found.append(self.from_axial(q, r))
                q, r = q + STEPS[side][0], r + STEPS[side][1]
        return tuple(found)

    def area(self, centre: Hex, radius: int) -> tuple[Hex, ...]:
        """All hexes within `radius`, nearest first.

        >>> [len(Lattice().area(Hex(5, 5), radius)) for radius in range(4)]
        [1, 7, 19, 37]
        """
        return tuple(hex for distance in range(radius + 1) for hex in self.ring(centre, distance))

    def line(self, start: Hex, end: Hex, lean: Literal[-1, 1] = 1) -> tuple[Hex, ...]:
        """The hexes a straight line between two centres passes, ends included.

        Where the line runs along a hexside, `lean` takes the hexes on one side of it or on the other.

        >>> [hex.row for hex in Lattice().line(Hex(0, 0), Hex(0, 3))]
        [0, 1, 2, 3]
        >>> Lattice().line(Hex(0, 0), Hex(2, 0))[1], Lattice().line(Hex(0, 0), Hex(2, 0), lean=-1)[1]
        (Hex(col=1, row=0), Hex(col=1, row=-1))
        """
        (q, r), (end_q, end_r) = self.axial(start), self.axial(end)
        steps = max(self.distance(start, end), 1)
        passed = []
        for i in range(steps + 1):
            share = i / steps
            at_q = q + (end_q - q) * share + lean * 1e-6
            at_r = r + (end_r - r) * share + lean * 2e-6
            passed.append(self.from_axial(*round_axial(at_q, at_r)))
        return tuple(passed) if start != end else (start,)

    def hexside(self, one: Hex, other: Hex) -> Hexside:
        """The side two touching hexes share; ValueError where they do not touch."""
        direction = self.direction(one, other)
        if direction is None:
            raise ValueError(f"{tuple(one)} and {tuple(other)} do not touch")
        return self.side(one, direction)

    def side(self, hex: Hex, direction: int) -> Hexside:
        """A hex's side in `direction`; it exists at the map's edge too, where there is no hex beyond."""
        direction %= 6
        return Hexside(hex, direction) if direction < 3 else Hexside(self.neighbour(hex, direction), direction - 3)

    def sides(self, hex: Hex) -> tuple[Hexside, ...]:
        """The six sides, in the order of the directions."""
        return tuple(self.side(hex, direction) for direction in DIRECTIONS)

    def hexes_of(self, hexside: Hexside) -> tuple[Hex, Hex]:
        """The two hexes a side lies between."""
        return hexside.hex, self.neighbour(hexside.hex, hexside.direction)


DOWN = Lattice()


def round_axial(q: float, r: float) -> tuple[int, int]:
    """The axial coordinates of the hex in which a point given in axial coordinates lies."""
    s = -q - r
    round_q, round_r, round_s = round(q), round(r), round(s)
    off_q, off_r, off_s = abs(round_q - q), abs(round_r - r), abs(round_s - s)
    if off_q > off_r and off_q > off_s:
        round_q = -round_r - round_s
    elif off_r > off_s:
        round_r = -round_q - round_s
    return round_q, round_r
