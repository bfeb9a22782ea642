"""What a rulebook leaves to the printed map and counters: the parts of charts and of `assume` that games share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from converter.errors import BadInput
from converter.scenario.yaml_reading import read_file
from referee.rulebook import Rulebook, plain
from referee.rules.board import NEVER, ticks

_COST_KEYS = ("cost", "mp", "move", "enter", "movement", "leg", "all")


@dataclass
class Charts:
    """Costs in ticks by terrain or hexside name; counters; regions of the map; readings that the players settled."""

    book: Rulebook
    costs: dict[str, int] = field(default_factory=dict)
    units: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    regions: dict[str, set[str]] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)

    def option(self, id: str) -> Any:
        """A reading: as settled by the players, else the default, None where neither decides."""
        return self.options.get(id, self.book.options[id]["default"])

    def settled(self, id: str) -> bool:
        """Did the players settle this reading themselves?"""
        return id in self.options

    def take_option(self, name: str, value: Any) -> bool:
        """Understand an option; False where it is none."""
        id = plain(name).replace(" ", "_")
        if id in self.book.options:
            self.options[id] = value
        return id in self.book.options

    def take_cost(self, name: str, value: Any) -> bool:
        """One line of the key of terrain costs; False where it is none."""
        known = self.book.terrain_name(name)
        if known is None and isinstance(value, Mapping):
            understood = [self.take_cost(inner, item) for inner, item in value.items()]
            return all(understood)
        cost = cost_in(value)
        if known is None or cost is None:
            return value is None
        self.costs[known] = cost
        return True

    def take_regions(self, value: Mapping[str, Any]) -> bool:
        """Hexes by the name of the region they make up."""
        self.regions |= {str(name): {hex_text(hex) for hex in many(hexes)} for name, hexes in value.items() if hexes}
        return True

    def take_units(self, value: Mapping[str, Any], key: str = "") -> bool:
        """Fields of units, or one field (`key`) of each."""
        for unit, told in value.items():
            extra = told if isinstance(told, Mapping) else {key: told}
            self.units[str(unit)] = {**self.units.get(str(unit), {}), **extra}
        return True


def cost_in(value: Any) -> int | None:
    """A cost as people write it, in ticks; None where it is none.

    >>> cost_in("+1 MP"), cost_in("½"), cost_in("prohibited") == NEVER, cost_in({"cost": 2}), cost_in("dear")
    (12, 6, True, 24, None)
    """
    if isinstance(value, Mapping):
        value = next((value[key] for key in _COST_KEYS if key in value), None)
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return ticks(value)
    text = str(value).strip().lower().lstrip("+").removesuffix("mp").strip()
    if text in ("prohibited", "never", "banned", "impassable", "p", "no"):
        return NEVER
    text = text.replace("½", ".5") if text != "½" else "0.5"
    try:
        return ticks(text)
    except (ValueError, ZeroDivisionError):
        return None


def many(value: Any) -> list[Any]:
    """One or many, as a list."""
    return list(value) if isinstance(value, (list, tuple, set)) else [value]


def hex_text(value: Any) -> str:
    """A hex's number as printed.

    >>> hex_text(805), hex_text("1010")
    ('0805', '1010')
    """
    return f"{value:04d}" if isinstance(value, int) else str(value)


def read_entries(path: Path, game: str, scenario_id: str, take: Callable[[str, Any], bool]) -> None:
    """A user's charts.yaml, entry by entry; BadInput where one is nothing that `take` knows."""
    document = read_file(path)
    if not isinstance(document.data, dict):
        raise BadInput(f"{path}:1: expected a mapping of charts")
    for name, value in document.data.items():
        if name == "game" or value is None:
            continue
        if isinstance(value, Mapping) and scenario_id in value:
            value = value[scenario_id]
        if not take(name, value):
            raise BadInput(
                str(document.problem((name,), f"'{name}' is no chart of {game}, or not in a form it can be read"))
            )
