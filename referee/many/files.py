"""Which files there are to look at: folders are walked, archives unpacked, and nothing is left out without a word."""

from __future__ import annotations

import re
import shutil
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from converter.errors import BadInput

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
MOST_FILES = 200_000
MOST_BYTES = 64 << 30
BIGGEST = 512 << 20
"""An archive may unpack to that much in all, and no log in it is bigger than that."""


@dataclass(frozen=True)
class Found:
    """A file to account for. `shown` is what reports call it; `why` is set where it cannot even be looked at."""

    path: str
    shown: str
    why: str = ""


def is_many(path: str | Path) -> bool:
    """Is it a folder or an archive of logs, rather than a log?

    >>> is_many("league.tar.gz"), is_many("game.vlog")
    (True, False)
    """
    return Path(path).is_dir() or str(path).lower().endswith(ARCHIVES)


def find_files(paths: Sequence[str | Path], unpack_into: Path) -> list[Found]:
    """Every file of the folders, archives and single files, in a fixed order."""
    found: list[Found] = []
    for missing in (path for path in map(Path, paths) if not path.exists()):
        raise BadInput(f"{missing}: there is no such file or folder")
    for number, path in enumerate(map(Path, paths)):
        if path.is_dir():
            found += _walk(path, str(path))
        elif str(path).lower().endswith(ARCHIVES):
            folder = unpack_into / str(number)
            folder.mkdir(parents=True)
            broken = list(_unpack(path, folder))
            found += [*_walk(folder, str(path)), *broken]
        else:
            found.append(Found(str(path), str(path)))
    if not found:
        raise BadInput(f"{', '.join(map(str, paths))}: there are no files")
    if len(found) > MOST_FILES:
        raise BadInput(f"{len(found)} files are more than {MOST_FILES}; take the folders one by one")
    return found


def in_order(name: str) -> list[tuple[int, str]]:
    """For sorting: numbers in names count as numbers.

    >>> sorted(["game 10.vlog", "game 9.vlog"], key=in_order)
    ['game 9.vlog', 'game 10.vlog']
    """
    return [(int(part), "") if part.isdigit() else (-1, part.lower()) for part in re.split(r"(\d{1,15})", name) if part]


def _walk(folder: Path, shown: str) -> list[Found]:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    names = sorted(((path.relative_to(folder).as_posix(), path) for path in files), key=lambda item: in_order(item[0]))
    return [Found(str(path), f"{shown}/{name}") for name, path in names if not _inside_module(path, folder)]


def _inside_module(path: Path, top: Path) -> bool:
    """Files of an unpacked module are no logs."""
    return any(
        (above / name).is_file()
        for above in path.parents
        if above.is_relative_to(top)
        for name in ("buildFile.xml", "buildFile")
    )


def _unpack(archive: Path, folder: Path) -> Iterator[Found]:
    """Unpack the plain files of an archive; what is not unpacked is told with the reason."""
    import tarfile  # slow to load, and seldom needed

    try:
        if zipfile.is_zipfile(archive):
            yield from _unpack_zip(archive, folder)
        else:
            yield from _unpack_tar(archive, folder)
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, OSError, ValueError, RuntimeError) as error:
        yield Found(str(archive), str(archive), f"the archive is damaged: {error}")


def _unpack_zip(archive: Path, folder: Path) -> Iterator[Found]:
    room = MOST_BYTES
    with zipfile.ZipFile(archive) as held:
        for number, info in enumerate(held.infolist()):
            if info.is_dir():
                continue
            name = _name(info)
            shown = f"{archive}/{name}"
            room -= info.file_size
            why = _refused(name, info.file_size, number, room)
            if why:
                yield Found(str(archive), shown, why)
                continue
            target = folder / name
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                with held.open(info) as source, target.open("wb") as out:
                    shutil.copyfileobj(source, out, 1 << 20)
            except (zipfile.BadZipFile, EOFError, OSError, ValueError, RuntimeError, NotImplementedError) as error:
                target.unlink(missing_ok=True)
                yield Found(str(archive), shown, f"is damaged in the archive: {error}")


def _name(info: zipfile.ZipInfo) -> str:
    """The name in the archive. Many programs write UTF-8 without saying so; zipfile takes that for DOS's letters."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _unpack_tar(archive: Path, folder: Path) -> Iterator[Found]:
    import tarfile

    room = MOST_BYTES
    with tarfile.open(archive) as held:
        for number, info in enumerate(held):
            if info.isdir():
                continue
            shown = f"{archive}/{info.name}"
            room -= info.size
            why = _refused(info.name, info.size, number, room) if info.isfile() else "is a link, not a file"
            source = held.extractfile(info) if not why else None
            if source is None:
                yield Found(str(archive), shown, why or "is not a file")
                continue
            target = folder / info.name
            target.parent.mkdir(parents=True, exist_ok=True)
            with source, target.open("wb") as out:
                shutil.copyfileobj(source, out, 1 << 20)


def _refused(name: str, size: int, number: int, room: int) -> str:
    """Why a file of an archive is not unpacked."""
    parts = re.split(r"[\\/]", name)
    if ".." in parts or name.startswith(("/", "\\")) or ":" in parts[0] or "\0" in name:
        return "its name leads out of the archive"
    if size > BIGGEST:
        return f"is bigger than {BIGGEST >> 20} MB"
    if number >= MOST_FILES or room < 0:
        return "the archive holds more than is unpacked"
    return ""
