"""Designating attacks: who, at what, of which type, and what it costs (10.5, 11.4, 11.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.games.yalu import facts
from referee.games.yalu.announced import fire_of
from referee.games.yalu.court import Court, check
from referee.games.yalu.interpret import hex_in, units_in
from referee.games.yalu.units import NEUTRALIZED, REGROUPING
from referee.rulebook import plain
from referee.story_events import as_list
from referee.table.acts import Act
from referee.verdict import Finding


def attackers(court: Court, act: Act) -> tuple[str, ...]:
    """The units that a designation names."""
    return units_in(court, act.fields.get("attackers") or act.fields.get("by") or act.fields.get("units"))


def target(court: Court, act: Act) -> str | None:
    """The hex that it names."""
    return hex_in(court, act.fields.get("target") or act.fields.get("targets") or act.fields.get("hex"))


@check("designate", ids=[
    "CBT-ADJACENT", "CBT-ATTACKER-NEUTRALIZED", "CBT-ATTACKER-REGROUP", "CBT-TWO-TARGETS", "CBT-TYPE-MIX",
    "CBT-GUERRILLA",
])  # fmt: skip
def who(court: Court, act: Act) -> Iterator[Finding]:
    """Every attacker adjacent, fit to attack, and sent against one hex."""
    hex = target(court, act)
    several = [one for one in as_list(act.fields.get("target") or act.fields.get("targets")) if hex_in(court, one)]
    one_hex = court.scenario.rules["one_target_hex"]
    if len(several) > 1 and one_hex:
        yield court.find("CBT-TWO-TARGETS", act, f"one designation names {len(several)} hexes")
    if hex is None:
        return
    for id in attackers(court, act):
        unit, stood = court.unit(id), court.position.where(id)
        if unit.kind == "guerrilla":
            yield court.find("CBT-GUERRILLA", act, f"{unit.name} is a guerrilla and never attacks", units=(id,))
            continue
        if unit.kind in ("naval", "air"):
            continue
        goals = [found for one in several if (found := hex_in(court, one))] if court.scenario.classic else [hex]
        far = [goal for goal in goals or [hex] if stood is not None and not court.touch(stood, goal)]
        if far:
            yield court.find("CBT-ADJACENT", act, f"{unit.name} in {stood} is not next to {far[0]}", units=(id,))
        if NEUTRALIZED in unit.traits:
            yield court.find(
                "CBT-ATTACKER-NEUTRALIZED", act, f"{unit.name} is Neutralized and may not attack", units=(id,)
            )
        if REGROUPING in unit.traits:
            yield court.find(
                "CBT-ATTACKER-REGROUP", act, f"{unit.name} has a Regroup marker and may not attack", units=(id,)
            )
        other = next((held for held in court.designations.values() if id in held.units and held.hex != hex), None)
        if other is not None and (
            one_hex or not _one_attack(court, (*other.units, *attackers(court, act)), other.hex, hex)
        ):
            yield court.find(
                "CBT-TWO-TARGETS", act, f"{unit.name} is designated against {other.hex} and {hex}", units=(id,)
            )
    held = court.designations.get(hex)
    kind = act.fields.get("type")
    mixed = held is not None and held.side != facts.UN and held.kind and kind and held.kind != kind
    if held is not None and mixed and (court.scenario.rules["one_attack_type"] or "hwa" in (kind, held.kind)):
        missing = () if court.complete else ("whether the second announcement replaces the first",)
        text = f"{hex} is under a {held.kind} attack and now a {kind} one"
        yield court.find("CBT-TYPE-MIX", act, text, sure=court.complete, missing=missing)
    side = court.phasing or (court.unit(attackers(court, act)[0]).side if attackers(court, act) else None)
    enemies = court.position.enemies_at(hex, side) if side else ()
    if enemies and all(unit.kind == "guerrilla" for unit in enemies):
        yield court.find("CBT-GUERRILLA", act, f"only guerrillas are in {hex}: they are never attacked")


def _one_attack(court: Court, units: Iterable[str], *hexes: str) -> bool:
    """May two announcements be one attack on units of both hexes, every attacker being next to both (C9)?"""
    stood = [court.position.where(id) for id in units]
    return all(court.touch(here, hex) for here in stood if here is not None for hex in hexes)


def zone_cost(court: Court, hex: str) -> int | None:
    """Attack supply points for a defending hex (11.4.2); None where its place is not known."""
    told = court.given.get("asp_zone")
    if isinstance(told, dict) and hex in told:
        zone = told[hex]
        return zone if isinstance(zone, int) else facts.BOOK.rules["asp"].get(plain(zone).split()[0])
    asp = facts.BOOK.rules["asp"]
    if court.lies(hex, "north"):
        return int(asp["north"])
    if court.lies(hex, "south"):
        return int(asp["south"])
    between = court.lies(hex, "between")
    if between or (between is None and court.north(hex) is False and court.lies(hex, "south") is False):
        return int(asp["between"])
    return None


@check("designate", ids=["ASP-COST", "ART-COST", "ASP-OVERSPEND", "ASP-HWA-UNSUPPLIED", "ART-UNSUPPLIED", "ART-TWO"])
def supply_points(court: Court, act: Act) -> Iterator[Finding]:
    """What an attack costs, artillery included."""
    hex = target(court, act)
    named = attackers(court, act)
    side = court.unit(named[0]).side if named else court.phasing
    if hex is None or side != facts.COMMUNIST:
        return
    kind, paid, guns = act.fields.get("type"), act.fields.get("asp"), act.fields.get("artillery")
    guns = guns if isinstance(guns, int) and not isinstance(guns, bool) and guns else None
    held = court.designations.get(hex)
    if kind == "unsupplied" and guns:
        yield court.find("ART-UNSUPPLIED", act, "artillery supports only supplied attacks")
        return
    if kind == "hwa" and not court.scenario.classic and (paid == 0 or (paid is None and court.asp == 0)):
        yield court.find("ASP-HWA-UNSUPPLIED", act, "a Human Wave must be supplied")
    if held is not None and held.artillery and guns:
        yield court.find("ART-TWO", act, f"{hex} has an artillery marker already")
    least = max(paid, min(_totals(1, guns) - {1}, default=0)) if isinstance(paid, int) else 0
    if court.asp is not None and least > court.asp and kind != "unsupplied":
        fresh = court.complete or court.given.get("asp turn") == court.turn
        missing = () if fresh else ("what the track shows this turn (@asp N)",)
        text = f"{least} attack supply points are spent, {court.asp} are there"
        yield court.find("ASP-OVERSPEND", act, text, sure=fresh, missing=missing)
    if not isinstance(paid, int) or kind == "unsupplied" or paid == 0 or court.scenario.classic:
        return
    base = zone_cost(court, hex)
    if base is None:
        if paid not in _totals(1, guns) | _totals(2, guns) | _totals(3, guns):
            yield court.find("ASP-COST", act, f"{paid} points fit no zone", sure=True)
        return
    if held is not None and held.asp and paid == base:
        text = f"the attack on {hex} was paid for; the cost is for the hex, not for each unit"
        missing = () if court.complete else ("whether the price was only said again",)
        yield court.find("ASP-COST", act, text, sure=court.complete, missing=missing)
    elif paid not in _totals(base, guns):
        if guns and paid != base:
            yield court.find(
                "ART-COST",
                act,
                f"{hex} costs {base}; artillery {guns:+d} makes {sorted(_totals(base, guns) - {base})}, paid {paid}",
            )
        else:
            yield court.find("ASP-COST", act, f"an attack on {hex} costs {base}, paid {paid}")


def _totals(base: int, guns: int | None) -> set[int]:
    """What may be paid in all: the modifier's price, or the points themselves where a number may mean either."""
    if guns is None:
        return {base}
    cost = {int(key): int(value) for key, value in facts.BOOK.rules["artillery"].items()}
    prices = {cost[abs(guns)]} if abs(guns) in cost else set()
    if guns in cost.values():
        prices.add(guns)
    return {base, *(base + price for price in prices)}


@check("artillery", ids=["ART-TWO", "ART-UNSUPPLIED"])
def artillery_marker(court: Court, act: Act) -> Iterator[Finding]:
    """One marker a hex, on supplied attacks (11.5.1, 11.5.4)."""
    held = court.designations.get(act.to or "")
    if held is None:
        return
    if held.artillery:
        yield court.find("ART-TWO", act, f"{held.hex} has an artillery marker already")
    if held.kind == "unsupplied":
        yield court.find("ART-UNSUPPLIED", act, f"the attack on {held.hex} is unsupplied")


@check("fire", ids=["ART-TWO"])
def one_fire(court: Court, act: Act) -> Iterator[Finding]:
    """A marker changes one fire at its hex (11.5.4)."""
    fire = fire_of(court, act)
    if fire is None or fire.kind != "assault" or fire.side != facts.COMMUNIST or not fire.said.get("artillery"):
        return
    before = [one for one in court.combats if one.kind == "assault" and one.said.get("artillery")]
    since = min((held.step for hex in fire.targets if (held := court.designations.get(hex))), default=act.step)
    if any(set(one.targets) & set(fire.targets) and since <= one.step < act.step for one in before):
        yield court.find("ART-TWO", act, f"the artillery marker in {', '.join(fire.targets)} was used already")


@check("set-asp", ids=["ASP-OVERSPEND", "ASP-LATE", "ASP-INCOME", "ASP-BONUS", "BMB-ASP"])
def track(court: Court, act: Act) -> Iterator[Finding]:
    """The track: never below 0, spent in Attack Designation, raised by income and bonuses only."""
    value = act.fields.get("value")
    if not isinstance(value, int) or court.phase == "setup":
        return
    if value < 0:
        yield court.find("ASP-OVERSPEND", act, "the track goes below 0")
    if court.asp is None or (not court.complete and court.turn != 1 and court.given.get("asp turn") != court.turn):
        return  # in a log: of income that nobody called out nothing is known
    change = value - court.asp
    late = not court.scenario.classic and court.must_be(facts.COMMUNIST, ("defensive-fire", "assault"))  # not C15
    if change < 0 and late:
        yield court.find("ASP-LATE", act, f"{-change} points are spent after Attack Designation")
    if change > 0 and court.must_be(facts.COMMUNIST, ("reinforcement",)):
        yield from _income(court, act, change)
    elif change > 0 and court.must_be(facts.COMMUNIST, (*facts.COMBAT, "bugout")):
        yield from _bonus(court, act, change)
    if change < 0 and court.must_be(facts.UN, ("bombardment",)):
        yield from _struck(court, act, -change)


def _income(court: Court, act: Act, gained: int) -> Iterator[Finding]:
    table = court.charts.table("attack_supply") or {}
    if court.turn is None:
        return
    want: int | None = None
    for name, amount in table.items():
        if isinstance(amount, int) and facts.turn_of(court.scenario.id, name) == court.turn:
            want = amount
    if want is None and not court.scenario.classic:
        want = facts.BOOK.tables["attack_supply"].get(court.turn)
    dice = [fact.more.get("dice") for fact in court.ledger.find("rolled", "income", turn=court.turn)]
    by_die = table.get("die")
    if want is None and isinstance(by_die, dict) and dice and dice[-1]:
        want = {str(die): points for die, points in by_die.items()}.get(str(dice[-1][0]))
    if want is None:
        return
    for city in facts.BOOK.rules["conditional_cities"]:
        taken = court.captured.get(plain(city))
        bonus = (court.charts.table("bonus") or {}).get(city)
        if taken is not None and court.turn == taken + 1 and court.holder(city) == facts.COMMUNIST:
            if not isinstance(bonus, int):
                return
            want += bonus
    if gained != want:
        yield court.find("ASP-INCOME", act, f"{gained} points are taken; {court.turn_words(court.turn)} gives {want}")


def _bonus(court: Court, act: Act, gained: int) -> Iterator[Finding]:
    """+2 for a US division, +1 for a ROK division eliminated and advanced into; a US division in Bug-out (11.2)."""
    rules = facts.BOOK.rules["asp"]
    most = 0
    for fact in court.ledger.find("eliminated", turn=court.turn, side=court.phasing):
        unit = court.position.units.get(fact.who)
        if unit is None or unit.size != "division":
            continue
        entered = any(
            one.more.get("to") == fact.more.get("hex") for one in court.ledger.find("advanced", turn=court.turn)
        )
        if unit.nation == "US" and (entered or court.ledger.any("vacated", turn=court.turn)):
            most += int(rules["us_division"])
        elif unit.nation == "ROK" and entered:
            most += int(rules["rok_division"])
    taken = sum(int(fact.more.get("gained", 0)) for fact in court.ledger.find("asp-bonus", turn=court.turn))
    if gained + taken > most:
        yield court.find(
            "ASP-BONUS", act, f"{gained + taken} points are taken; divisions destroyed and advanced into earn {most}"
        )
    court.note("asp-bonus", "", act, gained=gained)


def _struck(court: Court, act: Act, lost: int) -> Iterator[Finding]:
    rolls = list(court.ledger.find("rolled", "asp-attack", turn=court.turn))
    if not rolls or court.weather is None:
        return
    rule = court.scenario.rule("asp_attack")
    kills = rule.get(court.weather, rule["other"])
    hits = sum(die in kills for fact in rolls for die in fact.more.get("dice", ()))
    before = court.asp or 0
    want = min(hits, before)
    if lost != want:
        text = f"{hits} of the dice kill ({', '.join(map(str, kills))} in {court.weather}); {lost} points are taken off"
        yield court.find("BMB-ASP", act, text)
