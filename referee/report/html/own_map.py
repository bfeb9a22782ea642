"""A board without a picture in the page: the map as the referee knows it, drawn and laid under the module's hexes."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
from PIL import Image

from converter.drawing import draw_map
from converter.scenario import MapFile
from converter.vassal.grids import BoardLayout

HIGH = 48.0
"""Pixels from hex to hex in the drawing."""
FEWEST, SHARE = 12, 1 / 3
"""The board is the map's if at least that many, and that part, of the map's hexes are on it."""
OFF = 0.25
"""A hex may lie that part of a hex off; beyond that the board's hexes are not arranged as the map's."""


@dataclass(frozen=True)
class OwnMap:
    """A JPEG, its size, and the matrix that lays its pixels on the board's: x' = a x + c y + e, y' = b x + d y + f."""

    picture: bytes
    size: tuple[int, int]
    matrix: tuple[float, ...]  # a, b, c, d, e, f
    hexes: tuple[tuple[str, int, int], ...]  # number and middle on the board


def own_map(known: MapFile, layout: BoardLayout) -> OwnMap | None:
    """The map drawn for this board; None where the board does not have its hexes, or not arranged like that."""
    points = ((number, layout.point(number)) for number in known.grid.numbers)
    found = {number: point for number, point in points if point is not None and _on_board(point, layout)}
    if len(found) < max(FEWEST, SHARE * len(known.grid.numbers)):
        return None
    drawing = draw_map(known, "flat", hex_height=HIGH, title=False)
    drawn = drawing.map.layout
    assert drawn is not None
    here = np.array([drawn.centre(known.grid.hex(number)) for number in found])
    there = np.array(list(found.values()), float)
    low = np.maximum(0, here.min(axis=0) - HIGH).astype(int)  # the map may have hexes that the board has not
    high = np.ceil(here.max(axis=0) + HIGH).astype(int)
    with_one = np.column_stack([here - low, np.ones(len(here))])
    matrix, *_ = np.linalg.lstsq(with_one, there, rcond=None)
    stray = np.hypot(*(with_one @ matrix - there).T)
    scale = float(np.linalg.det(matrix[:2]))  # of areas; below zero the board would be the map's mirror image
    if scale <= 0 or stray.max() > OFF * HIGH * np.sqrt(scale):
        return None
    picture = Image.fromarray(drawing.picture).crop((*low.tolist(), *high.tolist()))
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=85)
    told = tuple(round(float(value), 5) for value in matrix.flatten())
    return OwnMap(stream.getvalue(), picture.size, told, tuple((number, *point) for number, point in found.items()))


def _on_board(point: tuple[int, int], layout: BoardLayout) -> bool:
    return any(placed.size is None or placed.contains(*point) for placed in layout.boards)
