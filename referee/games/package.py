"""What every game's package offers, made from its own parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from referee.checks import Checks, read_catalogue
from referee.court import AnyCourt, verdicts
from referee.story import Story
from referee.story_events import StoryEvents
from referee.table.acts import Step
from referee.verdict import Judged


@dataclass(frozen=True)
class Package(Generic[AnyCourt]):
    """A game: how a story opens its court, how a step is played, how it ends; its checks; a charts.yaml to fill in."""

    open_story: Callable[[Story], tuple[AnyCourt, StoryEvents]]
    play: Callable[[AnyCourt, Step], None]
    finish: Callable[[AnyCourt, int], None]
    checks: Checks[Any]
    template: Callable[[str | None], str]

    def judge_story(self, story: Story) -> Judged:
        """Judge a story from its first action to its last."""
        court, events = self.open_story(story)
        last = 0
        for step in events.steps():
            self.play(court, step)
            last = step.number
        self.finish(court, last)
        return verdicts(court)

    def rules_table(self) -> list[dict[str, str]]:
        """Every id of the catalogue with what the code does about it."""
        return self.checks.table(read_catalogue(self.checks.game))

    def charts_template(self, scenario: str | None = None) -> str:
        """A charts.yaml to fill in for a scenario."""
        return self.template(scenario)
