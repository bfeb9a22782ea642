"""A look at a zip's directory before it is trusted: is it whole, how many entries, anything before or after it."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO, NamedTuple

from converter.errors import BadInput, Problem

END = b"PK\x05\x06"
END64 = b"PK\x06\x06"
LOCATOR64 = b"PK\x06\x07"
ENTRY = b"PK\x01\x02"
LOCAL = b"PK\x03\x04"
LARGEST_DIRECTORY = 64 << 20
LATEST = 63  # the version of the format, in tenths, that we know
BIG = 0xFFFFFFFF  # stands for a number that an extra field holds

_LISTED = struct.Struct("<4s2xBxHH4x3L3H8xL")


class Entry(NamedTuple):
    """What the directory says of an entry. `offset` is where its own header begins."""

    raw_name: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    offset: int


_new_entry: Callable[[tuple[bytes, int, int, int, int, int, int]], Entry] = partial(tuple.__new__, Entry)


class Directory(NamedTuple):
    """The bytes of the directory, how far everything stands behind the place it gives, and what is odd."""

    data: bytes
    shift: int
    problems: list[Problem]

    def places(self) -> Iterator[tuple[bytes, int, int, int]]:
        """Of each entry its name, flags, size, and where in the directory it is told of."""
        data, at, end = self.data, 0, len(self.data)
        unpack = _LISTED.unpack_from
        while at < end:
            if end - at < _LISTED.size:
                raise zipfile.BadZipFile("its directory is cut off")
            mark, version, flags, _, _, packed, size, name, extra, comment, offset = unpack(data, at)
            if mark != ENTRY:
                raise zipfile.BadZipFile("its directory is broken")
            if version > LATEST:
                raise zipfile.BadZipFile(f"zip version {version / 10}")
            start = at + 46
            if BIG in (packed, size, offset):
                size = self.entry(at).size
            yield data[start : start + name], flags, size, at
            at = start + name + extra + comment

    def entry(self, at: int) -> Entry:
        """The entry that is told of at this place of the directory."""
        _, _, flags, method, crc, packed, size, name, extra, _, offset = _LISTED.unpack_from(self.data, at)
        start = at + 46
        if BIG in (packed, size, offset):
            size, packed, offset = _big(self.data[start + name : start + name + extra], (size, packed, offset))
        return _new_entry((self.data[start : start + name], flags, method, crc, packed, size, offset + self.shift))


def _big(extra: bytes, numbers: tuple[int, int, int]) -> list[int]:
    """The numbers of an entry in the big format: those that do not fit stand in its extra field, one after another."""
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        if kind == 1:
            held = struct.iter_unpack("<Q", extra[4 : 4 + length // 8 * 8])
            return [next(held, (number,))[0] if number == BIG else number for number in numbers]
        extra = extra[4 + length :]
    return list(numbers)


def read_directory(label: str, stream: BinaryIO, size: int, most_entries: int) -> Directory:
    """The directory; BadInput unless this is a whole zip of at most `most_entries`. Tells of data before and after."""
    tail_start = max(0, size - 22 - 0xFFFF)
    stream.seek(0)
    head = stream.read(4)
    stream.seek(tail_start)
    tail = stream.read(size - tail_start)
    at = tail.rfind(END)
    if at < 0 or len(tail) - at < 22:
        if head == LOCAL:
            raise BadInput(f"{label}: is cut off (a zip without its end); fetch or copy it again")
        raise BadInput(f"{label}: is not a VASSAL file (no zip and no saved game)")
    _, disk, start_disk, _, count, length, offset, comment = struct.unpack("<4sHHHHLLH", tail[at : at + 22])
    if disk not in (0, 0xFFFF) or start_disk not in (0, 0xFFFF):
        raise BadInput(f"{label}: is one part of a zip in several parts")
    end = tail_start + at
    if 0xFFFF in (count, disk) or 0xFFFFFFFF in (length, offset):
        count, length, offset, end = _zip64(label, stream, end, (count, length, offset))
    if count > most_entries or length > LARGEST_DIRECTORY:
        raise BadInput(f"{label}: holds more than {most_entries} entries")
    if length > end:
        raise BadInput(f"{label}: is a damaged zip (its directory does not fit in the file)")
    stream.seek(end - length)
    directory = stream.read(length)
    if directory.count(ENTRY) > most_entries:
        raise BadInput(f"{label}: holds more than {most_entries} entries")
    problems = []
    if end - length > offset:
        problems.append(Problem(label, f"{end - length - offset} bytes stand before the zip"))
    surplus = len(tail) - (at + 22 + comment)
    if surplus > 0:
        problems.append(Problem(label, f"{surplus} bytes stand after the zip"))
    return Directory(directory, end - length - offset, problems)


def _zip64(label: str, stream: BinaryIO, end: int, plain: tuple[int, int, int]) -> tuple[int, int, int, int]:
    """Count, directory length, directory offset and end of directory of a zip in the big format."""
    count, length, offset = plain
    if end < 20 + 56:
        return count, length, offset, end
    stream.seek(end - 20)
    signature, _, _, disks = struct.unpack("<4sLQL", stream.read(20))
    if signature != LOCATOR64:
        return count, length, offset, end
    if disks > 1:
        raise BadInput(f"{label}: is one part of a zip in several parts")
    stream.seek(end - 20 - 56)
    record = struct.unpack("<4sQ2H2L4Q", stream.read(56))
    if record[0] != END64:
        raise BadInput(f"{label}: is a damaged zip (no end record)")
    return record[7], record[8], record[9], end - 20 - 56
