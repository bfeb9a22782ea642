"""Real boards by strangers against their authors' own calibration, scored by the scorer that comes with them."""

from __future__ import annotations

import csv
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from converter.scan.lattice import find_lattice
from converter.scan.picture import read_picture


@pytest.fixture(scope="module")
def scorer(shared: Path) -> ModuleType:
    path = shared / "corpus" / "grid_score.py"
    if not path.is_file():
        pytest.skip("no boards in the reference material")
    spec = importlib.util.spec_from_file_location("grid_score", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def score(boards: Path, scorer: ModuleType, row: dict[str, str]) -> float:
    found = find_lattice(read_picture(boards / row["image"]))
    result = scorer.score_one(row, found.as_json(), int(row["width"]), int(row["height"]))
    assert result["orient_ok"]
    return float(result["rms"])


def test_all_boards_but_the_miscalibrated(shared: Path, scorer: ModuleType) -> None:
    boards = shared / "corpus" / "boards"
    with (boards / "boards.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["group"] != "Dreadball"]
    off = {row["image"]: score(boards, scorer, row) for row in rows}
    assert max(off.values()) < 0.10
    assert sum(v < 0.05 for v in off.values()) >= 0.9 * len(off)
