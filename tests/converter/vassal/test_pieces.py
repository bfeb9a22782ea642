"""Trait chains: cut in one pass, always as the engine cuts them link by link."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.errors import BadInput
from converter.vassal import sequence
from converter.vassal.pieces import MOST_TRAITS, TAB, Piece, kind_of, roll, type_links, unroll, unroll_states

LINK = st.text(alphabet="ab\t\t\\\\''", max_size=6)
RAW = st.text(alphabet="ab\t\t\t\\\\\\'", max_size=24)


def unroll_slowly(text: str) -> list[str]:
    """The engine's own way with types: the first token is a link, the second the rest of the chain."""
    links = []
    while True:
        tokens = sequence.decode(text, TAB)
        links.append(tokens[0])
        if len(tokens) == 1:
            return links
        text = tokens[1]


def unroll_states_slowly(text: str, length: int) -> list[str]:
    """The engine's own way with states: each trait takes a token, and the basic piece what is left."""
    links: list[str] = []
    while len(links) < length - 1:
        tokens = sequence.decode(text, TAB)
        links.append(tokens[0])
        if len(tokens) == 1:
            return links
        text = tokens[1]
    return [*links, text]


@given(RAW)
def test_any_text_is_unrolled_as_the_engine_does(text: str) -> None:
    assert unroll(text) == unroll_slowly(text)


@given(RAW, st.integers(1, 6))
def test_any_state_is_unrolled_as_the_engine_does(text: str, length: int) -> None:
    assert list(unroll_states(text, length)) == unroll_states_slowly(text, length)


@given(st.lists(LINK, min_size=1, max_size=8))
def test_chains_are_unrolled_as_the_engine_does(links: list[str]) -> None:
    for encode in (sequence.encode, sequence.encode_safe, sequence.encode_old):
        text = roll(links, encode)
        assert unroll(text) == unroll_slowly(text)
        assert list(unroll_states(text, len(links))) == unroll_states_slowly(text, len(links))


@given(st.lists(LINK, min_size=1, max_size=8))
def test_states_come_back(links: list[str]) -> None:
    assert list(unroll_states(roll(links), len(links))) == links


@given(st.lists(st.text(alphabet="ab;\\'", max_size=6), max_size=8), st.integers(60, 80))
def test_long_chains_come_back(links: list[str], padding: int) -> None:
    chain = [*links, *["x"] * padding, "piece;;;;Inf"]
    assert unroll(roll(chain)) == chain == unroll_slowly(roll(chain))


def test_empty_links() -> None:
    assert roll(["", "", "", "m"]) == "\t\\\t\\\\\tm"
    assert unroll("\t\\\t\\\\\tm") == ["", "", "", "m"]


def test_quoted_links() -> None:
    text = "z\t'\\y'\\\t'\\x'\\\\\tm"
    assert unroll(text) == ["z", "\\y", "\\x", "m"]
    assert roll(["z", "\\y", "\\x", "m"]) == text


def test_a_tab_inside_a_link_stays_there() -> None:
    chain = ["placemark;;;+/null/mark;a\tpiece;;;;b/c\td", "piece;;;;Inf"]
    assert unroll(roll(chain)) == chain


def test_a_tab_in_the_innermost_state_stays_there() -> None:
    piece = Piece("mark;Side\tpiece;;;;Inf", roll(["Red", "Map;1;2;;1;Note;a\tb"]))
    assert piece.basic.state["properties"] == ("Note", "a\tb")


def test_as_many_traits_as_allowed() -> None:
    chain = ["a"] * (MOST_TRAITS - 1) + ["piece;;;;Inf"]
    assert unroll(roll(chain)) == chain
    with pytest.raises(BadInput, match="more than 2000 traits"):
        unroll(roll(["a"] * (MOST_TRAITS + 100)))
    with pytest.raises(BadInput, match="more than 2000 traits"):
        unroll(roll(["it's"] * (MOST_TRAITS + 100)))


@pytest.mark.parametrize(
    "text",
    [
        "\\" * 10_000_000,
        "'" + "\\" * 10_000_000 + "'",
        "\t" * 100_000,
        "a\\\t" * 100_000,
        "'\t" * 100_000,
        roll(["it's"] * 1_000) + "x" * 5_000_000,
        "'" * 1_000_000 + "\t" + "'" * 1_000_000,
    ],
    ids=["backslashes", "quoted backslashes", "tabs", "escaped tabs", "quotes and tabs", "deep and long", "quotes"],
)
def test_hostile_chains_take_no_time(text: str) -> None:
    begun = time.process_time()
    unroll(text)
    unroll_states(text, 3)
    assert time.process_time() - begun < 10


def test_piece_of_the_format_description() -> None:
    layer = (
        "emb2;;128;A;;128;;;128;;;;1;false;0;0;a.png,b.png,c.png;Full,Reduced,+ (remnant);true;Step;;;false;;1;1;true"
        ";;;;;1.0;;true"
    )
    piece = Piece(
        layer + "\tmark;Side,Strength\\\tPROP;Note;false,0,100,false;;\\\\\tpiece;;;inf.png;1st Inf",
        "2\tRed,4-3-6\\\ta/b;c\\\\\tMain Map;108;96;17;1;UniqueID;1700000000001",
    )
    assert [trait.id for trait in piece.traits] == ["emb2", "mark", "PROP", "piece"]
    assert piece.traits[0]["layer"] == "Step"
    assert piece.traits[0].state["level"] == 2
    assert piece.traits[1].state["values"] == ("Red", "4-3-6")
    assert piece.traits[2].state["value"] == "a/b;c"
    basic = piece.basic.state
    assert (basic["map"], basic["x"], basic["y"], basic["gpid"]) == ("Main Map", 108, 96, "17")
    assert basic["properties"] == ("UniqueID", "1700000000001")
    assert piece.kind == "piece"


def test_states_too_few_are_empty_and_too_many_are_left_out() -> None:
    few = Piece("mark;Side\tmark;Other\\\tpiece;;;;Inf", "Red")
    assert [trait.state_text for trait in few.traits] == ["Red", "", ""]
    many = Piece("piece;;;;Inf", "Map;0;0\tmore")
    assert len(many.traits) == 1


@pytest.mark.parametrize(
    ("text", "kind"),
    [("stack", "stack"), ("deck;true", "deck"), ("mark;x\tpiece;;;;a", "piece"), ("x\ty", "y"), ("", "")],
)
def test_kinds(text: str, kind: str) -> None:
    assert kind_of(text) == kind


def test_links_are_remembered() -> None:
    text = "mark;Side\tpiece;;;;Inf"
    assert type_links(text) is type_links(text) == ("mark;Side", "piece;;;;Inf")
