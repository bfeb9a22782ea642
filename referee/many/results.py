"""Results on disk, as they come: one SQLite file that a restart goes on from and that queries and `stats` read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from converter.errors import BadInput
from referee.many.survey import Survey

VERSION = 1
_TABLES = """
create table if not exists about (key text primary key, value text);
create table if not exists surveys (sha text primary key, survey text not null);
create table if not exists files (file text primary key, sha text, status text not null, why text, game text);
create table if not exists games (
    id text primary key, game text, scenario text, logs integer, why text, foreign_ integer);
create table if not exists logs (
    log text primary key, game_id text, place integer, game text, scenario text, steps integer, judged integer,
    illegal integer, unsure integer, json text not null);
create table if not exists findings (
    log text, step integer, "check" text, rule text, verdict text, side text, player text, units text, "from" text,
    "to" text, "when" text, message text);
create index if not exists findings_log on findings (log);
"""


class Results:
    """The file of results. Everything put in is kept at once: an interruption loses nothing that was finished."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self._base = sqlite3.connect(self.path)
            tables = [name for (name,) in self._base.execute("select name from sqlite_master where type = 'table'")]
            if tables and "about" not in tables:
                raise BadInput(f"{path}: is not a file of results, but another SQLite file")
            self._base.executescript(_TABLES)
            held = self._one("select value from about where key = 'hexref results'")
            if held is None:
                self._base.execute("insert into about values ('hexref results', ?)", (str(VERSION),))
                self._base.commit()
        except sqlite3.Error as error:
            what = "is not a file of results" if self.path.is_file() else "can't be written"
            raise BadInput(f"{path}: {what} ({error})") from None
        if held is not None and held[0] != str(VERSION):
            raise BadInput(f"{path}: was written by another version of hexref; name a new file")

    def close(self) -> None:
        """Nothing is lost if this is never called."""
        self._base.close()

    def _one(self, query: str, values: Sequence[object] = ()) -> tuple[Any, ...] | None:
        row: tuple[Any, ...] | None = self._base.execute(query, values).fetchone()
        return row

    # --- what was done already

    def surveyed(self, sha: str) -> Survey | None:
        """The first look at a file with this content."""
        row = self._one("select survey from surveys where sha = ?", (sha,))
        if row is None:
            return None
        held: dict[str, Any] = json.loads(row[0])
        listed: dict[str, Any] = {key: tuple(value) for key, value in held.items() if isinstance(value, list)}
        return Survey(**{**held, **listed})

    def keep_survey(self, sha: str, survey: Survey) -> None:
        """Remember the first look at a file."""
        with self._base:
            self._base.execute("insert or replace into surveys values (?, ?)", (sha, json.dumps(asdict(survey))))

    def done(self, key: str) -> bool:
        """Does this game need no more work?"""
        return self._one("select 1 from games where id = ?", (key,)) is not None

    # --- what comes in

    def keep_game(self, key: str, lines: Sequence[str], why: str, foreign: bool, logs: int) -> None:
        """A judged game with the JSON of its logs, or the reason why it could not be judged."""
        told = [json.loads(line) for line in lines]
        game, scenario = (told[0]["game"], told[0]["scenario"]) if told else (None, None)
        with self._base:
            self._base.execute(
                "insert or replace into games values (?, ?, ?, ?, ?, ?)", (key, game, scenario, logs, why, int(foreign))
            )
            for place, (line, log) in enumerate(zip(lines, told, strict=True)):
                self._keep_log(key, place, line, log)

    def _keep_log(self, key: str, place: int, line: str, log: dict[str, Any]) -> None:
        name, counted = log["log"], log["summary"]
        row = (
            name, key, place, log["game"], log["scenario"], log["steps"], counted["judged"], counted["illegal"],
            counted["unsure"], line,
        )  # fmt: skip
        self._base.execute(f"insert or replace into logs values ({','.join('?' * len(row))})", row)
        self._base.execute("delete from findings where log = ?", (name,))
        players = {player["side"]: player["name"] for player in log.get("players", ())}
        self._base.executemany(
            f"insert into findings values ({','.join('?' * 12)})",
            [
                (name, f["step"], f["check"], f["rule"], f["verdict"], f["side"], players.get(f["side"]),
                 ", ".join(f["units"]), f["from"], f["to"], f["when"], f["message"])
                for f in log["findings"]
            ],
        )  # fmt: skip

    def keep_files(self, rows: Iterable[tuple[str, str, str, str, str | None]]) -> None:
        """What became of every file: name, sha, status, why, game."""
        with self._base:
            self._base.execute("delete from files")
            self._base.executemany("insert or replace into files values (?, ?, ?, ?, ?)", list(rows))

    # --- what goes out

    def game(self, key: str, names: Sequence[str]) -> tuple[str, bool, list[str]]:
        """Why a game was not judged (empty if it was), whether it is another game's, and the JSON of its logs.

        The logs are told under the names they have now: the folder may have another name than when they were judged.
        """
        row = self._one("select why, foreign_ from games where id = ?", (key,))
        why, foreign = (row[0], bool(row[1])) if row else ("", False)
        held = list(self._base.execute("select log, json from logs where game_id = ? order by place", (key,)))
        lines = [line for _, line in held]
        if len(held) == len(names) and [log for log, _ in held] != list(names):
            told = [{**json.loads(line), "log": name} for line, name in zip(lines, names, strict=True)]
            lines = [json.dumps(log, ensure_ascii=False) for log in told]
            with self._base:
                for table in ("logs", "findings"):
                    self._base.executemany(f"delete from {table} where log = ?", [(log,) for log, _ in held])
            self.keep_game(key, lines, why, foreign, len(lines))
        return why, foreign, lines

    def files(self) -> Iterator[tuple[str, str, str]]:
        """Every file with its status and why."""
        yield from self._base.execute("select file, status, why from files order by rowid")

    def rows(self, query: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The answer to a query, with the names of its columns."""
        answer = self._base.execute(query)
        return [column[0] for column in answer.description], answer.fetchall()
