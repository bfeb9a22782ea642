"""What the rulebook prints, read once from data/yalu."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Any

from converter.errors import BadInput
from referee.rulebook import Rulebook, plain
from referee.table import callouts
from referee.table.calendar import Calendar
from referee.table.clock import Moment

GAME = "yalu"
BOOK = Rulebook(GAME)
SCENARIOS = ("deluxe", "classic")
COMMUNIST, UN = "Communist", "UN"
COMBAT = ("designation", "defensive-fire", "assault")


@dataclass(frozen=True)
class Listed:
    """A line of the set-up."""

    id: str
    side: str
    nation: str
    hex: str | None = None
    example: str | None = None


@dataclass(frozen=True)
class Scenario:
    """One edition: when it begins and ends, and where its rules differ."""

    id: str
    title: str
    map: str
    sides: tuple[str, str]
    rules: Mapping[str, bool]
    units: tuple[Listed, ...]
    raw: Mapping[str, Any] = field(default_factory=dict)

    def enemy(self, side: str) -> str:
        """The other side."""
        return self.sides[1] if side == self.sides[0] else self.sides[0]

    def rule(self, name: str) -> Any:
        """A number or list of the rules, as this edition has it."""
        return self.raw[name] if name in self.raw else BOOK.rules[name]

    @property
    def classic(self) -> bool:
        return self.id == "classic"

    @property
    def unasked(self) -> Collection[str]:
        """What the catalogue forbids and this edition does not: its rules have nothing of the kind."""
        return frozenset(self.raw.get("unasked", ()))

    @cached_property
    def rule_numbers(self) -> Mapping[str, str]:
        """What findings cite where this edition's rules are numbered otherwise, by the catalogue's id."""
        return {id: rule for rule, ids in self.raw.get("rule_numbers", {}).items() for id in ids}


@cache
def scenario(id: str) -> Scenario:
    """An edition by its id."""
    if id not in SCENARIOS:
        raise BadInput(f"yalu has no scenario '{id}'; it has {', '.join(SCENARIOS)}")
    data = BOOK.read(f"scenarios/{id}.yaml")
    lines = (
        Listed(line["id"], line["side"], line["nation"], line.get("hex"), line.get("example")) for line in data["setup"]
    )
    sides = (data["first_player"], data["second_player"])
    return Scenario(data["id"], data["title"], data["map"], sides, data["rules"], tuple(lines), data)


# --- turns


@cache
def turn_names(scenario_id: str) -> tuple[str, ...]:
    """The turns of an edition in order, such as Nov IV.

    >>> turn_names("deluxe")[0], turn_names("deluxe")[3], len(turn_names("deluxe")), len(turn_names("classic"))
    ('Nov IV', 'Dec III', 25, 26)
    """
    every = [f"{month} {week}" for month in BOOK.rules["months"] for week in BOOK.rules["weeks"]]
    raw = scenario(scenario_id).raw
    return tuple(every[every.index(raw["first_turn"]) : every.index(raw["last_turn"]) + 1])


def turn_name(scenario_id: str, turn: int) -> str:
    """A turn as players call it."""
    names = turn_names(scenario_id)
    return names[turn - 1] if 1 <= turn <= len(names) else f"turn {turn}"


_TURN = re.compile(r"\b(nov|dec|jan|feb|mar|apr|may)[a-z]*\.?\s*(iv|iii|ii|i|[1-4])\b", re.I)
_ROMAN = {"1": "I", "2": "II", "3": "III", "4": "IV"}


def turn_of(scenario_id: str, word: object) -> int | None:
    """The turn that a number or a name means.

    >>> turn_of("deluxe", "Dec III"), turn_of("deluxe", 4), turn_of("classic", "NOV III"), turn_of("deluxe", "soon")
    (4, 4, 1, None)
    """
    if isinstance(word, int) and not isinstance(word, bool):
        return word
    found = _TURN.search(str(word))
    if found:
        name = f"{found[1].capitalize()} {_ROMAN.get(found[2], found[2].upper())}"
        names = turn_names(scenario_id)
        return names.index(name) + 1 if name in names else None
    digits = re.fullmatch(r"\s*(?:turn\s*)?(\d+)\s*", str(word), re.I)
    return int(digits[1]) if digits else None


def month_of(scenario_id: str, turn: int) -> str:
    """The month of a turn."""
    return turn_name(scenario_id, turn).split()[0]


def week_of(scenario_id: str, turn: int) -> str:
    """The week of a turn within its month, as a Roman numeral."""
    return turn_name(scenario_id, turn).split()[-1]


def dated(scenario_id: str, deluxe_turn: int) -> int:
    """A turn of the Deluxe calendar in the calendar of an edition.

    >>> dated("deluxe", 4), dated("classic", 4)
    (4, 5)
    """
    return turn_names(scenario_id).index(turn_names("deluxe")[deluxe_turn - 1]) + 1


# --- phases and sides


@cache
def moments(scenario_id: str) -> tuple[Moment, ...]:
    """The phases of a game turn in order (3.2)."""
    every = (Moment(side, phase) for side, phase in BOOK.rules["order"])
    kept = scenario(scenario_id).rules["morale_phase"]
    return tuple(moment for moment in every if kept or moment != Moment(COMMUNIST, "morale"))


def side_of(word: object) -> str | None:
    """The side that a word names."""
    low = str(word).strip().lower()
    sides = BOOK.units["sides"]
    return next((str(side) for side, names in sides.items() if low == side.lower() or low in names), None)


_SIDE_WORDS = re.compile(r"\b(communist|comm|com|un|united nations|pva|us)\b", re.I)


def phase_of(word: object, side: str | None = None) -> str | None:
    """The phase that a word names, its side's name before it or not."""
    if word is None:
        return None
    names = BOOK.phase_names
    return names.get(plain(word)) or names.get(plain(_SIDE_WORDS.sub(" ", str(word))))


def phase_words(scenario_id: str, text: str) -> dict[str, Any]:
    """Turn, side and phase named in a text.

    >>> phase_words("deluxe", "Dec III Communist Movement")
    {'turn': 4, 'side': 'communist', 'name': 'movement'}
    """
    said: dict[str, Any] = {}
    named = _TURN.search(text)
    turn = turn_of(scenario_id, named[0]) if named else callouts.phase_words(text).get("turn")
    if turn is not None:
        said["turn"] = turn
    low = plain(_TURN.sub(" ", text))
    side = re.search(r"\b(communist|united nations|un|pva)\b", low)
    if side:
        said["side"] = side[1]
    name = next((name for name, word in _named_phases() if name in low and word.search(low)), None)
    if name:
        said["name"] = name
    return said


@cache
def _named_phases() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The names of phases and how to find each as a word of its own, the longest first."""
    names = sorted(BOOK.phase_names, key=len, reverse=True)
    return tuple((name, re.compile(rf"(?<![a-z]){re.escape(name)}(?![a-z])")) for name in names)


@cache
def calendar(scenario_id: str) -> Calendar:
    """The moments of an edition's turn and how players write them."""
    return Calendar(
        moments(scenario_id),
        scenario(scenario_id).sides,
        ("movement", "bugout", *COMBAT),
        tuple(BOOK.rules["shared"]),
        lru_cache(maxsize=1024)(lambda text: phase_words(scenario_id, text)),  # a log is gone through more than once
        side_of,
        phase_of,
        frozenset(map(str, BOOK.words["phase_line"])),
        tuple((name, tuple(phases)) for name, phases in BOOK.rules["groups"].items()),
        ("movement", "bugout"),
        COMBAT,
        reactions=tuple(BOOK.rules["reactions"]),
    )
