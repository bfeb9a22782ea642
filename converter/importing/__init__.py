"""Modules, saves and logs become scenario folders (docs/importing.md)."""

from converter.importing.command import Imported, import_file, run_import, survey

__all__ = ["Imported", "import_file", "run_import", "survey"]
