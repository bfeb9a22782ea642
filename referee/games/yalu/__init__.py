"""Yalu: the Chinese counteroffensive in Korea, Deluxe edition of 2009 and Classic edition of 1977."""

from __future__ import annotations

from referee.checks import read_catalogue
from referee.court import verdicts
from referee.games.yalu import charts, facts
from referee.games.yalu.checks import CHECKS
from referee.games.yalu.opening import open_story
from referee.games.yalu.play import finish, play
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
    """A charts.yaml to fill in."""
    return charts.template()
