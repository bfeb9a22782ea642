"""Which rules are broken most, over many checked logs: by rule, player, side, game or scenario."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from converter.errors import BadInput
from referee.many.results import Results

Row = dict[str, Any]
BY = {
    "rule": ('logs.game, findings."check", findings.rule', ("game", "check", "rule")),
    "player": ("coalesce(findings.player, '(not told)')", ("player",)),
    "side": ("logs.game, coalesce(findings.side, '(not told)')", ("game", "side")),
    "scenario": ("logs.game, logs.scenario", ("game", "scenario")),
    "game": ("logs.game", ("game",)),
}


def stats(path: str | Path, by: str = "rule") -> list[Row]:
    """The findings of a file of results (SQLite, or the JSON lines of `check --json`), counted; most illegal first.

    `logs` counts the logs in which it was found illegal, `share` is their part of all logs judged.
    """
    results = _open(Path(path))
    columns, names = BY[by]
    total = results.rows("select count(*) from logs")[1][0][0]
    query = f"""
        select {columns}, sum(verdict = 'illegal') as illegal, sum(verdict = 'unsure') as unsure,
               count(distinct case when verdict = 'illegal' then findings.log end) as logs
        from findings join logs on logs.log = findings.log group by {columns}
        order by illegal desc, unsure desc, {columns}"""
    _, rows = results.rows(query)
    results.close()
    keys = (*names, "illegal", "unsure", "logs")
    return [{**dict(zip(keys, row, strict=True)), "share": round(row[-1] / total, 4) if total else 0.0} for row in rows]


def totals(path: str | Path) -> Row:
    """How much was judged in all."""
    results = _open(Path(path))
    (row,) = results.rows(
        "select count(*), count(distinct game_id), coalesce(sum(steps), 0), coalesce(sum(judged), 0),"
        " coalesce(sum(illegal), 0), coalesce(sum(unsure), 0) from logs"
    )[1]
    results.close()
    return dict(zip(("logs", "games", "steps", "judged", "illegal", "unsure"), row, strict=True))


def table(rows: Iterable[Row]) -> str:
    """Rows under their headings.

    >>> print(table([{"check": "STACK-THREE", "illegal": 3}]))
    check        illegal
    STACK-THREE        3
    """
    held = list(rows)
    if not held:
        return "nothing was found"
    heads = list(held[0])
    cells = [[_cell(row[head]) for head in heads] for row in held]
    wide = [max(len(head), *(len(row[at]) for row in cells)) for at, head in enumerate(heads)]
    right = [isinstance(held[0][head], int | float) for head in heads]

    def line(texts: Iterable[str]) -> str:
        fitted = (t.rjust(w) if r else t.ljust(w) for t, w, r in zip(texts, wide, right, strict=True))
        return "  ".join(fitted).rstrip()

    return "\n".join([line(heads), *map(line, cells)])


def _cell(value: object) -> str:
    return f"{value:.1%}" if isinstance(value, float) else "" if value is None else str(value)


def _open(path: Path) -> Results:
    if not path.is_file():
        raise BadInput(f"{path}: there is no such file of results")
    with path.open("rb") as file:
        start = file.read(16)
    if start.startswith(b"SQLite format 3"):
        return Results(path)
    return _from_lines(path)


def _from_lines(path: Path) -> Results:
    """JSON lines, as `check --json` prints them, put into a file of results in memory."""
    results = Results(":memory:")
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    results.keep_game(f"{number}", [line], "", False, 1)
    except (ValueError, KeyError, TypeError, AttributeError, sqlite3.Error):
        raise BadInput(f"{path}: is neither a file of results nor lines of `check --json`") from None
    return results
