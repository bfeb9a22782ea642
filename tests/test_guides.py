"""Every command in the guides runs as printed, on what the commands before it made."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

import cli

ROOT = Path(__file__).resolve().parents[1]
GUIDES = ("check-a-log", "import-a-game", "make-counter-sheets", "tournament-directors", "adding-a-game")


def commands(text: str) -> list[tuple[list[str], int]]:
    """The commands in the `sh` blocks of a page, with the exit code that a comment behind them tells.

    >>> commands("```sh\\nhexref games   # exit 2\\n```")
    [(['games'], 2)]
    """
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("hexref ")]
    found = []
    for line in lines:
        command, _, comment = line.partition("#")
        code = re.search(r"exit (\d)", comment)
        found.append((shlex.split(command)[1:], int(code[1]) if code else 0))
    return found


def files(text: str) -> dict[str, str]:
    """The files that a page shows with a name: a `yaml` block after a sentence with `NAME.yaml` in it."""
    found = re.findall(r"`([\w-]+\.yaml)` is [^\n]*\n\n```yaml\n(.*?)```", text, re.DOTALL)
    return dict(found)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `hexref demo` makes, once for all guides."""
    folder = tmp_path_factory.mktemp("guides") / "hexref-demo"
    assert cli.main(["demo", "-q", "-o", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("guide", GUIDES)
def test_guide(
    guide: str, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "docs" / f"{guide}.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(demo, tmp_path / "hexref-demo")
    shutil.copytree(ROOT / "tests" / "stories", tmp_path / "tests" / "stories")
    for name, content in files(text).items():
        (tmp_path / "hexref-demo" / name).write_text(content, encoding="utf-8")
    told = commands(text)
    assert told
    for words, code in told:
        if words[0] != "demo":
            assert cli.main(words) == code, f"{words}: {capsys.readouterr().err}"


def test_links_between_pages_hold() -> None:
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    for page in pages:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} points at {target}"
