"""The house rules that a machine can check: style, types, which way imports go, what may lie where."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOP_LEVEL = {
    "converter", "referee", "data", "maps", "tests", "docs", "benchmarks", ".ci", "cli.py", "pyproject.toml",
    "README.md", "CHANGELOG.md", "LICENSE", ".gitignore", ".gitattributes",
}  # fmt: skip
MAY_IMPORT = {"converter": {"converter"}, "referee": {"referee", "converter"}}

# Written in pieces so that this file does not match itself.
FORBIDDEN = {
    "a path of one machine": re.compile(r"(?<![\w.}])/(wor" r"k|far" r"m|roo" r"t|hom" r"e/\w+|tm" r"p/\w+)/"),
    "a package host": re.compile(r"https?://\S+\.(?:w" r"hl|d" r"eb|t" r"gz)\b|index-u" r"rl"),
}


def run(*command: str) -> None:
    """Run a tool in the project; its complaints are the test's failure message."""
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def tracked() -> list[Path]:
    """The files git keeps, relative to the project."""
    if not shutil.which("git"):
        pytest.skip("git is not there to say which files belong to the project")
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listing.returncode or not listing.stdout:
        pytest.skip(f"git keeps no files here: {listing.stderr.strip() or 'nothing was added yet'}")
    return [Path(name) for name in listing.stdout.split("\0") if name and (ROOT / name).is_file()]


def imports(source: str, package: str) -> Iterator[str]:
    """The top-level names a module imports; `package` is what a relative import starts from."""
    for statement in ast.walk(ast.parse(source)):
        if isinstance(statement, ast.Import):
            yield from (alias.name.split(".")[0] for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            yield package if statement.level else (statement.module or "").split(".")[0]


def complaints(line: str) -> list[str]:
    """What a line says that the project must not."""
    return [f"{what}: {line.strip()}" for what, sign in FORBIDDEN.items() if sign.search(line)]


def test_ruff() -> None:
    run("ruff", "check", ".")


def test_mypy() -> None:
    run("mypy", "--strict", "converter", "referee", "cli.py")


@pytest.mark.parametrize("package", sorted(MAY_IMPORT))
def test_imports_go_one_way(package: str) -> None:
    ours = {"cli", "converter", "referee", "tests", "benchmarks"}
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sorted((ROOT / package).rglob("*.py"))
        for name in imports(path.read_text(encoding="utf-8"), package)
        if name in ours - MAY_IMPORT[package]
    ]
    assert not wrong


def test_import_reader_sees_both_forms() -> None:
    source = "import cli\nfrom referee.verdict import Finding\nfrom . import errors\n"
    assert list(imports(source, "converter")) == ["cli", "referee", "converter"]


def test_only_the_fixed_top_level() -> None:
    assert {path.parts[0] for path in tracked()} <= TOP_LEVEL


def test_no_machine_in_the_project() -> None:
    wrong = []
    for path in tracked():
        try:
            lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue  # an image
        wrong += [f"{path}:{number}: {said}" for number, line in enumerate(lines, 1) for said in complaints(line)]
    assert not wrong


@pytest.mark.parametrize("line", ["cd /wor" "k/x", "/tm" "p/bash_x/y", "--index-u" "rl=x", "https://a.b/c.w" "hl"])
def test_forbidden_lines_are_seen(line: str) -> None:
    assert complaints(line)


@pytest.mark.parametrize("line", ["a/work/b", "../work/", "${TMPDIR:-/tmp}/x", "https://example.org/x.html"])
def test_innocent_lines_pass(line: str) -> None:
    assert not complaints(line)
