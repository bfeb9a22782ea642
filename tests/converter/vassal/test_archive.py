"""Opening containers: every kind there is, and everything hostile we could think of."""

from __future__ import annotations

import io
import os
import struct
import time
import zipfile
from pathlib import Path

import pytest

from converter.errors import BadInput
from converter.vassal.archive import Archive, Limits, open_archive, safe_file_name

BUILD = b'<?xml version="1.0"?><VASSAL.build.GameModule name="Chosin" version="1"/>'


def make_zip(path: Path, *entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return path


def patch(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new))


def refusal(path: Path, limits: Limits | None = None) -> str:
    """The one line that a bad file is refused with."""
    with pytest.raises(BadInput) as caught:
        open_archive(path, limits)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("entries", "kind"),
    [
        ({"savedGame": b"x"}, "game"),
        ({"savedGame": b"x", "buildFile": BUILD}, "game"),
        ({"buildFile.xml": BUILD, "moduledata": b""}, "module"),
        ({"buildFile": BUILD}, "module"),
        ({"buildFile.xml": BUILD, "moduledata": b"", "extensiondata": b""}, "extension"),
        ({"buildFile": b"<VASSAL.build.module.ModuleExtension/>"}, "extension"),
    ],
)
def test_kind_is_decided_by_content(tmp_path: Path, entries: dict[str, bytes], kind: str) -> None:
    with open_archive(make_zip(tmp_path / "without ending", *entries.items())) as archive:
        assert archive.kind == kind


@pytest.mark.parametrize("start", [b"begin_save\x1b", b"!VCSK42", b"VOBS\x01"])
def test_bare_stream_is_a_game(tmp_path: Path, start: bytes) -> None:
    path = tmp_path / "old.sav"
    path.write_bytes(start + b"rest")
    with open_archive(path) as archive:
        assert archive.kind == "game"
        assert archive.read("savedGame") == archive.read("savedGame") == start + b"rest"
        assert archive.read("savedGame", 4) == start[:4]
        assert archive.problems


def test_the_first_saved_game_wins(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = make_zip(
            tmp_path / "a.vsav", ("savedGame", b"first"), ("x", b"1"), ("savedGame", b"second"), ("x", b"2")
        )
    with open_archive(path) as archive:
        assert archive.read("savedGame") == b"first"
        assert archive.read("x") == b"2"
        assert len(archive.problems) == 2


def test_images_are_found_as_vassal_finds_them(tmp_path: Path) -> None:
    names = ("images/inf.png", "images/tank.gif", "images/Gro\u0308\u00dfe.png", "images\\deep\\a.png")
    path = make_zip(tmp_path / "m.vmod", ("buildFile", BUILD), *((name, name.encode()) for name in names))
    with open_archive(path) as archive:
        assert archive.image("inf.png") == b"images/inf.png"
        assert archive.find_image("tank") == "images/tank.gif"
        assert archive.find_image("Gr\u00f6\u00dfe.png") == "images/Gro\u0308\u00dfe.png"
        assert archive.find_image("deep/a.png") == archive.find_image("deep\\a.png") == "images/deep/a.png"
        for stranger in ("/images/inf.png", "../buildFile", "", "..\\..\\etc\\passwd", "none.png"):
            assert archive.image(stranger) is None


def test_names_of_old_java_are_utf8(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "m.vmod", ("buildFile", BUILD), ("images/\u6771\u4eac.png", b"x"))
    data = bytearray(path.read_bytes())
    for start, flags_at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.rfind(start)
        data[at + flags_at : at + flags_at + 2] = b"\0\0"
    path.write_bytes(data)
    with open_archive(path) as archive:
        assert archive.image("\u6771\u4eac.png") == b"x"


def test_a_folder_is_a_module(tmp_path: Path) -> None:
    outside = tmp_path / "secret"
    outside.write_bytes(b"secret")
    root = tmp_path / "module"
    (root / "images").mkdir(parents=True)
    (root / "buildFile.xml").write_bytes(BUILD)
    (root / "images" / "a.png").write_bytes(b"a")
    (root / "images" / "inside.png").symlink_to(root / "images" / "a.png")
    (root / "images" / "outside.png").symlink_to(outside)
    (root / "loop").symlink_to(root)
    (root / "up").symlink_to(tmp_path)
    os.mkfifo(root / "pipe")
    with open_archive(root) as archive:
        assert archive.kind == "module"
        assert archive.image("a.png") == archive.image("inside.png") == b"a"
        assert set(archive.names) == {"buildFile.xml", "images/a.png", "images/inside.png"}
        with pytest.raises(BadInput, match="no entry"):
            archive.read("../secret")


def test_plain_refusals(tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "missing.vmod")
    assert "no buildFile" in refusal(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert "not a file" in refusal(tmp_path / "pipe")
    path = tmp_path / "a.vmod"
    for content, message in [
        (b"", "is empty"),
        (b"hello", "not a VASSAL file"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "not a VASSAL file"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "Git LFS"),
        (b"PK\x03\x04" + bytes(100), "cut off"),
    ]:
        path.write_bytes(content)
        assert message in refusal(path)
    assert "neither a savedGame nor a buildFile" in refusal(make_zip(path, ("readme.txt", b"hello")))
    assert "neither" in refusal(make_zip(path))


def test_data_before_and_after_is_told(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "m.vmod", ("buildFile", BUILD))
    path.write_bytes(b"junk" + path.read_bytes() + b"more")
    with open_archive(path) as archive:
        assert archive.read("buildFile") == BUILD
        assert [problem.what for problem in archive.problems] == [
            "4 bytes stand before the zip",
            "4 bytes stand after the zip",
        ]


def test_damaged_entries_are_refused_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "m.vmod"

    def message(entry: str) -> str:
        with open_archive(path) as archive, pytest.raises(BadInput) as caught:
            archive.read(entry)
        return str(caught.value)

    make_zip(path, ("buildFile", BUILD), ("moduledata", b"all is well"), method=zipfile.ZIP_STORED)
    patch(path, b"all is well", b"all is evil")
    assert "CRC" in message("moduledata")
    with open_archive(path) as archive:
        assert archive.read("buildFile") == BUILD

    make_zip(path, ("buildFile", BUILD), ("moduledata", b""))
    data = bytearray(path.read_bytes())
    at = data.find(b"PK\x01\x02")
    data[at + 8] |= 1
    path.write_bytes(data)
    assert "encrypted" in message("buildFile")

    data[at + 8] &= ~1
    data[at + 10 : at + 12] = struct.pack("<H", 99)
    path.write_bytes(data)
    assert "unknown packing method 99" in message("buildFile")


def test_bombs(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "m.vmod", ("buildFile", BUILD), ("moduledata", b""), ("bomb", bytes(50 << 20)))
    started = time.process_time()
    with open_archive(path) as archive, pytest.raises(BadInput, match="zip bomb"):
        archive.read("bomb")
    assert time.process_time() - started < 2
    # A tight entry below a mebibyte is fine, for blank areas pack like that.
    make_zip(path, ("buildFile", BUILD), ("moduledata", b""), ("blank", bytes(1000_000)))
    with open_archive(path) as archive:
        assert len(archive.read("blank")) == 1000_000
    with open_archive(path, Limits(entry_bytes=1000)) as archive, pytest.raises(BadInput, match="bigger than 1000"):
        archive.read("blank")
    assert "in all" in refusal(path, Limits(total_bytes=1000_000))


def test_header_sizes_are_not_trusted(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "m.vmod", ("buildFile", BUILD), ("moduledata", b""), ("big", bytes(900_000)))
    size = struct.pack("<L", 900_000)
    for claim in (10, 0x7FFFFFF0):
        lying = tmp_path / f"lying{claim}.vmod"
        lying.write_bytes(path.read_bytes().replace(size, struct.pack("<L", claim)))
        with pytest.raises(BadInput), open_archive(lying) as archive:
            archive.read("big")


def test_the_total_counts_each_entry_once_and_nested_saves_too(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("savedGame", bytes(range(256)) * 20)
    path = make_zip(tmp_path / "m.vmod", ("buildFile", BUILD), ("moduledata", b""), ("start.vsav", inner.getvalue()))
    with open_archive(path, Limits(total_bytes=6000)) as archive:
        for _ in range(100):
            archive.read("start.vsav")
        with archive.open_nested("start.vsav") as nested:
            assert nested.kind == "game"
            assert len(nested.read("savedGame")) == 5120
            with pytest.raises(BadInput, match="within a save"):
                nested.open_nested("savedGame")
    with open_archive(path, Limits(total_bytes=2000)) as archive, pytest.raises(BadInput, match="in all"):
        archive.open_nested("start.vsav")


def crowd(entries: int, claim: int) -> bytes:
    """A zip whose directory names one empty entry over and over."""
    local = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 0, 0, 0, 0, 0, 0, 1, 0) + b"a"
    listed = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    directory = listed * entries
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, claim, claim, len(directory), len(local), 0)
    return local + directory + end


@pytest.mark.parametrize("claim", [1, 0xFFFF])
def test_too_many_entries(tmp_path: Path, claim: int) -> None:
    path = tmp_path / "crowd.vmod"
    path.write_bytes(crowd(100_001, claim))
    started = time.process_time()
    assert "more than 100000 entries" in refusal(path)
    assert time.process_time() - started < 1
    path.write_bytes(crowd(5_000_000 // 47, claim) + crowd(3_000_000, claim))
    assert "more than 100000 entries" in refusal(path)


def test_cut_anywhere_it_is_refused(tmp_path: Path) -> None:
    whole = make_zip(tmp_path / "m.vmod", ("buildFile", BUILD), ("images/a.png", os.urandom(3000))).read_bytes()
    path = tmp_path / "cut.vmod"
    for length in range(0, len(whole), 20):
        path.write_bytes(whole[:length])
        refusal(path)


def test_noise_never_escapes_as_another_error(tmp_path: Path) -> None:
    whole = make_zip(tmp_path / "m.vmod", ("buildFile", BUILD), ("moduledata", b""), ("x", b"y" * 50)).read_bytes()
    path = tmp_path / "noisy.vmod"
    for at in range(len(whole)):
        for value in (0x00, 0xFF, whole[at] ^ 0x10):
            path.write_bytes(whole[:at] + bytes([value]) + whole[at + 1 :])
            try:
                with open_archive(path) as archive:
                    assert isinstance(archive, Archive)
                    for name in archive.names:
                        archive.read(name)
            except BadInput as error:
                assert "\n" not in str(error)  # noqa: PT017 - either outcome is right, a traceback is not


@pytest.mark.parametrize("name", ["", ".", "..", "a/", "a/..", "con.txt", "LPT1", "a:b", "a\0b", "a\nb", "x/nul"])
def test_unfit_file_names(name: str) -> None:
    with pytest.raises(BadInput):
        safe_file_name(name)


@pytest.mark.parametrize(
    ("name", "safe"), [("images/a.png", "a.png"), ("..\\..\\a", "a"), ("/etc/x y", "x y"), ("C:\\b", "b")]
)
def test_fit_file_names(name: str, safe: str) -> None:
    assert safe_file_name(name) == safe


def test_every_game_of_the_corpus_opens(shared: Path) -> None:
    folders = [shared / "corpus" / "saves", shared / "corpus" / "logs", shared / "corpus" / "logs" / "longest-day"]
    paths = [path for folder in folders if folder.is_dir() for path in folder.iterdir() if path.is_file()]
    if not paths:
        pytest.skip("no corpus of saves and logs")
    for path in paths:
        with open_archive(path) as archive:
            assert archive.kind == "game", path.name
            assert archive.read("savedGame")
