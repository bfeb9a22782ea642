"""Zips are read as the standard library reads them: the same names and bytes, also in the big format."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from converter.errors import BadInput
from converter.vassal import archive as archive_module
from converter.vassal.archive import open_archive
from converter.vassal.zip_directory import read_directory
from converter.vassal.zip_store import ZipStore

BUILD = b'<VASSAL.build.GameModule name="Chosin" version="1"/>'
names = st.text(st.characters(codec="utf-8", exclude_characters="\0\\/"), min_size=1, max_size=20)
contents = st.one_of(st.binary(max_size=2000), st.integers(0, 3 << 20).map(lambda size: b"ab" * (size // 2)))


def store_of(data: bytes) -> ZipStore:
    stream = io.BytesIO(data)
    return ZipStore(stream, read_directory("zip", stream, len(data), 1000), "zip")


def whole(store: ZipStore, name: str, longest: int = 1 << 16) -> bytes:
    return b"".join(store.chunks(name, longest))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(files=st.dictionaries(names, st.tuples(contents, st.booleans(), st.booleans()), max_size=5), before=st.binary())
def test_the_same_as_the_standard_library(files: dict[str, tuple[bytes, bool, bool]], before: bytes) -> None:
    stream = io.BytesIO()
    stream.write(before)
    with zipfile.ZipFile(stream, "a") as archive:
        for name, (data, packed, big) in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
            with archive.open(info, "w", force_zip64=big) as entry:
                entry.write(data)
    store = store_of(stream.getvalue())
    with zipfile.ZipFile(stream) as archive:
        assert list(store.names) == archive.namelist()
        assert store.total == sum(info.file_size for info in archive.infolist())
        for name in store.names:
            assert whole(store, name) == archive.read(name)
            small = store.read_small(name)
            assert small is None or small == archive.read(name)


def test_numbers_that_stand_in_the_extra_field() -> None:
    """Size, packed size and offset are all in the extra field, as in archives beyond four gigabytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("first", b"1")
        archive.writestr("second", b"22")
    data = stream.getvalue()
    at, end = data.rindex(b"PK\x01\x02"), data.rindex(b"PK\x05\x06")
    offset = struct.unpack_from("<L", data, at + 42)[0]
    extra = struct.pack("<HH3Q", 1, 24, 2, 2, offset)
    entry = bytearray(data[at:end])
    struct.pack_into("<LL", entry, 20, 0xFFFFFFFF, 0xFFFFFFFF)
    struct.pack_into("<H", entry, 30, len(extra))
    struct.pack_into("<L", entry, 42, 0xFFFFFFFF)
    tail = bytearray(data[end:])
    struct.pack_into("<L", tail, 12, struct.unpack_from("<L", tail, 12)[0] + len(extra))
    store = store_of(data[:at] + bytes(entry) + extra + bytes(tail))
    assert store.read_small("second") == whole(store, "second") == b"22"
    assert store.total == 3


@pytest.mark.parametrize("longest", [1, 7, 1 << 20])
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_however_long_the_chunks(longest: int, method: int) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        archive.writestr("a", bytes(range(256)) * 40)
        archive.writestr("none", b"")
    store = store_of(stream.getvalue())
    assert whole(store, "a", longest) == bytes(range(256)) * 40
    assert whole(store, "none", longest) == b""
    assert all(len(chunk) <= longest for chunk in store.chunks("a", longest))


def test_a_file_too_large_to_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.vmod"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("buildFile.xml", BUILD)
        archive.writestr("images/a.png", b"picture")
    monkeypatch.setattr(archive_module, "WHOLE", 10)
    with open_archive(path) as opened:
        assert opened.image("a.png") == b"picture"
        assert opened.read("buildFile.xml") == BUILD


def test_a_directory_that_is_broken() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a", b"1")
    data = stream.getvalue()
    for old, new in ((b"PK\x01\x02", b"PK\x01\x03"), (b"PK\x01\x02\x14\x03\x14", b"PK\x01\x02\x14\x03\xff")):
        broken = data.replace(old, new)
        assert broken != data
        with pytest.raises((zipfile.BadZipFile, BadInput)):
            store_of(broken)
