"""A unit as its counter shows it. None stands for what nobody has told us; the referee then tries both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple


class Values(NamedTuple):
    """Attack, defence and movement as printed on one face.

    >>> Values.read("5-6-8")
    Values(attack=5, defense=6, move=8)
    """

    attack: int | None = None
    defense: int | None = None
    move: int | None = None

    @classmethod
    def read(cls, text: str) -> Values:
        """From the usual three numbers with hyphens; ValueError where it is not that."""
        attack, defense, move = (int(part) for part in text.strip().split("-"))
        return cls(attack, defense, move)

    def __str__(self) -> str:
        return "-".join("?" if value is None else str(value) for value in self)


UNKNOWN = Values()


@dataclass(frozen=True)
class Unit:
    """One counter. `face` is what shows now; `faces` all steps from best to worst where they are known."""

    id: str
    name: str
    side: str
    nation: str | None = None
    kind: str | None = None
    size: str | None = None
    mobile: bool | None = None
    face: Values = UNKNOWN
    faces: tuple[Values, ...] = ()
    depleted: bool | None = None
    one_sided: bool | None = None
    zoc: bool | None = None
    hidden: bool = False
    dummy: bool | None = False
    commando: bool | None = False
    supplied: bool | None = None
    division: str | None = None
    traits: frozenset[str] = frozenset()
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def last_step(self) -> bool | None:
        """Would one more hit remove it? None where the counter's back is not known."""
        if self.one_sided or self.depleted:
            return True
        return False if self.depleted is False and self.one_sided is False else None

    def but(self, **changes: Any) -> Unit:
        """A copy with some things changed."""
        return replace(self, **changes)
