"""Single lines of the lists that the rulebooks state and that are easily got wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from converter.errors import BadInput
from converter.games import scenario_of
from converter.scenario import Placement, Unit
from converter.vassal.export.plan import turn_tracker


def unit(id: str, name: str) -> Unit:
    """A unit of a scenario by its id."""
    units = scenario_of(id).units
    assert units
    return next(unit for unit in units.units if unit.id == name)


def lines(id: str, action: str) -> list[Placement]:
    """A scenario's lines of one kind."""
    setup = scenario_of(id).setup
    assert setup
    return [place for place in setup.placements if place.action == action]


@pytest.mark.parametrize(
    ("name", "rule", "turn"),
    [
        ("NAK L/27", "14.2.1.2", 12),
        ("NAK A/27", "14.2.1.2", 12),
        ("NAK C/73 Tank", "14.2.1.2", 12),
        ("NAK A/14 Engineers", "14.2.1.3", 13),
        ("NAK A/78 Tank", "14.2.1.3", 13),
        ("NAK A/23", "14.2.1.4", 11),
    ],
)
def test_who_leaves_the_naktong_by_which_rule(name: str, rule: str, turn: int) -> None:
    (line,) = [place for place in lines("forgotten-war/naktong", "withdrawal") if place.unit == name]
    assert (line.source.ref, line.turn) == (rule, turn)


@pytest.mark.parametrize(
    ("when", "box", "names"),
    [
        ("November monthly", "7th Fleet Carriers Box", {"CVG 19"}),
        ("March monthly", "7th Fleet Carriers Box", {"CVG 101"}),
        ("May monthly", "7th Fleet Carriers Box", {"CVG 19x"}),
        ("Soviet Intervention", "Available Aircraft Box", set()),
    ],
)
def test_where_aircraft_of_the_campaign_arrive(when: str, box: str, names: set[str]) -> None:
    arrivals = lines("fire-and-ice/campaign", "reinforcement")
    assert {place.unit for place in arrivals if place.when == when and place.box == box} == names


def test_soviet_aircraft_come_to_china() -> None:
    arrivals = lines("fire-and-ice/campaign", "reinforcement")
    assert sum(place.when == "Soviet Intervention" and place.box == "China Airfields" for place in arrivals) == 12


@pytest.mark.parametrize(
    ("scenario", "first", "last"),
    [
        ("invasion", "June 1950 week 4", "September 1950 week 1"),
        ("inchon", "September 1950 week 2", "November 1950"),
        ("chinese-intervention", "November 1950", "July 1951 week 4"),
        ("campaign", "June 1950 week 4", "September 1951 week 4"),
    ],
)
def test_fire_and_ice_lasts_from_the_first_turn_to_the_last(scenario: str, first: str, last: str) -> None:
    folder = scenario_of(f"fire-and-ice/{scenario}")
    assert folder.setup
    assert folder.play
    tracker = turn_tracker(folder.play, folder.setups)
    assert tracker
    track = tracker.levels[0].entries
    assert (track[0], track[-1], len(track)) == (first, last, folder.setup.turns)


def test_a_first_turn_that_the_track_lacks_is_told() -> None:
    folder = scenario_of("fire-and-ice/inchon")
    assert folder.setup
    assert folder.play
    with pytest.raises(BadInput, match="no 'May 1949'; it has June 1950 week 4"):
        turn_tracker(folder.play, [replace(folder.setup, first_turn="May 1949")])


@pytest.mark.parametrize("name", ["CHO A/5", "CHO H/11", "CHO HQ 1M", "CHO D/1 Tank", "CHO B/1 Engineers"])
def test_marines_at_chosin_are_marines(name: str) -> None:
    assert unit("forgotten-war/chosin", name).nation == "USMC"


def test_the_army_at_chosin_is_none() -> None:
    assert unit("forgotten-war/chosin", "CHO A/32").nation == "US"
    assert unit("chosin/advancing-to-the-rear", "11M").nation == "USMC"


def test_all_batteries_at_chosin_are_batteries() -> None:
    units = scenario_of("forgotten-war/chosin").units
    assert units
    assert {unit.size for unit in units.units if unit.formation == "11th Marines"} == {"battery"}


def test_korean_battles_tell_how_much_a_victory_is_worth() -> None:
    play = scenario_of("korean-battles/pusan").play
    assert play
    (chart,) = [chart for chart in play.charts if chart.title == "Victory levels"]
    assert chart.source
    assert chart.source.ref == "22.0"
    assert chart.rows[0] == ("31+", "Decisive Victory")
    assert len(chart.rows) == 5


@pytest.mark.parametrize(
    ("scenario", "name", "when"),
    [
        ("inchon-seoul", "187", "Kimpo is taken and left"),
        ("chosin-few", "Marine Cadre", "a Marine regiment or six Marine steps are lost"),
    ],
)
def test_on_what_an_arrival_waits(scenario: str, name: str, when: str) -> None:
    (line,) = [place for place in lines(f"korean-battles/{scenario}", "reinforcement") if place.unit == name]
    assert line.when == when
