"""The first use of a checkout, with the slow steps (venv, pip) replaced by a list of what would be run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from converter import bootstrap
from converter.errors import BadInput

PYPROJECT = """
[project]
dependencies = ["no-such-library>=1.0"]
[project.optional-dependencies]
test = ["no-such-test-library"]
"""


class Restarted(Exception):
    """Stands for the process that goes on inside the environment."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    return tmp_path


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was run, in order; `venv` leaves an interpreter behind as the real one does."""
    done: list[str] = []

    def run(command: list[str], failure: str) -> None:
        done.append(command[2] if command[2] == "venv" else f"pip {Path(command[-1]).name}")
        if command[2] == "venv":
            python = bootstrap.python_of(Path(command[3]))
            python.parent.mkdir(parents=True)
            python.touch()

    def restart(venv: Path, root: Path) -> None:
        raise Restarted

    monkeypatch.setattr(bootstrap, "run", run)
    monkeypatch.setattr(bootstrap, "restart", restart)
    return done


def use(checkout: Path, extra: str = "") -> None:
    with pytest.raises(Restarted):
        bootstrap.ensure(extra, root=checkout)


def test_first_use_makes_the_environment_and_the_next_does_not(checkout: Path, steps: list[str]) -> None:
    use(checkout)
    assert steps == ["venv", f"pip {checkout.name}"]
    use(checkout)
    assert len(steps) == 2


def test_it_says_so_on_standard_error(checkout: Path, steps: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    use(checkout)
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert str(checkout / ".venv") in err


def test_tests_add_their_libraries_and_serve_the_rest_too(checkout: Path, steps: list[str]) -> None:
    use(checkout)
    use(checkout, "test")
    assert steps[2:] == [f"pip {checkout.name}[test]"]
    use(checkout)
    use(checkout, "test")
    assert len(steps) == 3


def test_interrupted_installation_starts_afresh(
    checkout: Path, steps: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = bootstrap.run

    def interrupted(command: list[str], failure: str) -> None:
        if "pip" in command:
            (checkout / ".venv" / "half-unpacked").touch()
            raise KeyboardInterrupt
        whole(command, failure)

    monkeypatch.setattr(bootstrap, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        bootstrap.ensure(root=checkout)
    monkeypatch.setattr(bootstrap, "run", whole)
    use(checkout)
    assert steps == ["venv", "venv", f"pip {checkout.name}"]
    assert not (checkout / ".venv" / "half-unpacked").exists()


def test_changed_dependencies_are_installed_on_top(checkout: Path, steps: list[str]) -> None:
    use(checkout)
    (checkout / "pyproject.toml").write_text(PYPROJECT.replace("1.0", "2.0"))
    use(checkout)
    assert steps == ["venv", f"pip {checkout.name}", f"pip {checkout.name}"]


def test_an_environment_of_the_users_own_is_kept(checkout: Path, steps: list[str]) -> None:
    python = bootstrap.python_of(checkout / ".venv")
    python.parent.mkdir(parents=True)
    python.touch()
    use(checkout)
    assert steps == [f"pip {checkout.name}"]


def test_nothing_to_do_where_the_libraries_are(checkout: Path, steps: list[str]) -> None:
    (checkout / "pyproject.toml").write_text("[project]\ndependencies = ['pytest>=1.0']")
    bootstrap.ensure(root=checkout)
    assert steps == []


def test_too_old_a_library_counts_as_missing() -> None:
    assert bootstrap.missing(["pytest>=1.0", "pytest>=999.0"]) == ["pytest>=999.0"]


def test_installed_hexref_installs_nothing(tmp_path: Path, steps: list[str]) -> None:
    bootstrap.ensure(root=tmp_path)
    assert steps == []


def test_failed_step_is_the_users_to_mend() -> None:
    with pytest.raises(BadInput, match="no luck"):
        bootstrap.run([sys.executable, "-c", "raise SystemExit(3)"], "no luck")
