"""Guesses for a bind file: which line of a scenario's lists a stranger's counter may be, by numbers and words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol, TypeVar

_FACTORS = re.compile(r"(?<!\d)(\d{1,2})-(\d{1,2})-(\d{1,2})(?!\d)")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th|d)\b")
_KINDS = {"hq": "hq", "headquarters": "hq", "depot": "depot", "cadre": "cadre", "engineer": "engineer"}
_KINDS |= {"engineers": "engineer", "eng": "engineer"}
_BRANCHES = {"m": ("marine", "marines", "mar", "usmc"), "c": ("cav", "cavalry"), "km": ("kmc", "korean", "marine")}
LEAST, AHEAD = 3.0, 1.0
"""A guess needs that many points, and so many more than any other line."""


class Candidate(Protocol):
    """A line of a scenario's lists."""

    @property
    def id(self) -> str: ...

    @property
    def side(self) -> str: ...

    @property
    def nation(self) -> str | None: ...

    @property
    def kind(self) -> str | None: ...

    @property
    def values(self) -> Sequence[int | None] | None: ...


C = TypeVar("C", bound=Candidate)


class Heard(NamedTuple):
    """The telling parts of a counter's name."""

    numbers: tuple[str, ...]
    words: frozenset[str]
    factors: tuple[int, int, int] | None
    kind: str | None
    side: str | None
    nation: str | None


def heard(
    name: str,
    side_of: Callable[[object], str | None],
    nation_of: Callable[[object], str | None],
    side: str | None = None,
) -> Heard:
    """A name taken apart.

    >>> told = heard("USMC 5th Marines 8-7-5", lambda word: None, lambda word: None)
    >>> told.numbers, told.factors, sorted(told.words)
    (('5',), (8, 7, 5), ['marines', 'usmc'])
    """
    low = name.lower().replace("_", " ")
    found = _FACTORS.search(low)
    factors = (int(found[1]), int(found[2]), int(found[3])) if found else None
    plain = _ORDINAL.sub("", _FACTORS.sub(" ", low))
    words = frozenset(re.findall(r"[a-z]+", plain))
    sides = [known for word in sorted(words) if (known := side_of(word)) is not None]
    nations = [known for word in sorted(words) if (known := nation_of(word)) is not None]
    kind = next((_KINDS[word] for word in sorted(words) if word in _KINDS), None)
    whose = side or (sides[0] if len(set(sides)) == 1 else None)
    return Heard(
        tuple(re.findall(r"\d+", plain)), words, factors, kind, whose, nations[0] if len(set(nations)) == 1 else None
    )


def best_line(told: Heard, lines: Iterable[C]) -> C | None:
    """The one line that fits clearly better than every other."""
    scored = sorted(((points, n, line) for n, line in enumerate(lines) if (points := _score(told, line))), reverse=True)
    if not scored or scored[0][0] < LEAST:
        return None
    best = scored[0][2]
    rival = next((points for points, _, line in scored if (line.id, line.side) != (best.id, best.side)), 0.0)
    return best if scored[0][0] - rival >= AHEAD else None


def _score(told: Heard, line: Candidate) -> float:
    numbers = re.findall(r"\d+", re.sub(r"\d+-\d+-\d+", "", line.id))
    letters = [word for word in re.findall(r"[a-z]+", line.id.lower()) if word not in _KINDS]
    if (told.side is not None and told.side != line.side) or (told.nation is not None and told.nation != line.nation):
        return 0.0
    if (line.kind in _KINDS.values() or told.kind is not None) and told.kind != line.kind:
        return 0.0
    if numbers and (not told.numbers or told.numbers[0] != numbers[0]):
        return 0.0
    points = 2.0 * bool(numbers) + (told.side is not None) + (told.kind is not None)
    points += sum(1.0 for one, other in zip(numbers[1:], told.numbers[1:], strict=False) if one == other)
    points -= sum(2.0 for one, other in zip(numbers[1:], told.numbers[1:], strict=False) if one != other)
    points -= max(0, len(told.numbers) - max(len(numbers), 1))
    for word in letters:
        spoken = word in told.words or any(other in told.words for other in _BRANCHES.get(word, ()))
        near = len(word) > 2 and any(other.startswith(word) for other in told.words)
        points += 2.0 if spoken or near else -1.0
    if told.factors is not None and line.values is not None:
        points += 2.0 if told.factors == tuple(line.values) else -4.0
    return max(points, 0.0)
