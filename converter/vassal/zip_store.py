"""The entries of a zip, unpacked under control: never more than the directory says, and every lie is told."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from converter.errors import Problem
from converter.vassal.zip_directory import LOCAL, Directory, Entry

SAVED_GAME = "savedGame"
SMALL = 1 << 20
STORED, DEFLATED = 0, 8
ENCRYPTED = 0x41
PATCHED = 0x20
TIGHTEST = 1032  # bytes that deflate can make of one
AT_ONCE = 64 << 20  # what an entry that lies about its size may make before it is found out
UTF8 = 0x800
HEADER = 30
SPARE = 64  # read along with a header: room for the extra field that most have

_LENGTHS = struct.Struct("<HH")


class ZipStore:
    """A zip's files by their names with forward slashes; `total` is the size that the directory says they have."""

    def __init__(self, stream: BinaryIO, directory: Directory, label: str) -> None:
        self._stream = stream
        self._directory = directory
        self._places: dict[str, int] = {}
        self.total = 0
        doubled: set[str] = set()
        for raw_name, flags, size, at in directory.places():
            name = _name(raw_name, flags)
            if name[-1:] == "/":
                continue
            if name in self._places:
                doubled.add(name)
                if name == SAVED_GAME and not self._comes_before(at, name):
                    continue
                self.total -= directory.entry(self._places[name]).size
            self.total += size
            self._places[name] = at
        for name in sorted(doubled)[:20]:
            taken = "the first" if name == SAVED_GAME else "the last"
            shown = repr(name if len(name) <= 80 else name[:77] + "...")
            directory.problems.append(Problem(label, f"holds {shown} more than once; {taken} one is used"))
        self.names = tuple(self._places)

    def _comes_before(self, at: int, name: str) -> bool:
        return self._directory.entry(at).offset < self._directory.entry(self._places[name]).offset

    def chunks(self, name: str, longest: int) -> Iterator[bytes]:
        """An entry, so many bytes at a time."""
        entry = self._entry(name)
        at = entry.offset + _data_start(entry, self._read(entry.offset, HEADER + len(entry.raw_name)))
        left = entry.packed
        machine = zlib.decompressobj(-15) if entry.method == DEFLATED else None
        made = crc = 0
        while made < entry.size:
            packed = machine.unconsumed_tail if machine else b""
            if not packed:
                packed = self._read(at, min(longest, left))
                at, left = at + len(packed), left - len(packed)
            if not packed:
                break
            most = min(longest, entry.size - made)
            chunk = machine.decompress(packed, most) if machine else packed[:most]
            if not chunk and machine and machine.eof:
                break
            made, crc = made + len(chunk), zlib.crc32(chunk, crc)
            if made == entry.size:
                _check(entry, made, crc)
            yield chunk
        _check(entry, made, crc)

    def read_small(self, name: str) -> bytes | None:
        """An entry of at most `SMALL` bytes in one go, without a stream for each of a thousand little pictures."""
        entry = self._entry(name)
        packed = entry.packed
        if entry.size > SMALL or packed > SMALL:
            return None
        block = self._read(entry.offset, HEADER + len(entry.raw_name) + SPARE + packed)
        start = _data_start(entry, block)
        data = block[start : start + packed]
        if len(data) < packed:
            data = self._read(entry.offset + start, packed)
        if entry.method == DEFLATED:
            data = _inflate(data, entry.size)
        _check(entry, len(data), zlib.crc32(data))
        return data

    def packed_size(self, name: str) -> int:
        """What it takes in the zip."""
        return self._directory.entry(self._places[name]).packed

    def close(self) -> None:
        """Let go of the file."""
        self._stream.close()

    def _entry(self, name: str) -> Entry:
        entry = self._directory.entry(self._places[name])
        if entry.flags & ENCRYPTED:
            raise zipfile.BadZipFile("encrypted")
        if entry.method not in (STORED, DEFLATED) or entry.flags & PATCHED:
            raise zipfile.BadZipFile(f"unknown packing method {entry.method}")
        return entry

    def _read(self, at: int, length: int) -> bytes:
        self._stream.seek(at)
        return self._stream.read(length)


def _data_start(entry: Entry, block: bytes) -> int:
    """How far behind the start of an entry, of which `block` is the beginning, its data come."""
    if block[:4] != LOCAL or len(block) < HEADER:
        raise zipfile.BadZipFile("it does not begin where the directory says")
    name_length, extra_length = _LENGTHS.unpack_from(block, 26)
    if block[HEADER : HEADER + name_length] != entry.raw_name:
        raise zipfile.BadZipFile("the directory has another name for it")
    return HEADER + int(name_length) + int(extra_length)


def _inflate(packed: bytes, size: int) -> bytes:
    """Unpack what should give so many bytes. All at once is three times as quick, but knows no bound."""
    if len(packed) <= size and len(packed) * TIGHTEST <= AT_ONCE:
        return zlib.decompress(packed, -15, size)
    return zlib.decompressobj(-15).decompress(packed, size) if size else b""


def _check(entry: Entry, size: int, crc: int) -> None:
    if size != entry.size or crc != entry.crc:
        raise zipfile.BadZipFile("its size or its CRC-32 is not what the directory says")


def _name(raw_name: bytes, flags: int) -> str:
    """The name with forward slashes; old Java wrote UTF-8 without saying so."""
    try:
        name = raw_name.decode("utf-8")
    except UnicodeDecodeError:
        if flags & UTF8:
            raise
        name = raw_name.decode("cp437")
    return name.partition("\0")[0].replace("\\", "/") if "\0" in name or "\\" in name else name
