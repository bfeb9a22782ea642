"""Prints any map.yaml: for modules without a scan, for practice and for tests of the scanner."""

from converter.drawing.sheet import Drawing, draw_map
from converter.drawing.styles import STYLES

__all__ = ["STYLES", "Drawing", "draw_map"]
