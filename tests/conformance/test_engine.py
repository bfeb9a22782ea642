"""The driver itself: that the engine answers, plays, writes and reads, and says what it did."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from engine import Engine, EngineError

HEXES = {"dx": 62.35, "dy": 72.0, "x0": 50, "y0": 40}
NUMBERS = {"first": "H", "sep": "", "hType": "N", "vType": "N", "hLeading": 1, "vLeading": 1, "hOff": 1, "vOff": 1}


def test_a_hex_grid_made_for_the_question(any_engine: Engine) -> None:
    points = [(50, 40), (52, 43), (112, 76)]
    answer = any_engine.grid("HexGrid", (900, 700), HEXES, {**NUMBERS, "stagger": True}, points, ["0101", "nonsense"])
    assert answer.names == ["0101", "0101", "0202"]
    assert answer.snaps == [(50, 40), (50, 40), (112, 76)]
    assert answer.found == [(50, 40), None]


def test_a_square_grid_made_for_the_question(any_engine: Engine) -> None:
    squares = {"dx": 50, "dy": 40, "x0": 25, "y0": 20}
    numbers = {**NUMBERS, "sep": "-"}
    answer = any_engine.grid("SquareGrid", (500, 400), squares, numbers, [(30, 30), (80, 30)], ["02-01"])
    assert answer.names == ["01-01", "02-01"]
    assert answer.snaps == [(25, 20), (75, 20)]
    assert answer.found == [(75, 20)]


def test_many_points_at_once(any_engine: Engine) -> None:
    points = [(x, y) for x in range(0, 900, 6) for y in range(0, 700, 7)]
    answer = any_engine.grid("HexGrid", (900, 700), HEXES, NUMBERS, points)
    again = any_engine.grid("HexGrid", (900, 700), HEXES, NUMBERS, answer.snaps)
    assert len(answer.names) == len(points) == 15000
    assert again.snaps == answer.snaps


def test_opening_says_what_came_up(any_engine: Engine) -> None:
    assert any_engine.opened["module"] == "Tiny"
    assert any_engine.opened["dialogs"] == []


def test_a_game_is_played_logged_and_replayed(any_engine: Engine, tmp_path: Path) -> None:
    log = tmp_path / "game.vlog"
    any_engine("new")
    any_engine("beginlog", file=log)
    red = any_engine("place", slot="Red 1", map="Main Map", x=50, y=40)["id"]
    moved = any_engine("move", id=red, map="Main Map", x=110, y=80, diff=True)
    assert [change["location"] for change in moved["changed"] if change.get("name") == "Red 1"] == ["0202"]
    assert moved["logged"]
    assert "2d6 = " in any_engine("dice", name="2d6")["chat"][0]["text"]
    any_engine("chat", text="hello")
    any_engine("endlog")

    assert any_engine("load", file=log)["steps"] == 4
    assert any_engine("dump")["state"]["pieces"] == []
    steps = any_engine("replay")["steps"]
    assert [line["text"] for line in steps[3]["chat"]] == ["<Ann> - hello"]
    (piece,) = any_engine("dump")["state"]["pieces"]
    assert (piece["name"], piece["properties"]["LocationName"], piece["properties"]["Side"]) == ("Red 1", "0202", "Red")


def test_a_refused_operation_says_why(any_engine: Engine) -> None:
    with pytest.raises(EngineError, match="no map Nowhere"):
        any_engine("location", map="Nowhere", points=[[1, 2]])


def test_the_engine_is_shared(any_engine: Engine, engine_for: Callable[..., Engine], tiny_module: Path) -> None:
    assert engine_for(tiny_module, side="Red", user="Ann", seed=1) is any_engine
