"""`GAME/SCENARIO` ids: the facts in data/ and maps/ put together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from converter.errors import BadInput
from converter.games import korean_battles, yalu
from converter.scenario import ScenarioFolder, Unit, UnitsFile, read_map, read_play, read_setup, read_units

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
    if not scenario:
        raise BadInput(f"say which: {game}/SCENARIO, one of {', '.join(scenario_names(game))}")
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


def units_of(path: Path) -> UnitsFile:
    """The units of a units.yaml. Of a game that keeps its lists in the referee's form: those of all its scenarios.

    >>> sorted({unit.side for unit in units_of(DATA / "yalu" / "units.yaml").units if unit.side})
    ['Communist', 'UN']
    """
    game = path.resolve().parent.name
    if game not in _OWN_FORM or path.resolve() != (DATA / game / "units.yaml").resolve():
        return read_units(path)
    lists = [folder.units for id in scenario_names(game) if (folder := scenario_of(f"{game}/{id}")).units]
    units = dict.fromkeys(unit for told in lists for unit in told.units)
    sides = {side.name: side for told in lists for side in told.sides}
    return UnitsFile(tuple(units), game, None, tuple(sides.values()))


def _belongs(unit: Unit, scenario: str) -> bool:
    """Counters of one battle only say so in `extra`."""
    return dict(unit.extra).get("scenario", scenario) == scenario
