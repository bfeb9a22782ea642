"""Stacking limits of the form: one unit of a first group and so many of a second."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class StackLimit:
    """At most `limit` units; all but one of them from `second`, that one from `first`.

    A unit's word is its size or kind, None where unknown.

    >>> rule = StackLimit(2, frozenset({"regiment", "battalion"}), frozenset({"battalion", "hq"}))
    >>> [rule.fits(pair) for pair in (["regiment", "hq"], ["regiment", "regiment"], ["hq", "hq"], ["regiment", None])]
    [True, False, None, None]
    """

    limit: int
    first: Collection[str]
    second: Collection[str]

    def fits(self, words: Sequence[str | None]) -> bool | None:
        """Is the stack allowed? None where a unit's size is not known or the rule does not speak of such a pair."""
        if len(words) <= 1:
            return True
        if len(words) > self.limit:
            return False
        large = [word for word in words if word is not None and word not in self.second]
        if len(large) > 1:
            return False
        if None in words:
            return None
        return True if any(word in self.first for word in words) else None
