"""A log played back: what each command did at the table, in the players' terms."""

from __future__ import annotations

from pathlib import Path

import pytest

from converter.errors import BadInput
from converter.vassal import stream
from converter.vassal.module import Module, read_module
from converter.vassal.obfuscation import Hidden
from converter.vassal.piece_view import properties
from converter.vassal.savegame import SavedGame
from referee.table.acts import Step
from referee.table.events import (
    Added,
    Changed,
    Chat,
    Event,
    Moved,
    Other,
    Place,
    Property,
    Removed,
    Rolled,
    Stacked,
    Turn,
    Undone,
)  # fmt: skip
from referee.table.replay import Replay, open_replay

START = (
    "begin_save\x1b\x1b\\\x1b+/100/mark;Side\tpiece;;;;Inf/Red\tMain Map;108;96;1;1;UniqueID;100"
    "\\\x1b+/101/stack/Main Map;108;96;100;@@-1"
    "\x1bPLAYER\tpw\tAnn\tSolo\x1bMain MapBoardPicker\tB\t0\t0\x1bend_save"
)
WORKED_LOG = START + (
    "\x1bLOG\tM/100/Main Map/162/128/null/Main Map/108/96/null/pw\\\x1bLOG\tCHAT* Inf moves"
    "\x1bLOG\tD/100/Blue\tMain Map;162;128;1;1;UniqueID;100/Red\tMain Map;162;128;1;1;UniqueID;100"
    "\\\x1bLOG\tCHAT* Inf now Blue"
    "\x1bLOG\tUNDO\ttrue\\\x1bLOG\tD/100/Red\tMain Map;162;128;1;1;UniqueID;100/Blue\tMain Map;162;128;1;1;UniqueID;100"
    "\\\x1bLOG\tCHAT* UNDO: * Inf now Blue\\\x1bLOG\tUNDO\tfalse"
    "\x1bLOG\tCHAT&lt;Ann&gt; - hi"
)
BUILD_FILE = """<VASSAL.build.GameModule name="Small" version="1">
  <VASSAL.build.module.Map mapName="Main Map"><VASSAL.build.module.map.BoardPicker>
    <VASSAL.build.module.map.boardPicker.Board name="B" width="1000" height="800">
      <VASSAL.build.module.map.boardPicker.board.HexGrid dx="54" dy="64" x0="0" y0="32">
        <VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering first="H" hType="N" vType="N"/>
      </VASSAL.build.module.map.boardPicker.board.HexGrid>
    </VASSAL.build.module.map.boardPicker.Board>
  </VASSAL.build.module.map.BoardPicker></VASSAL.build.module.Map>
  <VASSAL.build.module.turn.TurnTracker name="Turn">
    <VASSAL.build.module.turn.CounterTurnLevel property="Year" start="1941"/>
  </VASSAL.build.module.turn.TurnTracker>
</VASSAL.build.GameModule>"""


@pytest.fixture
def module(tmp_path: Path) -> Module:
    (tmp_path / "buildFile.xml").write_text(BUILD_FILE, encoding="utf-8")
    return read_module(tmp_path)


def replay_of(text: str, module: Module | None = None) -> Replay:
    return Replay(SavedGame(stream.decode(text), Hidden(text)), module)


def play(*steps: str, state: str = START) -> tuple[Replay, list[Step]]:
    """Steps, each command of one parted by a bar."""
    logged = ["\\\x1b".join("LOG\t" + command for command in step.split("|")) for step in steps]
    replay = replay_of("\x1b".join([state, *logged]))
    return replay, list(replay.steps())


def events(*steps: str) -> tuple[Event, ...]:
    return play(*steps)[1][-1].events


def test_the_worked_log(module: Module) -> None:
    replay = replay_of(WORKED_LOG, module)
    counter = replay.game.counters["100"]
    assert replay.layout.place(counter) == Place("Main Map", 108, 96, "0302")
    steps = list(replay.steps())
    assert replay.layout.place(counter) == Place("Main Map", 162, 128, "0403")
    assert properties(counter.traits)["Side"] == "Red"
    assert replay.step_count == 4
    assert [step.player for step in steps] == ["Ann", None, None, "Ann"]
    moved = Moved("100", "Inf", Place("Main Map", 108, 96, "0302"), Place("Main Map", 162, 128, "0403"))
    assert steps[0].events == (moved, Chat("* Inf moves"))
    assert steps[1].events == (Changed("100", "Inf", (("Side", "Red", "Blue"),)), Chat("* Inf now Blue"))
    assert steps[2].events[:2] == (Undone(2), Changed("100", "Inf", (("Side", "Blue", "Red"),)))
    assert steps[3].events == (Chat("<Ann> - hi", "Ann"),)
    assert replay.all_problems() == []


def test_results_of_dice_alone_are_no_step_to_the_engine(module: Module) -> None:
    """It decodes only the properties its module declares; with the module we count as it does, and nothing is lost."""
    roll = "\x1bLOG\tMutableProperty\tr_result\t1\t4\tModule"
    log = f"{START}{roll}\x1bLOG\tCHATa{roll}\x1bLOG\tCHATb\x1bLOG\tnull\\{roll}"
    replay = replay_of(log, module)
    changed = Property("r_result", "1", "4", "Module")
    assert replay.step_count == 2
    assert [step.events for step in replay.steps()] == [(changed, Chat("a")), (changed, Chat("b"), changed)]
    assert replay_of(log).step_count == 5
    assert replay_of(START + roll, module).step_count == 1


def test_without_a_module_no_hex_is_told() -> None:
    moved = Moved("100", "Inf", Place("Main Map", 108, 96), Place("Main Map", 162, 128))
    assert events("M/100/Main Map/162/128/null/Main Map/108/96/null/pw") == (moved,)


def test_play_to_a_step() -> None:
    replay = replay_of(WORKED_LOG)
    replay.play_to(2)
    assert properties(replay.game.counters["100"].traits)["Side"] == "Blue"
    for step in (5, -1):
        with pytest.raises(BadInput, match="there is no step"):
            replay_of(WORKED_LOG).play_to(step)


def test_pieces_come_and_go() -> None:
    assert events("+/7/piece;;;;Tank/Main Map;1;2") == (Added("7", "Tank", Place("Main Map", 1, 2)),)
    assert events("-/100") == (Removed("100", "Inf", Place("Main Map", 108, 96)),)
    assert events("-/999") == ()
    assert events("+/100/piece;;;;Inf/Main Map;1;2") == (
        Moved("100", "Inf", Place("Main Map", 108, 96), Place("Main Map", 1, 2)),
    )


def test_stacking_is_told_from_bottom_to_top() -> None:
    told = events("+/7/piece;;;;Tank/Main Map;1;2|M/7/Main Map/108/96/100/Main Map/1/2/null/pw")
    assert told[-1] == Stacked("101", ("100", "7"), Place("Main Map", 108, 96))
    again = events("+/7/piece;;;;Tank/Main Map;108;96", "+/102/stack/Main Map;108;96;7;100")
    assert again == (Stacked("102", ("7", "100"), Place("Main Map", 108, 96)),)


def test_a_stack_that_moves_or_changes_takes_its_members() -> None:
    moved = Moved("100", "Inf", Place("Main Map", 108, 96), Place("Main Map", 5, 6))
    assert events("M/101/Main Map/5/6/null/Main Map/108/96/null/pw") == (moved,)
    assert events("D/101/Main Map;5;6;100/Main Map;108;96;100") == (moved,)
    reordered = play("+/7/piece;;;;Tank/Main Map;108;96", "D/101/Main Map;108;96;7;100/Main Map;108;96;100")[1][-1]
    assert reordered.events == (Stacked("101", ("7", "100"), Place("Main Map", 108, 96)),)


def test_a_dissolved_stack_is_where_its_counters_came_from() -> None:
    told = events("-/101|M/100/Main Map/5/6/null/Main Map/108/96/null/pw")
    assert told == (Moved("100", "Inf", Place("Main Map", 108, 96), Place("Main Map", 5, 6)),)


@pytest.mark.parametrize(
    ("command", "event"),
    [
        ("CHAT- note", Chat("- note")),
        ("CHAT<Bob (Red)> - hi > - you", Chat("<Bob (Red)> - hi > - you", "Bob (Red)")),
        ("CHAT&#" + "9" * 6000 + ";!", Chat("\N{REPLACEMENT CHARACTER}!")),
        ("MutableProperty\tWeather\tdry\train\tModule", Property("Weather", "dry", "rain")),
        ("GlobalProperty\t;Weather;rain;Main Map", Property("Weather", None, "rain", "Main Map")),
        ("TURNTurnTracker0\t0", Turn("TurnTracker0", ())),
        ("PLAYER\tbobpw\tBob\tBlue", Other("player", "Bob plays Blue")),
        ("AUDIO\tboom.wav", Other("sound")),
        ("FLARE\tFlare0\t1\t2", Other("flare")),
        ("PNOTE\tannpw\tsecret", Other("private note")),
        ("SNOTE\tn\tannpw\ttrue\tsecret", Other("secret note")),
        ("NOTES\ttext", Other("notes")),
        ("LOS\tLOS_Thread0\t1\t2\t3\t4\ttrue\tfalse", Other("line of sight")),
        ("bd\tx", Other("module command")),
    ],
)
def test_everything_else_worth_telling(command: str, event: Event) -> None:
    assert events(command) == (event,)


@pytest.mark.parametrize(
    "command", ["", "null|", "MutableProperty\ta\tb\tb\tModule", "SEMAIL\tx", "UNMASK\tannpw", "PYREMOVE\tpw"]
)
def test_what_is_not_worth_telling(command: str) -> None:
    assert events(command) == ()


def test_turns_are_read_with_the_modules_tracker(module: Module) -> None:
    replay = replay_of(START + "\x1bLOG\tTURNTurnTracker0\t0|1950;0;false;-1", module)
    [step] = replay.steps()
    assert step.events == (Turn("Turn", (("Year", "1950"),), "1950   "),)


def test_rolls_stand_beside_their_line() -> None:
    told = events("CHAT*** 2d6 = 3,5 *** &lt;Ann&gt;")
    assert told == (Chat("*** 2d6 = 3,5 *** <Ann>"), Rolled((3, 5), 6, "*** 2d6 = 3,5 *** <Ann>", "2d6", 8))


def test_unread_commands_are_counted_by_step() -> None:
    replay, _ = play("CHATa", "bd\tx|bd\ty", "CHATb")
    assert [str(problem) for problem in replay.problems_in(2)] == [
        "step 2: 2 command(s) of the module's own code were passed over"
    ]
    assert replay.problems_in(1) == []
    assert replay.all_problems() == replay.problems_in(2)


def test_a_map_the_module_does_not_know(module: Module) -> None:
    replay = replay_of(START.replace("Main Map;", "Side Map;"), module)
    assert ["no map 'Side Map'" in problem.what for problem in replay.all_problems()] == [True]
    assert replay.layout.place(replay.game.counters["100"]) == Place("Side Map", 108, 96)


def test_a_step_nested_too_deeply_is_noted_and_the_rest_played() -> None:
    deep = "\x1b".join("'c" + "\\" * depth for depth in range(1, 300))
    replay = replay_of(f"{START}\x1bLOG\t{deep}\x1b'x\x1bLOG\tCHATend")
    steps = list(replay.steps())
    assert "nested more than" in replay.all_problems()[0].what
    assert steps[-1].events[-1] == Chat("end")


def test_passwords_of_all_who_ever_play_are_known(module: Module) -> None:
    replay, _ = play(
        "CHATbobpw was here|PYREMOVE\tannpw", "PLAYER\tbobpw\tBob\tBlue", state=START.replace("\tpw\t", "\tannpw\t")
    )
    assert replay.blotter.text("annpw bobpw") == "Ann Bob"


def test_a_log_of_another_module_is_noted(tmp_path: Path, module: Module) -> None:
    path = tmp_path / "a.sav"
    path.write_bytes(START.encode())
    replay = open_replay(path, tmp_path)
    assert replay.module is not None
    assert replay.module.name == "Small"
    assert len(replay.all_problems()) == 1  # that it is a bare stream
