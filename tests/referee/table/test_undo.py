"""Which step an undo takes back."""

from __future__ import annotations

import time

from converter.vassal import commands
from referee.table.events import Undone
from referee.table.undo import UndoBook

MOVE = "M/1/Main/5/6/null/Main/1/2/null/pw"
BACK = "M/1/Main/1/2/null/Main/5/6/null/pw"


def enter(*steps: list[str]) -> list[Undone | None]:
    book = UndoBook()
    parsed = [list(map(commands.parse, step)) for step in steps]
    return [book.enter(n, step, list(map(type, step))) for n, step in enumerate(parsed, 1)]


def test_a_marked_undo_names_its_step() -> None:
    assert enter(
        [MOVE, "CHAT* a"],
        ["D/1/b/a", "CHAT* b"],
        ["UNDO\ttrue", "D/1/a/b", "CHAT* UNDO: * b", "UNDO\tfalse"],
        ["UNDO\ttrue", BACK, "CHAT* UNDO: * a", "UNDO\tfalse"],
    ) == [None, None, Undone(2), Undone(1)]


def test_early_engines_only_say_so_in_the_chat() -> None:
    assert enter([MOVE, "CHAT* a &rarr; b"], ["CHATnoise"], [BACK, "CHAT* UNDO: * a &rarr; b"])[2] == Undone(1)


def test_a_bare_opposite_of_the_newest_step() -> None:
    assert enter(["D/1/b/a"], ["D/1/a/b"]) == [None, Undone(1)]
    assert enter(["+/7/piece;;;;a/x"], ["-/7"]) == [None, Undone(1)]
    assert enter(["MutableProperty\tn\ta\tb\tModule"], ["MutableProperty\tn\tb\ta\tModule"]) == [None, Undone(1)]


def test_a_move_back_by_hand_is_no_undo() -> None:
    assert enter([MOVE, "CHAT* a"], [BACK, "CHAT* b"]) == [None, None]
    assert enter([MOVE], [BACK]) == [None, None]


def test_a_bare_opposite_of_an_older_step_is_no_undo() -> None:
    assert enter(["D/1/b/a"], ["D/2/y/x"], ["D/1/a/b"]) == [None, None, None]


def test_what_was_taken_back_cannot_be_taken_back_again() -> None:
    undo = ["UNDO\ttrue", BACK, "UNDO\tfalse"]
    assert enter([MOVE, "CHAT* a"], [MOVE, "CHAT* a"], undo, undo, undo) == [
        None,
        None,
        Undone(2),
        Undone(1),
        Undone(None),
    ]


def test_an_undo_of_nothing_known() -> None:
    assert enter(["UNDO\ttrue", "UNDO\tfalse"]) == [Undone(None)]


def test_an_undo_can_be_undone() -> None:
    assert enter([MOVE], ["UNDO\ttrue", BACK, "UNDO\tfalse"], ["UNDO\ttrue", MOVE, "UNDO\tfalse"])[2] == Undone(2)


def test_what_an_undone_undo_took_back_stands_again() -> None:
    undo, redo = [BACK, "CHAT* UNDO: * a"], [MOVE, "CHAT* UNDO: * UNDO: * a"]
    assert enter([MOVE, "CHAT* a"], undo, redo, undo)[1:] == [Undone(1), Undone(2), Undone(1)]


def test_an_undo_that_only_says_so_takes_nothing_back() -> None:
    assert enter([MOVE, "CHAT* a"], ["CHAT* UNDO: * a"]) == [None, Undone(None)]


def test_turning_one_of_several_back_is_no_undo() -> None:
    assert enter(["D/1/b/a", "D/2/b/a"], ["D/2/a/b"]) == [None, None]
    assert enter(["+/7/piece;;;;a/x", "+/8/piece;;;;a/x"], ["-/8"]) == [None, None]


def test_turning_more_than_that_back_is_no_undo() -> None:
    assert enter(["D/2/b/a"], ["D/1/b/a", "D/2/a/b"]) == [None, None]


def test_changes_of_one_piece_that_the_undo_joins() -> None:
    assert enter(["D/1/b/a", MOVE, "D/1/c/b", "CHAT* x"], [BACK, "D/1/a/c", "CHAT* UNDO: * x"])[1] == Undone(1)
    assert enter(["D/1/b/a", "D/1/a/b", "CHAT* x"], ["CHAT* UNDO: * x", "D/1/b/a", "D/1/a/b"])[1] == Undone(1)


def test_an_undo_of_a_removal_may_change_what_it_adds_again() -> None:
    assert enter(["-/9", "-/1", "CHAT* x"], ["+/1/piece;;;;a/x", "D/9/b/a", "+/9/stack/x", "CHAT* UNDO: * x"])[1]


def test_thousands_of_undos_of_nothing() -> None:
    begun = time.process_time()
    answers = enter(*[[f"CHAT* UNDO: {number}x"] for number in range(4_000)])
    assert answers == [Undone(None)] * 4_000
    assert time.process_time() - begun < 15
