"""Dice in a log, from chat lines, properties and symbols."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from converter.vassal import commands
from converter.vassal.dice import DiceButton, Face, Roll, SymbolDie, parse_roll
from referee.table.dice import default_roll, rolls, shape
from referee.table.events import Rolled

LINE = "CHAT*** 2d6 = 3,5 *** &lt;Ann&gt;"
SHOWN = "*** 2d6 = 3,5 *** <Ann>"


def module(*buttons: DiceButton) -> Any:
    """As much of a module as dice need."""
    return SimpleNamespace(dice=buttons, parse_roll=lambda line: parse_roll(buttons, line))


def read(*texts: str, buttons: tuple[DiceButton, ...] | None = None) -> list[Rolled]:
    return rolls([commands.parse(text) for text in texts], None if buttons is None else module(*buttons))


def test_a_chat_line_alone() -> None:
    assert read(LINE) == [Rolled((3, 5), 6, SHOWN, "2d6", 8)]


def test_properties_count_and_the_line_tells_how_it_read() -> None:
    both = (LINE, "MutableProperty\t2d6_result\t1,1\t3,5\tModule", "MutableProperty\t2d6_total\t2\t8\tModule")
    assert read(*both) == [Rolled((3, 5), 6, SHOWN, "2d6", 8)]
    assert read(*both[1:]) == [Rolled((3, 5), 6, "3,5", "2d6", 8)]


def test_properties_that_only_look_like_a_roll() -> None:
    assert read("MutableProperty\tfirst_result\t1\t2\tModule") == []
    assert read("MutableProperty\tfirst_result\t1\t2\tModule", buttons=(DiceButton("dice", "first", 1, 6),)) == [
        Rolled((2,), 6, "2", "first", 2)
    ]


def test_a_total_of_several_dice_does_not_tell_the_dice() -> None:
    assert read("CHAT*** 2d6 = 8 *** &lt;Ann&gt;") == [Rolled((), 6, "*** 2d6 = 8 *** <Ann>", "2d6", 8)]
    assert read("MutableProperty\t2d6_result\t\t8\tModule", "MutableProperty\t2d6_total\t\t8\tModule") == [
        Rolled((), 6, "8", "2d6", 8)
    ]


def test_symbols_are_told_by_their_faces() -> None:
    die = SymbolDie("d", (Face("miss", 0, ""), Face("hit", 1, "")))
    button = DiceButton("symbols", "Battle", 2, 0, dice=(die, die))
    assert read("SHOW_RESULTS\tBattle\t1\t0", buttons=(button,)) == [Rolled((), None, "hit, miss", "Battle")]
    assert read("SHOW_RESULTS\tBattle\t1\t9\t0\t-1", buttons=(button,))[0].text == "hit, 9, 0, -1"
    assert read("SHOW_RESULTS\tBattle\t4\t5") == [Rolled((4, 5), None, "4, 5", "Battle")]


def test_typed_text_is_no_roll() -> None:
    assert read("CHAT&lt;Ann&gt; - *** 2d6 = 3,5 *** &lt;Ann&gt;") == []


@pytest.mark.parametrize(
    ("line", "roll"),
    [
        ("*** Morale = 7 *** <Ann>", Roll("Morale", (7,), 7, None)),
        ("*** 3d6 = 1, 2, 3 *** <>", Roll("3d6", (1, 2, 3), 6, 6)),
        ("*** 2d6 = 3,5", None),
        ("*** 2d6 = x *** <Ann>", None),
        ("*** 2d6 = " + "9" * 600 + " *** <Ann>", None),
    ],
)
def test_default_form(line: str, roll: Roll | None) -> None:
    assert default_roll(line) == roll


@pytest.mark.parametrize(
    ("name", "expected"),
    [("2d6", (2, 6)), ("Attack 3 D 10", (3, 10)), ("Odds", (None, None)), ("9999999d99999999", (None, None))],
)
def test_shapes(name: str, expected: tuple[int | None, int | None]) -> None:
    assert shape(name) == expected


@pytest.mark.parametrize("text", ["*** " + " " * 400 + "= 1 *** <", "*" * 499, "*** a = " + "1," * 240])
def test_hostile_lines_take_no_time(text: str) -> None:
    begun = time.process_time()
    default_roll(text)
    assert time.process_time() - begun < 2


def test_hostile_properties_take_no_time() -> None:
    begun = time.process_time()
    blank = " " * 200_000
    read(
        f"MutableProperty\t{blank}_result\t\t{'1' * 100_000}\tModule", f"MutableProperty\t{blank}_total\t\t{'9' * 5000}"
    )
    read(
        *[f"MutableProperty\t{n}_result\t\t1\tModule" for n in range(5000)],
        *[LINE.replace("2d6", f"x{n}") for n in range(5000)],
    )
    assert time.process_time() - begun < 10
