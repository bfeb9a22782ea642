"""Turn trackers: their states, as the real engine wrote them, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from converter.vassal.turn_tracker import (
    LevelState,
    TurnLevel,
    TurnState,
    TurnTracker,
    decode_state,
    encode_state,
    read_turn_tracker,
    readings,
    start_state,
    turn_text,
)

PHASES = TurnLevel("list", "Phase", "Phase", entries=("Movement", "Combat, mutual", "Supply"))
TRACKER = TurnTracker("TurnTracker0", "Turn", (TurnLevel("counter", "Turn", "TurnNo", start=3, levels=(PHASES,)),))


@pytest.mark.parametrize(
    ("state", "shown", "text"),
    [  # states and texts that VASSAL 3.6 logged for this tracker
        (r"0|3;0;false;-1;0\;0\;0\;true,true,true", [("TurnNo", "3"), ("Phase", "Movement")], "3 Movement  "),
        (
            r"0|3;0;false;-1;1\;0\;0\;true,true,true",
            [("TurnNo", "3"), ("Phase", "Combat, mutual")],
            "3 Combat, mutual  ",
        ),
        (r"0|4;0;false;-1;2\;0\;0\;true,true,true", [("TurnNo", "4"), ("Phase", "Supply")], "4 Supply  "),
    ],
)
def test_states_of_the_engine(state: str, shown: list[tuple[str, str]], text: str) -> None:
    decoded = decode_state(TRACKER, state)
    assert readings(TRACKER, decoded) == shown
    assert turn_text(TRACKER, decoded) == text
    assert encode_state(TRACKER, decoded) == state


def test_a_new_game() -> None:
    assert encode_state(TRACKER, start_state(TRACKER)) == r"0|3;0;false;-1;0\;0\;0\;true,true,true"


def test_missing_tokens_take_the_engines_defaults() -> None:
    state = decode_state(TRACKER, "")
    assert state == TurnState(0, (LevelState(3, levels=(LevelState(1, active=(False,) * 3),)),))
    assert decode_state(TRACKER, "x|y;;;;") == state
    assert readings(TRACKER, decode_state(TRACKER, "7|3")) == []
    assert readings(TRACKER, decode_state(TRACKER, r"0|3;0;false;-1;99\;0\;0\;true")) == [
        ("TurnNo", "3"),
        ("Phase", ""),
    ]


def test_formats_may_name_properties() -> None:
    level = TurnLevel("counter", "Day", "", turn_format="Day $value$, $Weather$")
    tracker = TurnTracker("TurnTracker0", "Turn", (level,), turn_format="$level1$!")
    state = start_state(tracker)
    assert readings(tracker, state) == [("Day", "1")]
    assert turn_text(tracker, state, {"Weather": "snow"}) == "Day 1, snow!"


def test_read_from_the_build_file() -> None:
    element = etree.fromstring(
        """<VASSAL.build.module.turn.TurnTracker name="Turn" turnFormat="$level1$" reportFormat="now $newTurn$">
        <VASSAL.build.module.turn.CounterTurnLevel name="T" property="TurnNo" start="5" incr="2" loop="true"
          loopLimit="9">
        <VASSAL.build.module.turn.ListTurnLevel property="Phase" list="A,B\\,C" turnFormat="[$value$]"/>
        </VASSAL.build.module.turn.CounterTurnLevel>
        <VASSAL.build.module.turn.TurnGlobalHotkey/><own.Level/>
        </VASSAL.build.module.turn.TurnTracker>"""
    )
    phase = TurnLevel("list", "", "Phase", "[$value$]", entries=("A", "B,C"))
    turn = TurnLevel("counter", "T", "TurnNo", start=5, increment=2, loop=True, loop_limit=9, levels=(phase,))
    assert read_turn_tracker(element, 1) == TurnTracker("TurnTracker1", "Turn", (turn,), "$level1$", "now $newTurn$")


numbers = st.integers(-(2**31), 2**31 - 1)
kinds = st.sampled_from(["counter", "list"])
entries = st.sampled_from([(), ("a",), ("a", "b")])
levels = st.recursive(
    st.builds(TurnLevel, kinds, st.just("L"), st.just("p"), entries=entries),
    lambda inner: st.builds(
        TurnLevel, kinds, st.just("L"), st.just("p"), entries=entries, levels=st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=6,
)


def states_of(level: TurnLevel) -> st.SearchStrategy[LevelState]:
    inner = st.tuples(*(states_of(child) for child in level.levels))
    if level.kind == "counter":
        return st.builds(LevelState, numbers, numbers, st.booleans(), numbers, levels=inner)
    active = st.tuples(*(st.booleans() for _ in level.entries))
    return st.builds(LevelState, numbers, numbers, first=numbers, active=active, levels=inner)


@given(st.data(), st.lists(levels, max_size=3).map(tuple))
def test_round_trip(data: st.DataObject, top: tuple[TurnLevel, ...]) -> None:
    tracker = TurnTracker("TurnTracker0", "Turn", top)
    state = TurnState(data.draw(numbers), data.draw(st.tuples(*(states_of(level) for level in top))))
    assert decode_state(tracker, encode_state(tracker, state)) == state


@given(st.text(max_size=60), st.lists(levels, max_size=2).map(tuple))
def test_any_text_is_a_state(text: str, top: tuple[TurnLevel, ...]) -> None:
    tracker = TurnTracker("TurnTracker0", "Turn", top)
    state = decode_state(tracker, text)
    readings(tracker, state)
    assert decode_state(tracker, encode_state(tracker, state)) == state
