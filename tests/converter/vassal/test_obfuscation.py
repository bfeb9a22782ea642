"""The forms in which a game's text is hidden."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.errors import BadInput
from converter.vassal import obfuscation
from converter.vassal.obfuscation import Form, Hidden, hide, unhide


def hex_form(text: bytes, key: int) -> bytes:
    return b"!VCSK" + bytes([key]).hex().encode() + bytes(byte ^ key for byte in text).hex().encode()


@pytest.mark.parametrize("key", [0x00, 0x42, 0xFF])
def test_hex_with_every_kind_of_key(key: int) -> None:
    data = hex_form("begin_save\x1bé".encode(), key)
    hidden = unhide(data)
    assert (hidden.text, hidden.form, hidden.key, hidden.problems) == ("begin_save\x1bé", Form.HEX, key, ())
    assert hide(hidden) == data


def test_the_worked_examples() -> None:
    assert unhide(b"!VCSK422027252b2c1d31233427").text == "begin_save"
    assert unhide(bytes.fromhex("56 4f 42 53 42 20 27 25 2b 2c 1d 31 23 34 27")).text == "begin_save"
    assert unhide(b"!VCSK4281eb").text == "é"


def test_capital_digits_stay_capital() -> None:
    data = b"!VCSK" + hex_form(b"begin_save", 0xAB)[5:].upper()
    hidden = unhide(data)
    assert hidden.text == "begin_save"
    assert hide(hidden) == data


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"!VCSK42202", "odd number of hex digits"),
        (b"!VCSK4", "odd number of hex digits"),
        (b"!VCSK", "hex digits"),
        (b"!VCSK4220zz", "byte 9 is not a hex digit"),
        (b"!VCSKxx20", "byte 5 is not a hex digit"),
        (b"!VCSK4220 0", "byte 9 is not a hex digit"),
        (b"!VCSK42 20 ", "byte 7 is not a hex digit"),
        (b"!VCSK42\xff\xff", "byte 7 is not a hex digit"),
        (b"VOBS", "the key is missing"),
    ],
)
def test_damage_is_told_with_its_place(data: bytes, said: str) -> None:
    with pytest.raises(BadInput, match=said) as caught:
        unhide(data)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", [1, 255, 0])
def test_raw_form(key: int) -> None:
    data = b"VOBS" + bytes([key]) + bytes(byte ^ key for byte in b"begin_save")
    hidden = unhide(data)
    assert (hidden.text, hidden.form, hidden.key) == ("begin_save", Form.RAW, key)
    assert hide(hidden) == data


@pytest.mark.parametrize("text", ["", "b", "be", "beg", "begi", "begin_save\x1bend_save", "!VCS", "VOB"])
def test_plain_text_however_short(text: str) -> None:
    hidden = unhide(text.encode())
    assert (hidden.text, hidden.form) == (text, Form.PLAIN)
    assert hide(hidden) == text.encode()


@pytest.mark.parametrize("wbits", [zlib.MAX_WBITS, -zlib.MAX_WBITS])
def test_deflated_form_is_read_in_both_wrappings(wbits: int) -> None:
    machine = zlib.compressobj(9, zlib.DEFLATED, wbits)
    packed = machine.compress(b"begin_save") + machine.flush()
    data = b"!VCSZ" + hex_form(packed, 7)[5:]
    assert unhide(data).text == "begin_save"


def test_deflated_form_of_nothing_sensible_is_refused() -> None:
    with pytest.raises(BadInput, match="!VCSZ"):
        unhide(b"!VCSZ422027252b2c1d31233427")


def test_deflated_form_may_not_grow_without_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obfuscation, "LARGEST_TEXT", 1000)
    data = b"!VCSZ00" + zlib.compress(b"a" * 5000).hex().encode()
    with pytest.raises(BadInput, match="larger than 1000 bytes"):
        unhide(data)


@pytest.mark.parametrize(("payload", "text"), [(b"Gr\xf6\xdfe", "Größe"), (b"\x81\xff", "\x81ÿ")])
def test_what_is_not_utf8_is_read_with_a_warning_and_comes_back(payload: bytes, text: str) -> None:
    data = hex_form(payload, 0x42)
    hidden = unhide(data)
    assert hidden.text == text
    assert [problem.where for problem in hidden.problems] == ["savedGame"]
    assert hide(hidden) == data


@given(st.text(), st.sampled_from(list(Form)), st.integers(0, 255))
def test_hiding_comes_back(text: str, form: Form, key: int) -> None:
    if form is Form.PLAIN and text.encode().startswith((b"!VCS", b"VOBS")):
        return
    hidden = unhide(hide(Hidden(text, form, key)))
    assert (hidden.text, hidden.form) == (text, form)


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for start in (b"", b"!VCSK42", b"!VCSZ42", b"VOBS"):
        try:
            hidden = unhide(start + data)
        except BadInput:
            continue
        if hidden.form in (Form.PLAIN, Form.RAW):
            assert hide(hidden) == start + data


def test_a_new_game_gets_a_key_of_its_own() -> None:
    assert len({Hidden("").key for _ in range(200)}) > 20
