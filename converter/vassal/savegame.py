"""Saves and logs as files: read into a command stream with everything around it, and written back.

What was not changed comes back to the byte: the command text in its old form and key, the metadata as it was.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from converter.errors import BadInput, Problem
from converter.vassal import metadata as meta
from converter.vassal import stream as streams
from converter.vassal.archive import Archive, open_archive
from converter.vassal.archive_writing import archive_bytes, write_archive
from converter.vassal.metadata import Metadata
from converter.vassal.obfuscation import Hidden, hide, unhide
from converter.vassal.stream import Stream

SAVED_GAME = "savedGame"
OPENING = "begin_save"
NO_OPENING = "does not begin with an opening position: damaged, or hidden with another key"
_AN = {"module": "a module", "extension": "an extension"}
MOST_BESIDE = 64 << 20
"""Bytes in an archive besides its game: more is no save or log."""


@dataclass
class SavedGame:
    """A save or a log. `savedata` tells of the engine that wrote it, `moduledata` of the module it belongs to."""

    stream: Stream
    hidden: Hidden = field(repr=False, default_factory=lambda: Hidden(""))
    savedata: Metadata | None = None
    moduledata: Metadata | None = None
    entries: dict[str, bytes] = field(repr=False, default_factory=dict)
    """The archive's other entries, kept for writing."""
    problems: list[Problem] = field(default_factory=list)

    @property
    def module_name(self) -> str:
        """The module this game was played in, as far as the file says."""
        return (self.moduledata.name if self.moduledata else None) or ""

    @property
    def vassal_version(self) -> str:
        """The engine that wrote the file; empty where the file does not say."""
        return (self.savedata.vassal_version if self.savedata else None) or ""

    @property
    def snaps_to_hexagons(self) -> bool:
        """Engines from 3.7 on snap to hexagons, earlier ones to rectangles."""
        if self.vassal_version:
            return meta.version_key(self.vassal_version) >= meta.version_key("3.7.0")
        return "UniqueID;" in self.hidden.text


def read_game(source: str | Path | Archive) -> SavedGame:
    """Read a save or log: .vsav, .vlog, old .sav and .log, bare streams, or an opened archive."""
    if isinstance(source, Archive):
        return _read(source)
    with open_archive(source) as archive:
        return _read(archive)


def write_game(path: str | Path, game: SavedGame) -> None:
    """Write a save or log that the engine opens; an unchanged game keeps its text, key and metadata."""
    write_archive(path, _entries(game))


def game_bytes(game: SavedGame) -> bytes:
    """The same as bytes: a set-up that goes into a module."""
    return archive_bytes(_entries(game))


def _entries(game: SavedGame) -> dict[str, bytes]:
    hidden = replace(game.hidden, text=streams.encode(game.stream))
    entries = dict(game.entries)
    for name, data in (("savedata", game.savedata), ("moduledata", game.moduledata)):
        if data is not None and name not in entries:
            entries[name] = meta.encode(data)
    return {SAVED_GAME: hide(hidden), **entries}


def new_game(stream: Stream, module: Metadata, vassal_version: str) -> SavedGame:
    """A fresh save or log for a module; it is hidden the way every engine reads."""
    now = int(time.time() * 1000)
    savedata = Metadata(version=module.version, vassal_version=vassal_version, date_saved=now)
    return SavedGame(stream, Hidden(""), savedata, module)


def _read(archive: Archive) -> SavedGame:
    if archive.kind != "game":
        raise BadInput(f"{archive.label}: is {_AN[archive.kind]}, not a saved game or log")
    try:
        hidden = unhide(archive.read(SAVED_GAME))
        stream = streams.decode(hidden.text)
    except BadInput as error:
        raise BadInput(f"{archive.label}: {str(error).removeprefix(f'{archive.label}: ')}") from None
    problems = [*archive.problems, *hidden.problems]
    if not hidden.text.startswith(OPENING):
        problems.append(Problem(SAVED_GAME, NO_OPENING))
    entries: dict[str, bytes] = {}
    beside = 0
    data: dict[str, Metadata] = {}
    for name in archive.names:
        if name == SAVED_GAME:
            continue
        try:
            entries[name] = archive.read(name, MOST_BESIDE - beside + 1)
            if name in ("savedata", "moduledata"):
                data[name] = meta.decode(entries[name], name)
        except BadInput as error:
            problems.append(Problem(name, str(error)))
        beside += len(entries.get(name, b""))
        if beside > MOST_BESIDE:
            raise BadInput(f"{archive.label}: holds more than {MOST_BESIDE >> 20} MiB besides its saved game")
    return SavedGame(stream, hidden, data.get("savedata"), data.get("moduledata"), entries, problems)
