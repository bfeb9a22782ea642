"""Passwords stay inside."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.vassal.game import Player
from referee.table.privacy import Blotter

ANN, BOB = Player("annpw", "Ann", "Red"), Player("b.o(b", "Bob", "Blue")


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("annpw", "Ann"),
        ("* <annpw> - annpw's stack", "* <Ann> - Ann's stack"),
        ("annpwx xannpw", "annpwx xannpw"),
        ("annpw_result", "Ann_result"),
        ("b.o(b and bxo(b", "Bob and bxo(b"),
        ("", ""),
    ],
)
def test_texts(text: str, clean: str) -> None:
    assert Blotter([ANN, BOB]).text(text) == clean


def test_values_of_every_shape() -> None:
    value = {"annpw": ["annpw", ("x annpw", 3)], "n": None, "t": True}
    assert Blotter([ANN]).clean(value) == {"Ann": ["Ann", ["x Ann", 3]], "n": None, "t": True}


def test_the_longer_of_two_passwords_goes_first() -> None:
    blotter = Blotter([Player("secret", "Ann", ""), Player("secret-two", "Bob", "")])
    assert blotter.text("secret-two secret") == "Bob Ann"


def test_a_player_without_a_name() -> None:
    assert Blotter([Player("annpw", "", "Red")]).text("annpw") == "(player)"


def test_short_ids_are_words_and_nobody_blots_nothing() -> None:
    assert Blotter([Player("a", "Ann", "")]).text("a hill") == "a hill"
    assert Blotter([]).clean({"a": "annpw"}) == {"a": "annpw"}


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("zq", "Ann"),
        ("<zq> - zq and 7 go", "<Ann> - zq and 7 go"),
        ("*** 2d6 = 7,7 *** <7>", "*** 2d6 = 7,7 *** <Bob>"),
        ("7", "7"),
        ("zqx <zqx>", "zqx <zqx>"),
        ("annpw <zq>", "Eve <Ann>"),
    ],
)
def test_short_ids_go_where_they_name_somebody(text: str, clean: str) -> None:
    blotter = Blotter([Player("zq", "Ann", ""), Player("7", "Bob", ""), Player("annpw", "Eve", "")])
    assert blotter.text(text) == clean
    assert blotter.clean({"speaker": text}) == {"speaker": clean}


def test_players_do_not_show_their_secret() -> None:
    assert "annpw" not in repr(ANN)


@given(st.text(min_size=3, max_size=8), st.text(max_size=5), st.text(max_size=5))
def test_a_password_by_itself_never_stays(secret: str, before: str, after: str) -> None:
    cleaned = Blotter([Player(secret, "?", "")]).text(f"{before} {secret} {after}")
    assert f" {secret} " not in cleaned or secret == "?"
