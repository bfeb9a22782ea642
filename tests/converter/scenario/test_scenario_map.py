"""map.yaml: the questions a referee asks, the mistakes that are told, and the way out and back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from converter.errors import BadInput
from converter.scenario import Source, Terrain, complete_map, map_text, read_map_text
from converter.scenario.folder import problems_in
from converter.scenario.yaml_reading import read_text

VALLEY = """\
version: 1
name: valley
title: The Valley
game: practice
scale: 2 miles
grid:
  columns: 8
  rows: 6
  short: second
  north: right
  extent: at-least
  absent: ["0801..0805"]
  half: ["0101", "0301"]
  source: {rule: "2.1", inferred: the largest number in the text is 0706}
  note: the east is cut off
picture: {image: images/map.png, width: 500, height: 400, dx: 60.0, dy: 69.3, x0: 40.0, y0: 34.6, rotation: 0.5}
complete: [links]
terrain:
  - {kind: mountain, source: {rule: "4.1"}, hexes: ["0101..0104", "0302"]}
  - {kind: [rough, woods], source: {rule: "24.0", inferred: the march cost two}, hexes: ["0203"]}
  - {kind: unknown, source: {scan: map.png, confidence: 0.31}, hexes: ["0506"]}
hexsides:
  - {kind: river, name: Namgang, source: {rule: "8.2"}, between: [["0203", "0303"], ["0203", "0304"]]}
  - {kind: bridge, source: {module: valley.vmod}, between: [["0304", "0203"]]}
  - {kind: none, source: {person: a player who owns the map}, between: [["0101", "0102"]]}
links:
  - {kind: road, source: {rule: "5.4"}, path: ["0101", "0201", "0302", "0402"]}
  - {kind: rail, source: {rule: "5.5"}, route: ["0101", "0706"]}
places:
  - {name: Old Town, kinds: [city, port], hexes: ["0302", "0303"], source: {rule: "43.0"}}
  - {kinds: [supply-source], side: Red, hexes: ["0706"], source: {rule: "20.5"}, note: printed as a star}
regions:
  - {name: Staging Area 1, kind: staging-area, side: Red, complete: false, source: {rule: "2.5"}, hexes: ["0101"]}
  - {name: The North, kind: country, source: {rule: "1.1"}, hexes: ["0701..0706"]}
lines:
  - {name: Weather Line, kind: weather, source: {rule: "11.4"}, between: [["0303", "0302"]], hexes: ["0402"]}
boxes:
  - name: Yellow Sea
    kind: sea
    side: Blue
    leads_to: ["0101"]
    outline: [[400, 10], [490, 10], [490, 90], [400, 90]]
    source: {rule: "1.1.3"}
notes:
  - {text: A road runs south from Old Town., source: {rule: "24.0"}}
"""


def test_what_a_referee_asks() -> None:
    valley = read_map_text(VALLEY)
    assert valley.terrain("0103") == "mountain"
    assert valley.terrain("0203") is None
    assert valley.possible_terrain("0203") == ("rough", "woods")
    assert valley.terrain("0506") is None
    assert valley.possible_terrain("0506") is None
    assert valley.terrain("0404") is None
    assert str(valley.terrain_source("0203")) == "rule 24.0, inferred: the march cost two"
    assert valley.hexside_features("0303", "0203") == {"river"}
    assert valley.hexside_features("0203", "0304") == {"river", "bridge"}
    assert not valley.hexside_is_certain("0203", "0304")
    assert valley.hexside_features("0101", "0102") == frozenset()
    assert valley.hexside_is_certain("0102", "0101")
    assert valley.links("0302", "0201") == {"road"}
    assert valley.links("0101", "0102") == frozenset()
    assert valley.links_are_certain("0101", "0102")
    assert valley.links_at("0706") == {"rail"}
    assert valley.kinds_at("0303") == {"city", "port"}
    assert valley.place("Old Town") is valley.places_at("0302")[0]
    assert valley.hexes_of_kind("supply-source", "Red") == ("0706",)
    assert valley.hexes_of_kind("supply-source", "Blue") == ()
    assert valley.in_region("Staging Area 1", "0101") is True
    assert valley.in_region("Staging Area 1", "0404") is None
    assert valley.in_region("The North", "0404") is False
    assert valley.in_region("Nowhere", "0404") is None
    assert [region.name for region in valley.regions_of("0703")] == ["The North"]
    assert valley.line("Weather Line") is not None
    assert valley.areas[0].contains(450, 50)


def test_on_the_map_off_it_or_not_known() -> None:
    valley = read_map_text(VALLEY)
    assert valley.on_map("0706") is True
    assert valley.on_map("0206") is None  # short column, but the sheet may be larger than told
    assert valley.on_map("0707") is None
    assert valley.on_map("0801") is False  # said to be absent
    assert valley.on_map("0001") is False
    assert valley.on_map("Yellow Sea") is False
    assert replace(valley, extent="certain").on_map("0707") is False
    assert "0801" not in valley.neighbours("0702")


def test_the_hex_under_a_pixel() -> None:
    valley = read_map_text(VALLEY)
    assert valley.layout is not None
    assert valley.hex_at(*valley.layout.centre(valley.grid.hex("0503"))) == "0503"
    assert valley.hex_at(-300, -300) is None
    assert replace(valley, picture=None).hex_at(40, 40) is None


def test_out_and_back_is_exact() -> None:
    valley = read_map_text(VALLEY)
    written = map_text(valley)
    again = read_map_text(written)
    assert again == valley
    assert map_text(again) == written


def test_numbering_and_stagger_come_back() -> None:
    numbering = '{format: "{row:A}{column}", column_start: 9, column_step: -1, row_start: 0}'
    grid = f"{{columns: 9, rows: 4, sideways: true, stagger: up, numbering: {numbering}}}"
    sheet = read_map_text(f"version: 1\nname: turned\ngrid: {grid}\n")
    assert sheet.grid.numbers[:2] == ("A9", "B9")
    assert read_map_text(map_text(sheet)) == sheet


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("version: 1", "version: 2", 1, "expected 1, found 2"),
        ("name: valley", "nome: valley", 1, "'name' is missing"),
        ("columns: 8", "columns: eight", 7, 'expected a whole number, found "eight"'),
        ("columns: 8", "columns: 0", 7, "expected at least 1, found 0"),
        ("north: right", "north: east", 10, "expected one of up, right, down, left"),
        ('hexes: ["0101..0104", "0302"]', 'hexes: ["0101..0104", 1302]', 19, "a hex number, in quotes, found 1302"),
        ('hexes: ["0101..0104", "0302"]', 'hexes: ["0101..0104", "0902"]', 19, "hex '0902' is not on the grid"),
        ('hexes: ["0101..0104", "0302"]', 'hexes: ["0101..0204"]', 19, "no run of hexes"),
        ('hexes: ["0101..0104", "0302"]', 'hexes: ["0801"]', 19, "hex '0801' is not on the grid"),
        ('hexes: ["0506"]', 'hexes: ["0302"]', 21, "hex 0302 is unknown here and mountain above"),
        ('["0203", "0304"]]}', '["0203", "0305"]]}', 23, "0203 and 0305 do not touch"),
        ('"0302", "0402"]', '"0302", "0502"]', 27, "0302 and 0502 do not touch"),
        (
            'path: ["0101", "0201"',
            'route: ["0101"], path: ["0101", "0201"',
            27,
            "expected a list of at least 2, found 1",
        ),
        ('source: {rule: "5.5"}', "source: {}", 28, "expected exactly one of rule, scan, module, person"),
        ("name: The North", "name: Staging Area 1", 34, "used twice in regions"),
        ("kind: sea", "kind: Sea!", 39, "a word in small letters"),
        ("kind: sea", "sort: sea", 39, "'sort' is not known here"),
        ("confidence: 0.31", "confidence: 31", 21, "expected at most 1, found 31"),
        ("image: images/map.png", "image: ../../map.png", 16, "a file within the folder"),
    ],
)
def test_a_mistake_is_told_with_file_line_and_what_was_expected(old: str, new: str, line: int, what: str) -> None:
    assert old in VALLEY
    found = problems_in(read_text(VALLEY.replace(old, new, 1), "valley/map.yaml"), "map")
    assert any(problem.where == f"valley/map.yaml:{line}" and what in problem.what for problem in found), found


def test_several_mistakes_give_one_line_with_their_number() -> None:
    bad = VALLEY.replace('"0302", "0402"]', '"0302", "0502"]').replace('leads_to: ["0101"]', 'leads_to: ["9901"]')
    with pytest.raises(BadInput) as refused:
        read_map_text(bad)
    assert str(refused.value).endswith("(and 1 more)")
    assert "\n" not in str(refused.value)


def test_a_number_format_that_is_none() -> None:
    with pytest.raises(BadInput, match=r"x.yaml:3: .*once each"):
        read_map_text('version: 1\nname: x\ngrid: {columns: 2, rows: 2, numbering: {format: "{row}"}}', "x.yaml")


def test_a_scan_completes_what_the_rulebook_tells() -> None:
    valley = read_map_text(VALLEY)
    scan = Source("scan", "map.png", 0.9)
    seen = replace(
        valley,
        name="scan",
        complete=("hexsides",),
        terrains=(
            Terrain(("clear",), ("0101", "0404", "0506"), scan),
            Terrain(("woods",), ("0203",), scan),
            Terrain(("swamp",), ("9999",), scan),
        ),
        regions=(),
    )
    both, told = complete_map(valley, seen)
    assert both.terrain("0101") == "mountain"  # the rulebook's word stands
    assert both.terrain("0404") == "clear"
    assert both.terrain("0506") == "clear"
    assert both.terrain("0203") == "woods"  # one of the two that the rulebook left open
    assert both.complete == ("links", "hexsides")
    assert [str(problem) for problem in told] == [
        "scan: hex 0101 is mountain by rule 4.1, clear by scan map.png (90% sure)",
        "scan: 1 hexes are not on the map valley, 9999 the first",
    ]
    assert read_map_text(map_text(both)) == both


def test_a_story_laid_over_a_map_hides_what_lies_below() -> None:
    valley = read_map_text(VALLEY)
    story = replace(valley, terrains=(), default_terrain=("clear", Source("person", "a story")))
    both, _ = complete_map(story, valley)
    assert both.terrain("0101") == "clear"
    assert both.terrain("0706") == "clear"
