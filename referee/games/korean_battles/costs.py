"""What a step costs (5.2, 5.2.1, 5.2.2, 12.0): the text's numbers, the user's chart, or a range where neither tells."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from referee.games.korean_battles import facts
from referee.rules.board import NEVER, TICKS, Cost, ticks
from referee.rules.ground import UNKNOWN, UNSTATED, side

if TYPE_CHECKING:
    from referee.games.korean_battles.court import Court

_FREE_UNLESS_CHARTED = ("minefield", "ditch")  # no cost is printed for them in this game's text
_DEAR = NEVER // 4  # more than any unit has, and yet not forbidden: infiltration pays for it (5.1.2)


def step_cost(court: Court, mover: str, here: str, there: str) -> Cost:
    """The range of a step's cost for a unit of side `mover`."""
    ground, charts = court.ground, court.charts
    pair = side(here, there)
    crossed = pair in ground.sides
    if not crossed and pair in ground.roads:
        return _by_road()
    entry = court.entry_cost(there)
    bare = not crossed and pair not in ground.roads and pair not in ground.trails
    if bare and ground.links_known and ground.is_known(here) and ground.is_known(there):
        return entry
    rules = facts.rules()
    surcharge = _crossing(court, mover, here, there)
    road, trail = ticks(rules["road"]), ticks(rules["trail"])
    if entry.low >= NEVER and pair not in ground.roads:
        return entry
    for links, rate, name in ((ground.roads, road, "road"), (ground.trails, trail, "trail")):
        if pair in links:
            waived = charts.option("road_waives_river")
            low = rate if waived is not False else rate + surcharge.low
            high = rate if waived else rate + surcharge.high
            return Cost(low, min(high, NEVER), name + (f", {surcharge.why}" if surcharge.why else ""))
    low, high = entry.low + surcharge.low, entry.high + surcharge.high
    unsaid = not (ground.is_known(here) and ground.is_known(there)) or not ground.links_known
    why = entry.why + (f", {surcharge.why}" if surcharge.why else "")
    return Cost(min(low, road) if unsaid else min(low, NEVER), min(high, NEVER), why)


@cache
def _by_road() -> Cost:
    """What a step along a road costs."""
    rate = ticks(facts.rules()["road"])
    return Cost(rate, rate, "road")


def least_cost(court: Court) -> int:
    """What no step on the map costs less than."""
    ground = court.ground
    if ground.roads or ground.trails or not ground.links_known:
        return ticks(facts.rules()["road"])
    found = {ground.terrain(hex) for hex in court.grid.numbers}
    return min(cost_of(court, kinds).low for kinds in found)


def cost_of(court: Court, kinds: tuple[str, ...]) -> Cost:
    """What entering a hex with these kinds of terrain costs."""
    rules, charts = facts.rules(), court.charts
    if kinds[0] == UNKNOWN:
        return Cost(ticks(rules["road"]), NEVER, "terrain not known")
    if kinds[0] == UNSTATED:
        return Cost(ticks(rules["road"]), ticks(rules["terrain"]["clear"]), "terrain not told")
    low = high = 0
    for kind in kinds:
        cost = charts.costs.get(kind)
        printed = rules["terrain"].get(kind)
        if cost is None and printed == "prohibited":
            cost = NEVER
        elif cost is None and printed is not None:
            cost = ticks(printed)
        if cost is None:  # the text only says: more than a clear hex
            low, high = max(low, ticks(rules["other_terrain_above"]) + TICKS // 2), _DEAR
        else:
            low, high = max(low, cost), min(NEVER, high + cost)
    return Cost(low, high, " and ".join(kinds))


def _crossing(court: Court, mover: str, here: str, there: str) -> Cost:
    """What the hexside adds."""
    ground, charts = court.ground, court.charts
    features = ground.features(here, there)
    if not features:
        return Cost(0, 0)
    pair = side(here, there)
    if pair in ground.bridges or (pair in court.bridged() and _may_use_bridge(court, mover)):
        cost = charts.costs.get("bridge", 0)
        return Cost(cost, cost, "bridge")
    low = high = 0
    for kind in features:
        known = charts.costs.get(kind)
        if known is None:
            most = _DEAR if kind in facts.rules()["crossable"] else NEVER
            high = high if kind in _FREE_UNLESS_CHARTED else max(high, most)
        else:
            low, high = min(NEVER, low + known), min(NEVER, high + known)
        if kind == "prohibited":
            low = high = NEVER
    if pair in court.bridged() and charts.option("nk_uses_bridge") is None:
        low = charts.costs.get("bridge", 0)
    return Cost(low, high, " and ".join(sorted(features)))


def _may_use_bridge(court: Court, mover: str) -> bool:
    return mover == "UN" or bool(court.charts.option("nk_uses_bridge"))
