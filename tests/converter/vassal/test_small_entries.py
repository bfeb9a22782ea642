"""Small entries are read in one go: the same bytes as by the stream, and every lie of their headers is told."""

from __future__ import annotations

import struct
import zipfile
import zlib
from pathlib import Path

import pytest

from converter.errors import BadInput
from converter.vassal import zip_store
from converter.vassal.archive import Limits, open_archive
from converter.vassal.zip_store import SMALL

NAME = "images/1.png"
DATA = bytes(range(256)) * 8
BUILD = b'<VASSAL.build.GameModule name="Chosin" version="1"/>'
METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]
# Where a field stands in an entry's own header and in the zip's directory, and how it is written.
FLAGS, METHOD, CRC, PACKED, SIZE = (6, 8, "<H"), (8, 10, "<H"), (14, 16, "<L"), (18, 20, "<L"), (22, 24, "<L")
OFFSET = 42  # in the directory: where the entry begins


def make(path: Path, data: bytes = DATA, method: int = zipfile.ZIP_DEFLATED, name: str = NAME) -> Path:
    with zipfile.ZipFile(path, "w", method) as made:
        made.writestr("buildFile.xml", BUILD)
        made.writestr(name, data)
    return path


def lie(path: Path, field: tuple[int, int, str], value: int) -> None:
    """Write another value into both headers of the picture."""
    data = bytearray(path.read_bytes())
    entry = data.rindex(NAME.encode()) - 46
    own = struct.unpack_from("<L", data, entry + OFFSET)[0]
    struct.pack_into(field[2], data, own + field[0], value)
    struct.pack_into(field[2], data, entry + field[1], value)
    path.write_bytes(data)


def refusal(path: Path) -> str:
    with open_archive(path) as archive, pytest.raises(BadInput) as caught:
        archive.read(NAME)
    message = str(caught.value)
    assert "\n" not in message
    assert NAME in message
    return message


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("size", [0, 1, len(DATA), SMALL, SMALL + 1])
def test_it_is_what_was_packed(tmp_path: Path, size: int, method: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = (DATA * (size // len(DATA) + 1))[:size]
    path = make(tmp_path / "a.vmod", data, method)
    with open_archive(path) as archive:
        assert (archive._store.read_small(NAME) is None) == (size > SMALL)
        assert archive.read(NAME) == data
    monkeypatch.setattr(zip_store, "SMALL", -1)  # by the stream
    with open_archive(path) as archive:
        assert archive._store.read_small(NAME) is None
        assert archive.read(NAME) == data


@pytest.mark.parametrize("name", ["images/강 3사단.png", "images/a b.png", "images/" + "long" * 50 + ".png"])
def test_names_of_every_kind(name: str, tmp_path: Path) -> None:
    with open_archive(make(tmp_path / "a.vmod", name=name)) as archive:
        assert archive._store.read_small(name) == DATA


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("field", "value"),
    [(CRC, 12345), (SIZE, 0), (SIZE, 100), (SIZE, len(DATA) + 1), (PACKED, 0), (PACKED, 5), (PACKED, SMALL - 1)],
)
def test_wrong_sizes_and_sums_are_damage(field: tuple[int, int, str], value: int, method: int, tmp_path: Path) -> None:
    path = make(tmp_path / "a.vmod", method=method)
    if method == zipfile.ZIP_DEFLATED and (field, value) == (PACKED, SMALL - 1):
        value = 20  # more than the stream needs does no harm; less does
    lie(path, field, value)
    assert "is damaged" in refusal(path)


def test_a_bomb_that_says_it_is_small_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make(tmp_path / "a.vmod", bytes(50 << 20))
    lie(path, SIZE, 100)
    unpacked: list[int] = []
    crc32 = zlib.crc32

    def seen(data: bytes, *start: int) -> int:
        unpacked.append(len(data))
        return crc32(data, *start)

    monkeypatch.setattr(zlib, "crc32", seen)
    assert "is damaged" in refusal(path)
    assert max(unpacked) <= 100


def test_a_small_entry_may_be_packed_tightly(tmp_path: Path) -> None:
    with open_archive(make(tmp_path / "a.vmod", bytes(SMALL))) as archive:
        assert archive._store.read_small(NAME) == bytes(SMALL)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(entry_bytes=1000), "is bigger than 1000 bytes"),
        (Limits(ratio=10, ratio_from=1000), "packed too tightly"),
    ],
)
def test_narrow_limits_hold_for_small_entries(limits: Limits, words: str, tmp_path: Path) -> None:
    path = make(tmp_path / "a.vmod", bytes(20_000))
    with open_archive(path, limits) as archive, pytest.raises(BadInput, match=words):
        archive.read(NAME)


def test_small_entries_count_against_the_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.vmod"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("buildFile.xml", BUILD)
        for i in range(9):
            made.writestr(f"images/{i}.png", DATA)
    with open_archive(path, Limits(total_bytes=10 * len(DATA))) as archive:
        for name in archive.names:
            archive.read(name)
            archive.read(name)  # an entry counts once
        archive._meter.limits = Limits(total_bytes=8 * len(DATA))
        with pytest.raises(BadInput, match="in all"):
            archive.read(NAME)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [(FLAGS, 1, "encrypted"), (METHOD, 12, "unknown packing method 12"), (METHOD, 99, "unknown packing method 99")],
)
def test_what_cannot_be_unpacked_is_told(field: tuple[int, int, str], value: int, words: str, tmp_path: Path) -> None:
    path = make(tmp_path / "a.vmod")
    lie(path, field, value)
    assert words in refusal(path)


def test_a_broken_stream_is_damage(tmp_path: Path) -> None:
    path = make(tmp_path / "a.vmod")
    data = bytearray(path.read_bytes())
    at = data.index(NAME.encode()) + len(NAME)
    data[at : at + 20] = b"\xff" * 20
    path.write_bytes(data)
    assert "is damaged" in refusal(path)


def test_the_two_headers_must_name_one_entry(tmp_path: Path) -> None:
    path = make(tmp_path / "a.vmod")
    data = path.read_bytes()
    path.write_bytes(data.replace(NAME.encode(), b"images/2.png", 1))  # the entry's own header comes first
    assert "is damaged" in refusal(path)


@pytest.mark.parametrize("offset", [5, 1 << 20])
def test_an_entry_that_begins_elsewhere_is_damage(offset: int, tmp_path: Path) -> None:
    path = make(tmp_path / "a.vmod")
    data = bytearray(path.read_bytes())
    struct.pack_into("<L", data, data.rindex(NAME.encode()) - 46 + OFFSET, offset)
    path.write_bytes(data)
    assert "is damaged" in refusal(path)
