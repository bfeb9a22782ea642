"""Which way is north: the names of the six directions on a sheet that may be turned."""

from __future__ import annotations

from typing import Literal

North = Literal["up", "right", "down", "left"]

_ANGLES = {False: (0, 60, 120, 180, 240, 300), True: (270, 210, 150, 90, 30, 330)}  # clockwise from the sheet's top
_TURN = {"up": 0, "right": 90, "down": 180, "left": 270}
_NAMES = {0: "N", 90: "E", 180: "S", 270: "W"} | {30: "NE", 60: "NE", 120: "SE", 150: "SE"}
_NAMES |= {210: "SW", 240: "SW", 300: "NW", 330: "NW"}


def compass_names(*, sideways: bool = False, north: North = "up") -> tuple[str, ...]:
    """The names of directions 0 to 5 where `north` is the edge of the sheet that faces north.

    >>> compass_names()
    ('N', 'NE', 'SE', 'S', 'SW', 'NW')
    >>> compass_names(sideways=True)
    ('W', 'SW', 'SE', 'E', 'NE', 'NW')
    >>> compass_names(north="right")
    ('W', 'NW', 'NE', 'E', 'SE', 'SW')
    """
    return tuple(_NAMES[(angle - _TURN[north]) % 360] for angle in _ANGLES[sideways])
