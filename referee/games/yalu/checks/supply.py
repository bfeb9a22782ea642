"""City control, supply and Isolated markers (2.6, 5.0)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu import facts
from referee.games.yalu.court import Court, check
from referee.games.yalu.interpret import units_in
from referee.games.yalu.supply import cut_off, in_supply
from referee.games.yalu.units import ISOLATED
from referee.rulebook import plain
from referee.table.acts import Act
from referee.verdict import Finding


@check("control", ids=["CTRL-WRONG", "CTRL-GUERRILLA"])
def control(court: Court, act: Act) -> Iterator[Finding]:
    """The last combat unit in or through a city holds it (2.6)."""
    city = act.fields.get("city") or (court.city(act.to) if act.to else None)
    side = facts.side_of(act.fields.get("value") or act.fields.get("side") or "")
    if not city or side is None:
        return
    holder = court.holder(str(city))
    bands = [
        unit.name
        for hex in court.place(str(city))
        for unit in court.position.friends_at(hex, side)
        if unit.kind == "guerrilla"
    ]
    if bands and side == facts.COMMUNIST and holder != side:
        yield court.find("CTRL-GUERRILLA", act, f"{', '.join(bands)} is a guerrilla and never controls {city}")
    elif holder is not None and holder != side:
        ways = [(hexes, exact) for trail in court.trails.values() for _, hexes, exact in trail]
        exact = all(exact or (len(hexes) == 2 and court.touch(*hexes)) for hexes, exact in ways)
        missing = () if exact else ("the ways that units took this phase",)
        yield court.find("CTRL-WRONG", act, f"{city} is controlled by the {holder} side", sure=exact, missing=missing)


@check("phase-over", ids=["SUP-COM-UNMARKED", "SUP-UN-UNMARKED"])
def unmarked(court: Court, act: Act) -> Iterator[Finding]:
    """Units that no line reaches are marked (5.2.1) or checked (15.7)."""
    if court.turn == 1 and court.phase == "supply":
        return
    if court.must_be(facts.COMMUNIST, ("supply",)):
        side, id = facts.COMMUNIST, "SUP-COM-UNMARKED"
    elif court.must_be(facts.UN, ("morale",)):
        side, id = facts.UN, "SUP-UN-UNMARKED"
    else:
        return
    for unit in cut_off(court, side):
        if court.has(unit, ISOLATED) or court.unit(unit).supplied:
            continue
        if side == facts.UN and court.ledger.any("roll-isolation", unit, turn=court.turn):
            continue
        if court.ledger.any("dropped", unit, turn=court.turn):
            continue
        text = f"no line of supply reaches {court.name(unit)} in {court.position.where(unit)}, and it is not marked"
        yield court.find(id, act, text, units=(unit,), side=side)


@check("isolate", ids=["SUP-COM-OVERMARKED", "SUP-GUERRILLA", "SUP-NAVAL-AIR"])
def marked(court: Court, act: Act) -> Iterator[Finding]:
    """Who may be Isolated."""
    for id in act.units:
        unit = court.unit(id)
        if unit.kind == "guerrilla":
            yield court.find("SUP-GUERRILLA", act, f"{unit.name} is a guerrilla and ignores isolation", units=(id,))
        elif unit.kind in ("naval", "air"):
            yield court.find("SUP-NAVAL-AIR", act, f"{unit.name} is always supplied", units=(id,))
        elif unit.side == facts.COMMUNIST and court.turn != 1 and in_supply(court, unit):
            yield court.find("SUP-COM-OVERMARKED", act, f"a line of supply reaches {unit.name}", units=(id,))


@check("unisolate", ids=["SUP-MARK-EARLY-REMOVE"])
def removed_early(court: Court, act: Act) -> Iterator[Finding]:
    """A Communist Isolated marker stays until the next Communist supply phase (5.2.2)."""
    for id in act.units:
        if court.unit(id).side == facts.COMMUNIST and not court.may_be(facts.COMMUNIST, ("supply",)):
            yield court.find(
                "SUP-MARK-EARLY-REMOVE",
                act,
                f"{court.name(id)} loses its Isolated marker in {court.time_words()}",
                units=(id,),
            )


@check("claim", ids=["SUP-IWON"])
def through_iwon(court: Court, act: Act) -> Iterator[Finding]:
    """Iwon is no supply port in SS, SO and B (5.1.1)."""
    frozen = facts.BOOK.rules["frozen_port"]
    if act.fields.get("supply") is None:
        return
    source = act.fields.get("source") or act.fields.get("port") or act.fields.get("through") or ""
    hexes = court.place(frozen["name"])
    if plain(frozen["name"]) not in plain(source) and str(source) not in hexes:
        return
    if court.weather in frozen["weather"]:
        who = units_in(court, act.fields.get("supply"))
        yield court.find("SUP-IWON", act, f"{frozen['name']} is no source of supply in {court.weather}", units=who)
