r"""How a save hides its text: plain, `!VCSK` (hex and XOR), `VOBS` (raw XOR) or `!VCSZ` (deflated first).

A rewrite keeps the form and the key it was read in, so an unchanged game gives the same bytes again.

>>> hidden = unhide(b"!VCSK422027252b2c1d31233427")
>>> hidden.text
'begin_save'
>>> hide(hidden) == b"!VCSK422027252b2c1d31233427"
True
>>> hide(Hidden("begin_save", Form.RAW, 0x42))[:5]
b'VOBSB'
"""

from __future__ import annotations

import binascii
import os
import zlib
from dataclasses import dataclass, field
from enum import Enum

from converter.errors import BadInput, Problem

LARGEST_TEXT = 128 << 20
"""Bytes that a deflated stream may grow to."""

SAMPLE = 4096
"""Hex digits that are looked at to tell capitals from small letters."""


class Form(Enum):
    """The shapes a `savedGame` comes in, named by their first bytes."""

    PLAIN = b""
    HEX = b"!VCSK"
    DEFLATED = b"!VCSZ"
    RAW = b"VOBS"


@dataclass(frozen=True)
class Hidden:
    """A game's text together with how it was hidden. `charset` is utf-8 but for files other tools wrote wrongly."""

    text: str
    form: Form = Form.HEX
    key: int = field(default_factory=lambda: os.urandom(1)[0])
    charset: str = "utf-8"
    uppercase: bool = False
    """Hex digits were in capitals, as early engines wrote them."""
    problems: tuple[Problem, ...] = ()


def unhide(data: bytes) -> Hidden:
    """Read the bytes of a `savedGame`, whatever their form."""
    if data.startswith(Form.HEX.value) or data.startswith(Form.DEFLATED.value):
        form = Form.HEX if data.startswith(Form.HEX.value) else Form.DEFLATED
        key = _unhex(data[5:7], 5, "the key")[0]
        payload = _xor(_unhex(memoryview(data)[7:], 7, "the text"), key)
        if form is Form.DEFLATED:
            payload = _inflate(payload)
        return _decoded(payload, form, key, uppercase=data[7 : 7 + SAMPLE].isupper())
    if data.startswith(Form.RAW.value):
        if len(data) < 5:
            raise BadInput("savedGame is cut off after VOBS: the key is missing")
        return _decoded(_xor(data[5:], data[4]), Form.RAW, data[4])
    return _decoded(data, Form.PLAIN, 0)


def hide(hidden: Hidden) -> bytes:
    """Write a game's text in the form it was read in."""
    payload = hidden.text.encode(hidden.charset, "surrogateescape")
    if hidden.form is Form.PLAIN:
        return payload
    if hidden.form is Form.RAW:
        return Form.RAW.value + bytes([hidden.key]) + _xor(payload, hidden.key)
    if hidden.form is Form.DEFLATED:
        payload = zlib.compress(payload, 9)
    mark: bytes = hidden.form.value
    digits = f"{hidden.key:02x}{_xor(payload, hidden.key).hex()}"
    return mark + (digits.upper() if hidden.uppercase else digits).encode("ascii")


def _xor(data: bytes, key: int) -> bytes:
    return data.translate(bytes(byte ^ key for byte in range(256))) if key else data


def _unhex(digits: bytes | memoryview, offset: int, what: str) -> bytes:
    if len(digits) % 2 or (not digits and what == "the key"):
        raise BadInput(f"savedGame: odd number of hex digits in {what} after byte {offset}: cut off or damaged")
    try:
        return binascii.unhexlify(digits)
    except ValueError:
        bad = next(i for i, byte in enumerate(digits) if byte not in b"0123456789abcdefABCDEF")
        raise BadInput(f"savedGame: byte {offset + bad} is not a hex digit in {what}") from None


def _inflate(payload: bytes) -> bytes:
    for wbits in (zlib.MAX_WBITS, -zlib.MAX_WBITS):
        machine = zlib.decompressobj(wbits)
        try:
            text = machine.decompress(payload, LARGEST_TEXT)
        except zlib.error:
            continue
        if machine.unconsumed_tail:
            raise BadInput(f"savedGame: the deflated text is larger than {LARGEST_TEXT} bytes")
        if machine.eof:
            return text
    raise BadInput("savedGame: unsupported obfuscation !VCSZ (not deflated data after the key)")


def _decoded(payload: bytes, form: Form, key: int, uppercase: bool = False) -> Hidden:
    try:
        return Hidden(payload.decode("utf-8"), form, key, "utf-8", uppercase)
    except UnicodeDecodeError as error:
        problem = Problem("savedGame", f"byte {error.start} is not UTF-8; read as Windows-1252")
        try:
            return Hidden(payload.decode("cp1252"), form, key, "cp1252", uppercase, (problem,))
        except UnicodeDecodeError:
            return Hidden(payload.decode("latin-1"), form, key, "latin-1", uppercase, (problem,))
