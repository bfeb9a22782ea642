"""Many small files into a new folder, with as few calls of the system as it takes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def write_files(files: Mapping[str, bytes], folder: Path) -> None:
    """Write files by their paths in a folder that has none of them yet; folders among the paths are made."""
    by_folder: dict[str, list[tuple[str, bytes]]] = {}
    for path, data in files.items():
        parent, _, name = path.rpartition("/")
        by_folder.setdefault(parent, []).append((name, data))
    for parent, held in by_folder.items():
        place = folder / parent
        place.mkdir(parents=True, exist_ok=True)
        if os.open in os.supports_dir_fd:  # then the way to the folder is looked for once
            handle = os.open(place, os.O_RDONLY)
            try:
                for name, data in held:
                    _write(os.open(name, FLAGS, 0o644, dir_fd=handle), data)
            finally:
                os.close(handle)
        else:
            for name, data in held:
                _write(os.open(place / name, FLAGS, 0o644), data)


def _write(file: int, data: bytes) -> None:
    try:
        while data:
            data = data[os.write(file, data) :]
    finally:
        os.close(file)
