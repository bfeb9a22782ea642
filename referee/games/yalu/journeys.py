"""Is there any legal way for a unit to have moved as it did (8.3.1, 9.1, 9.2.3)?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise
from operator import is_
from typing import Any

from referee.games.yalu import facts
from referee.games.yalu.court import Court, Try
from referee.games.yalu.units import ISOLATED
from referee.rules.board import NEVER, TICKS, points, ticks
from referee.rules.paths import NOTHING, Path, Reading, find, stride
from referee.rules.sums import arithmetic
from referee.table.acts import Act
from referee.table.units import Unit

FAR = NEVER - 1
LONGEST = 14  # of a longer trail only the end is looked at, which is never to a player's harm


@dataclass(frozen=True)
class Allowance:
    """Movement points in ticks: printed, and after isolation, weather and breaking down. None: nobody told."""

    printed: int | None
    usable: int | None
    isolated: bool = False
    weather: bool = False
    spent: int = 0

    @property
    def words(self) -> str:
        if self.printed is None or self.usable is None:
            return "movement allowance not known"
        why = [word for word, on in (("Isolated", self.isolated), ("weather", self.weather)) if on]
        why += [f"{points(self.spent)} spent on breaking down"] if self.spent else []
        return f"{points(self.usable)} MP" + (f" of {points(self.printed)} ({', '.join(why)})" if why else "")


def allowance(
    court: Court, unit: Unit, *, isolation: bool = True, weather: bool = True, spent: bool = True
) -> Allowance:
    """What a unit may spend this phase (5.2.2, 9.1.2, 9.3.3.3, 4.2)."""
    if unit.face.move is None:
        return Allowance(None, None)
    printed = usable = ticks(unit.face.move)
    halved = isolation and ISOLATED in unit.traits and unit.side == facts.COMMUNIST
    if halved:
        usable //= 2
    rate = weather_rate(court, unit) if weather else None
    if rate is not None:
        usable = round(usable * rate)
    used = court.spent.get(unit.id, 0) if spent else 0
    return Allowance(printed, usable - used, halved, rate not in (None, 1.0), used)


def weather_rate(court: Court, unit: Unit) -> float | None:
    """By what the weather multiplies movement, as the side's chart says; None where nobody told."""
    told = court.charts.effect(court.weather, unit.side, "move")
    if told is None:
        told = court.charts.effect(court.weather, unit.side, "movement")
    if isinstance(told, str):
        return {"none": 0.0, "no": 0.0, "prohibited": 0.0, "half": 0.5, "1/2": 0.5, "normal": 1.0, "full": 1.0}.get(
            told.lower()
        )
    if isinstance(told, bool):
        return None if told else 0.0
    return float(told) if isinstance(told, (int, float)) else None


def stops_of(court: Court, unit: Unit, act: Act) -> list[str]:
    """Where the unit is known to have been this phase, from its start to the end of this act."""
    stops: list[str] = []
    for _, hexes, exact in court.trails.get(unit.id, ()):
        stops += hexes if exact or not stops else hexes[-1:]
        if not exact and len(stops) > 2 and stops[-2] == stops[-1]:
            stops.pop()
    way = act.path if len(act.path) > 1 else tuple(hex for hex in (act.origin, act.to) if hex)
    if not act.exact and len(way) > 2:
        way = (way[0], *way[1:])
    found = [*stops, *way]
    return [hex for i, hex in enumerate(found) if i == 0 or hex != found[i - 1]][-LONGEST:]


def tries_of(court: Court, unit: Unit) -> list[Try]:
    """The infiltration dice of a unit this phase."""
    return [attempt for attempt in court.tries if attempt.unit == unit.id]


def marches(court: Court, act: Act, unit: Unit, full: Set[int] = NOTHING) -> bool:
    """Can a unit surely pay a straight way, with no zone of control, no enemy and no `full` hex on it? Most moves of a
    game are such: nothing more need be searched. False says nothing about the others."""
    stops = stops_of(court, unit, act)
    if len(stops) < 2 or tries_of(court, unit) or any(hex not in court.grid for hex in stops):
        return False
    have = allowance(court, unit).usable
    zone, blocked = court.zones_against(unit.side).readings()[-1], court.blocked_for(unit.side)
    reading = Reading(FAR if have is None else have, zone, blocked | full if full else blocked)
    start, *goals = map(court.at, stops)
    if stride(court.board_for(unit), start, goals, reading) is None:
        return False
    if not full:
        note_way(court, act, unit)
    return True


def note_way(court: Court, act: Act, unit: Unit) -> None:
    """A way past the enemy was found for this act, whatever it costs: no other check of it need look for one."""
    court.way = (act, unit, court.position.state)


def has_way(court: Court, act: Act, unit: Unit) -> bool:
    """Was a way past the enemy found already?"""
    asked = (act, unit, court.position.state)
    return court.way is not None and all(map(is_, court.way, asked))


@dataclass(slots=True, eq=False)
class Search:
    """One reading of the rules for one journey. It never changes; that is not enforced because thousands are made."""

    court: Court
    unit: Unit
    zone: Collection[int] = NOTHING
    blocked: Collection[int] = NOTHING
    dear: bool = False
    _cheapest: dict[tuple[str, ...], Path | None] = field(default_factory=dict)

    def pays(self, stops: list[str], tries: list[Try], limit: int | None) -> bool:
        """Is there a way through the stops that costs at most `limit`? None: that costs whatever it may."""
        if limit is None or tries:
            cost = self.cost(stops, tries)
            return cost is not None and (limit is None or cost <= limit)
        start, *goals = map(self.court.at, stops)
        if goals and not self.zone and stride(self.court.board_for(self.unit), start, goals, self._reading(limit)):
            return True
        return self._leg(stops, limit) is not None

    def cost(self, stops: list[str], tries: list[Try]) -> int | None:
        """The cheapest way through the stops, stopping in zones save where an infiltration let the unit on."""
        court, board = self.court, self.court.board_for(self.unit)
        total = 0
        leg = [stops[0]]
        open_tries = [attempt for attempt in tries if attempt.success is not False]
        for here, there in pairwise(stops):
            let_on = next((a for a in open_tries if _fits(a, here, there)), None) if court.touch(here, there) else None
            if let_on is not None and (len(leg) > 1 or here != stops[0] or court.at(here) not in self.zone):
                if (spent := self._leg(leg)) is None:
                    return None
                step = dict(board.steps(court.at(here), self.dear)).get(court.at(there), NEVER)
                if step >= NEVER or court.at(there) in self.blocked:
                    return None
                total += spent + step
                open_tries.remove(let_on)
                leg = [there]
                continue
            if leg[0] != stops[0] and len(leg) == 1 and court.at(leg[0]) in self.zone:
                return None  # came here by infiltration and is still in a zone
            leg.append(there)
        spent = self._leg(leg)
        if spent is None and open_tries and len(leg) == 2:
            spent = self._unseen(leg, open_tries)
        return None if spent is None else total + spent

    def told(self, stops: list[str]) -> dict[str, Any]:
        """The cheapest way through the stops as evidence: each hex with its cost, and which the enemy controls."""
        path = self._way(stops)
        zone = self.court.zones_against(self.unit.side).sure
        return {"path": stops} if path is None else arithmetic(self.court.board_for(self.unit), path, zone)

    def _way(self, stops: Sequence[str], limit: int = FAR) -> Path | None:
        """The cheapest way through the stops, looked for once where any cost will do."""
        key = tuple(stops)
        if limit == FAR and key in self._cheapest:
            return self._cheapest[key]
        start, *goals = map(self.court.at, stops)
        path = find(self.court.board_for(self.unit), start, goals, self._reading(FAR), limit)
        if limit == FAR:
            self._cheapest[key] = path
        return path

    def _reading(self, points: int) -> Reading:
        return Reading(points, self.zone, self.blocked, halts=True, infiltrate=False, dear=self.dear)

    def _leg(self, leg: list[str], limit: int = FAR) -> int | None:
        if len(leg) == 1:
            return 0 if limit >= 0 else None
        court = self.court
        if len(leg) == 2 and court.touch(*leg) and court.at(leg[0]) in self.zone and court.at(leg[1]) in self.zone:
            if court.at(leg[1]) in self.blocked:
                return None
            step = dict(court.board_for(self.unit).steps(court.at(leg[0]), self.dear)).get(court.at(leg[1]), NEVER)
            return step if step <= limit else None
        path = self._way(leg, limit)
        return path.total if path is not None else None

    def _unseen(self, leg: list[str], tries: list[Try]) -> int | None:
        """A drag over a zone hex that a die let the unit leave: through which hexes is not seen."""
        court = self.court
        best: int | None = None
        for over in court.grid.neighbours(leg[1]):
            if court.at(over) not in self.zone or over == leg[0]:
                continue
            if (spent := self._leg([leg[0], over])) is None:
                continue
            step = dict(court.board_for(self.unit).steps(court.at(over), self.dear)).get(court.at(leg[1]), NEVER)
            if step < NEVER and court.at(leg[1]) not in self.blocked:
                best = min(spent + step, best) if best is not None else spent + step
        return best


def _fits(attempt: Try, here: str, there: str) -> bool:
    return attempt.origin in (None, here) and attempt.to in (None, there)


def full_hexes(court: Court, unit: Unit, together: int = 1) -> set[int]:
    """The hexes that a Communist unit may not even pass, being full (7.1.2)."""
    from referee.games.yalu.stacks import communist_fits

    if unit.side != facts.COMMUNIST or unit.kind is not None:
        return set()
    found = set()
    for hex in court.crowded(unit.side, facts.BOOK.rules["stack"]["Communist"]):
        others = [one for one in court.position.friends_at(hex, unit.side) if one.id != unit.id]
        if communist_fits(court, [*others, unit]) is False:
            found.add(court.at(hex))
    return found


def rail_path(court: Court, unit: Unit, start: str, goal: str, *, free: bool = False) -> list[str] | None:
    """The shortest way by rail; `free` leaves enemies and broken rails out of account."""
    came: dict[str, str | None] = {start: None}
    queue = [start]
    for here in queue:
        if here == goal:
            way: list[str] = []
            at: str | None = here
            while at is not None:
                way.append(at)
                at = came[at]
            return way[::-1]
        for there in court.grid.neighbours(here):
            if there in came or court.crossing(here, there) not in court.ground.rails:
                continue
            if not free and not rail_open(court, unit, there):
                continue
            came[there] = here
            queue.append(there)
    return None


def rail_open(court: Court, unit: Unit, hex: str) -> bool:
    """May a train enter this hex (9.2.2.3, 9.3.2.2, 13.7.3)?"""
    if ("rail-break", hex) in court.breaks:
        return False
    if any(court.blocks(other) for other in court.position.enemies_at(hex, unit.side)):
        return False
    return not court.barring_rail(hex, unit.side)


def may_ride(court: Court, unit: Unit, stops: list[str]) -> bool:
    """Can these stops be a ride by rail, after a march to the railway for the UN (9.2.2.1, 9.3.2.1)?"""
    if not court.ground.rails:
        return False
    if unit.side == facts.COMMUNIST:
        return _rides(court, unit, stops)
    fee = ticks(facts.BOOK.rules["rail"]["entrain"])
    have = allowance(court, unit).usable
    stations = {hex for side in court.ground.rails for hex in side}
    search = Search(court, unit, blocked=court.blocked_for(unit.side) - {court.at(stops[0])})
    for i, here in enumerate(stops[:-1]):
        for station in sorted(stations, key=lambda hex: court.distance(here, hex)):
            march = stops[: i + 1] if station == here else [*stops[: i + 1], station]
            if not _rides(court, unit, [station, *stops[i + 1 :]]):
                continue
            spent = search.cost(march, []) if len(march) > 1 else 0
            if spent is not None and (have is None or spent + fee <= have):
                return True
    return False


def _rides(court: Court, unit: Unit, stops: list[str]) -> bool:
    """Is every leg a way by rail, and all of them together not too long?"""
    if not rail_open(court, unit, stops[0]) and not court.scenario.classic:
        return False
    ways = [rail_path(court, unit, here, there) for here, there in pairwise(stops)]
    return all(ways) and sum(rail_length(court, unit, way) for way in ways if way) <= rail_limit(court, unit)[0]


def rail_length(court: Court, unit: Unit, way: list[str]) -> int:
    """The rail hexes that a way counts; in Classic one with a guerrilla counts five for the UN (C17)."""
    more = court.scenario.raw.get("rail_guerrilla", 1) - 1 if unit.side == facts.UN else 0
    held = [hex for hex in way[1:] if any(one.kind == "guerrilla" for one in court.position.enemies_at(hex, facts.UN))]
    return len(way) - 1 + more * len(held)


def rail_limit(court: Court, unit: Unit) -> tuple[int, bool]:
    """How many rail hexes a unit may go, and whether weather may have changed that."""
    cap = int(facts.BOOK.rules["rail"][unit.side])
    told = court.charts.effect(court.weather, unit.side, "rail")
    if isinstance(told, (int, float)) and not isinstance(told, bool):
        return (int(told) if told > 1 else int(cap * told)), False
    return cap, told is None


def terrain_missing(court: Court, stops: list[str]) -> tuple[str, ...]:
    """Hexes around the way whose terrain would decide."""
    around = {hex for stop in stops for hex in (stop, *court.grid.neighbours(stop))}
    unknown = sorted(hex for hex in around if court.ground.terrain(hex)[0] == "unknown")
    return tuple(f"terrain of {hex}" for hex in unknown[:6])


def mp(amount: int) -> str:
    """Ticks as movement points."""
    return f"{points(amount)} MP"


def steps_in(act: Act) -> Iterator[tuple[str, str]]:
    """The steps of a path known hex by hex."""
    if act.exact:
        yield from pairwise(act.path)


def one_hex(court: Court, stops: list[str]) -> bool:
    """Is it a move of a single hex (9.1.3)?"""
    return len(stops) == 2 and court.touch(*stops)


def whole(value: Any) -> int:
    """Whole movement points of ticks."""
    return int(value) // TICKS
