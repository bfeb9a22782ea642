"""The turns that the engine plays live, on paper and with many dice: each breach is found, no fair turn doubted."""

from __future__ import annotations

from pathlib import Path

import pytest
from fair_play import FAIR_CHARTS, Defence, rich_map, waiting_fair
from foul_play import CASTS, CHARTS, Planted, Prosecution, set_up, waiting
from korean_battles_play import write
from written_log import Paper

from referee.check import check
from referee.verdict import Verdict

CLEAR = """
version: 1
name: clear
grid: {{columns: {0}, rows: {1}}}
complete: [hexsides, links]
default_terrain: {{kind: clear, source: {{person: a test}}}}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("fair")
    (where / "charts.yaml").write_text(CHARTS + FAIR_CHARTS, encoding="utf-8")
    for battle in CASTS:
        write(where / f"{battle}.vmod", battle)
        grid = set_up(battle).grid
        (where / f"{battle}-clear.yaml").write_text(CLEAR.format(grid.columns, grid.rows), encoding="utf-8")
        (where / f"{battle}-rich.yaml").write_text(rich_map(set_up(battle)), encoding="utf-8")
    return where


@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize("battle", CASTS)
def test_a_fair_turn(folder: Path, battle: str, seed: int) -> None:
    field = set_up(battle)
    paper = Paper(folder, battle, {**field.where, **dict.fromkeys(waiting_fair(field))}, seed)
    defence = Defence(paper, field)
    defence.play()
    assert defence.mobile_fights
    sheet = folder / f"{battle}-rich.yaml"
    told = check([paper.end(folder / "fair.vlog")], f"korean-battles/{battle}", sheet, charts=folder / "charts.yaml")[0]
    assert told.judged > 50
    assert told.findings == ()


@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize("battle", CASTS)
def test_a_foul_turn(folder: Path, battle: str, seed: int) -> None:
    field = set_up(battle)
    paper = Paper(folder, battle, {**field.where, **dict.fromkeys(waiting(battle))}, seed)
    planted = Planted()
    Prosecution(paper, field, planted).play()
    sheet = folder / f"{battle}-clear.yaml"
    told = check([paper.end(folder / "foul.vlog")], f"korean-battles/{battle}", sheet, charts=folder / "charts.yaml")[0]
    found: dict[int, set[str]] = {}
    for finding in told.findings:
        if finding.verdict == Verdict.ILLEGAL:
            found.setdefault(finding.step, set()).add(finding.check)
    assert [(step, id) for step, id in planted.fouls if id not in found.get(step, ())] == []
    assert set(found) == {step for step, _ in planted.fouls}
    assert len(planted.ids) >= 30
