"""Combat tables whose columns are headed by differentials, a row of headings for each terrain."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """The headings of one line of terrain: the lowest differential of each column, from column 1 on."""

    terrain: tuple[str, ...]
    lowest: tuple[int, ...]


@dataclass(frozen=True)
class DifferentialTable:
    """Terrain and differential give a column, the column and the die give a result.

    Rows stand best for the defender first. A differential beyond the headings uses the nearest one.

    >>> rows = (Row(("hill",), (0, 1, 2)), Row(("clear",), (-1, 0, 1, 2)))
    >>> table = DifferentialTable(rows, {1: ("A", "-", "D", "De")})
    >>> table.column("clear", 1), table.column("hill", 1), table.column("hill", -7), table.result(4, 1)
    (3, 2, 1, 'De')
    >>> table.best({"clear", "hill"}).terrain
    ('hill',)
    """

    rows: tuple[Row, ...]
    results: Mapping[int, Sequence[str]]
    right_aligned: bool = False

    def row(self, terrain: str) -> Row | None:
        """The row that names a terrain."""
        return next((row for row in self.rows if terrain in row.terrain), None)

    def best(self, terrain: Collection[str]) -> Row:
        """The row that is best for a defender who may use any of these; the last row where none is named."""
        return next((row for row in self.rows if set(row.terrain) & set(terrain)), self.rows[-1])

    def column(self, terrain: str, differential: int) -> int:
        """The column, counted from 1; KeyError where no row names the terrain."""
        row = self.row(terrain)
        if row is None:
            raise KeyError(terrain)
        return self.column_in(row, differential)

    def column_in(self, row: Row, differential: int) -> int:
        """The column of a differential in a row."""
        shift = len(next(iter(self.results.values()))) - len(row.lowest) if self.right_aligned else 0
        return shift + max(1, bisect_right(row.lowest, differential))

    def result(self, column: int, die: int) -> str:
        """The cell."""
        return self.results[die][column - 1]
