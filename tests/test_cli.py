"""What the command line promises for every command: one clear line, the right exit code, help on a bare machine."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cli
from converter.errors import BadInput

ROOT = Path(__file__).resolve().parents[1]


def demo_that(monkeypatch: pytest.MonkeyPatch, problem: BaseException) -> None:
    """Make the command `demo` end with this problem."""

    def command(args: argparse.Namespace) -> int:
        raise problem

    monkeypatch.setattr(cli, "demo", command)


def test_bad_input_is_one_line_and_2(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    demo_that(monkeypatch, BadInput("game.vlog: not a zip file\n(at byte 0)"))
    assert cli.main(["demo"]) == 2
    assert capsys.readouterr() == ("", "hexref: game.vlog: not a zip file (at byte 0)\n")


def test_interrupt_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    demo_that(monkeypatch, KeyboardInterrupt())
    assert cli.main(["demo"]) == 130


def test_our_own_bug_is_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    demo_that(monkeypatch, RuntimeError("our bug"))
    with pytest.raises(RuntimeError, match="our bug"):
        cli.main(["demo"])


@pytest.mark.parametrize("call", [[], ["nonsense"], ["demo", "--nonsense"]])
def test_wrong_call_is_one_line_and_2(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(call)
    out, err = capsys.readouterr()
    assert (end.value.code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("hexref: ")


def test_arguments_after_test_go_to_pytest(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(subprocess, "call", lambda command, cwd: calls.append((command[1:], cwd)) or 0)
    assert cli.main(["test", "-q", "-k", "grid", "tests/converter"]) == 0
    assert calls == [(["-m", "pytest", "-q", "-k", "grid", "tests/converter"], ROOT)]


@pytest.mark.parametrize("question", ["--help", "--version"])
def test_answers_with_nothing_installed(question: str) -> None:
    bare = subprocess.run([sys.executable, "-S", "cli.py", question], cwd=ROOT, capture_output=True, text=True)
    assert (bare.returncode, bare.stderr) == (0, "")
    assert "hexref" in bare.stdout


def test_old_python_is_told_so_in_one_line() -> None:
    pretend = "import runpy, sys; sys.version_info = (3, 6, 15); runpy.run_path('cli.py', run_name='__main__')"
    old = subprocess.run([sys.executable, "-c", pretend], cwd=ROOT, capture_output=True, text=True)
    assert (old.returncode, old.stdout) == (2, "")
    assert old.stderr == "hexref: Python 3.11 or newer is needed, this is 3.6\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes break differently on Windows")
def test_closed_pipe_is_quiet() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([sys.executable, "cli.py", "demo"], cwd=ROOT, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash here")
def test_bash_completes_commands_options_and_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["completion", "bash"]) == 0
    (tmp_path / "game.vlog").touch()
    script = capsys.readouterr().out

    def completed(*words: str) -> str:
        typed = " ".join(f"'{word}'" for word in ("hexref", *words))
        ask = f"COMP_WORDS=({typed}); COMP_CWORD={len(words)}; _shtab_hexref; echo \"${{COMPREPLY[@]}}\""
        done = subprocess.run(["bash", "-c", f"{script}\n{ask}"], cwd=tmp_path, capture_output=True, text=True)
        return done.stdout

    assert "check" in completed("ch")
    assert "--json" in completed("check", "--js")
    assert "game.vlog" in completed("check", "ga")
