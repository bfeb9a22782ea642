"""Divisions broken down into regiments, at set-up only and for good (11.0, 15.0, 27.0 to 29.0)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.korean_battles import facts, names
from referee.games.korean_battles.checks.setup import from_breakdown, placed
from referee.games.korean_battles.court import Court, check
from referee.games.korean_battles.story_units import values_in
from referee.story_events import as_list
from referee.table.acts import Act
from referee.table.units import Unit, Values
from referee.verdict import Finding


@check("break", ids=["SET-BREAKDOWN-TYPE", "SET-BREAKDOWN-LATE"])
def breaking_down(court: Court, act: Act) -> Iterator[Finding]:
    """A division becomes three regiments of the listed value, at set-up only."""
    for id in act.units:
        unit = court.unit(id)
        one = act.of(id)
        if court.clock.possible and court.phase != "setup":
            yield court.find("SET-BREAKDOWN-LATE", one, f"{unit.name} is broken down after play has begun")
        table = facts.units()["breakdown"].get(unit.nation or "", {})
        full = next((face for face in (*unit.faces, unit.face) if str(face) in table), None)
        if unit.nation in ("US", "CW") or (unit.size not in (None, "division")):
            yield court.find("SET-BREAKDOWN-TYPE", one, f"{unit.name} is no division that may be broken down")
            continue
        if full is None:
            continue
        right = table[str(full)]
        wrong = [
            str(values)
            for name in as_list(act.get("into"))
            if (values := _values(court, name)) is not None and str(values) != right
        ]
        count, parts = len(as_list(act.get("into"))), facts.units()["breakdown_parts"]
        if wrong:
            yield court.find(
                "SET-BREAKDOWN-TYPE",
                one,
                f"{unit.name} ({full}) becomes {', '.join(wrong)}; it becomes {parts} of {right}",
                right=right,
            )
        elif count > parts:
            yield court.find("SET-BREAKDOWN-TYPE", one, f"{unit.name} becomes {count} regiments; it becomes {parts}")


def _values(court: Court, name: object) -> Values | None:
    """The printed values of a regiment that a breakdown names: a unit, or three numbers."""
    if str(name) in court.position.units:
        unit = court.unit(str(name))
        return unit.face if None not in unit.face and not unit.depleted else None
    if isinstance(name, dict):
        return values_in(name.get("values") or name)
    return values_in(name)


@check("place", "phase-over", ids=["SET-BREAKDOWN-HEX"])
def breakdown_hexes(court: Court, act: Act) -> Iterator[Finding]:
    """Regiments of a broken-down division stand in or next to its hex; North Koreans at Pusan not next to the UN."""
    for one, unit, hex in placed(court, act):
        if unit.side == "Chinese" or not from_breakdown(court, unit):
            continue
        parent = next((id for id, into in court.broken.items() if unit.id in into), unit.division)
        homes = _home(court, str(parent), unit) if parent else ()
        if homes and min(court.distance(home, hex) for home in homes) > 1:
            yield court.find(
                "SET-BREAKDOWN-HEX", one, f"{unit.name} is set up in {hex}; its division's hex is {' or '.join(homes)}"
            )
        if unit.side == "NK" and not court.scenario.raw["breakdown_next_to_enemy"]:
            near = [
                enemy.name for other in court.grid.neighbours(hex) for enemy in court.position.enemies_at(other, "NK")
            ]
            if near:
                yield court.find("SET-BREAKDOWN-HEX", one, f"{unit.name} is set up next to {', '.join(near)}")


def _home(court: Court, parent: str, unit: Unit) -> tuple[str, ...]:
    division = court.position.units.get(parent) or Unit(parent, parent, unit.side, unit.nation, size="division")
    return tuple(
        dict.fromkeys(
            hex
            for line in names.listed(court.scenario, division, arrives=False)
            if line.size == "division"
            for hex in line.hexes
        )
    )


@check("combine", "enter", "place", "replace", ids=["SET-RECOMBINE", "RB-MERGE"])
def recombined(court: Court, act: Act) -> Iterator[Finding]:
    """A division that was broken down is out of the game."""
    if act.verb in ("combine", "replace"):
        into = [str(name) for name in as_list(act.get("into", "with"))]
        parts = [id for id in act.units if court.unit(id).size in ("regiment", None)]
        whole = [name for name in into if name in court.position.units and court.unit(name).size == "division"]
        division = whole or [
            name
            for name in into
            if values_in(name) and any(name in table for table in facts.units()["breakdown"].values())
        ]
        if act.verb == "combine" or (parts and division):
            yield court.find(
                "SET-RECOMBINE",
                act,
                f"{', '.join(map(court.name, act.units))} are turned back into {', '.join(into) or 'a division'}",
            )
            yield court.find("RB-MERGE", act, "regiments never become a division")
        return
    for id in act.units:
        if id in court.broken or any(fact for fact in court.ledger.find("broken", id)):
            yield court.find(
                "SET-RECOMBINE",
                act.of(id),
                f"{court.name(id)} was broken down and comes back as a division",
            )
