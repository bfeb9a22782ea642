"""What a rulebook prints, read once from data/GAME: rules, units, words, options, tables, scenarios."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

from referee.checks import DATA, facts


def plain(text: object) -> str:
    """A word as people write it in several ways: lower case, one space between parts.

    >>> plain("Mobile_Movement"), plain("set-up")
    ('mobile movement', 'set up')
    """
    return _plain(str(text))


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    return " ".join(text.lower().replace("_", " ").replace("-", " ").split())


class Rulebook:
    """The files of one game."""

    def __init__(self, game: str) -> None:
        self.game = game
        self._word_maps: dict[str, Mapping[str, str]] = {}

    def read(self, name: str) -> Any:
        """A file of the game's folder."""
        return facts(DATA / self.game / name)

    @cached_property
    def rules(self) -> Mapping[str, Any]:
        """rules.yaml."""
        return dict(self.read("rules.yaml"))

    @cached_property
    def units(self) -> Mapping[str, Any]:
        """units.yaml."""
        return dict(self.read("units.yaml"))

    @cached_property
    def words(self) -> Mapping[str, Any]:
        """words.yaml."""
        return dict(self.read("words.yaml"))

    @cached_property
    def tables(self) -> Mapping[str, Any]:
        """tables.yaml."""
        return dict(self.read("tables.yaml"))

    @cached_property
    def options(self) -> Mapping[str, Mapping[str, Any]]:
        """The readings that players may settle, by id."""
        return {option["id"]: option for option in self.read("options.yaml")}

    def word_map(self, group: str) -> Mapping[str, str]:
        """Every word of a group in words.yaml and the referee's own word for it."""
        if group not in self._word_maps:
            found = {str(own): str(own) for own in self.words[group]}
            found |= {str(word): str(own) for own, others in self.words[group].items() for word in others}
            self._word_maps[group] = found
        return self._word_maps[group]

    @cached_property
    def phase_names(self) -> Mapping[str, str]:
        """Every name of a phase, lower case with single spaces, and the phase it means."""
        rules = self.rules
        others = [rules[key] for key in ("turn_start", "turn_end", "setup") if key in rules]
        return {
            plain(name): phase["id"] for phase in [*rules["phases"], *others] for name in [phase["id"], *phase["names"]]
        }

    def terrain_name(self, word: object) -> str | None:
        """The rules' name for a terrain or hexside, None where there is none such."""
        rules = self.rules
        name = re.sub(r"-(cost|mp|hex|hexes)$", "", plain(word).replace(" ", "-"))
        if name in rules["terrain"] or name in rules["hexsides"] or name in rules["ways"]:
            return name
        other = rules["terrain_names"].get(name) or rules["hexside_names"].get(name)
        return str(other) if other else None

    def hexside_name(self, word: object) -> str | None:
        """The rules' name for what lies on a hexside, a bridge and `prohibited` included."""
        name = plain(word).replace(" ", "-")
        if name in ("prohibited", "impassable"):
            return "prohibited"
        if name == "bridge" or name in self.rules["hexsides"]:
            return name
        other = self.rules["hexside_names"].get(name)
        return str(other) if other else None

    def nation_of(self, word: object) -> str | None:
        """The nation that a word names, where it names one rather than a whole side."""
        low = str(word).strip().lower()
        return next((str(nation) for nation, names in self.words["nations"].items() if low in names), None)
