"""A combat put together from what was declared, rolled and done to the pieces. What nobody declared stays empty."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from referee.table.units import Unit


class SupportUse(NamedTuple):
    """A support marker put into a combat. `value` None: nobody told what the marker shows."""

    step: int
    side: str | None
    marker: str
    value: int | None
    named: bool = True  # the marker has a name of its own, so it can be told from others of its value


class Roll(NamedTuple):
    """Dice thrown for a combat."""

    step: int
    dice: tuple[int, ...]
    sides: int | None


class Retreat(NamedTuple):
    """A unit driven from its hex: where from, where to, and the hexes known to lie between (ends included)."""

    step: int
    origin: str
    to: str
    path: tuple[str, ...]
    exact: bool


@dataclass
class Combat:
    """The evidence of one combat or bombardment, gathered until something else begins."""

    kind: str
    step: int
    side: str | None
    attackers: tuple[str, ...]
    targets: tuple[str, ...]
    defenders: tuple[str, ...]
    stood: dict[str, str] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)  # as they were when the combat was declared
    supplied: dict[str, bool | None] = field(default_factory=dict)
    support: list[SupportUse] = field(default_factory=list)
    passes: list[tuple[int, str]] = field(default_factory=list)
    doubled: set[str] = field(default_factory=set)
    said: dict[str, Any] = field(default_factory=dict)
    rolls: list[Roll] = field(default_factory=list)
    losses: dict[str, int] = field(default_factory=dict)
    removed: dict[str, int] = field(default_factory=dict)
    retreats: dict[str, Retreat] = field(default_factory=dict)
    displaced: set[str] = field(default_factory=set)
    advances: dict[str, str] = field(default_factory=dict)
    stiff: set[str] = field(default_factory=set)
    trapped: set[str] = field(default_factory=set)  # removed units that had no way out when they were
    revealed: set[str] = field(default_factory=set)
    touched: dict[str, int] = field(default_factory=dict)  # the step of the last change to each unit
    closed: bool = False

    @property
    def last_change(self) -> int | None:
        """The step of the last loss or retreat; None while nothing was applied."""
        return max(self.touched.values(), default=None)

    @property
    def target(self) -> str | None:
        """The hex attacked, where it is one."""
        return self.targets[0] if len(self.targets) == 1 else None

    @property
    def die(self) -> int | None:
        """The one die that decides; None where there is none or no telling which."""
        dice = [die for roll in self.rolls for die in roll.dice]
        return dice[0] if len(dice) == 1 else None

    def used_by(self, side: str | None) -> list[SupportUse]:
        """The markers of one side."""
        return [use for use in self.support if use.side == side]

    def last_step(self, unit: str) -> bool | None:
        """Would one hit have removed it? None where its counter is not known."""
        return self.units[unit].last_step if unit in self.units else None

    def lost(self, unit: str) -> int:
        """How many steps a unit lost in it, a removal counting as the last one."""
        return self.losses.get(unit, 0) + (1 if unit in self.removed else 0)

    def changed(self, unit: str) -> bool:
        """Did anything happen to the unit after the roll?"""
        return unit in self.losses or unit in self.removed or unit in self.retreats
