"""The figures of a combat as players announce them, and the words they use for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

ATTACK = (
    "attack",
    "attack_total",
    "attacker_total",
    "total_attack",
    "attack_strength",
    "attack_value",
    "attacker",
    "attacking",
)
DEFENCE = (
    "defense",
    "defence",
    "defense_total",
    "defence_total",
    "defender_total",
    "total_defense",
    "defense_strength",
    "defence_strength",
    "defense_value",
    "defender",
    "defending",
)
GAP = ("differential", "diff", "difference", "combat_differential", "final_differential")
ROW = ("row", "terrain", "terrain_row", "crt_row", "rows")
COLUMN = ("column", "col", "crt_column")
TABLE = ("table", "crt", "combat_table")
RESULT = ("result", "outcome", "crt_result", "combat_result")
SHIFTS = ("shifts", "terrain_shifts", "modifiers", "benefits", "terrains", "shift")


def number_in(told: Mapping[str, Any], words: tuple[str, ...]) -> int | None:
    """The number that was told under one of these words.

    >>> number_in({"diff": "+3"}, GAP), number_in({"differential": "high"}, GAP)
    (3, None)
    """
    value = next((told[word] for word in words if told.get(word) is not None), None)
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        return value
    found = re.fullmatch(r"\s*([+-]?\d+)\s*", str(value))
    return int(found[1]) if found else None
