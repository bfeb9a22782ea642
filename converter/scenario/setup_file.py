"""setup.yaml: who stands where at the start, who arrives and leaves later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from converter.errors import Problem
from converter.scenario.map_items import Note
from converter.scenario.sources import Source
from converter.scenario.yaml_reading import Document

Action = Literal["set-up", "reinforcement", "withdrawal"]
VERSION = 1


@dataclass(frozen=True)
class Placement:
    """A unit and where it goes: a hex, any one of `hexes`, `within` so many hexes of `near`, a region, a box (`at` this
    pixel), a `point` of the map's picture, or a place told in words (`where`).

    `map` names the map where several have the place. `when` is a condition instead of a turn, or besides it.
    """

    unit: str
    source: Source
    action: Action = "set-up"
    turn: int | None = None
    count: int = 1
    hex: str | None = None
    hexes: tuple[str, ...] = ()
    near: str | None = None
    within: int | None = None
    region: str | None = None
    box: str | None = None
    at: tuple[int, int] | None = None
    point: tuple[int, int] | None = None
    map: str | None = None
    where: str | None = None
    when: str | None = None
    face: Literal["front", "back"] = "front"
    note: str | None = None

    @classmethod
    def decode(cls, data: dict[str, Any]) -> Placement:
        said = dict(data) | {key: int(data[key]) for key in ("turn", "count", "within") if key in data}
        said |= {key: (int(data[key][0]), int(data[key][1])) for key in ("at", "point") if key in data}
        said |= {"source": Source.decode(data["source"]), "hexes": tuple(data.get("hexes", ()))}
        return cls(**said)

    def encode(self) -> dict[str, Any]:
        usual = {"action": "set-up", "count": 1, "face": "front"}
        order = (
            "unit",
            "count",
            "action",
            "turn",
            "when",
            "hex",
            "hexes",
            "near",
            "within",
            "region",
            "box",
            "at",
            "point",
            "map",
            "where",
            "face",
            "source",
            "note",
        )
        said = {key: getattr(self, key) for key in order}
        said |= {"source": self.source.encode(), "hexes": list(self.hexes) or None}
        said |= {"at": list(self.at) if self.at else None, "point": list(self.point) if self.point else None}
        return {key: value for key, value in said.items() if value is not None and value != usual.get(key)}


@dataclass(frozen=True)
class SetupFile:
    """A scenario's set-up and its comings and goings."""

    placements: tuple[Placement, ...]
    game: str | None = None
    scenario: str | None = None
    title: str | None = None
    map: str | None = None
    turns: int | None = None
    sides: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    first_turn: str | None = None  # the entry of the turn track that play begins with


def decode_setup(data: dict[str, Any]) -> SetupFile:
    """The set-up from data of the right shape."""
    plain = {key: data.get(key) for key in ("game", "scenario", "title", "map", "first_turn")}
    return SetupFile(
        tuple(map(Placement.decode, data["placements"])),
        **plain,
        turns=int(data["turns"]) if "turns" in data else None,
        sides=tuple(data.get("sides", ())),
        notes=tuple(Note(note["text"], Source.decode(note["source"])) for note in data.get("notes", ())),
    )


def encode_setup(it: SetupFile) -> dict[str, Any]:
    """The plain data of a setup.yaml."""
    data: dict[str, Any] = {"version": VERSION}
    plain = ("game", "scenario", "title", "map", "turns", "first_turn")
    data |= {key: value for key in plain if (value := getattr(it, key)) is not None}
    if it.sides:
        data["sides"] = list(it.sides)
    data["placements"] = [placement.encode() for placement in it.placements]
    if it.notes:
        data["notes"] = [{"text": note.text, "source": note.source.encode()} for note in it.notes]
    return data


def check_setup(document: Document) -> Iterator[Problem]:
    """What is wrong with a setup.yaml whose shape is right: someone arrives without a turn, or after the last one."""
    last = document.data.get("turns")
    for i, told in enumerate(document.data["placements"]):
        if told.get("action", "set-up") != "set-up" and not {"turn", "when"} & told.keys():
            yield document.problem(("placements", i), f"{told['unit']}: a {told['action']} needs its 'turn' or 'when'")
        if last is not None and told.get("turn", 0) > last:
            yield document.problem(("placements", i, "turn"), f"turn {told['turn']} is after the last turn, {last}")
