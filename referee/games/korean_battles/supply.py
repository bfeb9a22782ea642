"""Lines of supply (10.0 to 10.4): is a unit supplied, surely or perhaps, and if not, what is in the way?"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from functools import cache
from itertools import permutations

from referee.games.korean_battles import facts
from referee.games.korean_battles.court import Court
from referee.rules.ground import UNKNOWN, Side
from referee.rules.supply import Joined
from referee.table.units import Unit


@dataclass(frozen=True)
class Line:
    """How strictly a line is traced. `kind`: every doubt counts for the unit; the other switches lift one ban each."""

    kind: bool
    any_terrain: bool = False
    through_zones: bool = False
    through_enemies: bool = False


def in_supply(court: Court, unit: Unit) -> bool | None:
    """Has it a line? None where that hangs on something nobody told."""
    if unit.supplied is not None:
        return unit.supplied
    if court.ledger.any("air", unit.id, turn=court.turn) and unit.side == "UN":
        return True
    hex = court.position.where(unit.id)
    if hex is None:
        return None
    if not _told(court, unit):
        return None
    if line_from(court, unit, hex, Line(kind=False)):
        return True
    return None if line_from(court, unit, hex, Line(kind=True)) else False


def supply_words(court: Court, unit: Unit) -> tuple[str, ...]:
    """What is missing to say whether a unit is supplied; nothing where supply was never at issue."""
    if not _told(court, unit):
        return ()
    return (f"whether {unit.name} has a line of supply (terrain, zones of control or supply symbols on the way)",)


def _told(court: Court, unit: Unit) -> bool:
    """Do we know the unit's sources at all? A story without depots says nothing of North Korean supply."""
    rule = court.scenario.supply[unit.side]
    if not rule.get("depots"):
        return True
    if unit.kind == "depot":
        return bool(symbols(court))
    return any(other.kind == "depot" for other, _ in court.position.on_map(unit.side)) or any(
        dead.kind == "depot" for dead in court.position.dead.values()
    )


def symbols(court: Court) -> set[str]:
    """The printed North Korean supply symbols, as far as they are known (10.0, 27.0)."""
    if court.charts.symbols is not None:
        return court.charts.symbols
    named = court.ground.regions.get("NK supply") or court.ground.regions.get("supply symbols")
    return set(named or court.scenario.supply["NK"].get("symbols", ())) if "NK" in court.scenario.supply else set()


def symbols_sure(court: Court) -> bool:
    """Are these all symbols there are?"""
    return court.charts.symbols is not None or "NK supply" in court.ground.regions


def sources(court: Court, unit: Unit, line: Line) -> set[int]:
    """The hexes a unit may draw supply from."""
    rule = court.scenario.supply[unit.side]
    if rule.get("depots"):
        if unit.kind == "depot":
            return {court.at(hex) for hex in symbols(court) if hex in court.grid}
        return {
            court.at(hex)
            for depot, hex in court.position.on_map(unit.side)
            if depot.kind == "depot" and _depot_works(court, depot, hex, line)
        }
    found = {court.at(hex) for hex in rule["hexes"]}
    for hex in rule.get("until_occupied", ()):
        lost = [
            fact
            for fact in court.ledger.find("captured", hex)
            if (fact.more.get("by") or fact.side) not in (None, unit.side)
        ]
        if not lost and not court.position.enemies_at(hex, unit.side):
            found.add(court.at(hex))
    return found


def _depot_works(court: Court, depot: Unit, hex: str, line: Line) -> bool:
    if depot.supplied is not None:
        return depot.supplied
    if not symbols(court):
        return True
    if line_from(court, depot, hex, line):
        return True
    return line.kind and not symbols_sure(court)


def line_from(court: Court, unit: Unit, hex: str, line: Line, ends: Iterable[int] | None = None) -> bool:
    """Is there a line under these conditions, to one of the unit's sources or of `ends`?"""
    board = court.board(unit.side)
    goal = frozenset(ends if ends is not None else sources(court, unit, line))
    if not goal:
        return False
    _, steps = _barred_ground(court, unit.side, line)
    key = (unit.side, line, unit.kind == "depot")
    stamp = (goal, court.position.state, court.turn, court.bridged())
    known = court.supply_lines.get(key)
    if known is None or known[0] != stamp:
        known = court.supply_lines[key] = (stamp, Joined(board, goal, _closed(court, unit.side, line), steps))
    return known[1].has_line(board.of[hex])


def _closed(court: Court, mover: str, line: Line) -> set[int]:
    """The hexes in which no line of a side may lie."""
    closed = set(_barred_ground(court, mover, line)[0])
    if not line.through_enemies:
        closed |= court.blocked_for(mover)
    if not line.through_zones:
        zone = court.zones_against(mover)
        friends = {court.at(hex) for _, hex in court.position.on_map(mover) if hex in court.grid}
        closed |= (zone.sure if line.kind else zone.sure | zone.maybe) - friends
    return closed


def _barred_ground(court: Court, mover: str, line: Line) -> tuple[Set[int], Set[tuple[int, int]]]:
    """Hexes, and steps from hex to hex, that their terrain closes to the lines of a side (10.2a: of the UN)."""
    if mover != "UN" or line.any_terrain:
        return frozenset(), frozenset()
    key = (line.kind, court.bridged())
    known = court.barred_ground.get(key)
    if known is None:
        open_to = cache(lambda terrain: _open_ground(court, set(terrain), line))
        hexes = {at for at, hex in enumerate(court.grid.numbers) if not open_to(court.ground.terrain(hex))}
        steps = {
            (here, there)
            for pair, features in court.ground.sides.items()
            if features and not _open_side(court, pair, line) and all(hex in court.grid for hex in pair)
            for here, there in permutations(map(court.at, pair))
        }
        known = court.barred_ground[key] = (hexes, steps)
    return known


def _open_ground(court: Court, terrain: set[str], line: Line) -> bool:
    rules = facts.rules()["supply_barred"]
    if terrain & set(rules["terrain"]):
        return False
    if terrain & set(rules["doubtful"]):
        return _doubtful(court.charts.option("frozen_mountain_supply"), line)
    return line.kind or UNKNOWN not in terrain


def _open_side(court: Court, pair: Side, line: Line) -> bool:
    rules, features = facts.rules()["supply_barred"], court.ground.sides[pair]
    if pair in court.bridged():
        return True
    if features & set(rules["hexsides"]):
        return pair in court.ground.bridges and _doubtful(court.charts.option("printed_bridge_supply"), line)
    if features & set(rules["doubtful_hexsides"]):
        return _doubtful(court.charts.option("frozen_river_supply"), line)
    return True


def _doubtful(option: object, line: Line) -> bool:
    return bool(option) if option is not None else line.kind
