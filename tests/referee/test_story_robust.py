"""Whatever a user writes, the referee answers or says what is wrong with it: it never breaks down."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from converter.errors import BadInput
from referee.judge import judge_story
from referee.story import Story, read_stories

STORIES = Path(__file__).resolve().parents[1] / "stories"
ALL = [story for path in sorted(STORIES.rglob("*.yaml")) for story in read_stories(path)]


def renamed(value: Any, names: dict[str, str]) -> Any:
    """An action with other units in it."""
    if isinstance(value, dict):
        return {key: renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def mixed(one: Story, other: Story, dice: random.Random) -> Story:
    """A story with actions, history and time of another one mixed in, and some facts left out."""
    mine = [str(unit["name"]) for unit in one.units] or ["nobody"]
    names = {str(unit["name"]): dice.choice(mine) for unit in other.units}
    actions = list(one.actions)
    for action in dice.sample(list(other.actions), min(len(other.actions), dice.randint(0, 3))):
        actions.insert(dice.randint(0, len(actions)), renamed(copy.deepcopy(action), names))
    units = [
        {key: value for key, value in unit.items() if key in ("name", "side") or dice.random() < 0.9}
        for unit in one.units
    ]
    return replace(
        one,
        actions=actions,
        units=units,
        phase=dice.choice([one.phase, other.phase, {}]),
        terrain=dice.choice([one.terrain, None, {"default": "unknown"}]),
        history=dice.choice([one.history, other.history]),
        given=dice.choice([one.given, other.given]),
        expect=[],
    )


@pytest.mark.parametrize("seed", range(8))
def test_mixed_up_stories_are_judged_or_refused(seed: int) -> None:
    dice = random.Random(seed)
    judged = 0
    for _ in range(100):
        one, other = dice.sample(ALL, 2)
        try:
            result = judge_story(mixed(one, other, dice))
        except BadInput:
            continue
        judged += 1
        assert json.loads(json.dumps(result)) == result
    assert judged > 50
