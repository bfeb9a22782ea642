"""Every kind of image file comes in as plain RGB, and what is no image is said in one line."""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from drawn_grids import Recipe, draw, error
from PIL import Image

from converter.errors import BadInput
from converter.scan.lattice import NoGrid, find_lattice
from converter.scan.picture import read_picture

RECIPE = Recipe(3, width=700, height=520, dx=39, dy=45, opacity=0.8, art="texture", grain=1, jpeg=None)


@pytest.fixture(scope="module")
def sheet() -> Image.Image:
    return Image.fromarray(draw(RECIPE)[0])


def is_found(path: Path, width: int = 700, height: int = 520) -> bool:
    """The grid drawn by RECIPE is found in the file, to half a hundredth of a hex."""
    picture = read_picture(path)
    assert (picture.width, picture.height) == (width, height)
    found = find_lattice(picture)
    truth = draw(RECIPE)[1]
    return error(truth.centres(width, height), found.centres(width, height), 39, width, height) < 0.005


def test_16_bit(sheet: Image.Image, tmp_path: Path) -> None:
    deep = np.asarray(sheet.convert("L")).astype(np.uint16) * 257
    Image.fromarray(deep).save(tmp_path / "deep.png")
    assert is_found(tmp_path / "deep.png")


def test_12_bits_in_16(sheet: Image.Image, tmp_path: Path) -> None:
    Image.fromarray(np.asarray(sheet.convert("L")).astype(np.uint16) * 16).save(tmp_path / "deep.tif")
    assert is_found(tmp_path / "deep.tif")
    assert read_picture(tmp_path / "deep.tif").grey().max() > 128


def test_1_bit(tmp_path: Path) -> None:
    plain, _ = draw(replace(RECIPE, opacity=0.9, art="gradient", grain=0))
    Image.fromarray(plain).convert("L").point(lambda v: 255 if v > 90 else 0).convert("1").save(tmp_path / "bit.png")
    assert is_found(tmp_path / "bit.png")


def test_cmyk(sheet: Image.Image, tmp_path: Path) -> None:
    sheet.convert("CMYK").save(tmp_path / "print.jpg", quality=95)
    assert is_found(tmp_path / "print.jpg")


def test_palette_gif(sheet: Image.Image, tmp_path: Path) -> None:
    sheet.quantize(64).save(tmp_path / "board.gif")
    assert is_found(tmp_path / "board.gif")


@pytest.mark.parametrize("ink", [0, 255])
def test_grid_alone_on_a_transparent_sheet(ink: int, tmp_path: Path) -> None:
    lines, _ = draw(replace(RECIPE, opacity=1, art="gradient", grain=0, blur=0))
    alpha = (lines[..., 0] < 90).astype(np.uint8) * 255
    rgba = np.dstack([np.full((520, 700, 3), ink, np.uint8), alpha])
    Image.fromarray(rgba, "RGBA").save(tmp_path / "overlay.png")
    assert is_found(tmp_path / "overlay.png")


def test_camera_rotation(sheet: Image.Image, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # "turn me a quarter clockwise to see me upright"
    sheet.rotate(90, expand=True).save(tmp_path / "photo.jpg", exif=exif, quality=95)
    assert is_found(tmp_path / "photo.jpg")


def test_one_pixel(tmp_path: Path) -> None:
    Image.new("RGB", (1, 1)).save(tmp_path / "dot.png")
    with pytest.raises(NoGrid, match="1 x 1 pixels is too small"):
        find_lattice(read_picture(tmp_path / "dot.png"))


@pytest.mark.parametrize("size", [(59, 900), (60, 60), (64, 4000), (301, 77), (100, 9000), (9000, 200)])
def test_odd_shapes_are_refused_without_a_crash(size: tuple[int, int], tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (*size, 3), np.uint8)
    Image.fromarray(noise).save(tmp_path / "strip.png")
    with pytest.raises(NoGrid):
        find_lattice(read_picture(tmp_path / "strip.png"))


@pytest.mark.parametrize("content", [b"", b"hello", b"GIF89a", b"\x89PNG\r\n\x1a\n", b"PK\x03\x04" + bytes(50)])
def test_not_an_image(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "map.png").write_bytes(content)
    with pytest.raises(BadInput, match=r"map\.png: (not an image|the image is damaged)"):
        read_picture(tmp_path / "map.png")


def test_cut_off(sheet: Image.Image, tmp_path: Path) -> None:
    sheet.save(tmp_path / "whole.png")
    (tmp_path / "part.png").write_bytes((tmp_path / "whole.png").read_bytes()[:5000])
    with pytest.raises(BadInput, match="damaged"):
        read_picture(tmp_path / "part.png")


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        read_picture(tmp_path / "none.png")
    with pytest.raises(BadInput, match="not a file"):
        read_picture(tmp_path)


@pytest.mark.parametrize(("width", "height"), [(60_000, 60_000), (14_000, 13_000), (40_000, 10)])
def test_bomb(width: int, height: int, tmp_path: Path) -> None:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    body = zlib.compress(bytes(100_000))
    (tmp_path / "bomb.png").write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
    )
    with pytest.raises(BadInput, match="too large"):
        read_picture(tmp_path / "bomb.png")
