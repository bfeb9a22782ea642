"""What the editions of Yalu share and where they part: rule numbers, and one overstack found once."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.checks import catalogue_of
from referee.games.yalu import facts
from referee.judge import judge

_CLASSIC = """
- id: zone
  title: goes on in a zone of control
  game: yalu
  scenario: {edition}
  phase: {{turn: 6, side: Communist, name: movement}}
  terrain: {{default: clear}}
  units:
    - {{name: PVA 112, side: PVA, move: 6, hex: "1010"}}
    - {{name: US 2, side: US, size: division, hex: "1012"}}
  actions: [{{move: PVA 112, path: ["1010", "1011", "1110"]}}]
"""
_OVERSTACK = """
- id: overstack
  title: three divisions end their movement together
  game: yalu
  scenario: deluxe
  phase: {turn: 6, side: UN, name: movement}
  terrain: {default: clear}
  units:
    - {name: US 2, side: US, size: division, move: 5, hex: "1025"}
    - {name: US 3, side: US, size: division, move: 5, hex: "1026"}
    - {name: US 24, side: US, size: division, move: 5, hex: "1026"}
  actions:
    - {move: US 2, to: "1026"}
    - {phase: {side: UN, name: combat}}
"""


def test_every_entry_of_the_catalogue_has_a_classic_rule_or_rests_on_deluxe_rules_alone() -> None:
    classic = facts.scenario("classic")
    assert set(classic.rule_numbers) | set(classic.unasked) == set(catalogue_of("yalu"))
    assert not set(classic.rule_numbers) & set(classic.unasked)
    assert all(rule.startswith("C") for rule in classic.rule_numbers.values())


@pytest.mark.parametrize(("edition", "rule"), [("classic", "C8"), ("deluxe", "8.3.1.1")])
def test_a_finding_cites_its_own_edition(edition: str, rule: str, tmp_path: Path) -> None:
    path = tmp_path / "story.yaml"
    path.write_text(_CLASSIC.format(edition=edition), encoding="utf-8")
    [finding] = judge([path])[0]["findings"]
    assert (finding["check"], finding["rule"]) == ("MOVE-ZOC-CONTINUE", rule)


@pytest.mark.parametrize(
    ("after", "found"),
    [
        ("    - {neutralize: [US 2, US 3, US 24]}\n", ["STACK-UN-LIMIT"]),
        ("", ["STACK-NOT-NEUTRALIZED", "STACK-UN-LIMIT"]),
        ("    - {neutralize: [US 2, US 3]}\n", ["STACK-NOT-NEUTRALIZED", "STACK-UN-LIMIT"]),
    ],
)
def test_an_overstack_found_at_the_end_of_un_movement_is_neutralized_then(
    after: str, found: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "story.yaml"
    path.write_text(_OVERSTACK + after, encoding="utf-8")
    findings = judge([path])[0]["findings"]
    assert sorted(finding["check"] for finding in findings) == found
    assert {finding["action"] for finding in findings} == {2}
