"""What every test may ask for."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from browser import chromium, window
from hypothesis import settings

__all__ = ["chromium", "shared", "window"]

ROOT = Path(__file__).resolve().parents[1]

# Examples vary on a developer's machine and are always the same in CI; slow machines are not failures.
settings.register_profile("developer", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "developer")

# A shell's background jobs ignore Ctrl+C, and so would every command that a test starts and then interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The reference material that may stand beside the project: real logs, modules, the engine's own answers."""
    path = ROOT.parent / "shared"
    if not path.is_dir():
        pytest.skip("no reference material: there is no folder 'shared' beside the project")
    return path
