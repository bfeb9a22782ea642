"""A small map of our own, printed, with the legend that reads it: for tests of the command, where size costs time."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from PIL import Image

from converter.drawing import Drawing, draw_map
from converter.scenario import read_map_text

VALLEY = """
version: 1
name: valley
grid: {columns: 12, rows: 9}
default_terrain: {kind: clear, source: {person: us}}
terrain:
  - {kind: sea, source: {person: us}, hexes: ["0101..0109", "0201..0209", "0301..0304"]}
  - {kind: woods, source: {person: us}, hexes: ["0701..0704", "0801..0804", "0904..0908", "1101..1103"]}
hexsides:
  - kind: river
    source: {person: us}
    between: [["0505", "0605"], ["0506", "0605"], ["0506", "0606"], ["0507", "0606"], ["0507", "0607"]]
links:
  - kind: road
    source: {person: us}
    path: ["0409", "0509", "0608", "0708", "0807", "0907", "1006", "1106", "1205"]
"""
LEGEND = """version: 1
name: valley
grid: {columns: 12, rows: 9}
terrain:
  sea: {hexes: ["0102", "0104", "0203", "0206", "0302"]}
  clear: {hexes: ["0402", "0505", "0503", "0604", "1003", "1009", "1201"]}
  woods: {hexes: ["0702", "0803", "0905", "1102"]}
lines:
  road: {across: [["0608", "0708", "0807"]]}
  river: {along: [["0505", "0605"], ["0506", "0606"]]}
"""


@cache
def valley() -> Drawing:
    """The map on paper, hexes 48 pixels high."""
    return draw_map(read_map_text(VALLEY), "flat", hex_height=48)


def at(*numbers: str) -> list[str]:
    """`--at` for some of its hexes."""
    it = valley().map
    assert it.layout is not None
    spots = [(number, *it.layout.centre(it.grid.hex(number))) for number in numbers]
    return [part for number, x, y in spots for part in ("--at", f"{number}={x:.1f},{y:.1f}")]


def put(folder: Path, legend: str = LEGEND) -> tuple[Path, Path]:
    """The print and its legend as files."""
    image, config = folder / "valley.png", folder / "legend.yaml"
    Image.fromarray(valley().picture).save(image)
    config.write_text(legend, encoding="utf-8")
    return image, config
