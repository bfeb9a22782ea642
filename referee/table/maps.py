"""The bundled map files of the games, and their grids with room for what the rulebooks do not name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from converter.hexgrid import Grid
from converter.kept import kept
from converter.scenario import MapFile
from converter.scenario.map_codec import decode_map
from referee.checks import DATA

SPARE_ROWS = 6  # beyond the rows that the text names; its columns end where units enter and leave the map


@cache
def sheet(game: str, map_name: str) -> MapFile:
    """A map file of a game."""
    return decode_map(kept(DATA.parent / "maps" / game / f"{map_name}.yaml", _sound))


def _sound(path: Path) -> dict[str, Any]:
    """A map file's data, looked through for mistakes once and not at each start."""
    from converter.scenario.folder import read_map_data  # slow to load, and seldom needed

    return read_map_data(path)


@cache
def wide_grid(game: str, map_name: str) -> Grid:
    """The map's grid; where its extent is not certain, with room for hexes that the text does not name."""
    it = sheet(game, map_name)
    if it.extent == "certain":
        return it.grid
    return replace(it.grid, rows=it.grid.rows + SPARE_ROWS, short="none")


def hex_reader(grid: Grid) -> Callable[[Any], str | None]:
    """A function that reads a hex as people write it; None where the map has none such."""

    def read(value: Any) -> str | None:
        number = f"{value:04d}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
        return number if number in grid else None

    return read
