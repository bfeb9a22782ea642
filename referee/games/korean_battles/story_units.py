"""A story's units, filled up from the scenario's lists and the user's charts where the story is silent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.korean_battles import facts, names
from referee.games.korean_battles.charts import Charts
from referee.rulebook import plain
from referee.table.units import Unit, Values


def field(name: str) -> str:
    """The referee's name of a unit's field."""
    return facts.word_map("unit_fields").get(name, name)


def values_in(value: Any) -> Values | None:
    """Three numbers, written `5-6-4`, as a list or as a mapping."""
    if isinstance(value, Mapping):
        known = {field(key): number for key, number in value.items()}
        return Values(known.get("attack"), known.get("defense"), known.get("move"))
    if isinstance(value, (list, tuple)) and len(value) == 3:
        return Values(*value)
    try:
        return Values.read(str(value))
    except ValueError:
        return None


def _words(told: Mapping[str, Any]) -> tuple[str | None, str | None, bool | None]:
    """Size, kind and class from whatever field they were written in."""
    size = kind = None
    mobile = None
    sizes, kinds, words = facts.word_map("sizes"), facts.word_map("kinds"), facts.words()
    for name in ("class", "size", "type"):
        for part in _plain_word(told.get(name)).split():
            size = size or sizes.get(part)
            kind = kind or kinds.get(part)
            if mobile is None and part in (*words["mobile"], *words["leg"]):
                mobile = part in words["mobile"]
    kind = kind or next(
        (word for word in ("hq", "depot", "cadre", "engineer", "dummy") if told.get(word) is True), None
    )
    return size, kind, mobile


def strange_word(told: Mapping[str, Any]) -> str | None:
    """Which of `class`, `size` and `type` says nothing that the game knows.

    >>> strange_word({"class": "leg", "size": "battalian"}), strange_word({"class": "Infantry", "size": None})
    ('size', None)
    """
    words = facts.words()
    known = {*facts.word_map("sizes"), *facts.word_map("kinds"), *words["mobile"], *words["leg"], *words["arms"]}
    for name in ("class", "size", "type"):
        text = _plain_word(told.get(name))
        if text and text not in words["untold"] and not known & set(text.split()):
            return name
    return None


def _plain_word(value: Any) -> str:
    return plain(value or "").replace("/", " ").replace(",", " ").replace("non mobile", "leg")


def build(told: Mapping[str, Any], scenario: facts.Scenario, charts: Charts) -> Unit:
    """The unit that these fields and the scenario's lists describe. `told['side']` is one of the scenario's sides."""
    name = str(told["name"])
    extra = charts.units.get(name, {})
    told = {**{field(key): value for key, value in extra.items() if value is not None}, **told}
    size, kind, mobile = _words(told)
    kind = kind or names.kind_in(name)
    dummy = bool(told.get("dummy")) or kind == "dummy"
    side = str(told["side"])
    nation = told.get("nation")
    face = values_in(told["values"]) if told.get("values") is not None else None
    face = face or Values(_number(told.get("attack")), _number(told.get("defense")), _number(told.get("move")))
    depleted = told.get("depleted")
    if depleted is None:
        state = plain(told.get("status") or told.get("face") or "")
        depleted = (
            True if state in ("depleted", "reduced", "depl", "back") else False if state in ("full", "front") else None
        )
    if depleted is None and told.get("steps") == 1 and told.get("one_sided") is None and told.get("full") is not None:
        depleted = True
    sketch = Unit(name, name, side, str(nation) if nation else None, "dummy" if dummy else kind, size, face=face)
    line = _line(scenario, sketch, told.get("hex"))
    division = names.division_of(scenario, sketch) if side == "Chinese" else None
    if line is not None:
        size, kind = size or line.size, kind or line.kind
        nation = nation or line.nation
        if face == Values() and line.values and not depleted:
            face = line.values
    if dummy:
        face = Values(face.attack, face.defense, facts.units()["dummies"]["move"] if face.move is None else face.move)
    if size is None and kind is None and str(face) in facts.units()["breakdown"].get(nation or _nation(side), {}):
        size = "division"
    if size is None and division is not None and kind is None:
        size = "regiment"
    one_sided = told.get("one_sided")
    two_sided = told.get("steps") == 2 or any(told.get(key) is not None for key in ("back", "depleted", "full"))
    if one_sided is None and (two_sided or size in ("division", "regiment", "brigade")):
        one_sided = False
    if told.get("steps") == 1 and not depleted and told.get("one_sided") is None:
        one_sided, depleted = (True, False) if told.get("full") is None else (False, True)
    back = values_in(told["back"]) if told.get("back") is not None else None
    full = values_in(told["full"]) if told.get("full") is not None else None
    faces = tuple(
        values for values in (full or (face if not depleted else None), back or (face if depleted else None)) if values
    )
    ladder = [Values.read(text) for text in facts.units()["marine_ladder"]["values"]]
    marine = scenario.rules["marine_ladder"] and bool(
        names.words(name) & {id.lower() for id in facts.units()["marine_ladder"]["units"]}
    )
    if marine and kind is None:
        faces, size, one_sided = tuple(ladder), size or "regiment", False
        if face == ladder[-1]:
            depleted = True
        elif depleted is None or face in ladder:
            depleted = False
    zoc = told.get("zoc")
    if told.get("no_zoc"):
        zoc = False
    more: dict[str, Any] = {
        key: told[key] for key in ("turn", "arrives", "entry", "note", "breakdown", "steps_lost") if key in told
    }
    if line is not None and "no_zoc_until" in line.more and zoc is None:
        more["no_zoc_until"] = line.more["no_zoc_until"]
    slow = face.move is not None and face.move < facts.units()["mobile_by_movement"]
    if mobile is None and (kind == "depot" or dummy or (slow and size in ("division", "regiment", "brigade"))):
        mobile = False
    group = told.get("division")
    hidden = bool(told.get("hidden"))
    if dummy and told.get("hidden") is None and told.get("revealed") is None:
        hidden = True
    if dummy and not hidden:
        more["face_up"] = True
    untold = hidden and not dummy and face == Values() and size is None and kind is None
    return Unit(
        id=name,
        name=name,
        side=side,
        nation=str(nation) if nation else _nation(side),
        kind="dummy" if dummy else kind,
        size=size,
        mobile=mobile,
        face=face,
        faces=faces,
        depleted=bool(depleted),
        one_sided=one_sided,
        zoc=zoc,
        hidden=hidden,
        dummy=None if untold else dummy,
        commando=told.get("commando", False),
        supplied=_supply(told),
        division=str(group) if group is not None else (f"{division} ID" if division else None),
        traits=frozenset({"marine"} if marine or told.get("marine") else ()),
        more=more,
    )


def _line(scenario: facts.Scenario, sketch: Unit, hex: Any) -> facts.Listed | None:
    """The line of the lists that tells the rest; None where two that differ have the name (UN 6 and ROK 6)."""
    found = names.listed(scenario, sketch)
    alike = [line for line in found if names.words(line.id) == names.words(found[0].id)]
    here = [line for line in alike if (str(hex) in line.hexes if hex else line.arrives)] or alike
    told = {(line.values, line.kind, line.size, line.nation) for line in here}
    return here[0] if len(told) == 1 else None


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _nation(side: str) -> str | None:
    return None if side == "UN" else side


def _supply(told: Mapping[str, Any]) -> bool | None:
    if told.get("oos") is not None:
        return not told["oos"]
    value = told.get("supply")
    if value is None or isinstance(value, bool):
        return value
    return plain(value) in ("in", "yes", "in supply", "supplied", "full")
