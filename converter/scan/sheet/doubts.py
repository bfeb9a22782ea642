"""Whether what was found can be right: are the edges seen, is a gutter overlooked, is something like counters left?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from converter.scan.picture import Picture
from converter.scan.sheet.blocks import Block, Cell, Found

Points = NDArray[np.float64]
Floats = NDArray[np.float32]
_SIDE, _RIM = 64, 8  # a counter is looked at so large, with so much round it
_WHOLE = _SIDE + 2 * _RIM
_PIECES = 8  # an edge is looked at in so many pieces
_NEAR = 3  # how far from its place an edge may lie, of the 64
_LEAST = 4.0  # levels: less is no change of colour
_FEW = 10  # a sheet seldom has fewer counters
_UNSEEN = 0.2  # share of edges that may be too faint to see
_OVERLOOKED = 0.5  # share of a row's places that look like counters
_LEFT = 0.5  # printed area beside the blocks, as a share of theirs
_BETWEEN = 0.6  # share of counters that have a strip of the ground's colour before them, and another on each side
_ALIKE, _OTHER = 20.0, 25.0  # levels: the same colour, another one


def doubts(picture: Picture, found: Found) -> Iterator[str]:
    """What speaks against a sheet's counters, in words; nothing where they can be believed."""
    if len(found.cells) < _FEW:
        yield f"only {len(found.cells)} counters were found"
    pixels, scale = _shrunk(picture, found.cells)
    views = [_view(pixels, (cell.corners + 0.5) * scale - 0.5) for cell in found.cells]
    changes = [_changes(view) for view in views]
    quiet = np.median([np.quantile(across[:, _RIM + 4 : -_RIM - 4], 0.3) for across, _ in changes])
    least = max(_LEAST, 4 * float(quiet))
    unseen = float(np.mean([share < 0.5 for change in changes for share in _edges(change, least)]))
    if unseen > _UNSEEN:
        yield f"{unseen:.0%} of the counters' edges are not seen on the scan"
    for number, block in enumerate(found.blocks, 1):
        own = [i for i, cell in enumerate(found.cells) if cell.block == number]
        touching = len(own) > 1 and not (block.gutter_x or block.gutter_y)
        if touching and _gutter([views[i] for i in own], [found.cells[i] for i in own]):
            yield f"a gutter seems to run between the counters of block {number}, cut as if they touched"
    for number, where in _overlooked(pixels, scale, found, least):
        yield f"one more line of counters seems to stand {where} block {number}"
    if _left(pixels, scale, found, float(quiet)) > _LEFT:
        yield "much that is printed lies beside the blocks that were found"


def _shrunk(picture: Picture, cells: Sequence[Cell]) -> tuple[Floats, float]:
    """The picture so small that its counters are about as large as they are looked at; that takes the noise out."""
    scale = min(1.0, _SIDE / max(1.0, float(np.median([min(cell.side) for cell in cells]))))
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    return np.asarray(cv2.resize(picture.pixels, size, interpolation=cv2.INTER_AREA), np.float32), scale


def _view(pixels: Floats, corners: Points) -> Floats:
    """A counter with a rim round it, seen squarely."""
    middle = corners.mean(axis=0)
    wider = (middle + (corners - middle) * _WHOLE / _SIDE).astype(np.float32)
    flat = np.array([[0, 0], [_WHOLE, 0], [_WHOLE, _WHOLE], [0, _WHOLE]], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(wider, flat)
    return np.asarray(cv2.warpPerspective(pixels, matrix, (_WHOLE, _WHOLE), borderMode=cv2.BORDER_REPLICATE))


def _pieces(view: Floats) -> Floats:
    """The colours from left to right, in pieces from top to bottom: pieces x places x RGB."""
    inner = view[_RIM + 2 : -_RIM - 2]
    return np.stack([part.mean(axis=0) for part in np.array_split(inner, _PIECES)])


def _changes(view: Floats) -> tuple[Floats, Floats]:
    """How much the colour changes at each place from left to right, and from top to bottom."""
    wide, high = (np.pad(_pieces(way), ((0, 0), (1, 1), (0, 0)), "edge") for way in (view, view.transpose(1, 0, 2)))
    return np.abs(wide[:, 2:] - wide[:, :-2]).max(axis=2), np.abs(high[:, 2:] - high[:, :-2]).max(axis=2)


def _edges(changes: tuple[Floats, Floats], least: float) -> list[float]:
    """How much of the left, right, top and bottom edge is seen."""
    return [
        float((change[:, at - _NEAR : at + _NEAR].max(axis=1) > least).mean())
        for change in changes
        for at in (_RIM, _RIM + _SIDE)
    ]


def _gutter(views: Sequence[Floats], cells: Sequence[Cell]) -> bool:
    """Whether the ground's colour runs between a block's counters, with other colours on both sides of it."""
    for turned, places in ((False, [cell.column for cell in cells]), (True, [cell.row for cell in cells])):
        colours = np.array([np.median(view.transpose(1, 0, 2) if turned else view, axis=0) for view in views])
        first = np.array(places) == 1
        if first.all() or not first.any():
            continue
        ground = np.median(colours[first, :2].reshape(-1, 3), axis=0)
        away = np.abs(colours[~first] - ground).max(axis=2)
        between = away[:, _RIM - 2 : _RIM + 2].min(axis=1) < _ALIKE
        before, after = (part.max(axis=1) > _OTHER for part in (away[:, : _RIM - 2], away[:, _RIM + 2 : 2 * _RIM]))
        if min(float(share.mean()) for share in (between, before, after)) < _BETWEEN:
            return False
    return True


def _beyond(block: Block) -> Iterator[tuple[str, list[Points]]]:
    """The places just outside of a block, where one more row or column would be."""
    rows, columns = range(block.rows), range(block.columns)
    yield "above", [block.cell(-1, column) for column in columns]
    yield "below", [block.cell(block.rows, column) for column in columns]
    yield "left of", [block.cell(row, -1) for row in rows]
    yield "right of", [block.cell(row, block.columns) for row in rows]


def _overlooked(pixels: Floats, scale: float, found: Found, least: float) -> Iterator[tuple[int, str]]:
    """Blocks, and on which side of them is a row of places with edges of counters, at least three each."""
    middles = np.array([cell.middle for cell in found.cells])
    high, wide = pixels.shape[:2]
    for number, block in enumerate(found.blocks, 1):
        for where, line in _beyond(block):
            told = []
            for corners in line:
                small = (corners + 0.5) * scale - 0.5
                inside = small.min() >= 0 and small[:, 0].max() < wide and small[:, 1].max() < high
                side = float(np.hypot(*(corners[1] - corners[0])))
                near = float(np.hypot(*(middles - corners.mean(axis=0)).T).min())
                told.append(
                    inside and near > 0.8 * side and sorted(_edges(_changes(_view(pixels, small)), least))[1] > 0.7
                )
            if np.mean(told) > _OVERLOOKED:
                yield number, where


def _left(pixels: Floats, scale: float, found: Found, quiet: float) -> float:
    """How large the area is that is printed as densely as counters but lies beside the blocks, as a share of theirs."""
    across, down = (np.abs(cv2.Sobel(pixels, cv2.CV_32F, *way, scale=1 / 8)).max(axis=2) for way in ((1, 0), (0, 1)))
    printed = (np.maximum(across, down) > max(1.5 * _LEAST, 3 * quiet)).astype(np.float32)
    density = cv2.blur(printed, (_SIDE, _SIDE))
    inside = np.zeros(printed.shape, np.uint8)
    for block in found.blocks:
        cv2.fillConvexPoly(inside, np.rint((block.corners + 0.5) * scale - 0.5).astype(np.int32), 1)
    usual = float(np.median(density[inside > 0])) if inside.any() else 0.0
    near = cv2.dilate(inside, np.ones((3 * _RIM, 3 * _RIM), np.uint8))
    return float(((density > 0.6 * usual) & (near == 0)).sum() / max(int(inside.sum()), 1))
