"""Replacements: who, how many, when and where (6.2)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu import facts
from referee.games.yalu.arrivals import arrived, lost_on, reason
from referee.games.yalu.court import Court, check
from referee.games.yalu.stacks import fits
from referee.rulebook import plain
from referee.table.acts import Act
from referee.table.ledger import Fact
from referee.table.units import Unit
from referee.verdict import Finding


def _replaced(court: Court, act: Act) -> list[Unit]:
    return [
        court.unit(id) for id in act.units if act.to is not None and reason(court, act, court.unit(id)) == "replacement"
    ]


def _in_time(court: Court) -> list[Unit]:
    """Replacements of this turn, without those at To Pusan, which were delayed (6.3)."""
    late = court.to_pusan()
    return [court.unit(id) for id in arrived(court, "replacement") if court.position.where(id) not in late]


def _count(court: Court, act: Act, nation: str, but: str) -> int:
    """Replacements of a nation this turn, those of this act before `but` counted."""
    before = _in_time(court)
    now = [court.unit(id) for id in act.units[: act.units.index(but) + 1]]
    return sum(unit.nation == nation and unit.id != but for unit in before) + sum(unit.nation == nation for unit in now)


@check("enter", ids=["REPL-NOT-DEAD", "REPL-SUPPORT", "REPL-DIVISION", "REPL-OVERSTACK"])
def anybody(court: Court, act: Act) -> Iterator[Finding]:
    """Only from the Dead Pile, no supports, no whole UN divisions, no overstacking."""
    for unit in _replaced(court, act):
        dead = unit.id in court.position.dead or court.ledger.any("eliminated", unit.id) is not None
        if not dead and court.complete:
            yield court.find("REPL-NOT-DEAD", act, f"{unit.name} is not in the Dead Pile", units=(unit.id,))
        if unit.kind in ("artillery", "tank"):
            yield court.find(
                "REPL-SUPPORT", act, f"{unit.name}: artillery and tanks are never replaced", units=(unit.id,)
            )
        whole = ("US",) if court.scenario.classic else ("US", "ROK")
        if unit.size == "division" and unit.nation in whole:
            text = f"{unit.name}: a destroyed division comes back only in parts"
            yield court.find("REPL-DIVISION", act, text, units=(unit.id,))
        if act.to is not None and fits(court, act.to, unit.side, [unit]) is False:
            yield court.find("REPL-OVERSTACK", act, f"{act.to} has no room for {unit.name}", units=(unit.id,))


@check("enter", ids=["REPL-PVA-RATE", "REPL-PVA-PLACE"])
def pva(court: Court, act: Act) -> Iterator[Finding]:
    """One PVA division on the first turn of a month from Dec I, with its own Army (6.2.1.1)."""
    rule = facts.BOOK.rules["replacements"]["PVA"]
    for unit in _replaced(court, act):
        if unit.nation != "PVA" or unit.kind is not None:
            continue
        if court.turn is not None:
            if court.week != rule["week"] or (court.turn < court.dated(rule["from"]) and not court.scenario.classic):
                yield court.find(
                    "REPL-PVA-RATE",
                    act,
                    f"{court.turn_words(court.turn)}: PVA divisions come on week I, from Dec I",
                    units=(unit.id,),
                )
            elif _count(court, act, "PVA", unit.id) > 1:
                yield court.find(
                    "REPL-PVA-RATE", act, f"{unit.name} is the second PVA division this turn", units=(unit.id,)
                )
        army = unit.more.get("army")
        here = [
            one for one in court.position.friends_at(act.to or "", unit.side) if one.id != unit.id and one.kind is None
        ]
        if army is not None and not any(one.more.get("army") == army for one in here):
            unknown = [one.name for one in here if one.nation == "PVA" and one.more.get("army") is None]
            missing = tuple(f"the Army of {name}" for name in unknown)
            text = f"{unit.name} is placed in {act.to} without another division of Army {army}"
            yield court.find("REPL-PVA-PLACE", act, text, sure=not unknown, missing=missing, units=(unit.id,))


@check("enter", ids=["REPL-NKPA-RATE", "REPL-NKPA-PLACE"])
def nkpa(court: Court, act: Act) -> Iterator[Finding]:
    """One on week I from Dec I; one on week III at Pyongyang if that is held (6.2.1.2)."""
    rule = facts.BOOK.rules["replacements"]["NKPA"]
    for unit in _replaced(court, act):
        if unit.nation != "NKPA" or unit.kind is not None or court.turn is None or act.to is None:
            continue
        extra = court.week == rule["extra_week"]
        first = court.week == rule["week"]
        early = court.turn < court.dated(rule["from"]) and not court.scenario.classic
        if not (first or extra) or early or (extra and court.holder(rule["extra_city"]) == facts.UN):
            yield court.find(
                "REPL-NKPA-RATE", act, f"no NKPA replacement on {court.turn_words(court.turn)}", units=(unit.id,)
            )
        elif _count(court, act, "NKPA", unit.id) > 1:
            yield court.find(
                "REPL-NKPA-RATE", act, f"{unit.name} is the second NKPA division this turn", units=(unit.id,)
            )
        if extra:
            hexes = court.place(rule["extra_city"])
            if hexes and act.to not in hexes:
                yield court.find(
                    "REPL-NKPA-PLACE", act, f"{unit.name} must come to {rule['extra_city']}", units=(unit.id,)
                )
        elif first:
            city = court.city(act.to)
            held = city is not None and court.holder(city) == facts.COMMUNIST
            staging = court.lies(act.to, "staging")
            if not held and staging is False and not (court.is_city(act.to) and city is None):
                text = f"{unit.name} comes to {act.to}: neither in a Staging Area nor a Communist city"
                yield court.find("REPL-NKPA-PLACE", act, text, units=(unit.id,))


def _rate(steps: list[list[int]], court: Court) -> int:
    own = "us_replacements" in court.scenario.raw  # in this edition's own count of turns
    dated = [(turn if own else court.dated(turn), rate) for turn, rate in steps]
    return max((rate for turn, rate in dated if court.turn is not None and court.turn >= turn), default=0)


def _rok_division(court: Court, act: Act, unit: Unit) -> Iterator[Finding]:
    """A whole division by the month, in Seoul (C27.B)."""
    first = court.scenario.raw["rok_divisions"].get(court.week)
    if court.turn is None:
        return
    if first is None or court.turn < first or _count(court, act, "ROK", unit.id) > 1:
        text = f"{unit.name}: no ROK division is due on {court.turn_words(court.turn)}, or one came already"
        yield court.find("REPL-ROK-RATE", act, text, units=(unit.id,))
    due = facts.BOOK.rules["replacement_city"]
    seoul = court.place(due)
    if seoul and act.to not in seoul:
        yield court.find("REPL-PLACE", act, f"{unit.name} comes to {act.to}, not to {due}", units=(unit.id,))


@check("enter", ids=["REPL-ROK-RATE", "REPL-US-RATE", "REPL-US-MARINE-BN", "REPL-PLACE"])
def un_rates(court: Court, act: Act) -> Iterator[Finding]:
    """ROK units from Jan I, US battalions by date; Seoul or a UN port (6.2.2.1, 6.2.2.2)."""
    rules = facts.BOOK.rules["replacements"]
    for unit in _replaced(court, act):
        if unit.side != facts.UN or act.to is None:
            continue
        yield from _un_place(court, act, unit)
        if court.turn is None or unit.kind is not None or act.to in court.to_pusan():
            continue  # at To Pusan come those that were due a turn ago (6.3)
        if unit.nation == "ROK" and court.scenario.classic:
            yield from _rok_division(court, act, unit)
        elif unit.nation == "ROK":
            limit = _rate(rules["ROK"], court)
            seoul = [
                court.unit(id) for id in (*arrived(court, "replacement"), *act.units) if court.unit(id).nation == "ROK"
            ]
            in_seoul = sum(
                (court.position.where(one.id) or act.to) in court.place(rules["ROK_extra"]["city"]) for one in seoul
            )
            if court.turn >= court.dated(rules["ROK_extra"]["from"]) and in_seoul:
                limit += 1
            got = _count(court, act, "ROK", unit.id)
            if got > limit:
                yield court.find(
                    "REPL-ROK-RATE",
                    act,
                    f"{got} ROK replacements on {court.turn_words(court.turn)}; the rate is {limit}",
                    units=(unit.id,),
                )
        elif unit.nation == "US" and unit.size == "battalion":
            if "marine" in unit.traits:
                yield court.find("REPL-US-MARINE-BN", act, f"{unit.name} is a Marine battalion", units=(unit.id,))
                continue
            steps = court.scenario.raw.get("us_replacements") or rules["US"]
            limit = _rate(steps, court) + _credit(court)
            before = _in_time(court)
            now = [court.unit(id) for id in act.units[: act.units.index(unit.id) + 1]]
            got = sum(one.nation == "US" and one.size == "battalion" and one.id != unit.id for one in before)
            got += sum(one.nation == "US" and one.size == "battalion" for one in now)
            if got > limit:
                id = (
                    "REPL-GARRISON"
                    if act.fields.get("for") and "garrison" in str(act.fields["for"]).lower()
                    else "REPL-US-RATE"
                )
                yield court.find(
                    id,
                    act,
                    f"{got} US battalions on {court.turn_words(court.turn)}; the rate is {limit}",
                    units=(unit.id,),
                )


def _garrisons_gone(court: Court) -> Iterator[Fact]:
    """When garrisons were taken off by sea; one that stands nowhere on the table is known by its name."""
    for fact in court.ledger.find("embarked"):
        unit = court.position.units.get(fact.who)
        if unit.kind == "garrison" if unit else "garrison" in plain(fact.who):
            yield fact


def _credit(court: Court) -> int:
    """Battalions that garrisons taken off two turns ago give (6.2.2.5)."""
    wait = facts.BOOK.rules["replacements"]["garrison_wait"]
    found = 0
    for fact in _garrisons_gone(court):
        if fact.turn is None or court.turn is None or court.turn < fact.turn + wait:
            continue
        unit = court.position.units.get(fact.who)
        told = (unit.more if unit else fact.more).get("circled")
        found += told if isinstance(told, int) else 2
    return found


@check("enter", ids=["REPL-GARRISON"])
def garrisons(court: Court, act: Act) -> Iterator[Finding]:
    """A garrison taken off never returns; what it gives comes two turns later (6.2.2.5)."""
    wait = facts.BOOK.rules["replacements"]["garrison_wait"]
    for id in act.units:
        unit = court.unit(id)
        gone = court.ledger.any("embarked", id)
        if unit.kind == "garrison" and gone is not None:
            yield court.find("REPL-GARRISON", act, f"{unit.name} was taken off and does not return", units=(id,))
        elif act.fields.get("for") and "garrison" in str(act.fields["for"]).lower() and court.turn is not None:
            lost = [fact.turn for fact in _garrisons_gone(court) if fact.turn is not None]
            if lost and court.turn < min(lost) + wait:
                text = f"the garrison left on {court.turn_words(min(lost))}: its battalions come two turns later"
                yield court.find("REPL-GARRISON", act, text, units=(id,))


def _un_place(court: Court, act: Act, unit: Unit) -> Iterator[Finding]:
    """Seoul or a UN-controlled port."""
    if act.to is None or act.to in court.to_pusan():
        return
    city, due = court.city(act.to), facts.BOOK.rules["replacement_city"]
    if city is not None and city in (*facts.BOOK.rules["ports"], due):
        if court.holder(city) == facts.COMMUNIST:
            yield court.find("REPL-PLACE", act, f"{city} is in Communist hands", units=(unit.id,))
    elif city is not None or (court.is_city(act.to) is False and court.complete):
        yield court.find(
            "REPL-PLACE", act, f"{unit.name} comes to {act.to}: neither {due} nor a port", units=(unit.id,)
        )


@check("enter", ids=["REPL-USMC", "REPL-UK"])
def once(court: Court, act: Act) -> Iterator[Finding]:
    """A Marine regiment, and one of two British brigades, once each, eight turns after its loss (6.2.2.3, 6.2.2.4)."""
    wait = facts.BOOK.rules["replacements"]["wait"]
    for unit in _replaced(court, act):
        marine = "marine" in unit.traits and unit.size == "regiment"
        brigade = unit.nation == "UK" and unit.size == "brigade"
        if not marine and not brigade:
            continue
        id = "REPL-USMC" if marine else "REPL-UK"
        lost = lost_on(court, unit)
        if lost is not None and court.turn is not None and court.turn < lost + wait:
            text = f"{unit.name} was lost on {court.turn_words(lost)}: no earlier than {court.turn_words(lost + wait)}"
            yield court.find(id, act, text, units=(unit.id,))
        for fact in (*court.ledger.find("entered"), *court.ledger.find("placed")):
            other = court.position.units.get(fact.who)
            came_back = fact.more.get("kind", "replacement") == "replacement"
            if other is None or not came_back:
                continue
            if (
                ("marine" in other.traits and other.size == "regiment")
                if marine
                else (other.nation == "UK" and other.size == "brigade")
            ):
                yield court.find(id, act, f"{other.name} was replaced before: once in a game", units=(unit.id,))
                break
