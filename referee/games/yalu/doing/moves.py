"""Units that move, arrive, leave, retreat, advance or are removed."""

from __future__ import annotations

from referee.games.yalu.arrivals import reason
from referee.games.yalu.cities import pass_through
from referee.games.yalu.court import Court
from referee.table.acts import Act
from referee.table.combat import Retreat


def changes_seas(court: Court, act: Act) -> bool:
    """Does a ship surely go from one sea to the other (12.2.4)?"""
    ends = [hex for hex in (act.origin, act.to) if hex]
    seas = {next((sea for sea in ("east-sea", "west-sea") if court.lies(hex, sea)), None) for hex in ends}
    return len(ends) == 2 and len(seas - {None}) == 2


def move(court: Court, act: Act) -> None:
    """Units move, by land, rail, sea or air, or bug out."""
    for id in act.units:
        hexes = act.path or tuple(hex for hex in (act.origin, act.to) if hex)
        court.position.put(id, act.to)
        if act.verb in ("move", "rail", "airdrop", "bugout"):
            court.trails.setdefault(id, []).append((act.step, hexes, act.exact))
            court.note("moved", id, act, mode=act.fields.get("mode"))
        if act.verb == "rail":
            court.railed.setdefault(id, act.step)
        if act.verb == "airdrop":
            court.note("dropped", id, act)
        if act.verb == "bugout":
            court.bugged.setdefault(id, hexes)
            if act.origin:
                court.note("vacated", act.origin, act, unit=id)
        if act.verb == "sail" and changes_seas(court, act):
            court.note("sea-changed", id, act)
        if act.to:
            court.arrivals.setdefault(act.to, []).append((act.step, id))
            pass_through(court, act, id)
    for attempt in court.tries:
        if attempt.unit in act.units and not attempt.used and act.verb == "move":
            attempt.used = act.origin == attempt.origin or act.to == attempt.to or len(act.path) > 2


def enter(court: Court, act: Act) -> None:
    """Units come on the map, as reinforcements or at the set-up."""
    for id in act.units:
        why = reason(court, act, court.unit(id)) if act.verb == "enter" else "set-up"
        court.position.put(id, act.to)
        court.position.dead.pop(id, None)
        court.note("entered" if act.verb == "enter" else "placed", id, act, at=act.to, kind=why)
        if why == "conditional" and (city := court.city(act.to) if act.to else None):
            court.note("conditional", city, act)
        if act.to:
            court.arrivals.setdefault(act.to, []).append((act.step, id))


def leave(court: Court, act: Act) -> None:
    """Units go aboard, are evacuated, or leave the map."""
    word = {"embark": "embarked", "evacuate": "evacuated", "exit": "exited"}[act.verb]
    for id in act.units:
        court.note(word, id, act, at=act.path[-1] if act.path else act.origin)
        court.position.take(id)


def retreat(court: Court, act: Act) -> None:
    """Units retreat from a fire."""
    for id in act.units:
        combat = court.combat
        if act.to is None or act.origin is None:
            continue
        court.position.put(id, act.to)
        court.note("retreated", id, act)
        court.arrivals.setdefault(act.to, []).append((act.step, id))
        if combat is not None:
            before = combat.retreats.get(id)
            path = (*before.path, *act.path[1:]) if before else act.path
            combat.retreats[id] = Retreat(act.step, before.origin if before else act.origin, act.to, path, act.exact)
            combat.touched[id] = act.step
        pass_through(court, act, id)


def advance(court: Court, act: Act) -> None:
    """Units advance after combat."""
    for id in act.units:
        if act.to is None:
            continue
        court.position.put(id, act.to)
        court.note("advanced", id, act, to=act.to)
        if court.combat is not None:
            court.combat.advances[id] = act.to
        pass_through(court, act, id)


def remove(court: Court, act: Act) -> None:
    """Units are eliminated."""
    for id in act.units:
        if id not in court.position.units:
            continue
        hex = court.position.where(id)
        court.note("eliminated", id, act, hex=hex)
        court.position.kill(id)
        if court.combat is not None and (id in court.combat.attackers or id in court.combat.defenders):
            court.combat.removed[id] = act.step
            court.combat.touched[id] = act.step
