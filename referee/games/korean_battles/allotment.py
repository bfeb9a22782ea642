"""How many support markers a side may have this turn: the track's number less what is due (10.2b to 29.0)."""

from __future__ import annotations

from typing import NamedTuple

from referee.games.korean_battles import facts, names
from referee.games.korean_battles.court import Court
from referee.table.units import Unit


class Cut(NamedTuple):
    """A reduction that is due, and the rule that says so."""

    number: int
    rule: str
    why: str


def cuts(court: Court, side: str) -> list[Cut]:
    """Everything that reduces this side's draw this turn, as far as the table shows it."""
    found: list[Cut] = []
    turn = court.turn
    given = court.given.get("reductions")
    if isinstance(given, dict):
        number = next((count for key, count in given.items() if facts.side_of(key, court.scenario.id) == side), 0)
        if number:
            found.append(Cut(abs(int(number)), "8.6", "reductions as given"))
    if side == "UN" and turn is not None:
        flights = [fact for fact in court.ledger.find("air") if fact.turn == turn - 1]
        if flights:
            found.append(Cut(len(flights), "10.2b", f"Air Supply used on turn {turn - 1}"))
    lost = [name for name, kind, when in _lost_bases(court, side) if when is None or turn is None or when < turn]
    if lost:
        found.append(Cut(len(lost), "17.0", f"lost {', '.join(lost)}"))
    if side == "UN":
        found += _objectives(court) + _withdrawals(court)
    if side == "Chinese":
        counters = court.given.get("divisions")
        if counters is None:
            counters = sum(unit.size == "division" for unit, _ in court.position.on_map(side))
        if counters:
            found.append(Cut(int(counters), "29.0/CH-SETUP note", f"{counters} division counters in play"))
    return found


def _lost_bases(court: Court, side: str) -> list[tuple[str, str, int | None]]:
    """Headquarters and depots of a side that are dead."""
    found = []
    for fact in court.ledger.find("eliminated"):
        unit = court.position.units.get(fact.who)
        kind = unit.kind if unit else names.kind_in(fact.who)
        owner = unit.side if unit else fact.side or _side_in(court, fact.who)
        if kind in ("hq", "depot") and owner == side:
            found.append((fact.who, str(kind), fact.turn))
    return found


def _side_in(court: Court, name: str) -> str | None:
    first = name.split()[0] if name.split() else ""
    return facts.side_of(first, court.scenario.id) or names.side_known(court.scenario, name)


def may_be_dummy(unit: Unit) -> bool:
    """A dummy, or a hidden unit of which nobody has told what it is."""
    return unit.dummy is not False or (unit.hidden and unit.size is None and unit.kind is None)


def _objectives(court: Court) -> list[Cut]:
    """18.0: an airfield or the north of Pusan held by real North Koreans at the end of a UN combat phase."""
    found = []
    for hex, what in (court.scenario.raw.get("objectives") or {}).items():
        there = list(court.position.enemies_at(hex, "UN"))
        held = [unit for unit in there if not may_be_dummy(unit)]
        taken = [
            fact
            for fact in court.ledger.find("captured", hex)
            if fact.step == 0 or (fact.turn is not None and court.turn is not None and fact.turn < court.turn)
        ]
        last = taken[-1] if taken else None
        by = (last.more.get("by") or last.side) if last else None
        if (
            facts.side_of(str(by or ""), court.scenario.id) == "NK"
            and (held or not (there or court.position.friends_at(hex, "UN")))
            and not (last and last.more.get("dummy"))
        ) or (held and any(court.start.get(unit.id) == hex for unit in held) and not taken):
            found.append(Cut(1, "18.0", f"{what} ({hex}) is held by the North Koreans"))
    return found


def _withdrawals(court: Court) -> list[Cut]:
    found = []
    turn = court.turn
    for at in (court.scenario.raw.get("support_cuts") or {}).get("UN", ()):
        if turn is not None and turn >= at:
            found.append(Cut(1, "27.0/UN-WD", f"from turn {at} on"))
    for line in court.scenario.raw.get("withdrawals") or ():
        dead = any(
            is_called(court, fact.who, line["id"], line["nation"])
            for fact in court.ledger.find("eliminated")
            if facts.side_of(str(fact.more.get("side") or fact.side or "UN"), court.scenario.id) == "UN"
        )
        if dead and turn is not None and turn >= line["turn"]:
            found.append(Cut(1, "27.0/UN-WD", f"{line['id']} was dead at its withdrawal"))
    return found


def is_called(court: Court, name: str, id: str, nation: str | None = None) -> bool:
    """Is this unit the one that the lists call `id`?"""
    unit: Unit | None = court.position.units.get(name)
    if nation and unit is not None and unit.nation not in (None, nation):
        return False
    return names.words(name) == names.words(id) or (names.words(id) <= names.words(name) and not id.isdigit())


def allotted(court: Court, side: str) -> int | None:
    """The number of markers a side may have this turn; None where the track is not known."""
    base = court.charts.support_number(court.turn, side)
    return None if base is None else max(0, base - sum(cut.number for cut in cuts(court, side)))
