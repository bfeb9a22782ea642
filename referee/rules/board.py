"""A map as the searches see it: hexes as whole numbers, steps between them with a range of costs.

Costs are whole numbers of ticks, twelve to a movement point, so that halves, thirds and quarters add up exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence, Set
from functools import cache, cached_property
from typing import NamedTuple

from converter.hexgrid import Grid

TICKS = 12
NEVER = 1_000_000


class Cost(NamedTuple):
    """What a step costs: at least `low`, at most `high`; NEVER where it is, or may be, forbidden."""

    low: int
    high: int
    why: str = ""


@cache
def ticks(points: float | int | str) -> int:
    """Movement points as ticks.

    >>> ticks(0.5), ticks("1/3"), ticks(2)
    (6, 4, 24)
    """
    if not isinstance(points, str):
        return round(points * TICKS)
    from fractions import Fraction  # slow to load, and seldom needed

    return round(Fraction(points) * TICKS)


def points(amount: int) -> str:
    """Ticks as a player writes movement points.

    >>> points(6), points(18), points(24), points(NEVER)
    ('½', '1½', '2', 'never')
    """
    if amount >= NEVER:
        return "never"
    whole, part = divmod(amount, TICKS)
    mark = {0: "", 3: "¼", 4: "⅓", 6: "½", 8: "⅔", 9: "¾"}.get(part, f" {part}/{TICKS}")
    return f"{whole or ''}{mark}" or "0"


Steps = tuple[tuple[int, int], ...]
"""Neighbours of a hex, each with what entering it costs."""


class Survey(NamedTuple):
    """Steps whose cost needs no working out: `entry` is what a hex costs from any side, None where that is not known;
    the steps in `marked`, from hex to hex, cost otherwise."""

    entry: Sequence[Cost | None]
    marked: Set[tuple[int, int]]


class Board:
    """A grid with the game's cost of each step, worked out when first asked and then kept."""

    def __init__(self, grid: Grid, cost: Callable[[str, str], Cost], least: int, survey: Survey | None = None) -> None:
        """`least` is the cheapest any step can be; searches use it to leave hopeless directions out."""
        self.grid = grid
        self.numbers = grid.numbers
        self.of = grid.index.of
        self.neighbours = grid.index.neighbours
        self.least = least
        self._cost = cost
        self._costs: dict[tuple[int, int], Cost] = {}
        self._entry, self._marked = survey or Survey((None,) * len(grid.numbers), frozenset())
        self._from_marked = {a for a, _ in self._marked}
        self.known: tuple[list[Steps | None], list[Steps | None]] = (
            [None] * len(self.numbers),
            [None] * len(self.numbers),
        )
        self.q, self.r = grid.index.places

    @cached_property
    def _enter(self) -> tuple[list[tuple[int, int] | None], ...]:
        """The step into each hex from any side, at its cheapest and at its dearest; shared by all its neighbours."""
        return tuple(
            [cost and (at, cost.high if dear else cost.low) for at, cost in enumerate(self._entry)]
            for dear in (False, True)
        )

    def distance(self, a: int, b: int) -> int:
        """Hexes apart."""
        q, r = self.q[b] - self.q[a], self.r[b] - self.r[a]
        return max(abs(q), abs(r), abs(q + r))

    def cost(self, a: int, b: int) -> Cost:
        """The cost of stepping from one hex into the next."""
        entry = self._entry[b]
        if entry is not None and self._entry[a] is not None and (a, b) not in self._marked:
            return entry
        found = self._costs.get((a, b))
        if found is None:
            found = self._costs[a, b] = self._cost(self.numbers[a], self.numbers[b])
        return found

    def steps(self, a: int, dear: bool) -> Steps:
        """The neighbours of a hex with the cost of entering each, at its cheapest or at its dearest."""
        found = self.known[dear][a]
        if found is None:
            found = self._enter_steps(a, dear) or self._costed_steps(a, dear)
            self.known[dear][a] = found
        return found

    def _enter_steps(self, a: int, dear: bool) -> Steps | None:
        """The steps where all of them cost what the terrain costs."""
        if self._entry[a] is None or a in self._from_marked:
            return None
        enter = self._enter[dear]
        found = [enter[b] for b in self.neighbours[a]]
        return None if None in found else tuple(found)  # type: ignore[arg-type]

    def _costed_steps(self, a: int, dear: bool) -> Steps:
        enter = self._enter[dear] if self._entry[a] is not None else None
        found = []
        for b in self.neighbours[a]:
            step = enter[b] if enter is not None and (a, b) not in self._marked else None
            if step is None:
                cost = self.cost(a, b)
                step = (b, cost.high if dear else cost.low)
            found.append(step)
        return tuple(found)


class Pretence(Board):
    """A board that differs from another one only in the steps between some hexes."""

    def __init__(self, like: Board, cost: Callable[[str, str], Cost], least: int, hexes: Collection[int]) -> None:
        super().__init__(like.grid, cost, least)
        self._like = like
        self._hexes = hexes

    def steps(self, a: int, dear: bool) -> Steps:
        """As on the other board, where nothing differs."""
        found = self.known[dear][a]
        if found is None:
            found = self._like.steps(a, dear)
            if a in self._hexes:
                costs = {b: self.cost(a, b) for b, _ in found if b in self._hexes}
                found = tuple(
                    [(b, (costs[b].high if dear else costs[b].low) if b in costs else cost) for b, cost in found]
                )
            self.known[dear][a] = found
        return found
