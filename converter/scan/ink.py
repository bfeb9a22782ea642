"""The ink of a printed line, known from a few places where it runs, and the likeliest run of it through a strip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from scipy.ndimage import gaussian_filter

from converter.scan.picture import Pixels
from converter.scan.worksheet import Floats

Codes = npt.NDArray[np.uint16]
Path = npt.NDArray[np.int64]

_SHAPE = (24, 20, 20)
_OWN = (np.array([0, -60, -60]), np.array([100, 60, 60]))
_AGAINST = (np.array([-50, -30, -30]), np.array([50, 30, 30]))
SURE_STEP = 3.0
"""One pixel alone says no more than this for or against a line (natural logarithm)."""
STRAIGHT_ON = 0.05
BAND = 1024
ROUNDS = 3


@dataclass(frozen=True)
class Colours:
    """Each pixel's colour and its contrast to the ground about it, as whole numbers: two tables can judge a pixel."""

    own: Codes
    contrast: Codes

    def __getitem__(self, which: Any) -> Colours:
        return Colours(self.own[which], self.contrast[which])

    def turned(self) -> Colours:
        """Rows and columns exchanged in each cutting."""
        return Colours(np.swapaxes(self.own, 1, 2), np.swapaxes(self.contrast, 1, 2))


def coded_image(pixels: Pixels, unit: float) -> Codes:
    """For each pixel two whole numbers: its colour, and its contrast to the ground about it, which no shadow changes.

    Done in bands, to spare memory.
    """
    rows, cols = pixels.shape[:2]
    lap = round(0.6 * unit)
    out = np.empty((rows, cols, 2), np.uint16)
    for top in range(0, rows, BAND):
        start, stop = max(top - lap, 0), min(top + BAND + lap, rows)
        lab = to_lab(pixels[start:stop])
        ground = np.asarray(cv2.GaussianBlur(lab, (0, 0), 0.2 * unit), np.float32)
        keep = slice(top - start, min(top + BAND, rows) - start)
        out[top : top + BAND, :, 0] = _code(lab[keep], *_OWN)
        out[top : top + BAND, :, 1] = _code((lab - ground)[keep], *_AGAINST)
    return out


def to_lab(pixels: Pixels) -> Floats:
    """Pixels in CIE Lab."""
    return np.asarray(cv2.cvtColor(pixels.astype(np.float32) * np.float32(1 / 255), cv2.COLOR_RGB2Lab), np.float32)


def ink_of_colour(rgb: tuple[int, int, int]) -> Ink:
    """An ink known only by its colour."""
    lab = to_lab(np.array([[rgb]], np.uint8))[0, 0]
    steps = [(np.arange(n) + 0.5) * ((high - low) / n) + low for n, low, high in zip(_SHAPE, *_OWN, strict=True)]
    bins = np.stack(np.meshgrid(*steps, indexing="ij"), -1)
    away = np.sqrt(((bins - lab) ** 2).sum(-1))
    own = np.clip(SURE_STEP - away / 6, -SURE_STEP, SURE_STEP).astype(np.float32).ravel()
    return Ink(own, np.zeros_like(own))


def split(cuttings: npt.NDArray[np.uint16]) -> Colours:
    """Cuttings of a coded image, as colours."""
    return Colours(cuttings[..., 0], cuttings[..., 1])


def _code(values: Floats, low: npt.NDArray[np.int64], high: npt.NDArray[np.int64]) -> Codes:
    steps = np.array(_SHAPE, np.float32)
    whole = np.clip((values - low.astype(np.float32)) * (steps / (high - low).astype(np.float32)), 0, steps - 1)
    parts = whole.astype(np.uint16)
    found: Codes = (parts[..., 0] * np.uint16(_SHAPE[1]) + parts[..., 1]) * np.uint16(_SHAPE[2]) + parts[..., 2]
    return found


@dataclass(frozen=True)
class Ink:
    """How much each colour and contrast speaks for a line of this kind."""

    own: Floats
    contrast: Floats

    def on(self, colours: Colours) -> Floats:
        """The evidence at each pixel: above 0 for, below 0 against."""
        found: Floats = self.own[colours.own] + self.contrast[colours.contrast]
        return found


@dataclass(frozen=True)
class Run:
    """The likeliest line through each strip: its mean evidence and, row by row, where it is."""

    evidence: Floats
    path: Path


def count_colours(colours: Colours) -> tuple[Floats, Floats]:
    """How often each colour and each contrast comes."""
    return _counted(colours.own), _counted(colours.contrast)


def _counted(codes: Codes) -> Floats:
    counts = np.bincount(codes.ravel(), minlength=int(np.prod(_SHAPE))).astype(np.float32).reshape(_SHAPE)
    spread = np.asarray(gaussian_filter(counts, 1.0, mode="nearest"), np.float32).ravel()
    return np.asarray(spread / max(float(spread.sum()), 1.0), np.float32)


def learn_ink(strips: Colours, everywhere: tuple[Floats, Floats], rest: Colours | None = None) -> Ink:
    """The ink of a line that runs down the middle of each strip, more or less: found, followed, found better.

    A coast strays far from the middle, where the grid is printed. With strips of the map at large (`rest`) it is looked
    for a second time in what is seen beyond the usual at each place, and the ink that has more of it is the line's.
    """
    ink = _learned(strips, everywhere, None)
    if rest is None:
        return ink
    other = _learned(strips, everywhere, rest)
    return max((ink, other), key=lambda ink: float(np.median(follow(_unusual(ink, strips, rest)).evidence)))


def _learned(strips: Colours, everywhere: tuple[Floats, Floats], rest: Colours | None) -> Ink:
    cases, rows, cols = strips.own.shape
    path: Path = np.full((cases, rows), cols // 2, np.int64)
    ink = Ink(np.zeros(0, np.float32), np.zeros(0, np.float32))
    for turn in range(ROUNDS):
        half = 4 if turn == 0 else 1
        near = np.clip(path[:, :, None] + np.arange(-half, half + 1), 0, cols - 1)
        own, against = count_colours(
            Colours(np.take_along_axis(strips.own, near, 2), np.take_along_axis(strips.contrast, near, 2))
        )
        ink = Ink(_speaks(own, everywhere[0]), _speaks(against, everywhere[1]))
        path = follow(ink.on(strips) if rest is None else _unusual(ink, strips, rest)).path
    return ink


def _unusual(ink: Ink, strips: Colours, rest: Colours) -> Floats:
    return np.asarray(ink.on(strips) - np.median(ink.on(rest), 0), np.float32)


def _speaks(here: Floats, everywhere: Floats) -> Floats:
    return np.clip(np.log((here + 1e-5) / (everywhere + 1e-5)), -SURE_STEP, SURE_STEP).astype(np.float32)


def follow(evidence: Floats) -> Run:
    """The path from the first row of each strip to the last, one column a row at most to the side, that has most.

    >>> strip = np.zeros((1, 3, 4), np.float32)
    >>> strip[0, [0, 1, 2], [1, 1, 2]] = 1
    >>> follow(strip).path.tolist(), follow(strip).evidence.tolist()
    ([[1, 1, 2]], [1.0])
    """
    cases, rows, cols = evidence.shape
    best = evidence[:, 0].copy()
    came = np.zeros((cases, rows, cols), np.int8)
    for row in range(1, rows):
        walled = np.pad(best, ((0, 0), (1, 1)), constant_values=-1e9)
        ways = np.stack([walled[:, :-2], walled[:, 1:-1] + STRAIGHT_ON, walled[:, 2:]])
        way = ways.argmax(0)
        came[:, row] = way - 1
        best = np.take_along_axis(ways, way[None], 0)[0] + evidence[:, row]
    path = np.zeros((cases, rows), np.int64)
    path[:, -1] = best.argmax(1)
    every = np.arange(cases)
    for row in range(rows - 1, 0, -1):
        path[:, row - 1] = path[:, row] + came[every, row, path[:, row]]
    mean = np.take_along_axis(evidence, path[:, :, None], 2)[..., 0].mean(1)
    return Run(mean, path)


def profile(evidence: Floats, path: Path, reach: int) -> Floats:
    """The mean evidence at 0, 1, ... `reach` columns from the path: how wide the line is. Cases x (reach + 1)."""
    cols = evidence.shape[2]
    out = [np.take_along_axis(evidence, path[:, :, None], 2)[..., 0].mean(1)]
    for off in range(1, reach + 1):
        sides = np.stack([np.clip(path + off, 0, cols - 1), np.clip(path - off, 0, cols - 1)], 2)
        out.append(np.take_along_axis(evidence, sides, 2).mean((1, 2)))
    return np.stack(out, 1)
