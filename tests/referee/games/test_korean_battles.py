"""Korean Battles: what the lists say, the charts a user supplies, and a log's opening."""

from __future__ import annotations

from pathlib import Path

import pytest

from converter.errors import BadInput
from referee.games.korean_battles import charts_template, facts
from referee.games.korean_battles.charts import read_charts, template
from referee.games.korean_battles.logs import LOGS
from referee.logs.judging import judge_log, open_log
from referee.report.json import check_json
from referee.report.text import report
from referee.rules.board import NEVER
from referee.table.acts import Step
from referee.table.binding import Piece
from referee.table.events import Chat, Moved, Place, Rolled, Undone
from referee.table.maps import wide_grid


@pytest.mark.parametrize(("scenario", "count"), [("pusan", 60), ("inchon-seoul", 38), ("chosin-few", 19)])
def test_lists_are_complete(scenario: str, count: int) -> None:
    assert len(facts.scenario(scenario).units) == count


@pytest.mark.parametrize("scenario", facts.SCENARIOS)
def test_listed_hexes_are_on_the_map(scenario: str) -> None:
    grid = wide_grid(facts.GAME, facts.scenario(scenario).map)
    for unit in facts.scenario(scenario).units:
        assert all(hex in grid for hex in (*unit.hexes, *unit.at))


def test_tables_have_one_penalty_a_row() -> None:
    """Each better row is one column worse for the attacker, whatever the differential ."""
    for which, first in (("A", 5), ("B", 4)):
        table = facts.table(which)
        for gap in range(-2, 12):
            columns = [table.column_in(row, gap) for row in table.rows]
            assert columns == sorted(columns)
        assert table.rows[-1].lowest[0] == -first


@pytest.mark.parametrize("scenario", facts.SCENARIOS)
def test_template_reads_back_empty(tmp_path: Path, scenario: str) -> None:
    path = tmp_path / "charts.yaml"
    path.write_text(template(scenario), encoding="utf-8")
    charts = read_charts(path, facts.scenario(scenario))
    assert charts.costs == {}
    assert charts.support == {}
    assert charts.options == {}
    assert charts_template(scenario) == template(scenario)


def test_charts(tmp_path: Path) -> None:
    path = tmp_path / "charts.yaml"
    path.write_text(
        "game: korean-battles\nterrain: {mountain: 3, hill: 1.5}\nhexsides: {han-river: prohibited}\n"
        "support: {1: 8/9, 2: 7/9}\noptions: {advance_after_elimination: true}\nregions: {Seoul: ['1306', '1307']}\n",
        encoding="utf-8",
    )
    charts = read_charts(path, facts.scenario("pusan"))
    assert charts.costs == {"mountain": 36, "hill": 18, "han-river": NEVER}
    assert charts.support_number(2, "NK") == 7
    assert charts.support_number(2, "UN") == 9
    assert charts.option("advance_after_elimination") is True
    assert charts.regions == {"Seoul": {"1306", "1307"}}


def test_charts_with_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "charts.yaml"
    path.write_text("terrain: {mountain: 3}\nflags: {red: 1}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"charts\.yaml:2: 'flags' is no chart"):
        read_charts(path, facts.scenario("pusan"))


def at(hex: str | None) -> Place:
    return Place("Main Map", 0, 0, hex) if hex else Place(None)


def moved(piece: str, origin: str | None, to: str | None) -> Moved:
    return Moved(piece, piece, at(origin), at(to))


def log() -> list[Piece]:
    return [
        Piece("p1", "5/1M", at("0710"), {"side": "UN"}),
        Piece("p2", "58/1", at("0705"), {"side": "Chinese"}),
        Piece("p3", "Game Turn", at("0101")),
    ]


def test_a_log_binds_listed_units_only() -> None:
    court = open_log(LOGS, "chosin-few", log())
    assert {unit.name for unit in court.position.units.values()} == {"5/1M", "58/1"}
    assert court.unit("p1").faces[0].attack == 8


def test_a_log_without_a_map_proves_only_distance() -> None:
    """Terrain, phase and class are unknown: eleven hexes are too far for any Marine, four are not."""
    court = open_log(LOGS, "chosin-few", log())
    judged = judge_log(LOGS, court, [Step(1, (moved("p1", "0710", "0706"),)), Step(2, (moved("p3", "0101", "0102"),))])
    assert {finding.verdict for finding in judged.findings} <= {"unsure"}
    assert judged.judged == 1
    court = open_log(LOGS, "chosin-few", log())
    judged = judge_log(LOGS, court, [Step(1, (moved("p1", "0710", "1808"),))])
    assert ("MOVE-DIST-BOUND", "illegal") in {(finding.check, finding.verdict) for finding in judged.findings}


def test_an_undone_step_is_not_judged() -> None:
    court = open_log(LOGS, "chosin-few", log())
    steps = [Step(1, (moved("p1", "0710", "1808"),)), Step(2, (moved("p1", "1808", "0710"), Undone(1)))]
    assert judge_log(LOGS, court, steps).findings == ()


def test_a_log_of_talk_and_dice() -> None:
    court = open_log(LOGS, "chosin-few", log())
    steps = [Step(1, (Chat("hello"), Rolled((3,), 6, "3")), "somebody"), Step(2, (moved("p2", "0705", None),))]
    judged = judge_log(LOGS, court, steps)
    assert judged.judged == 0  # a die for nobody knows what; a counter taken off the map may be anything
    assert court.position.where("p2") is None


def test_reports() -> None:
    court = open_log(LOGS, "chosin-few", log())
    judged = judge_log(LOGS, court, [Step(1, (moved("p1", "0710", "1808"),))])
    told = check_json("a.vlog", "korean-battles", "chosin-few", 1, judged.findings, judged.judged)
    assert told["summary"] == {"illegal": 1, "unsure": 0, "judged": 1}
    assert told["findings"][0]["units"] == ["5/1M"]
    text = report("a.vlog", judged.findings, judged.judged)
    assert "1 illegal" in text
    assert "rule 5.1; 5.2.1, MOVE-DIST-BOUND" in text
