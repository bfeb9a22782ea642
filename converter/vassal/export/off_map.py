"""The window beside the map: boxes, turns with what arrives in them, set-up areas that only words tell, and cups."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from converter.vassal.export.boards import png
from converter.vassal.grids import Polygon, Zone
from converter.vassal.new_module import BoardPlan

NAME = "Off-map"
CELL, LINE, GAP, ACROSS = 58, 18, 12, 1500  # pixels: room for a counter, a line of a title, between boxes, of a row
LEAST = 4  # counters that fit side by side in the smallest box
LETTER, MOST_LINES = 7.6, 4  # pixels of a letter, lines of a title
PAPER, INK, BOX = (236, 232, 222), (40, 40, 40), (250, 248, 242)


@dataclass(frozen=True)
class OffMap:
    """The board and where each box's counters go."""

    board: BoardPlan
    image: bytes
    boxes: Mapping[str, tuple[int, int, int, int]]

    def spots(self, name: str) -> list[tuple[int, int]]:
        """Places for counters in a box, row by row; more counters than that go on top of each other."""
        left, top, right, bottom = self.boxes[name]
        head = _head(name, right - left)
        across, down = (right - left - GAP) // CELL, (bottom - top - head) // CELL
        return [
            (left + GAP + CELL // 2 + CELL * column, top + head + CELL // 2 + CELL * row)
            for row in range(max(down, 1))
            for column in range(max(across, 1))
        ]


def make_off_map(boxes: Mapping[str, int]) -> OffMap:
    """A board with a box for each name, large enough for so many counters."""
    placed: dict[str, tuple[int, int, int, int]] = {}
    x = y = GAP
    tallest = 0
    for name, count in boxes.items():
        wide = LEAST if count <= LEAST * 2 else min(max(LEAST, round(count**0.5 * 1.6)), (ACROSS - 3 * GAP) // CELL)
        width = wide * CELL + GAP
        height = _head(name, width) + max(1, -(-count // wide)) * CELL + GAP // 2
        if x + width > ACROSS and x > GAP:
            x, y, tallest = GAP, y + tallest + GAP, 0
        placed[name] = (x, y, x + width, y + height)
        x, tallest = x + width + GAP, max(tallest, height)
    size = (max((box[2] for box in placed.values()), default=0) + GAP, y + tallest + GAP)
    zones = tuple(Zone(name, Polygon(_corners(box))) for name, box in placed.items())
    board = BoardPlan(NAME, size, "board-off-map.png", None, zones)
    return OffMap(board, _draw(size, placed), placed)


def _title(name: str, width: int) -> list[str]:
    """A box's name in lines that fit its width."""
    return textwrap.wrap(name, int((width - 16) / LETTER), max_lines=MOST_LINES, placeholder=" ...") or [""]


def _head(name: str, width: int) -> int:
    """Pixels above the first row of counters."""
    return 8 + LINE * len(_title(name, width))


def _corners(box: Sequence[int]) -> tuple[tuple[int, int], ...]:
    left, top, right, bottom = box
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _draw(size: tuple[int, int], boxes: Mapping[str, tuple[int, int, int, int]]) -> bytes:
    picture = Image.new("RGB", size, PAPER)
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(15)
    for name, box in boxes.items():
        pen.rounded_rectangle(box, radius=6, fill=BOX, outline=INK, width=1)
        for number, line in enumerate(_title(name, box[2] - box[0])):
            pen.text((box[0] + 8, box[1] + 4 + LINE * number), line, fill=INK, font=font)
    return png(picture)
