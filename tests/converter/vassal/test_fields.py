"""Single tokens: what absent, empty and unparseable ones mean, and how values are written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.vassal.fields import Key, Kind, read_field, read_int, read_lines, write_field, write_lines

D = "default"


@pytest.mark.parametrize(
    ("kind", "absent", "empty", "bad"),
    [
        (Kind.STRING, D, "", "%%"),
        (Kind.INT, D, D, D),
        (Kind.LONG, D, D, D),
        (Kind.DOUBLE, D, D, D),
        (Kind.BOOL, D, False, False),
        (Kind.CHAR, D, D, "%"),
        (Kind.COLOUR, D, None, (0, 0, 0)),
        (Kind.KEY, D, None, Key(37, 130)),
    ],
)
def test_readers_are_not_uniform(kind: Kind, absent: Any, empty: Any, bad: Any) -> None:
    assert read_field(None, kind, D) == absent
    assert read_field("", kind, D) == empty
    assert read_field("%%", kind, D) == bad


@pytest.mark.parametrize("kind", [Kind.ARRAY, Kind.KEYS])
def test_arrays_are_empty_when_absent_or_empty(kind: Kind) -> None:
    assert read_field(None, kind) == () == read_field("", kind)


@pytest.mark.parametrize(
    ("token", "value"),
    [
        ("0", 0), ("-7", -7), ("+7", 7), ("2147483647", 2147483647), ("-2147483648", -2147483648),
        ("2147483648", None), ("-2147483649", None), ("1.5", None), ("1_0", None), (" 1", None), ("0x10", None),
        ("9" * 5000, None), ("-", None),
    ],
)  # fmt: skip
def test_whole_numbers(token: str, value: int | None) -> None:
    assert read_int(token, None) == value


def test_long_numbers_hold_milliseconds() -> None:
    assert read_field("1700000000000", Kind.LONG, 0) == 1700000000000
    assert read_field("1700000000000", Kind.INT, 0) == 0
    assert read_field("9" * 19 + "9", Kind.LONG, 0) == 0


@pytest.mark.parametrize(("token", "value"), [("0.3", 0.3), ("1.0E-5", 1e-5), ("-2", -2.0), ("1_0", D), ("x", D)])
def test_doubles(token: str, value: Any) -> None:
    assert read_field(token, Kind.DOUBLE, D) == value


@pytest.mark.parametrize("token", ["True", "TRUE", "yes", "1", " true"])
def test_only_the_exact_word_is_true(token: str) -> None:
    assert read_field("true", Kind.BOOL, False) is True
    assert read_field(token, Kind.BOOL, True) is False


@pytest.mark.parametrize(
    ("token", "value"),
    [
        ("255,0,128", (255, 0, 128)), ("1,2,3,4", (1, 2, 3, 4)), ("null", None), ("0xff8000", (255, 128, 0)),
        ("0X0000ff", (0, 0, 255)), ("0xzz", (0, 0, 0)), ("1,2", (0, 0, 0)), ("9" * 5000 + ",1,2", (0, 0, 0)),
    ],
)  # fmt: skip
def test_colours(token: str, value: Any) -> None:
    assert read_field(token, Kind.COLOUR) == value


@pytest.mark.parametrize(
    ("token", "value"),
    [
        ("A", Key(65, 130)),
        ("65,130", Key(65, 130)),
        ("57348,0,setNote", Key(57348, 0, "setNote")),
        ("x,y", None),
        ("9" * 5000 + ",0", None),
        (",", None),
    ],
)
def test_key_strokes(token: str, value: Key | None) -> None:
    assert read_field(token, Kind.KEY) == value


def test_key_lists_old_and_new() -> None:
    assert read_field("65\\,130,66\\,130", Kind.KEYS) == (Key(65, 130), Key(66, 130))
    assert read_field("AB", Kind.KEYS) == (Key(65, 130), Key(66, 130))


@pytest.mark.parametrize(
    ("text", "stored", "back"),
    [("a\nb\n\nc|d\r\n", "a|b||c\\|d", "a\nb\n\nc|d"), ("\n\nx", "||x", "\n\nx"), ("", "", "")],
)
def test_lines(text: str, stored: str, back: str) -> None:
    assert write_lines(text) == stored
    assert read_lines(stored) == back


@given(st.text(alphabet="ab|\\'\n", max_size=12))
def test_lines_come_back_but_for_one_newline(text: str) -> None:
    assert read_lines(write_lines(text)) in (text, text.removesuffix("\n"))


@given(st.lists(st.text(max_size=5), min_size=1, max_size=4))
def test_arrays_come_back(words: list[str]) -> None:
    back = read_field(write_field(tuple(words), Kind.ARRAY), Kind.ARRAY)
    assert back == (tuple(words) if words != [""] else ())


@given(st.integers(-(2**31), 2**31 - 1), st.booleans(), st.floats(allow_nan=False, allow_infinity=False))
def test_plain_values_come_back(number: int, flag: bool, real: float) -> None:
    assert read_field(write_field(number, Kind.INT), Kind.INT) == number
    assert read_field(write_field(flag, Kind.BOOL), Kind.BOOL) is flag
    assert read_field(write_field(real, Kind.DOUBLE), Kind.DOUBLE) == real


@given(st.integers(0, 65535), st.integers(0, 1023), st.text(alphabet="abc", max_size=5))
def test_keys_come_back(code: int, modifiers: int, name: str) -> None:
    key = Key(code, modifiers, name)
    assert read_field(write_field(key, Kind.KEY), Kind.KEY) == key
    assert read_field(write_field((key, key), Kind.KEYS), Kind.KEYS) == (key, key)


@given(st.text(), st.sampled_from(list(Kind)))
def test_no_token_is_too_odd(token: str, kind: Kind) -> None:
    read_field(token, kind)
