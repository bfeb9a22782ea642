"""A grid that was found: VASSAL's own numbers, how the scan bends them, and how sure it is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from converter.errors import BadInput
from converter.hexgrid import Layout

Floats = npt.NDArray[np.float64]
Matrix = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]

STRAIGHT: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class NoGrid(BadInput):
    """No hex grid was found that we would swear to; the message says why."""


@dataclass(frozen=True)
class Lattice:
    """The printed hexes of a picture, in its pixels; the middle of the first pixel is (0, 0).

    Column i has its centres at x = x0 + i dx, y = y0 + j dy, odd columns half a hex further; on a `sideways` sheet x
    and y are exchanged, the origin included. `rotation` (degrees, clockwise) about (x0, y0) comes next and `matrix`
    last: it takes the turned grid to the scan, and is `STRAIGHT` unless the scan is skewed or in perspective.

    >>> sheet = Lattice(dx=54, dy=64, x0=30, y0=32, sideways=False)
    >>> sheet.centres(100, 100).tolist()
    [[30.0, 32.0], [30.0, 96.0], [84.0, 0.0], [84.0, 64.0]]
    """

    dx: float
    dy: float
    x0: float
    y0: float
    sideways: bool
    rotation: float = 0.0
    confidence: float = 1.0
    matrix: Matrix = STRAIGHT
    marks: str = "sides"
    """What is printed: sides, corners or centres."""
    spread: float = 0.0
    """RMS distance of the measured marks from the grid, in hexes: how well one flat sheet explains the scan."""

    @property
    def layout(self) -> Layout:
        """The grid as it lies on the straightened picture (see `straighten`)."""
        return Layout(self.dx, self.dy, self.x0, self.y0, self.sideways)

    @property
    def to_scan(self) -> Floats:
        """The 3 x 3 matrix from the rectified picture's pixels to the scan's: rotation, then `matrix`."""
        return np.array(self.matrix) @ turn(self.rotation, self.x0, self.y0, self.sideways)

    @property
    def skew(self) -> float:
        """Degrees by which rows and columns are not square to each other."""
        (a, b, _), (c, d, _), _ = self.matrix
        return math.degrees(math.atan2(a * b + c * d, a * d - b * c))

    def centres(self, width: float, height: float) -> Floats:
        """Every hex centre inside a picture of that size, as (x, y)."""
        shape = self.to_scan @ hex_to_grid(self.dx, self.dy, self.x0, self.y0, self.sideways)
        return project(shape, hexes_inside(shape, width, height))

    def as_json(self) -> dict[str, object]:
        """The answer as `map --grid-only --json` prints it; `matrix` only where the scan needs one."""
        out: dict[str, object] = {
            "dx": round(self.dx, 4), "dy": round(self.dy, 4), "x0": round(self.x0, 3), "y0": round(self.y0, 3),
            "sideways": self.sideways, "rotation": round(self.rotation, 5), "confidence": round(self.confidence, 3),
            "marks": self.marks,
        }  # fmt: skip
        if self.matrix != STRAIGHT:
            out["matrix"] = [list(row) for row in self.matrix]
        return out


def project(shape: Floats, points: Floats) -> Floats:
    """Points through a 3 x 3 matrix."""
    q = points @ shape[:, :2].T + shape[:, 2]
    return np.asarray(q[:, :2] / q[:, 2:])


def inverse(shape: Floats) -> Floats:
    """The matrix that goes back."""
    return np.asarray(np.linalg.inv(shape), np.float64)


def turn(degrees: float, x0: float, y0: float, sideways: bool) -> Floats:
    """Rotation about the grid's origin as a 3 x 3 matrix in picture pixels."""
    ox, oy = (y0, x0) if sideways else (x0, y0)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, -s, ox - c * ox + s * oy], [s, c, oy - s * ox - c * oy], [0, 0, 1]])


def hex_to_grid(dx: float, dy: float, x0: float, y0: float, sideways: bool) -> Floats:
    """From columns and rows to picture pixels before any rotation."""
    shape = np.array([[dx, 0, x0], [0, dy, y0], [0, 0, 1]])
    return shape[[1, 0, 2]] if sideways else shape


def hexes_inside(shape: Floats, width: float, height: float) -> Floats:
    """Columns and rows of every hex whose centre lies inside; rows of odd columns are halves."""
    edge = np.linspace(0, 1, 9)
    border = np.concatenate(
        [np.stack([edge * width, np.full(9, y)], 1) for y in (0.0, height)]
        + [np.stack([np.full(9, x), edge * height], 1) for x in (0.0, width)]
    )
    found = project(inverse(shape), border)
    (q0, r0), (q1, r1) = np.floor(found.min(0)) - 1, np.ceil(found.max(0)) + 1
    if (q1 - q0) * (r1 - r0) > 10 * width * height:
        return np.zeros((0, 2))
    q, r = (a.ravel() for a in np.meshgrid(np.arange(q0, q1 + 1), np.arange(r0, r1 + 1), indexing="ij"))
    hexes = np.stack([q, r + 0.5 * (q % 2)], 1)
    at = project(shape, hexes)
    return np.asarray(hexes[(at >= 0).all(1) & (at[:, 0] < width) & (at[:, 1] < height)])


def lattice_from(shape: Floats, sideways: bool, width: int, height: int, straight: bool, confidence: float, marks: str,
                 spread: float) -> Lattice:
    """Say a map from columns and rows to upright pixels in VASSAL's terms.

    `shape` is upright: with x and y exchanged where the sheet is sideways. The five numbers are the best straight,
    turned grid over the picture; what they cannot say goes into `matrix`, unless the map is known to be `straight`.
    """
    if sideways:
        shape = shape[[1, 0, 2]]
    shape = shape / shape[2, 2]
    hexes = hexes_inside(shape, width, height)
    if len(hexes) < 3:
        raise NoGrid("fewer than three hexes of that size and place fit the picture")
    target = project(shape, hexes)
    middle_hex, middle = hexes.mean(0), target.mean(0)
    steps = np.linalg.lstsq(hexes - middle_hex, target - middle, rcond=None)[0]
    column, row = steps
    if sideways:
        column, row = column[::-1], row[::-1]
    angle = math.atan2(column[1] - row[0], column[0] + row[1])
    c, s = math.cos(angle), math.sin(angle)
    dx, dy = float(column @ [c, s]), float(row @ [-s, c])
    rotation = math.degrees(-angle if sideways else angle)
    first = hexes[np.argmin(target.sum(1))]
    first = np.array([first[0] - first[0] % 2, math.floor(first[1])])
    at = middle + (first - middle_hex) @ _stepped(dx, dy, rotation, sideways)
    x0, y0 = (float(v) for v in (at[::-1] if sideways else at))
    plain = turn(rotation, x0, y0, sideways) @ hex_to_grid(dx, dy, x0, y0, sideways) @ _moved(first)
    matrix = STRAIGHT
    if not straight:
        bent = shape @ inverse(plain)
        bent /= bent[2, 2]
        a, b, d = (tuple(float(v) for v in line) for line in bent)
        matrix = ((a[0], a[1], a[2]), (b[0], b[1], b[2]), (d[0], d[1], d[2]))
    rotation = rotation if abs(rotation) > 1e-6 else 0.0
    return Lattice(dx, dy, x0, y0, sideways, rotation, confidence, matrix, marks, spread)


def _stepped(dx: float, dy: float, rotation: float, sideways: bool) -> Floats:
    """One column and one row as rows of a 2 x 2 matrix, in picture pixels."""
    linear = (turn(rotation, 0, 0, sideways) @ hex_to_grid(dx, dy, 0, 0, sideways))[:2, :2]
    return linear.T


def _moved(first: Floats) -> Floats:
    return np.array([[1, 0, -first[0]], [0, 1, -first[1]], [0, 0, 1]])
