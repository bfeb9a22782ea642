"""Where reinforcements may come in: the listed hex, next to it on the edge if it is barred, farther after a wait."""

from __future__ import annotations

from collections.abc import Collection

from converter.hexgrid import Grid


def edges_of(grid: Grid, number: str, last_row: int | None = None) -> set[str]:
    """The edges of the map a hex lies on: first or last column, first or last row.

    `last_row` is the last row (from 1) where the grid has spare rows beyond it.

    >>> sorted(edges_of(Grid(columns=19, rows=12), "1901"))
    ['first row', 'last column']
    """
    hex = grid.hex(number)
    rows = last_row if last_row is not None else grid.rows
    found = set()
    if hex.col == 0:
        found.add("first column")
    if hex.col == grid.columns - 1:
        found.add("last column")
    if hex.row == 0:
        found.add("first row")
    if hex.row >= rows - 1:
        found.add("last row")
    return found


def beside_on_edge(grid: Grid, listed: str, other: str, last_row: int | None = None) -> bool | None:
    """Is `other` next to the listed hex along its map edge? None where it is not known to be an edge hex.

    >>> map_ = Grid(columns=19, rows=12)
    >>> beside_on_edge(map_, "1903", "1904"), beside_on_edge(map_, "1903", "1803"), beside_on_edge(map_, "1005", "1006")
    (True, False, None)
    """
    if not grid.touch(listed, other):
        return False
    edges = edges_of(grid, listed, last_row)
    if not edges:
        return None
    return bool(edges & edges_of(grid, other, last_row))


def in_wide_zone(grid: Grid, listed: Collection[str], other: str, reach: int, last_row: int | None = None) -> bool:
    """Is `other` an edge hex within `reach` of a listed one? With no known edge, distance alone decides.

    >>> map_ = Grid(columns=19, rows=12)
    >>> [in_wide_zone(map_, ["1903"], other, 3) for other in ("1601", "1907", "1704")]
    [True, False, False]
    """
    for number in listed:
        if grid.distance(number, other) > reach:
            continue
        if not edges_of(grid, number, last_row) or edges_of(grid, other, last_row):
            return True
    return False
