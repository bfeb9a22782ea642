"""PVA conscripts (17.0)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu import facts
from referee.games.yalu.court import Court, check
from referee.games.yalu.interpret import units_in
from referee.games.yalu.units import ISOLATED, NEUTRALIZED
from referee.table.acts import Act
from referee.verdict import Finding


def may_be_held(court: Court) -> list[str]:
    """The cities that count and may be Communist; where a story tells of some, the others are not."""
    told = court.complete and bool(court.control)
    held = {facts.COMMUNIST} if told else {facts.COMMUNIST, None}
    return [city for city in facts.BOOK.rules["conditional_cities"] if court.holder(city) in held]


def cap(court: Court) -> int:
    """How many may be on the map (17.3), at most, where control of a city is not known."""
    rules = facts.BOOK.rules["conscripts"]
    if court.scenario.classic:
        return int(court.scenario.raw["conscripts"]["cap"])
    return int(rules["base"]) + sum(int(rules[city]) for city in may_be_held(court))


@check("set-conscripts", ids=["CON-DRAFT"])
def drafted(court: Court, act: Act) -> Iterator[Finding]:
    """One for each controlled city of three; another rule says two for Pyongyang (17.2, 6.1.1.3)."""
    value = act.fields.get("value")
    if not isinstance(value, int) or not court.may_be(facts.COMMUNIST, ("reinforcement",)):
        return
    held = [city for city in facts.BOOK.rules["conditional_cities"] if court.holder(city) == facts.COMMUNIST]
    before = court.given.get("conscripts")
    got = value - before if isinstance(before, int) else value
    rule = facts.BOOK.rules["conscripts"]
    allowed = (
        {len(held)}
        if court.charts.option("conscript_rule") == "chapter17" and court.charts.settled("conscript_rule")
        else {len(held), rule["pyongyang_draft"] if rule["draft_city"] in held else 0}
    )
    settled = court.charts.settled("conscript_rule")
    if len(may_be_held(court)) > len(held):
        allowed |= set(range(len(held), len(may_be_held(court)) + 1))
    if got not in allowed:
        yield court.find(
            "CON-DRAFT", act, f"{got} conscripts are drafted; cities held: {', '.join(held) or 'none'}", settled=settled
        )


@check("enter", ids=["CON-FIELD-RATE", "CON-FIELD-PLACE"])
def fielded(court: Court, act: Act) -> Iterator[Finding]:
    """So many a phase by the month, each with a unit that is neither Isolated nor Neutralized (17.3)."""
    units = [court.unit(id) for id in act.units if court.unit(id).kind == "conscript"]
    if not units or act.to is None:
        return
    if court.month is not None and not court.scenario.classic:
        rate = int(facts.BOOK.rules["conscripts"]["rate"][court.month])
        before = {
            fact.who for fact in court.ledger.find("entered", turn=court.turn) if fact.who in court.position.units
        }
        count = sum(court.unit(id).kind == "conscript" for id in before | set(act.units))
        if count > rate:
            yield court.find("CON-FIELD-RATE", act, f"{count} conscripts are fielded; {court.month} allows {rate}")
    hosts = court.combat_units(act.to, facts.COMMUNIST)
    able = [unit for unit in hosts if not {ISOLATED, NEUTRALIZED} & unit.traits]
    if not able:
        why = "no Communist combat unit" if not hosts else "only Isolated or Neutralized units"
        yield court.find("CON-FIELD-PLACE", act, f"{', '.join(unit.name for unit in units)} in {act.to}: {why} there")


@check("phase-over", ids=["CON-CAP"])
def too_many(court: Court, act: Act) -> Iterator[Finding]:
    """The number on the map at the end of the reinforcement phase (17.3, 17.4)."""
    if not court.must_be(facts.COMMUNIST, ("reinforcement",)):
        return
    here = [unit for unit, _ in court.position.of_kind("conscript", facts.COMMUNIST)]
    limit = cap(court)
    other = int(facts.BOOK.rules["conscripts"]["other_cap"])
    if len(here) > limit:
        doubt = (
            len(here) <= other
            and court.holder(facts.BOOK.rules["conscripts"]["draft_city"]) == facts.COMMUNIST
            and not court.charts.settled("conscript_rule")
        )
        missing = ("which rule for conscripts holds (option conscript_rule)",) if doubt else ()
        text = f"{len(here)} conscripts are on the map; the limit is {limit}"
        yield court.find("CON-CAP", act, text, sure=not doubt, missing=missing, units=tuple(unit.id for unit in here))


@check("claim", ids=["CON-DEADPILE"], partly={
    "CON-DEADPILE": "boxes are no places the referee sees: only what players say of them",
})  # fmt: skip
def dead_pile(court: Court, act: Act) -> Iterator[Finding]:
    """Spent conscripts go to the Conscript Box, not to the Dead Pile (17.1)."""
    for id in units_in(court, act.fields.get("dead_pile") or act.fields.get("dead pile")):
        if court.unit(id).kind == "conscript":
            yield court.find(
                "CON-DEADPILE", act, f"{court.name(id)} is a conscript and goes to the Conscript Box", units=(id,)
            )


@check("phase-over", ids=["CON-FIRE-STAYS"])
def fired(court: Court, act: Act) -> Iterator[Finding]:
    """A conscript that fired is removed (17.6)."""
    for fact in court.ledger.find("fired", turn=court.turn, side=court.phasing):
        unit = court.position.units.get(fact.who)
        told = unit is not None and court.ledger.any("stayed", unit.id, turn=court.turn) is not None
        if unit is not None and unit.kind == "conscript" and court.position.where(unit.id) is not None and not told:
            court.note("stayed", unit.id, act)
            yield court.find("CON-FIRE-STAYS", act, f"{unit.name} fired and stays on the map", units=(unit.id,))


@check("designate", ids=["CON-HWA"])
def in_wave(court: Court, act: Act) -> Iterator[Finding]:
    """No conscripts in a Human Wave (10.9.5, 17.6)."""
    if act.fields.get("type") != "hwa":
        return
    for id in units_in(court, act.fields.get("attackers") or act.fields.get("by") or act.fields.get("units")):
        if court.unit(id).kind == "conscript":
            yield court.find("CON-HWA", act, f"{court.name(id)} is a conscript and joins no Human Wave", units=(id,))
