"""A VASSAL board as a map: its hexes with their printed numbers, squares, named points, and zones as boxes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, floor
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


def _hexes(grid: HexGrid, size: tuple[int, int], plain: Picture, board: str, notes: Notes) -> _Ground:
    """The hexes whose middle is on the board."""
    across, down = size[::-1] if grid.sideways else size
    first_col = ceil(-grid.x0 / grid.dx)
    columns = floor((across - 1 - grid.x0) / grid.dx) - first_col + 1
    on_board: dict[tuple[int, int], tuple[int, int]] = {}
    for column in range(max(min(columns, MOST), 0)):
        raw = first_col + column
        half = grid.dy / 2 if raw % 2 else 0.0
        top = ceil((-grid.y0 - half) / grid.dy)
        bottom = floor((down - 1 - grid.y0 - half) / grid.dy)
        for row in range(top, bottom + 1):
            x, y = round(grid.x0 + raw * grid.dx), round(grid.y0 + row * grid.dy + half)
            on_board[raw, row] = (y, x) if grid.sideways else (x, y)
    where = f"board '{board}'"
    if not on_board or len(on_board) > MOST * MOST or max(grid.dx, grid.dy) > WIDEST:
        notes.missing(where, "its hex grid has no hexes on the board, or too many")
        return _Ground(NO_HEXES, plain)
    numbered = _numbered(grid, on_board, size, first_col)
    if numbered is None:
        labels = {point: _label(grid, point, size) for point in on_board.values()}
        known = [(label, *point) for point, label in labels.items() if label]
        if known and len({label for label, *_ in known}) == len(known):
            notes.missing(where, "its hexes are numbered in a way map.yaml has no words for; kept as named points")
            return _Ground(NO_HEXES, plain, OtherGrid("points", points=tuple(known)))
        notes.missing(where, "its hexes have no numbers; they were numbered by column and row")
        stagger = "up" if first_col % 2 else "down"
        numbered = _rectangle(on_board, first_col, stagger, NO_LABELS)
        if max(numbered[0].columns, numbered[0].rows) > 99:  # as many digits for each, or two hexes share a number
            numbered = replace(numbered[0], numbering=Printed("{column:03}{row:03}")), numbered[1]
    made, first = numbered
    raw, row = first
    half = grid.dy / 2 if raw % 2 else 0.0
    x0, y0 = grid.x0 + raw * grid.dx, grid.y0 + row * grid.dy + half
    sideways = replace(made, sideways=grid.sideways)
    return _Ground(sideways, replace(plain, dx=grid.dx, dy=grid.dy, x0=float(x0), y0=float(y0)))


def _label(grid: HexGrid, point: tuple[int, int], size: tuple[int, int]) -> str | None:
    try:
        return grid.location(*point, size)
    except UnknownLocation:
        return None


def _numbered(
    grid: HexGrid, on_board: dict[tuple[int, int], tuple[int, int]], size: tuple[int, int], first_col: int
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
    lines = {at: grid.column_row(*point, size) for at, point in on_board.items()}
    columns, rows = _step(lines, 0), _step(lines, 1)
    sample = next(iter(on_board))
    # In the second column, does row r stand lower or higher than in the first? The labels decide.
    for stagger in ("down", "up"):
        made, first = _rectangle(on_board, first_col, stagger, NO_LABELS)
        column_number, row_number = lines[sample]
        column_start = column_number + it.h_off - columns * (sample[0] - first_col)
        row_start = row_number + it.v_off - rows * (_lattice_row(first_col, stagger, *sample) - first[1])
        candidate = replace(made, numbering=Printed(form, column_start, row_start, columns, rows))
        if _agrees(candidate, first, grid, on_board, size):
            return candidate, first
    return None


def _step(lines: dict[tuple[int, int], tuple[int, int]], axis: int) -> Literal[1, -1]:
    """Whether the numbers grow (1) or fall (-1) along raw columns (0) or rows (1)."""
    for (raw, row), label in lines.items():
        other = lines.get((raw + 2, row) if axis == 0 else (raw, row + 1))
        if other is not None and other[axis] != label[axis]:
            return 1 if other[axis] > label[axis] else -1
    return 1


def _rectangle(
    on_board: dict[tuple[int, int], tuple[int, int]], first_col: int, stagger: str, numbering: Printed
) -> tuple[Grid, tuple[int, int]]:
    """The smallest rectangle of columns and rows round the hexes, and the raw place of its first one."""
    lattice = Lattice("up" if stagger == "up" else "down")
    rows = {at: _lattice_row(first_col, stagger, *at) for at in on_board}
    top, bottom = min(rows.values()), max(rows.values())
    columns = max(raw for raw, _ in on_board) - first_col + 1
    there = {Hex(raw - first_col, row - top) for (raw, _), row in rows.items()}
    grid = Grid(columns, bottom - top + 1, lattice, numbering)
    for short in ("none", "first", "second"):
        trial = replace(grid, short=short)
        if set(trial.hexes) == there:
            return trial, (first_col, top)
    missing = frozenset(hex for hex in grid.hexes if hex not in there)
    return replace(grid, absent=missing), (first_col, top)


def _lattice_row(first_col: int, stagger: str, raw: int, row: int) -> int:
    """The row as the lattice counts, from the same line as in the first column."""
    if first_col % 2 == 0:
        return row + 1 if raw % 2 and stagger == "up" else row
    return row if raw % 2 or stagger == "up" else row - 1


def _agrees(
    made: Grid,
    first: tuple[int, int],
    grid: HexGrid,
    on_board: dict[tuple[int, int], tuple[int, int]],
    size: tuple[int, int],
) -> bool:
    """Does every hex have the board's own label, and none twice?"""
    labels = {_label(grid, point, size) for point in on_board.values()}
    if len(labels) != len(on_board) or labels != set(made.numbers):
        return False
    raw, row = first
    half = grid.dy / 2 if raw % 2 else 0.0
    layout = Layout(
        grid.dx, grid.dy, grid.x0 + raw * grid.dx, grid.y0 + row * grid.dy + half, grid.sideways, 0.0, made.lattice
    )
    return all(
        _label(grid, (round(x), round(y)), size) == number
        for number, hex in zip(made.numbers, made.hexes, strict=True)
        for x, y in [layout.centre(hex)]
    )
