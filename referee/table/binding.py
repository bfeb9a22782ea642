"""From pieces on a VASSAL table to units of a game. What is no unit stays unbound, and nobody is accused over it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from converter.errors import BadInput
from converter.scenario.yaml_reading import Document, read_file
from converter.vassal import piece_view
from converter.vassal.surface import Counter
from referee.table.events import Place
from referee.table.replay import Replay
from referee.table.units import Unit

SIDE_PROPERTIES = ("side", "Side", "army", "Army", "nation", "Nation", "nationality", "Nationality", "PlayerSide")
SCENARIO_PROPERTY = "Scenario"
"""A module's global property that says which GAME/SCENARIO it is."""
STEP_PROPERTY = "Step_Level"
GPID = "gpid:"
MARKER_FIELDS = ("kind", "side", "value")


@dataclass(frozen=True)
class Piece:
    """A counter as the table shows it when it first lies there."""

    id: str
    name: str
    place: Place
    properties: Mapping[str, str] = field(default_factory=dict)
    gpid: str = ""

    @property
    def side(self) -> str | None:
        """Whose it is, where one of the usual properties tells."""
        return next((self.properties[name] for name in SIDE_PROPERTIES if self.properties.get(name)), None)


@dataclass(frozen=True)
class Binding:
    """What a bind.yaml says. An entry is the fields of a unit, or None: this piece is no unit."""

    game: str | None = None
    scenario: str | None = None
    map: str | None = None
    step: str = STEP_PROPERTY
    pieces: Mapping[str, Mapping[str, Any] | None] = field(default_factory=dict)
    markers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def knows(self, piece: Piece) -> bool:
        """Does the file speak of this piece?"""
        return GPID + piece.gpid in self.pieces or piece.name in self.pieces

    def marker(self, piece: Piece) -> Mapping[str, Any] | None:
        """What it says of a marker: its kind, whose it is and what it shows."""
        return self.markers.get(GPID + piece.gpid) or self.markers.get(piece.name)

    def entry(self, piece: Piece) -> Mapping[str, Any] | None:
        """What it says: by the counter's number in the module first, then by its name."""
        return self.pieces.get(GPID + piece.gpid) if GPID + piece.gpid in self.pieces else self.pieces.get(piece.name)


def bind(pieces: Iterable[Piece], unit_of: Callable[[Piece], Unit | None]) -> Iterator[tuple[Unit, str | None]]:
    """The units among the pieces and their hexes; `unit_of` knows the game's units.

    >>> pieces = [Piece("1", "5/1M", Place("map", hex="0710"), {"side": "UN"}), Piece("2", "Pinned", Place("map"))]
    >>> def unit_of(piece):
    ...     return Unit(piece.id, piece.name, piece.side) if piece.side else None
    >>> [(unit.name, hex) for unit, hex in bind(pieces, unit_of)]
    [('5/1M', '0710')]
    """
    for piece in pieces:
        unit = unit_of(piece)
        if unit is not None:
            yield unit, piece.place.hex if piece.place.map is not None else None


def piece_of(replay: Replay, counter: Counter) -> Piece:
    """A counter as it now lies on the table."""
    properties = piece_view.properties(counter.traits)
    basic = counter.states[-1].split(";") if counter.states else []
    name = properties.get("BasicName") or piece_view.name_of(counter.build, counter.states)
    return Piece(counter.id, name, replay.layout.place(counter), properties, basic[3] if len(basic) > 3 else "")


def pieces_of(replay: Replay) -> list[Piece]:
    """Every counter on the table."""
    return [piece_of(replay, counter) for counter in replay.game.counters.values()]


def read_binding(path: Path, fields: Iterable[str]) -> Binding:
    """A bind.yaml (docs/binding.md). `fields` are the names a unit's fields may have; BadInput with the line else."""
    document = read_file(path)
    data = document.data
    if not isinstance(data, dict):
        raise BadInput(f"{path}:1: expected a mapping with 'units'")
    for name in data:
        if name not in ("game", "scenario", "map", "step", "units", "markers"):
            _refuse(document, (name,), f"unknown field '{name}'; expected game, scenario, map, step, units or markers")
    for name in ("game", "scenario", "map", "step"):
        if data.get(name) is not None and not isinstance(data[name], str):
            _refuse(document, (name,), f"'{name}' should be a text")
    pieces: dict[str, Mapping[str, Any] | None] = {}
    known = {*fields, "unit"}
    units = data.get("units") or {}
    if not isinstance(units, dict):
        _refuse(document, ("units",), "'units' should map pieces to units")
    for piece, told in units.items():
        entry = {"unit": told} if isinstance(told, str) else told
        if not isinstance(entry, dict):
            _refuse(document, ("units", piece), "expected a unit's name or its fields: {unit: NAME, side: SIDE}")
        for name in entry:
            if name not in known:
                _refuse(document, ("units", piece, name), f"unknown field '{name}' in a unit")
        pieces[str(piece)] = {"unit": str(piece), **entry}
    markers = data.get("markers") or []
    if not isinstance(markers, (list, dict)):
        _refuse(document, ("markers",), "'markers' should be a list of pieces, or map pieces to what they are")
    told_markers = markers if isinstance(markers, dict) else dict.fromkeys(map(str, markers))
    for name, entry in told_markers.items():
        if entry is not None and not isinstance(entry, dict):
            _refuse(document, ("markers", name), "expected what the marker is: {kind: support, side: SIDE, value: N}")
        for key in entry or ():
            if key not in MARKER_FIELDS:
                _refuse(document, ("markers", name, key), f"unknown field '{key}' in a marker")
    pieces |= {str(name): None for name in told_markers}
    known_markers = {str(name): entry for name, entry in told_markers.items() if entry}
    step = data.get("step") or STEP_PROPERTY
    return Binding(data.get("game"), data.get("scenario"), data.get("map"), step, pieces, known_markers)


def _refuse(document: Document, path: tuple[str | int, ...], what: str) -> None:
    raise BadInput(str(document.problem(path, what)))
