"""Which line of the scenario's lists a unit is: players write names in many ways."""

from __future__ import annotations

import re
from functools import lru_cache

from referee.games.korean_battles.facts import Listed, Scenario
from referee.table.units import Unit

_NOISE = {
    "us", "rok", "nk", "cw", "un", "div", "division", "id", "regt", "regiment", "rgt", "bn", "battalion", "brigade",
    "bde", "xx", "iii", "ii", "inf", "infantry", "the", "supply", "tank", "tanks", "tk", "usmc", "marines", "unit",
    "chinese", "ccf", "a", "b", "c",
}  # fmt: skip
_WORDS = {"engineers": "engineer", "eng": "engineer", "depots": "depot", "headquarters": "hq", "mp": ""}
_KINDS = {"hq": "hq", "depot": "depot", "cadre": "cadre", "engineer": "engineer", "dummy": "dummy"}


@lru_cache(maxsize=5_000)
def words(name: str) -> frozenset[str]:
    """The telling parts of a name.

    >>> sorted(words("ROK HQ (2)")), sorted(words("5/1M")), sorted(words("HQ-1M")), sorted(words("38th/2nd"))
    (['2', 'hq'], ['5/1m'], ['1m', 'hq'], ['38/2'])
    """
    plain = re.sub(r"(?<=\d)(st|nd|rd|th)\b", "", re.sub(r"\d+-\d+-\d+", " ", name.lower()))
    parts = re.split(r"[\s()_#-]+", plain)
    return frozenset(word for part in parts if (word := _WORDS.get(part, part)) and word not in _NOISE)


def kind_in(name: str) -> str | None:
    """The kind that a name tells: HQ, depot, cadre, engineer or dummy."""
    low = name.lower()
    return next((kind for word, kind in _KINDS.items() if re.search(rf"(?<![a-z]){word}", low)), None)


def called(unit: Unit) -> frozenset[str]:
    """The telling parts of a unit's name, its kind included whether or not the name says it."""
    return words(unit.name) | ({unit.kind} if unit.kind in _KINDS else frozenset())


def listed(scenario: Scenario, unit: Unit, arrives: bool | None = None) -> list[Listed]:
    """The lines that may be this unit, the best fitting first; `arrives` wants reinforcements (or the set-up) only."""
    said = words(unit.name)
    found: list[tuple[int, Listed]] = []
    for line in scenario.units:
        if line.side != unit.side or (arrives is not None and line.arrives != arrives):
            continue
        if unit.nation and line.nation != unit.nation:
            continue
        if unit.kind and line.kind and unit.kind != line.kind:
            continue
        if unit.kind in _KINDS and line.kind != unit.kind:
            continue
        want = words(line.id)
        if line.kind in _KINDS and len(want) > 1 and (unit.kind == line.kind or unit.face == line.values):
            want -= {line.kind}
        heard = said if line.kind in want else said - {line.kind}
        nameless = (line.kind in ("depot", "engineer") and line.kind == unit.kind) or (
            not want and unit.face == line.values and unit.nation == line.nation
        )
        if not nameless and not (want and want <= heard):
            continue
        spare = len(heard - want)
        if spare and all(word.isdigit() for word in want):
            continue
        fits = unit.face == line.values or line.values in unit.faces
        if not fits and unit.face.attack is not None and not unit.depleted and all(word.isdigit() for word in want):
            continue
        found.append((2 * spare - fits, line))
    return [line for _, line in sorted(found, key=lambda pair: pair[0])]


def side_known(scenario: Scenario, name: str) -> str | None:
    """The side a bare name belongs to: None where the lists of neither side, or of both, have such a unit."""
    bare = [Unit(name, name, side, kind=kind_in(name)) for side in scenario.sides]
    know = [
        unit.side
        for unit in bare
        if listed(scenario, unit) or (unit.side == "Chinese" and "/" in name and division_of(scenario, unit))
    ]
    return know[0] if len(know) == 1 else None


def division_of(scenario: Scenario, unit: Unit) -> int | None:
    """The Chinese division a unit belongs to or is, by its name."""
    known = {int(formation["division"]) for formation in scenario.formations}
    if unit.kind == "hq":
        return None
    if unit.division and (digits := re.search(r"\d+", unit.division)):
        return int(digits[0]) if int(digits[0]) in known else None
    numbers = [int(number) for number in re.findall(r"\d+", re.sub(r"\d+-\d+-\d+", " ", unit.name))]
    return next((number for number in numbers if number in known), None)
