"""Which unit of the scenario a module's piece is: by a bind file, by the piece's own markers, or by its exact name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from converter.vassal import piece_view
from converter.vassal.module import Module
from converter.vassal.pieces import Piece as VassalPiece
from referee.games.korean_battles import facts, names
from referee.games.korean_battles.charts import Charts
from referee.games.korean_battles.story_units import build, field, values_in
from referee.table.binding import Binding, Piece
from referee.table.events import Place
from referee.table.units import Unit, Values

MARKS = ("Nation", "Size", "Class", "Type", "Attack", "Defense", "Move", "Back", "Division", "Dummy")
"""Markers on the pieces of modules made by hexref, besides Side; they name a unit's fields."""
_FACTORS = re.compile(r"(?<!\d)(\d{1,2}-\d{1,2}-\d{1,2})(?!\d)")


def unit_for(scenario: facts.Scenario, charts: Charts, piece: Piece, binding: Binding | None = None) -> Unit | None:
    """The unit that a piece is; None for markers and for what nobody knows."""
    binding = binding or Binding()
    if binding.knows(piece):
        entry = binding.entry(piece)
        unit = _told(scenario, charts, {**_marks(piece), **entry}) if entry is not None else None
    elif _marks(piece):
        unit = _told(scenario, charts, {"name": piece.name, "side": piece.properties.get("Side"), **_marks(piece)})
    else:
        unit = _by_name(scenario, charts, piece)
    return as_shown(replace(unit, id=piece.id), piece.properties, binding.step) if unit is not None else None


def _marks(piece: Piece) -> dict[str, Any]:
    """A unit's fields as the piece's own markers tell them; nothing where it is not such a piece."""
    own = piece.properties
    if not own.get("Side") or not any(own.get(name) for name in ("Size", "Type", "Move", "Dummy")):
        return {}
    told: dict[str, Any] = {}
    for name in MARKS:
        if value := own.get(name):
            told[name.lower()] = int(value) if value.isdigit() and name != "Division" else value
    if told.get("dummy"):
        told["dummy"] = str(told["dummy"]).lower() in ("true", "yes", "1")
    return told


def _told(scenario: facts.Scenario, charts: Charts, entry: Mapping[str, Any]) -> Unit | None:
    fields = {field(key): value for key, value in entry.items() if key != "unit" and value is not None}
    fields["name"] = str(entry.get("unit") or fields.get("name") or "")
    spoken = fields.get("side") or fields.get("nation")
    sides = [side] if (side := facts.side_of(spoken or "", scenario.id)) in scenario.sides else list(scenario.sides)
    nation = facts.nation_of(fields.get("nation") or "") or facts.nation_of(spoken or "")
    found = [build({**fields, "side": one, "nation": nation}, scenario, charts) for one in sides]
    if len(found) > 1:
        found = [unit for unit in found if _is_listed(scenario, unit)]
    return found[0] if len(found) == 1 else None


def _is_listed(scenario: facts.Scenario, unit: Unit) -> bool:
    division = names.division_of(scenario, unit) if unit.side == "Chinese" else None
    return bool(names.listed(scenario, unit)) or division is not None


def _by_name(scenario: facts.Scenario, charts: Charts, piece: Piece) -> Unit | None:
    """By its name, if its side is one of this battle's: many a game has units called 1, 2 and 3."""
    if facts.side_of(piece.side or "", scenario.id) not in scenario.sides:
        return None
    unit = _told(scenario, charts, {"name": piece.name, "side": piece.side})
    return unit if unit is not None and _is_listed(scenario, unit) else None


def as_shown(unit: Unit, properties: Mapping[str, str], step: str) -> Unit:
    """The unit on the face that its counter shows. Where layers are there and none is the step's, the face is unknown.

    >>> unit = Unit("a", "5/1M", "UN", face=Values(5, 6, 4), faces=(Values(5, 6, 4), Values(2, 3, 4)))
    >>> as_shown(unit, {"Step_Level": "2"}, "Step_Level").face, as_shown(unit, {"Face_Level": "2"}, "Step_Level").face
    (Values(attack=2, defense=3, move=4), Values(attack=None, defense=None, move=4))
    """
    level = properties.get(step)
    if level is None or not level.lstrip("-").isdigit():
        if any(name.endswith("_Level") for name in properties):
            return unit.but(face=Values(None, None, unit.face.move), depleted=None)
        return unit
    down = max(int(level), 1) - 1
    faces = unit.faces or ((unit.face,) if not unit.depleted else ())
    if down == 0:
        return unit.but(face=faces[0] if faces else unit.face, depleted=False)
    face = faces[down] if down < len(faces) else Values(None, None, None)
    return unit.but(face=face, faces=faces, depleted=down >= max(len(faces), 2) - 1, one_sided=False)


def fit(scenario: facts.Scenario, pieces: Iterable[Piece], binding: Binding | None = None) -> int:
    """How many of the scenario's listed units are among the pieces."""
    found = set()
    for piece in pieces:
        unit = unit_for(scenario, Charts(), piece, binding)
        if unit is not None:
            line = next(iter(names.listed(scenario, unit)), None)
            found.add(line.id if line is not None else unit.name)
    return len(found)


def slots_of(module: Module) -> list[Piece]:
    """The module's counters as pieces that lie nowhere."""
    pieces = []
    for slot in module.slots:
        properties = piece_view.properties(VassalPiece(slot.type, slot.state).traits) if slot.type else {}
        pieces.append(Piece("", properties.get("BasicName") or slot.name, Place(None), properties, slot.gpid))
    return pieces


def draft_binding(module: Module, scenario_id: str) -> str:
    """A bind.yaml to begin with: what could be matched by name and factors, and below it what could not."""
    scenario = facts.scenario(scenario_id)
    lines = [f"game: {facts.GAME}", f"scenario: {scenario_id}"]
    lines += [f"map: {_text(module.maps[0].name)}"] if module.maps else []
    lines += ["# step: the property that tells a counter's step, such as Step_Level (1 is the full side)", "units:"]
    matched: set[str] = set()
    rest: list[str] = []
    seen: set[str] = set()
    for piece in slots_of(module):
        if piece.name in seen:
            continue
        seen.add(piece.name)
        line = _guess(scenario, piece)
        if line is None:
            rest.append(piece.name)
            continue
        matched.add(line.id)
        sure = "" if line.id == piece.name else "  # a guess"
        whose = f"side: {line.side}, nation: {line.nation}"
        lines.append(f"  {_text(piece.name)}: {{unit: {_text(line.id)}, {whose}}}{sure}")
    missing = [line.id for line in scenario.units if line.id not in matched]
    lines += ["markers: []  # pieces that are no units", "# pieces without a unit:"]
    lines += [f"#   {_text(name)}" for name in rest] + ["# units without a piece:"]
    return "\n".join([*lines, *(f"#   {_text(name)}" for name in dict.fromkeys(missing))]) + "\n"


def _guess(scenario: facts.Scenario, piece: Piece) -> facts.Listed | None:
    """The one line that a piece's name and the factors in it fit best."""
    factors = _FACTORS.search(piece.name)
    face = values_in(factors[1]) if factors else None
    side = facts.side_of(piece.side or "", scenario.id)
    nation = facts.nation_of(piece.side or piece.name.split()[0] if piece.name.split() else "")
    found: list[facts.Listed] = []
    for one in [side] if side in scenario.sides else scenario.sides:
        sketch = Unit("", piece.name, str(one), nation, names.kind_in(piece.name), face=face or Values())
        found += names.listed(scenario, sketch)
    if face is not None:
        found = [line for line in found if line.values == face] or found
    ids = {line.id for line in found}
    exact = [line for line in found if names.words(line.id) == names.words(piece.name)]
    best = exact if len({line.id for line in exact}) == 1 else found if len(ids) == 1 else []
    return best[0] if best else None


def _text(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
