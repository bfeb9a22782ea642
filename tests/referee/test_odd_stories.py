"""Stories with a slip in them: refused at the line, or judged with a doubt, and nobody is accused over a typo."""

from __future__ import annotations

from pathlib import Path

import pytest

import cli

STORY = """- id: base
  rule: "5.1"
  title: t
  game: korean-battles
  scenario: chosin-few
  phase: {turn: 2, side: Chinese, name: movement}
  terrain: {default: clear}
  units:
    - {name: "59/1", side: Chinese, hex: "1010", class: leg, size: regiment, attack: 3, defense: 3, move: 4}
    - {name: "5/1M", side: UN, hex: "1013", class: leg, size: regiment, attack: 5, defense: 6, move: 5}
  actions:
    - {move: "59/1", to: "1008"}
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("units:", "units: [", 9, "not YAML"),
        ("  title: t", "  title: t\n  terain: {}", 4, "unknown field 'terain'"),
        ('hex: "1010"', 'hex: "9910"', 9, "'9910' is not on the map"),
        ('to: "1008"', 'to: "9908"', 12, "'9908' is not on the map"),
        ('move: "59/1"', 'move: "59/9"', 12, "no unit '59/9'"),
        ("{move: ", "{mvoe: ", 12, "no known verb"),
        ("to: ", "too: ", 12, "unknown field 'too'"),
        ("side: Chinese, hex", "side: Martian, hex", 9, "unknown side 'Martian'"),
        ("name: movement", "name: dancing", 6, "unknown phase 'dancing'"),
        ("turn: 2", "turn: two", 6, "'turn' should be a number"),
        ("chosin-few", "chosin-many", 5, "no scenario 'chosin-many'"),
        ("korean-battles", "korean-battle", 4, "no game 'korean-battle'"),
        ("size: regiment, attack: 3", "sise: regiment, attack: 3", 9, "unknown field 'sise'"),
        ("move: 4", "move: four", 9, "'move' should be a number"),
        ("move: 4", "move: -4", 9, "'move' should be a number"),
        ("default: clear", "default: moonscape", 7, "unknown terrain 'moonscape'"),
        ('"5/1M", side', '"59/1", side', 10, "two units are called '59/1'"),
        ('{move: "59/1", to: "1008"}', "{roll: six}", 12, "in numbers"),
        ('{move: "59/1", to: "1008"}', "{roll: 7}", 12, "a die with 6 sides does not show 7"),
        ('{move: "59/1", to: "1008"}', "{roll: [3, 0]}", 12, "a die with 6 sides does not show 0"),
        ('{move: "59/1", to: "1008"}', "{roll: 11, sides: 10}", 12, "a die with 10 sides does not show 11"),
        ('{move: "59/1", to: "1008"}', "{roll: 1, sides: 0}", 12, "'sides' should be a number"),
        ("default: clear", 'default: clear, roads: [["1010", "1012"]]', 7, "1010 and 1012 do not touch"),
        ("default: clear", 'default: clear, trails: [["1010", "1011", "1013"]]', 7, "1011 and 1013 do not touch"),
        ("default: clear", 'default: clear, hexsides: {river: [["1010", "1012"]]}', 7, "1010 and 1012 do not touch"),
        ("default: clear", 'default: clear, rivers: [["1010"]]', 7, "named by two hexes"),
        ("class: leg", "class: lag", 9, "unknown class 'lag'"),
        ("size: regiment", "size: regimant", 9, "unknown size 'regimant'"),
        ("class: leg, size: regiment", "type: hg", 9, "unknown type 'hg'"),
        (
            '"1008"}\n',
            '"1008"}\n  expect:\n    - {action: 1, verdict: legal, check: MOVE-OVER-AM}\n',
            14,
            "has no 'MOVE-OVER-AM'; did you mean MOVE-OVER-MA?",
        ),
        (
            '"1008"}\n',
            '"1008"}\n  expect:\n    - {action: 1, verdict: illegal, accept: [MOVE-OVER-MA, X]}\n',
            14,
            "has no 'X'",
        ),
        ('{move: "59/1", to: "1008"}', '{declare: {attackers: ["77/7"], target: "1013"}}', 12, "no unit '77/7'"),
    ],
)
def test_a_slip_is_refused_at_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, line: int, words: str
) -> None:
    path = tmp_path / "story.yaml"
    assert old in STORY
    path.write_text(STORY.replace(old, new, 1), encoding="utf-8")
    assert cli.main(["judge", str(path)]) == 2
    told = capsys.readouterr().err.strip()
    assert told.startswith(f"hexref: {path}:{line}: ")
    assert words in told
    assert "\n" not in told


@pytest.mark.parametrize("phase", ["{side: Unn, name: movement}", "{side: UN, name: mvement}", "Unn movement"])
def test_a_phase_nobody_understands_accuses_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], phase: str
) -> None:
    """A UN unit moves in what was to be its phase."""
    actions = f'- {{phase: {phase}}}\n    - {{move: "5/1M", to: "1015"}}'
    path = tmp_path / "story.yaml"
    path.write_text(STORY.replace('- {move: "59/1", to: "1008"}', actions), encoding="utf-8")
    assert cli.main(["judge", str(path)]) == 0
    assert "illegal " not in capsys.readouterr().out.replace("nothing illegal", "")
