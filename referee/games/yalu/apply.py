"""What an act does to the table, once it has been judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from referee.games.yalu import facts
from referee.games.yalu.arrivals import reason
from referee.games.yalu.court import Court, Designation, Try
from referee.games.yalu.interpret import hex_in, units_in, weather_code
from referee.games.yalu.surprise import is_surprised
from referee.games.yalu.units import BOMBARDED, ISOLATED, NEUTRALIZED, REGROUPING, is_support
from referee.rulebook import plain
from referee.story_events import as_list
from referee.table.acts import Act
from referee.table.combat import Combat, Retreat, Roll
from referee.table.ledger import Fact


def apply(court: Court, act: Act) -> None:
    """Change the table as the act says."""
    handler = _HANDLERS.get(act.verb)
    if handler is not None:
        handler(court, act)


# --- cities


def control_city(court: Court, city: str, side: str) -> None:
    """Whose city it is, by name or hex."""
    name = court.city(city) if city in court.grid else city
    court.control[plain(name or city)] = side


def note_city(court: Court, city: str, side: str, turn: int | None) -> None:
    """A city is taken."""
    name = plain((court.city(city) if city in court.grid else city) or city)
    if court.control.get(name) != side and side == facts.COMMUNIST:
        court.captured.setdefault(name, turn)
    court.control[name] = side


def _pass_through(court: Court, act: Act, id: str) -> None:
    """Entering or passing a city changes its control (2.6)."""
    unit = court.unit(id)
    if unit.kind in ("guerrilla", "naval", "air"):
        return
    for hex in {*act.path[1:], *([act.to] if act.to else [])} if act.exact else {act.to}:
        if hex is not None and (city := court.city(hex)):
            note_city(court, city, unit.side, court.turn)


# --- movement


def _move(court: Court, act: Act) -> None:
    for id in act.units:
        hexes = act.path or tuple(hex for hex in (act.origin, act.to) if hex)
        court.position.put(id, act.to)
        if act.verb in ("move", "rail", "airdrop", "bugout"):
            court.trails.setdefault(id, []).append((act.step, hexes, act.exact))
            court.note("moved", id, act, mode=act.fields.get("mode"))
        if act.verb == "rail":
            court.railed[id] = act.step
        if act.verb == "airdrop":
            court.note("dropped", id, act)
        if act.verb == "bugout":
            court.bugged.setdefault(id, hexes)
            if act.origin:
                court.note("vacated", act.origin, act, unit=id)
        if act.verb == "sail" and act.origin and act.to:
            seas = [
                next((sea for sea in ("east-sea", "west-sea") if court.lies(hex, sea)), None)
                for hex in (act.origin, act.to)
            ]
            if None not in seas and seas[0] != seas[1]:
                court.note("sea-changed", id, act)
        if act.to:
            court.arrivals.setdefault(act.to, []).append((act.step, id))
            _pass_through(court, act, id)
    for attempt in court.tries:
        if attempt.unit in act.units and not attempt.used and act.verb == "move":
            attempt.used = act.origin == attempt.origin or act.to == attempt.to or len(act.path) > 2


def _enter(court: Court, act: Act) -> None:
    for id in act.units:
        why = reason(court, act, court.unit(id)) if act.verb == "enter" else "set-up"
        court.position.put(id, act.to)
        court.position.dead.pop(id, None)
        court.note("entered" if act.verb == "enter" else "placed", id, act, at=act.to, kind=why)
        if why == "conditional" and (city := court.city(act.to) if act.to else None):
            court.note("conditional", city, act)
        if act.to:
            court.arrivals.setdefault(act.to, []).append((act.step, id))


def _leave(court: Court, act: Act) -> None:
    word = {"embark": "embarked", "evacuate": "evacuated", "exit": "exited"}[act.verb]
    for id in act.units:
        court.note(word, id, act, at=act.path[-1] if act.path else act.origin)
        court.position.take(id)


def _retreat(court: Court, act: Act) -> None:
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
        _pass_through(court, act, id)


def _advance(court: Court, act: Act) -> None:
    for id in act.units:
        if act.to is None:
            continue
        court.position.put(id, act.to)
        court.note("advanced", id, act, to=act.to)
        if court.combat is not None:
            court.combat.advances[id] = act.to
        _pass_through(court, act, id)


def _remove(court: Court, act: Act) -> None:
    for id in act.units:
        if id not in court.position.units:
            continue
        hex = court.position.where(id)
        court.note("eliminated", id, act, hex=hex)
        court.position.kill(id)
        if court.combat is not None and (id in court.combat.attackers or id in court.combat.defenders):
            court.combat.removed[id] = act.step
            court.combat.touched[id] = act.step


# --- combat


def designate(court: Court, act: Act) -> None:
    """An attack is announced: units against a hex (10.5)."""
    fields = act.fields
    for one in as_list(fields.get("target") or fields.get("targets") or fields.get("hex")):
        hex = hex_in(court, one)
        if hex is None:
            continue
        units = units_in(court, fields.get("attackers") or fields.get("by") or fields.get("units"))
        held = court.designations.setdefault(hex, Designation(hex, court.phasing, act.step))
        held.units += [id for id in units if id not in held.units]
        held.was |= {id: court.unit(id) for id in units}
        kind = fields.get("type")
        held.kind = held.kind or (str(kind) if kind else None)
        asp = fields.get("asp")
        paid = asp if isinstance(asp, int) else None
        if paid is not None:
            held.asp = (held.asp or 0) + paid
            court.asp = court.asp - paid if court.asp is not None and court.asp >= paid else None
        guns = fields.get("artillery")
        if isinstance(guns, int) and guns:
            held.artillery = abs(guns) if abs(guns) <= 2 else 2
        held.air = fields.get("air") if isinstance(fields.get("air"), int) else held.air
        held.support += list(units_in(court, fields.get("support")))
        if held.side is None and units:
            held.side = court.unit(units[0]).side
        court.note("designation", hex, act, type=kind)


def open_fire(court: Court, act: Act) -> None:
    """A fire is announced; what follows is its dice and its result."""
    combat = fire_of(court, act)
    if combat is None:
        return
    court.combat = combat
    court.combats.append(combat)
    for id in combat.attackers:
        court.note("fired", id, act, kind=combat.kind, hex=combat.targets[0] if combat.targets else None)
    for id in combat.defenders:
        court.note("fired-at", id, act, kind=combat.kind, hex=combat.targets[0] if combat.targets else None)
    for id in {*combat.said.get("supports", ()), *(id for id in combat.attackers if is_support(combat.units[id]))}:
        court.note("used", id, act, kind=combat.kind)
    air = combat.said.get("air")
    if isinstance(air, int) and court.air is not None and combat.side == facts.UN:
        court.air = max(0, court.air - air)
    for hex in combat.targets:
        if hex in court.designations:
            court.designations[hex].fought = True
    phase = {"defensive": "defensive-fire", "assault": "assault", "bugout": "bugout"}.get(combat.kind)
    if phase is not None and court.clock.strict:
        court.clock = court.clock.not_before(lambda moment: moment.phase == phase)


def _split(told: Any) -> dict[str, int]:
    """Factors by support: `{Battleship: 1}`, or `[{unit: Battleship, factors: 1}]`."""
    if isinstance(told, Mapping) and "unit" not in told:
        return dict(told)
    lines = [one for one in as_list(told) if isinstance(one, Mapping) and isinstance(one.get("factors"), int)]
    split = {str(one.get("unit") or one.get("name")): int(one["factors"]) for one in lines}
    return split if len(split) == len(as_list(told)) else {}


def fire_of(court: Court, act: Act) -> Combat | None:
    """The fire that an act announces; None where it names nobody."""
    fields = act.fields
    by = units_in(
        court, fields.get("by") or fields.get("attackers") or fields.get("units_firing") or fields.get("what")
    )
    targets = tuple(
        hex for one in as_list(fields.get("target") or fields.get("targets") or fields.get("hex") or fields.get("at"))
        if (hex := hex_in(court, one))
    )  # fmt: skip
    named = units_in(court, fields.get("units") or fields.get("defenders") or fields.get("targets_units"))
    named = tuple(id for id in named if id not in by)
    if not targets:
        targets = tuple(dict.fromkeys(hex for id in named if (hex := court.position.where(id))))
    if not by and not targets:
        return None
    side = court.unit(by[0]).side if by else act.side
    kind = fire_kind(court, fields, side)
    if not named and len(targets) == 1:
        named = tuple(
            unit.id for unit in (court.position.enemies_at(targets[0], side) if side else ())
            if unit.kind in (None, "garrison", "conscript")
        )  # fmt: skip
        named = named or tuple(unit.id for unit in (court.position.enemies_at(targets[0], side) if side else ()))
    combat = Combat(kind, act.step, side, by, targets, named)
    for id in (*by, *named):
        if (hex := court.position.where(id)) is not None:
            combat.stood[id] = hex
        combat.units[id] = court.unit(id)
    support = units_in(court, fields.get("support") or fields.get("supports"))
    combat.said["supports"] = tuple(support)
    for key in ("odds", "drm", "column", "result", "attack_type", "total", "asp"):
        if fields.get(key) is not None:
            combat.said[key] = fields[key]
    if split := _split(fields.get("support") or fields.get("supports")):
        combat.said["split"] = split
        combat.said["supports"] = units_in(court, list(split))
    if isinstance(fields.get("support"), int) and not isinstance(fields.get("support"), bool):
        combat.said["points"] = fields["support"]
    for key in ("air", "artillery"):
        if isinstance(fields.get(key), int) and not isinstance(fields.get(key), bool):
            combat.said[key] = fields[key]
    if fields.get("artillery") is True and targets and targets[0] in court.designations:
        combat.said["artillery"] = court.designations[targets[0]].artillery
    return combat


def fire_kind(court: Court, fields: Mapping[str, Any], side: str | None) -> str:
    """Defensive, assault or bugout: as it was called, else by the phase and whose turn it is."""
    said = plain(fields.get("type") or fields.get("kind") or "")
    if "bug" in said or court.must_be(None, ("bugout",)):
        return "bugout"
    if "def" in said:
        return "defensive"
    if "assault" in said or "attack" in said:
        return "assault"
    if court.must_be(None, ("defensive-fire",)):
        return "defensive"
    phasing = court.phasing
    return "defensive" if phasing is not None and side is not None and side != phasing else "assault"


def _claim(court: Court, act: Act) -> None:
    if court.combat is not None:
        for key in ("odds", "drm", "result", "column", "total"):
            if act.fields.get(key) is not None:
                court.combat.said[key] = act.fields[key]


def _bombard(court: Court, act: Act) -> None:
    for id in units_in(court, act.fields.get("by")):
        court.note("bombarded", id, act, hex=act.fields.get("target"), mission=act.fields.get("mission"))
        court.mark(id, BOMBARDED)
    air = act.fields.get("air")
    if isinstance(air, int) and court.air is not None:
        court.air = max(0, court.air - air)
    court.given["bombardment"] = act
    court.given["bombardment dice"] = 0


def _roll(court: Court, act: Act) -> None:
    dice = act.fields.get("dice", ())
    purpose = act.fields.get("purpose")
    if purpose in (None, "fire") and len(dice) == 2:
        _open_designated(court, act)
    if purpose in (None, "fire") and len(dice) == 2 and court.combat is not None and not court.combat.rolls:
        purpose = "fire"
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
    if purpose == "ridgway" and dice:
        if court.ridgway in (None, "waiting"):
            court.ridgway = "commands" if dice[0] == 6 else "waiting"
            if dice[0] == 6 and len(dice) > 1:
                court.ridgway = "removed" if dice[1] == 6 else "drm"
        elif court.ridgway == "commands":
            court.ridgway = "removed" if dice[0] == 6 else "drm"


def _open_designated(court: Court, act: Act) -> None:
    """Two dice and no fire announced: they are for the attack that was declared last, if it was not fought yet."""
    combat = court.combat
    if combat is not None and not combat.rolls and not combat.closed:
        return
    waiting = [held for held in court.designations.values() if not held.fought and held.units and held.step]
    if waiting and court.may_be(None, facts.COMBAT):
        held = waiting[-1]
        open_fire(court, Act(act.step, "fire", fields={"by": tuple(held.units), "target": held.hex, "type": "assault"}))


def infiltration_success(court: Court, origin: str | None, to: str | None, die: int, act: Act) -> bool | None:
    """Does a die let a unit leave its hex (9.2.3.2)? None where the table would tell."""
    said = act.fields.get("result") if act.fields.get("result") is not None else act.fields.get("success")
    number = number_to_leave(court, origin)
    if number is not None and origin is not None:
        if to is None:
            return True if die + 1 <= number else (False if die > number else None)
        add = _river_die(court) if "river" in court.ground.features(origin, to) else 0
        return die + add <= number
    if said is None:
        return None
    return bool(said) if isinstance(said, bool) else not any(word in plain(said) for word in ("fail", "no"))


def _river_die(court: Court) -> int:
    told = (court.charts.table("infiltration") or {}).get("river")
    return told if isinstance(told, int) else int(facts.BOOK.tables["infiltration"]["river"])


def number_to_leave(court: Court, hex: str | None) -> int | None:
    """The infiltration number of a hex; None where terrain or table does not tell."""
    if hex is None or not court.ground.is_known(hex):
        return None
    numbers = [court.charts.infiltration(kind) for kind in court.ground.terrain(hex)]
    known = [number for number in numbers if number is not None]
    return known[0] if len(known) == len(numbers) == 1 else None


# --- markers and tracks


def _state(state: str, on: bool) -> Callable[[Court, Act], None]:
    def change(court: Court, act: Act) -> None:
        for id in act.units:
            if id in court.position.units:
                court.mark(id, state, on)
                court.note(state if on else f"un{state}", id, act)
                if court.combat is not None and state == NEUTRALIZED and on:
                    court.combat.touched[id] = act.step

    return change


def _interdict(court: Court, act: Act) -> None:
    kind = act.fields["marker"]
    for place in _break_places(act):
        court.breaks[kind, place] = int(act.fields.get("value") or 1)
    court.forget_costs()


def _uninterdict(court: Court, act: Act) -> None:
    kind = act.fields["marker"]
    for key in [key for key in court.breaks if key[0] == kind and (not act.path or key[1] in _break_places(act))]:
        court.breaks.pop(key)
    court.forget_costs()


def _break_places(act: Act) -> list[Any]:
    if act.fields["marker"] == "bridge" and len(act.path) == 2:
        return [frozenset(act.path)]
    return list(act.path)


def _artillery(court: Court, act: Act) -> None:
    if act.to in court.designations:
        value = act.fields.get("value")
        court.designations[act.to].artillery = min(abs(int(value)), 2) if value else 1


def _set(court: Court, act: Act) -> None:
    value = act.fields.get("value")
    match act.verb:
        case "set-asp" if isinstance(value, int):
            court.asp = value if value >= 0 else None
        case "set-weather":
            court.weather = weather_code(value) or court.weather
            court.forget_costs()
        case "set-weather_die" if isinstance(value, int):
            court.weather_die = value
        case "set-air" if isinstance(value, int):
            court.air = value
            if court.must_be(facts.UN):
                court.air_offensive = value
            court.note("air-set", "", act, value=value)
        case "set-ridgway":
            word = plain(value)
            court.ridgway = (
                "drm" if "flip" in word or "drm" in word else "removed" if "remov" in word else court.ridgway
            )
        case "set-conscripts" if isinstance(value, int):
            court.note("drafted", str(value), act)
        case _:
            pass


def _control(court: Court, act: Act) -> None:
    side = facts.side_of(act.fields.get("value") or act.fields.get("side") or "")
    city = act.fields.get("city") or (court.city(act.to) if act.to else None)
    if side and city:
        court.control[plain(city)] = side


# --- breaking down


def _break(court: Court, act: Act) -> None:
    into = units_in(court, act.fields.get("into"))
    for id in act.units:
        hex = court.position.where(id)
        unit = court.unit(id)
        court.note("broken", id, act, into=into)
        court.position.take(id)
        levels = 2 if unit.size == "division" and any(court.unit(part).size == "battalion" for part in into) else 1
        cost = facts.BOOK.rules["breakdown"].get(unit.nation or "US", 2) * levels * 12
        for part in into:
            court.position.put(part, hex)
            court.spent[part] = court.spent.get(id, 0) + cost
            court.start[part] = hex or ""
            court.note("part-of", part, act, unit=id)


def _combine(court: Court, act: Act) -> None:
    into = units_in(court, act.fields.get("into"))
    hex = next((hex for id in act.units if (hex := court.position.where(id))), None)
    tired = any(court.has(id, NEUTRALIZED) for id in act.units)
    for id in act.units:
        court.position.take(id)
    for id in into:
        court.position.put(id, hex)
        court.note("combined", id, act, of=act.units, neutralized=tired)


# --- time


def _phase(court: Court, act: Act) -> None:
    told = act.fields
    side = facts.side_of(told.get("side") or told.get("player") or "")
    words = [told.get(key) for key in ("segment", "step", "name", "phase") if told.get(key) is not None]
    phase = next((found for word in words if (found := facts.phase_of(word))), None)
    if side is None and words:
        side = next((found for word in words for part in str(word).split() if (found := facts.side_of(part))), None)
    if phase in facts.BOOK.rules["shared"]:
        side = None
    turn = facts.turn_of(court.scenario.id, told["turn"]) if told.get("turn") is not None else None
    court.clock = court.clock.said(turn, side, phase)
    _begin(court)


def _end_phase(court: Court, act: Act) -> None:
    times = court.clock.times()
    time = next(iter(times))
    if len(times) == 1 and time.place >= 0:
        place = time.place + 1
        over = place >= len(court.clock.moments)
        turn = time.turn + 1 if over and time.turn is not None else time.turn
        court.clock = replace(court.clock, possible=frozenset({time._replace(place=0 if over else place, turn=turn)}))
    _begin(court)


def _begin(court: Court) -> None:
    court.new_phase()
    court.combat = None
    if not court.may_be(None, facts.COMBAT):
        court.designations.clear()
        court.surprised.clear()
    for held in (court.tries, court.spent, court.railed, court.bugged):
        held.clear()
    for fact in ("bombardment", "bombardment dice"):
        court.given.pop(fact, None)


def note(court: Court, what: str, who: str) -> Fact | None:
    """The first such fact of this phase."""
    return court.ledger.any(what, who, turn=court.turn, side=court.phasing, phase=court.phase)


_HANDLERS: Mapping[str, Callable[[Court, Act], None]] = {
    "move": _move, "rail": _move, "sail": _move, "airdrop": _move, "bugout": _move, "enter": _enter, "place": _enter,
    "exit": _leave, "embark": _leave, "evacuate": _leave, "retreat": _retreat, "advance": _advance, "remove": _remove,
    "designate": designate, "fire": open_fire, "claim": _claim, "bombard": _bombard, "roll": _roll,
    "isolate": _state(ISOLATED, True), "unisolate": _state(ISOLATED, False),
    "neutralize": _state(NEUTRALIZED, True), "recover": _state(NEUTRALIZED, False),
    "mark-regroup": _state(REGROUPING, True), "unmark-regroup": _state(REGROUPING, False),
    "mark-bombard": _state(BOMBARDED, True), "unmark-bombard": _state(BOMBARDED, False),
    "interdict": _interdict, "uninterdict": _uninterdict, "artillery": _artillery, "control": _control,
    "set-asp": _set, "set-weather": _set, "set-weather_die": _set, "set-air": _set, "set-ridgway": _set,
    "set-conscripts": _set, "break": _break, "combine": _combine, "phase": _phase, "end_phase": _end_phase,
}  # fmt: skip
