"""The seed of what a test does at random: always the same, unless somebody asks for another."""

from __future__ import annotations

import os
import random

USUAL = 20
MOST = 10**6


def chosen_seed(variable: str) -> int:
    """The number in this environment variable, a fresh one for the word `random`, and without it the usual one."""
    asked = os.environ.get(variable, "")
    return random.SystemRandom().randrange(MOST) if asked == "random" else int(asked or USUAL)
