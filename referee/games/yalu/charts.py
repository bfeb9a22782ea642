"""The player aid cards: what the text pins down of them, completed by the user's charts.yaml or a story's `assume`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import referee.charts
from referee.charts import cost_in, hex_text, many, read_entries
from referee.games.yalu import facts
from referee.rulebook import Rulebook, plain


@dataclass
class Charts(referee.charts.Charts):
    """`tables` holds the charts by name, the user's cells over those of the text."""

    book: Rulebook = facts.BOOK
    tables: dict[str, Any] = field(default_factory=dict)
    roads: dict[str, int] = field(default_factory=dict)  # ticks by mover: Communist, UN division, UN other

    def table(self, name: str) -> Any:
        """A chart as the user gave it; None where he gave none."""
        return self.tables.get(name)

    def cell(self, column: str, total: int) -> str | None:
        """A result of the combat results table: D, NR or `-`; None where nobody told."""
        for crt in (self.tables.get("crt") or {}, facts.BOOK.tables["crt"]):
            row = next((cells for name, cells in crt.items() if odds_text(name) == column), None)
            if isinstance(row, Mapping):
                for key, result in row.items():
                    if total in _span(key):
                        return result_code(result)
        return None

    def columns(self) -> list[str] | None:
        """The columns of the combat results table, where the user gave it."""
        told = self.tables.get("crt")
        return [odds_text(name) for name in told] if told else None

    def drm(self, fire: str, terrain: str) -> int | None:
        """The die modifier of a terrain in a column of the chart: `defensive` or `assault`."""
        told = self.tables.get("drm") or {}
        for group in (told.get(fire), told):
            value = group.get(terrain) if isinstance(group, Mapping) else None
            if isinstance(value, int):
                return value
            if isinstance(value, Mapping) and isinstance(value.get(fire), int):
                return int(value[fire])
        known = facts.BOOK.tables["drm"][fire].get(terrain)
        return int(known) if known is not None else None

    def infiltration(self, terrain: str) -> int | None:
        """The highest die with which a unit may leave a hex of this terrain."""
        told = self.tables.get("infiltration") or {}
        value = told.get(terrain, facts.BOOK.tables["infiltration"].get(terrain))
        return value if isinstance(value, int) else None

    def effect(self, weather: str | None, side: str, what: str) -> Any:
        """An entry of a side's weather effects chart; None where nobody told."""
        told = (self.tables.get("weather_effects") or {}).get(weather)
        if not isinstance(told, Mapping):
            return None
        own = next((inner for key, inner in told.items() if facts.side_of(key) == side), None)
        if isinstance(own, Mapping) and what in own:
            return own[what]
        return told.get(what)


def odds_text(value: object) -> str:
    """Odds as the referee writes them.

    >>> odds_text("3:1"), odds_text("1.5-1"), odds_text("2 to 1")
    ('3-1', '3-2', '2-1')
    """
    text = re.sub(r"\s*(?::|to|/)\s*", "-", str(value).strip().lower())
    return {"1.5-1": "3-2", "1½-1": "3-2"}.get(text, text)


def result_code(value: object) -> str:
    """A result as the referee writes it: D, NR or `-`.

    >>> result_code("no effect"), result_code("nr"), result_code("D"), result_code("Destroyed")
    ('-', 'NR', 'D', 'D')
    """
    word = plain(value)
    if word in ("d", "de", "destroyed", "eliminated", "elim", "defender destroyed"):
        return "D"
    if word in ("nr", "n", "neutralized", "neutralized and retreat", "neutralize", "n r"):
        return "NR" if word != "n" else "N"
    return "-"


def _span(key: object) -> range:
    """The totals that a row's key covers: 7, "7-8", "12+", "<=3"."""
    if isinstance(key, int):
        return range(key, key + 1)
    text = str(key).replace(" ", "")
    if found := re.fullmatch(r"(-?\d+)-(-?\d+)", text):
        return range(int(found[1]), int(found[2]) + 1)
    if found := re.fullmatch(r"(-?\d+)\+", text):
        return range(int(found[1]), 100)
    if found := re.fullmatch(r"(?:<=|≤)(-?\d+)", text):
        return range(-100, int(found[1]) + 1)
    return range(int(text), int(text) + 1) if re.fullmatch(r"-?\d+", text) else range(0)


def take(charts: Charts, name: str, value: Any) -> bool:
    """Understand one entry of charts or `assume`; False where it is nothing that charts hold."""
    key = plain(name)
    if charts.take_option(name, value):
        return True
    group = next((own for own, names in facts.BOOK.words["charts"].items() if key == plain(own) or key in names), None)
    if group is None:
        if isinstance(value, (list, str, int)) and _is_region(key):
            return charts.take_regions({str(name): value})
        if key.endswith((" cost", " mp")) or charts.book.terrain_name(name) is not None:
            return charts.take_cost(name, value)
        return False
    if group == "options" and isinstance(value, Mapping):
        understood = [take(charts, inner, item) for inner, item in value.items()]
        return all(understood)
    if group == "road":
        return _roads(charts, value)
    if group == "guerrilla_turns":
        charts.tables[group] = many(value)
        return True
    if not isinstance(value, Mapping):
        return False
    if group == "costs":
        rest = {inner: item for inner, item in value.items() if plain(inner) not in facts.BOOK.words["charts"]["road"]}
        roads = [item for inner, item in value.items() if inner not in rest]
        return all(
            [charts.take_cost(inner, item) for inner, item in rest.items()] + [_roads(charts, item) for item in roads]
        )
    if group == "regions":
        return charts.take_regions(value)
    if group == "units":
        return charts.take_units(value)
    if group == "weather" and any(isinstance(item, Mapping) for item in value.values()):
        charts.tables[group] = {str(month).capitalize()[:3]: row for month, row in value.items()}
        return True
    charts.tables[group] = dict(value)
    return True


def _is_region(key: str) -> bool:
    return any(word in key for words in facts.BOOK.words["regions"].values() for word in words) or key in {
        plain(name) for name in (*facts.BOOK.rules["ports"], "seoul", "pyongyang")
    }


def _roads(charts: Charts, value: Any) -> bool:
    """A rate for all, or by mover: Communist, UN division, UN other."""
    if not isinstance(value, Mapping):
        cost = cost_in(value)
        if cost is None:
            return value is None
        charts.roads |= dict.fromkeys(("Communist", "UN division", "UN other"), cost)
        return True
    for mover, rate in value.items():
        cost = cost_in(rate)
        key = plain(mover)
        if isinstance(rate, Mapping):
            for size, inner in rate.items():
                cost = cost_in(inner)
                if cost is not None:
                    charts.roads["UN division" if plain(size) == "division" else "UN other"] = cost
        elif cost is None:
            return False
        elif "division" in key and "non" not in key:
            charts.roads["UN division"] = cost
        elif facts.side_of(mover) == facts.COMMUNIST:
            charts.roads["Communist"] = cost
        else:
            charts.roads["UN other"] = cost
            if key == "un":
                charts.roads["UN division"] = cost
    return True


def read_charts(path: Path | None, scenario: facts.Scenario) -> Charts:
    """A user's charts.yaml; BadInput where an entry is nothing we know."""
    charts = Charts()
    if path is not None:
        read_entries(path, facts.GAME, scenario.id, lambda name, value: take(charts, name, value))
    return charts


def template() -> str:
    """A charts.yaml to fill in: what the rulebook leaves to the map, the counters and the player aid cards."""
    rules = facts.BOOK.rules
    lines = [
        "# What only the map, the counters and the player aid cards tell. Leave out what you do not know.",
        "game: yalu",
        "",
    ]
    lines += ["terrain:  # movement points to enter; a number or prohibited"]
    lines += [f"  {name}:" for name, cost in {**rules["terrain"], **rules["hexsides"]}.items() if cost is None]
    lines += ["road:  # movement points by road", "  Communist:", "  UN division:", "  UN other:"]
    lines += ["crt: {}  # {3-1: {2: D, 7: NR, 8: '-'}, ...}: modified two dice by odds column"]
    lines += ["drm: {defensive: {}, assault: {}}  # terrain: modifier"]
    lines += ["weather_table: {}  # {Dec: {1: SU, 2: SO, ...}}"]
    lines += ["weather_effects: {}  # {SO: {UN: {offensive: 2, defensive: 1, move: 1}, Communist: {move: 1, rail: 1}}}"]
    lines += ["infiltration: {}  # {clear: 1, city: 1}: the highest die by the hex left; modifiers under their names"]
    lines += ["surprise_table: {}  # {US: {division: 3, battalion: 3}, ROK: {division: 4}}"]
    lines += ["bombardment_table: {}  # {1: {1: N}, 2: {1: D, 2: N}}: result by factors and die"]
    lines += ["morale: {}  # {PVA: 8, NKPA: 7, US: 9, ROK: 7}"]
    lines += ["attack_supply_table: {}  # {Dec I: 8, Dec II: 8, die: {1: 4, 2: 5}}"]
    lines += ["oob: {}  # {a US unit: its hex, a PVA unit: Staging Area 2}"]
    lines += ["reinforcements: {}  # {PVA 76: Dec I}"]
    lines += ["breakdown: {}  # {US 2: [US 9/2, US 23/2, US 38/2]}"]
    lines += ["guerrilla_turns: [Nov IV]"]
    lines += ["regions:  # all hexes of each"]
    names = [
        *rules["inland_cities"],
        *rules["ports"],
        "North of the Weather Line",
        "Between the lines",
        "South of the 38th Parallel",
    ]
    names += ["Red-dot hexes", *(f"Staging Area {number}" for number in range(1, 5)), "Communist edge", "UN edge"]
    lines += [f"  {name}:" for name in dict.fromkeys(names)]
    lines += ["units: {}  # {US 2: {factor: 10, move: 5, size: division}}", "options:  # readings; see docs/yalu.md"]
    lines += [
        f"  # {id}: {' | '.join(str(value).lower() for value in option['values'])}"
        for id, option in facts.BOOK.options.items()
    ]
    return "\n".join(lines) + "\n"


def hexes_of(value: Any) -> set[str]:
    """Hexes as people write them."""
    return {hex_text(hex) for hex in many(value)}
