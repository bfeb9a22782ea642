"""Hex maps as geometry: the honeycomb, its printed numbers, its place on a picture.

>>> from converter.hexgrid import Grid, Layout
>>> sheet = Grid(columns=37, rows=21)
>>> sheet.neighbours("0216")
('0215', '0316', '0317', '0217', '0117', '0116')
"""

from converter.hexgrid.areas import Area, area_at
from converter.hexgrid.compass import North, compass_names
from converter.hexgrid.grid import Grid, Index, Short
from converter.hexgrid.lattice import DIRECTIONS, Hex, Hexside, Lattice, Stagger
from converter.hexgrid.layout import Layout
from converter.hexgrid.numbering import Numbering

__all__ = [
    "DIRECTIONS",
    "Area",
    "Grid",
    "Hex",
    "Hexside",
    "Index",
    "Lattice",
    "Layout",
    "North",
    "Numbering",
    "Short",
    "Stagger",
    "area_at",
    "compass_names",
]
