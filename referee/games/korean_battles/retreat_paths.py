"""Ways to retreat (7.7): paths of open hexes, outside zones of control, that end as far away as the result says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.games.korean_battles.court import Court
from referee.rules.board import NEVER
from referee.table.units import Unit


@dataclass(frozen=True)
class Bans:
    """Which bans hold in a search; a reason is found by lifting one."""

    enemies: bool = True
    zones: bool = True
    terrain: bool = True
    friends: bool = False
    doubtful_zones: bool = False


def open_hex(court: Court, unit: Unit, here: str, there: str, bans: Bans) -> bool:
    """May a retreat of this unit step into this hex?"""
    if bans.enemies and court.position.enemies_at(there, unit.side):
        return False
    zone = court.zones_against(unit.side)
    index = court.at(there)
    if bans.zones and (index in zone.sure or (bans.doubtful_zones and index in zone.maybe)):
        return False
    cost = court.board(unit.side).cost(court.at(here), index)
    if bans.terrain and (cost.low >= NEVER or (bans.doubtful_zones and _may_be_banned(court, here, there))):
        return False
    return not (bans.friends and any(friend.id != unit.id for friend in court.position.friends_at(there, unit.side)))


def _may_be_banned(court: Court, here: str, there: str) -> bool:
    return not court.ground.is_known(there) and court.ground.default == "unknown"


def ways(
    court: Court, unit: Unit, start: str, length: int, bans: Bans, end: str | None = None
) -> Iterator[tuple[str, ...]]:
    """Paths of `length` steps that end `length` hexes away (at `end`, where given), farther with every step."""
    stack: list[tuple[str, ...]] = [(start,)]
    while stack:
        path = stack.pop()
        done = len(path) - 1
        if done == length:
            yield path
            continue
        for there in court.grid.neighbours(path[-1]):
            if court.distance(start, there) != done + 1:
                continue
            if end is not None and court.distance(there, end) > length - done - 1:
                continue
            if open_hex(court, unit, path[-1], there, bans):
                stack.append((*path, there))


def can_retreat(court: Court, unit: Unit, start: str, length: int, causes: tuple[str, ...] = ()) -> bool:
    """Is there any legal retreat, doubts counting for it, that ends away from the enemies at `causes`?"""
    return any(
        all(court.distance(path[-1], cause) > court.distance(start, cause) for cause in causes)
        for path in ways(court, unit, start, length, Bans())
    )
