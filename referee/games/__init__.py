"""The games that the referee knows, found by id when first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from referee.story import Story
from referee.verdict import Judged

if TYPE_CHECKING:
    from referee.logs.game import LogGame

_MODULES = {"korean-battles": "referee.games.korean_battles", "yalu": "referee.games.yalu"}


class Game(Protocol):
    """What a game's package offers."""

    def judge_story(self, story: Story) -> Judged: ...

    def rules_table(self) -> list[dict[str, str]]: ...

    def charts_template(self, scenario: str | None = None) -> str: ...


def game_of(id: str) -> Game | None:
    """The game with this id; None where there is none."""
    return cast(Game, import_module(_MODULES[id])) if id in _MODULES else None


def log_game(id: str) -> LogGame:
    """The part of a game that its logs are judged by."""
    return cast("LogGame", import_module(_MODULES[id] + ".logs").LOGS)


def game_ids() -> tuple[str, ...]:
    """All games."""
    return tuple(_MODULES)


def rules_table(id: str) -> list[dict[str, str]]:
    """The catalogue of a game with what is checked, what is not, and why."""
    game = game_of(id)
    return game.rules_table() if game else []
