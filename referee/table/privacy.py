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
        self._known = _Cleaned(self._pattern, self._names)

    def text(self, text: str) -> str:
        """The text without passwords."""
        return self._known[text]

    def clean(self, value: Any) -> Any:
        """A JSON value with every string in it cleaned."""
        if self._pattern is None:
            return value
        known, clean = self._known, self.clean
        if isinstance(value, str):
            return known[value]
        if isinstance(value, (list, tuple)):
            return [known[item] if item.__class__ is str else clean(item) for item in value]
        if isinstance(value, (dict, Mapping)):  # the first is told at once, and is nearly always the answer
            return {known[key]: known[it] if it.__class__ is str else clean(it) for key, it in value.items()}
        return value


class _Cleaned(dict[str, str]):
    """Texts and what is shown for them, worked out once: the same hexes, units and rules are named again and again."""

    def __init__(self, pattern: re.Pattern[str] | None, names: Mapping[str, str]) -> None:
        super().__init__()
        self._pattern = pattern
        self._names = names

    def __missing__(self, text: str) -> str:
        shown = text
        if self._pattern is not None and any(secret in text for secret in self._names):
            shown = self._pattern.sub(lambda found: self._names[found[0]] or "(player)", text)
        if len(self) < 20_000:
            self[text] = shown
        return shown
