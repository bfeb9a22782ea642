"""Real files by strangers: all of them are read, and come back to the byte; replays end where the engine's end.

The files stand beside the project, not in it; without them these tests are skipped.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from converter.vassal import commands, obfuscation, pieces, stream
from converter.vassal.archive import open_archive
from converter.vassal.module import Module, read_module
from converter.vassal.piece_view import properties
from converter.vassal.savegame import SavedGame, read_game
from converter.vassal.stream import Element
from converter.vassal.traits import SPECS, trait_id
from referee.table.replay import Replay, open_replay

SHARED = Path(__file__).resolve().parents[2] / "shared"
CORPUS, SAMPLES = SHARED / "corpus", SHARED / "oracle" / "samples"


def found(root: Path, *patterns: str) -> list[Path]:
    return sorted(path for pattern in patterns for path in root.glob(pattern))


def names(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(SHARED)) for path in paths]


GAMES = [
    *found(CORPUS, "logs/*.*log", "logs/*/*.log", "saves/*.*sav", "modules/*/*.vsav"),
    *found(SAMPLES, "*.vsav", "*.vlog"),
]
MODULES = [*found(CORPUS, "modules/*"), *found(SAMPLES, "*.vmod")]
TRUTHS = found(SAMPLES, "truth/*.json")

# What is odd about a file, and is told when it is read.
GAME_PROBLEMS = {
    "longest-day-scenario_5.sav": ["a bare stream without its zip; VASSAL itself would not open it"],
}
MODULE_PROBLEMS = {
    "longest-day": [  # only its build file is there
        f"map '{name}': board '{name}': size unknown, its picture '{picture}' is missing"
        for name, picture in (
            ("Normandy", "Map_Full.png"),
            ("Allied Airborne Display", "Allied_Airborne_Display.svg"),
            ("Allied Non-Divisional Reinforcements", "Allied_Non-Divisional_Reinforcements.svg"),
            ("Allied Entry Schedule", "Allied_Entry_Schedule.svg"),
            ("Allied Entry Track", "Allied_Entry_Track.svg"),
            ("Allied Remnants", "Allied_Remnants.svg"),
            ("German Entry Schedule", "German_Entry_Schedule.svg"),
            ("German Strategic Movement", "German_Strategic_Movement.svg"),
            ("Turn, Rail, & Port Tracks", "Tracks.svg"),
            ("Allied Aircraft Deployment Display", "Allied_Aircraft_Deployment_Display.svg"),
        )
    ],
    "hex-template.vmod": ["prototype 'INF-black': is not defined"],  # a slot uses it all the same
}
# Commands whose text we would write differently.
REWRITTEN = {
    "longest-day-scenario_5.sav": ["end_save\n"],  # typed by hand, with a line end after the last command
}
# Commands that belong to code of the module itself: VASL's boards and scenario card, Blood Bowl's crowd.
OWN_COMMANDS = {
    "asl-3d6.vlog": ["INFO", "bd"],
    "asl-empty.vlog": ["INFO", "bd"],
    "asl-full.vlog": ["INFO", "bd"],
    "asl-multiple-1.vlog": ["INFO", "bd"],
    "bloodbowl.vlog": ["HAKA:blue;3;Q", "HAKA:red;3;H"],
}

if not SHARED.is_dir():
    pytest.skip("no reference material: there is no folder 'shared' beside the project", allow_module_level=True)


@pytest.fixture(scope="module")
def games() -> dict[Path, SavedGame]:
    return {path: read_game(path) for path in GAMES}


def test_there_is_something_to_read() -> None:
    assert len(GAMES) >= 38
    assert len(MODULES) >= 8
    assert len(TRUTHS) >= 11


@pytest.mark.parametrize("path", GAMES, ids=names(GAMES))
def test_a_game_comes_back_to_the_byte(games: dict[Path, SavedGame], path: Path) -> None:
    game = games[path]
    assert [problem.what for problem in game.problems] == GAME_PROBLEMS.get(path.name, [])
    assert stream.encode(game.stream) == game.hidden.text
    with open_archive(path) as archive:
        assert obfuscation.hide(game.hidden) == archive.read("savedGame")
    anew = [Element.of(element.tree).raw for element in game.stream.elements]
    assert anew == [element.raw for element in game.stream.elements]


@pytest.mark.parametrize("path", GAMES, ids=names(GAMES))
def test_every_command_and_trait_of_a_game_is_typed(games: dict[Path, SavedGame], path: Path) -> None:
    rewritten, own, untyped, short = [], set(), set(), []
    for element in games[path].stream.elements:
        for text in element.heads():
            command = commands.parse(text)
            if commands.write(command) != text:
                rewritten.append(text)
            if isinstance(command, commands.Unknown):
                own.add(text.split("\t")[0])
            if isinstance(command, commands.AddPiece):
                links = pieces.type_links(command.type)
                untyped |= {trait_id(link) for link in links} - SPECS.keys()
                if len(pieces.unroll_states(command.state, len(links))) != len(links):
                    short.append(command.id)
    assert rewritten == REWRITTEN.get(path.name, [])
    assert sorted(own) == OWN_COMMANDS.get(path.name, [])
    assert not untyped
    assert not short


@pytest.mark.parametrize("path", GAMES, ids=names(GAMES))
def test_every_log_plays_to_its_end(games: dict[Path, SavedGame], path: Path) -> None:
    replay = Replay(games[path])
    steps = list(replay.steps())
    assert len(steps) == replay.step_count
    odd = [problem for problem in replay.all_problems() if "module's own code" not in problem.what]
    assert [problem.what for problem in odd] == GAME_PROBLEMS.get(path.name, [])


@pytest.mark.parametrize("path", MODULES, ids=names(MODULES))
def test_a_module_is_read(path: Path) -> None:
    module = read_module(path)
    assert [str(problem) for problem in module.problems] == MODULE_PROBLEMS.get(path.name, [])
    untyped = {trait_id(link) for slot in module.slots for link in pieces.type_links(slot.type)} - SPECS.keys()
    assert not untyped
    assert module.name


# --- against the engine ---


FIELDS = ("name", "map", "x", "y", "hex", "stack", "index")
Seen = dict[str, tuple[object, ...]]


def engine_view(truth: list[dict[str, Any]]) -> Seen:
    return {piece["id"]: tuple(piece[field] for field in FIELDS) for piece in truth}


def our_view(replay: Replay) -> Seen:
    view: Seen = {}
    for key, counter in replay.game.counters.items():
        place, pile = replay.layout.place(counter), counter.pile
        stack, index = (pile.id, pile.members.index(counter)) if pile else (None, -1)
        view[key] = (replay._name(counter), place.map, place.x, place.y, place.hex or "offboard", stack, index)
    return view


@pytest.fixture(scope="module")
def small_module() -> Module:
    return read_module(SAMPLES / "small.vmod")


@pytest.mark.parametrize("path", TRUTHS, ids=names(TRUTHS))
def test_positions_are_the_engines(small_module: Module, path: Path) -> None:
    truth = json.loads(path.read_text(encoding="utf-8"))
    replay = open_replay(SAMPLES / truth["file"], small_module)
    assert replay.step_count == truth["steps"]
    assert our_view(replay) == engine_view(truth["start"])
    steps = list(replay.steps())
    assert our_view(replay) == engine_view(truth["end"])
    assert len(steps) == truth["steps"]
    assert replay.all_problems() == []


# --- one real game in four logs ---

MARKED = "dragged between the logs, and its Moved mark set"
UNMARKED = "dragged between the logs"
LEFT_OR_JOINED = "lies where it lay; only its stack changed, because another counter came or went"
NEW = "put down between the logs"

# Piece, its name, the hexes before and after, and what happened that no log tells. The engine's own replay of the logs
# ends in the same positions as ours, so what differs here is what the players did while nobody was logging.
BETWEEN_1_AND_2 = """
1168285083474 | 3/8/4       | 3824 | 3428 | UNMARKED
1168285083512 | 746         | 3824 | 3428 | UNMARKED
1168285116078 | I/192/21    | 7140 | 7634 | MARKED
1168285102569 | 21/21       | 8948 | 8645 | MARKED
1168285062832 | 10/155/21   | 7842 | 7636 | MARKED
1168285072077 | 1243/243    | 1817 | 2023 | MARKED
1168285076451 | 1716/716    | 7734 | 7634 | MARKED
1168285111364 | II/100/21   | 8657 | 7945 | MARKED
1168285067135 | 10/192/21   | 7334 | 7636 | MARKED
1168285080371 | 21          | 9251 | 8645 | MARKED
1168285094534 | I/100/21    | 9151 | 8746 | MARKED
1168285105463 | 10/125/21   | 8140 | 7837 | MARKED
1168285107670 | 1352/352    | 4432 | 4229 | MARKED
1168285100600 | I/125/21    | 8745 | 8543 | MARKED
1168285100694 | 1709/709    | 2416 | 2818 | MARKED
1168285071827 | PzJg/243    | 1617 | 2024 | MARKED
1168285106008 | II/155/21   | 7843 | 7736 | MARKED
1168285101809 | 21          | 7670 | 8261 | MARKED
1168285069690 | PzJg/352    | 4431 | 4229 | MARKED
1168285083961 | 200/21      | 8165 | 8356 | MARKED
1168285112823 | 100         | 2527 | 2729 | MARKED
1168285080762 | I/155/21    | 7335 | 7636 | MARKED
1168285077653 | I/1058/91   | 2818 | 2818 | LEFT_OR_JOINED
1168285111458 | 305/21      | 7837 | 7837 | LEFT_OR_JOINED
1168733362973 | DISRUPT     | 7634 | 7634 | LEFT_OR_JOINED
1168285109340 | 4/1716      | 7634 | 7634 | LEFT_OR_JOINED
1168285005426 | INTERDICT 2 | 8645 | 8645 | LEFT_OR_JOINED
1168726244101 | CUT         |      | 9067 | NEW
1168786561955 | BH          |      | 7229 | NEW
1168726046556 | CUT         |      | 8751 | NEW
1168788284105 | BH          |      | 8130 | NEW
1168726112496 | CUT         |      | 9472 | NEW
"""
BETWEEN_3_AND_4 = """
1168285072077 | 1243/243    | 2023 | 2522 | UNMARKED
1168285109110 | KG 895      | 3930 | 3730 | UNMARKED
1168285077196 | 515         | 3977 | 4375 | UNMARKED
1168285108238 | 32/5/32     | 4029 | 3729 | UNMARKED
1168734712505 | DISRUPT     | 8333 | 8434 | UNMARKED
1168285116573 | 741         | 1859 | 1956 | UNMARKED
1168285075717 | I/4/1       | 4631 | 4328 | UNMARKED
1168285096422 | 711         | 9230 | 9034 | UNMARKED
1168285115533 | II/6 FS/91  | 2133 | 2230 | UNMARKED
1168285107307 | KG 955      | 3835 | 3731 | UNMARKED
1168285091110 | 642         | 8434 | 8434 | LEFT_OR_JOINED
1168285113568 | 435         | 3730 | 3730 | LEFT_OR_JOINED
1168285112695 | PzJg/243    | 2023 | 2023 | LEFT_OR_JOINED
1168285104427 | 32/2/32     | 3729 | 3729 | LEFT_OR_JOINED
1168285083842 | 191/91      | 2522 | 2522 | LEFT_OR_JOINED
1168285086645 | II/914/352  | 3729 | 3729 | LEFT_OR_JOINED
"""
WORDS = {"MARKED": MARKED, "UNMARKED": UNMARKED, "LEFT_OR_JOINED": LEFT_OR_JOINED, "NEW": NEW}

Difference = tuple[str, str, str, str]


class Lying(NamedTuple):
    name: str
    where: tuple[str | None, int, int]
    hex: str
    stack: tuple[str, ...]
    moved: bool
    traits: tuple[str, ...]


def read_table(text: str) -> dict[str, Difference]:
    rows = [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]
    return {key: (name, before, after, WORDS[word]) for key, name, before, after, word in rows}


def lying(replay: Replay) -> dict[str, Lying]:
    view = {}
    for key, counter in replay.game.counters.items():
        place = replay.layout.place(counter)
        stack = tuple(member.id for member in counter.pile.members) if counter.pile else (key,)
        moved = properties(counter.traits).get("Moved") == "true"
        unmarked = tuple(trait.state_text for trait in counter.traits[:-1] if trait.id != "markmoved")
        where = (place.map, place.x, place.y)
        view[key] = Lying(replay._name(counter), where, place.hex or "", stack, moved, unmarked)
    return view


def differences(before: dict[str, Lying], after: dict[str, Lying]) -> dict[str, Difference]:
    """What is not as the log before left it, each with the kind of its difference; "unexplained" where it fits none."""
    dragged = {key for key, now in after.items() if key not in before or before[key].where != now.where}
    different: dict[str, Difference] = {}
    for key in before.keys() | after.keys():
        was, now = before.get(key), after.get(key)
        if was == now:
            continue
        kind = "unexplained"
        if was is None and now is not None:
            kind = NEW
        elif was is not None and now is not None and was.traits == now.traits:
            if key in dragged and now.moved and not was.moved:
                kind = MARKED
            elif key in dragged and now.moved == was.moved:
                kind = UNMARKED
            elif key not in dragged and now.moved == was.moved and set(was.stack) ^ set(now.stack) <= dragged:
                kind = LEFT_OR_JOINED
        shown = now or was
        assert shown is not None
        different[key] = (shown.name, was.hex if was else "", now.hex if now else "", kind)
    return different


@pytest.fixture(scope="module")
def longest_day() -> list[tuple[dict[str, Lying], dict[str, Lying]]]:
    """The position at the start and at the end of each of the four logs."""
    module = read_module(CORPUS / "modules" / "longest-day")
    positions = []
    for number in (1, 2, 3, 4):
        replay = open_replay(CORPUS / "logs" / "longest-day" / f"0606-{number}.log", module)
        start = lying(replay)
        replay.play_to()
        positions.append((start, lying(replay)))
    return positions


@pytest.mark.parametrize(
    ("join", "table"),
    [(1, BETWEEN_1_AND_2), (2, ""), (3, BETWEEN_3_AND_4)],
    ids=["1 to 2", "2 to 3", "3 to 4"],
)
def test_each_log_opens_where_the_one_before_ended(
    longest_day: list[tuple[dict[str, Lying], dict[str, Lying]]], join: int, table: str
) -> None:
    end, opening = longest_day[join - 1][1], longest_day[join][0]
    assert len(end.keys() & opening.keys()) > 600
    assert differences(end, opening) == read_table(table)
