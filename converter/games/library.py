"""`GAME/SCENARIO` ids: the facts in data/ and maps/ put together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from converter.errors import BadInput
from converter.games import korean_battles, yalu
from converter.scenario import ScenarioFolder, Unit, read_map, read_play, read_setup, read_units

ROOT = Path(__file__).resolve().parents[2]
DATA, MAPS = ROOT / "data", ROOT / "maps"

# Games whose lists are kept in the referee's own form, and who turns them into a scenario.
_OWN_FORM: dict[str, Callable[[Path, Path, str], ScenarioFolder]] = {
    korean_battles.GAME: korean_battles.scenario,
    yalu.GAME: yalu.scenario,
}


def game_names() -> tuple[str, ...]:
    """The games with scenarios to build."""
    return tuple(sorted(folder.name for folder in DATA.iterdir() if scenario_names(folder.name)))


def scenario_names(game: str) -> tuple[str, ...]:
    """A game's scenarios."""
    return tuple(sorted(file.stem for file in (DATA / game / "scenarios").glob("*.yaml")))


def scenario_of(name: str) -> ScenarioFolder:
    """The scenario of a `GAME/SCENARIO` id; BadInput tells what there is where there is no such one."""
    game, _, scenario = name.partition("/")
    if game not in game_names():
        raise BadInput(f"there is no game {game!r}; there is {', '.join(game_names())}")
    if scenario not in scenario_names(game):
        raise BadInput(f"{game} has no scenario {scenario!r}; it has {', '.join(scenario_names(game))}")
    if game in _OWN_FORM:
        return _OWN_FORM[game](DATA / game, MAPS / game, scenario)
    folder = DATA / game
    setup = read_setup(folder / "scenarios" / f"{scenario}.yaml")
    units = read_units(folder / "units.yaml")
    own = folder / f"play-{scenario}.yaml"
    return ScenarioFolder(
        read_map(MAPS / game / f"{setup.map}.yaml"),
        units=replace(units, units=tuple(unit for unit in units.units if _belongs(unit, scenario))),
        setup=setup,
        play=read_play(own if own.exists() else folder / "play.yaml"),
    )


def _belongs(unit: Unit, scenario: str) -> bool:
    """Counters of one battle only say so in `extra`."""
    return dict(unit.extra).get("scenario", scenario) == scenario
