"""Writing containers: whole or not at all, always the same bytes, in the form VASSAL reads."""

from __future__ import annotations

import os
import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from converter.errors import BadInput
from converter.vassal.archive import open_archive
from converter.vassal.archive_writing import write_archive


def test_game_entries_are_in_vassals_order(tmp_path: Path) -> None:
    path = tmp_path / "g.vsav"
    write_archive(path, {"moduledata": b"m", "extra": b"e", "savedata": b"s", "savedGame": b"g"})
    with zipfile.ZipFile(path) as written:
        assert written.namelist() == ["savedGame", "savedata", "moduledata", "extra"]
        for info in written.infolist():
            assert info.compress_type == zipfile.ZIP_DEFLATED
            assert not info.flag_bits & 0x8  # no data descriptor
    with open_archive(path) as archive:
        assert archive.kind == "game"
        assert archive.read("savedata") == b"s"
        assert not archive.problems


def test_module_entries_keep_their_order(tmp_path: Path) -> None:
    entries = [("moduledata", b"m"), ("buildFile.xml", b"<x/>"), ("images/Größe.png", b"p")]
    write_archive(tmp_path / "m.vmod", entries)
    with zipfile.ZipFile(tmp_path / "m.vmod") as written:
        assert [(name, written.read(name)) for name in written.namelist()] == entries


def test_same_content_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_archive(tmp_path / name, {"buildFile": b"x" * 5000})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    write_archive(tmp_path / "c", {"buildFile": b"x"}, datetime(2020, 5, 17, 12, 30, 20))
    with zipfile.ZipFile(tmp_path / "c") as written:
        assert written.infolist()[0].date_time == (2020, 5, 17, 12, 30, 20)


def test_a_failure_leaves_the_old_file_and_no_rest(tmp_path: Path) -> None:
    path = tmp_path / "m.vmod"
    path.write_bytes(b"old")
    with pytest.raises(TypeError):
        write_archive(path, [("buildFile", b"x"), ("bad", None)])  # type: ignore[list-item]
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["m.vmod"]
    with pytest.raises(BadInput, match="cannot be written"):
        write_archive(tmp_path / "none" / "m.vmod", {"buildFile": b"x"})


@pytest.mark.parametrize("names", [["a", "a"], ["../a"], ["/a"], ["a\\b"], ["a/../b"], [""]])
def test_unfit_entries_are_our_mistake(tmp_path: Path, names: list[str]) -> None:
    with pytest.raises(ValueError):
        write_archive(tmp_path / "m.vmod", [(name, b"") for name in names])


def test_others_may_read_what_was_written(tmp_path: Path) -> None:
    write_archive(tmp_path / "m.vmod", {"buildFile": b"x"})
    (tmp_path / "plain").write_bytes(b"")
    assert (tmp_path / "m.vmod").stat().st_mode == (tmp_path / "plain").stat().st_mode
