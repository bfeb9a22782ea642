"""A look at a zip's directory before it is trusted: is it whole, how many entries, anything before or after it.

The standard library reads the whole directory into objects, so the count must be known to be small before.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

from converter.errors import BadInput, Problem

END = b"PK\x05\x06"
END64 = b"PK\x06\x06"
LOCATOR64 = b"PK\x06\x07"
ENTRY = b"PK\x01\x02"
LOCAL = b"PK\x03\x04"
LARGEST_DIRECTORY = 64 << 20


def check_directory(label: str, stream: BinaryIO, size: int, most_entries: int) -> list[Problem]:
    """Raise BadInput unless this is a whole zip of at most `most_entries`; tell of data before and after it."""
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
    if stream.read(length).count(ENTRY) > most_entries:
        raise BadInput(f"{label}: holds more than {most_entries} entries")
    problems = []
    if end - length > offset:
        problems.append(Problem(label, f"{end - length - offset} bytes stand before the zip"))
    surplus = len(tail) - (at + 22 + comment)
    if surplus > 0:
        problems.append(Problem(label, f"{surplus} bytes stand after the zip"))
    stream.seek(0)
    return problems


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
