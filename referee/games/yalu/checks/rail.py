"""Movement by rail (9.2.2, 9.3.2)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu import facts
from referee.games.yalu.court import Court, check
from referee.games.yalu.journeys import Search, allowance, mp, rail_length, rail_limit, rail_path
from referee.rules.board import ticks
from referee.table.acts import Act
from referee.table.units import Unit
from referee.verdict import Finding


def _on_rail(court: Court, hex: str) -> bool | None:
    if court.ground.on_rail(hex):
        return True
    return False if court.ground.links_known and court.ground.rails else None


@check("rail", ids=[
    "RAIL-START", "RAIL-MIX", "RAIL-LENGTH", "RAIL-ENTRAIN-COST", "RAIL-ADJACENT", "RAIL-BREAK", "RAIL-OFFTRACK",
])  # fmt: skip
def by_rail(court: Court, act: Act) -> Iterator[Finding]:
    """Where the train starts, which way it takes and how far."""
    if act.origin is None or act.to is None:
        return
    for id in act.units:
        unit = court.unit(id)
        moved = bool(court.trails.get(id))
        if _on_rail(court, act.origin) is False:
            if unit.side == facts.COMMUNIST and not moved:
                yield court.find(
                    "RAIL-START", act, f"{unit.name} begins the phase in {act.origin}, no rail hex", units=(id,)
                )
            else:
                yield court.find(
                    "RAIL-OFFTRACK", act, f"{unit.name}: there is no railroad in {act.origin}", units=(id,)
                )
            continue
        if moved and unit.side == facts.COMMUNIST and id not in court.railed:
            yield court.find("RAIL-MIX", act, f"{unit.name} moved and then goes by rail: one or the other", units=(id,))
        if moved and unit.side == facts.UN and id not in court.railed:
            yield from _entrain(court, act, unit)
        yield from _way(court, act, unit)


def _entrain(court: Court, act: Act, unit: Unit) -> Iterator[Finding]:
    """A UN unit pays 2 MP to entrain (9.3.2.1)."""
    have = allowance(court, unit).usable
    stops = [hex for _, hexes, _ in court.trails[unit.id] for hex in hexes]
    stops = [hex for i, hex in enumerate(stops) if i == 0 or hex != stops[i - 1]]
    spent = Search(court, unit).cost(stops, [])
    fee = ticks(facts.BOOK.rules["rail"]["entrain"])
    if have is not None and spent is not None and spent + fee > have:
        text = f"{unit.name} spent at least {mp(spent)} and needs {mp(fee)} to entrain; it has {mp(have)}"
        yield court.find("RAIL-ENTRAIN-COST", act, text, units=(unit.id,))


def _way(court: Court, act: Act, unit: Unit) -> Iterator[Finding]:
    assert act.origin is not None
    assert act.to is not None
    limit, weather = rail_limit(court, unit)
    if act.exact:
        way: list[str] | None = list(act.path)
        off = [
            f"{a}-{b}"
            for a, b in zip(act.path, act.path[1:], strict=False)
            if court.crossing(a, b) not in court.ground.rails
        ]
        if off and court.ground.rails:
            yield court.find("RAIL-OFFTRACK", act, f"{unit.name}: no railroad at {', '.join(off)}", units=(unit.id,))
            return
    else:
        way = rail_path(court, unit, act.origin, act.to)
    beside = court.barring_rail(act.origin, unit.side) if not court.scenario.classic else []
    if beside and unit.id not in court.railed:
        text = f"{unit.name} entrains in {act.origin} beside {', '.join(one.name for one in beside)}"
        yield court.find("RAIL-ADJACENT", act, text, units=(unit.id,))
    if way is None:
        free = rail_path(court, unit, act.origin, act.to, free=True)
        if free is None:
            if court.ground.rails and court.ground.links_known:
                text = f"{unit.name}: no railroad connects {act.origin} and {act.to}"
                yield court.find("RAIL-OFFTRACK", act, text, units=(unit.id,))
            return
        way = free
    for hex in way[1:]:
        if ("rail-break", hex) in court.breaks:
            yield court.find(
                "RAIL-BREAK", act, f"{unit.name} goes by rail into {hex}, which has a Rail Break", units=(unit.id,)
            )
            return
        if found := court.barring_rail(hex, unit.side):
            text = f"{unit.name} goes by rail into {hex} beside {', '.join(one.name for one in found)}"
            yield court.find("RAIL-ADJACENT", act, text, units=(unit.id,))
            return
    before = sum(
        len(hexes) - 1
        for step, hexes, _ in court.trails.get(unit.id, ())
        if unit.id in court.railed and step >= court.railed[unit.id]
    )
    length = rail_length(court, unit, way) + before
    if length > limit:
        text = f"{unit.name} goes {length} rail hexes; the limit is {limit}"
        yield court.find("RAIL-LENGTH", act, text, units=(unit.id,), before_weather=weather)


@check("move", ids=["RAIL-MIX"])
def after_rail(court: Court, act: Act) -> Iterator[Finding]:
    """No normal movement after rail movement (9.2.2.1, 9.3.2.3)."""
    for id in act.units:
        if id in court.railed:
            yield court.find("RAIL-MIX", act, f"{court.name(id)} went by rail and moves on", units=(id,))


@check("rail", ids=["RAIL-CAPACITY"])
def capacity(court: Court, act: Act) -> Iterator[Finding]:
    """Two divisions a turn by rail (9.2.2.4, 9.3.2.4); three regiments count as one, as in C28.D."""
    if not act.units:
        return
    side = court.unit(act.units[0]).side
    weight = facts.BOOK.rules["load"]
    units = {*court.railed, *act.units}
    units |= {fact.who for fact in court.ledger.find("railed", turn=court.turn) if fact.who in court.position.units}
    loads = [
        weight.get(court.unit(id).size, 1)
        for id in units
        if court.unit(id).side == side and court.unit(id).kind is None
    ]
    limit = facts.BOOK.rules["rail"]["capacity"] * weight["division"]
    if sum(loads) > limit:
        names = ", ".join(sorted(map(court.name, units)))
        yield court.find("RAIL-CAPACITY", act, f"{names} go by rail in one turn; the capacity is two divisions")
