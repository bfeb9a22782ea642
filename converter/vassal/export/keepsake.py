"""The scenario's own files inside its module: what VASSAL has no place for (terrain, sources) is not lost on the way.

`import` takes them back where the module's build file is still the one they were put beside (docs/importing.md).
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from converter.scenario import ScenarioFolder, write_folder

FOLDER = "hexref/"
SEAL = FOLDER + "buildFile.sha256"


def keepsake(scenario: ScenarioFolder, seal: str) -> dict[str, bytes]:
    """The entries to add to the module's archive."""
    with tempfile.TemporaryDirectory() as folder:
        write_folder(scenario, Path(folder))
        files = {FOLDER + file.name: file.read_bytes() for file in sorted(Path(folder).iterdir())}
    return {**files, SEAL: seal.encode("ascii")}
