"""One way to open every VASSAL file: module, extension, save or log; zipped, unpacked in a folder, or a bare stream.

The kind is decided by what is inside, as VASSAL does, never by the ending of the name. Input is not trusted: sizes are
counted while reading, names are looked up in the archive's own table and never joined to a path.
"""

from __future__ import annotations

import io
import os
import re
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Literal, Protocol

from converter.errors import BadInput, Problem
from converter.vassal.zip_directory import read_directory
from converter.vassal.zip_store import SAVED_GAME, SMALL, ZipStore

Kind = Literal["module", "extension", "game"]

BUILD_FILES = ("buildFile.xml", "buildFile")
STREAM_STARTS = (b"!VCSK", b"!VCSZ", b"VOBS", b"begin_save")
LFS_START = b"version https://git-lfs"
CHUNK = 1 << 20
WHOLE = 16 << 20  # a file of at most so many bytes is read in one go

RESERVED = re.compile(r"CON|PRN|AUX|NUL|(?:COM|LPT)[0-9]")  # names Windows keeps for devices
_UNFIT = re.compile(r'[\x00-\x1f\x7f:*?"<>|]')


@dataclass(frozen=True)
class Limits:
    """How much a file may ask of us. The defaults are far above any real module."""

    entries: int = 100_000
    entry_bytes: int = 512 << 20
    total_bytes: int = 2 << 30
    ratio: int = 1000
    ratio_from: int = 1 << 20  # smaller entries may be packed as tightly as they like
    folder_depth: int = 32


class _Meter:
    """Counts what was unpacked, each entry once, over an archive and the saves nested in it."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.charged: dict[tuple[str, ...], int] = {}
        self.total = 0

    def charge(self, entry: tuple[str, ...], size: int) -> None:
        before = self.charged.get(entry, 0)
        if size > before:
            self.charged[entry] = size
            self.total += size - before
        if self.total > self.limits.total_bytes:
            raise BadInput(f"{entry[0]}: unpacks to more than {_size(self.limits.total_bytes)} in all")


class _Store(Protocol):
    """Where the bytes are: a zip, a folder, or one stream. Names are with forward slashes."""

    names: tuple[str, ...]

    def chunks(self, name: str, longest: int) -> Iterator[bytes]:
        """An entry, so many bytes at a time."""

    def read_small(self, name: str) -> bytes | None:
        """An entry of at most `SMALL` bytes in one go; None where it may be bigger."""

    def packed_size(self, name: str) -> int: ...

    def close(self) -> None: ...


class Archive:
    """An opened VASSAL file. Use it in a `with` block, or close it."""

    def __init__(self, label: str, store: _Store, meter: _Meter, problems: list[Problem], nested: bool = False) -> None:
        self.label = label
        self.problems = problems
        self._store = store
        self._meter = meter
        self._nested = nested
        self.names: tuple[str, ...] = store.names
        self._known = frozenset(store.names)
        self.kind: Kind = self._find_kind()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def close(self) -> None:
        """Let go of the file."""
        self._store.close()

    def read(self, name: str, limit: int | None = None) -> bytes:
        """The whole entry; BadInput when it is missing, damaged or too big. `limit` stops after that many bytes."""
        name = name.replace("\\", "/")
        if name not in self._known:
            raise BadInput(f"{self.label}: has no entry {_shown(name)}")
        limits = self._meter.limits
        chunks: list[bytes] = []
        size = 0
        try:
            whole = limit is None and min(limits.entry_bytes, limits.ratio_from) >= SMALL
            small = self._store.read_small(name) if whole else None
            if small is not None:
                self._meter.charge((self.label, name), len(small))
                return small
            packed = max(1, self._store.packed_size(name))
            for chunk in self._store.chunks(name, CHUNK if limit is None else min(CHUNK, limit)):
                size += len(chunk)
                if size > limits.entry_bytes:
                    raise BadInput(f"{self.label}: {_shown(name)} is bigger than {_size(limits.entry_bytes)}")
                if size >= limits.ratio_from and size > packed * limits.ratio:
                    raise BadInput(f"{self.label}: {_shown(name)} is packed too tightly to be genuine (a zip bomb)")
                self._meter.charge((self.label, name), size)
                chunks.append(chunk)
                if limit is not None and size >= limit:
                    break
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, OSError) as error:
            raise BadInput(f"{self.label}: {_shown(name)} is damaged ({_one_line(error)})") from error
        return b"".join(chunks)[:limit]

    def find_image(self, name: str) -> str | None:
        """The entry that holds the picture `name`, tried as VASSAL does: as given, decomposed accents, then `.gif`."""
        return self._find(name, "images/")

    def image(self, name: str) -> bytes | None:
        """The bytes of the picture `name`; None when the archive has none (a leading `/` means a built-in one)."""
        entry = self.find_image(name)
        return None if entry is None else self.read(entry)

    def find_file(self, name: str) -> str | None:
        """The entry of a set-up, help page or chart as the build file names it."""
        return self._find(name, "")

    def open_nested(self, name: str) -> Archive:
        """The save inside a module (a predefined set-up). One level only, and it counts against the same limits."""
        if self._nested:
            raise BadInput(f"{self.label}: a save within a save")
        data = self.read(name)
        return _open_bytes(f"{self.label}:{name}", io.BytesIO(data), len(data), self._meter, nested=True)

    def build_file_name(self) -> str | None:
        """The name of the build file that is there; `buildFile.xml` first."""
        return next((name for name in BUILD_FILES if name in self._known), None)

    def _find(self, name: str, folder: str) -> str | None:
        name = name.replace("\\", "/")
        if not name or name.startswith("/"):
            return None
        if folder + name in self._known:
            return folder + name
        for spelling in (unicodedata.normalize("NFD", name), unicodedata.normalize("NFC", name), name + ".gif"):
            if folder + spelling in self._known:
                return folder + spelling
        return None

    def _find_kind(self) -> Kind:
        if SAVED_GAME in self._known:
            return "game"
        build_file = self.build_file_name()
        if build_file is None:
            raise BadInput(f"{self.label}: has neither a savedGame nor a buildFile in it, so it is no VASSAL file")
        if "extensiondata" in self._known:
            return "extension"
        if "moduledata" in self._known:
            return "module"
        return "extension" if b"VASSAL.build.module.ModuleExtension" in self.read(build_file, 4096) else "module"


def open_archive(path: str | Path, limits: Limits | None = None) -> Archive:
    """Open a module, extension, save or log, whatever its ending; BadInput says in one line what is wrong with it."""
    path = Path(path)
    meter = _Meter(limits or Limits())
    label = str(path)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            return Archive(label, _Folder(path, meter.limits), meter, [])
        if not stat.S_ISREG(mode):
            raise BadInput(f"{label}: is not a file")
        stream: BinaryIO = path.open("rb", buffering=0)
    except FileNotFoundError:
        raise BadInput(f"{label}: no such file") from None
    except (OSError, ValueError) as error:
        raise BadInput(f"{_one_line(label)}: cannot be opened ({_one_line(error)})") from error
    try:
        size = os.fstat(stream.fileno()).st_size
        if size <= WHOLE:
            with stream as file:
                data = file.read()
            stream, size = io.BytesIO(data), len(data)
        return _open_bytes(label, stream, size, meter)
    except OSError as error:
        stream.close()
        raise BadInput(f"{label}: cannot be read ({_one_line(error)})") from error
    except BaseException:
        stream.close()
        raise


def safe_file_name(name: str) -> str:
    r"""The last part of an entry's name, fit to be made in a folder of the user's; BadInput when it is not.

    >>> safe_file_name("images\\..\\inf.png")
    'inf.png'
    """
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    stem = last.split(".")[0].rstrip(" ").upper()
    if last in {"", ".", ".."} or RESERVED.fullmatch(stem) or _UNFIT.search(last):
        raise BadInput(f"the file name {_shown(name)} cannot be used")
    return last


def _open_bytes(label: str, stream: BinaryIO, size: int, meter: _Meter, nested: bool = False) -> Archive:
    head = stream.read(64)
    if not head:
        raise BadInput(f"{label}: is empty")
    if head.startswith(LFS_START):
        raise BadInput(f"{label}: is a Git LFS pointer, not the file itself; fetch it with 'git lfs pull'")
    if head.startswith(STREAM_STARTS):
        problems = [Problem(label, "a bare stream without its zip; VASSAL itself would not open it")]
        return Archive(label, _Bare(stream, size), meter, problems, nested)
    limits = meter.limits
    try:
        directory = read_directory(label, stream, size, limits.entries)
        store = ZipStore(stream, directory, label)
    except (zipfile.BadZipFile, ValueError, RuntimeError, OSError, EOFError) as error:
        raise BadInput(f"{label}: is a damaged zip ({_one_line(error)})") from error
    if store.total > limits.total_bytes:
        raise BadInput(f"{label}: unpacks to more than {_size(limits.total_bytes)} in all")
    return Archive(label, store, meter, directory.problems, nested)


class _Folder:
    """An unpacked module. Links that lead out of the folder, and whatever is no plain file, are left out."""

    def __init__(self, root: Path, limits: Limits) -> None:
        self._root = root.resolve()
        if not any((self._root / name).is_file() for name in (SAVED_GAME, *BUILD_FILES)):
            raise BadInput(f"{root}: this folder holds no buildFile, so it is no unpacked module")
        self._paths: dict[str, Path] = {}
        for folder, folders, files in os.walk(self._root):
            here = Path(folder)
            depth = len(here.relative_to(self._root).parts)
            folders[:] = sorted(name for name in folders if not name.startswith(".") and depth < limits.folder_depth)
            for name in sorted(files):
                path = here / name
                target = path.resolve()
                if target.is_relative_to(self._root) and target.is_file():
                    self._paths[path.relative_to(self._root).as_posix()] = target
            if len(self._paths) > limits.entries:
                raise BadInput(f"{root}: holds more than {limits.entries} files")
        self.names = tuple(self._paths)

    def chunks(self, name: str, longest: int) -> Iterator[bytes]:
        with self._paths[name].open("rb") as stream:
            while chunk := stream.read(longest):
                yield chunk

    def read_small(self, name: str) -> bytes | None:
        return None

    def packed_size(self, name: str) -> int:
        return self._paths[name].stat().st_size

    def close(self) -> None:
        """A folder holds nothing open."""


class _Bare:
    """A saved game's stream outside any zip."""

    names: tuple[str, ...] = (SAVED_GAME,)

    def __init__(self, stream: BinaryIO, size: int) -> None:
        self._stream = stream
        self._size = size

    def chunks(self, name: str, longest: int) -> Iterator[bytes]:
        self._stream.seek(0)
        while chunk := self._stream.read(longest):
            yield chunk

    def read_small(self, name: str) -> bytes | None:
        return None

    def packed_size(self, name: str) -> int:
        return self._size

    def close(self) -> None:
        self._stream.close()


def _shown(name: str) -> str:
    return repr(name if len(name) <= 80 else name[:77] + "...")


def _one_line(error: object) -> str:
    return " ".join(str(error).replace("\0", "?").split())[:200]


def _size(count: int) -> str:
    return f"{count >> 30} GiB" if count >= 1 << 30 else f"{count >> 20} MiB" if count >= 1 << 20 else f"{count} bytes"
