"""Pictures on their way out of a module: each once, under a name that is safe in a folder."""

from __future__ import annotations

from converter.errors import BadInput
from converter.importing.notes import Notes
from converter.vassal.archive import Archive, safe_file_name

FOLDER = "images/"


class Pictures:
    """The pictures that the scenario uses, by their path in the folder."""

    def __init__(self, archive: Archive, notes: Notes) -> None:
        self.archive, self.notes = archive, notes
        self.files: dict[str, bytes] = {}
        self._paths: dict[str, str | None] = {}
        self._taken: set[str] = set()

    def keep(self, name: str) -> str | None:
        """Take a picture along; None where the module has not got it."""
        if name not in self._paths:
            self._paths[name] = self._keep(name)
        return self._paths[name]

    def _keep(self, name: str) -> str | None:
        entry = self.archive.find_image(name)
        if entry is None:
            return None
        try:
            data = self.archive.read(entry)
            plain = safe_file_name(entry).replace(":", "_")
        except BadInput as error:
            self.notes.missing(f"picture '{name}'", str(error))
            return None
        path, number = plain, 2
        while path.lower() in self._taken:  # many a disk makes no difference between upper and lower case
            path, number = f"{number}-{plain}", number + 1
        self._taken.add(path.lower())
        self.files[FOLDER + path] = data
        self.notes.count("pictures")
        return FOLDER + path
