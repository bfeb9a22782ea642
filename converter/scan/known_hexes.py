"""Hexes the user points at: `0101=123,456` says that the middle of hex 0101 is at pixel (123, 456).

Two or three of them give the spacing and orientation without a search. The way numbers run is not known, so every
way is tried: columns or rows first, either half-hex stagger, either orientation, counting from any corner. The ways
that a nearly upright sheet of regular hexes can explain are kept.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from converter.errors import BadInput
from converter.scan.found import Floats
from converter.scan.spacing import REGULAR

STEEPEST = 7.0
WORST_MISS = 0.25
"""How far off its place a pointed-at hex may be, in hexes."""


@dataclass(frozen=True)
class KnownHex:
    """A hex by the two parts of its printed number, and where its middle is."""

    number: str
    first: int
    second: int
    x: float
    y: float


@dataclass(frozen=True)
class Guess:
    """A straight lattice through the known hexes: from columns and rows to upright pixels."""

    shape: Floats
    sideways: bool
    miss: float


def known_hex(text: str) -> KnownHex:
    """Read one `--at`.

    >>> known_hex("0203=120.5,88")
    KnownHex(number='0203', first=2, second=3, x=120.5, y=88.0)
    >>> known_hex("AA12=1,2").first, known_hex("7.11=1,2").second
    (27, 11)
    """
    match = re.fullmatch(r"\s*([^=\s]+)\s*=\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*", text)
    if not match:
        raise BadInput(f"--at {text}: wanted is a hex number and its middle in pixels, such as 0101=123,456")
    number, x, y = match.groups()
    first, second = _parts(number)
    try:
        return KnownHex(number, first, second, float(x), float(y))
    except ValueError:
        raise BadInput(f"--at {text}: {x},{y} is not a place in pixels") from None


def _parts(number: str) -> tuple[int, int]:
    split = re.fullmatch(r"(\d+)[.\-:](\d+)", number)
    if not split and number.isascii() and number.isdigit() and len(number) % 2 == 0:
        split = re.fullmatch(rf"(\d{{{len(number) // 2}}})(\d+)", number)
    if split:
        return int(split[1]), int(split[2])
    lettered = re.fullmatch(r"([A-Za-z]+)(\d+)", number)
    if not lettered:
        raise BadInput(f"--at {number}: cannot tell column from row; write it as in 0101, 1.1 or A1")
    letters = lettered[1].upper()
    if len(set(letters)) == 1:
        return ord(letters[0]) - 64 + 26 * (len(letters) - 1), int(lettered[2])
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return column, int(lettered[2])


def guesses(known: Sequence[KnownHex]) -> list[Guess]:
    """Every lattice that explains the known hexes, the best first."""
    if len(known) < 2 or len({(k.first, k.second) for k in known}) < len(known):
        raise BadInput("--at: at least two different hexes are needed to place a grid")
    at = np.array([(k.x, k.y) for k in known])
    found: list[Guess] = []
    for transposed, sideways, stagger in itertools.product((False, True), (False, True), (0.5, -0.5)):
        q, r = (np.array([(k.second, k.first) if transposed else (k.first, k.second) for k in known], float)).T
        r = r + stagger * (q % 2)
        for right, down in itertools.product((1, -1), (1, -1)):
            guess = _through(np.stack([right * q, down * r], 1), at[:, ::-1] if sideways else at, sideways)
            if guess is not None and not any(_same(guess, other) for other in found):
                found.append(guess)
    if not found:
        raise BadInput("--at: no sheet of regular hexes, upright within a few degrees, has those hexes in those places")
    return sorted(found, key=lambda g: g.miss)


def _through(hexes: Floats, at: Floats, sideways: bool) -> Guess | None:
    """Regular hexes of one size and turn, least squares."""
    plane = hexes * [REGULAR, 1]
    a, b = plane - plane.mean(0), at - at.mean(0)
    spread = float((a**2).sum())
    along, turned = float((a * b).sum()), float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum())
    size, angle = math.hypot(along, turned) / spread, math.atan2(turned, along)
    if size <= 1 or abs(math.degrees(angle)) > STEEPEST:
        return None
    c, s = size * math.cos(angle), size * math.sin(angle)
    linear = np.array([[c * REGULAR, -s], [s * REGULAR, c]])
    miss = float(np.hypot(*(a @ np.array([[c, s], [-s, c]]) - b).T).max()) / size
    if miss > WORST_MISS:
        return None
    shift = at.mean(0) - linear @ hexes.mean(0)
    return Guess(np.array([[*linear[0], shift[0]], [*linear[1], shift[1]], [0, 0, 1]]), sideways, miss)


def _same(one: Guess, other: Guess) -> bool:
    alike = np.allclose(one.shape[:2, :2], other.shape[:2, :2], rtol=0.01, atol=0.05)
    return one.sideways == other.sideways and bool(alike)
