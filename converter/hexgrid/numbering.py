"""Printed hex numbers: 0101, A1, 1.01, 12-C. A number is a column part and a row part in some order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from converter.hexgrid.lattice import Hex

_FIELD = re.compile(r"\{(column|row)(?::(0?\d|A))?\}")


@dataclass(frozen=True)
class Part:
    """How one half of a number is written: decimal with at least `digits` digits, or letters (A to Z, AA, BB, ...)."""

    axis: Literal["column", "row"]
    digits: int = 1
    letters: bool = False

    def write(self, value: int) -> str:
        """
        >>> Part("column", 2).write(7), Part("column", letters=True).write(27), Part("row", 3).write(-4)
        ('07', 'BB', '-004')
        """
        sign, value = ("-", -value) if value < 0 else ("", value)
        if self.letters:
            return sign + chr(ord("A") + value % 26) * (value // 26 + 1)
        return f"{sign}{value:0{self.digits}d}"

    def read(self, text: str) -> int:
        """The value back from its text."""
        sign, text = (-1, text[1:]) if text.startswith("-") else (1, text)
        if self.letters:
            return sign * (26 * (len(text) - 1) + ord(text[0]) - ord("A"))
        return sign * int(text)

    @property
    def pattern(self) -> str:
        """A regular expression for the text, in a group of the axis's name."""
        letter = f"{self.axis}_letter"
        body = f"(?P<{letter}>[A-Z])(?P={letter})*" if self.letters else f"[0-9]{{{self.digits},}}"
        return f"(?P<{self.axis}>-?{body})"


@dataclass(frozen=True)
class Numbering:
    """From a hex to its printed number and back.

    `format` holds `{column}` and `{row}` once each: `{row:02}` has at least two digits, `{column:A}` is a letter
    (A is 0, as in VASSAL: an offset of 0 starts at A). A step of -1 counts down.

    >>> Numbering().number(Hex(0, 0)), Numbering("{column:A}{row}", column_start=0).number(Hex(27, 4))
    ('0101', 'BB5')
    >>> Numbering("{column}.{row:02}").hex("1.01")
    Hex(col=0, row=0)
    >>> Numbering(column_start=33, column_step=-1).number(Hex(0, 0))
    '3301'
    """

    format: str = "{column:02}{row:02}"
    column_start: int = 1
    row_start: int = 1
    column_step: Literal[1, -1] = 1
    row_step: Literal[1, -1] = 1

    def __post_init__(self) -> None:
        axes = [field[1] for field in _FIELD.finditer(self.format)]
        rest = _FIELD.sub("", self.format)
        if sorted(axes) != ["column", "row"] or "{" in rest or "}" in rest:
            raise ValueError(f"number format {self.format!r} needs {{column}} and {{row}} once each")

    @cached_property
    def _parts(self) -> tuple[tuple[str, Part | None], ...]:
        """The format cut into plain text and parts."""
        cut: list[tuple[str, Part | None]] = []
        at = 0
        for field in _FIELD.finditer(self.format):
            cut.append((self.format[at : field.start()], None))
            spec = field[2] or "1"
            axis: Literal["column", "row"] = "column" if field[1] == "column" else "row"
            cut.append(("", Part(axis, letters=True) if spec == "A" else Part(axis, int(spec))))
            at = field.end()
        return (*cut, (self.format[at:], None))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("".join(part.pattern if part else re.escape(text) for text, part in self._parts))

    @cached_property
    def _part(self) -> dict[str, Part]:
        return {part.axis: part for _, part in self._parts if part}

    @cached_property
    def _plain(self) -> str | None:
        """The format as Python knows it, column first; None where it has letters."""
        if any(part.letters for part in self._part.values()):
            return None
        fields = (f"{{{int(part.axis == 'row')}:0{part.digits}d}}" if part else text for text, part in self._parts)
        return "".join(fields)

    def number(self, hex: Hex) -> str:
        """The number printed in a hex."""
        column = self.column_start + self.column_step * hex.col
        row = self.row_start + self.row_step * hex.row
        if self._plain is not None and column >= 0 and row >= 0:
            return self._plain.format(column, row)
        values = {"column": column, "row": row}
        return "".join(part.write(values[part.axis]) if part else text for text, part in self._parts)

    def numbers(self, hexes: Sequence[Hex]) -> tuple[str, ...]:
        """The numbers of many hexes, each column and each row written once.

        >>> Numbering("{row}-{column:02}").numbers([Hex(0, 0), Hex(0, 1), Hex(1, 0)])
        ('1-01', '2-01', '1-02')
        """
        texts: dict[str, dict[int, str]] = {
            "column": {col: self._written("column", col) for col in {hex.col for hex in hexes}},
            "row": {row: self._written("row", row) for row in {hex.row for hex in hexes}},
        }
        head, (_, first), middle, (_, second), tail = self._parts
        assert first is not None
        assert second is not None
        one, other = texts[first.axis], texts[second.axis]
        one = {place: head[0] + text + middle[0] for place, text in one.items()}
        other = {place: text + tail[0] for place, text in other.items()}
        if first.axis == "row":
            return tuple([one[row] + other[col] for col, row in hexes])
        return tuple([one[col] + other[row] for col, row in hexes])

    def _written(self, axis: Literal["column", "row"], place: int) -> str:
        start, step = (self.column_start, self.column_step) if axis == "column" else (self.row_start, self.row_step)
        return self._part[axis].write(start + step * place)

    def hex(self, number: str) -> Hex | None:
        """The hex of a number, on the map or not; None where the text is no such number.

        With `{column:02}{row:02}` a sheet of over 99 columns prints numbers that can be cut in two ways; a `Grid`
        knows its own numbers and has no such doubt.
        """
        found = self._pattern.fullmatch(number)
        if found is None:
            return None
        col = (self._part["column"].read(found["column"]) - self.column_start) * self.column_step
        row = (self._part["row"].read(found["row"]) - self.row_start) * self.row_step
        return Hex(col, row)


CCRR = Numbering()
