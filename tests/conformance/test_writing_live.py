"""What we write, the real engine opens: a module, a save and a log, without a question, each piece in its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from engine import Engine
from random_play import MAIN, POOL, counter, plan

from converter.vassal import metadata
from converter.vassal.archive import open_archive
from converter.vassal.commands import AddPiece, Boards, ChangePiece, Chat, MovePiece, Player, RemovePiece, Spot
from converter.vassal.compose import opening, step
from converter.vassal.module import read_module
from converter.vassal.new_module import write_module
from converter.vassal.pieces import roll, unroll
from converter.vassal.savegame import SavedGame, new_game, read_game, write_game
from converter.vassal.stream import Element, Stream
from referee.table.replay import open_replay

VERSION = "3.5.8"
LABELS = ("0101", "0304", "0304", "0605", "1108", "1402")


@pytest.fixture(scope="module")
def module_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("written") / "written.vmod"
    write_module(path, plan())
    return path


@pytest.fixture(scope="module")
def engine(engine_for: Callable[..., Engine], module_file: Path) -> Engine:
    return engine_for(module_file, side="Red", user="Ann", password="annpw", seed=1)


def at(state: str, map_name: str, x: int, y: int) -> str:
    """A counter's state with its place put in."""
    *links, basic = unroll(state)
    return roll([*links, ";".join([map_name, str(x), str(y), *basic.split(";")[3:]])])


def position(module_file: Path) -> tuple[list[AddPiece], list[tuple[int, int]]]:
    """Counters on labelled hexes of the padded map, two of them in one stack, and one on the second map."""
    layout = read_module(module_file).maps[0].layout()
    points = [layout.point(label) for label in LABELS]
    pieces, stacks = [], {}
    for number, point in enumerate(points):
        assert point is not None
        one = counter(f"Red {number + 1}", "Red", stacks=True)
        pieces.append(AddPiece(str(100 + number), one.type, at(one.state, MAIN, *point)))
        stacks.setdefault(point, []).append(str(100 + number))
    gone = counter("Blue 1", "Blue", stacks=True)
    pieces.append(AddPiece("200", gone.type, at(gone.state, POOL, 50, 60)))
    for number, (point, members) in enumerate(stacks.items()):
        state = ";".join([MAIN, *map(str, point), *members, "@@-1"])
        pieces.append(AddPiece(str(300 + number), "stack", state))
    return pieces, [point for point in points if point is not None]


def saved(module_file: Path, *steps: Element) -> SavedGame:
    pieces, _ = position(module_file)
    boards = [Boards(MAIN, (("Field", 0, 0, False),)), Boards(POOL, (("Pool", 0, 0, False),))]
    elements = opening(pieces, [Player("annpw", "Ann", "Red"), *boards])
    with open_archive(module_file) as archive:
        module_data = metadata.decode(archive.read("moduledata"))
    return new_game(Stream([*elements, *steps]), module_data, VERSION)


def places(state: dict[str, Any]) -> dict[str, tuple[object, ...]]:
    stacks = {stack["id"]: tuple(stack["pieces"]) for stack in state["stacks"]}
    return {
        piece["id"]: (piece["map"], piece["x"], piece["y"], stacks.get(piece["stack"], (piece["id"],)))
        for piece in state["pieces"]
    }


def ours(path: Path, module_file: Path) -> dict[str, tuple[object, ...]]:
    replay = open_replay(path, module_file)
    replay.play_to()
    found: dict[str, tuple[object, ...]] = {}
    for key, piece in replay.game.counters.items():
        members = tuple(member.id for member in piece.pile.members) if piece.pile else (key,)
        found[key] = (piece.map.name if piece.map else None, *piece.point, members)
    return found


def test_module_and_save(engine: Engine, module_file: Path, tmp_path: Path) -> None:
    assert engine.opened["dialogs"] == []
    path = tmp_path / "ours.vsav"
    write_game(path, saved(module_file))
    answer = engine("load", file=path)
    assert answer["dialogs"] == []
    assert answer["gameStarted"]
    state = engine("dump")["state"]
    assert [piece["properties"]["LocationName"] for piece in state["pieces"] if piece["map"] == MAIN] == list(LABELS)
    assert places(state) == ours(path, module_file)
    assert places(state)["101"][3] == ("101", "102")


def test_log(engine: Engine, module_file: Path, tmp_path: Path) -> None:
    pieces, points = position(module_file)
    (ax, ay), (bx, by), (cx, cy) = points[0], points[1], points[3]
    state = pieces[0].state
    flipped = roll([link if link != "1" else "2" for link in unroll(at(state, MAIN, bx, by))])
    steps = [
        step([MovePiece("100", Spot(MAIN, bx, by, "102"), Spot(MAIN, ax, ay, None), "annpw"), Chat("* Red 1 \\")]),
        step([ChangePiece("100", flipped, at(state, MAIN, bx, by))]),
        step([MovePiece("301", Spot(MAIN, cx, cy, None), Spot(MAIN, bx, by, None), "annpw")]),
        step([RemovePiece("104"), Chat("&lt;Ann&gt; - 'gone'")]),
        step([MovePiece("105", Spot(POOL, 50, 60, "200"), Spot(MAIN, *points[5], None), "annpw")]),
    ]
    path = tmp_path / "ours.vlog"
    write_game(path, saved(module_file, *steps))
    answer = engine("load", file=path)
    assert (answer["dialogs"], answer["steps"]) == ([], len(steps))
    assert engine("replay", quiet=True)["dialogs"] == []
    state_after = engine("dump")["state"]
    assert places(state_after) == ours(path, module_file)
    red = next(piece for piece in state_after["pieces"] if piece["id"] == "100")
    assert red["name"] == "Red 1 (reduced)"


def test_rewritten_file_is_the_same_to_the_engine(engine: Engine, module_file: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.vsav", tmp_path / "second.vsav"
    write_game(first, saved(module_file))
    engine("load", file=first)
    engine("save", file=second)
    genuine = read_game(second)
    write_game(tmp_path / "again.vsav", genuine)
    assert read_game(tmp_path / "again.vsav").hidden == genuine.hidden
    before = engine("encode_state")["encoded"]
    assert engine("load", file=tmp_path / "again.vsav")["dialogs"] == []
    assert engine("encode_state")["encoded"] == before
