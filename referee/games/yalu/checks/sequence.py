"""The sequence of play, who moves, set-up and the start of the game (2.7, 3.0, 10.4.1, 21.0)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.charts import hex_text
from referee.games.yalu import facts
from referee.games.yalu.announced import fire_of
from referee.games.yalu.court import Court, check
from referee.games.yalu.interpret import weather_code
from referee.games.yalu.units import words
from referee.rulebook import plain
from referee.table.acts import Act
from referee.verdict import Finding


@check("phase", ids=["SEQ-ORDER"], partly={
    "SEQ-ORDER": "a phase that is passed over cannot be told from one in which nothing was done",
})  # fmt: skip
def order(court: Court, act: Act) -> Iterator[Finding]:
    """No going back to a phase that is over (3.0)."""
    told = act.fields
    names = [told.get(key) for key in ("segment", "step", "name", "phase") if told.get(key) is not None]
    phase = next((found for word in names if (found := facts.phase_of(word))), None)
    side = facts.side_of(told.get("side") or told.get("player") or "")
    turn = facts.turn_of(court.scenario.id, told["turn"]) if told.get("turn") is not None else court.turn
    if phase is None or not court.clock.possible or phase == "setup":
        return
    either = phase in facts.BOOK.rules["shared"] or phase in facts.BOOK.rules["reactions"]
    places = court.clock.places(None if either else side, phase)
    now = [time.place for time in court.clock.possible]
    if not places or turn is None or court.turn is None:
        return
    if turn < court.turn:
        yield court.find("SEQ-ORDER", act, f"from {court.time_words()} to {court.turn_words(turn)}")
    elif turn == court.turn and max(places) < min(now) and (told.get("turn") is not None or side is not None):
        if told.get("turn") is None and _may_be_next_turn(court, places, now):
            return
        yield court.find("SEQ-ORDER", act, f"{plain(phase)} comes before {court.time_words()} and is over")


def _may_be_next_turn(court: Court, places: list[int], now: list[int]) -> bool:
    """Without a turn number: the phase may be the next turn's if this one is at its end."""
    last = len(court.clock.moments) - 2
    return min(now) >= last


@check("move", "rail", "airdrop", ids=["SEQ-MOVE-OUTSIDE"])
def outside(court: Court, act: Act) -> Iterator[Finding]:
    """A unit moves in its owner's movement phase (9.1.1)."""
    for id in act.units:
        unit = court.unit(id)
        if unit.kind in ("naval", "air") or act.to is None or act.origin is None or act.to == act.origin:
            continue
        if not court.may_be(unit.side, ("movement",)):
            yield court.find("SEQ-MOVE-OUTSIDE", act, f"{unit.name} moves in {court.time_words()}", units=(id,))


@check("move", "rail", "bugout", "retreat", "advance", "sail", "embark", ids=["SEQ-OWNER"])
def owner(court: Court, act: Act) -> Iterator[Finding]:
    """Only the owner moves his pieces (2.7)."""
    if act.side is None:
        return
    others = [id for id in act.units if court.unit(id).side != act.side]
    if others:
        names = ", ".join(map(court.name, others))
        yield court.find("SEQ-OWNER", act, f"{names} is moved by the {act.side} player", units=tuple(others))


@check("mark-regroup", ids=["SEQ-REGROUP-LATE"])
def regroup_late(court: Court, act: Act) -> Iterator[Finding]:
    """Regroup markers are placed before any move of the phase (9.2.1, 9.3.1)."""
    for id in act.units:
        side = court.unit(id).side
        told = court.ledger.find("moved", turn=court.turn)  # a history's; this phase's own are trails
        before = [fact.who for fact in told if fact.step == 0 and fact.phase in (None, court.phase)]
        who = dict.fromkeys([*court.trails, *before])
        moved = [one for one in who if one in court.position.units and court.unit(one).side == side]
        if court.must_be(side, ("movement",)) and moved:
            text = f"{court.name(id)} gets a Regroup marker after {', '.join(map(court.name, moved[:3]))} moved"
            yield court.find("SEQ-REGROUP-LATE", act, text, units=(id,))
        elif not court.may_be(side, ("movement",)):
            yield court.find(
                "SEQ-REGROUP-LATE",
                act,
                f"{court.name(id)} gets a Regroup marker outside its movement phase",
                units=(id,),
            )


@check("designate", "fire", ids=["SEQ-SUBPHASE"])
def subphase(court: Court, act: Act) -> Iterator[Finding]:
    """All designations, then all Defensive Fires, then all Assaults (10.4.1)."""
    steps = {fact.step for fact in court.this_combat("fired")}
    kinds = [one.kind for one in court.combats if one.step in steps]
    if act.verb == "designate":
        if any(kind in ("defensive", "assault") for kind in kinds):
            yield court.find("SEQ-SUBPHASE", act, "an attack is designated after the first fire")
        return
    combat = fire_of(court, act)
    if combat is None:
        return
    if combat.kind == "defensive" and ("assault" in kinds or court.must_be(None, ("assault",))):
        yield court.find("SEQ-SUBPHASE", act, "Defensive Fire after the Assaults began")
    if combat.kind == "assault" and court.must_be(None, ("defensive-fire",)) and "defensive" not in kinds:
        yield court.find("SEQ-SUBPHASE", act, f"an Assault in the {court.phase} subphase")


# --- set-up


@check("place", ids=["SETUP-ORDER", "SETUP-PLACE", "SETUP-SPLIT-AREA"])
def setting_up(court: Court, act: Act) -> Iterator[Finding]:
    """UN first; everyone where the order of battle puts him (21.2)."""
    for id in act.units:
        unit = court.unit(id)
        placed = [fact.who for fact in court.ledger.find("placed") if fact.who in court.position.units]
        if unit.side == facts.UN and any(court.unit(one).side == facts.COMMUNIST for one in placed):
            yield court.find("SETUP-ORDER", act, f"{unit.name} is set up after Communist units", units=(id,))
        listed = _listed(court, unit.name) or unit.more.get("setup")
        if listed is None or act.to is None:
            continue
        areas = [area for area in _areas(listed) if area]
        good = [_fits(court, act.to, area, unit) for area in areas]
        if good and all(one is False for one in good):
            yield court.find(
                "SETUP-PLACE", act, f"{unit.name} is set up in {act.to}; its place is {listed}", units=(id,)
            )
        if len(areas) == 2:
            yield from _split(court, act, id, listed, areas)


def _areas(listed: Any) -> list[str]:
    if isinstance(listed, (list, tuple)):
        return [str(one) for one in listed]
    text = hex_text(listed)
    parts = [part.strip() for part in text.replace(" or ", "/").split("/")]
    return [part if not part.isdigit() or len(part) > 1 else f"Staging Area {part}" for part in parts]


def _fits(court: Court, hex: str, area: str, unit: Any) -> bool | None:
    marine = "marine" in unit.traits and court.charts.option("optional_marines")
    near = (
        1
        if unit.side == facts.UN and unit.kind != "garrison" and (court.charts.option("optional_setup") or marine)
        else 0
    )
    if area in court.grid:
        return court.distance(hex, area) <= near
    hexes = court.place(area)
    return any(court.distance(hex, other) <= near for other in hexes) if hexes else None


def _split(court: Court, act: Act, id: str, listed: Any, areas: list[str]) -> Iterator[Finding]:
    """Units listed with two Staging Areas all use one of them."""
    here = [area for area in areas if act.to in court.place(area)]
    for fact in court.ledger.find("placed"):
        other = fact.who
        same = (
            other != id and other in court.position.units and _areas(_listed(court, court.name(other)) or "") == areas
        )
        there = [area for area in areas if fact.more.get("at") in court.place(area)]
        if same and here and there and not set(here) & set(there):
            places = f"{court.name(id)} in {here[0]}, {court.name(other)} in {there[0]}"
            text = f"{places}: both are listed for {' or '.join(areas)}"
            yield court.find("SETUP-SPLIT-AREA", act, text, units=(id,))
            return


def _listed(court: Court, name: str) -> Any:
    told = court.charts.table("oob") or {}
    return next((place for unit, place in told.items() if words(str(unit)) == words(name)), None)


@check("set-asp", "set-weather", "set-weather_die", "set-air", "set-ridgway", "place", ids=["SETUP-MARKERS"], partly={
    "SETUP-MARKERS": "guerrillas and artillery markers in their boxes are not looked at",
})  # fmt: skip
def start_markers(court: Court, act: Act) -> Iterator[Finding]:
    """The tracks at the start (21.3)."""
    if court.phase != "setup":
        return
    start, value = court.scenario.raw["start"], act.fields.get("value")
    if act.verb == "place":
        for id in act.units:
            if court.unit(id).kind in ("conscript", "air") and act.to is not None:
                yield court.find("SETUP-MARKERS", act, f"{court.name(id)} does not start on the map", units=(id,))
        return
    want = {
        "set-asp": start["asp"],
        "set-weather": start["weather"],
        "set-weather_die": start["weather_die"],
        "set-air": start["air"],
    }
    if act.verb == "set-ridgway" and "ridgway" in start:
        turn = facts.turn_of(court.scenario.id, value)
        if turn is not None and turn != start["ridgway"]:
            yield court.find(
                "SETUP-MARKERS",
                act,
                f"Ridgway starts on {court.turn_words(start['ridgway'])}, not {value}",
            )
        return
    got = weather_code(value) if act.verb == "set-weather" else value
    if act.verb in want and got is not None and got != want[act.verb]:
        yield court.find("SETUP-MARKERS", act, f"{act.fields.get('name')} starts at {want[act.verb]}, not {value}")


@check("isolate", "phase", ids=["SETUP-START-PHASE"])
def start_phase(court: Court, act: Act) -> Iterator[Finding]:
    """Play begins with the Communist reinforcement phase; all units count as supplied (21.5)."""
    if act.verb == "isolate":
        if court.turn == 1 and any(court.unit(id).side == facts.COMMUNIST for id in act.units):
            yield court.find("SETUP-START-PHASE", act, "on the first turn every unit is supplied: no Isolated marker")
        return
    told = act.fields
    phase = facts.phase_of(told.get("name") or told.get("phase"))
    turn = facts.turn_of(court.scenario.id, told["turn"]) if told.get("turn") is not None else None
    if court.phase == "setup" and turn == 1 and court.complete and phase in ("supply", "weather"):
        yield court.find(
            "SETUP-START-PHASE", act, f"the game begins with the Communist reinforcement phase, not with {phase}"
        )


@check("announce", "claim", "chat", "break", "place", ids=["OPT-AGREED"], partly={
    "OPT-AGREED": "only where a player names the rule, or rolls the sortie die",
})  # fmt: skip
def optional(court: Court, act: Act) -> Iterator[Finding]:
    """Optional rules are agreed on before play (22.0)."""
    rules = {
        "22.1": "optional_setup",
        "22.2": "optional_breakdown",
        "22.3": "optional_marines",
        "22.4": "optional_sortie",
    }
    said = plain(act.fields.get("what") or act.fields.get("option") or act.fields.get("rule") or "")
    for number, option in rules.items():
        if number in said and not court.charts.settled(option) and court.phase != "setup":
            yield court.find("OPT-AGREED", act, f"optional rule {number} is used and nobody agreed on it before play")


@check("roll", ids=["OPT-AGREED"])
def sortie(court: Court, act: Act) -> Iterator[Finding]:
    """The sortie die is an optional rule (22.4)."""
    if act.fields.get("purpose") == "sortie" and not court.charts.option("optional_sortie"):
        yield court.find("OPT-AGREED", act, "the die of optional rule 22.4, and nobody agreed on it before play")
