"""Is this legal? Stories judged by their game's referee."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from referee.checks import catalogue_of
from referee.games import game_ids, game_of
from referee.story import Story, mismatches, read_stories
from referee.story_events import as_list


def judge(paths: Iterable[str | Path]) -> list[dict[str, Any]]:
    """The results of all stories of these files, as `judge --json` prints them."""
    return [judge_story(story) for path in paths for story in read_stories(Path(path))]


def judge_story(story: Story) -> dict[str, Any]:
    """One story: what the referee finds, and where that is not what the story expects."""
    game = game_of(story.game) or story.refuse(
        f"there is no game '{story.game}'; there is {', '.join(game_ids())}", "game"
    )
    _check_expected(story)
    judged = game.judge_story(story)
    findings = [finding.as_json("action") for finding in judged.findings]
    result: dict[str, Any] = {"id": story.id, "findings": findings, "judged": judged.judged}
    result["mismatches"] = list(mismatches(story, findings))
    if judged.notes:
        result["notes"] = list(judged.notes)
    return result


def _check_expected(story: Story) -> None:
    """Refuse an `expect` with an id that the game's catalogue does not have."""
    known = catalogue_of(story.game)
    for i, expected in enumerate(story.expect):
        for field in ("check", "accept"):
            for id in as_list(expected.get(field)):
                if id not in known:
                    near = get_close_matches(str(id), known, 1)
                    hint = f"; did you mean {near[0]}?" if near else ""
                    story.refuse(f"the catalogue of {story.game} has no '{id}'{hint}", "expect", i, field)
