"""Four-cornered patches of foreground: their corners to a fraction of a pixel, though turned or seen at an angle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from converter.scan.sheet.ground import Mask

Points = NDArray[np.float64]
_REACH = 5  # pixels that a side may be moved to where the colour changes most
_SLANT = np.radians(5)  # how far a side may lean from the patch's own direction


@dataclass(frozen=True)
class Patch:
    """A patch: upper left, upper right, lower right, lower left corner; `fill` is how much of that it covers."""

    corners: Points
    fill: float

    @property
    def width(self) -> float:
        a, b, c, d = self.corners
        return float(np.hypot(*(b - a)) + np.hypot(*(c - d))) / 2

    @property
    def height(self) -> float:
        a, b, c, d = self.corners
        return float(np.hypot(*(d - a)) + np.hypot(*(c - b))) / 2


def patches(mask: Mask, least: float) -> Iterator[Patch]:
    """Every patch of the mask whose sides are at least so long."""
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        _, (wide, high), _ = cv2.minAreaRect(contour)
        if min(wide, high) >= least and len(contour) >= 8:
            corners = _corners(contour[:, 0, :].astype(np.float64))
            if corners is not None:
                area = abs(_area(corners))
                yield Patch(corners, float(cv2.contourArea(contour)) / max(area, 1.0))


def _area(corners: Points) -> float:
    x, y = corners.T
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def _corners(points: Points) -> Points | None:
    """The corners of the four straight lines that bound the points; None where they make no sensible patch."""
    box = _ordered(cv2.boxPoints(cv2.minAreaRect(points.astype(np.float32))).astype(np.float64))
    hull = np.asarray(cv2.approxPolyDP(cv2.convexHull(points.astype(np.float32)), 1.5, True)[:, 0, :], np.float64)
    lines = [_side(points, hull, box[i], box[(i + 1) % 4]) for i in range(4)]
    lines = [_steadied(lines[i], lines[(i + 2) % 4], box[i], box[(i + 1) % 4]) for i in range(4)]
    found = []
    for i in range(4):
        corner = _meet(lines[i - 1], lines[i])
        if corner is None or np.hypot(*(corner - box[i])) > 0.12 * np.hypot(*(box[0] - box[2])):
            return None
        found.append(corner)
    return np.array(found)


@dataclass(frozen=True)
class _Line:
    at: Points
    along: Points
    span: float  # how much of the side it was seen on


def _ordered(box: Points) -> Points:
    """Corners clockwise on the picture, beginning with the upper left."""
    middle = box.mean(axis=0)
    turns = np.arctan2(box[:, 1] - middle[1], box[:, 0] - middle[0])
    box = box[np.argsort(turns)]
    sums = box.sum(axis=1)
    return np.roll(box, -int(sums.argmin()), axis=0)


def _side(points: Points, hull: Points, start: Points, end: Points) -> _Line:
    """The straight line of one side: the hull's longest piece in that direction, refined by all points on it."""
    along = (end - start) / np.hypot(*(end - start))
    outward = np.array([along[1], -along[0]])
    best, longest = _Line(start, along, 0.0), 0.0
    for one, other in zip(hull, np.roll(hull, -1, axis=0), strict=True):
        piece = other - one
        long = float(np.hypot(*piece))
        near = max(float((one - start) @ outward), float((other - start) @ outward))
        lean = abs(float(np.arctan2(piece[0] * along[1] - piece[1] * along[0], piece @ along)))
        lean = min(lean, np.pi - lean)
        if long > longest and lean < _SLANT and near > -0.08 * np.hypot(*(end - start)):
            ahead = piece / long if piece @ along > 0 else -piece / long
            best, longest = _Line(one, ahead, 0.0), long
    whole = float(np.hypot(*(end - start)))
    for band in (3.0, 1.5):
        away = (points - best.at) @ np.array([best.along[1], -best.along[0]])
        on = (points - best.at) @ best.along
        inner = (points - start) @ along
        chosen = (np.abs(away) < band) & (inner > 0.06 * whole) & (inner < 0.94 * whole)
        if int(chosen.sum()) < 6:
            return best
        vx, vy, x, y = cv2.fitLine(points[chosen].astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        ahead = np.array([vx, vy], np.float64)
        ahead = ahead if ahead @ along > 0 else -ahead
        best = _Line(np.array([x, y], np.float64), ahead, float(np.ptp(on[chosen])) / whole)
    return best


def _steadied(line: _Line, other: _Line, start: Points, end: Points) -> _Line:
    """A side seen on a short piece only takes its direction from the one across."""
    if line.span >= 0.4 or other.span <= line.span:
        return line
    return _Line(line.at, -other.along, line.span)


def _meet(one: _Line, other: _Line) -> Points | None:
    cross = one.along[0] * other.along[1] - one.along[1] * other.along[0]
    if abs(cross) < 0.5:
        return None
    gap = other.at - one.at
    return np.asarray(one.at + one.along * (gap[0] * other.along[1] - gap[1] * other.along[0]) / cross)


def refined(pixels: NDArray[np.uint8], patch: Patch) -> Patch:
    """The same patch with its sides where the colour changes most, to a fraction of a pixel."""
    a, b, c, d = patch.corners
    ends = []
    for start, end in ((a, b), (b, c), (c, d), (d, a)):
        along = (end - start) / max(float(np.hypot(*(end - start))), 1.0)
        outward = np.array([along[1], -along[0]])
        halves = ((0.12, 0.45), (0.55, 0.88))
        early, late = (_edge_offset(pixels, start, end, outward, low, high) for low, high in halves)
        slope = (late - early) / (0.715 - 0.285)
        first, last = early - 0.285 * slope, early + (1 - 0.285) * slope
        one, other = start + outward * first, end + outward * last
        ends.append(_Line(one, (other - one) / max(float(np.hypot(*(other - one))), 1.0), 1.0))
    found = [_meet(ends[i - 1], ends[i]) for i in range(4)]
    if any(corner is None for corner in found):
        return patch
    corners = np.array(found)
    return Patch(corners, patch.fill) if np.abs(corners - patch.corners).max() < 2 * _REACH else patch


def _edge_offset(
    pixels: NDArray[np.uint8], start: Points, end: Points, outward: Points, low: float, high: float
) -> float:
    """How far outward the edge lies between two shares of a side's length: the strongest change seen all along it."""
    long = float(np.hypot(*(end - start)))
    shares = np.linspace(low, high, max(8, min(200, int(long * (high - low)))))
    offsets = np.arange(-_REACH - 1, _REACH + 1.01, 0.5)
    points = start + shares[:, None, None] * (end - start) + offsets[None, :, None] * outward
    seen = cv2.remap(
        pixels, points[..., 0].astype(np.float32), points[..., 1].astype(np.float32), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    ).astype(np.float64)  # fmt: skip
    change = np.abs(seen[:, 2:] - seen[:, :-2]).max(axis=2)
    profile = np.quantile(cv2.blur(change, (1, 5)), 0.25, axis=0)  # an edge goes on all along, what is printed does not
    best = int(profile.argmax())
    if profile[best] < 3 or not 0 < best < len(profile) - 1:
        return 0.0
    before, top, after = profile[best - 1 : best + 2]
    bend = before - 2 * top + after
    shift = 0.5 * (before - after) / bend if bend < 0 else 0.0
    return float(offsets[best + 1] + 0.5 * np.clip(shift, -1, 1))
