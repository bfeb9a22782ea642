"""Folders and archives of logs: games put together, every file accounted for, nothing done twice."""

from __future__ import annotations

import json
import operator
import os
import shutil
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from korean_battles_play import write
from written_log import Writer

import cli
from referee import stats
from referee.many import run as running
from referee.many.files import Found, find_files
from referee.many.games import put_together
from referee.many.pools import Died, Processes
from referee.many.survey import Survey, survey
from referee.many.work import Settings

UNITS = {"5/1M": "0710", "7/1M": "0709", "1/1M": "0907", "59/1": "0912", "59/2": "0911", "58/1": "1111"}
FAR = ("MOVE-DIST-BOUND", "MOVE-OVER-MA")


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games from one set-up (the first in two logs), a copy, and what else lies about in such a folder."""
    folder = tmp_path_factory.mktemp("league")
    write(folder / "chosin.vmod", "chosin-few")
    Writer(folder, UNITS).move("58/1", "1101").move("59/1", "0913").write(folder / "b game 1.vlog")
    moved = {**UNITS, "58/1": "1101", "59/1": "0913"}
    Writer(folder, moved).move("59/2", "0901").move("1/1M", "1817").write(folder / "b game 2.vlog")
    Writer(folder, UNITS).move("58/1", "1112").write(folder / "a other.vlog")
    shutil.copy(folder / "b game 1.vlog", folder / "copy.vlog")
    (folder / "cut.vlog").write_bytes((folder / "b game 1.vlog").read_bytes()[:200])
    (folder / "notes.txt").write_text("see you on Sunday", encoding="utf-8")
    Writer(folder, UNITS).write(folder / "position.vsav")
    return folder


def judged(paths: list[Path], results: Path, **more: Any) -> tuple[running.Outcome, list[dict[str, Any]]]:
    lines: list[str] = []
    outcome = running.check_many(paths, Settings(), results, tell=lines.append, **more)
    return outcome, [json.loads(line) for line in lines]


def test_every_file_is_accounted_for(league: Path, tmp_path: Path) -> None:
    outcome, told = judged([league], tmp_path / "r.sqlite")
    assert outcome.files == {"judged": 3, "duplicate": 1, "bad": 1, "other": 1, "save": 1, "module": 1}
    assert (outcome.games, outcome.illegal_logs, outcome.exit_code) == (2, 2, 1)
    assert [Path(log["log"]).name for log in told] == ["a other.vlog", "b game 1.vlog", "b game 2.vlog"]
    assert [log["summary"]["illegal"] for log in told] == [0, 1, 2]


def test_logs_of_the_longest_day_are_one_game(shared: Path) -> None:
    """Their positions join all but exactly (the players moved some pieces between logs)."""
    folder = shared / "corpus" / "logs" / "longest-day"
    files = [Found(str(path), path.name) for path in sorted(folder.iterdir(), reverse=True)]
    chains = put_together([(file, survey(file.path)) for file in files])
    assert [[found.shown for found in chain] for chain in chains] == [sorted(file.shown for file in files)]


def test_games_from_one_set_up_stay_apart() -> None:
    start = tuple(range(90))
    ends = [tuple(range(90 - moved)) + tuple(range(100 * n, 100 * n + moved)) for n, moved in ((2, 4), (3, 5))]
    logs = [(Found(f"{n}", f"{n}"), Survey("log", opening=start, end=end)) for n, end in enumerate(ends)]
    assert len(put_together(logs)) == 2
    after = (Found("x", "x"), Survey("log", opening=ends[1], end=(1, 2)))
    assert [[f.shown for f in chain] for chain in put_together([*logs, after])] == [["0"], ["1", "x"]]


def test_strangers_do_not_continue_a_game() -> None:
    one = (Found("a", "a"), Survey("log", players=("Ann", "Bob"), opening=(1, 2, 3), end=(1, 2, 4)))
    other = (Found("b", "b"), Survey("log", players=("Cleo",), opening=(1, 2, 4), end=(1, 2, 5)))
    assert len(put_together([one, other])) == 2


def test_a_restart_does_nothing_twice(league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, before = judged([league], tmp_path / "r.sqlite")
    done: list[object] = []
    monkeypatch.setattr(running, "judge_games", lambda tasks, settings: done.extend(tasks) or [])
    monkeypatch.setattr(running, "look_at", lambda paths: done.extend(paths) or [])
    outcome, after = judged([league], tmp_path / "r.sqlite")
    assert (done, after, outcome.exit_code) == ([], before, 1)


def test_an_interruption_keeps_what_was_done(league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = running.judge_games, []

    def judge(tasks: Any, settings: Settings) -> Any:
        calls.append([task.shown for task in tasks])
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(tasks, settings)

    monkeypatch.setattr(running, "judge_games", judge)
    monkeypatch.setattr(running, "BATCH", 1)
    with pytest.raises(KeyboardInterrupt):
        judged([league], tmp_path / "r.sqlite")
    outcome, told = judged([league], tmp_path / "r.sqlite")
    assert outcome.games == len(calls) - 1 == 2
    assert len(told) == 3


def test_other_settings_are_another_verdict(league: Path, tmp_path: Path) -> None:
    judged([league], tmp_path / "r.sqlite")
    lines: list[str] = []
    charts = tmp_path / "charts.yaml"
    charts.write_text("terrain: {mountain: 3}\n", encoding="utf-8")
    running.check_many([league], Settings(charts=str(charts)), tmp_path / "r.sqlite", tell=lines.append)
    assert len(lines) == 3


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_archives(league: Path, tmp_path: Path, kind: str) -> None:
    packed = tmp_path / f"league.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(packed, "w") as archive:
            for path in league.iterdir():
                archive.write(path, f"2026/{path.name}")
            archive.writestr("../out.vlog", b"x")
    else:
        with tarfile.open(packed, "w:gz") as archive:
            archive.add(league, "2026")
            link = tarfile.TarInfo("2026/link.vlog")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(link)
    outcome, told = judged([packed], tmp_path / "r.sqlite")
    assert (outcome.files["judged"], outcome.files["bad"], outcome.exit_code) == (3, 2, 1)
    assert told[0]["log"] == f"{packed}/2026/a other.vlog"
    assert not (tmp_path / "out.vlog").exists()


def test_a_damaged_archive_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"PK\x03\x04 nothing")
    (found,) = find_files([broken], tmp_path / "u")
    assert "damaged" in found.why


def test_processes_find_the_same(league: Path, tmp_path: Path) -> None:
    alone = judged([league], tmp_path / "1.sqlite")
    assert judged([league], tmp_path / "2.sqlite", jobs=2) == alone


def test_a_dead_worker_takes_nobody_along() -> None:
    pool = Processes(2)
    calls = [(abs, -1), (os._exit, 3), *((abs, -number) for number in range(2, 30))]
    answers = list(pool.run(operator.call, calls))
    pool.close()
    assert [answer for answer in answers if not isinstance(answer, Died)] == [1, *range(2, 30)]
    assert [isinstance(answer, Died) for answer in answers[:3]] == [False, True, False]


def test_a_cluster_finds_the_same(league: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed (extra 'cluster')")
    alone = judged([league], tmp_path / "1.sqlite")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        assert judged([league], tmp_path / "2.sqlite", cluster=cluster.scheduler_address) == alone
        next(iter(cluster.workers.values())).process.process.kill()  # before the run: the other worker does it all
        assert judged([league], tmp_path / "3.sqlite", cluster=cluster.scheduler_address) == alone


def test_the_command(
    league: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["check", str(league), "--csv", "findings.csv", "--html", "pages", "--json"]) == 1
    out, err = capsys.readouterr()
    assert "cut.vlog: bad: " in err
    assert "3  logs judged" in err
    lines = [json.loads(line) for line in out.splitlines()]
    assert {finding["check"] for log in lines for finding in log["findings"]} >= set(FAR)
    assert (tmp_path / "findings.csv").read_text(encoding="utf-8").count("MOVE-DIST-BOUND") == 3
    assert len(list((tmp_path / "pages").iterdir())) == 2
    (tmp_path / "lines.jsonl").write_text(out, encoding="utf-8")
    assert stats.stats("lines.jsonl") == stats.stats("hexref-results.sqlite")
    for by in stats.BY:
        assert cli.main(["stats", "hexref-results.sqlite", "--by", by]) == 0
    counted = capsys.readouterr().out
    assert "Ann" in counted  # she plays the UN, as the roster says; nobody plays the Chinese
    assert "(not told)" in counted
    assert "annpw" not in out


def test_nothing_to_judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.txt").write_text("x", encoding="utf-8")
    results = str(tmp_path / "r.sqlite")
    assert cli.main(["check", str(tmp_path / "logs"), "--results", results]) == 2
    assert cli.main(["check", str(tmp_path / "none"), "--jobs", "2", "--results", results]) == 2
    assert cli.main(["stats", str(tmp_path / "logs" / "a.txt")]) == 2
    assert "no such file or folder" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["check", str(tmp_path), "--jobs", "0"])
