"""Guerrillas: their moves, ambushes and the hunt for them (16.0)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu import facts
from referee.games.yalu.court import Court, check
from referee.games.yalu.units import NEUTRALIZED, REGROUPING
from referee.table.acts import Act
from referee.verdict import Finding


def _here(court: Court, hex: str | None) -> list[str]:
    return [one.id for one in court.position.friends_at(hex, facts.COMMUNIST) if one.kind == "guerrilla"] if hex else []


@check("move", ids=["MOVE-GUER-RANGE"])
def range_of_move(court: Court, act: Act) -> Iterator[Finding]:
    """Two hexes a turn, four in the Classic edition (16.2, C17)."""
    reach = int(court.scenario.rule("guerrilla_range"))
    for id in act.units:
        if court.unit(id).kind != "guerrilla" or act.origin is None or act.to is None:
            continue
        start = court.trails[id][0][1][0] if court.trails.get(id) else act.origin
        gone = court.distance(start, act.to) if not act.exact else len(act.path) - 1
        gone += sum(len(hexes) - 1 if exact else 0 for _, hexes, exact in court.trails.get(id, ())) if act.exact else 0
        if gone > reach:
            yield court.find(
                "MOVE-GUER-RANGE", act, f"{court.name(id)} goes {gone} hexes; a guerrilla moves {reach}", units=(id,)
            )


@check("move", ids=["MOVE-ZOC-CONTINUE"])
def into_zone(court: Court, act: Act) -> Iterator[Finding]:
    """Classic guerrillas enter no UN zone of control, save to leave a hex that they share with a UN unit (C17)."""
    if not court.scenario.classic or act.to is None:
        return
    for id in act.units:
        unit = court.unit(id)
        if unit.kind != "guerrilla" or not court.in_zone(act.to, unit.side):
            continue
        text = f"{unit.name} goes to {act.to}, in a UN zone of control: guerrillas enter none"
        yield court.find("MOVE-ZOC-CONTINUE", act, text, units=(id,))


@check("phase-over", "story-over", ids=["MOVE-GUER-ROLL"])
def no_stop_roll(court: Court, act: Act) -> Iterator[Finding]:
    """A UN unit that enters a road or rail hex with guerrillas halts for a die each (16.3)."""
    if court.scenario.classic or not court.must_be(facts.UN, ("movement",)):
        return
    rolled = dict.fromkeys(court.trails, 0)
    for fact in court.ledger.find("rolled", "stop", turn=court.turn, phase=court.phase):
        for id in fact.more.get("units", ()):
            rolled[id] = rolled.get(id, 0) + len(fact.more.get("dice", ()))
    spare = sum(  # dice that nobody claimed for a unit
        max(0, len(fact.more.get("dice", ())) - len(fact.more.get("units", ())))
        for fact in court.ledger.find("rolled", "stop", turn=court.turn, phase=court.phase)
    )
    for id, trail in court.trails.items():
        if (
            id not in court.position.units
            or court.unit(id).side != facts.UN
            or court.unit(id).kind not in (None, "artillery", "tank")
        ):
            continue
        for step, hexes, exact in trail:
            entered = hexes[1:] if exact else hexes[-1:]
            for hex in entered:
                bands = _here(court, hex)
                known = court.ground.on_road(hex) or court.ground.on_rail(hex)
                if not bands or not known or rolled.get(id, 0) + spare >= len(bands):
                    continue
                text = f"{court.name(id)} enters {hex} with {', '.join(map(court.name, bands))}: no die was rolled"
                yield court.find("MOVE-GUER-ROLL", act, text, units=(id,), step=step)


@check("move", "rail", "embark", ids=["MOVE-GUER-STOP"])
def goes_on(court: Court, act: Act) -> Iterator[Finding]:
    """A 6 ends the unit's movement (16.3)."""
    for id in act.units:
        for fact in court.ledger.find("roll-stop", id, turn=court.turn, phase=court.phase):
            if set(fact.more.get("dice", ())) & set(facts.BOOK.rules["guerrilla_stop"]):
                yield court.find(
                    "MOVE-GUER-STOP",
                    act,
                    f"{court.name(id)} was stopped by guerrillas with a 6 and moves on",
                    units=(id,),
                )


@check("roll", ids=["GUER-HUNT-PHASE", "GUER-HUNT-COUNT"])
def hunt(court: Court, act: Act) -> Iterator[Finding]:
    """At the end of UN movement, by units stacked with a guerrilla, one die each (16.4)."""
    if act.fields.get("purpose") != "hunt":
        return
    if not court.may_be(facts.UN, ("movement",)):
        yield court.find("GUER-HUNT-PHASE", act, "guerrillas are hunted at the end of UN movement only")
    hunters = [id for id in act.units if court.unit(id).side == facts.UN]
    for id in hunters:
        if not _here(court, court.position.where(id)):
            text = f"{court.name(id)} in {court.position.where(id)} hunts, and no guerrilla is there"
            yield court.find("GUER-HUNT-PHASE", act, text, units=(id,))
    dice = len(act.fields.get("dice", ()))
    if hunters and dice > len(hunters):
        yield court.find("GUER-HUNT-COUNT", act, f"{dice} dice for {len(hunters)} UN units: one each")
    for id in hunters:
        if court.ledger.any("roll-hunt", id, turn=court.turn, phase=court.phase):
            yield court.find("GUER-HUNT-COUNT", act, f"{court.name(id)} hunts twice", units=(id,))


@check("remove", ids=["GUER-HUNT-RESULT"])
def killed(court: Court, act: Act) -> Iterator[Finding]:
    """Only a 5 or 6 kills (16.4)."""
    roll = court.last_roll
    if roll is None or roll.fields.get("purpose") != "hunt":
        return
    for id in act.units:
        if court.unit(id).kind == "guerrilla":
            kills = set(facts.BOOK.rules["guerrilla_hunt"])
            if not set(roll.fields["dice"]) & kills:
                text = f"{court.name(id)} is removed after a {', '.join(map(str, roll.fields['dice']))}; 5 or 6 kills"
                yield court.find("GUER-HUNT-RESULT", act, text, units=(id,))


@check("phase-over", ids=["GUER-HUNT-RESULT"])
def spared(court: Court, act: Act) -> Iterator[Finding]:
    """A guerrilla hit by a 5 or 6 is removed."""
    for fact in court.ledger.find("rolled", "hunt", turn=court.turn, phase=court.phase):
        hits = sum(die in facts.BOOK.rules["guerrilla_hunt"] for die in fact.more.get("dice", ()))
        hexes = {court.position.where(id) for id in fact.more.get("units", ())}
        lost = [
            one for one in court.ledger.find("eliminated", turn=court.turn, phase=court.phase) if one.step >= fact.step
        ]
        units = court.position.units
        gone = [one for one in lost if one.who in units and units[one.who].kind == "guerrilla"]
        left = [id for hex in hexes for id in _here(court, hex)]
        if hits > len(gone) and left:
            text = f"{', '.join(map(court.name, left))} stays on the map after {hits} hit of 5 or 6"
            yield court.find("GUER-HUNT-RESULT", act, text, units=tuple(left), step=act.step)


@check("mark-regroup", "recover", ids=["GUER-HUNT-REGROUP"])
def hunter_regroups(court: Court, act: Act) -> Iterator[Finding]:
    """A Neutralized unit that hunts may not Regroup that turn (16.4)."""
    for id in act.units:
        if court.ledger.any("roll-hunt", id, turn=court.turn) or court.ledger.any("hunted", id, turn=court.turn):
            yield court.find(
                "GUER-HUNT-REGROUP",
                act,
                f"{court.name(id)} hunted guerrillas this turn and may not Regroup",
                units=(id,),
            )


@check("roll", ids=["GUER-HUNT-REGROUP"])
def regrouping_hunts(court: Court, act: Act) -> Iterator[Finding]:
    """Nor may a unit with a Regroup marker hunt."""
    if act.fields.get("purpose") != "hunt":
        return
    for id in act.units:
        if court.has(id, REGROUPING) and court.has(id, NEUTRALIZED):
            yield court.find("GUER-HUNT-REGROUP", act, f"{court.name(id)} has a Regroup marker and hunts", units=(id,))
