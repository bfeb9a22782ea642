"""No two games hold the same lines: what two games need stands once, in the general code that both use."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("referee/games", "converter/games")
BLOCK = 6


def lines_of(source: str) -> list[tuple[int, str]]:
    """The lines that say something, numbered: not blank, no comment, no import."""
    imported: set[int] = set()
    for statement in ast.walk(ast.parse(source)):
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            imported.update(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
    told = ((number, line.strip()) for number, line in enumerate(source.splitlines(), 1) if number not in imported)
    return [(number, line) for number, line in told if line and not line.startswith("#")]


def twice(sources: Iterable[tuple[str, str, str]]) -> list[str]:
    """Where blocks begin that stand in the files of more than one game; a source is a game, a file's name, its text."""
    places: dict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
    for game, name, source in sources:
        lines = lines_of(source)
        for first in range(len(lines) - BLOCK + 1):
            block = tuple(line for _, line in lines[first : first + BLOCK])
            places[block].setdefault(game, f"{name}:{lines[first][0]}")
    return [" = ".join(found.values()) for found in places.values() if len(found) > 1]


def game_of(path: Path) -> str:
    """The game that a file under a folder of games is of.

    >>> game_of(Path("yalu/checks/rail.py")), game_of(Path("yalu.py"))
    ('yalu', 'yalu')
    """
    return path.parts[0].removesuffix(".py")


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_block_stands_in_two_games(folder: str) -> None:
    paths = sorted((ROOT / folder).rglob("*.py"))
    games = {game_of(path.relative_to(ROOT / folder)) for path in paths}
    assert {"korean_battles", "yalu"} <= games
    found = twice((game_of(path.relative_to(ROOT / folder)), path.name, path.read_text("utf-8")) for path in paths)
    assert found == []


BODY = "a = 1\nb = 2\n\nc = 3\n# a remark\nd = 4\ne = 5\n"


@pytest.mark.parametrize(
    ("one", "other", "blocks"),
    [
        (BODY + "f = 6\n", "x = 0\n" + BODY + "    \nf = 6\n", ["one.py:1 = other.py:2"]),
        (BODY + "f = 6\n", BODY + "f = 7\n", []),
        ("".join(f"import {name}\n" for name in "abcdef"), "".join(f"import {name}\n" for name in "abcdef"), []),
    ],
)
def test_a_block_is_six_lines_that_say_something(one: str, other: str, blocks: list[str]) -> None:
    assert twice([("red", "one.py", one), ("blue", "other.py", other)]) == blocks
    assert twice([("red", "one.py", one), ("red", "other.py", other)]) == []
