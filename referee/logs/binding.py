"""Which unit of the scenario a module's piece is: by a bind file, by the piece's own markers, or by its exact name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from converter.vassal import piece_view
from converter.vassal.module import Module
from converter.vassal.pieces import Piece as VassalPiece
from referee.logs.game import LogGame
from referee.table.binding import Binding, Piece
from referee.table.events import Place
from referee.table.units import Unit

SUPPORT = re.compile(r"[^+\d]*\+\s?(?P<value>\d{1,2})(?!\d)[^+\d]*")
FACTORS = re.compile(r"(?<!\d)\d{1,2}-\d{1,2}-\d{1,2}(?!\d)")


def unit_for(game: LogGame, scenario: Any, charts: Any, piece: Piece, binding: Binding | None = None) -> Unit | None:
    """The unit that a piece is; None for markers and for what nobody knows."""
    binding = binding or Binding()
    if binding.knows(piece):
        entry = binding.entry(piece)
        unit = game.told(scenario, charts, {**_marks(game, piece), **entry}) if entry is not None else None
    elif marks := _marks(game, piece):
        unit = game.told(scenario, charts, {"name": piece.name, "side": piece.properties.get("Side"), **marks})
    else:
        unit = _by_name(game, scenario, charts, piece)
    return game.as_shown(replace(unit, id=piece.id), piece.properties, binding.step) if unit is not None else None


def _marks(game: LogGame, piece: Piece) -> dict[str, Any]:
    """A unit's fields as the piece's own markers tell them; nothing where it is not such a piece."""
    own = piece.properties
    if not own.get("Side") or not any(own.get(name) for name in ("Size", "Type", "Move", "Dummy")):
        return {}
    told: dict[str, Any] = {}
    for name in game.marks:
        if value := own.get(name):
            told[name.lower()] = int(value) if value.isdigit() and name != "Division" else value
    if told.get("dummy"):
        told["dummy"] = str(told["dummy"]).lower() in ("true", "yes", "1")
    return told


def _by_name(game: LogGame, scenario: Any, charts: Any, piece: Piece) -> Unit | None:
    """By its name, if its side is one of this battle's: many a game has units called 1, 2 and 3."""
    if game.calendar(scenario).side_of(piece.side or "") not in scenario.sides:
        return None
    unit = game.told(scenario, charts, {"name": piece.name, "side": piece.side})
    return unit if unit is not None and game.is_listed(scenario, unit) else None


def fit(game: LogGame, scenario: Any, pieces: Iterable[Piece], binding: Binding | None = None) -> int:
    """How many of the scenario's listed units are among the pieces."""
    charts = game.read_charts(None, scenario)
    found = set()
    for piece in pieces:
        unit = unit_for(game, scenario, charts, piece, binding)
        if unit is not None:
            line = game.line_of(scenario, unit)
            found.add(line.id if line is not None else unit.name)
    return len(found)


def slots_of(module: Module) -> list[Piece]:
    """The module's counters as pieces that lie nowhere."""
    pieces = []
    for slot in module.slots:
        properties = piece_view.properties(VassalPiece(slot.type, slot.state).traits) if slot.type else {}
        pieces.append(Piece("", properties.get("BasicName") or slot.name, Place(None), properties, slot.gpid))
    return pieces


def draft_binding(game: LogGame, module: Module, scenario_id: str) -> str:
    """A bind.yaml to begin with: what could be matched by name and factors, and below it what could not."""
    scenario = game.scenario(scenario_id)
    lines = [f"game: {game.id}", f"scenario: {scenario_id}"]
    lines += [f"map: {_text(module.maps[0].name)}"] if module.maps else []
    lines += ["# step: the property that tells a counter's step, such as Step_Level (1 is the full side)", "units:"]
    matched: dict[tuple[str, str, str | None], str] = {}
    rest: list[str] = []
    markers: list[str] = []
    pieces = {piece.name: piece for piece in reversed(slots_of(module))}
    for name, piece in sorted(pieces.items()):
        line = game.guess(scenario, piece)
        if line is None:
            marker = SUPPORT.fullmatch(name)
            (markers if marker else rest).append(name)
            continue
        key = (line.id, line.side, line.nation)
        doubt = "" if line.id == name else "  # a guess"
        if key in matched:
            doubt = f"  # a guess, and so is {_text(matched[key])}: perhaps its other side"
        matched.setdefault(key, name)
        factors = FACTORS.search(name)
        told = f"unit: {_text(line.id)}, side: {line.side}, nation: {line.nation}"
        told += f", values: {factors[0]}" if factors else ""
        lines.append(f"  {_text(name)}: {{{told}}}{doubt}")
    lines += ["markers:  # pieces that are no units"] if markers else ["markers: []  # pieces that are no units"]
    lines += [f"  {_text(name)}: {{{_support(game, scenario, name)}}}  # a guess" for name in markers]
    known = {id for id, _, _ in matched}
    missing = [line.id for line in game.lines(scenario) if line.id not in known]
    lines += [f"# {len(rest)} pieces without a unit:", *(f"#   {_text(name)}" for name in rest)]
    lines += [f"# {len(set(missing))} units without a piece:", *(f"#   {_text(id)}" for id in dict.fromkeys(missing))]
    return "\n".join(lines) + "\n"


def _support(game: LogGame, scenario: Any, name: str) -> str:
    """A support marker as its name tells it."""
    found = SUPPORT.fullmatch(name)
    assert found is not None
    words = (word for word in re.findall(r"[A-Za-z]+", name) if game.calendar(scenario).side_of(word) is not None)
    side = game.calendar(scenario).side_of(next(words, ""))
    whose = f", side: {side}" if side in scenario.sides else ""
    return f"kind: support{whose}, value: {found['value']}"


def _text(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
