"""Doubt is honest: what is illegal (or legal) with facts missing stays so however those facts turn out."""

from __future__ import annotations

import random
from typing import Any

import pytest

from converter.scenario.yaml_reading import Document
from referee.judge import judge_story
from referee.story import Story
from referee.table.maps import wide_grid

GRID = wide_grid("korean-battles", "pusan")
HEXES = list(GRID.within("1010", 3))
COSTS = {"hill": 2, "mountain": 3, "minor-river": 1}


def verdict(story: Story) -> str:
    said = {finding["verdict"] for finding in judge_story(story)["findings"]}
    return next((word for word in ("illegal", "unsure") if word in said), "legal")


def move_story(dice: random.Random) -> Story:
    """A drag across a small field of which much is not known."""
    hexes = dice.sample(HEXES, 6)
    mover = {"name": "M", "side": "NK", "hex": hexes[0], "size": "regiment", "attack": 3, "defense": 3}
    mover["move"] = dice.choice([2, 3, 4, 6, 8])
    mover |= dice.choice([{}, {"class": "leg"}, {"class": "mobile"}])
    enemies = [
        {"name": f"E{i}", "side": "UN", "hex": hex} | dice.choice([{}, {"size": "regiment"}, {"size": "battalion"}])
        for i, hex in enumerate(hexes[2 : 2 + dice.randint(0, 3)])
    ]
    known = {hex: dice.choice(["clear", "hill", "mountain"]) for hex in HEXES}
    pairs = [[a, b] for a in HEXES for b in GRID.neighbours(a) if b in HEXES and a < b]
    terrain: dict[str, Any] = {
        "default": "clear",
        "hexes": known,
        "unknown": dice.sample(HEXES, dice.randint(0, 20)),
        "roads": dice.sample(pairs, dice.randint(0, 12)),
        "rivers": dice.sample(pairs, dice.randint(0, 8)),
    }
    path: dict[str, Any] = {"move": "M", "to": hexes[1]}
    return Story(
        "x", "korean-battles", "pusan", Document("story.yaml"), (), {"turn": 2, "side": "NK", "name": "movement"},
        {"costs": COSTS, "mobile_ezoc_surcharge": dice.choice(["direct", "any"])}, {}, terrain, [mover, *enemies],
        [], [], [path],
    )  # fmt: skip


def told(story: Story, dice: random.Random) -> Story:
    """The same with every missing fact filled in at random; roads may turn up in hexes nobody had described."""
    terrain = dict(story.terrain or {})
    unknown = set(terrain.pop("unknown"))
    terrain["hexes"] = {
        hex: dice.choice(["clear", "hill", "mountain", "water"]) if hex in unknown else kind
        for hex, kind in terrain["hexes"].items()
    }
    hidden = [[a, b] for a in HEXES for b in GRID.neighbours(a) if b in HEXES and a < b and {a, b} & unknown]
    terrain["roads"] = [*terrain["roads"], *dice.sample(hidden, len(hidden) // 3)]
    units = []
    for unit in story.units:
        full = dict(unit)
        full.setdefault("size", dice.choice(["regiment", "battalion", "division"]))
        walks = full.get("move", 9) < 6 and full["size"] == "regiment"  # such a unit is taken for infantry
        full.setdefault("class", "leg" if walks else dice.choice(["leg", "mobile"]))
        units.append(full)
    waived = dice.choice([True, False])
    return Story(
        story.id, story.game, story.scenario, story.document, (), story.phase,
        {**story.assume, "road_waives_river": waived}, {}, terrain, units, [], [], story.actions,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(30))
def test_missing_facts_never_turn_a_verdict_round(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(15):
        story = move_story(dice)
        before = verdict(story)
        if before == "unsure":
            continue
        for _ in range(4):
            assert verdict(told(story, dice)) == before


def test_all_three_verdicts_occur() -> None:
    """Guards the test above: a generator that only makes doubts would prove nothing."""
    dice = random.Random(5)
    said = [verdict(move_story(dice)) for _ in range(200)]
    assert min(said.count(word) for word in ("legal", "illegal", "unsure")) >= 15
