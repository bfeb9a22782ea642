"""A move that is too long is shown with the cheapest path, the cost of each hex and the zones of control on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.judge import judge_story
from referee.story import read_stories

STORY = """
- id: too-far
  game: {game}
  scenario: {scenario}
  phase: {{turn: 2, side: {side}, name: movement}}
  terrain: {{default: clear, hexes: {{"1012": rough}}}}
  units:
    - {{name: Mover, side: {side}, {factors}, hex: "1010"}}
    - {{name: Watcher, side: {enemy}, size: division, {enemy_factors}, hex: "1112"}}
  actions:
    - {{move: Mover, path: [{path}]}}
"""
YALU = {
    "game": "yalu",
    "scenario": "deluxe",
    "side": "UN",
    "enemy": "PVA",
    "factors": "size: division, factor: 10, move: 2",
}
YALU["enemy_factors"] = "factor: 4, move: 6"
FOLIO = {"game": "korean-battles", "scenario": "chosin-few", "side": "UN", "enemy": "Chinese"}
FOLIO["factors"] = "class: mobile, size: regiment, attack: 5, defense: 5, move: 2"
FOLIO["enemy_factors"] = "class: leg, attack: 4, defense: 4, move: 4"


def evidence(folder: Path, check: str, told: dict[str, str], path: str) -> dict[str, Any]:
    file = folder / "story.yaml"
    file.write_text(STORY.format(**told, path=path), "utf-8")
    (story,) = read_stories(file)
    found = [finding for finding in judge_story(story)["findings"] if finding["check"] == check]
    assert found, judge_story(story)
    evidence: dict[str, Any] = found[0]["evidence"]
    return evidence


@pytest.mark.parametrize(("told", "check"), [(YALU, "MOVE-MP"), (FOLIO, "MOVE-OVER-MA")], ids=["yalu", "folio"])
def test_each_hex_has_its_cost(tmp_path: Path, told: dict[str, str], check: str) -> None:
    shown = evidence(tmp_path, check, told, '"1010", "0910", "0909", "0808"')
    assert shown["path"] == ["1010", "0910", "0909", "0808"]
    assert [cost.split(":")[0] for cost in shown["costs"]] == ["0910", "0909", "0808"]
    assert shown["total"] == "3"
    assert "in_zone" not in shown


def test_zones_on_the_way_are_named(tmp_path: Path) -> None:
    shown = evidence(
        tmp_path,
        "MOVE-ZOC-CONTINUE",
        YALU | {"factors": "size: division, factor: 10, move: 9"},
        '"1010", "1011", "1012", "1013"',
    )
    assert shown["in_zone"] == ["1011", "1012"]
