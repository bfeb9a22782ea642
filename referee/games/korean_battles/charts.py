"""What the rulebook leaves to the printed map and counters: the user's charts.yaml or a story's `assume`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import referee.charts
from referee.charts import hex_text, many, read_entries
from referee.games.korean_battles import facts
from referee.rulebook import Rulebook, plain


@dataclass
class Charts(referee.charts.Charts):
    """Support numbers by turn (None: any turn) and side; printed supply symbols."""

    book: Rulebook = facts.BOOK
    support: dict[tuple[int | None, str], int] = field(default_factory=dict)
    symbols: set[str] | None = None

    def support_number(self, turn: int | None, side: str) -> int | None:
        """The number printed on the turn track for a side."""
        return self.support.get((turn, side), self.support.get((None, side)))


def terrain_name(word: object) -> str | None:
    """The rules' name for a terrain or hexside, None where there is none such.

    >>> terrain_name("Han River"), terrain_name("river"), terrain_name("moonscape")
    ('han-river', 'minor-river', None)
    """
    return facts.BOOK.terrain_name(word)


def take(charts: Charts, name: str, value: Any, scenario: facts.Scenario) -> bool:
    """Understand one entry of charts or `assume`; False where it is nothing that charts hold."""
    key = plain(name)
    groups = facts.words()["charts"]
    if charts.take_option(name, value):
        return True
    if key in groups["support"]:
        return take_support(charts, value, scenario)
    if key in groups["symbols"]:
        charts.symbols = {hex_text(hex) for hex in many(value)}
        return True
    place = key.removesuffix(" hexes").capitalize()
    if place in scenario.cities and isinstance(value, list):
        charts.regions[place] = {hex_text(hex) for hex in value}
        return True
    if isinstance(value, Mapping):
        if key in groups["options"]:
            understood = [take(charts, inner, item, scenario) for inner, item in value.items()]
            return all(understood)
        if key in groups["costs"]:
            understood = [charts.take_cost(inner, item) for inner, item in value.items()]
            return all(understood)
        if key in groups["regions"]:
            return charts.take_regions(value)
        if key in groups["units"] or key in _UNIT_KEYS:
            return charts.take_units(value, _UNIT_KEYS.get(key, key))
    if key.endswith((" cost", " mp")) or terrain_name(key) is not None:
        return charts.take_cost(name, value)
    return False


_UNIT_KEYS = {
    "classes": "class",
    "class": "class",
    "sizes": "size",
    "size": "size",
    "depleted values": "back",
    "backs": "back",
}


def take_support(charts: Charts, value: Any, scenario: facts.Scenario, turn: int | None = None) -> bool:
    """The support fire numbers: a pair "8/9", a number a side, either of them by turn."""
    if isinstance(value, str) and re.fullmatch(r"\s*\d+\s*/\s*\d+\s*", value):
        first, second = (int(part) for part in value.split("/"))
        charts.support[turn, scenario.sides[0]] = first
        charts.support[turn, scenario.sides[1]] = second
        return True
    if isinstance(value, list) and len(value) == 2 and all(isinstance(part, int) for part in value):
        return take_support(charts, f"{value[0]}/{value[1]}", scenario, turn)
    if not isinstance(value, Mapping):
        return value is None
    done = True
    for key, inner in value.items():
        side = facts.side_of(key, scenario.id)
        number = re.fullmatch(r"(?:turn\s*)?(\d+)", plain(key))
        if side is not None and isinstance(inner, int):
            charts.support[turn, side] = inner
        elif side is not None and isinstance(inner, Mapping):
            for at, count in inner.items():
                digits = re.search(r"\d+", str(at))
                if digits and isinstance(count, int):
                    charts.support[int(digits[0]), side] = count
        elif number:
            done = take_support(charts, inner, scenario, int(number[1])) and done
        elif plain(key) == scenario.id.replace("-", " "):
            done = take_support(charts, inner, scenario, turn) and done
        else:
            done = False
    return done


def read_charts(path: Path, scenario: facts.Scenario) -> Charts:
    """A user's charts.yaml; BadInput where an entry is nothing we know."""
    charts = Charts()
    read_entries(path, facts.GAME, scenario.id, lambda name, value: take(charts, name, value, scenario))
    return charts


def template(scenario_id: str = "pusan") -> str:
    """A charts.yaml to fill in: what the rulebook leaves to the map, the counters and the turn track."""
    rules, scenario = facts.rules(), facts.scenario(scenario_id)
    lines = [
        "# What only the printed map and counters tell. Leave out what you do not know.",
        "game: korean-battles",
        "",
        "terrain:  # movement points to enter (5.2)",
    ]
    names = {name for row in facts.table(scenario.crt).rows for name in row.terrain}
    lines += [f"  {name}:" for name, cost in rules["terrain"].items() if cost is None and name in names]
    lines += ["hexsides:  # added for crossing (5.2); a number or prohibited"]
    sides = sorted(name for name in names if name in rules["hexsides"] or name == "bridge")
    lines += [f"  {name}:" for name in sides]
    lines += ["support:  # first player's number / second player's, as on the turn track (8.0)"]
    lines += [f"  {turn}:" for turn in range(1, scenario.turns + 1)]
    regions = list(scenario.cities) or []
    if regions:
        lines += ["regions:  # all hexes of each"] + [f"  {name}:" for name in regions]
    if any(side.get("depots") for side in scenario.supply.values()):
        lines += ["supply_symbols:  # printed North Korean supply symbols (10.0)"]
    lines += ["units:  # class leg or mobile, size, depleted face; as printed on the counters"]
    seen = dict.fromkeys(unit.id for unit in scenario.units)
    lines += [f'  "{name}": {{class: , size: , back: }}' for name in seen]
    lines += ["options:  # readings you have agreed on; see docs/korean-battles.md"]
    lines += [
        f"  # {id}: {' | '.join(str(value).lower() for value in option['values'])}"
        for id, option in facts.options().items()
    ]
    return "\n".join(lines) + "\n"
