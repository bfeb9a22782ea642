"""Attributes of build-file elements, read as the engine reads them; a bad value is noted and the default stands in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from converter.errors import Problem
from converter.vassal.grids.java_math import parse_double, parse_int

T = TypeVar("T")

LEAST_SPACING, GREATEST_SPACING = 0.01, 1e9  # pixels; outside of these a grid has no sense


@dataclass
class Attributes:
    """The attributes of one element; `problems` collects what was wrong, told as of `where`."""

    values: Mapping[str, str]
    where: str = "grid"
    problems: list[Problem] = field(default_factory=list)

    def text(self, name: str, default: str) -> str:
        return self.values.get(name, default)

    def first_letter(self, name: str, default: str) -> str:
        value = self.values.get(name, default)
        return value[0] if value else self._bad(name, default)

    def whole(self, name: str, default: int, most: int | None = None) -> int:
        text = self.values.get(name)
        if text is None:
            return default
        value = parse_int(text)
        if value is None or (most is not None and abs(value) > most):
            return self._bad(name, default)
        return value

    def spacing(self, name: str, default: float) -> float | None:
        """A distance between cells; None where it is one that no grid can have (zero, negative)."""
        text = self.values.get(name)
        if text is None:
            return default
        value = parse_double(text)
        if value is None:
            return self._bad(name, default)
        if LEAST_SPACING <= value <= GREATEST_SPACING:
            return value
        self.problems.append(Problem(self.where, f"{name}={text!r} is no distance between cells; the grid is left out"))
        return None

    def flag(self, name: str, default: bool) -> bool:
        """`true` in any case is true and all else false, as most components read it."""
        text = self.values.get(name)
        return default if text is None else text.lower() == "true"

    def exact_flag(self, name: str, default: bool) -> bool:
        """Only `true` in small letters is true, as zones and region grids read it."""
        text = self.values.get(name)
        return default if text is None else text == "true"

    def _bad(self, name: str, default: T) -> T:
        self.problems.append(
            Problem(self.where, f"{name}={self.values[name]!r} is not readable; {default!r} stands in")
        )
        return default
