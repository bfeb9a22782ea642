"""The grid of a map.yaml as VASSAL's own: a HexGrid where one says the same, else a named point for each hex."""

from __future__ import annotations

import re
from dataclasses import fields

from converter.errors import BadInput
from converter.hexgrid import Grid
from converter.scenario import MapFile, OtherGrid
from converter.vassal.grids import HexGrid, Numbering, Region, RegionGrid, SquareGrid

SMALLEST = 4.0  # pixels from hex to hex; less is a mistake
_FORMAT = re.compile(r"\{(column|row)(?::(0?\d|A))?\}([^{}]*)\{(column|row)(?::(0?\d|A))?\}")


def board_grid(sheet: MapFile, size: tuple[int, int]) -> HexGrid | SquareGrid | RegionGrid | None:
    """The grid of a map that has its place on a picture of `size` pixels; None for a map without any."""
    layout = sheet.layout
    assert layout is not None
    if not sheet.grid.hexes:
        return _other(sheet.other_grid) if sheet.other_grid else None
    if not (layout.dx >= SMALLEST and layout.dy >= SMALLEST):
        raise BadInput(f"map {sheet.name!r}: its hexes are {layout.dx:g} by {layout.dy:g} pixels; more are needed")
    centres = {
        number: _whole(layout.centre(hex)) for number, hex in zip(sheet.grid.numbers, sheet.grid.hexes, strict=True)
    }
    if not layout.rotation:
        numbering = _numbering(sheet.grid, (layout.dx, layout.dy), size)
        if numbering is not None:
            across, down = round(layout.x0), round(layout.y0)
            found = HexGrid(layout.dx, layout.dy, across, down, layout.sideways, numbering=numbering)
            if all(found.location(x, y, size) == number for number, (x, y) in centres.items()):
                return found
    return RegionGrid(tuple(Region(number, x, y) for number, (x, y) in centres.items()))


def _other(grid: OtherGrid) -> SquareGrid | RegionGrid | None:
    if grid.kind == "points":
        return RegionGrid(tuple(Region(name, x, y) for name, x, y in grid.points or ()))
    if not grid.dx or not grid.dy:
        return None
    known = {field.name for field in fields(Numbering)}
    labels = {name: value for name, value in grid.labels or () if name in known}
    numbering = Numbering(**labels) if grid.labels is not None else None  # type: ignore[arg-type]
    return SquareGrid(grid.dx, grid.dy, round(grid.x0 or 0), round(grid.y0 or 0), numbering=numbering)


def _whole(point: tuple[float, float]) -> tuple[int, int]:
    return round(point[0]), round(point[1])


def _numbering(grid: Grid, spacing: tuple[float, float], size: tuple[int, int]) -> Numbering | None:
    """The same numbers in VASSAL's terms; None where it has no terms for them."""
    said = grid.numbering
    parts = _FORMAT.fullmatch(said.format)
    if parts is None or parts[1] == parts[4]:
        return None
    styles = {parts[1]: parts[2] or "1", parts[4]: parts[5] or "1"}
    kinds = {axis: "A" if style == "A" else "N" for axis, style in styles.items()}
    zeros = {axis: 0 if style == "A" else int(style) - 1 for axis, style in styles.items()}
    down = {"column": said.column_step < 0, "row": said.row_step < 0}
    start = {"column": said.column_start, "row": said.row_start}
    # A descending axis counts from the far side: as many hexes as fit the board, in the engine's own arithmetic.
    far = {"column": int(size[0] / spacing[1] + 0.5), "row": int(size[1] / spacing[0] + 0.5)}
    if grid.sideways:
        far = {"column": far["row"], "row": far["column"]}
    offsets = {axis: start[axis] - (far[axis] if down[axis] else 0) for axis in start}
    across, along = ("row", "column") if grid.sideways else ("column", "row")
    return Numbering(
        first="H" if parts[1] == "column" else "V",
        sep=parts[3],
        h_type=kinds["column"],
        v_type=kinds["row"],
        h_leading=zeros["column"],
        v_leading=zeros["row"],
        h_off=offsets["column"],
        v_off=offsets["row"],
        h_descend=down[across],
        v_descend=down[along],
        stagger=grid.lattice.stagger == "up",
    )
