"""Korean Battles: three battles on the Folio rules (Pusan Perimeter, Inchon & Seoul, The Chosin Few)."""

from __future__ import annotations

from referee.checks import read_catalogue
from referee.court import verdicts
from referee.games.korean_battles import charts, facts
from referee.games.korean_battles.checks import CHECKS
from referee.games.korean_battles.opening import open_story
from referee.games.korean_battles.play import finish, play
from referee.story import Story
from referee.verdict import Judged

SCENARIOS = facts.SCENARIOS


def judge_story(story: Story) -> Judged:
    """Judge a story from its first action to its last."""
    court, events = open_story(story)
    last = 0
    for step in events.steps():
        play(court, step)
        last = step.number
    finish(court, last)
    return verdicts(court)


def rules_table() -> list[dict[str, str]]:
    """Every id of the catalogue with what the code does about it."""
    return CHECKS.table(read_catalogue(facts.GAME))


def charts_template(scenario: str | None = None) -> str:
    """A charts.yaml to fill in for a scenario."""
    return charts.template(scenario or SCENARIOS[0])
