"""What in a picture could be printed grid: thin strokes by direction, and dots, dark or light.

The strength of a stroke is taken from the second derivatives of the (slightly smoothed) grey picture: with trace t and
anisotropy m, min(|t|, m) is large on a line and nothing on a dot or a slope; (|t| - m) / 2 is large on a dot and
nothing on a line. Both keep the sign of t, plus for dark and minus for light, because the halo beside a dark line
is a light line. Dividing by the strength nearby lets a faint grid on plain ground count as much as a road, and
a dot standing alone for more than one in the midst of print.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Grey = npt.NDArray[np.uint8]
Field = npt.NDArray[np.float32]

NEARBY = 21
FLOOR = 0.12
"""Strength of the faintest stroke worth noticing, in grey levels a square pixel."""
LOUDEST = 3.0
LOUDEST_DOT = 16.0
OFF_DIRECTION = math.cos(math.radians(2 * 19))
ON_DIRECTION = math.cos(math.radians(2 * 9))

FLAT_NORMALS = (90.0, 30.0, 150.0)
"""Directions across the sides of a flat-topped hex, degrees clockwise from the x axis: top, upper right, upper left."""
POINTY_NORMALS = (0.0, 60.0, 120.0)
"""The same for a pointy-topped hex, in the order that swapping x and y gives from `FLAT_NORMALS`."""


@dataclass(frozen=True)
class Strokes:
    """Signed strength of line and dot at each pixel, and the direction across the line as a double angle."""

    line: Field
    dot: Field
    cos2: Field
    sin2: Field

    def across(self, degrees: float) -> Field:
        """Signed strength of the lines whose normal lies within about 15 degrees of the one given."""
        a = math.radians(2 * degrees)
        gate = self.cos2 * np.float32(math.cos(a))
        gate += self.sin2 * np.float32(math.sin(a))
        gate -= np.float32(OFF_DIRECTION)
        gate *= np.float32(1 / (ON_DIRECTION - OFF_DIRECTION))
        np.clip(gate, 0, 1, out=gate)
        gate *= self.line
        return gate


def strokes(grey: Grey) -> Strokes:
    """The strokes of one grey picture (8 bit)."""
    soft = cv2.GaussianBlur(grey, (5, 5), 1.0)
    xx, yy, sin2 = (
        np.asarray(cv2.Sobel(soft, cv2.CV_32F, x, y, ksize=5, scale=scale), np.float32)
        for x, y, scale in ((2, 0, 1 / 64), (0, 2, 1 / 64), (1, 1, 1 / 32))
    )
    trace, cos2 = xx + yy, np.subtract(xx, yy, out=xx)
    flat = np.asarray(cv2.magnitude(cos2, sin2, yy), np.float32)
    size = np.abs(trace)
    line, dot = np.minimum(size, flat), np.maximum(np.subtract(size, flat, out=size), 0, out=size)
    sign = np.copysign(np.float32(1), trace, out=trace)
    flat += np.float32(1e-6)
    turn = np.divide(sign, flat, out=flat)
    cos2 *= turn
    sin2 *= turn
    near_line, near_dot = (np.asarray(cv2.blur(a, (NEARBY, NEARBY)), np.float32) for a in (line, dot))
    near_dot += near_line
    return Strokes(_evened(line, near_line, sign, LOUDEST), _evened(dot, near_dot, sign, LOUDEST_DOT), cos2, sin2)


def _evened(strength: Field, near: Field, sign: Field, loudest: float) -> Field:
    """Strength against what is usual nearby, signed; uses up `near`."""
    near += np.float32(0.3 * float(near.mean()) + FLOOR)
    out = np.divide(strength, near, out=near)
    np.minimum(out, np.float32(loudest), out=out)
    out *= sign
    return out
