"""Printed hex numbers read off the scan, by an OCR package that is only needed here: `pip install hexref[ocr]`."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from converter.errors import BadInput
from converter.scan.found import Lattice, inverse, project
from converter.scan.numbers import Sighting
from converter.scan.picture import Picture

READING_HEX = 170.0
"""Hexes are enlarged to this many pixels, so that their small numbers can be read."""
HEXES_WIDE = 5
TILES = 12
SURE = 0.75
_NUMBER = re.compile(r"[A-Z]{0,2}\d{1,3}[.\-]?\d{1,3}")


def read_numbers(picture: Picture, lattice: Lattice, progress: Callable[[str], None]) -> list[Sighting]:
    """The numbers in some places all over the map, as far as they can be read."""
    reader = _reader()
    scale = READING_HEX / lattice.dy
    side = HEXES_WIDE * lattice.dy
    across = max(1, round((TILES * picture.width / picture.height) ** 0.5))
    down = max(1, round(TILES / across))
    found: list[Sighting] = []
    for i in range(across):
        for j in range(down):
            progress(f"reading hex numbers, part {i * down + j + 1} of {across * down}")
            x = (i + 0.5) * picture.width / across - side / 2
            y = (j + 0.5) * picture.height / down - side / 2
            found += _read_tile(reader, picture, lattice, x, y, side, scale)
    return found


def _read_tile(
    reader: Any, picture: Picture, lattice: Lattice, left: float, top: float, side: float, scale: float
) -> list[Sighting]:
    """What is written in one square of the straightened picture."""
    corner = project(inverse(lattice.to_scan), np.array([[left + side / 2, top + side / 2]]))[0] - side / 2
    from_tile = lattice.to_scan @ np.array([[1 / scale, 0, corner[0]], [0, 1 / scale, corner[1]], [0, 0, 1]])
    size = round(side * scale)
    tile = cv2.warpPerspective(
        picture.pixels, from_tile, (size, size), flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    lines, _ = reader(tile[..., ::-1])
    found = []
    for box, text, sure in lines or ():
        middle = project(from_tile, np.array(box, np.float64).mean(0)[None])[0]
        word = text.replace(" ", "").upper()
        if float(sure) >= SURE and _NUMBER.fullmatch(word):
            found.append(Sighting(word, float(middle[0]), float(middle[1])))
    return found


def _reader() -> Any:
    """The OCR engine; its models come inside its package."""
    try:
        package = importlib.import_module("rapidocr_onnxruntime")
    except ImportError:
        raise BadInput(
            "reading hex numbers needs an OCR package: install hexref[ocr], or say where a hex is: --at 0101=123,456"
        ) from None
    return package.RapidOCR()
