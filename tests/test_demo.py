"""The demo makes what it says, and what it makes can be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.demo import MOVES, UNITS, run
from referee.table import as_json
from referee.table.replay import open_replay


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo")
    said: list[str] = []
    run(path, said.append)
    assert all(any(str(file) in line for line in said) for file in path.iterdir())
    return path


def test_the_grid_of_the_scan_is_the_map_s(folder: Path) -> None:
    grid = json.loads((folder / "2-grid.json").read_text(encoding="utf-8"))
    assert grid["dy"] == pytest.approx(56, rel=0.02)
    assert not grid["sideways"]


def test_the_log_ends_where_the_moves_lead(folder: Path) -> None:
    replay = open_replay(folder / "4-practice.vlog", folder / "3-practice.vmod")
    replay.play_to()
    state = as_json.state(replay)
    where = {piece["properties"]["BasicName"]: piece["hex"] for piece in state["pieces"]}
    assert where == {name: hex for name, (_, hex) in UNITS.items()} | dict(MOVES)
    assert not state["problems"]
    assert "practice" not in json.dumps(state).replace("Practice", "")
