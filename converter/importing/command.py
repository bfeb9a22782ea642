"""`hexref import`: a module, save or log becomes a scenario folder."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from converter.collecting import no_collection
from converter.errors import BadInput
from converter.importing.game import import_game
from converter.importing.kept import kept_scenario
from converter.importing.module import ModuleImport
from converter.importing.notes import Notes
from converter.importing.writing import write_files
from converter.scenario import MapFile, ScenarioFolder, folder_texts
from converter.vassal.archive import open_archive
from converter.vassal.module import read_module

REPORT = "import-report.txt"
NAMED = 3  # names a reason is given in a survey


@dataclass(frozen=True)
class Imported:
    """A scenario with its pictures, and what could not be understood."""

    scenario: ScenarioFolder
    pictures: dict[str, bytes]
    notes: Notes


@no_collection()
def run_import(source: Path, out: Path, module: Path | None = None, step: int = 0, binding: str | None = None) -> str:
    """Import a file into a folder; tells what was read. The folder is whole or not there at all.

    `binding` is the text of a bind.yaml to put beside the rest.
    """
    _check_free(out)
    made = import_file(source, module, step)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".import-", dir=out.parent))
    except OSError as error:
        raise BadInput(f"{out}: cannot be written ({error.strerror})") from None
    try:
        texts = dict(folder_texts(made.scenario))
        if binding is not None:
            texts["bind.yaml"] = binding
        texts[REPORT] = made.notes.text(source.name)
        write_files(made.pictures | {name: text.encode("utf-8", "replace") for name, text in texts.items()}, draft)
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


def _check_free(out: Path) -> None:
    """Refuse a folder that is none, or that is somebody's."""
    try:
        if out.exists() and not out.is_dir():
            raise BadInput(f"{out}: is a file; a folder is needed")
        if out.is_dir() and any(out.iterdir()) and not (out / REPORT).exists():
            raise BadInput(f"{out}: is not empty and was not made by an import; give a new folder")
    except (OSError, ValueError) as error:
        raise BadInput(f"{str(out)[:200]!r}: cannot be written ({getattr(error, 'strerror', None) or error})") from None


def survey(sources: Iterable[Path]) -> str:
    """What each file holds and what of it an import does not keep, as a table in Markdown."""
    rows = ["| file | boards and grids | counters | set-ups | not kept |", "|---|---|---|---|---|"]
    for source in sources:
        try:
            made = import_file(source)
        except BadInput as error:
            rows.append(f"| {source.name} | | | | {_cell(str(error).removeprefix(f'{source}: '))} |")
            continue
        maps = "; ".join(
            f"{len(sheet.grid)} hexes" if sheet.grid.hexes else _other(sheet) for sheet in made.scenario.maps
        )
        units = len(made.scenario.units.units) if made.scenario.units else 0
        setups = ", ".join(
            f"{setup.title or setup.scenario} ({sum(place.count for place in setup.placements)})"
            for setup in made.scenario.setups
        )
        lost = "; ".join(f"{what}: {_names(names)}" for what, names in made.notes.reasons.items())
        rows.append(f"| {source.name} | {_cell(maps)} | {units} | {_cell(setups)} | {_cell(lost)} |")
    return "\n".join(rows) + "\n"


def _other(sheet: MapFile) -> str:
    grid = sheet.other_grid
    if grid is None:
        return f"{len(sheet.boxes)} zones" if sheet.boxes else "no grid"
    return "squares" if grid.kind == "squares" else f"{len(grid.points or ())} named points"


def _names(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:NAMED]) + (f" and {len(listed) - NAMED} more" if len(listed) > NAMED else "")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "/")


@no_collection()
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
