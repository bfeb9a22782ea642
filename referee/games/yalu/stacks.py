"""How much may stand in a hex (7.0)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.yalu import facts
from referee.games.yalu.court import Court
from referee.table.units import Unit


def counted(units: Sequence[Unit]) -> list[Unit]:
    """The units that count: supports, garrisons, conscripts and guerrillas stack free (7.1.1, 7.2.4)."""
    return [unit for unit in units if unit.kind is None]


def communist_fits(court: Court, units: Sequence[Unit]) -> bool | None:
    """Three divisions, or all of one Army (7.1.1). None where an army is not known."""
    stack = counted(units)
    if len(stack) <= facts.BOOK.rules["stack"]["Communist"]:
        return True
    armies = {unit.more.get("army") for unit in stack}
    nations = {unit.nation for unit in stack}
    if nations - {"PVA", None} or len(armies - {None}) > 1:
        return False
    if None in armies:
        return None
    size = facts.BOOK.units["armies"].get(next(iter(armies)))
    return size is None or len(stack) <= len(size["divisions"])


def load(units: Sequence[Unit]) -> tuple[int, int | None]:
    """The least and the greatest load of UN units, nine a division (7.2.3); None: a size is not known."""
    sizes = [facts.BOOK.rules["load"].get(unit.size) for unit in counted(units)]
    least = sum(size if size is not None else 1 for size in sizes)
    return least, (None if None in sizes else least)


def un_fits(court: Court, units: Sequence[Unit]) -> bool | None:
    """Two divisions or the equivalent, three if all are ROK (7.2.1, 7.2.2)."""
    stack = counted(units)
    rules = facts.BOOK.rules["stack"]
    only_rok = all(unit.nation in ("ROK", None) for unit in stack)
    limit = rules["ROK"] if only_rok else rules["UN"]
    least, most = load(stack)
    if least > limit:
        return False
    surely = rules["ROK"] if all(unit.nation == "ROK" for unit in stack) else rules["UN"]
    return True if most is not None and most <= surely else None


def most_that_surely_fit(side: str) -> int:
    """So many units of a side may stand in any hex, whatever they are.

    >>> most_that_surely_fit("Communist"), most_that_surely_fit("UN")
    (3, 2)
    """
    rules = facts.BOOK.rules
    if side == facts.COMMUNIST:
        return int(rules["stack"][side])
    return int(min(rules["stack"]["UN"], rules["stack"]["ROK"]) // max(rules["load"].values()))


def fits(court: Court, hex: str, side: str, more: Sequence[Unit] = ()) -> bool | None:
    """May these units join what stands in a hex?"""
    here = [unit for unit in court.position.friends_at(hex, side) if unit.id not in {one.id for one in more}]
    units = [*here, *more]
    return communist_fits(court, units) if side == facts.COMMUNIST else un_fits(court, units)


def describe(court: Court, units: Sequence[Unit]) -> str:
    """A stack in words."""
    return ", ".join(unit.name + (f" (Army {unit.more['army']})" if unit.more.get("army") else "") for unit in units)
