"""Python's search for garbage, put off while nothing becomes garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """While code is loaded, a position set up or a log judged nothing becomes garbage that needs looking for, which
    would cost a tenth of the time. What was made counts as old afterwards, so that it is not all looked through at
    once."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()
