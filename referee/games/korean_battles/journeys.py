"""One unit's move as a search: the readings that the evidence leaves open, and what each says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, pairwise, permutations
from typing import Any, NamedTuple

from referee.games.korean_battles import facts
from referee.games.korean_battles.costs import step_cost
from referee.games.korean_battles.court import Court
from referee.games.korean_battles.names import words
from referee.rules.board import NEVER, TICKS, Board, Cost, Pretence, ticks
from referee.rules.ground import side
from referee.rules.paths import Path, Reading, find, walk
from referee.table.acts import Act
from referee.table.units import Unit

UNBOUNDED = 200 * TICKS


@dataclass(slots=True)
class Journey:
    """From `start` through `stops`, hexes as the board counts them; `exact`: told hex by hex."""

    unit: Unit
    start: int
    stops: tuple[int, ...]
    exact: bool

    @property
    def goal(self) -> int:
        return self.stops[-1]

    @property
    def hexes(self) -> tuple[int, ...]:
        return (self.start, *self.stops)


class Frame(NamedTuple):
    """A reading of the rules for this unit, and why there is another one."""

    reading: Reading
    mobile: bool
    whole_zone: bool
    any_surcharge: bool


def journey_of(court: Court, act: Act, unit: Unit) -> Journey | None:
    """The unit's whole move of this phase, earlier drags included; None where it went nowhere."""
    hexes: list[Any] = list(act.path or (act.origin, act.to))
    exact = act.exact
    for _, earlier, was_exact in reversed(court.trails.get(unit.id, [])):
        if earlier and earlier[-1] == hexes[0]:
            hexes = [*earlier, *hexes[1:]]
            exact = exact and was_exact
    of = court.grid.index.of
    numbers = [of[hex] for hex in hexes if hex in of]
    if len(numbers) < 2 or (len(set(numbers)) == 1):
        return None
    return Journey(unit, numbers[0], tuple(numbers[1:]), exact)


def allowance(unit: Unit) -> int:
    """The printed allowance in ticks; without bound where the counter is not known."""
    return unit.face.move * TICKS if unit.face.move is not None else UNBOUNDED


def frames(court: Court, unit: Unit) -> list[Frame]:
    """Every reading that class, zones of control and the surcharge rule leave open, the kindest first."""
    blocked = court.blocked_for(unit.side)
    zone_readings = court.zones_against(unit.side).readings()
    commando = bool(unit.commando) or (_called_commando(unit) and bool(court.charts.option("commando_41")))
    if len(zone_readings) > 1 or court.ground.sides_with("minefield") or court.ground.hexes_with("fortification"):
        return _frames(court, unit, blocked, zone_readings, commando)
    key = (unit.side, unit.face.move, unit.mobile, commando)  # zones and enemies are kept up to date in place
    known = court.frames.get(key)
    if known is None:
        known = court.frames[key] = _frames(court, unit, blocked, zone_readings, commando)
    return known


def _frames(
    court: Court, unit: Unit, blocked: Set[int], zone_readings: tuple[Set[int], ...], commando: bool
) -> list[Frame]:
    board = court.board(unit.side)
    option = court.charts.option("mobile_ezoc_surcharge")
    surcharges = [option == "any"] if option else [False, True]
    half = (unit.face.move // 2) * TICKS if unit.face.move is not None else 0
    found = []
    for mobile in [unit.mobile] if unit.mobile is not None else [True, False]:
        for zone in zone_readings:
            for dear_surcharge in surcharges if mobile and not commando else [False]:
                reading = Reading(
                    allowance(unit), zone, blocked, halts=not mobile, infiltrate=not mobile,
                    direct=half if mobile and not commando else 0,
                    reentry=half if dear_surcharge else 0,
                    zone_barred=frozenset() if commando else _barred(court, board, zone),
                )  # fmt: skip
                found.append(Frame(reading, mobile, zone is not zone_readings[0], dear_surcharge))
    return found


def _called_commando(unit: Unit) -> bool:
    named = facts.units()["may_be_commando"]
    return unit.nation == named["nation"] and named["id"] in words(unit.name)


def legal_for_commandos(court: Court, unit: Unit, journey: Journey, reading: Reading) -> bool:
    """Might the unit be a commando, which nobody has settled, and is the move legal if zones cost it nothing?"""
    if not _called_commando(unit) or court.charts.option("commando_41") is not None:
        return False
    free = replace(reading, halts=False, infiltrate=False, direct=0, reentry=0, zone_barred=frozenset())
    return attempt(court.board(unit.side), journey, free) is not None


def _barred(court: Court, board: Board, zone: Set[int]) -> frozenset[tuple[int, int]]:
    """Hexsides that no unit may cross from zone to zone: minefields and the way into fortifications (5.1.2)."""
    mined, fortified = court.ground.sides_with("minefield"), court.ground.hexes_with("fortification")
    if not mined and not fortified:
        return frozenset()
    mines = {(a, b) for pair in mined for a, b in permutations(map(court.at, pair))}
    forts = [there for hex in fortified if (there := court.at(hex)) in zone]
    return frozenset(mines | {(here, there) for there in forts for here in board.neighbours[there]})


def attempt(board: Board, journey: Journey, reading: Reading, limit: int | None = None) -> Path | None:
    """The cheapest way to make this move under a reading, within the allowance (or `limit`)."""
    limit = reading.allowance if limit is None else limit
    if journey.exact and all(b in board.neighbours[a] for a, b in pairwise(journey.hexes)):
        path = walk(board, journey.hexes, reading)
        return path if path is not None and path.total <= limit else None
    return find(board, journey.start, journey.stops, reading, limit)


def surely(board: Board, journey: Journey, reading: Reading, cheap: Path) -> bool:
    """Is the move legal even if every doubtful step costs its dearest?"""
    dear = replace(reading, dear=True)
    same = walk(board, cheap.hexes, dear)
    if same is not None and same.total <= reading.allowance:
        return True
    return not journey.exact and attempt(board, journey, dear) is not None


def pretend(court: Court, mover: str, name: str) -> Board:
    """The same map with other costs: would the move have been legal if ...? `name` is one of PRETENCES."""

    def make() -> Board:
        like, change, of = court.board(mover), PRETENCES[name], court.grid.index.of
        hexes = {of[hex] for hex in CHANGED[name](court) if hex in of}

        def cost(here: str, there: str) -> Cost:
            return change(court, here, there, like.cost(of[here], of[there]))

        return Pretence(like, cost, ticks(facts.rules()["road"]), hexes)

    return court.pretended(mover, name, make)


def as_link(court: Court, here: str, there: str, cost: Cost, *, which: str) -> Cost:
    """As if a road (trail) ran between any two hexes that have one."""
    touches = court.ground.on_road if which == "road" else court.ground.on_trail
    rate = ticks(facts.rules()[which])
    return Cost(min(cost.low, rate), min(cost.high, rate), which) if touches(here) and touches(there) else cost


def as_dry(court: Court, here: str, there: str, cost: Cost) -> Cost:
    """As if no hexside had a river on it."""
    rivers = set(facts.rules()["rivers"]) | {"frozen-reservoir-hexside"}
    pair = side(here, there)
    features = court.ground.sides.get(pair)
    if not features or not features & rivers:
        return cost
    court.ground.sides[pair] = features - rivers
    try:
        return step_cost(court, "UN", here, there)
    finally:
        court.ground.sides[pair] = features


def as_land(court: Court, here: str, there: str, cost: Cost) -> Cost:
    """As if no hex were prohibited."""
    return Cost(TICKS, TICKS, cost.why) if cost.low >= NEVER else cost


PRETENCES: dict[str, Callable[[Court, str, str, Cost], Cost]] = {
    "road": partial(as_link, which="road"),
    "trail": partial(as_link, which="trail"),
    "dry": as_dry,
    "land": as_land,
}
CHANGED: dict[str, Callable[[Court], Iterable[str]]] = {
    "road": lambda court: set(chain.from_iterable(court.ground.roads)),
    "trail": lambda court: set(chain.from_iterable(court.ground.trails)),
    "dry": lambda court: set(chain.from_iterable(court.ground.sides)),
    "land": lambda court: court.grid.numbers,
}
"""The hexes between which steps may cost something else than on the map."""
