"""The games, and what of their rules is checked: printed from the code itself, so that it can't drift."""

from __future__ import annotations

from collections import Counter
from typing import Any

from converter.errors import BadInput
from referee.games import game_ids, game_of, rules_table


def rules_json(game: str | None) -> list[dict[str, Any]]:
    """The table of a game; of all games with their ids where none is named."""
    if game is not None:
        _known(game)
        return [dict(row) for row in rules_table(game)]
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
    """The games with their scenarios and how much of their catalogue is checked."""
    lines = []
    for each in game_ids():
        checked = sum(row["status"] == "checked" for row in rules_table(each))
        lines.append(f"{each}: {checked} of {len(rules_table(each))} rules checked")
        lines += [f"  {each}/{scenario}" for scenario in getattr(game_of(each), "SCENARIOS", ())]
    lines.append("`hexref games --template GAME/SCENARIO` prints a charts.yaml for what is only on the printed map.")
    return "\n".join(lines)


def template(name: str) -> str:
    """A charts.yaml to fill in."""
    game, _, scenario = name.partition("/")
    _known(game)
    found = game_of(game)
    assert found is not None
    if scenario and scenario not in getattr(found, "SCENARIOS", ()):
        raise BadInput(f"{game} has no scenario '{scenario}'; it has {', '.join(getattr(found, 'SCENARIOS', ()))}")
    return found.charts_template(scenario or None)


def _known(game: str) -> str:
    if game_of(game) is None:
        raise BadInput(f"there is no game '{game}'; there is {', '.join(game_ids())}")
    return game
