"""Java's number rules where Python's differ: rounding, single precision, parsing, and the order of a hash map.

A grid label hangs on the last bit of this arithmetic: a counter half a pixel from a hexside changes its hex.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from math import floor

_INT = re.compile(r"[+-]?[0-9]+", re.ASCII)
_DOUBLE = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[dDfF]?", re.ASCII)
_WHITE = "".join(map(chr, range(33)))
_LOAD_FACTOR = 0.75


def half_up(value: float) -> int:
    """Java's `Math.round`: ties go up, also below zero.

    >>> half_up(2.5), half_up(-2.5), half_up(0.49999999999999994)
    (3, -2, 0)
    """
    whole = floor(value)
    return whole + 1 if value - whole >= 0.5 else whole


def float32(*values: float) -> tuple[float, ...]:
    """Each value rounded to single precision. One operation on singles, done in double and rounded, is exact Java."""
    form = f"{len(values)}f"
    return struct.unpack(form, struct.pack(form, *values))


def trim(text: str) -> str:
    """Java's `String.trim`: everything up to the space character goes, at both ends."""
    return text.strip(_WHITE)


def parse_int(text: str) -> int | None:
    """What `Integer.parseInt` accepts, else None.

    >>> parse_int("-7"), parse_int(" 7"), parse_int("2147483648")
    (-7, None, None)
    """
    if not _INT.fullmatch(text) or len(text) > 40:
        return None
    value = int(text)
    return value if -(2**31) <= value < 2**31 else None


def parse_double(text: str) -> float | None:
    """What `Double.valueOf` accepts (decimal notation), else None.

    >>> parse_double(" 55.4d "), parse_double("1_0"), parse_double("6,5")
    (55.4, None, None)
    """
    text = trim(text)
    return float(text.rstrip("dDfF")) if _DOUBLE.fullmatch(text) else None


def hash_map_order(points: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The order in which a `HashMap` with these points as keys, put in one by one, walks through them.

    It decides between regions at the same distance. (Bins of over eight equal hashes are not told apart further.)

    >>> hash_map_order([(0, 10), (0, 0), (30, 0)])
    [(0, 0), (0, 10), (30, 0)]
    """
    keys = list(dict.fromkeys(points))
    buckets = 16
    while len(keys) > buckets * _LOAD_FACTOR:
        buckets *= 2
    return sorted(keys, key=lambda point: _spread_hash(*point) & (buckets - 1))


def _spread_hash(x: int, y: int) -> int:
    """`Point2D.hashCode`, then the spreading of high bits that `HashMap` does."""
    bits_x, bits_y = struct.unpack(">2Q", struct.pack(">2d", x, y))
    bits = (bits_x ^ (bits_y * 31)) & 0xFFFFFFFFFFFFFFFF
    code: int = (bits ^ (bits >> 32)) & 0xFFFFFFFF
    return code ^ (code >> 16)
