"""What was read out of the project's own data files, kept beside them as Python keeps its compiled code."""

from __future__ import annotations

import contextlib
import marshal
import os
import sys
from collections.abc import Callable
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any


def kept(path: Path, read: Callable[[Path], Any]) -> Any:
    """The plain data (lists, mappings, words and numbers) that `read` makes of a file; read again when it changed.

    Reading YAML takes ten times as long. As with compiled code the file's date and size tell whether it changed, and
    nothing is kept where Python is told not to write, or may not.
    """
    about = path.stat()
    stamp = [about.st_mtime_ns, about.st_size]
    place = Path(cache_from_source(f"{path}.py"))
    with contextlib.suppress(OSError, EOFError, ValueError, TypeError):
        was, data = marshal.loads(place.read_bytes())
        if was == stamp:
            return data
    data = read(path)
    if not sys.dont_write_bytecode:
        with contextlib.suppress(OSError, ValueError):
            _put(place, marshal.dumps((stamp, data)))
    return data


def _put(place: Path, told: bytes) -> None:
    """Write a file whole or not at all: others may be reading it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = place.with_name(f"{place.name}.{os.getpid()}")
    draft.write_bytes(told)
    os.replace(draft, place)
