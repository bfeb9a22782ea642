"""What a run over many logs comes to: a line a log, a table of the files, a CSV."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from converter.calling import must_not_be_lost
from converter.errors import BadInput
from referee.many.results import Results
from referee.many.run import Outcome
from referee.stats import table

TABLES = (".csv", ".tsv", ".txt")
STATUSES = ("judged", "foreign", "bad", "duplicate", "save", "module", "other")
_MEANING = {
    "judged": "logs judged",
    "foreign": "logs of another game",
    "bad": "files that can't be read or judged",
    "duplicate": "the same file again",
    "save": "saved positions, nothing to judge",
    "module": "modules",
    "other": "other files",
}


def log_line(line: str) -> str:
    """One log in a line.

    >>> log_line('{"log": "a.vlog", "game": "g", "scenario": "s", "summary": {"illegal": 1, "unsure": 0, "judged": 9}}')
    'a.vlog: g/s, 9 acts judged, 1 illegal, 0 in doubt'
    """
    told: dict[str, Any] = json.loads(line)
    counted = told["summary"]
    where = f"{told['log']}: {told['game']}/{told['scenario']}"
    return f"{where}, {counted['judged']} acts judged, {counted['illegal']} illegal, {counted['unsure']} in doubt"


def closing_table(outcome: Outcome, results_path: str | Path) -> str:
    """Every file accounted for: how many of each kind, and each one that was not judged with the reason."""
    rows = [{"files": outcome.files[s], "": _MEANING[s]} for s in STATUSES if outcome.files.get(s)]
    lines = [table(rows) if rows else "no files", _broke(outcome)]
    results = Results(results_path)
    left = [(file, status, why) for file, status, why in results.files() if status not in ("judged", "module")]
    results.close()
    if left:
        lines += ["", "not judged", *(f"  {file}: {status}: {_last_line(why)}" for file, status, why in left)]
    return "\n".join(lines)


def write_csv(judged: Path | Sequence[str], path: str | Path) -> None:
    """Every finding as a line of a table; `judged` is a file of results, or the JSON of some logs."""
    must_not_be_lost(Path(path), *TABLES)
    results = Results(judged if isinstance(judged, Path) else ":memory:")
    if not isinstance(judged, Path):
        results.keep_game("", judged, "", False, len(judged))
    heads, rows = results.rows("select * from findings order by log, step, rowid")
    results.close()
    try:
        with Path(path).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(heads)
            writer.writerows([_harmless(value) for value in row] for row in rows)
    except OSError as error:
        raise BadInput(f"{path}: can't be written ({error.strerror or error})") from None


def must_be_writable(table: str | None, pages: str | None) -> None:
    """A long run shall not end with a table or pages that can't be written."""
    if table is not None and (Path(table).is_dir() or not _may_write(Path(table).absolute().parent)):
        raise BadInput(f"{table}: can't be written; it is a folder, or its folder is not there or locked")
    if table is not None:
        must_not_be_lost(Path(table), *TABLES)
    if pages is not None and Path(pages).is_file():
        raise BadInput(f"{pages}: is a file; of many logs the pages go into a folder")
    if pages is not None:
        there = next(folder for folder in (Path(pages).absolute(), *Path(pages).absolute().parents) if folder.exists())
        if not _may_write(there):
            raise BadInput(f"{pages}: can't be written, {there} is locked or no folder")


def _may_write(folder: Path) -> bool:
    return folder.is_dir() and os.access(folder, os.W_OK)


def _broke(outcome: Outcome) -> str:
    games, logs = outcome.games, outcome.illegal_logs
    return f"{games} game{'s' * (games != 1)}, {logs} log{'s' * (logs != 1)} broke a rule"


def _harmless(value: object) -> object:
    """A text that a spreadsheet would take for a formula gets a quote before it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@")) else value


def _last_line(why: str | None) -> str:
    lines = (why or "").strip().splitlines()
    return lines[-1] if lines else ""
