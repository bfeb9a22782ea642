"""A story's `markers`: support fire, Air Supply and bridge counters, which are no units."""

from __future__ import annotations

import re
from collections.abc import Mapping

from referee.games.korean_battles import facts
from referee.games.korean_battles.court import Court, Marker
from referee.rulebook import plain
from referee.story import Story
from referee.story_events import as_list
from referee.story_past import text_of
from referee.table.ledger import Fact

_FIELDS = {
    "name", "id", "marker", "side", "value", "hex", "type", "kind", "turn", "drawn", "unit", "at", "on", "note", "used",
    "between", "hexside", "plus", "count", "carried",
}  # fmt: skip


def read_markers(story: Story, court: Court) -> None:
    """Take in the markers; BadInput at the line of an unknown field."""
    for i, told in enumerate(story.markers):
        if not isinstance(told, Mapping):
            told = {"name": told}
        for name in told:
            if name not in _FIELDS:
                story.refuse(f"unknown field '{name}' in marker", "markers", i, name)
        name = str(told.get("name") or told.get("id") or told.get("marker") or f"marker {i + 1}")
        value = told.get("value", told.get("plus"))
        if not isinstance(value, int):
            digits = re.findall(r"\d+", str(value or ""))
            value = int(digits[0]) if digits else value_in(name)
        hex = told.get("hex") or told.get("at")
        drawn = told.get("drawn", told.get("turn"))
        side = facts.side_of(told.get("side") or re.split(r"[\s+-]", name)[0], court.scenario.id)
        kind = _kind(plain(told.get("type") or told.get("kind") or ""), name.lower())
        marker = Marker(name, kind, side, value)
        marker.hex = text_of(hex) if hex is not None else None
        marker.drawn = drawn if isinstance(drawn, int) else None
        court.markers[name] = marker
        if told.get("used"):
            court.ledger.add(Fact("used", name, court.turn, side))
        pair = told.get("between") or told.get("hexside")
        if kind == "bridge" and pair:
            court.bridges[frozenset(map(text_of, as_list(pair)))] = marker.drawn or court.turn or 0


def _kind(said: str, name: str) -> str:
    for text in (said, name):
        found = next((word for word in ("air", "bridge", "turn") if word in text), None)
        if found or (text == said and said):
            return found or ("support" if "support" in said or "fire" in said else said)
    return "support"


def value_in(name: str) -> int | None:
    """The plus-number in a marker's name.

    >>> value_in("+4"), value_in("UN +6 (b)"), value_in("NK-3"), value_in("artillery")
    (4, 6, 3, None)
    """
    found = re.search(r"\+\s*(\d+)", name) or re.search(r"[-_ ](\d+)[a-z]?$", name)
    return int(found[1]) if found else None
