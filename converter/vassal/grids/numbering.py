"""How a grid prints its columns and rows: `0412`, `D-7`, `AA03`; the same for hex and square grids.

Which cell has which column and row is the grid's business (`hex_grid`, `square_grid`); this is only the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from converter.vassal.grids.java_math import parse_int
from converter.vassal.grids.location_format import LocationFormat, match

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LETTERS = "-?(?:" + "|".join(f"{letter}+" for letter in ALPHABET) + ")"
_MOST_LETTERS = 1000  # no printed map comes near; keeps a hostile module from filling the memory
PLAIN = "$gridLocation$"


@dataclass(frozen=True)
class Numbering:
    """HexGridNumbering, ObliqueHexGridNumbering (`oblique`) and SquareGridNumbering (which has no `stagger`).

    >>> Numbering().text(3, 11)
    '0412'
    >>> Numbering(h_type="A", v_leading=0, sep="-").text(27, 6)
    'CC-7'
    >>> Numbering(h_type="A", v_leading=0, sep="-").parse("CC-7")
    (27, 6)
    """

    first: str = "H"
    sep: str = ""
    h_type: str = "N"
    v_type: str = "N"
    h_leading: int = 1
    v_leading: int = 1
    h_off: int = 1
    v_off: int = 1
    h_descend: bool = False
    v_descend: bool = False
    stagger: bool = True
    location_format: str = PLAIN
    oblique: bool = False

    @cached_property
    def format(self) -> LocationFormat:
        return LocationFormat(self.location_format, blank_unknown=True)

    def text(self, column: int, row: int) -> str:
        """The label of a column and row (counted from 0, before the offsets)."""
        across = number(column + self.h_off, self.h_type, self.h_leading)
        down = number(row + self.v_off, self.v_type, self.v_leading)
        label = across + self.sep + down if self.first == "H" else down + self.sep + across
        if self.location_format == PLAIN:
            return label
        return self.format.fill({"gridLocation": label, "row": down, "column": across})

    @property
    def descends(self) -> bool:
        """Does it count from the far side, so that the size of what it numbers matters?"""
        return self.h_descend or self.v_descend

    def parse(self, label: str) -> tuple[int, int] | None:
        """Column and row of a label, the inverse of `text`; None where the label does not fit the format."""
        pattern, across_group, down_group = self._pattern
        found = match(pattern, label) if across_group and down_group else None
        if found is None:
            return None
        across = _value(found.group(across_group), self.h_type)
        down = _value(found.group(down_group), self.v_type)
        if across is None or down is None:
            return None
        return across - self.h_off, down - self.v_off

    @cached_property
    def _pattern(self) -> tuple[re.Pattern[str] | None, int, int]:
        """The label's expression and which of its groups hold column and row (the last of each; 0: none)."""
        across = f"({_expression(self.h_type, self.h_leading)})"
        down = f"({_expression(self.v_type, self.v_leading)})"
        order: list[str] = []

        def group(variable: str) -> str:
            if variable == "gridLocation":
                order.extend("HV" if self.first == "H" else "VH")
                one, other = (across, down) if self.first == "H" else (down, across)
                return one + re.escape(self.sep) + other
            if variable == "row":
                order.append("V")
                return down
            if variable == "column":
                order.append("H")
                return across
            return ""

        pattern = self.format.pattern(group)
        last = {axis: i for i, axis in enumerate(order, start=1)}
        return pattern, last.get("H", 0), last.get("V", 0)


def number(value: int, kind: str, leading: int) -> str:
    """One coordinate. Letters repeat after Z: AA, BB, CC; `leading` zeros make at least `leading` + 1 digits.

    >>> number(7, "N", 2), number(-7, "N", 1), number(28, "A", 1)
    ('007', '-07', 'CC')
    """
    sign, value = ("-", -value) if value < 0 else ("", value)
    if kind == "A":
        repeats, letter = divmod(value, 26)
        return sign + ALPHABET[letter] * min(repeats + 1, _MOST_LETTERS)
    return sign + str(value).zfill(leading + 1)


def _expression(kind: str, leading: int) -> str:
    return _LETTERS if kind == "A" else f"-?[0-9]{{{leading + 1},}}"


def _value(text: str, kind: str) -> int | None:
    if kind != "A":
        return parse_int(text)
    letters = text.lstrip("-")
    value = 26 * (len(letters) - 1) + ALPHABET.index(letters[-1])
    return -value if text.startswith("-") else value
