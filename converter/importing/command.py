"""`hexref import`: a module, save or log becomes a scenario folder."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from converter.errors import BadInput
from converter.importing.game import import_game
from converter.importing.kept import kept_scenario
from converter.importing.module import ModuleImport
from converter.importing.notes import Notes
from converter.scenario import ScenarioFolder, write_folder
from converter.vassal.archive import open_archive
from converter.vassal.module import read_module

REPORT = "import-report.txt"


@dataclass(frozen=True)
class Imported:
    """A scenario with its pictures, and what could not be understood."""

    scenario: ScenarioFolder
    pictures: dict[str, bytes]
    notes: Notes


def run_import(source: Path, out: Path, module: Path | None = None, step: int = 0) -> str:
    """Import a file into a folder; tells what was read. The folder is whole or not there at all."""
    if out.exists() and not out.is_dir():
        raise BadInput(f"{out}: is a file; a folder is needed")
    if out.is_dir() and any(out.iterdir()) and not (out / REPORT).exists():
        raise BadInput(f"{out}: is not empty and was not made by an import; give a new folder")
    made = import_file(source, module, step)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    except OSError as error:
        raise BadInput(f"{out}: cannot be written ({error.strerror})") from None
    try:
        write_folder(made.scenario, draft)
        for name, data in made.pictures.items():
            (draft / name).parent.mkdir(parents=True, exist_ok=True)
            (draft / name).write_bytes(data)
        (draft / REPORT).write_text(made.notes.text(source.name), encoding="utf-8")
        draft.chmod(0o755)
        if out.is_dir():
            shutil.rmtree(out)
        draft.replace(out)
    except OSError as error:
        raise BadInput(f"{out}: cannot be written ({error.strerror})") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    told = ", ".join(f"{number} {what}" for what, number in made.notes.facts.items())
    rest = f"; {made.notes.missing_count} things not understood or not kept" if made.notes.reasons else ""
    return f"{out}: {told}{rest} (see {REPORT})"


def import_file(source: Path, module: Path | None = None, step: int = 0) -> Imported:
    """Read a module (file or folder), a save or a log."""
    notes = Notes()
    with open_archive(source) as archive:
        if archive.kind == "game":
            return Imported(*import_game(archive, source, module, step, notes), notes)
        if module is not None or step:
            raise BadInput(f"{source}: is a module; --module and --at are for saves and logs")
        kept = kept_scenario(archive, notes)
        if kept is not None:
            notes.count("files kept from the build", 1)
            return Imported(*kept, notes)
        reading = ModuleImport(archive, read_module(archive), source.name, notes)
        return Imported(reading.scenario(), reading.pictures.files, notes)
