"""units.yaml: the counters of a game, as printed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from converter.errors import Problem
from converter.scenario.sources import Source
from converter.scenario.yaml_reading import Document

Factor = int | float | str | None
VERSION = 1


@dataclass(frozen=True)
class Face:
    """One side of a counter. `factors` are its numbers by the game's own names, None where a number is not known."""

    factors: tuple[tuple[str, Factor], ...] = ()
    text: str | None = None
    image: str | None = None

    def factor(self, name: str) -> Factor:
        """
        >>> Face((("attack", 5), ("move", 4))).factor("move")
        4
        """
        return dict(self.factors).get(name)

    @classmethod
    def decode(cls, data: dict[str, Any]) -> Face:
        return cls(tuple(data.get("factors", {}).items()), data.get("text"), data.get("image"))

    def encode(self) -> dict[str, Any]:
        said: dict[str, Any] = {"factors": dict(self.factors)} if self.factors else {}
        if self.text is not None:
            said["text"] = self.text
        if self.image is not None:
            said["image"] = self.image
        return said


@dataclass(frozen=True)
class Side:
    """A player's side, with the colours of its counters."""

    name: str
    colour: str | None = None
    ink: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class Unit:
    """A counter (or `count` equal ones). `kind` is unit, marker, leader, ...; `extra` holds what only this game has.

    `designation` is what the counter says of who it is, where that is not its id.
    """

    id: str
    side: str
    source: Source
    name: str | None = None
    designation: str | None = None
    nation: str | None = None
    kind: str = "unit"
    type: str | None = None
    class_: str | None = None
    size: str | None = None
    formation: str | None = None
    steps: int | None = None
    count: int = 1
    colour: str | None = None
    ink: str | None = None
    front: Face = Face()
    back: Face | None = None
    extra: tuple[tuple[str, str | int | float | bool | None], ...] = ()
    note: str | None = None

    @classmethod
    def decode(cls, data: dict[str, Any]) -> Unit:
        plain = (
            "id", "side", "name", "designation", "nation", "kind", "type", "size", "formation", "colour", "ink", "note",
        )  # fmt: skip
        said: dict[str, Any] = {key: data[key] for key in plain if key in data}
        said |= {key: int(data[key]) for key in ("steps", "count") if key in data}
        if "class" in data:
            said["class_"] = data["class"]
        said |= {key: Face.decode(data[key]) for key in ("front", "back") if key in data}
        return cls(source=Source.decode(data["source"]), extra=tuple(data.get("extra", {}).items()), **said)

    def encode(self) -> dict[str, Any]:
        said: dict[str, Any] = {
            "id": self.id,
            "name": self.name,
            "designation": self.designation,
            "side": self.side,
            "nation": self.nation,
            "kind": self.kind if self.kind != "unit" else None,
            "type": self.type,
            "class": self.class_,
            "size": self.size,
            "formation": self.formation,
            "steps": self.steps,
            "count": self.count if self.count != 1 else None,
            "colour": self.colour,
            "ink": self.ink,
            "front": self.front.encode() or None,
            "back": self.back.encode() if self.back is not None else None,
            "extra": dict(self.extra) or None,
            "source": self.source.encode(),
            "note": self.note,
        }
        return {key: value for key, value in said.items() if value is not None}


@dataclass(frozen=True)
class UnitsFile:
    """All counters of a game."""

    units: tuple[Unit, ...]
    game: str | None = None
    title: str | None = None
    sides: tuple[Side, ...] = ()

    def unit(self, id: str) -> Unit | None:
        """The unit with this id."""
        return next((unit for unit in self.units if unit.id == id), None)


def decode_units(data: dict[str, Any]) -> UnitsFile:
    """The units from data of the right shape."""
    sides = tuple(Side(**side) for side in data.get("sides", ()))
    return UnitsFile(tuple(map(Unit.decode, data["units"])), data.get("game"), data.get("title"), sides)


def encode_units(it: UnitsFile) -> dict[str, Any]:
    """The plain data of a units.yaml."""
    data: dict[str, Any] = {"version": VERSION}
    data |= {key: value for key in ("game", "title") if (value := getattr(it, key)) is not None}
    if it.sides:
        fields = ("name", "colour", "ink", "note")
        data["sides"] = [
            {key: value for key in fields if (value := getattr(side, key)) is not None} for side in it.sides
        ]
    return data | {"units": [unit.encode() for unit in it.units]}


def check_units(document: Document) -> Iterator[Problem]:
    """What is wrong with a units.yaml whose shape is right: ids used twice, sides that are not listed."""
    sides = {side["name"] for side in document.data.get("sides", ())}
    seen: set[str] = set()
    for i, unit in enumerate(document.data["units"]):
        if unit["id"] in seen:
            yield document.problem(("units", i, "id"), f"the id {unit['id']!r} is used twice")
        seen.add(unit["id"])
        if sides and unit["side"] not in sides:
            yield document.problem(
                ("units", i, "side"), f"side {unit['side']!r} is not listed; expected one of {', '.join(sorted(sides))}"
            )
