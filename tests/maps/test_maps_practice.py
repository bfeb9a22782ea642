"""The practice map: all of it is told, and it hangs together."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from converter.scenario import read_map

PENINSULA = read_map(Path(__file__).parents[2] / "maps" / "practice" / "peninsula.yaml")
WATER = {"sea", "lake"}


def test_it_is_large_and_has_every_kind_of_terrain() -> None:
    grid = PENINSULA.grid
    assert (grid.columns, grid.rows) >= (25, 20)
    kinds = {PENINSULA.terrain(number) for number in grid.numbers}
    assert kinds == {"sea", "lake", "clear", "woods", "marsh", "hill", "rough", "mountain", "city"}
    assert {link.kind for link in PENINSULA.all_links} == {"road", "rail", "trail"}
    assert {"river", "major-river", "bridge", "coast", "lake"} == {feature.kind for feature in PENINSULA.hexsides}
    assert PENINSULA.hexes_of_kind("city")
    assert len(PENINSULA.hexes_of_kind("town")) >= 10
    assert PENINSULA.hexes_of_kind("port")
    assert PENINSULA.hexes_of_kind("airfield")
    assert PENINSULA.region("Lake Miru") is not None


def test_nothing_is_left_unknown() -> None:
    assert set(PENINSULA.complete) == {"hexsides", "links", "places", "regions"}
    assert all(PENINSULA.terrain(number) for number in PENINSULA.grid.numbers)


def test_roads_and_rails_stay_on_land_and_places_too() -> None:
    for link in PENINSULA.all_links:
        assert not {PENINSULA.terrain(number) for number in link.path} & WATER
    for place in PENINSULA.places:
        assert not {PENINSULA.terrain(number) for number in place.hexes} & WATER


def test_a_bridge_wherever_a_road_or_railroad_crosses_a_river_and_nowhere_else() -> None:
    rivers = {"river", "major-river"}
    crossings = {
        frozenset(pair)
        for link in PENINSULA.all_links
        if link.kind != "trail"
        for pair in pairwise(link.path)
        if PENINSULA.hexside_features(*pair) & rivers
    }
    bridges = {frozenset(p) for feature in PENINSULA.hexsides if feature.kind == "bridge" for p in feature.between}
    assert bridges == crossings
    assert len(bridges) >= 5


def test_the_coast_is_every_side_between_land_and_sea() -> None:
    coast = {frozenset(p) for feature in PENINSULA.hexsides if feature.kind == "coast" for p in feature.between}
    expected = {
        frozenset((number, other))
        for number in PENINSULA.grid.numbers
        for other in PENINSULA.neighbours(number)
        if PENINSULA.terrain(number) != "sea" and PENINSULA.terrain(other) == "sea"
    }
    assert coast == expected


def test_rivers_run_from_side_to_side_without_a_gap() -> None:
    """The sides of one river meet end to end: each next side touches both hexes' corner of the one before."""
    grid = PENINSULA.grid
    for feature in PENINSULA.hexsides:
        if feature.kind in ("river", "major-river"):
            for one, other in pairwise(feature.between):
                shared, apart = set(one) & set(other), set(one) ^ set(other)
                assert len(shared) == 1
                assert grid.touch(*apart)


def test_the_two_countries_divide_the_land() -> None:
    north, south = PENINSULA.region("The North"), PENINSULA.region("The South")
    assert north is not None
    assert south is not None
    land = {number for number in PENINSULA.grid.numbers if PENINSULA.terrain(number) != "sea"}
    assert set(north.hexes) | set(south.hexes) == land
    assert not set(north.hexes) & set(south.hexes)
