"""A unit of Yalu: from a story's fields, a module's piece or a bind file, filled up with what the text tells of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from referee.games.yalu import facts
from referee.games.yalu.charts import Charts
from referee.rulebook import plain
from referee.table.units import Unit, Values

NEUTRALIZED, ISOLATED, REGROUPING, BOMBARDED = "neutralized", "isolated", "regrouping", "bombarded"
UNSURE = "unsure"  # the counter has layers and none of them is known to tell whether it is Neutralized
STATES = {"neutralized": NEUTRALIZED, "isolated": ISOLATED, "regroup": REGROUPING, "bombarded": BOMBARDED}
_KIND_FLAGS = ("garrison", "guerrilla", "conscript", "artillery", "tank", "naval", "air")
_NOISE = {
    "div",
    "division",
    "the",
    "inf",
    "infantry",
    "army",
    "corps",
    "regt",
    "regiment",
    "bn",
    "battalion",
    "id",
    "mech",
}


def words(name: str) -> frozenset[str]:
    """The telling parts of a name.

    >>> sorted(words("PVA 58th Div")), sorted(words("3/31/7"))
    (['58', 'pva'], ['3/31/7'])
    """
    low = re.sub(r"(?<=\d)(st|nd|rd|th)\b", "", re.sub(r"\b\d+-\d+\b", " ", name.lower()))
    return frozenset(word for word in re.split(r"[\s(),_#-]+", low) if word and word not in _NOISE)


def numbers(name: str) -> list[str]:
    """The numbers in a name, factors such as 4-6 left out."""
    return re.findall(r"\d+", re.sub(r"\b\d+-\d+\b", " ", name))


def army_of(name: str, nation: str | None) -> str | None:
    """The army that a Chinese division belongs to, by its number (24.0)."""
    if nation != "PVA":
        return None
    found = numbers(name)
    armies = facts.BOOK.units["armies"]
    return next((army for army, of in armies.items() if found and found[0] in of["divisions"]), None)


def nation_in(name: str) -> str | None:
    """The nation that a name tells."""
    parts = re.split(r"[\s/()-]+", name.strip())
    return next((nation for part in parts if part and (nation := facts.BOOK.nation_of(part))), None)


def known_line(name: str, nation: str | None) -> Mapping[str, Any]:
    """What the text tells of a unit of this name."""
    wanted = words(name) | ({nation.lower()} if nation else set())
    for line in facts.BOOK.units["known"]:
        own = words(line["id"]) | {line["nation"].lower()}
        if own == wanted and (nation is None or line["nation"] == nation):
            return dict(line)
    return {}


def _size(told: Mapping[str, Any], name: str) -> str | None:
    sizes = facts.BOOK.word_map("sizes")
    for field in ("size", "type"):
        for part in plain(told.get(field) or "").split():
            if part in sizes:
                return sizes[part]
    for part in re.split(r"[\s()/]+", plain(name)):
        if part in sizes:
            return sizes[part]
    return None


def _kind(told: Mapping[str, Any], name: str) -> str | None:
    kinds = facts.BOOK.word_map("kinds")
    for flag in _KIND_FLAGS:
        if told.get(flag):
            return flag
    for text in (plain(told.get("type") or ""), plain(told.get("size") or ""), plain(name)):
        for part in re.split(r"[\s()/]+", text):
            if part in kinds:
                return kinds[part]
    return None


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _values(value: Any) -> tuple[int | None, int | None]:
    found = re.fullmatch(r"\s*(\d+)\s*-\s*(\d+)\s*", str(value)) if value is not None else None
    return (int(found[1]), int(found[2])) if found else (None, None)


def build(told: Mapping[str, Any], charts: Charts) -> Unit:
    """The unit that these fields describe. `told['side']` is one of the game's sides."""
    name = str(told["name"])
    fields = facts.BOOK.word_map("unit_fields")
    extra = {fields.get(key, key): value for key, value in charts.units.get(name, {}).items() if value is not None}
    told = {**extra, **{key: value for key, value in told.items() if value is not None}}
    side = str(told["side"])
    nation = told.get("nation") or nation_in(name)
    if nation is not None and facts.BOOK.units["nations"].get(nation) != side:
        nation = None
    line = known_line(name, nation)
    kind, size = _kind(told, name), _size(told, name) or line.get("size")
    army = str(told["army"]) if told.get("army") is not None else army_of(name, nation)
    army = (numbers(army) or [army])[0] if army is not None else None
    if side == facts.COMMUNIST and kind is None and size is None:
        size = "division"
    factor, move = _values(told.get("values") if told.get("values") is not None else told.get("factor"))
    factor = _number(told.get("factor")) if factor is None else factor
    move = _number(told.get("move")) if told.get("move") is not None else move
    if factor is None and kind is None:
        factor = line.get("factor")
        factor = (
            facts.BOOK.units["armies"].get(army, {}).get("factor") if factor is None and nation == "PVA" else factor
        )
        factor = facts.BOOK.units["nkpa"]["factor"] if factor is None and nation == "NKPA" else factor
    if move is None and nation == "NKPA" and kind is None:
        move = facts.BOOK.units["nkpa"]["move"]
    if kind == "garrison" and move is None:
        move = 0
    if kind == "naval" and told.get("support") is None and "battleship" in plain(name):
        told = {**told, "support": facts.BOOK.units["naval"]["battleship"]}
    supplied = None if told.get("supply") is None else plain(told["supply"]) in ("true", "in", "yes", "supplied")
    states = {state for key, state in STATES.items() if told.get(key) is True}
    if supplied is False:
        states.add(ISOLATED)
    marine = told.get("marine") or line.get("marine") or re.search(r"\b(1st )?(marine|usmc)", plain(name))
    if marine and nation in (None, "US"):
        states.add("marine")
    if told.get("airborne") or (set(numbers(name)[:1]) & set(facts.BOOK.units["airborne"]) and nation == "US"):
        states.add("airborne")
    zoc = told.get("zoc")
    if told.get("no_zoc"):
        zoc = False
    more = {key: told[key] for key in ("circled", "turn", "setup", "parent", "support") if told.get(key) is not None}
    if army:
        more["army"] = army
    if line.get("id") in facts.BOOK.units["may_be_battalion"] and size is None and charts.option("rmc_battalion"):
        size = "battalion"
    return Unit(
        id=name,
        name=name,
        side=side,
        nation=nation,
        kind=kind,
        size=size,
        face=Values(factor, factor, move),
        zoc=zoc,
        supplied=supplied if supplied is not None else (False if ISOLATED in states else None),
        division=str(more["parent"]) if "parent" in more else None,
        traits=frozenset(states),
        more=more,
    )


def is_combat(unit: Unit) -> bool:
    """A combat unit: no support, no guerrilla, no conscript; a garrison is one."""
    return unit.kind in (None, "garrison")


def is_support(unit: Unit) -> bool:
    """Artillery, tanks, ships and aircraft (12.0)."""
    return unit.kind in ("artillery", "tank", "naval", "air")


def factor(unit: Unit) -> int | None:
    """The combat factor; a support's is its support factor (12.1.6)."""
    if is_support(unit):
        return support_factor(unit)
    return unit.face.attack


def support_factor(unit: Unit) -> int | None:
    """The support factor, which is a ship's range too."""
    told = unit.more.get("support")
    if isinstance(told, int):
        return told
    return unit.face.attack if is_support(unit) else None
