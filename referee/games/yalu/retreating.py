"""Where a unit may retreat (7.2.7, 8.2.4, 8.2.5, 8.3.3, 10.3.5)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from referee.games.yalu import facts
from referee.games.yalu.court import Court
from referee.games.yalu.stacks import fits
from referee.table.units import Unit


def zone_into(court: Court, hex: str, unit: Unit, retreating: Collection[str]) -> bool | None:
    """Does an enemy zone of control reach a retreating unit in this hex? Units that retreat themselves cancel none."""
    enemy = court.enemy(unit.side)
    friends = [
        one
        for one in court.position.friends_at(hex, unit.side)
        if one.id not in retreating and one.id != unit.id and one.kind in (None, "garrison", "conscript")
    ]
    if court.scenario.classic:
        if unit.side == facts.COMMUNIST and court.phasing == facts.UN:
            return False  # C10
    elif unit.side == facts.UN and any(_counts_as_uk(court, one) for one in friends):
        return False  # 8.2.4
    found: bool | None = False
    for other in court.grid.neighbours(hex):
        stack = [one for one in court.position.friends_at(other, enemy) if court.zone_crosses(hex, other)]
        if unit.side == facts.COMMUNIST and friends and not court.scenario.classic:
            stack = [one for one in stack if _counts_as_uk(court, one) or one.nation is None]  # 8.2.5
        has = court.exerts(stack) if stack else False
        if has and court.ground.sides_known:
            return True
        if has is not False:
            found = None
    return found


def _counts_as_uk(court: Court, unit: Unit) -> bool:
    if unit.nation in ("US", "UK"):
        return True
    return unit.nation in ("Canada", "Turkey") and court.charts.option("canadian_turk_retreat") == "uk"


def barred(court: Court, hex: str, unit: Unit, retreating: Collection[str]) -> str | None:
    """Why a unit may not enter a hex in retreat; None where it may, or nobody can tell."""
    if court.is_sea(hex):
        return "sea"
    if any(court.blocks(one) for one in court.position.enemies_at(hex, unit.side)):
        return "enemy"
    if fits(court, hex, unit.side, [unit]) is False:
        return "stack"
    if zone_into(court, hex, unit, retreating):
        return "zone"
    return None


def ways(court: Court, start: str, goal: str) -> Iterator[tuple[str, ...]]:
    """The ways of two hexes from start to goal."""
    for over in court.grid.neighbours(start):
        if court.touch(over, goal) and goal != start:
            yield over, goal


def legal_goals(court: Court, start: str, unit: Unit, retreating: Collection[str]) -> set[str]:
    """Every hex two away that a legal retreat can end in."""
    found = set()
    for over in court.grid.neighbours(start):
        if barred(court, over, unit, retreating) or _walled(court, start, over):
            continue
        for goal in court.grid.neighbours(over):
            far = court.distance(start, goal)
            if far == facts.BOOK.rules["retreat"] and not _walled(court, over, goal):
                found |= {goal} if not barred(court, goal, unit, retreating) else set()
    return found


def _walled(court: Court, one: str, other: str) -> bool:
    return "prohibited" in court.ground.features(one, other)
