"""The games, and what of their rules is checked: printed from the code itself, so that it can't drift."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from converter.errors import BadInput
from converter.games import game_names, scenario_names, scenario_of
from referee.games import game_ids, game_of, rules_table


def rules_json(game: str | None) -> list[dict[str, Any]]:
    """The table of a game; of all games with their ids where none is named."""
    if game is not None:
        return [dict(row) for row in rules_table(_known(game))]
    return [{"game": each, **row} for each in game_ids() for row in rules_table(each)]


def rules_text(game: str | None) -> str:
    """The table with a count of what is checked, partly checked and not."""
    parts = []
    for each in [_known(game)] if game is not None else game_ids():
        table = rules_table(each)
        count = Counter(row["status"] for row in table)
        parts.append(f"{each}: {len(table)} rules: " + ", ".join(f"{count[key]} {key}" for key in sorted(count)))
        parts += [f"  {row['status']:<8} {row['rule']:<14} {row['check']:<32} {row['why']}".rstrip() for row in table]
    return "\n".join(parts)


def games_text() -> str:
    """The games, scenarios and maps, how much of each catalogue is checked, and what is needed from the user."""
    lines = []
    for game in dict.fromkeys([*game_ids(), *game_names()]):
        table = rules_table(game)
        checked = sum(row["status"] == "checked" for row in table)
        known = f"{checked} of {len(table)} rules checked" if table else "modules can be built; the referee is to come"
        lines.append(f"{game}: {known}")
        lines += [_scenario_line(f"{game}/{scenario}") for scenario in _scenarios(game)]
    lines += [
        "",
        "Terrain that is not known comes from your own map: `hexref check --map` (docs/maps-from-scans.md).",
        "What else is only printed on map and counters: `hexref games --template GAME/SCENARIO` prints a charts.yaml.",
    ]
    return "\n".join(lines)


def _scenario_line(name: str) -> str:
    sheet = scenario_of(name).map
    hexes = sheet.grid.numbers
    known = sum(sheet.possible_terrain(hex) is not None for hex in hexes)
    return f"  {name:<36} map {sheet.name}: terrain of {known} of {len(hexes)} hexes known"


def _scenarios(game: str) -> Sequence[str]:
    """In the order of the rulebook where the game has one."""
    listed: Sequence[str] = getattr(game_of(game), "SCENARIOS", ())
    return listed or scenario_names(game)


def template(name: str) -> str:
    """A charts.yaml to fill in."""
    found = game_of(_known(name))
    assert found is not None
    return found.charts_template(name.partition("/")[2] or None)


def _known(name: str) -> str:
    """The game of a GAME or GAME/SCENARIO."""
    game, _, scenario = name.partition("/")
    if game_of(game) is None:
        raise BadInput(f"there is no game '{game}'; there is {', '.join(game_ids())}{_only_built(game)}")
    if scenario and scenario not in _scenarios(game):
        raise BadInput(f"{game} has no scenario '{scenario}'; it has {', '.join(_scenarios(game))}")
    return game


def _only_built(game: str) -> str:
    return f" (modules of {game} can be built; the referee does not know it yet)" if game in game_names() else ""
