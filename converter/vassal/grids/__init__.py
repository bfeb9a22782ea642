"""VASSAL's grids with the engine's arithmetic: a position's location name, where it snaps to, where a label lies.

grid = grid_of(board_element, problems)
layout = lay_out([BoardCell("Board", (900, 700), grid)], edge=(10, 10))
layout.location(299, 328), layout.snap(299, 328), layout.point("0305")
"""

from converter.vassal.grids.board import OFFBOARD, BoardCell, BoardLayout, PlacedBoard, lay_out
from converter.vassal.grids.hex_grid import HexGrid
from converter.vassal.grids.location_format import UnknownLocation
from converter.vassal.grids.numbering import Numbering
from converter.vassal.grids.polygon import Polygon
from converter.vassal.grids.reading import grid_from_element, grid_of
from converter.vassal.grids.region_grid import Region, RegionGrid
from converter.vassal.grids.square_grid import SquareGrid
from converter.vassal.grids.zoned_grid import Grid, Zone, ZonedGrid

__all__ = [
    "OFFBOARD",
    "BoardCell",
    "BoardLayout",
    "Grid",
    "HexGrid",
    "Numbering",
    "PlacedBoard",
    "Polygon",
    "Region",
    "RegionGrid",
    "SquareGrid",
    "UnknownLocation",
    "Zone",
    "ZonedGrid",
    "grid_from_element",
    "grid_of",
    "lay_out",
]
