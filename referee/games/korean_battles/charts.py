"""What the rulebook leaves to the printed map and counters: the user's charts.yaml or a story's `assume`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from converter.errors import BadInput
from converter.scenario.yaml_reading import read_file
from referee.games.korean_battles import facts
from referee.rulebook import plain
from referee.rules.board import NEVER, ticks


@dataclass
class Charts:
    """Costs in ticks by terrain or hexside name; support numbers by turn (None: any turn) and side; options settled."""

    costs: dict[str, int] = field(default_factory=dict)
    support: dict[tuple[int | None, str], int] = field(default_factory=dict)
    units: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    regions: dict[str, set[str]] = field(default_factory=dict)
    symbols: set[str] | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def option(self, id: str) -> Any:
        """A reading: as settled by the players, else the default, None where neither decides."""
        return self.options.get(id, facts.options()[id]["default"])

    def settled(self, id: str) -> bool:
        """Did the players settle this reading themselves?"""
        return id in self.options

    def support_number(self, turn: int | None, side: str) -> int | None:
        """The number printed on the turn track for a side."""
        return self.support.get((turn, side), self.support.get((None, side)))


def terrain_name(word: object) -> str | None:
    """The rules' name for a terrain or hexside, None where there is none such.

    >>> terrain_name("Han River"), terrain_name("river"), terrain_name("moonscape")
    ('han-river', 'minor-river', None)
    """
    return facts.BOOK.terrain_name(word)


def _cost(value: Any) -> int | None:
    if isinstance(value, Mapping):
        value = next(
            (value[key] for key in ("cost", "mp", "move", "enter", "movement", "leg", "all") if key in value), None
        )
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return ticks(value)
    text = str(value).strip().lower().lstrip("+").removesuffix("mp").strip()
    if text in ("prohibited", "never", "banned", "impassable", "p", "no"):
        return NEVER
    text = text.replace("½", ".5") if text != "½" else "0.5"
    try:
        return ticks(text)
    except (ValueError, ZeroDivisionError):
        return None


def take(charts: Charts, name: str, value: Any, scenario: facts.Scenario) -> bool:
    """Understand one entry of charts or `assume`; False where it is nothing that charts hold."""
    key = plain(name)
    groups = facts.words()["charts"]
    if key.replace(" ", "_") in facts.options():
        charts.options[key.replace(" ", "_")] = value
        return True
    if key in groups["support"]:
        return take_support(charts, value, scenario)
    if key in groups["symbols"]:
        charts.symbols = {_hex(hex) for hex in _many(value)}
        return True
    place = key.removesuffix(" hexes").capitalize()
    if place in scenario.cities and isinstance(value, list):
        charts.regions[place] = {_hex(hex) for hex in value}
        return True
    if isinstance(value, Mapping):
        if key in groups["options"]:
            understood = [take(charts, inner, item, scenario) for inner, item in value.items()]
            return all(understood)
        if key in groups["costs"]:
            understood = [take_cost(charts, inner, item) for inner, item in value.items()]
            return all(understood)
        if key in groups["regions"]:
            charts.regions |= {str(name): {_hex(hex) for hex in _many(hexes)} for name, hexes in value.items() if hexes}
            return True
        if key in groups["units"] or key in _UNIT_KEYS:
            for unit, told in value.items():
                extra = told if isinstance(told, Mapping) else {_UNIT_KEYS.get(key, key): told}
                charts.units[str(unit)] = {**charts.units.get(str(unit), {}), **extra}
            return True
    if key.endswith((" cost", " mp")) or terrain_name(key) is not None:
        return take_cost(charts, name, value)
    return False


_UNIT_KEYS = {
    "classes": "class",
    "class": "class",
    "sizes": "size",
    "size": "size",
    "depleted values": "back",
    "backs": "back",
}


def take_cost(charts: Charts, name: str, value: Any) -> bool:
    """One line of the Terrain Key."""
    known = terrain_name(name)
    if known is None and isinstance(value, Mapping):
        understood = [take_cost(charts, inner, item) for inner, item in value.items()]
        return all(understood)
    cost = _cost(value)
    if known is None or cost is None:
        return value is None
    charts.costs[known] = cost
    return True


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


def _many(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple, set)) else [value]


def _hex(value: Any) -> str:
    return f"{value:04d}" if isinstance(value, int) else str(value)


def read_charts(path: Path, scenario: facts.Scenario) -> Charts:
    """A user's charts.yaml; BadInput where an entry is nothing we know."""
    document = read_file(path)
    if not isinstance(document.data, dict):
        raise BadInput(f"{path}:1: expected a mapping of charts")
    charts = Charts()
    for name, value in document.data.items():
        if name == "game" or value is None:
            continue
        if isinstance(value, Mapping) and scenario.id in value:
            value = value[scenario.id]
        if not take(charts, name, value, scenario):
            raise BadInput(
                str(
                    document.problem(
                        (name,), f"'{name}' is no chart of korean-battles, or not in a form it can be read"
                    )
                )
            )
    return charts


def template(scenario_id: str = "pusan") -> str:
    """A charts.yaml to fill in: what the rulebook leaves to the map, the counters and the turn track."""
    rules, scenario = facts.rules(), facts.scenario(scenario_id)
    frozen = scenario.crt == "B"
    lines = [
        "# What only the printed map and counters tell. Leave out what you do not know.",
        "game: korean-battles",
        "",
        "terrain:  # movement points to enter (5.2)",
    ]
    names = {name for row in facts.table(scenario.crt).rows for name in row.terrain}
    lines += [f"  {name}:" for name, cost in rules["terrain"].items() if cost is None and name in names]
    lines += ["hexsides:  # added for crossing (5.2); a number or prohibited"]
    sides = ("frozen-river", "frozen-reservoir-hexside") if frozen else ("minor-river", "han-river", "bridge")
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
