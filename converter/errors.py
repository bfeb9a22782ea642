"""Whose mistake is it: the user's file (`BadInput`), one item in it (`Problem`), or ours (any other exception)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class BadInput(Exception):
    """The file or the call is wrong. The message is one line that says what and where; the command exits with 2."""


class OtherGame(BadInput):
    """The file is sound, but it is of another game than was asked for or than is known."""


def refuse(problems: Sequence[Problem]) -> None:
    """BadInput with the first of the problems, and how many more there are; nothing where there are none.

    >>> refuse([])
    """
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise BadInput(f"{problems[0]}{more}")


@dataclass(frozen=True)
class Problem:
    """One item that could not be read or was doubtful; the rest of the file went on.

    >>> str(Problem("savedGame 17.2.1", "unknown trait 'turr'"))
    "savedGame 17.2.1: unknown trait 'turr'"
    """

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"
