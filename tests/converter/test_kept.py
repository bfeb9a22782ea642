"""Data read once and kept: what is kept is used while the file is the same, and never longer."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from converter.kept import kept


class Reader:
    """Reads a file as a list of lines, and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, path: Path) -> Any:
        self.times += 1
        return path.read_text("utf-8").split()


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "compiled"))
    path = tmp_path / "facts.yaml"
    path.write_text("a b", "utf-8")
    return path


def place(file: Path) -> Path:
    return next((file.parent / "compiled").rglob("facts.yaml.*"))


def test_a_file_is_read_once(file: Path) -> None:
    read = Reader()
    assert kept(file, read) == kept(file, read) == ["a", "b"]
    assert read.times == 1


@pytest.mark.parametrize("text", ["c d", "c d e"])
def test_a_changed_file_is_read_again(file: Path, text: str) -> None:
    read = Reader()
    kept(file, read)
    then = file.stat().st_mtime_ns
    file.write_text(text, "utf-8")
    if text == "c d":  # as long as before: only its date tells
        os.utime(file, ns=(then + 1_000_000_000, then + 1_000_000_000))
    assert kept(file, read) == text.split()


@pytest.mark.parametrize("rubbish", [b"", b"no marshal", b"i\x01\x00\x00\x00", b"\xe9\x00\x00\x00\x00"])
def test_what_is_kept_may_be_damaged(file: Path, rubbish: bytes) -> None:
    read = Reader()
    kept(file, read)
    place(file).write_bytes(rubbish)
    assert kept(file, read) == ["a", "b"]
    assert kept(file, read) == ["a", "b"]
    assert read.times == 2


def test_nothing_is_written_where_python_may_not(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert kept(file, Reader()) == ["a", "b"]
    assert not (file.parent / "compiled").exists()


def test_a_place_that_cannot_be_written_does_no_harm(file: Path) -> None:
    (file.parent / "compiled").write_text("in the way", "utf-8")
    assert kept(file, Reader()) == ["a", "b"]
