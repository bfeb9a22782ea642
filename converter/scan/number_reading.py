"""Printed hex numbers read off the scan, by an OCR package that is only needed here: `pip install 'hexref[ocr]'`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from converter.errors import BadInput
from converter.scan.found import Lattice, inverse, project
from converter.scan.numbers import Sighting, decides
from converter.scan.ocr import Engine, ocr_engine
from converter.scan.picture import Picture

READING_HEX = 150.0
"""Hexes are enlarged to this many pixels, so that their small numbers can be found."""
READING_LINE = 48
"""A number whose place is known is enlarged to this height."""
HEXES_WIDE = 4
TILES = 16
FEWEST_TILES = 2
TILES_FIRST = 2
"""After so many tiles the numbers are looked for where those found so far stand in their hexes."""
MOST_LINES = 120
FEWEST_PLACED = 3
ENOUGH = 12
SURE = 0.75
EDGE = 4
"""A number that comes this near the edge of its tile, in pixels, may be cut off."""
_NUMBER = re.compile(r"[A-Z]{0,2}\d{1,3}[.\-]?\d{1,3}")
MISSING = (
    "--ocr: the OCR package is not installed; get it with  pip install 'hexref[ocr]'  (or: pip install rapidocr"
    " onnxruntime), or say where a hex is: --at 0101=123,456"
)


@dataclass(frozen=True)
class _Seen:
    """A number on the straightened picture: its middle, and how wide and high it is."""

    word: str
    x: float
    y: float
    wide: float
    high: float


def read_numbers(
    picture: Picture, lattice: Lattice, told: dict[str, Any], progress: Callable[[str], None]
) -> list[Sighting]:
    """The numbers in some places all over the map; no more of them than decide how its hexes are numbered."""
    engine = ocr_engine(MISSING)
    found: list[_Seen] = []
    for nth, (x, y) in enumerate(_spots(picture, HEXES_WIDE * lattice.dy)):
        progress(f"reading hex numbers, place {nth + 1} of at most {TILES}")
        found += _read_tile(engine, picture, lattice, x, y)
        seen = [_sighting(lattice, one) for one in found]
        if nth + 1 >= FEWEST_TILES and len(found) >= ENOUGH and decides(lattice, seen, told):
            return seen
        if nth + 1 == TILES_FIRST and len(found) >= FEWEST_PLACED:
            progress("reading hex numbers one by one")
            lines = _read_lines(engine, picture, lattice, found, told)
            if decides(lattice, lines, told):
                return lines
    if not found:
        raise BadInput("--ocr: no hex number can be read on this scan; say where a hex is: --at 0101=123,456")
    return [_sighting(lattice, one) for one in found]


def _sighting(lattice: Lattice, seen: _Seen) -> Sighting:
    ((x, y),) = project(lattice.to_scan, np.array([[seen.x, seen.y]]))
    return Sighting(seen.word, float(x), float(y))


def _read_lines(
    engine: Engine, picture: Picture, lattice: Lattice, found: Sequence[_Seen], told: dict[str, Any]
) -> list[Sighting]:
    """The numbers of hexes all over the map, each cut out where numbers stand in their hexes, as far as it is seen."""
    layout = lattice.layout
    middles = [layout.centre(layout.hex_at(one.x, one.y)) for one in found]
    off_x = float(np.median([one.x - x for one, (x, _) in zip(found, middles, strict=True)]))
    off_y = float(np.median([one.y - y for one, (_, y) in zip(found, middles, strict=True)]))
    wide, high = 1.3 * max(one.wide for one in found), 1.5 * float(np.median([one.high for one in found]))
    centres = lattice.centres(picture.width, picture.height)
    order = np.random.default_rng(0).permutation(len(centres))[:MOST_LINES]
    sightings: list[Sighting] = []
    for x, y in centres[order]:
        ((flat_x, flat_y),) = project(inverse(lattice.to_scan), np.array([[x, y]]))
        left, top = flat_x + off_x - wide / 2, flat_y + off_y - high / 2
        line = _cut(picture, lattice, left, top, wide, high, READING_LINE / high)[0]
        text, sure = engine.line(line)
        if word := _number(text, sure):
            sightings.append(Sighting(word, float(x), float(y)))
        if len(sightings) >= 2 * ENOUGH and len(sightings) % ENOUGH == 0 and decides(lattice, sightings, told):
            break
    return sightings


def _number(text: str, sure: float) -> str | None:
    word = text.replace(" ", "").upper()
    return word if sure >= SURE and _NUMBER.fullmatch(word) else None


def _spots(picture: Picture, side: float) -> list[tuple[float, float]]:
    """Places spread evenly over the scan, those near its middle first: the map is there, not the charts round it."""
    wide, high = max(picture.width - side, 1), max(picture.height - side, 1)
    across = min(max(1, round((TILES * wide / high) ** 0.5)), TILES)
    down = max(1, TILES // across)
    spots = [
        ((i + 0.5) * picture.width / across, (j + 0.5) * picture.height / down)
        for i in range(across)
        for j in range(down)
    ]
    middle = np.array([picture.width / 2, picture.height / 2])
    return sorted(spots, key=lambda spot: float(np.hypot(*((np.array(spot) - middle) / middle))))


def _read_tile(engine: Engine, picture: Picture, lattice: Lattice, x: float, y: float) -> list[_Seen]:
    """The numbers in one square of the straightened picture, whose middle is at a pixel of the scan."""
    scale, side = READING_HEX / lattice.dy, HEXES_WIDE * lattice.dy
    ((middle_x, middle_y),) = project(inverse(lattice.to_scan), np.array([[x, y]]))
    left, top = middle_x - side / 2, middle_y - side / 2
    tile, size = _cut(picture, lattice, left, top, side, side, scale)
    found = []
    for box, text, sure in engine.page(tile):
        corners = np.array(box, np.float64)
        word = _number(text, sure)
        if word and corners.min() >= EDGE and corners.max() <= min(size) - EDGE:
            at_x, at_y = corners.mean(0) / scale
            wide, high = (corners.max(0) - corners.min(0)) / scale
            found.append(_Seen(word, float(left + at_x), float(top + at_y), float(wide), float(high)))
    return found


def _cut(
    picture: Picture, lattice: Lattice, left: float, top: float, wide: float, high: float, scale: float
) -> tuple[Any, tuple[int, int]]:
    """A rectangle of the straightened picture, enlarged, as BGR; and its size."""
    from_piece = lattice.to_scan @ np.array([[1 / scale, 0, left], [0, 1 / scale, top], [0, 0, 1]])
    size = (max(1, round(wide * scale)), max(1, round(high * scale)))
    piece = cv2.warpPerspective(
        picture.pixels, from_piece, size, flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    return np.ascontiguousarray(piece[..., ::-1]), size
