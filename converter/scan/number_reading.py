"""Printed hex numbers read off the scan, by an OCR package that is only needed here: `pip install 'hexref[ocr]'`."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from converter.errors import BadInput
from converter.scan.found import Lattice, inverse, project
from converter.scan.numbers import Sighting, decides
from converter.scan.picture import Picture

READING_HEX = 150.0
"""Hexes are enlarged to this many pixels, so that their small numbers can be read."""
HEXES_WIDE = 4
TILES = 16
FEWEST_TILES = 2
ENOUGH = 12
SURE = 0.75
EDGE = 4
"""A number that comes this near the edge of its tile, in pixels, may be cut off."""
_NUMBER = re.compile(r"[A-Z]{0,2}\d{1,3}[.\-]?\d{1,3}")
MISSING = (
    "--ocr: the OCR package is not installed; get it with  pip install 'hexref[ocr]'  (or: pip install rapidocr"
    " onnxruntime), or say where a hex is: --at 0101=123,456"
)


def read_numbers(
    picture: Picture, lattice: Lattice, told: dict[str, Any], progress: Callable[[str], None]
) -> list[Sighting]:
    """The numbers in some places all over the map; no more of them than decide how its hexes are numbered."""
    read = _reader()
    scale, side = READING_HEX / lattice.dy, HEXES_WIDE * lattice.dy
    found: list[Sighting] = []
    for nth, (x, y) in enumerate(_spots(picture, side)):
        progress(f"reading hex numbers, place {nth + 1} of at most {TILES}")
        found += _read_tile(read, picture, lattice, x, y, side, scale)
        if nth + 1 >= FEWEST_TILES and len(found) >= ENOUGH and decides(lattice, found, told):
            break
    if not found:
        raise BadInput("--ocr: no hex number can be read on this scan; say where a hex is: --at 0101=123,456")
    return found


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


def _read_tile(
    read: Callable[[Any], list[tuple[Any, str, float]]],
    picture: Picture,
    lattice: Lattice,
    x: float,
    y: float,
    side: float,
    scale: float,
) -> list[Sighting]:
    """What is written in one square of the straightened picture, whose middle is at a pixel of the scan."""
    corner = project(inverse(lattice.to_scan), np.array([[x, y]]))[0] - side / 2
    from_tile = lattice.to_scan @ np.array([[1 / scale, 0, corner[0]], [0, 1 / scale, corner[1]], [0, 0, 1]])
    size = round(side * scale)
    tile = cv2.warpPerspective(
        picture.pixels, from_tile, (size, size), flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    found = []
    for box, text, sure in read(tile[..., ::-1]):
        corners = np.array(box, np.float64)
        word = text.replace(" ", "").upper()
        cut_off = corners.min() < EDGE or corners.max() > size - EDGE
        if sure >= SURE and not cut_off and _NUMBER.fullmatch(word):
            (at_x, at_y), = project(from_tile, corners.mean(0)[None])
            found.append(Sighting(word, float(at_x), float(at_y)))
    return found


def _reader() -> Callable[[Any], list[tuple[Any, str, float]]]:
    """The OCR engine, from a picture to boxes, texts and how sure; its models come inside its package."""
    try:
        importlib.import_module("onnxruntime")
        package: Any = importlib.import_module("rapidocr")
    except ImportError:
        raise BadInput(MISSING) from None
    engine = package.RapidOCR(params={"Global.log_level": "critical", "Global.use_cls": False})

    def read(tile: Any) -> list[tuple[Any, str, float]]:
        seen = engine(tile)
        if seen.boxes is None or seen.txts is None:
            return []
        return list(zip(seen.boxes, seen.txts, map(float, seen.scores), strict=True))

    return read
