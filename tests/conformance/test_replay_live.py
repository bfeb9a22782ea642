"""Our replay against the engine's own, on long games that the engine plays at random."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from engine import Engine
from random_play import RandomGame, deck_elements, plan
from seeds import chosen_seed

from converter.vassal import metadata, piece_view
from converter.vassal.archive import open_archive
from converter.vassal.module import Module, read_module
from converter.vassal.new_module import write_module
from converter.vassal.savegame import new_game, write_game
from converter.vassal.stream import Stream
from referee.table.events import Chat, Undone
from referee.table.replay import Replay, open_replay

GAMES = 20
OPERATIONS = 230
SEED = chosen_seed("HEXREF_PLAY_SEED")

View = dict[str, tuple[object, ...]]


@pytest.fixture(scope="module")
def module_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("play") / "play.vmod"
    write_module(path, plan())
    return path


@pytest.fixture(scope="module")
def module(module_file: Path) -> Module:
    return read_module(module_file)


@pytest.fixture(scope="module")
def engine(engine_for: Callable[..., Engine], module_file: Path) -> Engine:
    return engine_for(module_file, side="Red", user="Ann", password="annpw", seed=1)


@pytest.fixture(scope="module")
def deck_save(module_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("deck") / "deck.vsav"
    with open_archive(module_file) as archive:
        module_data = metadata.decode(archive.read("moduledata"))
    write_game(path, new_game(Stream(deck_elements()), module_data, "3.5.8"))
    return path


def engine_view(state: dict[str, Any]) -> View:
    """Every piece as the engine has it: name, map, position, hex, and its stack from bottom to top."""
    stacks = {stack["id"]: tuple(stack["pieces"]) for stack in state["stacks"]}
    return {
        piece["id"]: (
            piece["properties"]["BasicName"],
            *((piece["map"], piece["x"], piece["y"], piece["properties"]["LocationName"]) if piece["map"] else ()),
            stacks.get(piece["stack"], (piece["id"],)),
            piece["properties"]["Step_Level"],
            piece["properties"]["Rotate_Facing"],
            piece["properties"]["Fuel"],
            piece["properties"]["Moved"],
        )
        for piece in state["pieces"]
    }


def our_view(replay: Replay) -> View:
    view: View = {}
    for key, counter in replay.game.counters.items():
        place = replay.layout.place(counter)
        values = piece_view.properties(counter.traits)
        view[key] = (
            values["BasicName"],
            *((place.map, place.x, place.y, place.hex or "offboard") if place.map else ()),
            tuple(member.id for member in counter.pile.members) if counter.pile else (key,),
            values["Step_Level"],
            values["Rotate_Facing"],
            values["Fuel"],
            values["Moved"],
        )
    return view


@pytest.mark.parametrize("game", range(GAMES))
def test_random_game(engine: Engine, module: Module, deck_save: Path, tmp_path: Path, game: int) -> None:
    log = tmp_path / "random.vlog"
    player = RandomGame(engine, SEED + game)
    live = player.play(log, OPERATIONS, deck_save if game % 4 == 0 else None)
    note = f"HEXREF_PLAY_SEED={SEED}, game {game}, {player.done}"

    loaded = engine("load", file=log)
    replay = open_replay(log, module)
    assert replay.step_count == loaded["steps"] > 200, note
    assert our_view(replay) == engine_view(engine("dump")["state"]), f"at the start, {note}"

    engine("replay", quiet=True, diff=False, tree=False)
    replayed = engine_view(engine("dump")["state"])
    steps = list(replay.steps())
    ours = our_view(replay)
    assert {key: ours.get(key) for key in replayed} == replayed, f"at the end, {note}"
    assert ours.keys() == replayed.keys(), note
    if not player.done.get("undo"):  # the engine's own replay of an undo may differ from what it did at the table
        assert ours == engine_view(live), f"against the table it was played on, {note}"
    for step in steps:  # the engine may say it took back what it left in place, but what it takes back we can name
        if Undone(None) in step.events:
            assert all(isinstance(event, Undone | Chat) for event in step.events), f"step {step.number}, {note}"
    assert not replay.all_problems(), note
