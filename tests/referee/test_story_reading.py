"""Stories that are wrong are refused with file and line; stories that disagree with the referee say so."""

from __future__ import annotations

from pathlib import Path

import pytest

from converter.errors import BadInput
from referee.judge import judge

GOOD = """\
- id: example
  game: korean-battles
  scenario: chosin-few
  phase: {turn: 2, side: Chinese, name: movement}
  terrain: {default: clear}
  units:
    - {name: "58/1", side: Chinese, hex: "1005", class: leg, size: regiment, attack: 3, defense: 3, move: 4}
  actions:
    - {move: "58/1", to: "1006"}
  expect:
    - {action: 1, verdict: legal}
"""


def told(tmp_path: Path, text: str) -> str:
    path = tmp_path / "story.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        judge([path])
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("  phase:", "  fase: 1\n  phase:", 4, "unknown field 'fase' in story"),
        ("move: 4}", "move: 4, colour: red}", 7, "unknown field 'colour' in unit"),
        ('hex: "1005"', 'hex: "9905"', 7, "hex 9905 is not on the map"),
        ('to: "1006"', 'to: "0000"', 9, "hex '0000' is not on the map"),
        ('{move: "58/1"', '{teleport: "58/1"', 9, "no known verb"),
        ('to: "1006"}', 'to: "1006", speed: 9}', 9, "unknown field 'speed' beside 'move'"),
        ('{move: "58/1", to', '{move: "59/1", to', 9, "there is no unit '59/1'"),
        ("name: movement", "name: siesta", 4, "unknown phase 'siesta'"),
        ("side: Chinese, hex", "side: Martian, hex", 7, "unknown side 'Martian'"),
        ("default: clear", "default: lava", 5, "unknown terrain 'lava'"),
        ("verdict: legal", "verdict: maybe", 11, "'verdict' should be"),
        ("action: 1", "action: 7", 11, "'action' should be"),
        ("game: korean-battles", "game: chess", 2, "there is no game 'chess'"),
        ("scenario: chosin-few", "scenario: waterloo", 3, "no scenario 'waterloo'"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, old: str, new: str, line: int, what: str) -> None:
    message = told(tmp_path, GOOD.replace(old, new, 1))
    assert f"story.yaml:{line}:" in message
    assert what.replace("hex 9905", "") in message


def test_a_good_story(tmp_path: Path) -> None:
    path = tmp_path / "story.yaml"
    path.write_text(GOOD, encoding="utf-8")
    assert judge([path]) == [{"id": "example", "findings": [], "judged": 1, "mismatches": []}]


@pytest.mark.parametrize(
    ("expect", "complaint"),
    [
        ("{action: 1, verdict: illegal}", "expected illegal, the referee says legal"),
        ("{action: 1, verdict: unsure, check: MOVE-OVER-MA}", "expected unsure, the referee says legal"),
    ],
)
def test_a_mismatch_is_told(tmp_path: Path, expect: str, complaint: str) -> None:
    path = tmp_path / "story.yaml"
    path.write_text(GOOD.replace("{action: 1, verdict: legal}", expect), encoding="utf-8")
    [result] = judge([path])
    assert complaint in result["mismatches"][0]


def test_another_check_than_expected_is_a_mismatch(tmp_path: Path) -> None:
    text = GOOD.replace('to: "1006"', 'to: "1010"').replace("verdict: legal", "verdict: illegal, check: MOVE-OFF-MAP")
    path = tmp_path / "story.yaml"
    path.write_text(text, encoding="utf-8")
    [result] = judge([path])
    assert "expected MOVE-OFF-MAP" in result["mismatches"][0]


def test_a_given_fact_that_nobody_understands_is_a_doubt(tmp_path: Path) -> None:
    text = GOOD.replace('to: "1006"', 'to: "1010"').replace("  units:", "  given: {moon_phase: full}\n  units:")
    path = tmp_path / "story.yaml"
    path.write_text(text.replace("verdict: legal", "verdict: unsure"), encoding="utf-8")
    [result] = judge([path])
    assert result["mismatches"] == []
    assert "what is meant by the given 'moon_phase'" in result["findings"][0]["evidence"]["missing"]
