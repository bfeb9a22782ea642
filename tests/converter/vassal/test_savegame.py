"""Saves and logs as files: read, kept, and written back to the byte."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from converter.errors import BadInput
from converter.vassal import savegame, stream
from converter.vassal.archive import open_archive
from converter.vassal.metadata import Metadata
from converter.vassal.obfuscation import Form, Hidden, hide
from converter.vassal.savegame import SavedGame, new_game, read_game, write_game
from converter.vassal.stream import Element, Node

TEXT = "begin_save\x1b\x1b\\\x1b+/1/piece;;;;Inf/Main;1;2;;1;UniqueID;1\x1bend_save\x1bLOG\tCHATé"
SAVEDATA = b'<?xml version="1.0"?><data version="1"><version>2.0</version><VassalVersion>%s</VassalVersion></data>'
MODULEDATA = b'<?xml version="1.0"?><data version="1"><version>2.0</version><name>Chosin</name></data>'


def make(path: Path, **entries: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return make(
        tmp_path / "a.vlog",
        savedGame=hide(Hidden(TEXT, Form.HEX, 0x42)),
        savedata=SAVEDATA % b"3.6.1",
        moduledata=MODULEDATA,
        junk=b"kept",
    )


def test_reading_a_log(log: Path) -> None:
    game = read_game(log)
    assert len(game.stream.steps) == 1
    assert game.module_name == "Chosin"
    assert game.vassal_version == "3.6.1"
    assert not game.snaps_to_hexagons
    assert game.problems == []
    assert "Inf" not in repr(game.hidden.problems)


@pytest.mark.parametrize(("version", "hexagons"), [(b"3.7.0", True), (b"3.6.11", False), (b"3.7.0-beta1", False)])
def test_snapping_goes_by_the_version(tmp_path: Path, version: bytes, hexagons: bool) -> None:
    game = read_game(make(tmp_path / "a.vsav", savedGame=TEXT.encode(), savedata=SAVEDATA % version))
    assert game.snaps_to_hexagons is hexagons


def test_without_metadata_the_content_tells_the_age(tmp_path: Path) -> None:
    game = read_game(make(tmp_path / "a.vsav", savedGame=TEXT.encode()))
    assert (game.module_name, game.vassal_version) == ("", "")
    assert game.snaps_to_hexagons
    old = read_game(make(tmp_path / "b.vsav", savedGame=b"begin_save\x1bend_save"))
    assert not old.snaps_to_hexagons


def test_an_unchanged_game_is_written_to_the_byte(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.vlog"
    write_game(out, read_game(log))
    with open_archive(log) as before, open_archive(out) as after:
        assert set(before.names) == set(after.names)
        assert all(before.read(name) == after.read(name) for name in before.names)
        assert after.names[0] == "savedGame"


def test_a_changed_game_keeps_form_and_key(log: Path, tmp_path: Path) -> None:
    game = read_game(log)
    game.stream.elements.append(Element.of(Node("LOG\tCHATbye")))
    out = tmp_path / "out.vlog"
    write_game(out, game)
    again = read_game(out)
    assert again.hidden.text == TEXT + "\x1bLOG\tCHATbye"
    assert (again.hidden.form, again.hidden.key) == (Form.HEX, 0x42)


def test_a_new_game(tmp_path: Path) -> None:
    out = tmp_path / "new.vsav"
    write_game(out, new_game(stream.decode(TEXT), Metadata(name="Chosin", version="1.0"), "3.7.0"))
    game = read_game(out)
    assert game.hidden.text == TEXT
    assert game.hidden.form is Form.HEX
    assert (game.module_name, game.vassal_version) == ("Chosin", "3.7.0")
    assert game.snaps_to_hexagons


def test_bare_streams_and_opened_archives(tmp_path: Path) -> None:
    path = tmp_path / "old.sav"
    path.write_bytes(TEXT.encode())
    game = read_game(path)
    assert game.hidden.form is Form.PLAIN
    assert ["without its zip" in problem.what for problem in game.problems] == [True]
    with open_archive(path) as archive:
        assert read_game(archive).hidden.text == TEXT


def test_a_module_is_no_game(tmp_path: Path) -> None:
    path = make(tmp_path / "a.vmod", buildFile=b"<VASSAL.launch.BasicModule/>")
    with pytest.raises(BadInput, match="is a module, not a saved game or log"):
        read_game(path)
    path = make(tmp_path / "a.vmdx", buildFile=b"<VASSAL.build.module.ModuleExtension/>")
    with pytest.raises(BadInput, match="is an extension, not a saved game or log"):
        read_game(path)


@pytest.mark.parametrize(
    ("text", "noted"),
    [
        (TEXT, False),
        ("".join(chr(ord(letter) ^ 0x17) for letter in "begin_save"), True),
        ("LOG\tCHATa log without its opening position", True),
        ("", True),
    ],
)
def test_a_game_without_its_opening_is_noted(tmp_path: Path, text: str, noted: bool) -> None:
    game = read_game(make(tmp_path / "a.vlog", savedGame=hide(Hidden(text))))
    assert any("opening position" in problem.what for problem in game.problems) is noted


def test_bad_metadata_is_noted_and_the_game_read(tmp_path: Path) -> None:
    bomb = b'<!DOCTYPE d [<!ENTITY a "aaaa">]><data>&a;</data>'
    game = read_game(make(tmp_path / "a.vsav", savedGame=TEXT.encode(), savedata=bomb, moduledata=b"<data"))
    assert sorted(problem.where for problem in game.problems) == ["moduledata", "savedata"]
    assert game.hidden.text == TEXT


def test_a_damaged_entry_beside_the_game_is_noted(log: Path) -> None:
    data = log.read_bytes()
    at = data.index(b"junk") + 4
    log.write_bytes(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
    game = read_game(log)
    assert [problem.where for problem in game.problems] == ["junk"]
    assert game.hidden.text == TEXT


def test_a_damaged_game_is_refused_with_the_files_name(tmp_path: Path) -> None:
    path = make(tmp_path / "a.vsav", savedGame=b"!VCSK42zz")
    with pytest.raises(BadInput, match=r"a\.vsav: savedGame: byte 7"):
        read_game(path)


def test_too_much_beside_the_game_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(savegame, "MOST_BESIDE", 1000)
    path = make(tmp_path / "a.vsav", savedGame=TEXT.encode(), movie=b"x" * 700, film=b"x" * 700)
    with pytest.raises(BadInput, match="besides its saved game"):
        read_game(path)


def test_a_game_is_shown_without_its_text() -> None:
    assert "secret" not in repr(SavedGame(stream.decode(""), Hidden("secret")))
