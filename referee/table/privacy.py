"""Passwords stay inside. A player's id in a VASSAL file is the player's password in clear text; nothing shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from converter.vassal.game import Player

SHORTEST = 3
"""Shorter ids are ordinary words too often to be blotted out of running text: only in brackets, as the engine names who
speaks or rolls, and where one is all that a value says, unless it could as well be a number."""


class Blotter:
    """Puts the player's name where a password stands by itself in any text we show.

    >>> blotter = Blotter([Player("annpw", "Ann", "Red")])
    >>> blotter.clean({"text": "* <annpw> moves, annpwx stays", "n": 3})
    {'text': '* <Ann> moves, annpwx stays', 'n': 3}
    >>> Blotter([Player("zq", "Ann", "Red")]).clean({"text": "<zq> - zq moves", "speaker": "zq"})
    {'text': '<Ann> - zq moves', 'speaker': 'Ann'}
    """

    def __init__(self, players: Iterable[Player]) -> None:
        self._names = {player.secret: player.name for player in players if player.secret}
        secrets = sorted(self._names, key=len, reverse=True)
        words = "|".join(re.escape(secret) for secret in secrets if len(secret) >= SHORTEST)
        short = "|".join(re.escape(secret) for secret in secrets if len(secret) < SHORTEST)
        alone = "|".join(re.escape(secret) for secret in secrets if len(secret) < SHORTEST and not secret.isdigit())
        ways = [rf"(?<![^\W_])(?:{words})(?![^\W_])"] if words else []
        ways += [rf"(?<=<)(?:{short})(?=>)"] if short else []
        ways += [rf"\A(?:{alone})\Z"] if alone else []
        self._pattern = re.compile("|".join(ways)) if ways else None

    def text(self, text: str) -> str:
        """The text without passwords."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self._names[found[0]] or "(player)", text)

    def clean(self, value: Any) -> Any:
        """A JSON value with every string in it cleaned."""
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(key): self.clean(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.clean(item) for item in value]
        return value
