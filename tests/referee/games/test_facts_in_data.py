"""What a rulebook prints stands in data/ and maps/ with its rule number: no hex, no city and no unit in Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
FILES = sorted(path for folder in ("referee/games", "converter/games") for path in (ROOT / folder).rglob("*.py"))
FACTS = re.compile(
    r"\d{4}|Pusan|Masan|Taegu|Inchon|Seoul|Pyongyang|Hungnam|Wonsan|Iwon|Chinampo"
    r"|\d+/\d*[3-9]M?|\d+/\d+M|HQ \d+M?|\d+ (RMC|BC|Br)"
)


def strings(source: str) -> Iterator[tuple[int, str]]:
    """The strings of a program with their lines, docstrings left out.

    >>> list(strings('"what it does"\\nhex = "0109"'))
    [(2, '0109')]
    """
    tree = ast.parse(source)
    telling = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in telling:
            yield node.lineno, node.value


def told(source: str) -> list[tuple[int, str]]:
    """The strings that are nothing but a fact: a hex, a place or a unit."""
    return sorted((line, text) for line, text in strings(source) if FACTS.fullmatch(text))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_fact_stands_in_the_code(path: Path) -> None:
    assert told(path.read_text(encoding="utf-8")) == []


def test_what_is_found() -> None:
    source = '"""In Seoul."""\nif hex in place("Seoul") or unit == "31/7" or name == "41 RMC":\n    hex = "0907"\n'
    assert told(source) == [(2, "31/7"), (2, "41 RMC"), (2, "Seoul"), (3, "0907")]
