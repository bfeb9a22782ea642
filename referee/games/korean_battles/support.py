"""Support markers: which ones an act puts into a combat, whose they are and what they show (8.0 to 8.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from referee.games.korean_battles import facts
from referee.games.korean_battles.court import Court
from referee.games.korean_battles.story_markers import value_in
from referee.rulebook import plain
from referee.story_events import as_list
from referee.table.acts import Act
from referee.table.combat import Combat, SupportUse

_OWN = ("support", "markers", "attacker_support", "attack_support")
_OTHER = (
    "defender_support",
    "defense_support",
    "defence_support",
    "defensive_support",
    "counter_battery",
    "counter",
    "defending_support",
)


def uses_in(court: Court, act: Act, side: str | None, combat: Combat) -> Iterator[SupportUse]:
    """The markers an act adds. A declaration names its own side's under `support`, the other side's apart."""
    other = court.enemy(side) if side is not None else None
    if act.verb in ("support", "counter_battery"):
        marker = act.get("marker", "markers", "what", "by", "value")
        said = facts.side_of(act.get("side") or "", court.scenario.id) or act.side
        for one in as_list(marker):
            name, value, named, owner = _marker(court, one, act.get("value"))
            whose = said or owner or _by_target(court, act, combat)
            if act.verb == "counter_battery" and whose is None and combat.side is not None:
                whose = court.enemy(combat.side)
            yield SupportUse(act.step, whose, name, value, named)
        return
    own = list(_OWN)
    if act.verb == "bombard":
        own += ["by", "marker", "factors", "value"]
    seen = False
    for key in own:
        if seen and key in ("factors", "value"):
            continue
        value = act.fields.get(key)
        if isinstance(value, Mapping) and not {"marker", "value", "name"} & set(value):  # {UN: [...], NK: [...]}
            for who, markers in value.items():
                whose = facts.side_of(who, court.scenario.id) or (side if plain(who).startswith("att") else other)
                for one in as_list(markers):
                    name, worth, named, _ = _marker(court, one, None)
                    yield SupportUse(act.step, whose, name, worth, named)
            continue
        for one in as_list(value):
            if str(one) in court.position.units or one in (True, False):
                continue
            name, worth, named, owner = _marker(court, one, None)
            seen = True
            yield SupportUse(act.step, owner or side, name, worth, named)
    for key in _OTHER:
        for one in as_list(act.fields.get(key)):
            name, worth, named, _ = _marker(court, one, None)
            yield SupportUse(act.step, other, name, worth, named)


def _marker(court: Court, one: Any, value: Any) -> tuple[str, int | None, bool, str | None]:
    """Name, value, whether it can be told from others, and owner."""
    side = None
    if isinstance(one, Mapping):
        side = facts.side_of(one.get("side") or "", court.scenario.id)
        value = one.get("value", one.get("plus", value))
        one = one.get("marker") or one.get("name") or one.get("id") or (f"+{value}" if value is not None else "marker")
    if isinstance(one, int):
        return f"+{one}", one, False, side
    name = str(one)
    known = court.markers.get(name)
    if known is not None:
        return name, known.value if known.value is not None else _int(value), True, known.side or side
    worth = _int(value)
    if worth is None:
        worth = value_in(name)
    first = name.replace("+", " ").replace("-", " ").replace("_", " ").split()
    side = side or (facts.side_of(first[0], court.scenario.id) if first and not first[0].isdigit() else None)
    plain = name.strip().lstrip("+").isdigit()
    return name, worth, not plain, side


def _int(value: Any) -> int | None:
    return (
        value
        if isinstance(value, int) and not isinstance(value, bool)
        else value_in(str(value))
        if isinstance(value, str)
        else None
    )


def _by_target(court: Court, act: Act, combat: Combat) -> str | None:
    """Whose marker it is by what it is for: an attacker, a defender, or the hex (then it is not told)."""
    for one in as_list(act.get("for", "unit", "to")):
        name = str(one)
        if name in court.position.units:
            return court.unit(name).side
        if plain(name) in ("attacker", "attack"):
            return combat.side
        if plain(name) in ("defender", "defense", "defence") and combat.side is not None:
            return court.enemy(combat.side)
    return None
