"""A table copied, and a court that is shown another table."""

from __future__ import annotations

from pathlib import Path

from referee.games.korean_battles.opening import open_story
from referee.games.korean_battles.supply import in_supply
from referee.story import read_stories
from referee.table.position import Position
from referee.table.units import Unit

STORY = """
- id: supplied
  game: korean-battles
  scenario: chosin-few
  phase: {turn: 2, side: UN, name: movement}
  terrain: {default: clear}
  units:
    - {name: "5/1M", side: UN, hex: "0710", class: leg, size: regiment, attack: 5, defense: 6, move: 5}
    - {name: "59/1", side: Chinese, hex: "1218", class: leg, size: regiment, attack: 3, defense: 3, move: 4}
  actions: []
"""


def test_a_copy_goes_its_own_way() -> None:
    table = Position([(Unit("a", "5/1M", "UN"), "0710"), (Unit("b", "7/1M", "UN"), "0710")])
    other = table.copy()
    other.put("a", "0711")
    assert (table.where("a"), table.at("0710"), other.at("0710")) == ("0710", ("a", "b"), ("b",))


def test_supply_is_that_of_the_table_that_is_shown(tmp_path: Path) -> None:
    """The same unit, once alone and once with an enemy on every side of it."""
    path = tmp_path / "story.yaml"
    path.write_text(STORY, encoding="utf-8")
    court, _ = open_story(read_stories(path)[0])
    unit = court.unit("5/1M")
    alone, closed_in = court.position.copy(), court.position.copy()
    for number, hex in enumerate(court.grid.neighbours("0710")):
        closed_in.add(court.unit("59/1").but(id=str(number)), hex)
    closed_in.changes.clear()  # tables are told apart, whatever happened on them
    answers = []
    for table in (alone, closed_in, alone):
        court.lay(table)
        answers.append(in_supply(court, unit))
    assert answers == [True, False, True]
