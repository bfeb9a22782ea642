"""Games of Yalu played at random by the rules in either edition, told well, badly or not at all: nobody is accused."""

from __future__ import annotations

import os

import pytest
from yalu_evening import Evening
from yalu_foul import KINDS, Foul

from referee.games.yalu import facts
from referee.verdict import Judged, Verdict

GAMES = int(os.environ.get("HEXREF_GAMES", "14"))
SEED = int(os.environ.get("HEXREF_SEED", "0"))
BROKEN_SEEDS = {
    "deluxe": [5, 9, 16, 17, 26, 29, 31, 33, 35, 51, 71, 90, 145, 171, 218, 346, 429, 551, 601],
    "classic": [1, 17, 31, 40, 68, 133, 151, 379, 434, 457, 514, 614, 621, 649, 699, 878, 1111],
}
"""Games that were once judged wrongly, each for a reason of its own."""


def accused(told: Judged) -> list[tuple[int, str, str]]:
    return [(one.step, one.check, one.message) for one in told.findings if one.verdict == Verdict.ILLEGAL]


@pytest.mark.parametrize("edition", facts.SCENARIOS)
@pytest.mark.parametrize("seed", range(SEED, SEED + GAMES))
def test_a_legal_game(seed: int, edition: str) -> None:
    evening = Evening(seed, edition)
    evening.play()
    told = evening.judged()
    assert told.judged > 0
    assert accused(told) == []


@pytest.mark.parametrize(("edition", "seed"), [(name, seed) for name in BROKEN_SEEDS for seed in BROKEN_SEEDS[name]])
def test_a_legal_game_that_was_once_judged_wrongly(edition: str, seed: int) -> None:
    evening = Evening(seed, edition)
    evening.play()
    assert accused(evening.judged()) == []


@pytest.mark.parametrize("edition", facts.SCENARIOS)
@pytest.mark.parametrize("seed", range(SEED, SEED + GAMES))
def test_a_legal_game_with_talk_or_in_two_logs(seed: int, edition: str) -> None:
    evening = Evening(seed, edition)
    evening.play()
    first, opening, rest = evening.split()
    assert accused(evening.judged(steps=evening.talked_over())) == []
    assert accused(evening.judged(steps=first)) == []
    assert accused(evening.judged(opening, rest)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_one_breach_among_legal_acts(kind: str) -> None:
    """It is found where players call everything out and the map is known, and nobody else is ever accused."""
    planted = found = 0
    for edition in facts.SCENARIOS:
        for seed in range(SEED, SEED + GAMES):
            evening = Foul(seed, edition, kind)
            evening.play()
            told = accused(evening.judged())
            if evening.planted is None:
                assert told == []
                continue
            if evening.planted:
                assert {step for step, _, _ in told} <= {evening.planted}
            else:
                assert {id for _, id, _ in told} <= {kind}
            if evening.habit in ("words", "both") and evening.known:
                planted += 1
                found += any(id == kind for _, id, _ in told)
    if kind in (
        "MOVE-MP",
        "SEQ-MOVE-OUTSIDE",
        "STACK-ENEMY",
        "NAV-MOVE-PHASE",
        "CBT-ADJACENT",
        "INF-RESULT",
        "CBT-ODDS",
    ):
        assert planted
        assert found == planted
