"""What a step costs: the text's numbers, the user's chart, or a range where neither tells (9.1.1, 24.0)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.games.yalu import facts
from referee.rules.board import NEVER, Cost, ticks
from referee.rules.ground import UNKNOWN, UNSTATED, Side, side
from referee.table.units import Unit

if TYPE_CHECKING:
    from referee.games.yalu.court import Court


_NOTHING, _UNTOLD = Cost(0, 0), Cost(0, NEVER, "hexside not known")


def mover_of(unit: Unit) -> str:
    """Whose road rate a unit has: Communist, UN division, UN other."""
    if unit.side == facts.COMMUNIST:
        return facts.COMMUNIST
    return "UN division" if unit.size in ("division", None) and unit.kind is None else "UN other"


def step_cost(court: Court, mover: str, here: str, there: str) -> Cost:
    """The range of a step's cost."""
    ground, pair = court.ground, side(here, there)
    if pair in ground.roads or pair in ground.sides:
        return _step_cost(court, mover, here, there)
    key = (ground.terrain(here), ground.terrain(there))  # with nothing between, only they count
    known = court.open_steps.get(key)
    if known is None:
        known = court.open_steps[key] = _step_cost(court, mover, here, there)
    return known


def _step_cost(court: Court, mover: str, here: str, there: str) -> Cost:
    ground, charts = court.ground, court.charts
    entry = court.entry_cost(there)
    if entry.low >= NEVER:
        return entry
    pair = side(here, there)
    crossing = _crossing(court, pair)
    least = ticks(facts.BOOK.rules["road_least"])
    if pair in ground.roads:
        rate = charts.roads.get(mover)
        more = 0
        if mover == facts.COMMUNIST:
            more = ticks(court.breaks.get(("interdiction", there), 0))  # 13.7.4: the road of that hex
        low = (rate if rate is not None else least) + more
        high = rate + more if rate is not None else min(entry.high + crossing.high, NEVER)
        if ("bridge", pair) in court.breaks:  # 13.7.3: the road goes through the river
            low, high = min(low + crossing.low, NEVER), min(high + crossing.high, NEVER)
        if more:  # a unit need not use the road
            low, high = min(low, entry.low + crossing.low), min(high, entry.high + crossing.high)
        return Cost(low, max(low, high), "road")
    untold = not (ground.is_known(here) and ground.is_known(there)) or not ground.links_known
    low, high = entry.low + crossing.low, entry.high + crossing.high
    why = entry.why + (f", {crossing.why}" if crossing.why else "")
    return Cost(min(low, least) if untold and crossing.low < NEVER else min(low, NEVER), min(high, NEVER), why)


def least_cost(court: Court) -> int:
    """What no step on the map costs less than."""
    ground = court.ground
    found = {ground.terrain(hex) for hex in court.grid.numbers}
    told = ground.links_known and not any(kinds[0] in (UNKNOWN, UNSTATED) for kinds in found)
    if ground.roads or not told:
        return min([ticks(facts.BOOK.rules["road_least"]), *court.charts.roads.values()])
    return min(cost_of(court, kinds).low for kinds in found)


def cost_of(court: Court, kinds: tuple[str, ...]) -> Cost:
    """What entering a hex with these kinds of terrain costs."""
    least = ticks(facts.BOOK.rules["road_least"])
    if kinds[0] == UNKNOWN:
        return Cost(least, NEVER, "terrain not known")
    if kinds[0] == UNSTATED:
        return Cost(least, ticks(facts.BOOK.rules["terrain"]["clear"]), "terrain not told")
    costs = []
    for kind in kinds:
        cost = court.charts.costs.get(kind)
        printed = facts.BOOK.rules["terrain"].get(kind)
        if cost is None and printed == "prohibited":
            cost = NEVER
        if cost is None and printed is not None and printed != "prohibited":
            cost = ticks(printed)
        if cost is not None:
            costs.append(cost)
    if not costs:
        return Cost(least, NEVER, f"cost of {' and '.join(kinds)} not known")
    return Cost(max(costs), max(costs), " and ".join(kinds))


def _crossing(court: Court, pair: Side) -> Cost:
    """What the hexside adds. No cost of a river is printed; in subfreezing overcast weather it was nothing (24.0)."""
    features = court.ground.sides.get(pair)
    if not features:
        return _NOTHING if court.ground.sides_known else _UNTOLD
    bridged = pair in court.ground.bridges and ("bridge", pair) not in court.breaks
    low = high = 0
    for feature in sorted(features):
        cost = court.charts.costs.get(feature)
        if feature == "prohibited":
            return Cost(NEVER, NEVER, "prohibited")
        if feature == "river" and cost is None:
            settled = court.charts.option("river_cost")
            known = facts.BOOK.rules["river_extra"].get(court.weather) if settled is None else settled
            cost = ticks(known) if known is not None else None
        if feature == "river" and bridged:
            bridge = court.charts.costs.get("bridge")
            low, high = low + (bridge or 0), high + (bridge if bridge is not None else cost or 0)
        elif cost is not None:
            low, high = low + cost, high + cost
        else:
            high = NEVER
    return Cost(min(low, NEVER), min(high, NEVER), " and ".join(sorted(features)))
