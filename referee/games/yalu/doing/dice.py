"""A roll of dice, by what it was rolled for."""

from __future__ import annotations

from referee.games.yalu import facts
from referee.games.yalu.court import Court, Try
from referee.games.yalu.doing.combat import open_fire
from referee.games.yalu.infiltrating import infiltration_success
from referee.games.yalu.surprise import is_surprised
from referee.rulebook import plain
from referee.table.acts import Act
from referee.table.combat import Combat, Roll


def roll(court: Court, act: Act) -> None:
    """Dice fall: they count for the fire that goes on, or for what they were announced for."""
    dice = act.fields.get("dice", ())
    purpose = act.fields.get("purpose")
    if purpose in (None, "fire") and len(dice) == 2 and court.complete:
        _open_designated(court, act)
    combat = court.combat
    waits = combat is not None and (not combat.rolls or bool(combat.said.get("in_log")))
    if purpose in (None, "fire") and len(dice) == 2 and waits:
        purpose = "fire"
    if purpose is None and len(dice) == 1 and combat is not None and not combat.rolls and court.complete:
        _one_by_one(combat, act)
    if purpose == "fire" and court.combat is not None:
        court.combat.rolls.append(Roll(act.step, tuple(dice), act.fields.get("sides")))
    court.last_roll = act
    court.note("rolled", str(purpose or ""), act, dice=tuple(dice), units=act.units)
    for id in act.units:
        court.note(f"roll-{purpose}", id, act, dice=tuple(dice))
    if purpose == "infiltration":
        best = min(dice, default=0)
        for id, die in zip(act.units, dice, strict=False):
            origin = court.position.where(id)
            if origin is not None and court.in_zone(origin, court.unit(id).side) is False:
                origin = None  # rolled before it is seen to move: from which hex is not known
            die = best if act.fields.get("unnamed") and len(act.units) > 1 else die  # whose is whose nobody said
            success = infiltration_success(court, origin, act.to, die, act)
            court.tries.append(Try(id, act.step, die, origin, act.to, success))
    if purpose == "weather" and len(dice) == 1:
        court.weather_die = dice[0]
    if purpose == "surprise":
        for id, die in zip(act.units, dice, strict=False):
            said = act.fields.get("result")
            meant = is_surprised(court, court.unit(id), die)
            court.surprised[id] = meant if meant is not None or said is None else "not" not in plain(said)
            court.note("surprise-die", id, act, die=die)
    if purpose == "ridgway" and dice and _ridgway_due(court):
        high = facts.BOOK.rules["ridgway_die"]
        if court.ridgway in (None, "waiting"):
            court.ridgway = "commands" if dice[0] == high else "waiting"
            if dice[0] == high and len(dice) > 1:
                court.ridgway = "removed" if dice[1] == high else "drm"
        elif court.ridgway == "commands":
            court.ridgway = "removed" if dice[0] == high else "drm"


def _one_by_one(combat: Combat, act: Act) -> None:
    """A fire's two dice may fall one after the other."""
    fallen = combat.said.setdefault("one by one", [])
    fallen.append((act.step, act.fields["dice"][0]))
    if len(fallen) == 2:
        combat.rolls.append(Roll(act.step, tuple(die for _, die in fallen), act.fields.get("sides")))


def _ridgway_due(court: Court) -> bool:
    """A die before its time changes nothing (18.1), nor one in Classic."""
    early = court.turn is not None and court.turn < court.dated(facts.BOOK.rules["ridgway_from"])
    return court.scenario.rules["ridgway"] and not early


def _open_designated(court: Court, act: Act) -> None:
    """Two dice and no fire announced: they are for the attack that was declared last, if it was not fought yet."""
    combat = court.combat
    if combat is not None and not combat.rolls and not combat.closed:
        return
    waiting = [held for held in court.designations.values() if not held.fought and held.units and held.step]
    if waiting and court.may_be(None, facts.COMBAT):
        held = waiting[-1]
        open_fire(court, Act(act.step, "fire", fields={"by": tuple(held.units), "target": held.hex, "type": "assault"}))
