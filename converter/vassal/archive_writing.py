"""Writing a module or a game: all of it or nothing, the same bytes for the same content, in the form VASSAL reads."""

from __future__ import annotations

import io
import os
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import IO, TypeAlias

from converter.errors import BadInput

GAME_ORDER = ("savedGame", "savedata", "moduledata")
Entries: TypeAlias = Mapping[str, bytes] | Iterable[tuple[str, bytes]]
FIXED_DATE = (1980, 1, 1, 0, 0, 0)


def write_archive(
    path: str | Path,
    entries: Entries,
    date: datetime | None = None,
) -> None:
    """Write the entries as a zip at `path`, through a temporary file beside it so that nothing half-written remains.

    A game's entries are put in the order VASSAL writes and reads them. Without a `date` every entry gets the same fixed
    one, so equal content gives equal bytes.
    """
    path = Path(path)
    temporary: str | None = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
        with os.fdopen(handle, "w+b") as stream:
            _fill(stream, entries, date)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException as error:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        if isinstance(error, OSError):
            raise BadInput(f"{path}: cannot be written ({error.strerror or error})") from error
        raise


def archive_bytes(entries: Mapping[str, bytes]) -> bytes:
    """The same as bytes: a game that goes into a module."""
    stream = io.BytesIO()
    _fill(stream, entries, None)
    return stream.getvalue()


def _fill(stream: IO[bytes], entries: Entries, date: datetime | None) -> None:
    listed = list(entries.items() if isinstance(entries, Mapping) else entries)
    names = [name for name, _ in listed]
    if len(set(names)) != len(names):
        raise ValueError("an entry is given twice")
    if any(not name or name.startswith("/") or "\\" in name or ".." in name.split("/") for name in names):
        raise ValueError("an entry's name would lead out of the archive")
    if GAME_ORDER[0] in names:
        listed.sort(key=lambda entry: GAME_ORDER.index(entry[0]) if entry[0] in GAME_ORDER else len(GAME_ORDER))
    stamp = FIXED_DATE if date is None else date.timetuple()[:6]
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in listed:
            info = zipfile.ZipInfo(name, stamp)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)


def _umask() -> int:
    current = os.umask(0o077)
    os.umask(current)
    return current
