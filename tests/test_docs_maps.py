"""docs/maps-from-scans.md says true: each of its commands runs, and its map comes out right."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from converter.scan.legend import read_legend_text
from converter.scenario import read_folder, read_map

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "maps-from-scans.md").read_text(encoding="utf-8")
COMMANDS = [line[2:] for block in re.findall(r"```console\n(.*?)```", PAGE, re.S) for line in block.splitlines()]


def test_the_commands_run_and_read_the_map(tmp_path: Path) -> None:
    assert len(COMMANDS) == 8
    (tmp_path / "maps").symlink_to(ROOT / "maps")
    said = {}
    for command in COMMANDS:
        python, program, *rest = shlex.split(command)
        assert (python, program) == ("python3", "cli.py")
        run = [sys.executable, str(ROOT / "cli.py"), *rest]
        told = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, timeout=300)
        assert told.returncode == 0, (command, told.stderr)
        said[command] = told.stdout
    it = read_folder(tmp_path / "peninsula").map
    truth = read_map(ROOT / "maps" / "practice" / "peninsula.yaml")
    assert it.grid.numbers == truth.grid.numbers
    right = sum(it.terrain(number) == truth.terrain(number) for number in truth.grid.numbers)
    assert right / len(truth.grid) > 0.96
    files = {path.name for path in (tmp_path / "peninsula").iterdir()}
    assert files == {"map.yaml", "images", "overlay.png", "review.html"}
    assert (tmp_path / "straight.png").exists()
    pattern = re.sub(r"\d+", r"\\d+", re.search(r"    (peninsula/map\.yaml: .*)", PAGE)[1])  # type: ignore[index]
    assert any(re.search(pattern, text) for text in said.values())
    assert '"confidence"' not in said[COMMANDS[1]]
    assert "confidence 0.9" in said[COMMANDS[1]]


def test_the_legend_in_the_page_is_one() -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", PAGE, re.S)
    assert [sign.kind for sign in read_legend_text(blocks[0]).terrain] == ["clear", "woods", "sea", "lake"]


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)#]+)", PAGE))
def test_links_lead_somewhere(target: str) -> None:
    assert (ROOT / "docs" / target).exists()
