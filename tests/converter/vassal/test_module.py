"""Modules as typed values: the corpus, small ones made here, and hostile ones."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from converter.errors import BadInput
from converter.vassal.archive_writing import write_archive
from converter.vassal.dice import Roll
from converter.vassal.metadata import Metadata, encode
from converter.vassal.module import Module, read_module
from converter.vassal.module_parts import Chart, Document, GlobalProperty, PredefinedSetup

M = "VASSAL.build.module."
MAP = M + "map."
BOARD = MAP + "boardPicker.Board"
GRID = MAP + "boardPicker.board."
W = "VASSAL.build.widget."
TAB = "\t"
UNIT = "prototype;Unit\tpiece;;;;"


def slot(name: str, gpid: str, type_text: str, state: str, kind: str = "PieceSlot", more: str = "") -> str:
    return f'<{W}{kind} entryName="{name}" gpid="{gpid}" {more}>+/null/{type_text}/{state}</{W}{kind}>'


BODY = f"""
<{M}BasicCommandEncoder/>
<{M}PlayerRoster><entry>UN</entry><entry> NKPA </entry></{M}PlayerRoster>
<{M}GlobalOptions autoReport="Always"><option name="undoHotKey">90,130</option></{M}GlobalOptions>
<{M}properties.GlobalProperties>
  <{M}properties.GlobalProperty name="Weather" initialValue="Clear" isNumeric="false"/>
  <{M}folder.GlobalPropertyFolder name="f">
    <{M}properties.GlobalProperty name="VP" initialValue="3" isNumeric="true" min="0" max="9"/>
  </{M}folder.GlobalPropertyFolder>
</{M}properties.GlobalProperties>
<{M}PrototypesContainer><{M}folder.PrototypeFolder name="p">
  <{M}PrototypeDefinition name="Unit">+/null/mark;Side\tpiece;;;;/UN\tnull;0;0;;0</{M}PrototypeDefinition>
</{M}folder.PrototypeFolder></{M}PrototypesContainer>
<{M}folder.ModuleSubFolder name="maps"><{M}Map mapName="Main Map" edgeWidth="20" edgeHeight="10">
  <{MAP}BoardPicker>
    <setup>Main MapBoardPicker\tWest\t0\t0\tEast/rev\t1\t0\tGone\t2\t0</setup>
    <{BOARD} name="West" image="west"/>
    <{BOARD} name="East" image="" width="300" height="200" reversible="true"/>
    <{BOARD} name="Lost" image="lost.png"/>
  </{MAP}BoardPicker>
  <{MAP}SetupStack name="Start" owningBoard="West" x="5" y="6">
    {slot("Bottom", "7", "piece;;;;B", "null;0;0;7;0")}
    {slot("Top", "8", UNIT + "T", TAB + "null;0;0;8;0")}
  </{MAP}SetupStack>
  <{MAP}DrawPile name="Deck" x="50" y="60" faceDown="Always">
    {slot("Card", "9", "piece;;;;C", "null;0;0;9;0", "CardSlot")}
  </{MAP}DrawPile>
  <{M}properties.GlobalProperties>
    <{M}properties.GlobalProperty name="OnMap" initialValue="1"/>
  </{M}properties.GlobalProperties>
</{M}Map></{M}folder.ModuleSubFolder>
<{M}PrivateMap mapName="" side="UN,NKPA" visible="true" edge="3,4"><{MAP}BoardPicker>
  <{BOARD} name="Box" width="10" height="10">
    <{GRID}ZonedGrid><{GRID}mapgrid.Zone name="Pool" path="0,0;5,0;5,5">
      <{M}properties.ZoneProperty name="InZone" initialValue="z"/>
    </{GRID}mapgrid.Zone></{GRID}ZonedGrid>
  </{BOARD}>
</{MAP}BoardPicker></{M}PrivateMap>
<{M}PieceWindow name="Counters"><{W}TabWidget entryName="All"><{W}ListWidget entryName="UN">
  {slot("1 Cav", "1", UNIT + "1 Cav", TAB + "null;0;0;1;0", more='width="48" height="50"')}
</{W}ListWidget></{W}TabWidget></{M}PieceWindow>
<{M}turn.TurnTracker name="Turn"><{M}turn.CounterTurnLevel property="T"/></{M}turn.TurnTracker>
<{M}turn.TurnTracker name="Weather"><{M}turn.ListTurnLevel property="W" list="Dry,Wet"/></{M}turn.TurnTracker>
<{M}DiceButton name="2d6" nDice="2" nSides="6" reportFormat="** $name$ = $result$ *** &amp;lt;$PlayerName$&amp;gt;"/>
<{M}PredefinedSetup name="Menu" isMenu="true" useFile="false">
  <{M}PredefinedSetup name="Inchon" useFile="true" file="inchon.vsav"/>
</{M}PredefinedSetup>
<{M}ChartWindow name="Charts"><{W}TabWidget>
  <{W}Chart chartName="CRT" fileName="crt.png"/><{W}HtmlChart chartName="TEC" fileName="tec.html"/>
</{W}TabWidget></{M}ChartWindow>
<{M}Documentation><{M}documentation.HelpFile title="Rules" fileName="rules.html"/></{M}Documentation>
<{M}Inventory name="Inventory"/><own.code.Thing secret="1"/>
"""


def picture() -> bytes:
    stream = io.BytesIO()
    Image.new("L", (640, 480)).save(stream, "GIF")
    return stream.getvalue()


def make(path: Path, body: str = BODY, version: str = "3.7.0", name: str = "buildFile.xml") -> Path:
    attributes = f'name="Korea" version="2.1" VassalVersion="{version}" description="d"'
    root = f"<VASSAL.build.GameModule {attributes}>{body}</VASSAL.build.GameModule>"
    data = encode(Metadata("2.1", version, name="Korea"))
    entries = {name: root.encode(), "moduledata": data, "images/west.gif": picture()}
    write_archive(path, entries)
    return path


@pytest.fixture(scope="module")
def korea(tmp_path_factory: pytest.TempPathFactory) -> Module:
    return read_module(make(tmp_path_factory.mktemp("m") / "korea.vmod"))


def test_the_module_itself(korea: Module) -> None:
    assert (korea.name, korea.version, korea.vassal_version, korea.description) == ("Korea", "2.1", "3.7.0", "d")
    assert korea.sides == ("UN", "NKPA")
    assert korea.options == {"autoReport": "Always", "undoHotKey": "90,130"}
    assert list(korea.prototypes) == ["Unit"]
    assert not korea.is_extension


def test_maps_and_boards(korea: Module) -> None:
    main, box = korea.maps
    assert (main.id, main.kind, main.edge) == ("Map0", "map", (20, 10))
    assert [(board.name, board.size, board.reversible) for board in main.boards] == [
        ("West", (640, 480), False), ("East", (300, 200), True), ("Lost", None, False),
    ]  # fmt: skip
    assert main.setup == (("West", 0, 0, False), ("East", 1, 0, True))
    assert (box.id, box.kind, box.edge, box.sides, box.visible) == ("Map1", "private", (3, 4), ("UN", "NKPA"), True)
    assert box.setup == (("Box", 0, 0, False),)  # the only board needs no set-up
    assert korea.map("Main Map") is main
    assert korea.map("Map1") is box
    assert korea.map("elsewhere") is None


def test_what_a_new_game_begins_with(korea: Module) -> None:
    stack, deck = korea.maps[0].at_start
    assert (stack.name, stack.is_deck, stack.board, stack.location) == ("Start", False, "West", None)
    assert [(slot.name, slot.gpid) for slot in stack.slots] == [("Bottom", "7"), ("Top", "8")]
    assert stack.slots[1].type == "mark;Side\tpiece;;;;T"
    assert stack.slots[1].state == "UN\tnull;0;0;8;0"
    assert (deck.name, deck.is_deck, deck.settings["faceDown"]) == ("Deck", True, "Always")
    assert (stack.position, deck.position) == ((25, 16), (70, 70))
    assert deck.slots[0].is_card


def at_start(tmp_path: Path, *stacks: str) -> Module:
    """A map of two boards, the left one with a hex grid, and these stacks on it."""
    numbered = f"<{GRID}mapgrid.HexGridNumbering/>"
    grid = f"<{GRID}HexGrid dx='62.35' dy='72.0' x0='50' y0='40'>{numbered}</{GRID}HexGrid>"
    body = f"""<{M}Map mapName='Main Map' edgeWidth='30' edgeHeight='20'>
      <{MAP}BoardPicker><setup>Main MapBoardPicker\tWest\t0\t0\tEast\t1\t0</setup>
        <{BOARD} name='West' width='900' height='700'>{grid}</{BOARD}>
        <{BOARD} name='East' width='300' height='700'/><{BOARD} name='Spare' width='9' height='9'/>
      </{MAP}BoardPicker>
      {"".join(f"<{MAP}{stack}/>" for stack in stacks)}
    </{M}Map>"""
    return read_module(make(tmp_path / "start.vmod", body))


def test_places_at_start_are_where_vassal_3_6_puts_them(tmp_path: Path) -> None:
    module = at_start(
        tmp_path,
        "SetupStack name='any' x='100' y='100'",
        "SetupStack name='owned' owningBoard='East' x='100' y='100'",
        "SetupStack name='label' useGridLocation='true' location='0303' x='1' y='1'",
        "SetupStack name='label on board' owningBoard='West' useGridLocation='true' location='0303' x='1' y='1'",
        "SetupStack name='any too' owningBoard='&lt;any&gt;' x='1' y='2'",
        "SetupStack name='not in play' owningBoard='Spare' x='1' y='2'",
        "SetupStack name='unused label' useGridLocation='false' location='0303' x='1' y='2'",
    )
    assert [start.position for start in module.maps[0].at_start] == [
        (130, 120), (1030, 120), (204, 204), (204, 204), (31, 22), None, (31, 22),
    ]  # fmt: skip
    assert not module.problems


def test_a_label_off_the_grid_is_a_problem(tmp_path: Path) -> None:
    module = at_start(tmp_path, "DrawPile name='Deck' useGridLocation='true' location='Seoul'")
    assert module.maps[0].at_start[0].position is None
    assert [str(problem) for problem in module.problems] == [
        "map 'Main Map': 'Deck' stands at 'Seoul', which is not on the grid"
    ]


def test_layouts(tmp_path: Path) -> None:
    module = at_start(tmp_path, "DrawPile name='Deck' owningBoard='West' x='10' y='10'")
    main = module.maps[0]
    assert main.layout().location(204, 204) == "0303"
    assert main.layout().location(40, 30) == "Deck"
    swapped = main.layout([("West", 1, 0, False), ("East", 0, 0, False), ("Gone", 2, 0, False)])
    assert swapped.location(504, 204) == "0303"
    assert swapped.location(340, 30) == "Deck"
    assert main.layout([("East", 0, 0, False)]).decks == {}


def test_palettes(korea: Module) -> None:
    (palette,) = korea.palettes
    assert [(slot.name, slot.width, slot.height) for slot in palette.slots] == [("1 Cav", 48, 50)]
    (tab,) = palette.tree.children
    assert tab.name == "All"
    assert [slot.gpid for slot in korea.slots] == ["7", "8", "9", "1"]
    found = korea.slot("1")
    assert found is not None
    assert found.type == "mark;Side\tpiece;;;;1 Cav"
    assert korea.slot("") is None


def test_clocks_and_dice(korea: Module) -> None:
    assert [tracker.id for tracker in korea.turn_trackers] == ["TurnTracker0", "TurnTracker1"]
    assert korea.turn_tracker("TurnTracker1") is korea.turn_trackers[1]
    assert korea.turn_tracker("TurnTracker10") is None
    assert korea.parse_roll("*** 2d6 = 1,6 *** &lt;Ann&gt;") == Roll("2d6", (1, 6), 7, 6)


def test_the_plain_parts(korea: Module) -> None:
    assert korea.properties == (
        GlobalProperty("Weather", "Clear", "Module"),
        GlobalProperty("VP", "3", "Module", True, "0", "9"),
        GlobalProperty("OnMap", "1", "Main Map"),
        GlobalProperty("InZone", "z", ":Pool"),  # a map without a name
    )
    inner = PredefinedSetup("Inchon", "inchon.vsav", False)
    assert korea.setups == (PredefinedSetup("Menu", None, True, setups=(inner,)),)
    assert korea.charts == (Chart("Charts", "CRT", "crt.png", False), Chart("Charts", "TEC", "tec.html", True))
    assert korea.documents == (Document("HelpFile", "Rules", "rules.html"),)


def test_problems_and_unknown_parts_do_not_stop_it(korea: Module) -> None:
    assert [str(problem) for problem in korea.problems] == [
        "map 'Main Map': board 'Lost': size unknown, its picture 'lost.png' is missing",
        "map 'Main Map': its set-up names the board 'Gone', which it has not",
    ]
    assert [own.get("secret") for own in korea.build_file.root.iter("own.code.Thing")] == ["1"]
    assert korea.build_file.root.find(f"{M}Inventory") is not None


def test_build_file_must_fit_the_version(tmp_path: Path) -> None:
    old = read_module(make(tmp_path / "a.vmod", "", "3.4.0", "buildFile"))
    assert not old.problems
    wrong = read_module(make(tmp_path / "b.vmod", "", "3.4.0", "buildFile.xml"))
    assert "look for buildFile" in str(wrong.problems[0])


def test_folder_and_old_root_and_extension(tmp_path: Path) -> None:
    (tmp_path / "buildFile").write_text('<VASSAL.launch.BasicModule name="Old" version="0.1" vassalVersion="2.9"/>')
    assert (read_module(tmp_path).name, read_module(tmp_path).vassal_version) == ("Old", "2.9")
    piece = slot("X", "a:1", "piece;;;;X", "null;0;0;a:1;0")
    element = f"<{M}ExtensionElement target='x'>{piece}</{M}ExtensionElement>"
    root = f"<{M}ModuleExtension module='Korea' version='1'>{element}</{M}ModuleExtension>"
    write_archive(tmp_path / "x.vmdx", {"buildFile": root.encode()})
    extension = read_module(tmp_path / "x.vmdx")
    assert extension.is_extension
    assert extension.name == "Korea"
    assert extension.slot("a:1") is not None


def test_a_save_is_no_module(tmp_path: Path) -> None:
    write_archive(tmp_path / "g.vsav", {"savedGame": b"begin_save"})
    with pytest.raises(BadInput, match="not a module"):
        read_module(tmp_path / "g.vsav")


def test_damaged_metadata_is_a_problem_only(tmp_path: Path) -> None:
    write_archive(
        tmp_path / "m.vmod", {"buildFile.xml": b"<VASSAL.build.GameModule name='A'/>", "moduledata": b"<data"}
    )
    module = read_module(tmp_path / "m.vmod")
    assert module.name == "A"
    assert len(module.problems) == 1


def test_cut_at_every_hundredth_byte(tmp_path: Path) -> None:
    whole = make(tmp_path / "whole.vmod").read_bytes()
    path = tmp_path / "cut.vmod"
    for length in range(0, len(whole), 100):
        path.write_bytes(whole[:length])
        with pytest.raises(BadInput):
            read_module(path)


def test_build_file_cut_anywhere(tmp_path: Path) -> None:
    root = f"<VASSAL.build.GameModule name='Korea'>{BODY}</VASSAL.build.GameModule>".encode()
    for length in range(0, len(root), 100):
        write_archive(tmp_path / "m.vmod", {"buildFile": root[:length]})
        with pytest.raises(BadInput, match="XML"):
            read_module(tmp_path / "m.vmod")


NO_FAULT_OF_OURS = {  # what is odd in modules by strangers: board pictures not in the corpus, a prototype never defined
    "longest-day": "size unknown",
    "hex-template.vmod": "is not defined",
}


def test_every_module_of_the_corpus(shared: Path) -> None:
    folder = shared / "corpus" / "modules"
    paths = [*(folder.iterdir() if folder.is_dir() else ()), shared / "oracle" / "samples" / "small.vmod"]
    paths = [path for path in paths if path.exists()]
    if not paths:
        pytest.skip("no modules in the reference material")
    for path in paths:
        module = read_module(path)
        expected = NO_FAULT_OF_OURS.get(path.name)
        assert not [str(problem) for problem in module.problems if not expected or expected not in problem.what], (
            path.name
        )
        assert module.name
        assert module.maps
        assert all(slot.type for slot in module.slots), path.name
        assert not any(slot.type.startswith("prototype;") for slot in module.slots), path.name
        assert module.build_file.to_bytes() == module.build_file.original
