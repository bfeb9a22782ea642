"""Commands: every row of the format's table, read and written back; what breaks its form is kept to the letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.vassal import commands, sequence
from converter.vassal.commands import AddPiece, Boards, ChangePiece, MovePiece, Spot, Unknown, parse, write

TABLE = [
    ("", commands.Null("")),
    ("null", commands.Null("null")),
    ("begin_save", commands.BeginSave()),
    ("end_save", commands.EndSave()),
    ("+/7/piece;;;a.png;Inf/Map;1;2;;0", AddPiece("7", "piece;;;a.png;Inf", "Map;1;2;;0")),
    ("+/null/stack/null;0;0", AddPiece(None, "stack", "null;0;0")),
    (r"+/7/a\/b/c\/d", AddPiece("7", "a/b", "c/d")),
    ("-/7", commands.RemovePiece("7")),
    ("-/a/b\\/c", commands.RemovePiece("a/b\\/c")),
    ("D/7/new/old", ChangePiece("7", "new", "old")),
    ("D/7/new", ChangePiece("7", "new", None)),
    ("D/7//", ChangePiece("7", "", "")),
    (
        "M/7/Map/1/-2/8/null/3/4/null/pw",
        MovePiece("7", Spot("Map", 1, -2, "8"), Spot(None, 3, 4, None), "pw"),
    ),
    ("M/7/Map/1/2/null/Map/3/4/null", MovePiece("7", Spot("Map", 1, 2, None), Spot("Map", 3, 4, None), None)),
    ("UNDO\ttrue", commands.Undo(True)),
    ("UNDO\tfalse", commands.Undo(False)),
    ("CHAT* Inf moves", commands.Chat("* Inf moves")),
    ("CHAT", commands.Chat("")),
    ("AUDIO\tboom.wav\tx", commands.Audio("boom.wav\tx")),
    ("PLAY\twake\tAnn", commands.WakeUp("wake", "Ann")),
    ("PLAYER\tpw\tAnn\tRed", commands.Player("pw", "Ann", "Red")),
    ("PLAYER\tp\\\tw\tAnn\t<observer>", commands.Player("p\tw", "Ann", "<observer>")),
    ("PYREMOVE\tpw", commands.RemovePlayer("pw")),
    ("Main MapBoardPicker", Boards("Main Map", ())),
    ("Main MapBoardPicker\tB\t0\t1\tC/rev\t1\t-1", Boards("Main Map", (("B", 0, 1, False), ("C", 1, -1, True)))),
    ("Map0BoardPicker\ta\\/b\t0\t0", Boards("Map0", (("a/b", 0, 0, False),))),
    ("TURN orderBoardPicker\tB\t0\t0", Boards("TURN order", (("B", 0, 0, False),))),
    ("GlobalProperty\t;Weather;snow;Module", commands.GlobalProperty("Weather", "snow", "Module")),
    ("GlobalProperty\t;Weather;a\\;b", commands.GlobalProperty("Weather", "a;b", None)),
    ("MutableProperty\tn\told\tnew\tModule", commands.MutableProperty("n", "old", "new", "Module")),
    ("MutableProperty\tn\t\t", commands.MutableProperty("n", "", "", None)),
    ("TURNTurnTracker0\t0|1941;0;false;-1", commands.TurnState("TurnTracker0", "0|1941;0;false;-1")),
    ("NOTES\ta|b\tc", commands.Notes("a|b\tc")),
    ("PNOTES\ta|b", commands.PublicNotes("a|b")),
    ("PNOTE\tpw\tsecret", commands.PrivateNote("pw", "secret")),
    (
        "SNOTE\tname\tpw\ttrue\ttext\t01/02/2020 3:04 PM\tAnn",
        commands.SecretNote("name", "pw", True, "text", "01/02/2020 3:04 PM", "Ann"),
    ),
    ("SNOTE\tname\tpw\tfalse\ttext", commands.SecretNote("name", "pw", False, "text", None, None)),
    ("SETUP_STACK\t", commands.SetupStack()),
    ("EXT\tMore maps\t1.2", commands.Extension("More maps", "1.2")),
    ("SGKC\tSGKC0\ttrue", commands.StartupKey("SGKC0", True)),
    ("CLOCK\tRed\tc\t1700000000000\t5\tfalse\ttrue", commands.Clock("Red", "c", 1700000000000, 5, False, True)),
    ("CLOCK\tRed\tc\t1\t2\ttrue", commands.Clock("Red", "c", 1, 2, True, None)),
    ("CLOCKCONTROL\ttrue\tfalse", commands.ClockControl(True, False)),
    ("UNMASK\tpw1\tpw2", commands.Unmask(("pw1", "pw2"))),
    ("UNMASK\tnull", commands.Unmask(None)),
    ("UNMASK\t", commands.Unmask(("",))),
    ("LOCKSPOTAB\ttab\tAnn\tpw\tdate", commands.LockTab("tab", "Ann", "pw", "date")),
    ("FLARE\tFlare0\t5\t-6", commands.Flare("Flare0", 5, -6)),
    ("LOS\tLOS0\t1\t2\t3\t4\ttrue\tfalse\ttrue", commands.LineOfSight("LOS0", 1, 2, 3, 4, True, False, True)),
    ("LOS\tLOS0\t1\t2\t3\t4\ttrue\tfalse", commands.LineOfSight("LOS0", 1, 2, 3, 4, True, False, None)),
    ("SHOW_RESULTS\tdie\t0\t5", commands.ShowResults("die", ("0", "5"))),
    ("SEMAIL\tann@example.org", commands.ServerMail("ann@example.org")),
    ("DECK\t", commands.LoadDeck()),
    ("Events1700|Ann,hello", commands.EventLog("1700|Ann,hello")),
    ("CHECK\tversion<1.3\tALERT\\\told", commands.VersionCheck("version<1.3\tALERT\\\told")),
]  # fmt: skip

KEPT = [
    "bd\t", "INFO\tAxis", "OBA/1/2", "PRIV_CHAT/x", "INVITE\tx", "HAKA:red;3;H", "begin_save ", "begin_saves", "M/1/2",
    "M/7/Map/x/2/null/Map/3/4/null", "M/7/Map/9999999999/2/null/Map/3/4/null", "M/7/Map/1_0/2/null/Map/3/4/null",
    "D/7", "+/7", "+/7/type", "+/", "+/a/b/c/d", "PLAYER\tpw\tAnn", "PLAYER\tpw\tAnn\tRed\tx", "SETUP_STACK\tx",
    "FLARE\tFlare0\tx\t1", "FLARE\tFlare0", "CLOCK\ta\tb\tx\t1\ttrue", "TURNTurnTracker0", "TURN\ta\tb\tc",
    "GlobalProperty\t;a", "GlobalProperty\tx", "MapBoardPicker\tB\t0", "MapBoardPicker\tB\tx\t0",
    "MapBoardPickerx\tB\t0\t0", "MapBoardPicker\tB\t" + "9" * 5000 + "\t0", "nullx", "DECK\tx", "\0", "'",
]  # fmt: skip


@pytest.mark.parametrize(("text", "command"), TABLE)
def test_every_command_both_ways(text: str, command: commands.Command) -> None:
    assert parse(text) == command
    assert type(parse(text)) is type(command)
    assert write(command) == text


def test_the_table_above_is_complete() -> None:
    tested = {type(command) for _, command in TABLE}
    assert set(commands._WRITERS) - tested == {Unknown}


@pytest.mark.parametrize("text", KEPT)
def test_what_is_unknown_or_broken_is_kept(text: str) -> None:
    assert parse(text) == Unknown(text)
    assert write(parse(text)) == text


def test_end_of_save_with_a_line_end() -> None:
    assert parse("end_save\n") == commands.EndSave()


awkward = st.text(alphabet="ab/\\'\t;", max_size=8)


@given(awkward, awkward, awkward)
def test_quick_reading_of_pieces_is_the_plain_one(a: str, b: str, c: str) -> None:
    for text in (f"{a}/{b}/{c}", f"{a}/{b}", a, sequence.encode([a, b, c], "/") or ""):
        tokens = sequence.decode(text, "/")
        slow = (
            AddPiece(None if tokens[0] == "null" else tokens[0], tokens[1], tokens[2])
            if len(tokens) == 3
            else Unknown(f"+/{text}")
        )
        assert parse(f"+/{text}") == slow


@given(awkward, awkward, awkward)
def test_pieces_and_changes_come_back(a: str, b: str, c: str) -> None:
    for command in (AddPiece(a, b, c), AddPiece(None, b, c), ChangePiece(a, b, c), ChangePiece(a, b, None)):
        assert parse(write(command)) == command


@given(st.none() | awkward, st.none() | awkward, st.integers(-(2**31), 2**31 - 1), st.none() | awkward)
def test_moves_come_back(piece: str | None, map_name: str | None, x: int, player: str | None) -> None:
    if "null" in (piece, map_name):
        return
    command = MovePiece(
        piece, Spot(map_name, x, -1, piece), Spot(piece, 0, x if x != -(2**31) else 0, map_name), player
    )
    assert parse(write(command)) == command


@given(
    awkward.map(str.strip),
    st.lists(st.tuples(awkward, st.integers(-9, 9), st.integers(0, 9), st.booleans()), max_size=3),
)
def test_boards_come_back(name: str, boards: list[tuple[str, int, int, bool]]) -> None:
    if name[:2] in ("+/", "-/", "D/", "M/") or name.startswith(("'", "\\")):
        return
    command = Boards(name, tuple(boards))
    assert parse(write(command)) == command


@given(st.text())
def test_no_text_is_too_odd(text: str) -> None:
    for start in ("", "+/", "D/", "M/", "TURN", "PLAYER\t", "CLOCK\t", "LOS\t", "UNMASK\t", "GlobalProperty\t;"):
        write(parse(start + text))
    write(parse(f"{text}BoardPicker\t{text}\t0\t0"))


def test_shared_type_texts_are_one_object() -> None:
    one, other = parse("+/1/piece;;;a\\/b;Inf/x"), parse("+/2/piece;;;a\\/b;Inf/y")
    assert one.type is other.type
