"""The demo's log is what the real engine writes: the same game played anew in the module that the demo builds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from demo_play import Player, play
from engine import Engine

from referee.check import check
from referee.demo import MATERIAL, SCENARIO, make_counters_and_module, print_and_scan, read_the_scan
from referee.table import as_json, show
from referee.table.replay import open_replay


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    scenario = read_the_scan(print_and_scan(folder, print), folder / "3-scenario", print)
    return make_counters_and_module(scenario, folder, print)


def test_the_game_can_be_played_and_judged_anew(
    engine_for: Callable[..., Engine], module: Path, tmp_path: Path
) -> None:
    engine = engine_for(module, side="NK", user="Kim", password="practice-kim", seed=7)
    assert not engine.dialogs
    player = Player(engine, module)
    log = tmp_path / "again.vlog"
    engine("beginlog", file=log)
    play(player)
    engine("endlog")
    planted = [tuple(line) for line in yaml.safe_load((MATERIAL / "mistakes.yaml").read_text(encoding="utf-8"))]
    assert player.mistakes == planted
    (told,) = check([log], SCENARIO, module=module, charts=MATERIAL / "charts.yaml")
    assert {(finding.step, finding.check) for finding in told.findings if finding.verdict == "illegal"} == set(planted)

    def steps(path: Path) -> list[str]:
        replay = open_replay(path, module)
        return [show.step_text(as_json.step(step, replay)) for step in replay.steps()]

    assert steps(log) == steps(MATERIAL / "practice.vlog")
