"""The scenario's own files inside its module: what VASSAL has no place for (terrain, sources) is not lost on the way.

`import` takes them back where the module's build file is still the one they were put beside (docs/importing.md).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from converter.scenario import ScenarioFolder, folder_texts

FOLDER = "hexref/"
SEAL, IMAGES = FOLDER + "buildFile.sha256", FOLDER + "images.json"


def keepsake(scenario: ScenarioFolder, images: Mapping[str, str], build_file: bytes) -> dict[str, bytes]:
    """The entries to add to the module's archive. `images` tells which of its pictures was which of the folder."""
    files = {FOLDER + name: text.encode("utf-8") for name, text in sorted(folder_texts(scenario))}
    listed = json.dumps(dict(images), ensure_ascii=False, indent=0).encode("utf-8")
    return {**files, IMAGES: listed, SEAL: hashlib.sha256(build_file).hexdigest().encode("ascii")}
