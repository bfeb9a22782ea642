"""Opening a court: the table as a story sets it."""

from __future__ import annotations

from typing import Any

from referee.games.korean_battles import facts, names
from referee.games.korean_battles.charts import Charts, take
from referee.games.korean_battles.court import Court
from referee.games.korean_battles.story_given import read_given
from referee.games.korean_battles.story_history import read_history
from referee.games.korean_battles.story_markers import read_markers
from referee.games.korean_battles.story_units import build, strange_word, values_in
from referee.rulebook import plain
from referee.story import Story
from referee.story_events import StoryEvents
from referee.story_ground import read_ground
from referee.story_units import brought_in, clock_of, unit_lines
from referee.table.ledger import Fact
from referee.table.maps import hex_reader, wide_grid
from referee.table.position import Position


def open_story(story: Story) -> tuple[Court, StoryEvents]:
    """The court of a story and its actions as events."""
    if story.scenario not in facts.SCENARIOS:
        story.refuse(
            f"korean-battles has no scenario '{story.scenario}'; it has {', '.join(facts.SCENARIOS)}", "scenario"
        )
    scenario = facts.scenario(story.scenario)
    grid = wide_grid(facts.GAME, scenario.map)
    read = hex_reader(grid)
    charts = Charts()
    for name, value in story.assume.items():
        take(charts, name, value, scenario)
    position = Position()
    clock = clock_of(facts.BOOK, story, facts.calendar(scenario.id), facts.turn_of)
    frozen = facts.rules()["frozen_map"] if scenario.crt == "B" else None
    court = Court(
        scenario,
        grid,
        read_ground(story, facts.BOOK, read, grid.touch, frozen),
        charts,
        position,
        clock,
        complete=True,
    )
    where: dict[str, str | None] = {}
    done: list[tuple[str, str, Any]] = []
    for i, told, hex in unit_lines(facts.BOOK, story, facts.calendar(scenario.id), read):
        word = strange_word(told)
        if word is not None:
            story.refuse(f"unknown {word} {told[word]!r}", "units", i, word)
        unit = build(told, scenario, charts)
        if unit.id in where:
            story.refuse(f"two units are called '{unit.id}'", "units", i, "name")
        position.add(unit, hex)
        where[unit.id] = hex
        if told.get("eliminated"):
            position.kill(unit.id)
            court.ledger.add(Fact("eliminated", unit.id))
        done += [
            (word, unit.id, told[word]) for word in ("moved", "attacked", "advanced", "displaced") if told.get(word)
        ]
    for word, id, phase in done:
        when = facts.phase_names().get(plain(phase)) if isinstance(phase, str) else None
        court.ledger.add(Fact(word, id, court.turn, court.unit(id).side, when))
    read_markers(story, court)
    read_given(story, court)
    read_history(story, court)
    court.start = {unit.id: hex for unit, hex in position.on_map()}
    events = StoryEvents(story, read, where | dict.fromkeys(court.markers))
    _newcomers(story, court)
    return court, events


_TOLD_WITH_ENTRY = ("class", "size", "type", "attack", "defense", "depleted", "dummy", "hidden", "division")


def _newcomers(story: Story, court: Court) -> None:
    """Units that an action brings in without the story having listed them: the scenario's lists may know them."""
    for action in story.actions:
        for name in brought_in(action):
            if values_in(name) is not None or name in court.position.units or name in court.markers:
                continue
            spoken = action.get("side") or action.get("by") or action.get("nation")
            owner = facts.side_of(spoken, court.scenario.id) if isinstance(spoken, str) else None
            told = {key: action[key] for key in _TOLD_WITH_ENTRY if key in action}
            told["name"] = name
            now = court.phasing or facts.side_of(story.phase.get("side"), court.scenario.id)
            told["side"] = owner or _side_by_name(court, name) or now or court.scenario.sides[0]
            told["nation"] = facts.nation_of(action.get("nation") or "")
            court.position.add(build(told, court.scenario, court.charts), None)


def _side_by_name(court: Court, name: str) -> str | None:
    first = name.split()[0] if name.split() else ""
    return facts.side_of(first, court.scenario.id) or names.side_known(court.scenario, name)
