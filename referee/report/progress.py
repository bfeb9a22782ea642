"""Progress on standard error: one line that renews itself on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import time
from typing import TextIO

EVERY_ON_TERMINAL, EVERY_ELSEWHERE = 0.1, 10.0
WIDE = 60


class Progress:
    """Says how far the work is, not too often; `clear` takes the line away before something else is printed."""

    def __init__(self, out: TextIO, quiet: bool = False) -> None:
        self.out = out
        self.quiet = quiet
        self.terminal = out.isatty()
        self._last = 0.0
        self._shown = False

    def __call__(self, text: str) -> None:
        now = time.monotonic()
        if self.quiet or now - self._last < (EVERY_ON_TERMINAL if self.terminal else EVERY_ELSEWHERE):
            return
        self._last = now
        self._shown = self.terminal
        self.out.write(f"\r{text:<{WIDE}}" if self.terminal else f"{text}\n")
        self.out.flush()

    def clear(self) -> None:
        """Leave the line empty."""
        if self._shown:
            print(f"\r{'':<{WIDE}}\r", end="", file=self.out, flush=True)
            self._shown = False
