"""The map's board: the user's own picture with the grid on it, or the map drawn from what its file knows."""

from __future__ import annotations

import hashlib
import io
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from PIL import Image

from converter.drawing import draw_map
from converter.errors import BadInput
from converter.scenario import MapFile
from converter.vassal.export.grid import board_grid
from converter.vassal.grids import Polygon, Zone
from converter.vassal.image_size import image_size
from converter.vassal.new_module import BoardPlan

HEX_HEIGHT = 76.0
LARGEST = 100_000_000  # pixels of a drawn board
ReadImage = Callable[[str], bytes]
"""Gives the bytes of a picture that a scenario folder names; BadInput where it is missing."""


@dataclass(frozen=True)
class MadeBoard:
    """A board with its picture, and the map with its grid's place on that picture."""

    plan: BoardPlan
    image: bytes
    sheet: MapFile

    def point(self, number: str) -> tuple[int, int] | None:
        """Where a counter in this hex lies: exactly where the engine snaps it to."""
        if number not in self.sheet.grid or self.sheet.layout is None or self.plan.grid is None:
            return None
        x, y = self.sheet.layout.centre(self.sheet.grid.hex(number))
        return self.plan.grid.snap(round(x), round(y))


def make_board(sheet: MapFile, read_image: ReadImage) -> MadeBoard:
    """The board of a map: on its own picture, on a plain area where only the picture's size is known, or drawn."""
    name = sheet.title or sheet.name
    if sheet.picture is not None and sheet.picture.image is not None:
        data = read_image(sheet.picture.image)
        size = image_size(data)
        if size is None:
            raise BadInput(f"map {sheet.name!r}: its picture {sheet.picture.image} is not a picture VASSAL can show")
        if size != (sheet.picture.width, sheet.picture.height):
            told = f"{sheet.picture.width} by {sheet.picture.height}"
            raise BadInput(f"map {sheet.name!r}: its picture is {size[0]} by {size[1]} pixels, map.yaml says {told}")
        kind = PurePosixPath(sheet.picture.image).suffix.lower()
        file = f"board-{hashlib.sha256(data).hexdigest()[:16]}{kind}"
    elif sheet.picture is not None:
        file, data, size = "", b"", (sheet.picture.width, sheet.picture.height)
    else:
        drawn = draw_map(sheet, hex_height=_hex_height(sheet))
        sheet, file = drawn.map, f"board-{sheet_file(sheet)}.png"
        data = png(Image.fromarray(drawn.picture))
        size = (drawn.picture.shape[1], drawn.picture.shape[0])
    plan = BoardPlan(name, size, file, board_grid(sheet, size), tuple(_zones(sheet)))
    return MadeBoard(plan, data, sheet)


def sheet_file(sheet: MapFile) -> str:
    """A map's name as part of a file's."""
    return (
        re.sub(r"[^a-z0-9]+", "-", sheet.name.lower()).strip("-") or hashlib.sha256(sheet.name.encode()).hexdigest()[:8]
    )


def _hex_height(sheet: MapFile) -> float:
    """The usual size, less where the picture would be too large to handle."""
    area = sheet.grid.columns * sheet.grid.rows * HEX_HEIGHT * HEX_HEIGHT
    return HEX_HEIGHT * min(1.0, math.sqrt(LARGEST / area))


def _zones(sheet: MapFile) -> list[Zone]:
    """The boxes that are printed on the picture."""
    return [
        Zone(box.name, Polygon(tuple((round(x), round(y)) for x, y in box.outline)))
        for box in sheet.boxes
        if box.outline
    ]


def png(picture: Image.Image) -> bytes:
    """A picture of few colours as a small PNG."""
    stream = io.BytesIO()
    picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(stream, "PNG")
    return stream.getvalue()
