"""What an act does to the table, once it has been judged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.games.korean_battles import facts
from referee.games.korean_battles.court import COMBAT, MOVEMENT, REBUILDING, Court, Marker
from referee.games.korean_battles.interpret import attackers_of, targets_of
from referee.games.korean_battles.retreat_paths import can_retreat
from referee.games.korean_battles.story_markers import value_in
from referee.games.korean_battles.supply import in_supply
from referee.games.korean_battles.support import uses_in
from referee.rulebook import plain
from referee.rules.steps import down, up
from referee.story_events import as_list
from referee.table.acts import Act
from referee.table.combat import Combat, Retreat, Roll
from referee.table.ledger import Fact
from referee.table.units import Unit


def _move(court: Court, act: Act) -> None:
    for id in act.units:
        if id not in court.position.units:
            continue
        hexes = act.path or tuple(hex for hex in (act.origin, act.to) if hex)
        court.position.put(id, act.to)
        if act.verb == "move":
            _implies(court, court.unit(id).side, MOVEMENT)
        if act.verb in ("move", "enter") and act.to:
            trail = court.trails.setdefault(id, [])
            trail.append((act.step, hexes, act.exact))
            court.note("moved", id, act, back=trail[0][1][0] == act.to)
        if act.verb == "enter" and act.to:
            court.note("entered", id, act, at=hexes[0] if hexes else act.to)
        if act.to and act.verb != "place":
            court.arrivals.setdefault(act.to, []).append((act.step, id))
        if act.to and act.verb == "place":
            court.note("placed", id, act, at=act.to)
            court.arrivals.setdefault(act.to, []).append((act.step, id))
        _occupy(court, act, id)


def _implies(court: Court, side: str, phases: tuple[str, ...]) -> None:
    """Something was done that belongs into these phases of a side: it is not earlier than that."""
    court.clock = court.clock.not_before(lambda moment: moment.side == side and moment.phase in phases)


def _occupy(court: Court, act: Act, id: str) -> None:
    if act.to is not None:
        unit = court.unit(id)
        court.note("captured", act.to, act, by=unit.side, unit=id, size=unit.size, dummy=unit.dummy)
    if act.origin is not None and not court.position.at(act.origin):
        court.note("vacated", act.origin, act, by=court.unit(id).side)


def _exit(court: Court, act: Act) -> None:
    for id in act.units:
        court.position.take(id)
        court.note("exited", id, act, at=act.path[-1] if act.path else act.origin)


def _retreat(court: Court, act: Act) -> None:
    for id in act.units:
        combat = court.combat_of(id)
        if act.to is None or act.origin is None:
            continue
        court.position.put(id, act.to)
        court.arrivals.setdefault(act.to, []).append((act.step, id))
        court.note("retreated" if act.verb == "retreat" else "displaced", id, act)
        if combat is not None:
            if act.verb == "retreat":
                before = combat.retreats.get(id)
                path = (*before.path, *act.path[1:]) if before else act.path
                combat.retreats[id] = Retreat(
                    act.step, before.origin if before else act.origin, act.to, path, act.exact
                )
            else:
                combat.displaced.add(id)
            if act.verb == "retreat":
                combat.touched[id] = act.step
        _occupy(court, act, id)


def _advance(court: Court, act: Act) -> None:
    for id in act.units:
        if act.to is None:
            continue
        court.position.put(id, act.to)
        court.arrivals.setdefault(act.to, []).append((act.step, id))
        court.note("advanced", id, act)
        if court.combat is not None:
            court.combat.advances[id] = act.to
        _occupy(court, act, id)


def _flip(court: Court, act: Act) -> None:
    for id in act.units:
        unit = court.unit(id)
        told = act.fields.get("step", ("", ""))[1] if isinstance(act.fields.get("step"), tuple) else ""
        court.position.change(up(unit) if act.verb == "rebuild" else down(unit, str(told)))
        if act.verb == "rebuild":
            time = court.clock.during(REBUILDING)
            court.ledger.add(Fact("rebuilt", id, time.turn, unit.side, time.phase, act.step))
            continue
        court.note("steps", id, act)
        _lose_step(court, act, id)


def _lose_step(court: Court, act: Act, id: str) -> None:
    combat = court.combat_of(id)
    if combat is not None:
        combat.losses[id] = combat.losses.get(id, 0) + 1
        combat.touched[id] = act.step


def _remove(court: Court, act: Act) -> None:
    for id in act.units:
        if id not in court.position.units:
            continue
        court.note("eliminated", id, act, hex=court.position.where(id))
        court.note("steps", id, act)
        combat = court.combat_of(id)
        if combat is not None and id in combat.defenders and not combat.rolls and court.unit(id).dummy is None:
            court.position.change(court.unit(id).but(dummy=True))  # gone as soon as it was attacked (16.0)
        if combat is not None and id in combat.stood and not can_retreat(court, court.unit(id), combat.stood[id], 1):
            combat.trapped.add(id)
        court.position.kill(id)
        if combat is not None:
            combat.removed[id] = act.step
            combat.touched[id] = act.step


def _replace(court: Court, act: Act) -> None:
    """A Marine counter swapped for the next one of its ladder (24.0), or any counter for another."""
    for id in act.units:
        new = as_list(act.get("with", "into", "by", "to"))
        unit = court.unit(id)
        hex = court.position.where(id)
        values = next((found for one in new if (found := _values(one))), None)
        if values is not None:
            court.position.change(
                unit.but(face=values, depleted=values == unit.faces[-1] if unit.faces else unit.depleted)
            )
        elif new and str(new[0]) in court.position.units:
            court.position.kill(id)
            court.position.put(str(new[0]), hex)
        court.note("steps", id, act)
        _lose_step(court, act, id)


def _values(value: Any) -> Any:
    from referee.games.korean_battles.story_units import values_in

    return values_in(value)


def _declare(court: Court, act: Act) -> None:
    targets, named = targets_of(court, act.fields)
    attackers = tuple(unit.id for unit in attackers_of(court, act))
    bombardment = act.verb == "bombard"
    if bombardment:
        attackers = ()
    side = court.unit(attackers[0]).side if attackers else act.side or bombarding_side(court, act, targets)
    defenders = tuple(
        id for hex in targets for id in court.position.at(hex) if side is None or court.unit(id).side != side
    )  # fmt: skip
    combat = Combat("bombardment" if bombardment else "ground", act.step, side, attackers, targets, defenders or named)
    for id in (*attackers, *combat.defenders):
        hex = court.position.where(id)
        if hex is not None:
            combat.stood[id] = hex
        combat.units[id] = court.unit(id)
        combat.supplied[id] = in_supply(court, court.unit(id))
    combat.said = dict(act.fields)
    combat.doubled |= set(doubled_in(court, act, attackers))
    for use in uses_in(court, act, side, combat):
        combat.support.append(use)
        court.note("used", use.marker, act, named=use.named, side=use.side, hex=combat.target)
    for id in combat.defenders:
        if court.unit(id).hidden and act.get("revealed", "reveal"):
            combat.revealed.add(id)
    court.combat = combat
    court.combats.append(combat)
    if side is not None:
        _implies(court, side, COMBAT)
    for id in attackers:
        court.note("attacked", id, act)
    if bombardment:
        for hex in targets:
            court.note("bombarded", hex, act, markers=len(combat.used_by(side)))
    else:
        court.note("ground", combat.target or "", act)
        for id in combat.defenders:
            court.note("target", id, act)
        for hex in targets:
            court.note("target-hex", hex, act)


def bombarding_side(court: Court, act: Act, targets: tuple[str, ...]) -> str | None:
    """Whose bombardment it is: by its marker, by the HQ named, else by whose phase it is."""
    for one in as_list(act.get("by", "markers", "marker", "support")):
        name = str(one)
        if name in court.markers and court.markers[name].side:
            return court.markers[name].side
        if name in court.position.units:
            return court.unit(name).side
    for hex in targets:
        for id in court.position.at(hex):
            return court.enemy(court.unit(id).side)
    return court.phasing


def doubled_in(court: Court, act: Act, attackers: tuple[str, ...]) -> tuple[str, ...]:
    """The units named as doubled by human wave in a declaration."""
    value = act.get("human_wave", "wave", "doubled", "double", "humanwave")
    if value is True:
        return attackers
    return tuple(name for one in as_list(value) if (name := str(one)) in court.position.units)


def _support(court: Court, act: Act) -> None:
    name, where = str(act.get("marker")), act.fields.get("put")
    if isinstance(where, str) and where in court.grid:
        marker = court.markers.setdefault(name, Marker(name, "support", act.side, value_in(name)))
        marker.hex = where
    combat = court.combat
    if combat is None or combat.closed:
        return
    for use in uses_in(court, act, None, combat):
        combat.support.append(use)
        court.note("used", use.marker, act, named=use.named, side=use.side, hex=combat.target)


def _takeback(court: Court, act: Act) -> None:
    combat = court.combat
    name = str(act.get("marker", "what"))
    if name in court.markers:
        court.markers[name].hex = None
    if combat is not None and not combat.rolls:
        combat.support = [use for use in combat.support if use.marker != name]
    elif combat is None:
        court.note("lost-marker", name, act)


def _move_marker(court: Court, act: Act) -> None:
    for name in act.units:
        if name in court.markers:
            court.markers[name].hex = act.to


def _wave(court: Court, act: Act) -> None:
    if court.combat is not None:
        court.combat.doubled |= set(act.units or court.combat.attackers)


def _roll(court: Court, act: Act) -> None:
    if court.combat is not None and not court.combat.closed and not _for_something_else(act):
        court.combat.rolls.append(Roll(act.step, tuple(act.fields.get("dice", ())), act.fields.get("sides")))


def _for_something_else(act: Act) -> bool:
    said = plain(act.fields.get("for") or "")
    return any(word in said for word in ("naktong", "initiative", "random", "draw", "weather"))


def _claim(court: Court, act: Act) -> None:
    if court.combat is not None:
        court.combat.said = {
            **court.combat.said,
            **{key: value for key, value in act.fields.items() if value is not None},
        }


def _phase(court: Court, act: Act) -> None:
    told = act.fields
    side = facts.side_of(told.get("side") or told.get("player") or "", court.scenario.id)
    phase = facts.phase_of(told.get("name") or told.get("phase"), side, court.scenario.id)
    if phase in ("support", "turn-end"):
        side = None
    for word, known in ((told.get("side") or told.get("player"), side), (told.get("name") or told.get("phase"), phase)):
        if court.complete and word and known is None and phase not in ("support", "turn-end"):
            court.doubts.append(f"what '{word}' means in the phase of action {act.step}")
    turn = told.get("turn")
    old_turn = court.turn
    if turn is None and court.complete and old_turn is not None and court.clock == court.clock.in_turn(old_turn):
        turn = old_turn
    court.clock = court.clock.said(turn if isinstance(turn, int) else None, side, phase)
    court.new_phase()
    if old_turn is not None and court.turn is not None and court.turn > old_turn:
        court.note("turn", str(court.turn), act)


def _turn_marker(court: Court, act: Act) -> None:
    """The next turn begins; who does what in it is open until someone says."""
    turn = act.get("value", "to")
    if court.turn is not None and turn == court.turn + 1:
        court.clock = court.clock.in_turn(turn)
        court.new_phase()
        court.note("turn", str(turn), act)


def _end_phase(court: Court, act: Act) -> None:
    """On to the next phase, where it is certain which one that is."""
    times = court.clock.times()
    if len(times) != 1:
        return
    time = next(iter(times))
    word = plain(act.get("what", "name") or "")
    if "turn" in word and time.turn is not None and "player" not in word:
        court.clock = court.clock.said(time.turn, None, facts.rules()["turn_end"]["id"])
    elif time.place + 1 < len(court.clock.moments):
        court.clock = replace(
            court.clock,
            possible=frozenset(
                {time._replace(place=time.place + 1, turn=time.turn or 1 if time.place < 0 else time.turn)}
            ),
        )
    elif time.turn is not None:
        court.clock = replace(court.clock, possible=frozenset({time._replace(turn=time.turn + 1, place=0)}))
    court.new_phase()


def _bridge(court: Court, act: Act) -> None:
    for pair in bridge_sides(court, act):
        court.bridges[pair] = court.turn or 0
        court.note("bridged", "/".join(sorted(pair)), act)


def bridge_sides(court: Court, act: Act) -> list[frozenset[str]]:
    """The hexsides a bridge is laid on."""
    value = act.get("hexside", "between", "what", "hexes", "at", "hex", "path")
    hexes = [f"{one:04d}" if isinstance(one, int) else one for one in as_list(value)]
    if len(hexes) == 1 and isinstance(hexes[0], str) and "/" in hexes[0]:
        hexes = hexes[0].split("/")
    if hexes and all(isinstance(one, (list, tuple)) for one in hexes):
        return [frozenset(f"{end:04d}" if isinstance(end, int) else str(end) for end in pair) for pair in hexes]
    return [frozenset(map(str, hexes))] if len(hexes) == 2 and all(str(hex) in court.grid for hex in hexes) else []


def _unbridge(court: Court, act: Act) -> None:
    sides = bridge_sides(court, act)
    for pair in sides or list(court.bridges):
        court.bridges.pop(pair, None)


def _air(court: Court, act: Act) -> None:
    for id in act.units:
        court.note("air", id, act, marker=act.get("marker"))
        if court.unit(id).side == "UN":
            court.position.change(court.unit(id).but(supplied=True))


def _break(court: Court, act: Act) -> None:
    into = tuple(str(one) for one in as_list(act.get("into")))
    for id in act.units:
        court.broken[id] = into
        court.position.take(id)
        court.note("broken", id, act)
        for regiment in into:
            if regiment in court.position.units:
                court.position.change(court.unit(regiment).but(division=court.unit(id).division or id))


def _combine(court: Court, act: Act) -> None:
    for id in act.units:
        court.position.take(id)


def _reveal(court: Court, act: Act) -> None:
    for id in act.units:
        unit: Unit = court.unit(id)
        shown = act.get("as", "dummy", "kind", "type")
        dummy = unit.dummy if shown is None or unit.dummy is not None else plain(shown) in ("dummy", "true")
        court.position.change(unit.but(hidden=False, dummy=dummy))
        court.note("revealed", id, act)
        if court.combat is not None:
            court.combat.revealed.add(id)


def _hide(court: Court, act: Act) -> None:
    for id in act.units:
        court.position.change(court.unit(id).but(hidden=True))


def _stiff(court: Court, act: Act) -> None:
    if court.combat is not None:
        court.combat.stiff |= set(act.units)


def _pass(court: Court, act: Act) -> None:
    side = act.side or facts.side_of(act.get("what", "side") or "", court.scenario.id)
    if court.combat is not None and side is not None:
        court.combat.passes.append((act.step, side))


def _announce(court: Court, act: Act) -> None:
    court.note("announced", str(act.get("what", "option", "text") or act.fields), act)


def _draw(court: Court, act: Act) -> None:
    court.note("drew", act.side or "", act, count=act.get("count", "value"))


DOING = {
    "move": _move, "enter": _move, "place": _move, "exit": _exit, "retreat": _retreat, "displace": _retreat,
    "advance": _advance, "flip": _flip, "rebuild": _flip, "remove": _remove, "replace": _replace,
    "declare": _declare, "bombard": _declare, "support": _support, "counter_battery": _support,
    "takeback": _takeback, "move-marker": _move_marker, "wave": _wave, "roll": _roll, "claim": _claim,
    "turn-marker": _turn_marker, "phase": _phase, "end_phase": _end_phase,
    "bridge": _bridge, "unbridge": _unbridge, "air_supply": _air,
    "break": _break, "combine": _combine, "reveal": _reveal, "hide": _hide, "stiff": _stiff,
    "pass": _pass, "announce": _announce, "draw": _draw,
}  # fmt: skip
PHASE_ENDING = ("phase", "end_phase")
