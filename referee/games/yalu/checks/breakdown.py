"""Breaking down and recombining UN units (9.3.3, 9.3.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.games.yalu import facts
from referee.games.yalu.court import Court, check
from referee.games.yalu.interpret import units_in
from referee.games.yalu.journeys import Search, allowance, mp
from referee.games.yalu.units import NEUTRALIZED, words
from referee.rules.board import ticks
from referee.table.acts import Act
from referee.verdict import Finding


def _chart(court: Court, name: str) -> list[str] | None:
    """The parts of a unit by the user's Breakdown Chart."""
    told = court.charts.table("breakdown") or {}
    parts = next((parts for unit, parts in told.items() if words(str(unit)) == words(name)), None)
    return [str(part) for part in parts] if isinstance(parts, list) else None


@check("break", ids=["BRK-NATION", "BRK-PHASE", "BRK-PARTS", "BRK-NEUTRAL"])
def breaks(court: Court, act: Act) -> Iterator[Finding]:
    """Only US and ROK units, in UN movement, before they move, into their own parts."""
    into = units_in(court, act.fields.get("into"))
    for id in act.units:
        unit = court.unit(id)
        if unit.nation not in ("US", "ROK", None):
            yield court.find("BRK-NATION", act, f"{unit.name} is neither US nor ROK", units=(id,))
        if not court.may_be(facts.UN, ("movement",)) and court.phase != "setup":
            yield court.find("BRK-PHASE", act, f"{unit.name} breaks down outside UN movement", units=(id,))
        elif court.phase == "setup" and not _allowed_at_start(court, unit):
            yield court.find(
                "BRK-PHASE", act, f"{unit.name} is broken down at the start without the optional rule", units=(id,)
            )
        elif court.trails.get(id):
            yield court.find("BRK-PHASE", act, f"{unit.name} has moved and breaks down", units=(id,))
        parts = _chart(court, unit.name)
        if parts is not None and into:
            wanted, got = {words(part) for part in parts}, {words(court.name(one)) for one in into}
            if wanted != got:
                names = ", ".join(map(court.name, into))
                yield court.find(
                    "BRK-PARTS",
                    act,
                    f"{unit.name} breaks down into {names}; its parts are {', '.join(parts)}",
                    units=(id,),
                )
        elif (
            into
            and unit.size == "division"
            and all(court.unit(one).size == "regiment" for one in into)
            and len(into) != facts.BOOK.rules["parts"]["division"]["regiment"]
        ):
            yield court.find(
                "BRK-PARTS",
                act,
                f"{unit.name} breaks down into {len(into)} regiments",
                units=(id,),
                sure=False,
                missing=("the Breakdown Chart",),
            )


def _allowed_at_start(court: Court, unit: Any) -> bool:
    options = ("optional_marines", "optional_breakdown") if "marine" in unit.traits else ("optional_breakdown",)
    return any(court.charts.option(option) is not False and court.charts.settled(option) for option in options)


@check("phase-over", ids=["BRK-NEUTRAL", "RCB-NEUTRAL"])
def stays_neutralized(court: Court, act: Act) -> Iterator[Finding]:
    """Parts of a Neutralized unit, and a unit with a Neutralized part, are Neutralized (9.3.3.5, 9.3.4.3)."""
    for fact in court.ledger.find("broken", turn=court.turn, phase=court.phase):
        if fact.who in court.position.units and court.has(fact.who, NEUTRALIZED):
            well = [id for id in fact.more.get("into", ()) if not court.has(id, NEUTRALIZED)]
            if well:
                text = f"{court.name(fact.who)} was Neutralized; {', '.join(map(court.name, well))} is not"
                yield court.find("BRK-NEUTRAL", act, text, units=tuple(well))
    for fact in court.ledger.find("combined", turn=court.turn, phase=court.phase):
        if fact.more.get("neutralized") and not court.has(fact.who, NEUTRALIZED):
            text = f"{court.name(fact.who)} was put together with a Neutralized part and is not Neutralized"
            yield court.find("RCB-NEUTRAL", act, text, units=(fact.who,))


@check("combine", ids=["RCB-PARTS", "RCB-MP"])
def combines(court: Court, act: Act) -> Iterator[Finding]:
    """All parts together in a hex, each with the MPs left (9.3.4.1, 9.3.4.4, 9.3.4.5)."""
    into = units_in(court, act.fields.get("into"))
    hexes = {court.position.where(id) for id in act.units}
    if len(hexes) > 1 or None in hexes:
        places = ", ".join(f"{court.name(id)} {court.position.where(id) or 'off the map'}" for id in act.units)
        yield court.find("RCB-PARTS", act, f"the parts are not in one hex: {places}")
    for id in into:
        unit = court.unit(id)
        loose = court.scenario.classic and unit.size == "regiment"  # C28.B: any three battalions of the division
        parts = None if loose else _chart(court, unit.name)
        have = {words(court.name(one)) for one in act.units}
        if parts is not None and {words(part) for part in parts} != have:
            yield court.find("RCB-PARTS", act, f"{unit.name} needs {', '.join(parts)}", units=(id,))
        elif parts is None and unit.size in ("division", "regiment"):
            sizes = [court.unit(one).size for one in act.units]
            need = facts.BOOK.rules["parts"][str(unit.size)]
            kinds = set(sizes)
            if len(kinds) == 1 and sizes[0] in need and len(sizes) < need[str(sizes[0])]:
                text = f"{unit.name} is put together from {len(sizes)} {sizes[0]}s; it needs {need[str(sizes[0])]}"
                yield court.find("RCB-PARTS", act, text, units=(id,))
    for id in act.units:
        unit = court.unit(id)
        levels = 2 if unit.size == "battalion" and any(court.unit(one).size == "division" for one in into) else 1
        fee = ticks(facts.BOOK.rules["breakdown"].get(unit.nation or "US", 2)) * levels
        have_left = allowance(court, unit).usable
        trail = [hex for _, hexes, _ in court.trails.get(id, ()) for hex in hexes]
        stops = [hex for i, hex in enumerate(trail) if i == 0 or hex != trail[i - 1]]
        spent = Search(court, unit).cost(stops, []) if len(stops) > 1 else 0
        if have_left is not None and spent and spent + fee > have_left:
            text = f"{unit.name} spent at least {mp(spent)} and needs {mp(fee)} to recombine; it has {mp(have_left)}"
            yield court.find("RCB-MP", act, text, units=(id,))


@check("move", "rail", "embark", "evacuate", ids=["RCB-MOVES"])
def moves_after(court: Court, act: Act) -> Iterator[Finding]:
    """A recombined unit may not move in the same phase (9.3.4.2)."""
    for id in act.units:
        if court.ledger.any("combined", id, turn=court.turn, phase=court.phase):
            yield court.find("RCB-MOVES", act, f"{court.name(id)} was put together this phase and moves", units=(id,))
