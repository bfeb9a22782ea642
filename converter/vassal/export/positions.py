"""From a set-up's placements to places on the table: a hex, or a box of the window beside the map."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from converter.errors import BadInput
from converter.scenario import MapFile, Placement, SetupFile, Unit


@dataclass(frozen=True)
class Spot:
    """One counter's place: a hex or a point of the map number `sheet`, or a box (`sheet` is that of a printed one)."""

    placement: Placement
    unit: Unit
    sheet: int | None
    hex: str | None = None
    box: str | None = None
    point: tuple[int, int] | None = None


def waiting_box(placement: Placement) -> str:
    """The box in which units wait for their turn, or for what has to happen first."""
    return f"Turn {placement.turn}" if placement.turn is not None else f"Arrives: {placement.when}"


def spots_of(setup: SetupFile, units: dict[str, Unit], sheets: Sequence[MapFile]) -> list[Spot]:
    """Every counter of the set-up at its place, in the order of the placements; withdrawals are no counters.

    Where the players may choose, each counter gets a hex that is allowed: one without enemies, then the emptiest.
    """
    crowd = _Crowd()
    made: dict[int, list[Spot]] = {}
    order = sorted(
        range(len(setup.placements)), key=lambda i: setup.placements[i].hex is None
    )  # the certain ones first
    for i in order:
        placement = setup.placements[i]
        if placement.action == "withdrawal":
            continue
        unit = units.get(placement.unit)
        if unit is None:
            raise BadInput(f"set-up {setup.scenario or ''}: unit {placement.unit!r} is not in units.yaml")
        made[i] = [_spot(placement, unit, sheets, crowd) for _ in range(placement.count)]
    return [spot for i in range(len(setup.placements)) for spot in made.get(i, ())]


class _Crowd:
    """Who is in which hex so far."""

    def __init__(self) -> None:
        self.count: Counter[tuple[int, str]] = Counter()
        self.sides: defaultdict[tuple[int, str], set[str]] = defaultdict(set)

    def settle(self, at: tuple[int, str], side: str) -> None:
        self.count[at] += 1
        self.sides[at].add(side)

    def best(self, among: Sequence[tuple[int, str]], side: str) -> tuple[int, str]:
        """The least crowded hex without enemies; of equals the first."""
        return min(among, key=lambda at: (bool(self.sides[at] - {side}), self.count[at]))


def _spot(placement: Placement, unit: Unit, sheets: Sequence[MapFile], crowd: _Crowd) -> Spot:
    if placement.action == "reinforcement":
        return Spot(placement, unit, None, box=waiting_box(placement))
    if placement.box is not None:
        return Spot(placement, unit, _sheet_with_box(placement, sheets), box=placement.box, point=placement.at)
    if placement.point is not None:
        return Spot(placement, unit, next(_candidates(placement, sheets))[0], point=placement.point)
    choice = _choice(placement, sheets)
    if not choice:
        if placement.hex is not None:
            raise BadInput(f"unit {unit.id!r}: hex {placement.hex} is on no map of the scenario")
        return Spot(placement, unit, None, box=in_words(placement))
    at = crowd.best(choice, unit.side)
    crowd.settle(at, unit.side)
    return Spot(placement, unit, at[0], hex=at[1])


def in_words(placement: Placement) -> str:
    """The box for a place that no hexes are known of."""
    return f"Set up: {placement.where or placement.region}"


def _candidates(placement: Placement, sheets: Sequence[MapFile]) -> Iterator[tuple[int, MapFile]]:
    """The maps a placement may be on, with their numbers."""
    found = [(i, sheet) for i, sheet in enumerate(sheets) if placement.map in (None, sheet.name)]
    if not found:
        raise BadInput(f"unit {placement.unit!r}: there is no map {placement.map!r}")
    return iter(found)


def _sheet_with_box(placement: Placement, sheets: Sequence[MapFile]) -> int | None:
    for i, sheet in _candidates(placement, sheets):
        if (box := sheet.box(placement.box or "")) is not None and box.outline:
            return i
    return None


def _choice(placement: Placement, sheets: Sequence[MapFile]) -> list[tuple[int, str]]:
    """The hexes a placement allows, with the number of their map."""
    for i, sheet in _candidates(placement, sheets):
        numbers: Sequence[str] = ()
        if placement.hex is not None:
            numbers = (placement.hex,)
        elif placement.hexes:
            numbers = placement.hexes
        elif placement.near is not None and placement.near in sheet.grid:
            numbers = sheet.grid.within(placement.near, placement.within or 0)
        elif placement.region is not None and (region := sheet.region(placement.region)) is not None:
            numbers = region.hexes
        found = [(i, number) for number in numbers if number in sheet.grid]
        if found:
            return found
    return []
