"""A VASSAL board as a map: its hexes with their printed numbers, squares, named points, and zones as boxes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import ceil, floor
from operator import itemgetter
from typing import Literal

from converter.hexgrid import Grid, Hex, Lattice, Layout
from converter.hexgrid import Numbering as Printed
from converter.importing.notes import Notes
from converter.scenario import Box, MapFile, OtherGrid, Picture, Source
from converter.vassal.grids import HexGrid, RegionGrid, SquareGrid, UnknownLocation, Zone, ZonedGrid
from converter.vassal.maps import Board

MOST = 700  # columns or rows of a map.yaml
UNKNOWN_SIZE = (2000, 2000)
MARGIN = 100  # pixels round the outermost counter of a map of unknown size
FAR = 100_000  # pixels: what a map.yaml can tell of a size or a place
WIDEST = 10_000  # pixels between two hexes or squares
EMPTY = (600, 400)
NO_HEXES = Grid(1, 1, absent=frozenset({Hex(0, 0)}))
NO_LABELS = Printed()


@dataclass(frozen=True)
class _Ground:
    """The hexes of a board as far as they were found."""

    grid: Grid
    picture: Picture
    other: OtherGrid | None = None


def map_of(
    board: Board, name: str, image: str | None, source: Source, notes: Notes, reach: tuple[int, int] = (0, 0)
) -> MapFile:
    """The map of a board; `image` is where its picture goes in the folder, None where it has none.

    A board of unknown size is as large as its zones need and as counters are known to `reach`.
    """
    known = board.size is not None and all(0 < length <= FAR for length in board.size)
    size = board.size if board.size and known else _guessed_size(board, reach)
    plain = Picture(size[0], size[1], 100.0, 100.0, 0.0, 0.0, image=image)
    grid = board.grid
    boxes: tuple[Box, ...] = ()
    if isinstance(grid, ZonedGrid):
        main = _main_zone(grid)
        boxes = tuple(_boxes(grid, main, source, board.name, notes))
        grid = grid.background or (main.grid if main else None)
    ground = _Ground(NO_HEXES, plain)
    if isinstance(grid, HexGrid):
        ground = _hexes(grid, size, plain, board.name, notes)
    elif isinstance(grid, SquareGrid):
        ground = replace(ground, other=_squares(grid, board.name, notes))
    elif isinstance(grid, RegionGrid):
        points = tuple((region.name[:200], _near(region.x), _near(region.y)) for region in grid.regions if region.name)
        ground = replace(ground, other=OtherGrid("points", points=points))
    elif isinstance(grid, ZonedGrid):
        notes.missing(f"board '{board.name}'", "a zoned grid within a zone is not kept")
    return MapFile(
        name,
        ground.grid,
        title=board.name[:200] or None,
        extent="certain" if known else "at-least",
        grid_source=source,
        picture=ground.picture,
        other_grid=ground.other,
        boxes=boxes,
    )


def _guessed_size(board: Board, reach: tuple[int, int]) -> tuple[int, int]:
    zones = board.grid.zones if isinstance(board.grid, ZonedGrid) else ()
    points = [reach, *(point for zone in zones for point in zone.polygon.points)]
    width, height = (max(point[axis] for point in points) + MARGIN for axis in (0, 1))
    return max(UNKNOWN_SIZE[0], min(width, FAR)), max(UNKNOWN_SIZE[1], min(height, FAR))


def empty_sheet(
    name: str, title: str, source: Source, size: tuple[int, int] = EMPTY, note: str | None = None
) -> MapFile:
    """A sheet without a grid."""
    picture = Picture(*size, 100.0, 100.0, 0.0, 0.0)
    return MapFile(
        name,
        NO_HEXES,
        title=title[:200] or None,
        extent="at-least",
        grid_source=source,
        grid_note=note,
        picture=picture,
    )


def _main_zone(grid: ZonedGrid) -> Zone | None:
    """Where there is no grid behind the zones: the largest zone with hexes, or else with any grid."""
    if grid.background is not None:
        return None
    with_grid = [zone for zone in grid.zones if zone.grid is not None and not zone.use_parent_grid]
    hexes = [zone for zone in with_grid if isinstance(zone.grid, HexGrid)]
    return max(hexes or with_grid, key=lambda zone: zone.polygon.size[0] * zone.polygon.size[1], default=None)


def _boxes(grid: ZonedGrid, main: Zone | None, source: Source, board: str, notes: Notes) -> list[Box]:
    boxes: list[Box] = []
    names: set[str] = set()
    for zone in grid.zones:
        if zone is main or zone.use_parent_grid:
            continue
        where = f"board '{board}', zone '{zone.name}'"
        name = zone.name[:200]
        if not name or name in names or len(zone.polygon.points) < 3:
            notes.missing(where, "has no name of its own or no area; left out")
            continue
        if zone.grid is not None:
            notes.missing(where, "its own grid is not kept; counters in it are known by their pixels or by the zone")
        names.add(name)
        boxes.append(Box(name, "zone", source, outline=tuple(zone.polygon.points)))
    return boxes


def _near(coordinate: int) -> int:
    return max(-FAR, min(FAR, coordinate))


def _squares(grid: SquareGrid, board: str, notes: Notes) -> OtherGrid | None:
    if max(grid.dx, grid.dy) > WIDEST or max(abs(grid.x0), abs(grid.y0)) > FAR:
        notes.missing(f"board '{board}'", "its squares are too large or too far off to be kept")
        return None
    it = grid.numbering
    labels: tuple[tuple[str, str | int | bool], ...] | None = None
    if it is not None:
        names = (
            "first",
            "sep",
            "h_type",
            "v_type",
            "h_leading",
            "v_leading",
            "h_off",
            "v_off",
            "h_descend",
            "v_descend",
        )
        labels = tuple((name, getattr(it, name)) for name in (*names, "location_format"))
    return OtherGrid("squares", grid.dx, grid.dy, grid.x0, grid.y0, labels)


@dataclass(frozen=True)
class _Column:
    """The hexes of a raw column whose middle is on the board: raw rows from `top` on, and where their middles are, in
    pixels of an upright grid."""

    raw: int
    x: int
    top: int
    ys: tuple[int, ...]


def _hexes(grid: HexGrid, size: tuple[int, int], plain: Picture, board: str, notes: Notes) -> _Ground:
    """The hexes whose middle is on the board."""
    first_col = ceil(-grid.x0 / grid.dx)
    columns = _columns(grid, size, first_col)
    where = f"board '{board}'"
    if not columns or max(grid.dx, grid.dy) > WIDEST:
        notes.missing(where, "its hex grid has no hexes on the board, or too many")
        return _Ground(NO_HEXES, plain)
    numbered = _numbered(grid, columns, size, first_col)
    if numbered is None:
        points = dict.fromkeys(_point(grid, it.x, y) for it in columns for y in it.ys)
        known = [(label, *point) for point in points if (label := _label(grid, point, size))]
        if known and len({label for label, *_ in known}) == len(known):
            notes.missing(where, "its hexes are numbered in a way map.yaml has no words for; kept as named points")
            return _Ground(NO_HEXES, plain, OtherGrid("points", points=tuple(known)))
        notes.missing(where, "its hexes have no numbers; they were numbered by column and row")
        numbered = _rectangle(columns, first_col, "up" if first_col % 2 else "down")
        if max(numbered[0].columns, numbered[0].rows) > 99:  # as many digits for each, or two hexes share a number
            numbered = replace(numbered[0], numbering=Printed("{column:03}{row:03}")), numbered[1]
    made, first = numbered
    layout = _layout(made, first, grid)
    sideways = replace(made, sideways=grid.sideways)
    return _Ground(sideways, replace(plain, dx=grid.dx, dy=grid.dy, x0=float(layout.x0), y0=float(layout.y0)))


def _columns(grid: HexGrid, size: tuple[int, int], first_col: int) -> list[_Column]:
    """The columns that have hexes on the board, none where those are too many."""
    across, down = size[::-1] if grid.sideways else size
    rows: list[tuple[int, tuple[int, ...]]] = []  # of an even column, of an odd one
    for half in (0.0, grid.dy / 2):
        top, bottom = ceil((-grid.y0 - half) / grid.dy), floor((down - 1 - grid.y0 - half) / grid.dy)
        if bottom - top >= MOST * MOST:
            return []
        rows.append((top, tuple(round(grid.y0 + row * grid.dy + half) for row in range(top, bottom + 1))))
    last_col = min(floor((across - 1 - grid.x0) / grid.dx), first_col + MOST - 1)
    raws = [raw for raw in range(first_col, last_col + 1) if rows[raw % 2][1]]
    if sum(len(rows[raw % 2][1]) for raw in raws) > MOST * MOST:
        return []
    return [_Column(raw, round(grid.x0 + raw * grid.dx), *rows[raw % 2]) for raw in raws]


def _point(grid: HexGrid, x: int, y: int) -> tuple[int, int]:
    """A point of an upright grid where it is on the board."""
    return (y, x) if grid.sideways else (x, y)


def _label(grid: HexGrid, point: tuple[int, int], size: tuple[int, int]) -> str | None:
    try:
        return grid.location(*point, size)
    except UnknownLocation:
        return None


def _numbered(
    grid: HexGrid, columns: Sequence[_Column], size: tuple[int, int], first_col: int
) -> tuple[Grid, tuple[int, int]] | None:
    """The grid whose printed numbers are the board's labels; None where none is."""
    it = grid.numbering
    if it is None or it.oblique or it.location_format != "$gridLocation$":
        return None
    column = "{column:A}" if it.h_type == "A" else f"{{column:0{it.h_leading + 1}}}"
    row = "{row:A}" if it.v_type == "A" else f"{{row:0{it.v_leading + 1}}}"
    if it.h_leading > 8 or it.v_leading > 8 or set("{}") & set(it.sep):
        return None
    form = column + it.sep + row if it.first == "H" else row + it.sep + column

    def line(at: _Column, index: int, axis: int) -> int:
        return grid.column_row(*_point(grid, at.x, at.ys[index]), size)[axis]

    here = {at.raw: at for at in columns}
    column_step = _step((line(at, 0, 0), line(here[at.raw + 2], 0, 0)) for at in columns if at.raw + 2 in here)
    row_step = _step((line(at, i, 1), line(at, i + 1, 1)) for at in columns for i in range(len(at.ys) - 1))
    sample = columns[0]
    # In the second column, does row r stand lower or higher than in the first? The labels decide.
    for stagger in ("down", "up"):
        made, first = _rectangle(columns, first_col, stagger)
        column_start = line(sample, 0, 0) + it.h_off - column_step * (sample.raw - first_col)
        row_start = line(sample, 0, 1) + it.v_off - row_step * (_lattice_row(first_col, stagger, sample) - first[1])
        candidate = replace(made, numbering=Printed(form, column_start, row_start, column_step, row_step))
        if _agrees(candidate, first, grid, size):
            return candidate, first
    return None


def _step(pairs: Iterable[tuple[int, int]]) -> Literal[1, -1]:
    """Whether numbers grow (1) or fall (-1) from one place to the next."""
    return next((1 if next_one > one else -1 for one, next_one in pairs if next_one != one), 1)


def _rectangle(columns: Sequence[_Column], first_col: int, stagger: str) -> tuple[Grid, tuple[int, int]]:
    """The smallest rectangle of columns and rows round the hexes, and the raw place of its first one."""
    tops = {at.raw - first_col: _lattice_row(first_col, stagger, at) for at in columns}
    ends = {at.raw - first_col: tops[at.raw - first_col] + len(at.ys) for at in columns}
    top = min(tops.values())
    grid = Grid(max(tops) + 1, max(ends.values()) - top, Lattice("up" if stagger == "up" else "down"), NO_LABELS)
    there = {col: range(tops[col] - top, ends[col] - top) if col in tops else range(0) for col in range(grid.columns)}
    for short in ("none", "first", "second"):
        trial = replace(grid, short=short)
        if all(rows == range(trial.rows_of(col)) for col, rows in there.items()):
            return trial, (first_col, top)
    missing = frozenset(Hex(col, row) for col, rows in there.items() for row in range(grid.rows) if row not in rows)
    return replace(grid, absent=missing), (first_col, top)


def _lattice_row(first_col: int, stagger: str, column: _Column) -> int:
    """The row of a column's first hex as the lattice counts, from the same line as in the first column."""
    if first_col % 2 == 0:
        return column.top + 1 if column.raw % 2 and stagger == "up" else column.top
    return column.top if column.raw % 2 or stagger == "up" else column.top - 1


def _layout(made: Grid, first: tuple[int, int], grid: HexGrid) -> Layout:
    """Where the hexes are on the picture."""
    raw, row = first
    half = grid.dy / 2 if raw % 2 else 0.0
    x0, y0 = grid.x0 + raw * grid.dx, grid.y0 + row * grid.dy + half
    return Layout(grid.dx, grid.dy, x0, y0, grid.sideways, 0.0, made.lattice)


def _agrees(made: Grid, first: tuple[int, int], grid: HexGrid, size: tuple[int, int]) -> bool:
    """Does every hex have the board's own label, and none twice?

    To the board the column of a point hangs on x alone, the row on y and on which kind of column it is: so of several
    columns of a kind that have the same rows, only the first is looked at hex by hex.
    """
    told, printed, layout = grid.numbering, made.numbering, _layout(made, first, grid)
    assert told is not None
    looked_at = set()
    for col, hexes in groupby(made.hexes, key=itemgetter(0)):
        rows = [row for _, row in hexes]
        raw, odd = grid.column_at(round(layout.x0 + col * layout.dx))
        kind = (col % 2, raw % 2, odd, *rows)
        for row in rows[:1] if kind in looked_at else rows:
            x, y = layout.centre(Hex(col, row))
            column_number, row_number = grid.column_row(round(x), round(y), size)
            if (
                column_number + told.h_off != printed.column_start + printed.column_step * col
                or row_number + told.v_off != printed.row_start + printed.row_step * row
            ):
                return False
        looked_at.add(kind)
    return len(set(made.numbers)) == len(made.numbers)
