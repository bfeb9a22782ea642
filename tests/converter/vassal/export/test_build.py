"""`hexref build` of a small scenario folder, read back as a module; what it refuses; nothing half-written stays."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from PIL import Image

from cli import main
from converter.errors import BadInput
from converter.vassal.export.command import run_build
from converter.vassal.module import read_module
from converter.vassal.piece_view import properties
from converter.vassal.pieces import Piece
from referee.table import as_json
from referee.table.replay import open_replay

MAP = """version: 1
name: valley
title: The Valley
game: practice
grid: {columns: 6, rows: 5}
boxes:
  - {name: Dead pile, kind: holding, source: {person: a test}}
  - {name: Sea, kind: sea, outline: [[10, 10], [90, 10], [90, 90], [10, 90]], source: {person: a test}}
regions: [{name: North, kind: area, hexes: ["0501", "0502"], source: {person: a test}}]
"""
UNITS = """version: 1
game: practice
title: Valley
sides: [{name: Red}, {name: Blue}]
units:
  - {id: 1/7, name: "Kim's 'A/B' 강 😀", side: Blue, nation: US, size: battalion, formation: 7th, steps: 2,
     front: {factors: {attack: 5, defense: 6, move: 4}}, back: {factors: {attack: 2, defense: 3, move: 4}},
     source: {person: a test}}
  - {id: guards, side: Red, type: infantry, front: {factors: {attack: 3, defense: null, move: 6}}, count: 3,
     source: {person: a test}}
  - {id: chit, side: Red, kind: marker, type: support-fire, front: {factors: {support: 2}}, source: {person: a test}}
"""
SETUP = """version: 1
game: practice
scenario: dawn
title: Dawn
map: valley
sides: [Red, Blue]
placements:
  - {unit: 1/7, hex: "0203", face: back, source: {person: a test}}
  - {unit: guards, near: "0203", within: 1, source: {person: a test}}
  - {unit: guards, region: North, source: {person: a test}}
  - {unit: guards, action: reinforcement, turn: 3, hex: "0101", source: {person: a test}}
  - {unit: 1/7, box: Dead pile, source: {person: a test}}
  - {unit: 1/7, box: Sea, source: {person: a test}}
  - {unit: 1/7, where: on a hill, source: {person: a test}}
  - {unit: 1/7, action: withdrawal, turn: 4, where: off the map, source: {person: a test}}
"""
PLAY = """version: 1
tracker: [{name: Turn, levels: [{name: Phase, entries: [Red Movement, Red Combat, Blue Movement]}]}]
dice: [{name: 2d6, count: 2}]
cups: [{name: Chits, units: {chit: 4}}]
charts: [{title: Odds, columns: [die, result], rows: [["1", "<De>"]]}]
call_outs: [phase, attack, odds, support]
odds: ["1-1", "2-1"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    where = tmp_path / "valley"
    where.mkdir()
    for name, text in (("map", MAP), ("units", UNITS), ("setup", SETUP), ("play", PLAY)):
        (where / f"{name}.yaml").write_text(text, encoding="utf-8")
    return where


def test_the_module_has_what_the_folder_tells(folder: Path, tmp_path: Path) -> None:
    run_build(str(folder), tmp_path / "v.vmod")
    module = read_module(tmp_path / "v.vmod")
    assert module.problems == ()
    assert [game_map.name for game_map in module.maps] == ["Main Map", "Off-map"]
    assert module.sides == ("Red", "Blue")
    assert [slot.name for slot in module.palettes[0].slots] == ["1/7", "guards", "chit"]
    first = module.palettes[0].slots[0]
    marks = properties(Piece(first.type, first.state).traits)
    assert (marks["Side"], marks["Attack"], marks["Back"], marks["Step_Level"]) == ("Blue", "5", "2-3-4", "1")
    assert "Side" not in properties(Piece(module.slots[-1].type, module.slots[-1].state).traits)
    assert [chart.name for chart in module.charts] == ["Odds", "Sequence of play", "Set-up: Dawn"]
    assert [setup.name for setup in module.setups] == ["Dawn"]
    deck = next(start for start in module.maps[1].at_start if start.is_deck)
    assert (deck.name, len(deck.slots)) == ("Chits", 4)


def test_the_set_up_stands_where_it_should(folder: Path, tmp_path: Path) -> None:

    run_build(str(folder), tmp_path / "v.vmod")
    with zipfile.ZipFile(tmp_path / "v.vmod") as archive:
        (tmp_path / "dawn.vsav").write_bytes(archive.read("setup-1.vsav"))
    pieces = as_json.state(open_replay(tmp_path / "dawn.vsav", tmp_path / "v.vmod"))["pieces"]
    places = sorted((piece["properties"]["UnitId"], str(piece["hex"])) for piece in pieces)
    assert places.count(("chit", "Chits")) == 4
    ours = [hex for unit, hex in places if unit == "1/7"]
    assert sorted(ours) == ["0203", "Dead pile", "Sea", "Set up: on a hill"]
    guards = [hex for unit, hex in places if unit == "guards"]
    assert "Turn 3" in guards
    assert "0501" in guards
    assert "0203" not in guards  # an enemy holds it
    flipped = [piece for piece in pieces if piece["hex"] == "0203"]
    assert flipped[0]["properties"]["Step_Level"] == "2"


def test_the_same_folder_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        run_build(str(folder), tmp_path / f"{name}.vmod")
    assert (tmp_path / "a.vmod").read_bytes() == (tmp_path / "b.vmod").read_bytes()


def test_the_users_own_pictures(folder: Path, tmp_path: Path) -> None:
    (folder / "images").mkdir()
    Image.new("RGB", (500, 450), "white").save(folder / "images" / "map.png")
    Image.new("RGB", (60, 60), "red").save(folder / "images" / "guards.png")
    picture = "picture: {image: images/map.png, width: 500, height: 450, dx: 60.0, dy: 69.3, x0: 40.0, y0: 34.6}\n"
    (folder / "map.yaml").write_text(MAP + picture, encoding="utf-8")
    units = UNITS.replace("front: {factors: {attack: 3,", "front: {image: images/guards.png, factors: {attack: 3,")
    (folder / "units.yaml").write_text(units, encoding="utf-8")
    run_build(str(folder), tmp_path / "v.vmod")
    board = read_module(tmp_path / "v.vmod").maps[0].boards[0]
    assert board.size == (500, 450)
    assert board.grid
    assert board.grid.location(40, 35, board.size) == "Sea"
    assert board.grid.location(40, 243, board.size) == "0104"


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("setup.yaml", 'hex: "0203"', 'hex: "0999"', "setup.yaml:8: hex '0999' is on no map"),
        ("setup.yaml", "unit: 1/7, hex", "unit: 1/9, hex", "unit '1/9' is not in units.yaml"),
        ("setup.yaml", ', hex: "0203", face', ", face", "expected exactly one of hex"),
        ("units.yaml", "id: guards", "id: 1/7", "the id '1/7' is used twice"),
        ("units.yaml", "type: infantry, front: {", "front: {image: images/none.png, ", "none.png: the picture cannot"),
        ("play.yaml", "chit: 4", "chip: 4", "unit 'chip' is not in units.yaml"),
        ("play.yaml", "name: 2d6, count: 2", "name: 2d6, count: 0", "expected at least 1, found 0"),
        (
            "map.yaml",
            "rows: 5}",
            "rows: 5}\npicture: {width: 9, height: 9, dx: 0, dy: 0, x0: 0, y0: 0}",
            "expected more",
        ),
    ],
)
def test_bad_input_is_told_in_one_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str, old: str, new: str, says: str
) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    out = tmp_path / "v.vmod"
    assert main(["build", str(folder), "-o", str(out)]) == 2
    said = capsys.readouterr().err
    assert says in said
    assert said.count("\n") == 1
    assert not list(tmp_path.glob("*.vmod"))
    assert not list(tmp_path.glob(".*"))


def test_two_scenarios_with_one_name(folder: Path, tmp_path: Path) -> None:
    (folder / "setup-dusk.yaml").write_text(SETUP, encoding="utf-8")
    with pytest.raises(BadInput, match=r"setup-dusk.yaml:3: the scenario 'dawn' is already in setup.yaml"):
        run_build(str(folder), tmp_path / "v.vmod")
    (folder / "setup-dusk.yaml").write_text(SETUP.replace("scenario: dawn", "scenario: dusk"), encoding="utf-8")
    with pytest.raises(BadInput, match="two set-ups are called 'Dawn'"):
        run_build(str(folder), tmp_path / "v.vmod")


def test_several_scenarios_are_several_set_ups(folder: Path, tmp_path: Path) -> None:
    dusk = SETUP.replace("scenario: dawn", "scenario: dusk").replace("title: Dawn", "title: Dusk")
    (folder / "setup-dusk.yaml").write_text(dusk, encoding="utf-8")
    run_build(str(folder), tmp_path / "v.vmod")
    assert [setup.name for setup in read_module(tmp_path / "v.vmod").setups] == ["Dawn", "Dusk"]


def test_folders_on_the_way_are_made(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "there" / "v.vmod"
    run_build(str(folder), out)
    assert read_module(out).problems == ()
    assert main(["build", str(folder), "-o", str(folder / "map.yaml" / "v.vmod")]) == 2
    assert "v.vmod: cannot be written" in capsys.readouterr().err


def test_map_windows_have_names_that_vassal_can_tell_apart(folder: Path, tmp_path: Path) -> None:
    """Two sheets of one title, one that is called like a window of ours, and one like a command of VASSAL's."""
    for name, title in (("a", "Hills"), ("b", "Hills"), ("c", "Main Map"), ("d", "Off-map"), ("e", "D/7")):
        sheet = MAP.replace("name: valley", f"name: {name}").replace("title: The Valley", f"title: {title}")
        (folder / f"map-{name}.yaml").write_text(sheet.partition("boxes:")[0], encoding="utf-8")
    placed = '  - {unit: guards, hex: "0303", map: e, source: {person: a test}}\n'
    (folder / "setup.yaml").write_text(SETUP + placed, encoding="utf-8")
    run_build(str(folder), tmp_path / "v.vmod")
    module = read_module(tmp_path / "v.vmod")
    assert module.problems == ()
    windows = ["Main Map", "Hills", "Hills (2)", "Main Map (2)", "Off-map (2)", "Map D/7", "Off-map"]
    assert [window.name for window in module.maps] == windows


def test_what_is_no_scenario(tmp_path: Path) -> None:
    for source, says in (
        ("no-such-game/x", "there is no game 'no-such-game'"),
        ("korean-battles/x", "korean-battles has no scenario 'x'; it has chosin-few"),
        (str(tmp_path), "no map.yaml"),
    ):
        with pytest.raises(BadInput, match=says):
            run_build(source, tmp_path / "v.vmod")
    with pytest.raises(BadInput, match=r"ends in \.vmod"):
        run_build("korean-battles/pusan", tmp_path / "v.zip")
