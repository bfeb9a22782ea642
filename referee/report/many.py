"""What a run over many logs comes to: a line a log, a table of the files, a CSV."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from converter.errors import BadInput
from referee.many.results import Results
from referee.many.run import Outcome
from referee.stats import table

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
    lines = [table(rows) if rows else "no files", f"{outcome.games} games, {outcome.illegal_logs} logs broke a rule"]
    results = Results(results_path)
    left = [(file, status, why) for file, status, why in results.files() if status not in ("judged", "module")]
    results.close()
    if left:
        lines += ["", "not judged", *(f"  {file}: {status}: {_last_line(why)}" for file, status, why in left)]
    return "\n".join(lines)


def write_csv(results_path: str | Path, path: str | Path) -> None:
    """Every finding as a line of a table."""
    results = Results(results_path)
    heads, rows = results.rows("select * from findings order by log, step, rowid")
    results.close()
    try:
        with Path(path).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(heads)
            writer.writerows([_harmless(value) for value in row] for row in rows)
    except OSError as error:
        raise BadInput(f"{path}: can't be written ({error.strerror or error})") from None


def _harmless(value: object) -> object:
    """A text that a spreadsheet would take for a formula gets a quote before it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@")) else value


def _last_line(why: str | None) -> str:
    lines = (why or "").strip().splitlines()
    return lines[-1] if lines else ""
