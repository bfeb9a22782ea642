"""Picture sizes read from headers, against pictures drawn here."""

from __future__ import annotations

import io
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from converter.vassal.image_size import image_size


def drawn(form: str, **options: object) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (321, 123), "red").save(stream, form, **options)
    return stream.getvalue()


@pytest.mark.parametrize("form", ["PNG", "GIF", "JPEG", "BMP"])
def test_drawn_pictures(form: str) -> None:
    data = drawn(form)
    assert image_size(data) == (321, 123)
    for length in range(0, 40):
        assert image_size(data[:length]) in (None, (321, 123))


def test_jpeg_with_a_long_profile_in_front() -> None:
    assert image_size(drawn("JPEG", icc_profile=bytes(200_000), progressive=True)) == (321, 123)


def test_animated_gif_has_the_size_of_its_first_frame() -> None:
    stream = io.BytesIO()
    frames = [Image.new("P", (40, 30), colour) for colour in (1, 2)]
    frames[0].save(stream, "GIF", save_all=True, append_images=frames[1:], loop=0)
    data = bytearray(stream.getvalue())
    data[6:10] = struct.pack("<HH", 100, 100)  # a larger canvas
    assert image_size(bytes(data)) == (40, 30)


@pytest.mark.parametrize(
    ("svg", "size"),
    [
        ('<svg width="100" height="50"/>', (100, 50)),
        ("<?xml version=\"1.0\"?><!-- x --><svg:svg xmlns=\"x\" height='2in' width='25.4mm'>", (96, 192)),
        ('<svg viewBox="0 0 640.4 480.6">', (640, 481)),
        ('<svg width="100%" height="100%" viewBox="-5,-5,30,20">', (30, 20)),
        ('<svg width="100" height="5em"/>', None),
        ("<svg>", None),
        ("<html>", None),
    ],
)
def test_svg(svg: str, size: tuple[int, int] | None) -> None:
    assert image_size(svg.encode()) == size


@given(st.sampled_from([b"\x89PNG\r\n\x1a\n", b"GIF89a", b"\xff\xd8", b"BM", b"<svg "]), st.binary(max_size=200))
def test_noise_is_no_error(start: bytes, rest: bytes) -> None:
    size = image_size(start + rest)
    assert size is None or min(size) > 0


def test_endless_jpeg_padding_is_quick() -> None:
    assert image_size(b"\xff\xd8" + b"\xff" * 5_000_000) is None
