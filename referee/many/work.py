"""One game judged, for a worker in any process on any machine: paths go in, lines of JSON come out."""

from __future__ import annotations

import json
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from converter.errors import BadInput, OtherGame
from referee.check import Checked, check
from referee.many.survey import Survey, survey


@dataclass(frozen=True)
class Settings:
    """What every game is judged with; a game judged with other settings is judged again."""

    game: str | None = None
    map: str | None = None
    module: str | None = None
    bind: str | None = None
    charts: str | None = None
    html: str | None = None
    reveal: bool = False
    version: str = ""


@dataclass(frozen=True)
class GameTask:
    """A game to judge: its logs in order, by path and by the name that reports show; and the module found for it."""

    key: str
    paths: tuple[str, ...]
    shown: tuple[str, ...]
    module: str | None = None


@dataclass(frozen=True)
class Answer:
    """What came of a game: a line of JSON for each log, or why there is none. `foreign` says it is another game's."""

    key: str
    lines: tuple[str, ...] = ()
    why: str = ""
    foreign: bool = False


def look_at(paths: Sequence[str]) -> list[Survey]:
    """Survey some files."""
    return [survey(path) for path in paths]


def judge_games(tasks: Sequence[GameTask], settings: Settings) -> list[Answer]:
    """Judge some games; what is wrong with one does not touch the others."""
    return [_judge(task, settings) for task in tasks]


def page_of(task: GameTask, settings: Settings) -> Path | None:
    """Where the page of a game goes, if pages are wanted."""
    if settings.html is None:
        return None
    return Path(settings.html) / f"{task.key[:12]}-{Path(task.shown[0]).stem}.html"


def _judge(task: GameTask, settings: Settings) -> Answer:
    s = settings
    try:
        told = check(task.paths, s.game, s.map, s.module or task.module, s.bind, s.charts)
        named = [replace(log, json={**log.json, "log": shown}) for log, shown in zip(told, task.shown, strict=True)]
        page = page_of(task, settings)
        if page is not None:
            _write_page(told, page, s.reveal)
    except BadInput as error:
        why = str(error)
        for path, shown in zip(task.paths, task.shown, strict=True):
            why = why.removeprefix(f"{path}: ").replace(path, shown)
        return Answer(task.key, (), why, foreign=isinstance(error, OtherGame))
    except Exception:  # our own mistake: the other games are judged all the same, and the report tells where it was
        return Answer(task.key, (), f"hexref itself failed: {traceback.format_exc()}")
    return Answer(task.key, tuple(json.dumps(log.json, ensure_ascii=False) for log in named))


def _write_page(told: list[Checked], path: Path, reveal: bool) -> None:
    from referee.report.html import write_report

    path.parent.mkdir(parents=True, exist_ok=True)
    write_report(told, path, reveal)
