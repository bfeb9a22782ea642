"""A module that hexref built and nobody changed since: the scenario's own files are still in it."""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path

from converter.errors import BadInput
from converter.importing.notes import Notes
from converter.scenario import ScenarioFolder, read_folder
from converter.vassal.archive import Archive, safe_file_name
from converter.vassal.export.keepsake import FOLDER, IMAGES, SEAL


def kept_scenario(archive: Archive, notes: Notes) -> tuple[ScenarioFolder, dict[str, bytes]] | None:
    """The scenario and its pictures; None where there is none, or where the module was edited since."""
    if SEAL not in archive:
        return None
    name = archive.build_file_name() or ""
    if archive.read(SEAL, 64).decode("ascii", "replace") != hashlib.sha256(archive.read(name)).hexdigest():
        notes.missing("scenario files", "the module was changed since hexref built it; read from the module instead")
        return None
    try:
        with tempfile.TemporaryDirectory() as folder:
            for entry in archive.names:
                if entry.startswith(FOLDER) and entry.endswith(".yaml"):
                    (Path(folder) / safe_file_name(entry)).write_bytes(archive.read(entry))
            scenario = read_folder(Path(folder))
        wanted = json.loads(archive.read(IMAGES)) if IMAGES in archive else {}
    except (BadInput, ValueError) as error:
        notes.missing("scenario files", f"cannot be read ({error}); read from the module instead")
        return None
    return scenario, {path: data for path, name in _pictures(wanted) if (data := archive.image(name)) is not None}


def _pictures(wanted: object) -> list[tuple[str, str]]:
    """Path in the folder and name in the module, as far as both are harmless."""
    listed = wanted.items() if isinstance(wanted, dict) else ()
    told = [(path, name) for path, name in listed if isinstance(path, str) and isinstance(name, str)]
    return [(path, name) for path, name in told if _harmless(path)]


def _harmless(path: str) -> bool:
    """Does it lead nowhere but into the folder, and is it no file of ours?"""
    parts = path.split("/")
    plain = all(part not in ("", ".", "..") and len(part.encode("utf-8", "replace")) < 256 for part in parts)
    return plain and not set(path) & set("\\:\0") and (len(parts) > 1 or not path.endswith((".yaml", ".txt")))
