"""overlay.png: the scan with the grid and everything found drawn over it, to see at a glance what was read."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from converter.scan.colours import colours, rgb
from converter.scan.picture import Picture, Pixels
from converter.scenario import MapFile, Source

LONGEST = 4000
DOUBTFUL = 0.8
_DOUBT = (255, 15, 123)
_FINE = 4


def draw_overlay(it: MapFile, scan: Picture) -> Pixels:
    """Terrain as a tint, lines as lines, what is doubtful in pink; reduced to a handy size."""
    layout = it.layout
    if layout is None:
        raise ValueError("a map without a picture cannot be drawn over")
    scale = min(1.0, LONGEST / max(scan.width, scan.height))
    size = (round(scan.width * scale), round(scan.height * scale))
    picture = np.asarray(cv2.resize(scan.pixels, size, interpolation=cv2.INTER_AREA), np.uint8).copy()
    tint = picture.copy()
    unit = layout.dy * scale
    kinds = [kind for entry in it.terrains for kind in entry.kinds]
    kinds += [entry.kind for entry in it.hexsides] + [link.kind for link in it.all_links]
    inks = {kind: rgb(colour) for kind, colour in colours(kinds).items()}
    grid = it.grid
    for entry in it.terrains:
        for number in entry.hexes:
            outline = [_fixed(layout.corners(grid.hex(number)), scale)]
            cv2.fillPoly(tint, outline, inks[entry.kinds[0]], cv2.LINE_AA, _FINE)
    picture = np.asarray(cv2.addWeighted(tint, 0.28, picture, 0.72, 0), np.uint8)
    for hex in grid.hexes:
        cv2.polylines(picture, [_fixed(layout.corners(hex), scale)], True, (60, 60, 60), 1, cv2.LINE_AA, _FINE)
    for entry in it.terrains:
        if _doubtful(entry.source):
            for number in entry.hexes:
                ring = _fixed(_shrunk(layout.corners(grid.hex(number))), scale)
                cv2.polylines(picture, [ring], True, _DOUBT, max(1, round(unit * 0.04)), cv2.LINE_AA, _FINE)
    thick = max(1, round(unit * 0.06))
    for feature in it.hexsides:
        for one, other in feature.between:
            ends = layout.side_ends(grid.lattice.hexside(grid.hex(one), grid.hex(other)))
            _line(picture, ends, scale, inks[feature.kind], thick, _doubtful(feature.source))
    for link in it.all_links:
        for one, other in pairwise(link.path):
            ends = (layout.centre(grid.hex(one)), layout.centre(grid.hex(other)))
            _line(picture, ends, scale, inks[link.kind], thick, _doubtful(link.source))
    return picture


def _line(
    picture: Pixels,
    ends: tuple[tuple[float, float], ...],
    scale: float,
    ink: tuple[int, int, int],
    thick: int,
    doubtful: bool,
) -> None:
    points = [_fixed(ends, scale)]
    if doubtful:
        cv2.polylines(picture, points, False, _DOUBT, thick + 6, cv2.LINE_AA, _FINE)
    cv2.polylines(picture, points, False, (255, 255, 255), thick + 2, cv2.LINE_AA, _FINE)
    cv2.polylines(picture, points, False, ink, thick, cv2.LINE_AA, _FINE)


def _doubtful(source: Source) -> bool:
    return source.confidence is not None and source.confidence < DOUBTFUL


def _fixed(points: tuple[tuple[float, float], ...], scale: float) -> npt.NDArray[np.int32]:
    return np.rint(np.array(points) * scale * (1 << _FINE)).astype(np.int32)


def _shrunk(corners: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    x, y = np.mean(corners, 0)
    return tuple((x + 0.9 * (cx - x), y + 0.9 * (cy - y)) for cx, cy in corners)
