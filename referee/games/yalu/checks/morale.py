"""Neutralization, Regrouping, morale, Ridgway (14.0, 15.0, 18.0)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu import facts
from referee.games.yalu.court import Court, check
from referee.games.yalu.supply import in_supply
from referee.games.yalu.units import ISOLATED, NEUTRALIZED, REGROUPING, is_support
from referee.rulebook import plain
from referee.rules.board import NEVER, TICKS
from referee.table.acts import Act
from referee.table.units import Unit
from referee.verdict import Finding


@check("neutralize", ids=["NEU-DOUBLE"])
def twice(court: Court, act: Act) -> Iterator[Finding]:
    """Remember who was Neutralized before."""
    for id in act.units:
        if court.has(id, NEUTRALIZED):
            court.note("twice", id, act)
    return
    yield


@check("phase-over", "story-over", ids=["NEU-DOUBLE"])
def survives(court: Court, act: Act) -> Iterator[Finding]:
    """A second Neutralization eliminates (14.3)."""
    for fact in court.ledger.find("twice", turn=court.turn, phase=court.phase):
        if court.position.where(fact.who) is not None:
            text = f"{court.name(fact.who)} is Neutralized a second time and stays on the map"
            yield court.find("NEU-DOUBLE", act, text, units=(fact.who,), step=fact.step)


@check("recover", ids=["NEU-REMOVED", "MOR-RESULT"])
def recovers(court: Court, act: Act) -> Iterator[Finding]:
    """Only a passed Regroup check takes the marker off (14.4, 15.4.2)."""
    for id in act.units:
        unit = court.unit(id)
        if court.scenario.classic:
            if not court.may_be(unit.side, ("movement",)):
                text = f"{unit.name} regroups in {court.time_words()}, not in its movement phase"
                yield court.find("NEU-REMOVED", act, text, units=(id,))
            elif id in court.trails:  # C23.A, C28.C
                text = f"{unit.name} regroups after it moved: the points are paid before"
                missing = () if court.complete else ("whether it was only turned late",)
                yield court.find("NEU-REMOVED", act, text, units=(id,), sure=court.complete, missing=missing)
            continue
        rolls = list(court.ledger.find("roll-regroup", id, turn=court.turn))
        if not rolls and not court.ledger.any("regrouped", id, turn=court.turn):
            yield court.find(
                "NEU-REMOVED",
                act,
                f"{unit.name} loses its Neutralized marker without a Regroup check",
                units=(id,),
                sure=court.complete,
                missing=() if court.complete else ("whether a check was rolled",),
            )
        elif rolls:
            need = morale_number(court, unit)
            dice = rolls[-1].more.get("dice", ())
            if need is not None and len(dice) == 2 and sum(dice) > need:
                yield court.find(
                    "MOR-RESULT", act, f"{unit.name} rolled {sum(dice)} against {need}: it fails", units=(id,)
                )


def base_number(court: Court, unit: Unit) -> int | None:
    """The morale number that the user's chart gives."""
    chart = court.charts.table("morale") or {}
    for key, value in chart.items():
        if plain(key) in (plain(unit.nation or ""), plain(unit.name)) and isinstance(value, int):
            return value
        if plain(key) == plain(unit.nation or "") and isinstance(value, dict):
            found = value.get(unit.size)
            return found if isinstance(found, int) else None
    return None


def hex_points(court: Court, hex: str | None) -> int | None:
    """What the unit's hex counts: 0 on the coast, a road or a railroad (15.5.2, 15.6.1)."""
    if hex is None:
        return None
    if court.ground.on_road(hex) or court.ground.on_rail(hex) or court.is_coastal(hex):
        return 0
    cost = court.entry_cost(hex)
    return cost.low // TICKS if cost.low == cost.high < NEVER and court.ground.is_known(hex) else None


def morale_number(court: Court, unit: Unit) -> int | None:
    """Two dice at or below this pass; None where something is not known."""
    base, ground = base_number(court, unit), hex_points(court, court.position.where(unit.id))
    air = court.given.get("morale air")
    if not isinstance(air, int):
        air = court.air_offensive if unit.side == facts.UN else court.air
    if base is None or ground is None or air is None:
        return None
    return base - air + ground if unit.side == facts.COMMUNIST else base + air - ground


@check("roll", "claim", ids=["MOR-NUMBER"])
def number(court: Court, act: Act) -> Iterator[Finding]:
    """The number announced against chart, air and hex."""
    said = act.fields.get("number", act.fields.get("target_number", act.fields.get("morale")))
    if act.verb == "roll" and act.fields.get("purpose") not in ("regroup", "isolation"):
        return
    if not isinstance(said, int):
        return
    from referee.games.yalu.interpret import units_in

    for id in act.units or units_in(court, act.fields.get("unit")):
        need = morale_number(court, court.unit(id))
        if need is not None and need != said:
            sign = "-" if court.unit(id).side == facts.COMMUNIST else "+"
            base, ground = base_number(court, court.unit(id)), hex_points(court, court.position.where(id))
            text = f"{court.name(id)}: base {base} {sign} air, hex {ground} = {need}; announced {said}"
            yield court.find("MOR-NUMBER", act, text, units=(id,))


@check("mark-regroup", "recover", ids=["REG-ISOLATED", "REG-BLIZZARD", "REG-NOT-NEUTRAL"])
def marked(court: Court, act: Act) -> Iterator[Finding]:
    """Who may try to Regroup (15.4.1); in Classic no marker comes before it (C28.C)."""
    for id in act.units if act.verb != "recover" or court.scenario.classic else ():
        unit, hex = court.unit(id), court.position.where(id)
        if NEUTRALIZED not in unit.traits:
            yield court.find("REG-NOT-NEUTRAL", act, f"{unit.name} is not Neutralized", units=(id,))
        if ISOLATED in unit.traits and unit.side == facts.COMMUNIST and not court.scenario.classic:  # not C23.A
            yield court.find("REG-ISOLATED", act, f"{unit.name} is Isolated and may not Regroup", units=(id,))
        elif unit.side == facts.UN and hex is not None:
            state = unit.supplied or in_supply(court, unit)
            marked_too = ISOLATED in unit.traits
            if id in court.given.get("isolated", ()):
                state = False
            if state is False and court.turn != 1:
                yield court.find("REG-ISOLATED", act, f"{unit.name} is Isolated when UN movement begins", units=(id,))
            elif marked_too and state is None:
                lacking = ("whether a line of supply reaches it when UN movement begins",)
                told = not court.ledger.any(ISOLATED, id)  # the story begins with it
                sure = court.complete and (told or court.ground.default == "unstated")
                yield court.find(
                    "REG-ISOLATED",
                    act,
                    f"{unit.name} bears an Isolated marker",
                    sure=sure,
                    missing=() if sure else lacking,
                    units=(id,),
                )
            if court.weather == facts.BOOK.rules["blizzard"] and court.north(hex) is not False:
                north = court.north(hex)
                missing = () if north else (f"whether {hex} lies north of the Weather Line",)
                yield court.find(
                    "REG-BLIZZARD",
                    act,
                    f"{unit.name} in {hex}, north of the Weather Line in blizzard",
                    sure=bool(north),
                    missing=missing,
                    units=(id,),
                )


@check("roll", ids=["REG-NO-ROLL", "MOR-ORDER"])
def rolls(court: Court, act: Act) -> Iterator[Finding]:
    """Only marked units roll; Regroup checks come before Isolation checks (15.7)."""
    purpose = act.fields.get("purpose")
    if purpose == "regroup":
        for id in act.units:
            if REGROUPING not in court.unit(id).traits:
                yield court.find("REG-NO-ROLL", act, f"{court.name(id)} has no Regroup marker", units=(id,))
    if purpose == "isolation":
        waiting = [
            unit.name
            for unit, _ in court.position.on_map(facts.UN)
            if REGROUPING in unit.traits and not court.ledger.any("roll-regroup", unit.id, turn=court.turn)
        ]
        if waiting:
            yield court.find("MOR-ORDER", act, f"{', '.join(waiting)} has still to check for Regrouping")


@check("phase-over", ids=["REG-NO-ROLL", "MOR-ISO-ELIM", "MOR-RESULT"])
def over(court: Court, act: Act) -> Iterator[Finding]:
    """At the end of the morale phase every marked unit has rolled, and the failed bear the result (15.1, 15.7)."""
    side = court.phasing
    if side is None or not court.must_be(side, ("morale",)):
        return
    for unit, _ in list(court.position.on_map(side)):
        yield from _passed(court, act, unit)
        if (
            REGROUPING in unit.traits
            and not court.ledger.any("roll-regroup", unit.id, turn=court.turn)
            and court.complete
        ):
            yield court.find("REG-NO-ROLL", act, f"{unit.name} has a Regroup marker and did not roll", units=(unit.id,))
        for fact in court.ledger.find("roll-isolation", unit.id, turn=court.turn):
            need, dice = morale_number(court, unit), fact.more.get("dice", ())
            if need is None or len(dice) != 2 or sum(dice) <= need:
                continue
            before = court.ledger.any("was-tired", unit.id, turn=court.turn) is not None
            if before:
                text = f"{unit.name}, Neutralized, failed its check ({sum(dice)} against {need}) and is not removed"
                yield court.find("MOR-ISO-ELIM", act, text, units=(unit.id,))
            elif NEUTRALIZED not in unit.traits:
                text = f"{unit.name} failed its Isolation check ({sum(dice)} against {need}) and is not Neutralized"
                yield court.find("MOR-RESULT", act, text, units=(unit.id,))


def _passed(court: Court, act: Act, unit: Unit) -> Iterator[Finding]:
    """A passed Regroup check takes the Neutralized marker off (15.4.2)."""
    for fact in court.ledger.find("roll-regroup", unit.id, turn=court.turn):
        need, dice = morale_number(court, unit), fact.more.get("dice", ())
        if need is not None and len(dice) == 2 and sum(dice) <= need and NEUTRALIZED in unit.traits and court.complete:
            text = f"{unit.name} passed its Regroup check ({sum(dice)} against {need}) and is still Neutralized"
            yield court.find("MOR-RESULT", act, text, units=(unit.id,))


@check("roll", ids=["MOR-ISO-ELIM"])
def remember(court: Court, act: Act) -> Iterator[Finding]:
    """Was the unit Neutralized when it checked?"""
    if act.fields.get("purpose") == "isolation":
        for id in act.units:
            if court.has(id, NEUTRALIZED):
                court.note("was-tired", id, act)
    return
    yield


# --- Ridgway


@check("roll", ids=["RDG-ROLL"])
def ridgway(court: Court, act: Act) -> Iterator[Finding]:
    """From Dec III in each UN reinforcement phase, until he commands (18.1)."""
    if act.fields.get("purpose") != "ridgway":
        return
    first = court.dated(facts.BOOK.rules["ridgway_from"])
    if court.turn is not None and court.turn < first:
        yield court.find("RDG-ROLL", act, f"no die for Ridgway before {court.turn_words(first)}")
    elif court.ridgway in ("drm", "removed"):
        yield court.find("RDG-ROLL", act, "Ridgway commands already")
    elif not court.may_be(facts.UN, ("reinforcement",)):
        yield court.find("RDG-ROLL", act, "the die for Ridgway belongs into the UN reinforcement phase")


@check("phase-over", ids=["RDG-ROLL"])
def no_ridgway(court: Court, act: Act) -> Iterator[Finding]:
    """The die is not optional."""
    first = court.dated(facts.BOOK.rules["ridgway_from"])
    if (
        not court.must_be(facts.UN, ("reinforcement",))
        or court.turn is None
        or court.turn < first
        or not court.complete
        or not court.scenario.rules["ridgway"]
    ):
        return
    waiting = court.ridgway == "waiting" or (court.ridgway is None and court.turn == first)
    if waiting and not court.ledger.any("rolled", "ridgway", turn=court.turn):
        yield court.find("RDG-ROLL", act, f"no die for Ridgway on {court.turn_words(court.turn)}")


@check("set-ridgway", ids=["RDG-STATE"])
def ridgway_state(court: Court, act: Act) -> Iterator[Finding]:
    """The second die: 6 takes the marker off, 1-5 turns it (18.2)."""
    word = plain(act.fields.get("value"))
    if court.phase == "setup":
        return
    flipped, removed = "flip" in word or "drm" in word, "remov" in word
    if court.ridgway == "waiting" and (flipped or removed):
        yield court.find("RDG-STATE", act, "Ridgway does not command yet")
    elif (court.ridgway == "removed" and flipped) or (court.ridgway == "drm" and removed):
        want = "removed" if court.ridgway == "removed" else "turned over"
        yield court.find("RDG-STATE", act, f"by the second die the marker is {want}")


def checked(unit: Unit) -> bool:
    """Does a unit check morale? Supports do not."""
    return not is_support(unit)
