"""Places on a scanned sheet: counters, in blocks of rows and columns."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from converter.scan.sheet.quads import Patch

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Cell:
    """A counter's place: block, row, column (from 1), and its corners from upper left clockwise, in pixels."""

    block: int
    row: int
    column: int
    corners: Points

    @property
    def middle(self) -> Points:
        return np.asarray(self.corners.mean(axis=0))

    @property
    def side(self) -> tuple[float, float]:
        """Width and height."""
        patch = Patch(self.corners, 1.0)
        return patch.width, patch.height

    @property
    def place(self) -> str:
        """
        >>> Cell(1, 2, 3, np.zeros((4, 2))).place
        'b1r02c03'
        """
        return f"b{self.block}r{self.row:02}c{self.column:02}"


@dataclass(frozen=True)
class Block:
    """Corners of a block, its columns and rows, and the gutters as shares of a counter's width and height."""

    corners: Points
    columns: int
    rows: int
    gutter_x: float = 0.0
    gutter_y: float = 0.0

    def matrix(self) -> NDArray[np.float64]:
        """From places on the block (one counter is one wide and one high, gutters besides) to pixels."""
        flat = self.flat_corners().astype(np.float32)
        return np.asarray(cv2.getPerspectiveTransform(flat, self.corners.astype(np.float32)), np.float64)

    def flat_corners(self) -> Points:
        """The block's corners on the block itself."""
        wide = self.columns + (self.columns - 1) * self.gutter_x
        high = self.rows + (self.rows - 1) * self.gutter_y
        return np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float64)

    def flat_cell(self, row: int, column: int) -> Points:
        """A counter's corners on the block itself, rows and columns from 0."""
        x, y = column * (1 + self.gutter_x), row * (1 + self.gutter_y)
        return np.array([[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]], np.float64)

    def cell(self, row: int, column: int) -> Points:
        """The corners of one counter in pixels, rows and columns from 0."""
        return np.asarray(cv2.perspectiveTransform(self.flat_cell(row, column)[None], self.matrix())[0], np.float64)


@dataclass(frozen=True)
class Found:
    """All counters of a sheet, in the order they are read: block by block, row by row."""

    cells: tuple[Cell, ...]
    blocks: tuple[Block, ...]
