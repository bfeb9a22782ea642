"""The games' own lists: counters add up to the numbers of the rulebooks, and nothing is placed twice."""

from __future__ import annotations

from collections import Counter

import pytest

from converter.errors import BadInput
from converter.games import game_names, scenario_names, scenario_of
from converter.scenario import ScenarioFolder

IDS = [f"{game}/{scenario}" for game in game_names() for scenario in scenario_names(game)]


def placed(scenario: ScenarioFolder, side: str, action: str = "set-up", optional: bool = False) -> int:
    """Land units of a side in the lists."""
    assert scenario.units
    assert scenario.setup
    units = {unit.id: unit for unit in scenario.units.units}
    return sum(
        place.count
        for place in scenario.setup.placements
        if place.action == action
        and units[place.unit].side == side
        and units[place.unit].kind == "unit"
        and (optional or place.note != "optional")
    )


def test_there_are_five_games_with_fourteen_scenarios() -> None:
    assert game_names() == ("chosin", "fire-and-ice", "forgotten-war", "korean-battles", "yalu")
    assert len(set(IDS) - {"korean-battles/practice"}) == 14


@pytest.mark.parametrize(
    ("id", "side", "action", "count"),
    [
        ("korean-battles/pusan", "UN", "set-up", 26),
        ("korean-battles/pusan", "NK", "set-up", 18),
        ("korean-battles/inchon-seoul", "NK", "set-up", 18),
        ("korean-battles/chosin-few", "Chinese", "set-up", 19),
        ("chosin/advancing-to-the-rear", "UN", "set-up", 37),
        ("chosin/advancing-to-the-rear", "Communist", "set-up", 26),
        ("chosin/advancing-to-the-rear", "UN", "reinforcement", 9),
        ("chosin/advancing-to-the-rear", "Communist", "reinforcement", 15),
        ("forgotten-war/naktong", "NKPA", "reinforcement", 82),
        ("forgotten-war/chosin", "UN", "set-up", 151),
        ("forgotten-war/chosin", "UN", "reinforcement", 29),
        ("forgotten-war/chosin", "CCF", "set-up", 108),
        ("forgotten-war/chosin", "CCF", "reinforcement", 105),
        ("forgotten-war/chipyong-ni", "UN", "set-up", 54),
        ("forgotten-war/chipyong-ni", "UN", "reinforcement", 7),
        ("fire-and-ice/invasion", "UN", "set-up", 10),
        ("fire-and-ice/invasion", "Communist", "set-up", 12),
        ("fire-and-ice/inchon", "UN", "set-up", 35),
        ("fire-and-ice/inchon", "Communist", "set-up", 18),
        ("fire-and-ice/chinese-intervention", "UN", "set-up", 48),
        ("fire-and-ice/chinese-intervention", "Communist", "set-up", 26),
        ("fire-and-ice/campaign", "Communist", "set-up", 12),
    ],
)
def test_the_lists_add_up(id: str, side: str, action: str, count: int) -> None:
    assert placed(scenario_of(id), side, action) == count


@pytest.mark.parametrize("id", IDS)
def test_no_more_counters_are_placed_than_there_are(id: str) -> None:
    scenario = scenario_of(id)
    assert scenario.units
    assert scenario.setup
    used: Counter[str] = Counter()
    for place in scenario.setup.placements:
        if place.action != "withdrawal":
            used[place.unit] += place.count
    have = {unit.id: unit.count for unit in scenario.units.units}
    assert {unit: (number, have[unit]) for unit, number in used.items() if number > have[unit]} == {}


@pytest.mark.parametrize("id", IDS)
def test_every_entry_has_its_rule(id: str) -> None:
    scenario = scenario_of(id)
    assert scenario.units
    assert scenario.setup
    assert scenario.play
    for source in [unit.source for unit in scenario.units.units] + [
        place.source for place in scenario.setup.placements
    ]:
        assert source.kind == "rule"
        assert source.ref
    assert scenario.play.tracker
    assert scenario.play.dice
    assert {"phase", "attack"} <= set(scenario.play.call_outs)


def test_what_there_is_not() -> None:
    with pytest.raises(BadInput, match="there is no game 'go'; there is chosin, fire-and-ice"):
        scenario_of("go/19x19")
    with pytest.raises(BadInput, match="say which: yalu/SCENARIO, one of classic, deluxe"):
        scenario_of("yalu")
