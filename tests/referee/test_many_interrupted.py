"""A run over many logs that is broken off in the middle, by the user or by a worker's death, loses nothing."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from korean_battles_play import write
from written_log import Writer

import cli
from referee.many import run as running
from referee.many.work import Settings

ROOT = Path(__file__).resolve().parents[2]
GAMES = 60
ENOUGH = 12
"""Logs that are told before the run is broken off."""


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of one log each, no two alike, every other one with a move that is too long."""
    folder = tmp_path_factory.mktemp("season")
    write(folder / "chosin.vmod", "chosin-few")
    for number in range(GAMES):
        goal = "1101" if number % 2 else "1112"
        start = f"{11 + number % 8:02}{11 + number // 8:02}"
        Writer(folder, {"58/1": "1111", "5/1M": start}).move("58/1", goal).write(folder / f"game {number:02}.vlog")
    return folder


def run(season: Path, results: Path, told: Callable[[list[str]], None] = lambda lines: None, **more: Any) -> list[str]:
    """Every line that the run tells; `told` sees those so far after each."""
    lines: list[str] = []

    def tell(line: str) -> None:
        lines.append(line)
        told(lines)

    running.check_many([season], Settings(version=cli.__version__), results, tell=tell, **more)
    return lines


@pytest.fixture(scope="module")
def lines(season: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What one process tells that nobody disturbs."""
    told = run(season, tmp_path_factory.mktemp("calm") / "r.sqlite")
    assert len(told) == GAMES
    return told


@pytest.mark.skipif(os.name == "nt", reason="Windows has no process groups to signal")
def test_ctrl_c_keeps_what_was_done(
    season: Path, lines: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "r.sqlite"
    command = [sys.executable, str(ROOT / "cli.py"), "check", str(season), "--jobs", "2", "--json", "--quiet"]
    with subprocess.Popen(
        [*command, "--results", str(results)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for _ in range(ENOUGH):
            assert process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: the workers get it too
        process.stdout.read()
        assert "Traceback" not in process.stderr.read()
    assert process.returncode == 130
    with closing(sqlite3.connect(results)) as kept:
        (done,) = kept.execute("SELECT count(*) FROM games").fetchone()
    assert ENOUGH <= done < GAMES

    again: list[Any] = []
    judge = running.judge_games
    monkeypatch.setattr(running, "judge_games", lambda tasks, settings: again.extend(tasks) or judge(tasks, settings))
    assert run(season, results) == lines
    assert len(again) == GAMES - done


def test_a_worker_of_a_cluster_dies_in_the_middle(season: Path, lines: list[str], tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    killed: list[int] = []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as cluster:

        def kill_one(told: list[str]) -> None:
            if len(told) == ENOUGH:
                worker = next(iter(cluster.workers.values())).process.process
                killed.append(worker.pid)
                worker.kill()

        assert run(season, tmp_path / "r.sqlite", kill_one, cluster=cluster.scheduler_address) == lines
    assert len(killed) == 1
