"""The maps that come with the project: each must fit every adjacency and distance the rulebook's own examples use."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from converter.hexgrid import Lattice
from converter.scenario import MapFile, map_text, read_map

ROOT = Path(__file__).parents[2]
MAPS = sorted((ROOT / "maps").glob("*/*.yaml"))
RULEBOOKS = ROOT.parent / "shared" / "rulebooks"


@cache
def sheet(name: str) -> MapFile:
    return read_map(ROOT / "maps" / f"{name}.yaml")


@pytest.mark.parametrize("path", MAPS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_map_is_good_and_says_where_each_fact_comes_from(path: Path) -> None:
    it = read_map(path)
    assert it.name == path.stem
    assert it.game == path.parent.name
    assert map_text(it) == path.read_text(encoding="utf-8")  # as the project itself writes it
    assert it.grid_source is not None


# Pairs of hexes that touch, with the rule or example that says so.
TOUCHING = {
    "korean-battles/pusan": [
        ("0316", "0215", "18.0 with 10.0: 0316 is the northern hex of Pusan, 0215 its supply source"),
        ("0316", "0216", "18.0 with 27.0: 0216 is the port"),
        ("0215", "0216", "27.0"),
    ],
    "korean-battles/chosin-few": [
        ("1903", "1902", "26.0: adjacent on the same edge"),
        ("1903", "1904", "26.0: adjacent on the same edge"),
    ],
    "chosin/chosin": [("3511", "3410", "43.0: the two hexes of Hungnam")],
    "forgotten-war/chosin": [
        ("1728", "1827", "14.2.2.A: the airstrip of Hagaru-ri"),
        ("1728", "1828", "14.2.2.A"),
        ("1827", "1828", "14.2.2.A: one strip"),
        ("0844", "0945", "17.3.3.B.2: Regiment 239 together"),
        ("0945", "1044", "17.3.3.B.2"),
        ("0633", "0733", "17.3.3.B.3: Regiment 240 together"),
        ("0733", "0832", "17.3.3.B.3"),
        ("2628", "2729", "17.3.3.A: the middle of one area"),
    ],
    "yalu/deluxe": [
        *((one, other, f"24.0 attack {n}") for n, one, other in [
            (1, "1109", "1208"), (1, "1308", "1208"), (2, "1409", "1410"), (3, "1012", "1113"), (3, "1013", "1113"),
            (3, "1212", "1113"), (4, "0913", "0914"), (5, "0614", "0714"), (5, "0813", "0714"), (5, "0814", "0714"),
            (6, "0216", "0317"), (6, "0217", "0317"), (6, "0316", "0317"), (6, "0416", "0317"),
        ]),
        *((one, other, f"24.0 movement: {one} to {other}") for one, other in [
            ("0812", "0813"), ("0813", "0814"), ("0912", "0913"), ("1111", "1211"), ("1211", "1212"), ("1011", "1012"),
            ("1012", "1013"), ("1115", "1116"), ("0218", "0217"), ("0215", "0316"), ("0316", "0416"), ("0116", "0215"),
            ("0116", "0216"),
        ]),
        ("1208", "1209", "24.0: the retreat 1208, 1209, 1210"),
        ("1209", "1210", "24.0: the retreat 1208, 1209, 1210"),
        *(("1013", other, "24.0: where the NKPA 5th Division may retreat from 1013") for other in
          ("1014", "1114", "0913", "1012")),
    ],
    "fire-and-ice/korea": [
        ("1943", "1944", "Example of Play: NK 1 attacks RoK 1"),
        ("1944", "2044", "Example of Play: RoK 1 retreats 2044, 2145, 2245"),
        ("2044", "2145", "Example of Play"),
        ("2145", "2245", "Example of Play"),
        ("2044", "2144", "Example of Play: NK 1 exploits 2044, 2144"),
        ("2144", "2244", "Example of Play"),
        ("2244", "2245", "Example of Play: NK 6 attacks RoK 1"),
        ("2544", "2644", "Example of Play: NK 13 attacks RoK 7"),
        ("2447", "2548", "Example of Play: NK 4 moves 2447, 2548, 2549"),
        ("2548", "2549", "Example of Play"),
        ("2549", "2449", "Example of Play: NK 4 supports the attack on 2449"),
        ("2349", "2449", "Example of Play: NK 15 supports the attack on 2449"),
        ("3042", "3043", "Example of Play: NK 2 attacks RoK 6"),
        ("3245", "3146", "Example of Play: NK 12 attacks RoK 6"),
        ("3245", "3345", "Example of Play: NK 12 retreats one hex"),
        ("3843", "3844", "Example of Play: NK 5 attacks RoK 8"),
    ],
}  # fmt: skip

# Distances: exactly so many hexes apart.
APART = {
    "korean-battles/chosin-few": [
        ("1903", "1906", 3, "26.0: three hexes one way"),
        ("1903", "1601", 3, "26.0: three hexes the other way, around the corner"),
    ],
    "chosin/chosin": [
        ("1417", "1217", 2, "S1-3.1(3): two hexes directly north of Hudong-ni"),
    ],
    "yalu/deluxe": [
        ("1701", "1502", 2, "24.0: two mountain hexes"),
        ("1007", "1109", 2, "24.0: two rough hexes"),
        ("1308", "1409", 2, "24.0: two mountain hexes"),
        ("0413", "0614", 2, "24.0: two rough hexes"),
        ("0513", "0515", 2, "24.0: two rough hexes"),
        ("0120", "0319", 2, "24.0: two clear hexes"),
        ("0119", "0217", 2, "24.0: one rough and one mountain hex"),
        ("1013", "1011", 2, "24.0: a retreat of two hexes"),
        ("1410", "1512", 2, "24.0: a retreat of two hexes"),
    ],
    "fire-and-ice/korea": [
        ("2542", "2544", 2, "Example of Play: two hexes along the road for 1 MP"),
        ("2644", "2647", 3, "Example of Play: RoK 7 retreats three hexes due south"),
        ("3043", "3146", 3, "Example of Play: RoK 6 retreats three hexes"),
        ("3844", "4046", 3, "Example of Play: RoK 8 retreats three hexes along the coast"),
    ],
}


# Maps of which the rulebook plays no example: hexes that it puts on an edge.
ON_AN_EDGE = {
    "forgotten-war/naktong": [("3333", "16.4: units arrive there"), ("2039", "16.4: units arrive there")],
    "forgotten-war/chipyong-ni": [("3332", "18.4.B: Task Force Crombez arrives there")],
    "yalu/classic": [("0120", "C22.A: the west end of the arrival edge"), ("2101", "C22.A: its east end")],
}


def test_every_map_has_its_geometry_proved_by_the_rulebook() -> None:
    proved = {*TOUCHING, *APART, *ON_AN_EDGE, "korean-battles/inchon-seoul"}  # Inchon: see the landing below
    printed = {f"{path.parent.name}/{path.stem}" for path in MAPS} - {"practice/peninsula"}
    assert proved == printed


@pytest.mark.parametrize(("name", "number", "why"), [(n, *row) for n, rows in ON_AN_EDGE.items() for row in rows])
def test_hexes_are_on_the_edge_that_the_rules_put_them_on(name: str, number: str, why: str) -> None:
    it = sheet(name)
    assert number in it.grid.edge, why
    assert len(it.neighbours(number)) < 6, why


def test_the_two_editions_of_yalu_share_one_grid() -> None:
    """C22.A counts hexes as 24.0 does: the worked example of the one edition proves the other's geometry."""
    classic, deluxe = sheet("yalu/classic").grid, sheet("yalu/deluxe").grid
    assert classic.lattice == deluxe.lattice
    assert classic.numbering == deluxe.numbering
    for one, other, why in TOUCHING["yalu/deluxe"]:
        assert classic.distance(one, other) == 1, why


@pytest.mark.parametrize(("name", "one", "other", "why"), [(n, *row) for n, rows in TOUCHING.items() for row in rows])
def test_hexes_touch_as_in_the_examples(name: str, one: str, other: str, why: str) -> None:
    assert sheet(name).distance(one, other) == 1, why


@pytest.mark.parametrize(
    ("name", "one", "other", "hexes", "why"), [(n, *row) for n, rows in APART.items() for row in rows]
)
def test_hexes_are_apart_as_in_the_examples(name: str, one: str, other: str, hexes: int, why: str) -> None:
    assert sheet(name).distance(one, other) == hexes, why


def test_the_other_stagger_would_contradict_the_examples() -> None:
    """The examples do decide: with the columns shifted the other way they break on every map that has some."""
    for name in (
        "korean-battles/chosin-few",
        "chosin/chosin",
        "forgotten-war/chosin",
        "yalu/deluxe",
        "fire-and-ice/korea",
    ):
        grid = sheet(name).grid
        other = Lattice("up")
        broken = [row for row in TOUCHING[name] if other.distance(grid.hex(row[0]), grid.hex(row[1])) != 1]
        broken_far = [
            row for row in APART.get(name, []) if other.distance(grid.hex(row[0]), grid.hex(row[1])) != row[2]
        ]
        assert broken or broken_far, name


def test_inchon_starts_face_each_other() -> None:
    """28.0: the North Korean 226th at 0208 faces the landing at 0108, 0109 and 0209."""
    assert set(sheet("korean-battles/inchon-seoul").neighbours("0208")) >= {"0108", "0109", "0209"}


def test_the_widened_entry_zone_is_all_edge() -> None:
    """26.0: the zone of 1903 goes from 1906 around the corner to 1601."""
    few = sheet("korean-battles/chosin-few")
    zone = few.region("Widened entry zone of 1903")
    assert zone is not None
    assert {"1906", "1903", "1601"} <= set(zone.hexes) <= set(few.grid.edge)


def test_yalu_terrain_pays_for_the_marches_of_the_example() -> None:
    """24.0: clear 1, rough 2, mountain 3; the sums the example prints."""
    yalu, cost = sheet("yalu/deluxe"), {"clear": 1, "rough": 2, "mountain": 3}
    marches = [("1601", "1502", 6), ("1008", "1109", 4), ("1408", "1409", 6), ("0813", "0814", 5), ("0514", "0614", 4)]
    marches += [("1211", "1212", 4), ("0514", "0515", 4), ("0219", "0319", 2), ("1012", "1013", 6)]
    for first, second, points in marches:
        assert sum(cost[str(yalu.terrain(hex))] for hex in (first, second)) == points
    assert cost[str(yalu.terrain("0913"))] == 3
    assert yalu.possible_terrain("0217") == ("rough", "mountain")
    assert yalu.hexside_features("0814", "0813") == {"river"}
    assert yalu.hexside_features("1409", "1410") == {"river"}
    assert yalu.terrain("0317") is None


def test_chosin_gazetteer() -> None:
    """43.0: 4 cities with 5 hexes, 24 towns, 2 airfields, ports with 3 hexes, 4 sources a side, 6 deployment hexes."""
    it = sheet("chosin/chosin")
    assert len(it.hexes_of_kind("city")) == 5
    assert len(it.hexes_of_kind("town")) == 24
    assert it.hexes_of_kind("port") == ("3511", "3410", "5614")
    assert set(it.hexes_of_kind("airfield")) == {"3612", "5416"}
    assert len(it.hexes_of_kind("supply-source", "Communist")) == len(it.hexes_of_kind("supply-source", "UN")) == 4
    assert len(it.hexes_of_kind("deployment")) == 6


def test_korean_battles_sources_and_objectives() -> None:
    assert sheet("korean-battles/pusan").hexes_of_kind("supply-source", "UN") == ("0215", "0308")
    assert sheet("korean-battles/pusan").hexes_of_kind("critical-objective") == ("2221", "0316")
    assert sheet("korean-battles/inchon-seoul").hexes_of_kind("supply-source", "UN") == ("0109",)
    few = sheet("korean-battles/chosin-few")
    assert few.hexes_of_kind("supply-source", "UN") == ("1902", "1206", "1903", "0907")
    assert few.hexes_of_kind("supply-source", "Chinese") == ("0107", "0612")


def test_forgotten_war_set_up_areas_have_their_size() -> None:
    it = sheet("forgotten-war/chosin")
    sizes = {region.name: len(region.hexes) for region in it.regions}
    assert sizes["Hagaru-ri garrison"] == sizes["Koto-ri garrison"] == 19  # within two hexes: 1 + 6 + 12
    assert sizes["Able Company, 32nd Infantry"] == 7
    assert sizes["58th Division assembly area"] == 7 + 7 - 1  # 2226 touches both 2225 and 2227
    assert it.in_region("Hagaru-ri garrison", "1827") is True
    assert it.in_region("Hagaru-ri garrison", "1530") is False
    assert it.in_region("Koto-ri perimeter", "1613") is None


def test_fire_and_ice_border_divides_the_first_set_up() -> None:
    """17.0: every Communist unit starts north of the border, every UN unit south; RoK 1 at 1944 faces NK 1 at 1943."""
    it = sheet("fire-and-ice/korea")
    first = [place for place in it.places if place.kinds == ("start",) and str(place.source) == "rule 17.0"]
    for place in first:
        region = "South Korea" if place.side == "UN" else "North of the border"
        assert all(it.in_region(region, hex) for hex in place.hexes)
    border = it.line("Border")
    assert border is not None
    sides = {frozenset(pair) for pair in border.between}
    assert frozenset(("1943", "1944")) in sides
    assert frozenset(("0743", "0643")) in sides
    assert frozenset(("3743", "3843")) in sides
    # 33 columns: one side each across the column, two with each next column.
    assert len(sides) == 33 + 32
    assert it.links("2044", "2144") == {"road"}
    assert it.terrain("2449") == "city"


# Four-digit numbers that are no hexes of these maps: years, hill heights, unit numbers, other games' maps, misprints.
NO_HEXES = {
    "korean-battles": "2016 1807 2210 2304 2308 2311 2808 2908 3702 3703",
    "yalu": "2817 2005 2009",
    "chosin": "1009 2009 6146 6148 6151 8227 2217 2218",
    "forgotten-war": "0880 1200 1282 1294 1426 2021",
    "fire-and-ice": "1000 1500 1950 1951 1953 2480",
}


def named_hexes(it: MapFile) -> set[str]:
    """The hexes a map names one by one; not those that only belong to a whole edge or country."""
    told = {hex for terrain in it.terrains for hex in terrain.hexes}
    told |= {hex for place in it.places for hex in place.hexes}
    told |= {hex for link in it.all_links for hex in (*link.path, *link.route)}
    for region in it.regions:
        if region.kind not in ("side-of-border", "country"):
            told |= set(region.hexes)
    return told


@pytest.mark.skipif(not RULEBOOKS.exists(), reason="the rulebooks' texts are not here")
@pytest.mark.parametrize("game", sorted(NO_HEXES))
def test_no_hex_of_the_rulebook_was_left_out(game: str) -> None:
    text = (RULEBOOKS / f"{game}.txt").read_text(encoding="utf-8")
    numbers = set(re.findall(r"(?<![\w$#-])\d{4}(?![\w-])", text))
    sheets = [read_map(path) for path in (ROOT / "maps" / game).glob("*.yaml")]
    told = {hex for it in sheets for hex in named_hexes(it)}
    no_hexes = set(NO_HEXES[game].split())
    off_the_grid = {number for number in numbers if not any(number in it.grid for it in sheets)}
    no_hexes |= {number for number in off_the_grid if re.match(r"19[3-9]\d", number)}  # years
    assert len(numbers & told) >= 40
    assert sorted(numbers - told - no_hexes) == []
