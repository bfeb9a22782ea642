"""Call-outs: what players type so that the referee (and the opponent) can follow. docs/call-outs.md is the grammar.

A line that starts with `@` is a call-out and is read strictly; the free forms are what people write anyway, read only
as far as there is no doubt about them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from referee.table.events import Declared

_ODDS = re.compile(r"(?<![\d/-])(\d+)\s*(?:-|:|to)\s*(\d+)\b(?=\s*odds|\s*\(|\s*,|\s*$|\s+at\b)", re.I)
_ODDS_WORD = re.compile(r"\bodds\b[^\d]{0,12}(\d+)\s*(?:-|:|to)\s*(\d+)\b", re.I)
_MODIFIER = re.compile(r"(?<![\w/+-])([+-]\d+)\b(?!\s*(?:differential|diff))")
_DIFFERENTIAL = re.compile(
    r"(?:differential|diff\.?)\s*(?:is|of|=|:)?\s*([+-]?\d+)|([+-]\d+)\s*(?:differential|diff)\b", re.I
)
_TURN = re.compile(r"\b(?:game\s*)?turn\s*#?\s*(\d+)|\bt(\d+)\b|\bgt\s*(\d+)", re.I)
_CALL = re.compile(r"@\s*([A-Za-z]+)[:\s]*(.*)", re.S)
_HEX = re.compile(r"(?<![\d/-])(\d{4})(?![\d/])")
_FIRING = re.compile(r"\b(?:fir(?:es?|ing)|attack(?:s|ing)?|assault(?:s|ing)?|shoot(?:s|ing)?)\b", re.I)
_PHASES = (
    "mobile movement", "mobile combat", "strategic movement", "movement", "combat", "bombardment", "rebuild", "supply",
    "support", "set-up", "setup", "end of turn", "fire", "rally", "reinforcement", "recovery",
)  # fmt: skip
_SIDES = ("united nations", "north korean", "north korea", "chinese", "ccf", "nk", "un", "us", "rok", "communist")


_NAMED_SIDES = [(side, re.compile(rf"\b{side}\b")) for side in _SIDES]
_NAMED_PHASES = [(phase, plain, re.compile(rf"\b{plain}\b")) for phase in _PHASES if (plain := phase.replace("-", " "))]


def phase_words(text: str) -> dict[str, Any]:
    """Turn, side and phase named in a text, whatever order they stand in.

    >>> phase_words("Turn 3 NK mobile movement phase")
    {'turn': 3, 'side': 'nk', 'name': 'mobile movement'}
    """
    return dict(_phase_words(text))


@lru_cache(maxsize=1000)
def _phase_words(text: str) -> tuple[tuple[str, Any], ...]:
    said: dict[str, Any] = {}
    turn = _TURN.search(text)
    if turn:
        said["turn"] = int(next(group for group in turn.groups() if group))
    low = re.sub(r"[_-]", " ", text.lower())
    side = next((side for side, word in _NAMED_SIDES if side in low and word.search(low)), None)
    if side:
        said["side"] = side
    phase = next((phase for phase, plain, word in _NAMED_PHASES if plain in low and word.search(low)), None)
    if phase:
        said["name"] = phase
    return tuple(said.items())


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in re.split(r"[,;&]| and | \+ ", text) if name.strip())


def _sides_of_arrow(text: str) -> tuple[str, str]:
    parts = re.split(r"\s*(?:->|=>|→|>>)\s*|\s+(?:on|at|vs\.?|against|into)\s+", text, maxsplit=1)
    return (parts[0], parts[1]) if len(parts) == 2 else (text, "")


def attack(rest: str) -> dict[str, Any]:
    who, target = _sides_of_arrow(rest)
    said: dict[str, Any] = {"attackers": _names(who)}
    hexes = _HEX.findall(target)
    if hexes:
        said["target"] = hexes[0] if len(hexes) == 1 else tuple(hexes)
    elif target:
        said["defenders"] = _names(target)
    return said


def _numbers(text: str) -> dict[str, Any]:
    said: dict[str, Any] = {}
    odds = _ODDS_WORD.search(text) or _ODDS.search(text)
    if odds:
        said["odds"] = f"{odds[1]}-{odds[2]}"
    differential = _DIFFERENTIAL.search(text)
    if differential:
        said["differential"] = int(differential[1] or differential[2])
    plain = _ODDS.sub(" ", text)
    modifiers = [int(number) for number in _MODIFIER.findall(plain)]
    if modifiers and "differential" not in said:
        said["drm"] = sum(modifiers)
    return said


def _odds(rest: str) -> dict[str, Any]:
    said = _numbers(rest)
    alone = re.fullmatch(r"\s*([+-]?\d+)\s*", rest)
    if alone:
        said = {"differential": int(alone[1])}
    return said


def _support(rest: str) -> dict[str, Any]:
    what, target = _sides_of_arrow(rest.replace(" for ", " -> "))
    said: dict[str, Any] = {"marker": what.strip()}
    hexes = _HEX.findall(target)
    if hexes:
        said["for"] = hexes[0]
    elif target:
        said["for"] = target.strip()
    return said


def bombard(rest: str) -> dict[str, Any]:
    what, target = _sides_of_arrow(rest)
    return {"by": _names(what), "target": next(iter(_HEX.findall(target)), None)}


def units(rest: str) -> dict[str, Any]:
    return {"units": _names(rest)}


def _draw(rest: str) -> dict[str, Any]:
    number = re.search(r"\d{1,2}", rest)
    return {"side": re.sub(r"[\d\s]+", " ", rest).strip(), **({"count": int(number[0])} if number else {})}


def _column(rest: str) -> dict[str, Any]:
    number = re.search(r"\d{1,2}", rest)
    return {"column": int(number[0])} if number else {}


Verb = tuple[str, Callable[[str], dict[str, Any]]]
"""What a call-out means, and how the rest of its line is read."""

_VERBS: Mapping[str, Verb] = {
    "phase": ("phase", phase_words),
    "turn": ("phase", lambda rest: phase_words(f"turn {rest}")),
    "attack": ("declare", attack),
    "odds": ("claim", _odds),
    "claim": ("claim", _odds),
    "support": ("support", _support),
    "bombard": ("bombard", bombard),
    "wave": ("wave", units),
    "stiff": ("stiff", units),
    "pass": ("pass", lambda rest: {"side": rest.strip()}),
    "rebuild": ("rebuild", units),
    "reveal": ("reveal", units),
    "result": ("claim", lambda rest: {"result": rest.strip()}),
    "row": ("claim", lambda rest: {"row": rest.strip()}),
    "column": ("claim", _column),
    "table": ("claim", lambda rest: {"table": rest.strip()}),
    "draw": ("draw", _draw),
    "air": ("air_supply", units),
    "bridge": ("bridge", lambda rest: {"hexside": tuple(_HEX.findall(rest.replace("/", " ")))}),
    "cancel": ("cancel", lambda rest: {}),
}


def read(
    text: str, phases: Callable[[str], dict[str, Any]] = phase_words, verbs: Mapping[str, Verb] | None = None
) -> Declared | None:
    """What a line of chat declares; None where it is only talk.

    `phases` knows the game's own names of phases, `verbs` are its own call-outs besides those of every game.

    >>> read("@attack 58/1, 58/2 -> 0710").fields
    (('attackers', ('58/1', '58/2')), ('target', '0710'))
    >>> read("@odds +3").fields
    (('differential', 3),)
    >>> read("two 716 units firing on top commandos, 1-1 odds, +1").fields
    (('odds', '1-1'), ('drm', 1))
    >>> read("good game, 2-1 in matches") is None
    True
    """
    line = text.strip().lstrip("-* ").strip()
    said = _CALL.match(line)
    if said:
        known = (verbs or {}).get(said[1].lower()) or _VERBS.get(said[1].lower())
        if known is None:
            return None
        what, parse = known
        if what == "phase" and phases is not phase_words:
            return Declared(what, tuple(phases(said[2]).items()), text)
        return Declared(what, tuple(parse(said[2]).items()), text)
    if _FIRING.search(line):
        numbers = _numbers(line)
        if numbers:
            return Declared("claim", tuple(numbers.items()), text)
    phase = phases(line)
    if "name" in phase and ("phase" in line.lower() or "turn" in phase) and len(line) < 60:
        return Declared("phase", tuple(phase.items()), text)
    return None
