"""Pictures on their way out of a module: each once, under a name that is safe in a folder of any system."""

from __future__ import annotations

import re
import unicodedata

from converter.errors import BadInput
from converter.importing.notes import Notes
from converter.vassal.archive import RESERVED, Archive
from converter.vassal.image_size import image_size

FOLDER = "images/"
LONGEST = 200  # bytes of a file name; most systems take 255
_FIT = re.compile(r'[^\x00-\x1f\x7f:*?"<>|/\\]*[^\x00-\x1f\x7f:*?"<>|/\\. ]')
_UNFIT = re.compile(r'[\x00-\x1f\x7f:*?"<>|/\\]')


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
        except BadInput as error:
            self.notes.missing(f"picture '{name}'", str(error).removeprefix(f"{self.archive.label}: "))
            return None
        if image_size(data) is None:
            self.notes.missing(f"picture '{name}'", "is no picture that can be shown")
            return None
        path = self._free(fit_file_name(entry))
        self.files[path] = data
        self.notes.count("pictures")
        return path

    def _free(self, plain: str) -> str:
        path, number = plain, 2
        while (key := _alike(path)) in self._taken:
            path, number = f"{number}-{plain}", number + 1
        self._taken.add(key)
        return FOLDER + path


def _alike(path: str) -> str:
    """Equal for names that some disk takes for the same: upper and lower case, an accent as one letter or as two."""
    return path.lower() if path.isascii() else unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).lower())


def fit_file_name(name: str) -> str:
    r"""The last part of an entry's name, changed as little as it takes to be a file's name on every system.

    >>> fit_file_name("images/inf.png"), fit_file_name("a:b?.png"), fit_file_name("aux.png"), fit_file_name("1st.")
    ('inf.png', 'a_b_.png', '_aux.png', '1st._')
    """
    last = name.replace("\\", "/").rpartition("/")[2]
    if not _FIT.fullmatch(last):
        last = _UNFIT.sub("_", last)
        last = f"{last}_" if last[-1:] in ("", ".", " ") else last
    if RESERVED.fullmatch(last.partition(".")[0].rstrip(" ").upper()):
        last = f"_{last}"
    if len(last.encode("utf-8", "replace")) > LONGEST:
        stem, dot, kind = last.rpartition(".")
        kind = f".{kind}" if dot and len(kind) < 10 else ""
        kept = (stem if kind else last).encode("utf-8", "replace")[: LONGEST - len(kind.encode("utf-8", "replace"))]
        last = kept.decode("utf-8", "ignore") + kind
    return last
