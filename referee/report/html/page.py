"""Put the page together: the viewer's own files, and the data of each log as JSON inside it."""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from converter.calling import must_not_be_lost
from converter.errors import BadInput
from referee.check import Checked
from referee.report.html.film import Film
from referee.report.html.scenery import scenery
from referee.table.replay import open_replay

Json = dict[str, Any]
HERE = Path(__file__).parent
SCRIPTS = ("film.js", "stage.js", "findings.js", "lists.js", "viewer.js")


def write_report(checked: Sequence[Checked], path: str | Path, reveal: bool = False) -> None:
    """Write the page; an interrupted or failed write leaves nothing behind."""
    target = Path(path)
    must_not_be_lost(target, ".html", ".htm")
    text = html_report(checked, reveal)
    rough = target.with_name(target.name + ".part")
    try:
        rough.write_text(text, encoding="utf-8")
        os.replace(rough, target)
    except OSError as error:
        rough.unlink(missing_ok=True)
        raise BadInput(f"{target}: can't be written ({error.strerror or error})") from None


def html_report(checked: Sequence[Checked], reveal: bool = False) -> str:
    """One page for the logs of a game, in order. What it says of a log is what `check --json` prints."""
    reels = [_reel(log, reveal) for log in checked]
    names = ", ".join(dict.fromkeys(Path(log.log).name for log in checked))
    data = json.dumps({"reels": reels}, ensure_ascii=False, separators=(",", ":"))
    parts = {
        "TITLE": html.escape(f"{names}: hexref"),
        "STYLE": _read("viewer.css"),
        "SCRIPT": "\n".join(map(_read, SCRIPTS)),
        "DATA": data.replace("<", "\\u003c"),
    }
    return re.sub("%(TITLE|STYLE|SCRIPT|DATA)%", lambda mark: parts[mark[1]], _read("viewer.html"))


def _reel(log: Checked, reveal: bool) -> Json:
    """Everything about one log."""
    replay = open_replay(log.log, log.module)
    film = Film(replay, reveal).record()
    drawn = scenery(replay, log.module, film.pop("maps"), film["looks"], log.ground)
    report = {**log.json, "log": Path(log.log).name}
    return {"report": report, "sections": [list(section) for section in log.times], **film, **drawn}


def _read(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")
