"""Dice: what the chat says was rolled, for the formats modules use and for none."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from converter.vassal.dice import DiceButton, Face, Roll, SymbolDie, parse_roll, read_dice_button

TWO = DiceButton("dice", "2d6")
TOTAL = DiceButton(
    "dice", "Total", count=3, report_total=True, add_to_total=2, report_format="$name$ by $PlayerName$: $result$"
)


@pytest.mark.parametrize(
    ("button", "line", "roll"),
    [
        (TWO, "*** 2d6 = 4,5 *** <Ann>", Roll("2d6", (4, 5), 9, 6)),  # as VASSAL 3.6 logged it
        (TWO, "*** 2d6 = 4,5 *** &lt;Ann &lt;x&gt;&gt;", Roll("2d6", (4, 5), 9, 6)),
        (TWO, "*** 1d6 = 4 *** <Ann>", None),
        (TWO, "*** 2d6 = four *** <Ann>", None),
        (TWO, "<Ann> - *** 2d6 = 6,6 *** <Ann>", None),
        (TOTAL, "* Total by Ann: 11", Roll("Total", (), 11, 6)),  # as VASSAL 3.6 logged it
        (DiceButton("dice", "d10", 1, 10, report_total=True), "*** d10 = 7 *** <B>", Roll("d10", (7,), 7, 10)),
        (
            DiceButton("dice", "Any", report_format="$PlayerSide$ rolls $nDice$d$nSides$+$plus$: $result$ ($summary$)"),
            "* Red rolls 3d8+0: 1,2,8 (all sorts)",
            Roll("Any", (1, 2, 8), 11, 8),
        ),
        (
            DiceButton("text", "Sky", 1, 3, faces=("Clear", "Clear, cold", "Storm"), report_format="$name$: $result$"),
            "* Sky: Clear, cold",
            Roll("Sky", ("Clear, cold",), None, 3),
        ),
        (
            DiceButton("text", "Chit", 2, 3, faces=("1", "3", "5"), report_format="! $result$"),
            "* ! 3,5",
            Roll("Chit", (3, 5), 8, 3),
        ),
        (
            DiceButton(
                "symbols", "Fire", 2, report_format="** $name$ = [$result1$] [$result2$] ($numericalTotal$) ***",
                dice=(SymbolDie("a", (Face("hit", 1), Face("miss", 0))), SymbolDie("b", (Face("boom", 5),))),
            ),
            "*** Fire = [miss] [boom] (5) ***",
            Roll("Fire", ("miss", "boom"), 5, None),
        ),
        (DiceButton("dice", "code", report_format='{"rolled " + result}'), "* rolled 3", None),
        (DiceButton("dice", "silent", report_format=""), "* ", None),
    ],
)  # fmt: skip
def test_lines(button: DiceButton, line: str, roll: Roll | None) -> None:
    assert button.parse(line) == roll


def test_the_usual_form_without_a_button() -> None:
    assert parse_roll([TOTAL], "*** 3d6 = 1,2,3 *** &lt;Bob&gt;") == Roll("3d6", (1, 2, 3), 6)
    assert parse_roll([], "** Old = 5 *** <Bob>") == Roll("Old", (5,), 5)
    assert parse_roll([], "*** Chit = [blue] *** <Bob>") == Roll("Chit", ("blue",), None)
    for line in ("", "* Inf moves 0101 -> 0102", "*** no result ***", "- system", "&lt;Bob&gt; - *** 2d6 = 12 ***"):
        assert parse_roll([TWO, TOTAL], line) is None


def test_the_more_exact_reading_comes_first() -> None:
    assert parse_roll([TOTAL, TWO], "*** 2d6 = 4,5 *** <Ann>") == Roll("2d6", (4, 5), 9, 6)


@given(
    st.lists(st.integers(-99, 99), min_size=1, max_size=9),
    st.text(st.characters(exclude_characters="$\\'"), max_size=12),
)
def test_whatever_the_engine_would_write_is_read(dice: list[int], player: str) -> None:
    line = f"*** 2d6 = {','.join(map(str, dice))} *** <{player}>"
    assert TWO.parse(line) == Roll("2d6", tuple(dice), sum(dice), 6)


def test_hostile_formats_and_lines_are_quick() -> None:
    started = time.process_time()
    for report_format in ("$a$$b$$c$x" * 60 + "$result$", "$result$,$result$" * 50, "$PlayerName$ $result1$" * 40):
        button = DiceButton("dice", "bad", report_format=report_format)
        for line in ("*" + "x " * 1900, "* " + "1,1," * 900, "*" + "x1,x" * 900):
            button.parse(line)
    faces = DiceButton("text", "bad", faces=("a", "a,a", "a,a,a"), report_format="$result$!")
    faces.parse("* " + "a," * 1500)
    assert time.process_time() - started < 2


def test_read_from_the_build_file() -> None:
    plain = etree.fromstring('<VASSAL.build.module.DiceButton label="d6" nDice="1" nSides="x" reportTotal="true"/>')
    assert read_dice_button(plain) == DiceButton("dice", "d6", 1, 6, report_total=True)
    text = etree.fromstring(
        '<VASSAL.build.module.RandomTextButton name="W" nDice="1" faces="Mud,Ice\\, deep" reportFormat="$result$"/>'
    )
    assert read_dice_button(text) == DiceButton("text", "W", 1, 2, faces=("Mud", "Ice, deep"), report_format="$result$")
    symbols = etree.fromstring(
        '<VASSAL.build.module.SpecialDiceButton name="S" resultChatter="false">'
        '<VASSAL.build.module.SpecialDie name="one">'
        '<VASSAL.build.module.SpecialDieFace text="hit" value="2" icon="h.png"/></VASSAL.build.module.SpecialDie>'
        "</VASSAL.build.module.SpecialDiceButton>"
    )
    die = SymbolDie("one", (Face("hit", 2, "h.png"),))
    assert read_dice_button(symbols) == DiceButton("symbols", "S", 1, dice=(die,), report_format="")
