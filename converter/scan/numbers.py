"""Which printed number belongs to which hex of the found lattice: told by known hexes, or read off the map.

Every way to count is tried (columns or rows first, up or down, either half-hex stagger); each sighting of a number
votes for where the count would have to start.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from converter.errors import BadInput
from converter.hexgrid import Grid, Hex, Layout, Numbering
from converter.hexgrid import Lattice as Honeycomb
from converter.scan.found import Lattice, inverse, project
from converter.scenario.map_items import spread_runs

Step = Literal[1, -1]
USUAL = "{column:02}{row:02}"
FEWEST_READ = 4
LEAST_AGREEMENT = 0.6
CLEAR_LEAD = 1.5
OVERHANG = 2.0
"""So many hexes beyond the edge of the picture a grid may reach: a scan may have cut them off."""


@dataclass(frozen=True)
class Sighting:
    """A number seen at a pixel of the scan; a `given` one was told by the user and must fit."""

    number: str
    x: float
    y: float
    given: bool = False


@dataclass(frozen=True)
class Count:
    """One way to count: a format, steps, and whether odd-numbered columns stand half a hex lower (1) or higher."""

    format: str
    column_step: Step
    row_step: Step
    odd_lower: Step


@dataclass(frozen=True)
class Numbered:
    """The map's own grid, where it lies on the straightened picture, and what share of the sightings agreed."""

    grid: Grid
    layout: Layout
    agreement: float | None


def number_grid(
    lattice: Lattice, width: int, height: int, seen: Sequence[Sighting], told: dict[str, Any], where: str = "--at"
) -> Numbered:
    """Fit a numbering to sightings; `told` is the legend's `grid`."""
    if not seen:
        if "columns" in told or "rows" in told:
            raise BadInput(f"{where}: say where one hex is, such as --at 0101=123,456; the extent starts from there")
        return _unnumbered(lattice, width, height)
    count, (col0, half0), agreement = _vote(lattice, seen, told, where)
    least = _least(count.format, seen)
    return replace(_cut_out(lattice, width, height, count, col0, half0, told, least), agreement=agreement)


def _least(format: str, seen: Sequence[Sighting]) -> tuple[int, int]:
    """The lowest column and row: 1, or the letter A, unless a lower one was seen."""
    read = [parts for one in seen if (parts := _parts(format, one.number))]
    columns, rows = zip(*read, strict=True)
    return min(0 if "{column:A" in format else 1, *columns), min(0 if "{row:A" in format else 1, *rows)


def _vote(
    lattice: Lattice, seen: Sequence[Sighting], told: dict[str, Any], where: str
) -> tuple[Count, tuple[int, int], float]:
    places = [_hex_of(lattice, one.x, one.y) for one in seen]
    results: list[_Result] = []
    for order, count in enumerate(_counts(told)):
        starts: dict[int, tuple[int, int]] = {}
        for i, (one, (col, half)) in enumerate(zip(seen, places, strict=True)):
            parts = _parts(count.format, one.number)
            if parts is not None:
                column, row = parts
                first_half = half - 2 * count.row_step * row - count.odd_lower * (column & 1)
                starts[i] = (col - count.column_step * column, first_half)
        votes: Counter[tuple[int, int]] = Counter()
        for i, start in starts.items():
            votes[start] += 1000 if seen[i].given else 1
        if votes:
            start, got = votes.most_common(1)[0]
            agree = frozenset(i for i in starts if starts[i] == start)
            results.append(_Result(got - order * 1e-3, count, start, agree, len(starts)))
    if not results:
        raise BadInput(f"{where}: {seen[0].number!r} is no number of the form {told.get('format', USUAL)}")
    results.sort(key=lambda result: -result.votes)
    best = results[0]
    wrong = [one.number for i, one in enumerate(seen) if one.given and i not in best.agree]
    if wrong:
        raise BadInput(f"{where}: no numbering has hex {wrong[0]} there and {_given(seen, best.agree)}")
    if any(one.given for one in seen):
        return best.count, best.start, 1.0
    rival = max((len(other.agree) for other in results[1:]), default=0)
    agreed = len(best.agree)
    if agreed < FEWEST_READ or agreed < LEAST_AGREEMENT * best.fitting or agreed < CLEAR_LEAD * rival:
        raise BadInput(
            f"the numbers read off the map do not agree ({agreed} of {len(seen)} at best);"
            " say where a hex is: --at 0101=123,456"
        )
    return best.count, best.start, agreed / best.fitting


def decides(lattice: Lattice, seen: Sequence[Sighting], told: dict[str, Any]) -> bool:
    """Whether numbers read off the map agree on one way to count."""
    try:
        _vote(lattice, seen, told, "")
    except BadInput:
        return False
    return True


@dataclass(frozen=True)
class _Result:
    """What one way to count gets: its votes, where it would start, who says so, and how many numbers have its form."""

    votes: float
    count: Count
    start: tuple[int, int]
    agree: frozenset[int]
    fitting: int


def _given(seen: Sequence[Sighting], agree: frozenset[int]) -> str:
    return " and ".join(f"{seen[i].number} at {seen[i].x:g},{seen[i].y:g}" for i in sorted(agree) if seen[i].given)


def _counts(told: dict[str, Any]) -> list[Count]:
    """All ways to count that the legend leaves open, the usual ones first."""
    usual = told.get("format", USUAL)
    formats = [usual] if "format" in told else [usual, "{row:02}{column:02}"]
    columns: list[Step] = [told["column_step"]] if "column_step" in told else [1, -1]
    rows: list[Step] = [told["row_step"]] if "row_step" in told else [1, -1]
    odd: list[Step] = [-1, 1]
    return [Count(*way) for way in itertools.product(formats, columns, rows, odd)]


def _parts(format: str, number: str) -> tuple[int, int] | None:
    """The column's and the row's value in a number."""
    found = Numbering(format, 0, 0).hex(number)
    return (found.col, found.row) if found else None


def _hex_of(lattice: Lattice, x: float, y: float) -> tuple[int, int]:
    """The column of a pixel's hex, and its place down the column in half hexes."""
    (straight_x, straight_y), = project(inverse(lattice.to_scan), np.array([[x, y]]))
    hex = lattice.layout.hex_at(straight_x, straight_y)
    return hex.col, 2 * hex.row + (hex.col & 1)


def _cut_out(
    lattice: Lattice,
    width: int,
    height: int,
    count: Count,
    col0: int,
    half0: int,
    told: dict[str, Any],
    least: tuple[int, int],
) -> Numbered:
    """The grid with its extent: as told, or every hex that lies on the scan as a whole.

    Columns and rows below `least` are margin: the paper goes on there, the count does not.
    """

    def place(column: int, row: int) -> tuple[int, int]:
        return col0 + count.column_step * column, half0 + 2 * count.row_step * row + count.odd_lower * (column & 1)

    first = _parts(count.format, told["first"]) if "first" in told else (1, 1)
    if first is None:
        raise BadInput(f"grid: first: {told['first']!r} is no number of the form {count.format}")
    whole = {
        (column, row): (col, half)
        for col, half in _whole_hexes(lattice, width, height)
        for column in ((col - col0) * count.column_step,)
        for row in ((half - half0 - count.odd_lower * (column & 1)) // 2 * count.row_step,)
        if column >= least[0] and row >= least[1]
    }
    if not whole:
        raise BadInput("no hex with a number of this form lies on the picture as a whole")
    columns, rows = sorted(column for column, _ in whole), sorted(row for _, row in whole)
    low_column, low_row = (first[0] if "columns" in told else columns[0]), (first[1] if "rows" in told else rows[0])
    high_column = low_column + told["columns"] - 1 if "columns" in told else columns[-1]
    high_row = low_row + told["rows"] - 1 if "rows" in told else rows[-1]
    start_column = low_column if count.column_step == 1 else high_column
    start_row = low_row if count.row_step == 1 else high_row
    second_lower = count.odd_lower if start_column % 2 == 0 else -count.odd_lower
    stagger: Literal["down", "up"] = "down" if second_lower == 1 else "up"
    grid = Grid(
        high_column - low_column + 1, high_row - low_row + 1, Honeycomb(stagger),
        Numbering(count.format, start_column, start_row, count.column_step, count.row_step),
        lattice.sideways, told.get("short", "none"),
    )  # fmt: skip
    col, half = place(start_column, start_row)
    layout = replace(
        lattice.layout, x0=lattice.x0 + col * lattice.dx, y0=lattice.y0 + half / 2 * lattice.dy, lattice=grid.lattice
    )
    _refuse_overhang(lattice, width, height, grid, layout)
    if "columns" not in told or "rows" not in told:
        on_scan = set(whole.values())
        numbering = grid.numbering
        absent = []
        for hex in grid.hexes:
            column = numbering.column_start + numbering.column_step * hex.col
            row = numbering.row_start + numbering.row_step * hex.row
            if place(column, row) not in on_scan:
                absent.append(hex)
        grid = replace(grid, absent=frozenset(absent))
    if told.get("absent"):
        grid = replace(grid, absent=grid.absent | _told_absent(grid, told["absent"]))
    return Numbered(grid, layout, None)


def _refuse_overhang(lattice: Lattice, width: int, height: int, grid: Grid, layout: Layout) -> None:
    """BadInput where the grid reaches beyond the picture, by more than hexes that a scan may have cut off."""
    slack = OVERHANG * lattice.dy
    for col, row in itertools.product((0, grid.columns - 1), (0, grid.rows - 1)):
        hex = Hex(col, row)
        (x, y), = project(lattice.to_scan, np.array([layout.centre(hex)]))
        if not (-slack <= x <= width + slack and -slack <= y <= height + slack):
            raise BadInput(
                f"grid: {grid.columns} columns and {grid.rows} rows do not fit on the picture:"
                f" hex {grid.numbering.number(hex)} would be at {x:.0f},{y:.0f} of {width} x {height} pixels"
            )


def _told_absent(grid: Grid, numbers: Sequence[str]) -> frozenset[Hex]:
    return frozenset(grid.hex(number) for number in spread_runs(numbers, grid) if number in grid)


def _whole_hexes(lattice: Lattice, width: int, height: int) -> list[tuple[int, int]]:
    """Every hex that lies on the scan with all its corners: column, and half hexes down it."""
    layout = lattice.layout
    found = []
    for x, y in project(inverse(lattice.to_scan), lattice.centres(width, height)):
        hex = layout.hex_at(x, y)
        corners = project(lattice.to_scan, np.array(layout.corners(hex)))
        if (corners >= -0.5).all() and (corners[:, 0] < width + 0.5).all() and (corners[:, 1] < height + 0.5).all():
            found.append((hex.col, 2 * hex.row + (hex.col & 1)))
    if not found:
        raise BadInput("no hex of the grid lies on the picture as a whole")
    return found


def _unnumbered(lattice: Lattice, width: int, height: int) -> Numbered:
    """Where no number is known: counted from the first hex on the scan."""
    whole = _whole_hexes(lattice, width, height)
    col = min(col for col, _ in whole)
    half = min(half for at, half in whole if (at - col) % 2 == 0)
    count = Count(USUAL, 1, 1, -1)
    return _cut_out(lattice, width, height, count, col - 1, half - 2 + 1, {}, (0, 0))
