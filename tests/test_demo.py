"""The demo makes what it says: the scan is read, the module opens, the mistakes in the log are found and no others."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from converter.scenario import read_folder, read_map
from converter.vassal.module import read_module
from referee.check import Checked, check
from referee.demo import MATERIAL, PRACTICE, SCENARIO, run

PASSWORD = "practice-kim"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo")
    said: list[str] = []
    run(path, said.append)
    assert all(any(str(file) in line for line in said) for file in path.iterdir())
    return path


@pytest.fixture(scope="module")
def checked(folder: Path) -> Checked:
    module, charts = folder / "5-practice.vmod", MATERIAL / "charts.yaml"
    return check([folder / "6-practice.vlog"], SCENARIO, module=module, charts=charts)[0]


def test_the_scan_is_read(folder: Path) -> None:
    truth, found = read_map(PRACTICE), read_folder(folder / "3-scenario").map
    right = sum(found.terrain(hex) == truth.terrain(hex) for hex in truth.grid.numbers)
    assert right >= 0.96 * len(truth.grid)


def test_the_module_stands_on_the_scan(folder: Path) -> None:
    module = read_module(folder / "5-practice.vmod")
    main = next(held for held in module.maps if held.name == "Main Map")
    assert main.boards[0].image
    assert main.layout().point("1821")


def test_every_mistake_is_found_and_nothing_else(checked: Checked) -> None:
    planted = {tuple(line) for line in yaml.safe_load((MATERIAL / "mistakes.yaml").read_text(encoding="utf-8"))}
    assert {(finding.step, finding.check) for finding in checked.findings if finding.verdict == "illegal"} == planted
    assert len({step for step, _ in planted}) >= 12


def test_the_report_says_the_same(folder: Path, checked: Checked) -> None:
    page = (folder / "7-report.html").read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    assert json.loads(found[1])["reels"][0]["report"]["findings"] == checked.json["findings"]
    text = (folder / "7-report.txt").read_text(encoding="utf-8")
    assert all(finding.message in text for finding in checked.findings)
    assert PASSWORD not in page + text


def test_the_pdf_is_one(folder: Path) -> None:
    assert (folder / "4-counters.pdf").read_bytes().startswith(b"%PDF-")


def test_the_page_shows_the_moves_and_the_counters_of_the_module(folder: Path) -> None:
    """A counter that is drawn otherwise is another picture: then the log must be played anew (demo_play.py)."""
    page = (folder / "7-report.html").read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    (reel,) = json.loads(found[1])["reels"]
    assert "K4: 1817 -> 1811" in reel["rows"][9]["done"]
    assert not [line for row in reel["rows"] for line in row.get("done", ()) if "Moved" in line]
    wanted = {paint[0] for look in reel["looks"] for paint in look["pictures"]}
    assert len(wanted) > 10
    assert wanted - set(reel["pictures"]) <= {"moved.gif"}  # VASSAL's own
