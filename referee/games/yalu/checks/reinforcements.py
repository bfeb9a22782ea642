"""Reinforcements: when and where (6.1, 6.3)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu import facts
from referee.games.yalu.arrivals import due, reason
from referee.games.yalu.court import Court, check
from referee.games.yalu.units import words
from referee.rulebook import plain
from referee.table.acts import Act
from referee.table.units import Unit
from referee.verdict import Finding


@check("enter", ids=["REINF-PHASE"])
def phase(court: Court, act: Act) -> Iterator[Finding]:
    """Arrivals belong into the owner's reinforcement phase; off-map movers into UN movement."""
    for id in act.units:
        unit = court.unit(id)
        why = reason(court, act, unit)
        if why == "ship" or act.to is None:
            continue
        phases = (
            ("reinforcement", "movement")
            if why == "returning" and court.ledger.any("exited", id)
            else ("reinforcement",)
        )
        if not court.may_be(unit.side, phases) and not court.ledger.any("broken", turn=court.turn):
            yield court.find("REINF-PHASE", act, f"{unit.name} arrives in {court.time_words()}", units=(id,))


@check("enter", ids=["REINF-NOT-DUE"])
def not_due(court: Court, act: Act) -> Iterator[Finding]:
    """Not before its turn, and only if it is due at all."""
    table = court.charts.table("reinforcements")
    for id in act.units:
        unit = court.unit(id)
        if reason(court, act, unit) != "reinforcement" or act.to is None:
            continue
        turn = due(court, unit)
        if turn is not None and court.turn is not None and court.turn < turn:
            text = f"{unit.name} is due on {court.turn_words(turn)}"
            yield court.find("REINF-NOT-DUE", act, text, units=(id,))
        elif table and not any(words(str(name)) == words(unit.name) for name in table):
            yield court.find("REINF-NOT-DUE", act, f"{unit.name} is not among the reinforcements", units=(id,))


@check("enter", ids=["REINF-COM-STAGING", "REINF-COM-EDGE"])
def communist(court: Court, act: Act) -> Iterator[Finding]:
    """A Staging Area on the first three turns, then the north or west edge (6.1.1.1)."""
    for id in act.units:
        unit = court.unit(id)
        if (
            unit.side != facts.COMMUNIST
            or reason(court, act, unit) != "reinforcement"
            or act.to is None
            or court.turn is None
        ):
            continue
        if court.turn <= court.scenario.rule("staging_until"):
            if court.lies(act.to, "staging") is False:
                yield court.find(
                    "REINF-COM-STAGING", act, f"{unit.name} arrives at {act.to}, in no Staging Area", units=(id,)
                )
        elif not _on_edge(court, act.to):
            yield court.find(
                "REINF-COM-EDGE", act, f"{unit.name} arrives at {act.to}, not on the north or west edge", units=(id,)
            )
        elif court.is_sea(act.to):
            yield court.find("REINF-COM-EDGE", act, f"{unit.name} arrives at {act.to}, which is sea", units=(id,))


def _on_edge(court: Court, hex: str) -> bool:
    at = court.grid.hex(hex)
    span = court.scenario.raw.get("communist_entry")
    if span and {span["first"], span["last"]} <= set(court.grid.numbers):
        last_row, last_column = court.grid.hex(span["first"]).row, court.grid.hex(span["last"]).col
        return (at.col == 0 and at.row <= last_row) or (at.row == 0 and at.col <= last_column)
    return at.col == 0 or at.row == 0 or court.lies(hex, "communist-edge") is True


def _city_of(court: Court, act: Act) -> str | None:
    for key in ("for", "source", "city", "note", "of", "reason"):
        for city in facts.BOOK.rules["conditional_cities"]:
            if plain(city) in plain(act.fields.get(key) or ""):
                return str(city)
    here = court.city(act.to) if act.to else None
    return here if here in facts.BOOK.rules["conditional_cities"] else None


@check("enter", ids=["REINF-COND-TIMING", "REINF-COND-REPEAT", "REINF-COND-PLACE"], partly={
    "REINF-COND-REPEAT": "units only: the points that a city gives are judged with the income",
})  # fmt: skip
def conditional(court: Court, act: Act) -> Iterator[Finding]:
    """Once for each city, on the first turn after its capture, in the city (6.1.1.2)."""
    for id in act.units:
        unit = court.unit(id)
        if act.fields.get("mode") != "conditional":
            continue
        city = _city_of(court, act)
        if city is None:
            continue
        taken = court.captured.get(plain(city))
        once = court.ledger.any("conditional", city) or court.ledger.any("conditional", plain(city))
        if once is not None and once.turn != court.turn:
            yield court.find("REINF-COND-REPEAT", act, f"the units for {city} were taken before", units=(id,))
        if court.holder(city) == facts.UN:
            yield court.find("REINF-COND-TIMING", act, f"{city} is not held by the Communists", units=(id,))
        elif taken is not None and court.turn is not None and court.turn != taken + 1 and not court.scenario.classic:
            text = f"{city} fell on {court.turn_words(taken)}: its units come on the turn after"
            yield court.find("REINF-COND-TIMING", act, text, units=(id,))
        hexes = court.place(city)
        if unit.kind is None and act.to is not None and hexes and act.to not in hexes:
            yield court.find("REINF-COND-PLACE", act, f"{unit.name} is placed in {act.to}, not in {city}", units=(id,))


@check("enter", ids=["REINF-GUER-TURN", "REINF-GUER-PLACE"])
def guerrilla(court: Court, act: Act) -> Iterator[Finding]:
    """On turns with a red G, away from UN units, their zones and Communist combat units (6.1.1.4)."""
    turns = [facts.turn_of(court.scenario.id, turn) for turn in court.charts.table("guerrilla_turns") or ()]
    for id in act.units:
        unit = court.unit(id)
        if unit.kind != "guerrilla" or act.to is None:
            continue
        if turns and court.turn is not None and court.turn not in turns and act.fields.get("mode") != "conditional":
            yield court.find("REINF-GUER-TURN", act, f"{court.turn_words(court.turn)} has no red G", units=(id,))
        enemies = [one.name for one in court.position.enemies_at(act.to, unit.side)]
        friends = [] if court.scenario.classic else [one.name for one in court.combat_units(act.to, unit.side)]
        if enemies or friends:
            yield court.find(
                "REINF-GUER-PLACE", act, f"{unit.name} is placed with {', '.join(enemies + friends)}", units=(id,)
            )
        elif court.in_zone(act.to, unit.side):
            yield court.find(
                "REINF-GUER-PLACE", act, f"{unit.name} is placed in {act.to}, in a UN zone of control", units=(id,)
            )


@check("enter", ids=["REINF-UN-ROK", "REINF-UN-OTHER", "REINF-UN-CAPTURED", "REINF-UN-DELAY"])
def united_nations(court: Court, act: Act) -> Iterator[Finding]:
    """ROK at Seoul, others at Inchon; a turn later at a To Pusan hex (6.1.2.2, 6.3)."""
    for id in act.units:
        unit = court.unit(id)
        if unit.side != facts.UN or reason(court, act, unit) != "reinforcement" or act.to is None:
            continue
        yield from _un_place(court, act, unit)


def _un_place(court: Court, act: Act, unit: Unit) -> Iterator[Finding]:
    assert act.to is not None
    cities = facts.BOOK.rules["arrival_cities"]
    city = cities["ROK"] if unit.nation == "ROK" else cities["other"]
    id = "REINF-UN-ROK" if unit.nation == "ROK" else "REINF-UN-OTHER"
    turn = due(court, unit)
    late = court.turn - turn if turn is not None and court.turn is not None else None
    pusan = act.to in court.to_pusan()
    hexes = court.place(city)
    held = court.holder(city)
    if late is not None and late > 1:
        yield court.find(
            "REINF-UN-DELAY",
            act,
            f"{unit.name} was due {late} turns ago; one turn's delay is allowed",
            units=(unit.id,),
        )
    elif late == 1 and not pusan:
        yield court.find(
            "REINF-UN-DELAY", act, f"{unit.name} comes a turn late at {act.to}, no To Pusan hex", units=(unit.id,)
        )
    elif late == 0 and pusan:
        yield court.find(
            "REINF-UN-CAPTURED",
            act,
            f"{unit.name} comes at {act.to} on its turn; there it comes one turn later",
            units=(unit.id,),
        )
    if held == facts.COMMUNIST and act.to in hexes and not court.scenario.classic:  # C27 has no such exception
        yield court.find("REINF-UN-CAPTURED", act, f"{city} is in Communist hands", units=(unit.id,))
    elif not pusan and (act.to not in hexes if hexes else court.city(act.to) not in (None, city)) and late != 1:
        yield court.find(id, act, f"{unit.name} arrives at {act.to}, not at {city}", units=(unit.id,))


@check("enter", ids=["REINF-DELAY-SEOUL"])
def delayed_seoul(court: Court, act: Act) -> Iterator[Finding]:
    """The ROK replacement that only Seoul may take cannot be delayed (6.3)."""
    for id in act.units:
        unit = court.unit(id)
        said = " ".join(plain(act.fields.get(key) or "") for key in ("for", "note", "reason", "kind", "type", "mode"))
        if unit.nation == "ROK" and "delay" in said and ("seoul" in said or "extra" in said):
            yield court.find(
                "REINF-DELAY-SEOUL", act, f"{unit.name} is the replacement of Seoul and cannot be delayed", units=(id,)
            )
