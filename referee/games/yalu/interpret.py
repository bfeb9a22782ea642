"""What an act is in this game: players say the same thing in several ways, and a log does not say `retreat`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from referee.games.yalu import facts
from referee.games.yalu.court import Court
from referee.rulebook import plain
from referee.story import VERBS
from referee.story_events import as_list
from referee.table.acts import Act

PHASE_ENDING = ("phase", "end_phase")
_PHYSICAL = ("move", "retreat", "advance", "displace", "enter", "exit", "place", "change", "remove")
_MARKED = {
    "isolated": ("isolate", "unisolate"),
    "neutralized": ("neutralize", "recover"),
    "regroup": ("mark-regroup", "unmark-regroup"),
    "bombard": ("mark-bombard", "unmark-bombard"),
    "rail-break": ("interdict", "uninterdict"),
    "bridge": ("interdict", "uninterdict"),
    "interdiction": ("interdict", "uninterdict"),
    "artillery": ("artillery", "unmark-artillery"),
    "control": ("control", "mark-other"),
}


def word_in(group: str, text: object) -> str | None:
    """The referee's word for what a text says, by a group of words.yaml; the longest word that fits decides."""
    low = plain(text)
    best: tuple[int, str] | None = None
    for word, own in _words_in(group) if low else ():
        if word in low and (best is None or len(word) > best[0]):
            best = (len(word), own)
    return best[1] if best else None


@cache
def _words_in(group: str) -> tuple[tuple[str, str], ...]:
    """The words of a group of words.yaml, each with the referee's own word for it."""
    told = facts.BOOK.words[group].items()
    return tuple((plain(word), str(own)) for own, words in told for word in (own, *words) if plain(word))


def weather_code(value: object) -> str | None:
    """A kind of weather by its code or its name."""
    low = plain(value)
    for code, names in facts.BOOK.words["weather"].items():
        if low == code.lower() or low in names:
            return str(code)
    return None


def interpret(court: Court, act: Act) -> Act:
    """The act under the verb that its checks are registered for."""
    act = _on_the_map(court, act)
    verb, fields = act.verb, dict(act.fields)
    spoken = fields.get("side") or fields.get("player") or act.side
    side = facts.side_of(spoken) if isinstance(spoken, str) else None
    if act.side != side:
        act = replace(act, side=side)
    if verb == "roll":
        return _rolled(court, act)
    if verb in ("mark", "assign", "unmark", "isolate"):
        return _marked(court, act)
    if verb == "unisolate":
        return replace(act, units=units_in(court, fields.get("units")))
    if verb == "set":
        return _set(court, act)
    if verb in ("neutralize", "recover", "regroup", "disrupt"):
        named = fields.get("units") or fields.get("unit") or fields.get("what")
        verb = {"regroup": "mark-regroup", "disrupt": "neutralize"}.get(verb, verb)
        return replace(act, verb=verb, units=units_in(court, named))
    if verb == "strike":
        return replace(act, verb="bombard")
    if verb in ("declare", "designate"):
        return replace(act, verb="designate", fields=_designation(fields))
    if verb in ("human_wave", "wave"):
        return replace(act, verb="designate", fields={**_designation(fields), "type": "hwa"})
    if verb in ("fire", "assault"):
        if verb == "assault":
            fields.setdefault("type", "assault")
        return replace(act, verb="fire", fields=fields)
    if verb == "change":
        name = act.units[0] if act.units else ""
        if "ridgway" in plain(name):
            return replace(act, verb="set-ridgway", units=(), fields={"value": "flipped"})
        return replace(act, verb="ignored")
    if verb == "flip" and "ridgway" in plain(fields.get("what")):
        return replace(act, verb="set-ridgway", units=(), fields={"value": "flipped"})
    if verb == "remove" and act.units and act.units[0] not in court.position.units:
        return _marked(court, replace(act, verb="unmark", units=(), fields={"what": act.units[0]}))
    if verb == "embark" and act.units and act.origin is None:  # called out in a log
        return replace(act, origin=court.position.where(act.units[0]))
    if act.units and verb not in VERBS and (mode := _said_mode(verb)):
        fields = {**fields, "mode": mode}
        return _moved(court, replace(act, verb="enter" if act.origin is None else "move", fields=fields))
    if verb in ("infiltrate", "evacuate", "airdrop", "hunt"):
        named = units_in(court, fields.get("units") or fields.get("what") or fields.get("unit"))
        origin = court.position.where(named[0]) if named else None
        to = fields.get("to") or fields.get("hex")
        act = replace(act, units=named, origin=origin, to=to if isinstance(to, str) else None)
        if verb == "infiltrate":
            path = tuple(hex for hex in (origin, act.to) if hex)
            return replace(act, verb="move", path=path, exact=True, fields={**fields, "mode": "infiltrate"})
        return act
    if verb in ("move", "enter", "place", "exit", "advance", "retreat", "displace"):
        return _moved(court, act)
    if verb == "combine":
        return replace(act, units=units_in(court, fields.get("units") or fields.get("what")))
    if verb == "break":
        return replace(act, units=units_in(court, fields.get("units") or fields.get("what")))
    return act


def _said_mode(verb: str) -> str | None:
    """The kind of arrival or movement that stands where a verb should: `as: replacement`."""
    known = facts.BOOK.words["modes"]
    return next((own for own, words in known.items() if verb == own or plain(verb) in map(plain, words)), None)


def units_in(court: Court, value: Any) -> tuple[str, ...]:
    """The units that a value names, by name, or by the hex they are in."""
    found: list[str] = []
    for one in as_list(value):
        if isinstance(one, Mapping):
            one = one.get("unit") or one.get("name") or one.get("id")
        name = f"{one:04d}" if isinstance(one, int) and f"{one:04d}" in court.grid else str(one)
        if name in court.position.units:
            found.append(name)
        elif name in court.grid:
            found += court.position.at(name)
    return tuple(dict.fromkeys(found))


def hex_in(court: Court, value: Any) -> str | None:
    """The hex that a value names, by number, or by a unit that stands there."""
    for one in as_list(value):
        name = f"{one:04d}" if isinstance(one, int) else str(one)
        if name in court.grid:
            return name
        if name in court.position.units:
            return court.position.where(name)
    return None


def _on_the_map(court: Court, act: Act) -> Act:
    grid = court.grid
    to = act.to if act.to is None or act.to in grid else None
    origin = act.origin if act.origin is None or act.origin in grid else None
    path = tuple([hex for hex in act.path if hex in grid])
    if (to, origin, path) != (act.to, act.origin, act.path):
        act = replace(act, to=to, origin=origin, path=path)
    if not act.units or act.verb not in _PHYSICAL:
        return act
    units = tuple(id for id in act.units if id in court.position.units)
    if units and act.origin is None and (here := court.position.where(units[0])) is not None:
        act = replace(act, origin=here, path=(here, *act.path))
    if units == act.units:
        return act
    if units or act.verb in ("remove", "change"):
        return replace(act, units=units or act.units)
    return replace(act, verb="ignored", units=())


def _rolled(court: Court, act: Act) -> Act:
    fields = dict(act.fields)
    said = fields.get("for") or act.text if isinstance(fields.get("for") or act.text, str) else ""
    purpose = word_in("rolls", fields.get("for") or "")
    combat = court.combat
    if purpose is None and combat is not None and not combat.rolls and len(fields.get("dice", ())) == 2:
        purpose = "fire"
    named = units_in(court, fields.get("unit") or fields.get("units"))
    if not named and isinstance(said, str):
        named = tuple(id for id in court.position.units if id and id in said)
        longest = max(map(len, named), default=0)
        named = tuple(id for id in named if len(id) == longest)
    target = hex_in(court, fields.get("to") or fields.get("hex") or fields.get("target"))
    if target is None and isinstance(said, str):
        target = next((hex for hex in re.findall(r"(?<!\d)\d{4}(?!\d)", said) if hex in court.grid), None)
    unnamed = not named
    named = named or _who(court, purpose, target, len(fields.get("dice", ())))
    return replace(act, units=named, to=target, fields={**fields, "purpose": purpose, "unnamed": unnamed})


def _who(court: Court, purpose: str | None, hex: str | None, dice: int) -> tuple[str, ...]:
    """For whom a die is where nobody said so: the unit that just moved, the only one marked, those in the hex."""
    if purpose in ("infiltration", "stop"):
        last = max((trail[-1][0] for trail in court.trails.values()), default=None)
        moved = tuple(id for id, trail in court.trails.items() if trail[-1][0] == last)
        return moved if len(moved) == dice else moved[:1]
    if purpose in ("evacuation", "airdrop"):
        word = "evacuated" if purpose == "evacuation" else "dropped"
        gone = [fact.who for fact in court.ledger.find(word, turn=court.turn) if fact.who in court.position.units]
        return tuple(gone[-1:])
    if purpose == "surprise" and hex is not None:
        return tuple(unit.id for unit in court.position.friends_at(hex, facts.UN) if unit.kind in (None, "garrison"))
    state = {"regroup": "regrouping", "isolation": "isolated"}.get(purpose or "")
    marked = [unit.id for unit, _ in court.position.on_map() if state in unit.traits] if state is not None else []
    return tuple(marked) if len(marked) == 1 else ()


def _marked(court: Court, act: Act) -> Act:
    fields = dict(act.fields)
    what = str(fields.get("what") or fields.get("marker") or fields.get("name") or "")
    if act.verb == "isolate":
        return replace(act, verb="isolate", units=units_in(court, fields.get("units") or fields.get("what")))
    kind = word_in("markers", what)
    if kind is None:
        return replace(act, verb="mark-other")
    where = next(
        (fields[key] for key in ("unit", "units", "to", "hex", "at", "for", "hexside") if fields.get(key)), None
    )
    verb = _MARKED[kind][act.verb == "unmark"]
    units = units_in(court, where) if verb not in ("interdict", "uninterdict", "artillery", "control") else ()
    hexes = tuple(hex for one in as_list(where) if (hex := hex_in(court, one)))
    value = fields.get("value", fields.get("factors", fields.get("count")))
    if value is None and (digits := [part for part in plain(what).split() if part.lstrip("-").isdigit()]):
        value = abs(int(digits[-1]))
    return replace(
        act, verb=verb, units=units, to=hexes[0] if hexes else None, path=hexes,
        fields={**fields, "marker": kind, "value": value},
    )  # fmt: skip


def _set(court: Court, act: Act) -> Act:
    name = plain(act.fields.get("what") or act.fields.get("name") or "")
    value = act.fields.get("to", act.fields.get("value"))
    for part in ("control of ", "control "):
        if name.startswith(part):
            return replace(act, verb="control", fields={**act.fields, "city": name.removeprefix(part), "value": value})
    track = word_in("tracks", name)
    if name in {plain(city) for city in (*facts.BOOK.rules["ports"], *facts.BOOK.rules["inland_cities"])}:
        return replace(act, verb="control", fields={**act.fields, "city": name, "value": value})
    verb = f"set-{track}" if track else "set-other"
    return replace(act, verb=verb, fields={**act.fields, "track": track, "name": name, "value": value})


def _designation(fields: Mapping[str, Any]) -> dict[str, Any]:
    said = dict(fields)
    kind = plain(said.get("type") or said.get("kind") or said.get("attack_type") or "")
    wave = kind in ("hwa", "human wave", "human wave attack", "human wave assault", "wave") or said.get("human_wave")
    if wave or said.get("hwa"):
        said["type"] = "hwa"
    elif "unsup" in kind or said.get("supplied") is False:
        said["type"] = "unsupplied"
    elif "suppl" in kind or said.get("supplied") is True:
        said["type"] = "supplied"
    elif said.get("asp") == 0 and "asp" in said:
        said["type"] = "unsupplied"
    elif isinstance(said.get("asp"), int):
        said["type"] = "supplied"
    else:
        said["type"] = None
    return said


def _mode(act: Act) -> str | None:
    for key in ("mode", "kind", "type", "reason"):
        if isinstance(act.fields.get(key), str) and (found := word_in("modes", act.fields[key])):
            return found
    return None


def _moved(court: Court, act: Act) -> Act:
    """The kind of movement: as it was called, else by the phase, the unit and the open fire."""
    unit = court.unit(act.units[0])
    mode = _mode(act)
    fields = {**act.fields, "mode": mode}
    act = replace(act, fields=fields)
    if act.verb in ("place", "enter") or (act.verb == "move" and act.origin is None):
        if court.phase == "setup":
            return replace(act, verb="place")
        if unit.kind == "air":
            return replace(act, verb="air-placed")
        return replace(act, verb="enter")
    if act.verb == "exit" or act.to is None:
        verb = {"embark": "embark", "evacuate": "evacuate"}.get(mode or "", "exit")
        return replace(act, verb=verb)
    if act.verb in ("retreat", "displace"):
        return replace(act, verb="retreat")
    if act.verb == "advance":
        return act
    if court.phase == "setup":
        return replace(act, verb="place")
    if unit.kind == "naval":
        return replace(act, verb="sail")
    if mode in ("rail", "embark", "evacuate", "airdrop", "bugout"):
        return replace(act, verb=mode)
    if court.must_be(None, ("bugout",)):
        return replace(act, verb="bugout" if unit.side == facts.UN else "advance")
    combat = court.combat
    if combat is not None and combat.rolls and court.may_be(None, facts.COMBAT) and len(act.units) == 1:
        if act.to in combat.targets and unit.side == combat.side:
            return replace(act, verb="advance")
        if unit.id in combat.defenders and act.origin in combat.targets:
            return replace(act, verb="retreat")
    if court.must_be(None, facts.COMBAT) and act.to in court.designations and unit.side == court.phasing:
        return replace(act, verb="advance")
    return act
