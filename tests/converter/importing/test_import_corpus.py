"""Every module, save and log by strangers becomes a scenario folder that reads, and a module again."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from cli import main
from converter.errors import BadInput
from converter.importing import import_file, run_import
from converter.importing.command import REPORT
from converter.scenario import read_folder
from converter.vassal.export.command import run_build
from converter.vassal.module import read_module
from converter.vassal.savegame import read_game

MODULES = [
    "hex-template.vmod",
    "kassala",
    "predefined-setups.vmod",
    "republic-of-rome.vmod",
    "tour.mod",
    "xwing-test.vmod",
]
GAMES = ["saves/ccn-wertingen.vsav", "saves/longest-day-scenario_5.sav", "logs/asl-full.vlog", "logs/bloodbowl.vlog"]


@pytest.mark.parametrize("name", [f"modules/{name}" for name in MODULES] + GAMES)
def test_it_becomes_a_folder_and_a_module_again(name: str, shared: Path, tmp_path: Path) -> None:
    source = shared / "corpus" / name
    run_import(source, tmp_path / "folder")
    read = read_folder(tmp_path / "folder")
    assert import_file(source).scenario == read
    report = (tmp_path / "folder" / REPORT).read_text(encoding="utf-8")
    assert report.startswith(f"Imported from {source.name}")
    run_build(str(tmp_path / "folder"), tmp_path / "again.vmod")
    again = read_module(tmp_path / "again.vmod")
    counters = len(read.units.units) if read.units else 0
    assert sum(len(palette.slots) for palette in again.palettes) == counters
    assert [setup.name for setup in again.setups] == [setup.title or setup.scenario for setup in read.setups]


def test_what_kassala_holds(shared: Path) -> None:
    read = import_file(shared / "corpus/modules/kassala")
    scenario = read.scenario
    assert (len(scenario.map.grid), scenario.map.grid.columns) == (90, 9)
    assert scenario.units
    turkish = scenario.units.unit("Moslem_Infantry_4-2_Turkish")
    assert turkish
    assert (turkish.side, dict(turkish.front.factors)) == ("Moslem", {"strength": 4, "move": 2})
    assert turkish.front.image in read.pictures
    assert [setup.title for setup in scenario.setups] == ["At start", "Default Setup"]
    assert scenario.setup
    at_start = [(place.unit, place.hex, place.count) for place in scenario.setup.placements]
    assert ("Moslem_Cannon_1-0", "0403", 3) in at_start
    assert sum(place.count for place in scenario.setup.placements) == 23


@pytest.mark.parametrize("name", ["ccn-wertingen.vsav", "Scenario_Watland_1241.vsav"])
def test_no_password_gets_out(name: str, shared: Path, tmp_path: Path) -> None:
    source = shared / "corpus/saves" / name
    run_import(source, tmp_path / "folder")
    written = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "folder").glob("*.*"))
    text = read_game(source).hidden.text
    secrets = {line.split("\t")[1] for line in text.split("\x1b") if line.startswith("PLAYER\t")}
    assert not [secret for secret in secrets if len(secret) > 3 and secret in written]


def test_a_log_at_a_step_on_the_maps_of_its_module(shared: Path, tmp_path: Path) -> None:
    log, module = shared / "corpus/logs/longest-day/0606-1.log", shared / "corpus/modules/longest-day"
    first = import_file(log, module).scenario.setup
    later = import_file(log, module, 40).scenario.setup
    assert first
    assert later
    assert first.placements != later.placements
    assert sum(place.count for place in first.placements) > 2000
    with pytest.raises(BadInput, match="there is no step 99999"):
        import_file(log, module, 99999)


@pytest.mark.parametrize(
    ("game", "module", "step"),
    [
        ("saves/third-reich.vsav", None, 0),
        ("saves/Scenario_Watland_1241.vsav", None, 0),
        ("saves/ccn-wertingen.vsav", None, 0),
        ("logs/bloodbowl.vlog", None, 5),
        ("logs/longest-day/0606-1.log", "modules/longest-day", 40),
        ("logs/tour.log", "modules/tour.mod", 114),
    ],
)
def test_a_position_is_what_state_tells(
    game: str, module: str | None, step: int, shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = shared / "corpus"
    with_module = ["--module", str(corpus / module)] if module else []
    assert main(["state", str(corpus / game), "--at", str(step), "--json", *with_module]) == 0
    pieces = [piece for piece in json.loads(capsys.readouterr().out)["pieces"] if piece["map"]]
    told = Counter(piece["properties"].get("BasicName", "") for piece in pieces)
    scenario = import_file(corpus / game, corpus / module if module else None, step).scenario
    names = {unit.id: unit.name or unit.id for unit in scenario.units.units} if scenario.units else {}
    assert scenario.setup
    held = [pair for cup in (scenario.play.cups if scenario.play else ()) for pair in cup.units]
    read = Counter(dict.fromkeys(told, 0))
    for unit, count in [*held, *((place.unit, place.count) for place in scenario.setup.placements)]:
        read[names[unit] if names[unit] in told else ""] += count  # a counter without a name was given one
    assert read == told
    hexes = Counter((piece["properties"].get("BasicName", ""), piece["hex"]) for piece in pieces)
    for place in scenario.setup.placements:
        if place.hex and names[place.unit] in told:
            assert hexes[names[place.unit], place.hex] >= place.count


def test_a_folder_of_the_users_is_not_touched(shared: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(BadInput, match="is not empty"):
        run_import(shared / "corpus/modules/xwing-test.vmod", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    run_import(shared / "corpus/modules/xwing-test.vmod", tmp_path / "new")
    run_import(shared / "corpus/modules/tour.mod", tmp_path / "new")  # an import may be done again
    assert not list((tmp_path / "new").glob(".*"))


def test_bad_files_are_told(tmp_path: Path) -> None:
    bad = tmp_path / "bad.vmod"
    bad.write_bytes(b"PK\x03\x04 no zip")
    with pytest.raises(BadInput):
        run_import(bad, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    with pytest.raises(BadInput, match="no such file"):
        run_import(tmp_path / "none.vmod", tmp_path / "out")


def test_a_survey_names_what_is_not_kept(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(shared / "corpus/modules" / name) for name in ("kassala", "tour.mod", "no-such.vmod")]
    assert main(["import", "--survey", *files]) == 0
    rows = capsys.readouterr().out.splitlines()[2:]
    assert rows[0].startswith("| kassala | 90 hexes | 13 | At start (23), Default Setup (23) |")
    assert "traits that are not kept: 'Report'" in rows[1]
    assert rows[2] == "| no-such.vmod | | | | no such file |"


def test_a_draft_for_the_referee_comes_along(shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module, out = str(shared / "corpus/modules/kassala"), str(tmp_path / "folder")
    assert main(["import", module, "-o", out, "--game", "korean-battles/pusan"]) == 0
    assert (
        (tmp_path / "folder/bind.yaml").read_text(encoding="utf-8").startswith("game: korean-battles\nscenario: pusan")
    )
    capsys.readouterr()
    assert main(["import", module, "-o", str(tmp_path / "other"), "--game", "go/19"]) == 2
    assert "there is no game 'go' to referee" in capsys.readouterr().err
    assert main(["import", module]) == 2
    assert "one FILE and -o DIR" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()


EXTENSION = """<?xml version="1.0" encoding="UTF-8"?>
<VASSAL.build.module.ModuleExtension module="Game" vassalVersion="3.5.8" version="0.1" extensionId="x1">
  <VASSAL.build.module.ExtensionElement target="VASSAL.build.module.PieceWindow:Red">
    <VASSAL.build.widget.ListWidget entryName="Late war">
      <VASSAL.build.widget.PieceSlot entryName="Tiger 8-7-6" gpid="x1:1" height="48" width="48"
        >+/null/mark;Side\tpiece;;;tiger.png;Tiger/Red\tnull;0;0;x1:1;0</VASSAL.build.widget.PieceSlot>
    </VASSAL.build.widget.ListWidget>
  </VASSAL.build.module.ExtensionElement>
</VASSAL.build.module.ModuleExtension>
"""


def test_an_extension_without_a_map(tmp_path: Path) -> None:
    path = tmp_path / "late-war.vmdx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("buildFile.xml", EXTENSION)
        archive.writestr("extensiondata", "<data version='1'><version>0.1</version></data>")
    read = import_file(path)
    assert read.scenario.units
    (tiger,) = read.scenario.units.units
    assert (tiger.id, tiger.name, tiger.side) == ("Tiger 8-7-6", "Tiger", "Red")
    assert dict(tiger.front.factors) == {"attack": 8, "defense": 7, "move": 6}
    assert "pictures that are missing (1): 'tiger.png' of 'Tiger 8-7-6'" in read.notes.lines()
    run_import(path, tmp_path / "folder")
    run_build(str(tmp_path / "folder"), tmp_path / "again.vmod")
