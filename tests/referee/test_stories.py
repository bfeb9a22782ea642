"""Every story under tests/stories, judged as a user would judge it. A story is a test; its id is the test's name."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.checks import read_catalogue
from referee.games import game_ids, rules_table
from referee.judge import judge_story
from referee.story import Story, read_stories

STORIES = Path(__file__).resolve().parents[1] / "stories"
ALL = [story for path in sorted(STORIES.rglob("*.yaml")) for story in read_stories(path)]


@pytest.mark.parametrize("story", ALL, ids=lambda story: f"{story.game}:{story.id}")
def test_story(story: Story) -> None:
    result = judge_story(story)
    assert result["mismatches"] == []
    listed = {expected["action"] for expected in story.expect}
    others = [finding for finding in result["findings"] if finding["action"] not in listed]
    assert not others, "findings on actions of which the story expects nothing"


def test_ids_are_unique() -> None:
    names = [(story.game, story.id) for story in ALL]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("game", game_ids())
def test_every_check_has_a_breach_and_a_twin(game: str) -> None:
    """Each checked id is shown at work: a story that raises it, and next to it a legal one of the same name."""
    stories = [story for story in ALL if story.game == game]
    raised = {e.get("check") for story in stories for e in story.expect if e["verdict"] != "legal"}
    names = {story.id for story in stories}
    checked = [row["check"] for row in rules_table(game) if row["status"] != "not"]
    assert [id for id in checked if id not in raised] == []
    assert [id for id in checked if f"{id.lower()}-twin" not in names] == []


@pytest.mark.parametrize("game", game_ids())
def test_rules_table_is_the_catalogue(game: str) -> None:
    catalogue = read_catalogue(game)
    table = rules_table(game)
    assert [row["check"] for row in table] == list(catalogue)
    assert all(row["status"] in ("checked", "partly", "not") for row in table)
    assert all(row["why"] for row in table if row["status"] != "checked")


@pytest.mark.parametrize("game", game_ids())
def test_doubtful_rules_are_never_proved(game: str) -> None:
    """An id of severity W is `illegal` only where the players settled the reading, or the case has only one."""
    catalogue = read_catalogue(game)
    proved = {
        e["check"]
        for story in ALL
        for e in story.expect
        if story.game == game and e["verdict"] == "illegal" and e.get("check") in catalogue and not story.assume
    }
    assert {id for id in proved if catalogue[id].severity == "W"} <= {"REINF-WRONG-PHASE"}
