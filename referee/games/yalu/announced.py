"""The fire that an announcement means: who fires at whom, with what support."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.yalu.court import Court
from referee.games.yalu.interpret import hex_in, units_in
from referee.rulebook import plain
from referee.story_events import as_list
from referee.table.acts import Act
from referee.table.combat import Combat


def _split(told: Any) -> dict[str, int]:
    """Factors by support: `{Battleship: 1}`, or `[{unit: Battleship, factors: 1}]`."""
    if isinstance(told, Mapping) and "unit" not in told:
        return dict(told)
    lines = [one for one in as_list(told) if isinstance(one, Mapping) and isinstance(one.get("factors"), int)]
    split = {str(one.get("unit") or one.get("name")): int(one["factors"]) for one in lines}
    return split if len(split) == len(as_list(told)) else {}


def fire_of(court: Court, act: Act) -> Combat | None:
    """The fire that an act announces; None where it names nobody."""
    fields = act.fields
    by = units_in(
        court, fields.get("by") or fields.get("attackers") or fields.get("units_firing") or fields.get("what")
    )
    targets = tuple(
        hex for one in as_list(fields.get("target") or fields.get("targets") or fields.get("hex") or fields.get("at"))
        if (hex := hex_in(court, one))
    )  # fmt: skip
    named = units_in(court, fields.get("units") or fields.get("defenders") or fields.get("targets_units"))
    named = tuple(id for id in named if id not in by)
    if not targets:
        targets = tuple(dict.fromkeys(hex for id in named if (hex := court.position.where(id))))
    if not by and not targets:
        return None
    side = court.unit(by[0]).side if by else act.side
    kind = fire_kind(court, fields, side)
    told = bool(named)
    if not named and len(targets) == 1:
        named = tuple(
            unit.id for unit in (court.position.enemies_at(targets[0], side) if side else ())
            if unit.kind in (None, "garrison", "conscript")
        )  # fmt: skip
        named = named or tuple(unit.id for unit in (court.position.enemies_at(targets[0], side) if side else ()))
    combat = Combat(kind, act.step, side, by, targets, named)
    if not court.complete:  # a log: nobody says what supports a fire, nor which units of a stack it is aimed at
        combat.said["in_log"] = True
        combat.said["loose"] = len(named) > 1 and not told
    for id in (*by, *named):
        if (hex := court.position.where(id)) is not None:
            combat.stood[id] = hex
        combat.units[id] = court.unit(id)
    support = units_in(court, fields.get("support") or fields.get("supports"))
    combat.said["supports"] = tuple(support)
    for key in ("odds", "drm", "column", "result", "attack_type", "total", "asp"):
        if fields.get(key) is not None:
            combat.said[key] = fields[key]
    if split := _split(fields.get("support") or fields.get("supports")):
        combat.said["split"] = split
        combat.said["supports"] = units_in(court, list(split))
    if isinstance(fields.get("support"), int) and not isinstance(fields.get("support"), bool):
        combat.said["points"] = fields["support"]
    for key in ("air", "artillery"):
        if isinstance(fields.get(key), int) and not isinstance(fields.get(key), bool):
            combat.said[key] = fields[key]
    if fields.get("artillery") is True and targets and targets[0] in court.designations:
        combat.said["artillery"] = court.designations[targets[0]].artillery
    return combat


def fire_kind(court: Court, fields: Mapping[str, Any], side: str | None) -> str:
    """Defensive, assault or bugout: as it was called, else by the phase and whose turn it is."""
    said = plain(fields.get("type") or fields.get("kind") or "")
    if "bug" in said or court.must_be(None, ("bugout",)):
        return "bugout"
    if "def" in said:
        return "defensive"
    if "assault" in said or "attack" in said:
        return "assault"
    if court.must_be(None, ("defensive-fire",)):
        return "defensive"
    phasing = court.phasing
    return "defensive" if phasing is not None and side is not None and side != phasing else "assault"
