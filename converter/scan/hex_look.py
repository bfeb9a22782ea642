"""What the ground of each hex looks like, in numbers: its colour, its hue whatever the shade, and its texture.

Terrain fills its hex; a road, a number or a name covers a part. So colours are medians, lines that were found are left
out, and a texture is what most of the hex's six sectors have.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from converter.scan.ink import to_lab
from converter.scan.worksheet import Floats, Worksheet, cut

Mask = npt.NDArray[np.uint8]
Part = npt.NDArray[np.bool_]

POINTS = 33
REACH = 0.5
BAND = 768
_COLOURS = 5
ALIKE = 4.0
"""Colours no further apart than this, in Lab, are one ground."""
_OFFSET = np.linspace(-REACH, REACH, POINTS)
_X, _Y = np.meshgrid(_OFFSET, _OFFSET)
_AWAY = np.hypot(_X, _Y)
_SECTOR = ((np.arctan2(_Y, _X) + np.pi) / (np.pi / 3)).astype(int) % 6
_CORE, _INNER, _RIM = _AWAY < 0.2, _AWAY < 0.36, (_AWAY >= 0.3) & (_AWAY < 0.46)
_WHOLE = (_AWAY < 0.46) & (np.indices(_AWAY.shape) % 2 == 0).all(0)
_SECTORS = [(_AWAY > 0.1) & (_AWAY < 0.46) & (k == _SECTOR) for k in range(6)]


def hex_looks(sheet: Worksheet, covered: Mask) -> Floats:
    """One row a hex, in the order of the grid's numbers; `covered` marks pixels that are no ground."""
    rows = [np.zeros(0)] * len(sheet.grid)
    for these, cuttings, hidden in _cuttings(sheet, covered):
        for i, look in zip(these, _numbers(cuttings, hidden), strict=True):
            rows[i] = look
    return np.array(rows, np.float32)


def _cuttings(sheet: Worksheet, covered: Mask) -> Iterator[tuple[npt.NDArray[np.int64], Floats, Part]]:
    """Band by band, to spare memory: which hexes, their square cuttings, and what is hidden in each."""
    high, unit = sheet.pixels.shape[0], sheet.unit
    lap = round(1.1 * unit)
    for top in range(0, high, BAND):
        these = np.flatnonzero((sheet.centres[:, 1] >= top) & (sheet.centres[:, 1] < top + BAND))
        if not len(these):
            continue
        start, stop = max(top - lap, 0), min(top + BAND + lap, high)
        x = sheet.centres[these, 0, None, None] + _X * unit
        y = sheet.centres[these, 1, None, None] + _Y * unit - start
        maps = _maps(to_lab(sheet.pixels[start:stop]), unit)
        cuttings = np.concatenate([cut(np.stack(maps[k : k + 4], -1), x, y) for k in range(0, len(maps), 4)], -1)
        hidden = cut(covered[start:stop].astype(np.float32), x, y)[..., 0] > 80
        yield these, cuttings, hidden


def _maps(lab: Floats, unit: float) -> list[Floats]:
    """Five maps of colour, then those of texture, each a number a pixel."""

    def blur(image: Floats, share: float) -> Floats:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), share * unit), np.float32)

    soft = blur(lab, 0.03)
    rgb = np.asarray(cv2.cvtColor(soft, cv2.COLOR_Lab2RGB), np.float32) + np.float32(0.02)
    hue = [50 * np.log(rgb[..., k] / rgb[..., 1]) for k in (0, 2)]
    light, blue = lab[..., 0], lab[..., 2]
    steps = [light, *(blur(light, share) for share in (0.02, 0.045, 0.1, 0.2))]
    fine, coarse = blur(blue, 0.02), blur(blue, 0.1)
    slopes = [np.abs(cv2.Sobel(steps[1], cv2.CV_32F, *way, ksize=3)) / 4 for way in ((1, 0), (0, 1))]
    return [
        *(soft[..., k] for k in range(3)), *hue,
        *(np.abs(one - other) for one, other in pairwise(steps)),
        np.abs(blue - fine), np.abs(fine - coarse), np.clip(steps[4] - light - 8, 0, 30), *slopes,
        np.clip(blur(light, 0.07) - blur(light, 0.03) - 2, 0, 40),
    ]  # fmt: skip


def _numbers(cuttings: Floats, hidden: Part) -> Floats:
    """The looks of some hexes from their cuttings."""
    colours, textures = cuttings[..., :_COLOURS], cuttings[..., _COLOURS:]
    sectors = np.sort(np.stack([_means(textures, hidden, part) for part in _SECTORS], 1), 1)
    return np.concatenate([
        _commonest(colours, hidden), _medians(colours, hidden, _CORE), _medians(colours, hidden, _INNER),
        _medians(colours[..., 3:], hidden, _RIM),
        _spread(colours[..., :3], hidden, _INNER), 10 * np.log(sectors[:, 1] + 0.3), 10 * np.log(sectors[:, 3] + 0.3),
    ], 1)  # fmt: skip


def _seen(hidden: Part, part: Part) -> Part:
    """The points of a part that show ground; all of it where next to nothing does."""
    seen = ~hidden[:, part]
    return np.where((seen.sum(1) < 0.15 * part.sum())[:, None], True, seen)


def _medians(values: Floats, hidden: Part, part: Part) -> Floats:
    shown = np.where(_seen(hidden, part)[..., None], values[:, part], np.nan)
    return np.asarray(np.nanmedian(shown, 1), np.float32)


def _commonest(colours: Floats, hidden: Part) -> Floats:
    """The colour that most of a hex has: neither a town's houses nor its name can shift it."""
    points, seen = colours[:, _WHOLE], _seen(hidden, _WHOLE)
    ground, some = points[..., :3], points[:, ::3, :3]
    size = (ground**2).sum(-1)
    apart = size[:, :, None] + size[:, None, ::3] - 2 * ground @ np.swapaxes(some, 1, 2)
    crowd = (np.exp(-apart / (2 * ALIKE**2)) * seen[:, :, None]).sum(1)
    best = np.where(seen[:, ::3], crowd, 0).argmax(1)
    near = (np.take_along_axis(apart, best[:, None, None], 2)[..., 0] < (2 * ALIKE) ** 2) & seen
    weight = np.where(near.any(1, keepdims=True), near, True).astype(np.float32)[..., None]
    return np.asarray((points * weight).sum(1) / weight.sum(1), np.float32)


def _means(values: Floats, hidden: Part, part: Part) -> Floats:
    weight = _seen(hidden, part).astype(np.float32)[..., None]
    return np.asarray((values[:, part] * weight).sum(1) / weight.sum(1), np.float32)


def _spread(values: Floats, hidden: Part, part: Part) -> Floats:
    shown = np.where(_seen(hidden, part)[..., None], values[:, part], np.nan)
    return np.asarray(np.nanstd(shown, 1), np.float32)
