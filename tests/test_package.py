"""hexref as it is installed: a wheel with data, maps and pages inside, run far away from the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("converter", "referee", "data", "maps", "cli.py", "pyproject.toml", "README.md", "LICENSE")
BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in PARTS:
        part = ROOT / name
        if part.is_dir():
            shutil.copytree(part, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(part, source / name)
    done = subprocess.run([sys.executable, "-c", BUILD, str(folder)], cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(folder / done.stdout.split()[-1]) as wheel:
        wheel.extractall(folder / "site")
    return folder / "site"


def hexref(site: Path, cwd: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command as its entry point does."""
    code = "import sys, cli; sys.exit(cli.main())"
    environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONSAFEPATH": "1"}
    return subprocess.run(
        [sys.executable, "-c", code, *words], cwd=cwd, env=environment, capture_output=True, text=True, encoding="utf-8"
    )


def test_everything_is_inside(site: Path) -> None:
    def files(top: Path) -> set[str]:
        return {path.relative_to(top).as_posix() for path in top.rglob("*") if path.is_file()}

    for name in ("data", "maps", "converter", "referee"):
        packed = {path for path in files(site / name) if not path.endswith(".pyc")}
        here = {path for path in files(ROOT / name) if "__pycache__" not in path}
        assert here - packed == set(), name


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--version",), "hexref "),
        (("games",), "korean-battles/pusan"),
        (("rules", "korean-battles"), "checked"),
        (("completion", "bash"), "complete"),
    ],
)
def test_commands(site: Path, tmp_path: Path, words: tuple[str, ...], expected: str) -> None:
    done = hexref(site, tmp_path, *words)
    assert done.returncode == 0, done.stderr
    assert expected in done.stdout


def test_the_demo(site: Path, tmp_path: Path) -> None:
    done = hexref(site, tmp_path, "demo", "-o", "out put")  # a path with a blank in it
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "out put").iterdir())


def test_the_tests_stay_at_home(site: Path, tmp_path: Path) -> None:
    done = hexref(site, tmp_path, "test")
    assert done.returncode == 2
    assert "checkout" in done.stderr
