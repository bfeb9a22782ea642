"""`hexref build`: where the scenario comes from, and what to say of the module made."""

from __future__ import annotations

import os
from pathlib import Path

from converter.errors import BadInput
from converter.games import scenario_of
from converter.scenario import ScenarioFolder, read_folder
from converter.vassal.archive import open_archive
from converter.vassal.export.keepsake import SEAL
from converter.vassal.export.plan import build_module

LARGEST_IMAGE = 200 << 20


def run_build(source: str, out: Path) -> str:
    """Build a scenario folder or a `GAME/SCENARIO` into a module; tells what is in it."""
    if out.suffix.lower() != ".vmod":
        raise BadInput(f"{out}: a module's file ends in .vmod")
    if out.is_file() and out.stat().st_size and not _ours(out):
        raise BadInput(f"{out}: is there already and was not built by hexref; name another file")
    folder = Path(source)
    if os.path.isfile(folder):
        raise BadInput(f"{source}: is a file; a scenario folder is needed, or GAME/SCENARIO")
    scenario = read_folder(folder) if os.path.isdir(folder) else scenario_of(source)
    plan = build_module(scenario, out, lambda name: _read_image(folder, name))
    told = [f"{len(plan.maps)} maps", f"{len(plan.counters)} counters in the palette", f"{len(plan.dice)} dice"]
    return f"{out}: {plan.name}: {', '.join(told)}; set-ups: {_setups(scenario)}"


def _ours(module: Path) -> bool:
    """May it be written over? A module that somebody else made is not to be lost."""
    try:
        with open_archive(module) as archive:
            return SEAL in archive
    except BadInput:
        return False


def _setups(scenario: ScenarioFolder) -> str:
    return ", ".join(setup.title or setup.scenario or "one" for setup in scenario.setups) or "none"


def _read_image(folder: Path, name: str) -> bytes:
    """A picture of the folder; a name never leads out of it."""
    path = folder / name
    try:
        if not path.resolve().is_relative_to(folder.resolve()):
            raise BadInput(f"{name}: leads out of {folder}")
        if path.stat().st_size > LARGEST_IMAGE:
            raise BadInput(f"{path}: is larger than {LARGEST_IMAGE >> 20} MiB")
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: the picture cannot be read ({error.strerror})") from None
