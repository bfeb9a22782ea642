"""Names of units as names of files, on every system."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_UNFIT = re.compile(r"[^\w.+() -]", re.UNICODE)
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(?= *(\.|$))", re.IGNORECASE)  # whatever its ending


def file_stem(name: str) -> str:
    """A name without what a file name may not hold. Letters of all languages stay.

    >>> file_stem("nul.txt"), file_stem("con .a"), file_stem("console"), file_stem("lpt1. ")
    ('nul-.txt', 'con- .a', 'console', 'lpt1-')
    >>> file_stem('5/1M'), file_stem('제1사단 "수도"'), file_stem("con"), file_stem("../.."), file_stem("🙂")
    ('5-1M', '제1사단 -수도-', 'con-', 'counter', 'counter')
    """
    plain = _UNFIT.sub("-", unicodedata.normalize("NFC", name)).strip(". ")[:80].strip(". ")
    plain = _RESERVED.sub(r"\1-", plain) if _RESERVED.match(plain) else plain
    return plain if re.search(r"\w", plain, re.UNICODE) else "counter"


def file_stems(names: Iterable[str]) -> list[str]:
    """A file name for each, no two the same even where capitals do not count, nor one the back of another.

    >>> file_stems(["a/b", "a-b", "A:B", "x", "x-back"])
    ['a-b', 'a-b-2', 'A-B-3', 'x', 'x-back-2']
    """
    used: set[str] = set()
    found = []
    for name in names:
        stem = unique = file_stem(name)
        number = 1
        while {unique.lower(), f"{unique}-back".lower()} & used:
            number += 1
            unique = f"{stem}-{number}"
        used |= {unique.lower(), f"{unique}-back".lower()}
        found.append(unique)
    return found
