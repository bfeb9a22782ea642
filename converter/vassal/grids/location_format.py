"""The text pattern of a location name (`$name$ $gridLocation$`), filled in and taken apart as the engine does."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from converter.vassal.grids.java_math import parse_int, trim
from converter.vassal.sequence import decode

MOST_GROUPS = 4  # a pattern with more is not taken apart, nor a longer label: matching could take for ever
LONGEST_LABEL = 120


class UnknownLocation(Exception):
    """The engine has a name for the place, but the file alone does not tell it."""


@dataclass(frozen=True)
class LocationFormat:
    """A pattern with `$variables$`.

    A variable that the grid does not know is a property of the module; its value is not ours to know, and the engine's
    stand-in where no such property exists is taken: its bare name, or nothing for numberings (`blank_unknown`).

    >>> LocationFormat("$name$: $gridLocation$").fill({"name": "Pool", "gridLocation": None})
    'Pool: '
    """

    text: str
    blank_unknown: bool = False

    @cached_property
    def is_expression(self) -> bool:
        """Is it BeanShell code in braces? We do not run code, so the text of such a location is unknown."""
        text = trim(self.text)
        return text.startswith("{") and text.endswith("}")

    @cached_property
    def _parts(self) -> tuple[tuple[bool, str], ...]:
        """(is a variable, text) in order."""
        text = trim(self.text)
        if not text:
            return ()
        number = parse_int(text)
        if number is not None:
            return ((False, str(number)),)
        if "$" not in text:
            return ((False, self.text),)
        return tuple(_split(text))

    @cached_property
    def variables(self) -> frozenset[str]:
        return frozenset(text for is_variable, text in self._parts if is_variable)

    def fill(self, values: Mapping[str, str | None]) -> str:
        """The location name; UnknownLocation where it takes running code to know it."""
        if self.is_expression:
            raise UnknownLocation
        out = []
        for is_variable, text in self._parts:
            if not is_variable:
                out.append(text)
            elif text in values:
                out.append(values[text] or "")
            elif not self.blank_unknown:
                out.append(text)
        return "".join(out)

    def pattern(self, group: Callable[[str], str]) -> re.Pattern[str] | None:
        """A regular expression for labels of this format; `group` gives the expression for a variable, or ''."""
        parts = [group(text) if is_variable else re.escape(text) for is_variable, text in _split(self.text)]
        expression = "".join(parts)
        if not expression:
            return None
        try:
            pattern = re.compile(expression)
        except (re.error, OverflowError):
            return None
        return pattern if pattern.groups <= MOST_GROUPS else None


def match(pattern: re.Pattern[str] | None, label: str) -> re.Match[str] | None:
    """The whole label matched, or None."""
    return pattern.fullmatch(label) if pattern is not None and len(label) <= LONGEST_LABEL else None


def _split(text: str) -> list[tuple[bool, str]]:
    """Tokens between dollar signs; every second one is a variable, but for the last, which lacks its closing sign."""
    tokens = decode(text, "$")
    last = len(tokens) - 1
    return [(i % 2 == 1 and i != last, token) for i, token in enumerate(tokens) if token]
