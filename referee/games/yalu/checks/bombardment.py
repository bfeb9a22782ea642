"""The UN bombardment phase: troops, attack supply, rails, bridges and roads (13.0)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu import facts
from referee.games.yalu.court import Court, check
from referee.games.yalu.interpret import hex_in, units_in
from referee.games.yalu.units import NEUTRALIZED, support_factor
from referee.rulebook import plain
from referee.story_events import as_list
from referee.table.acts import Act
from referee.table.units import Unit
from referee.verdict import Finding


def bombarders(court: Court, act: Act) -> tuple[str, ...]:
    """The supports that a bombardment names."""
    return units_in(court, act.fields.get("by") or act.fields.get("units"))


def target_of(court: Court, act: Act) -> str | None:
    """The hex that it names."""
    return hex_in(court, act.fields.get("target") or act.fields.get("hex") or act.fields.get("at"))


def mission(act: Act) -> str:
    """troops, asp, rail, bridge or road."""
    said = plain(act.fields.get("mission") or act.fields.get("type") or "troops")
    for word in ("asp", "rail", "bridge", "road"):
        if word in said:
            return word
    return "asp" if "supply" in said else "troops" if "troop" in said or not said else said


def _hexes(court: Court, act: Act) -> list[str]:
    value = act.fields.get("target") or act.fields.get("hexside") or act.fields.get("hex")
    return [hex for one in as_list(value) if (hex := hex_in(court, one))]


@check("bombard", ids=["BMB-PHASE", "BMB-WHO", "BMB-ADJ", "BMB-TARGET", "AIR-REUSE", "CBT-GUERRILLA"])
def bombards(court: Court, act: Act) -> Iterator[Finding]:
    """Who bombards what, and when."""
    if not court.may_be(facts.UN, ("bombardment",)):
        yield court.find("BMB-PHASE", act, f"a bombardment in {court.time_words()}")
    what, hex = mission(act), target_of(court, act)
    for id in bombarders(court, act):
        unit, stood = court.unit(id), court.position.where(id)
        if unit.kind == "tank" or unit.kind not in ("artillery", "naval", "air"):
            yield court.find("BMB-WHO", act, f"{unit.name} has no bombardment mission", units=(id,))
        elif unit.kind == "artillery" and what != "troops":
            yield court.find("BMB-WHO", act, f"{unit.name} is artillery: only Troop Attacks", units=(id,))
        elif unit.kind == "artillery" and hex and stood and not court.touch(stood, hex):
            yield court.find("BMB-ADJ", act, f"{unit.name} in {stood} is not next to {hex}", units=(id,))
        before = list(court.ledger.find("bombarded", id, turn=court.turn))
        if before and unit.kind != "naval":
            yield court.find(
                "BMB-TARGET", act, f"{unit.name} has bombarded this turn: one target for each unit", units=(id,)
            )
    air = act.fields.get("air")
    if isinstance(air, int) and court.air is not None and air > court.air:
        yield court.find("AIR-REUSE", act, f"{air} air units are used, {court.air} are Available")
    yield from _feature(court, act, what)
    if what == "troops" and hex:
        enemies = court.position.enemies_at(hex, facts.UN)
        if enemies and all(unit.kind == "guerrilla" for unit in enemies):
            reading = court.charts.option("troop_attack_guerrillas")
            if reading is not True:
                missing = (
                    ()
                    if reading is False
                    else ("whether guerrillas may be bombarded (option troop_attack_guerrillas)",)
                )
                yield court.find(
                    "CBT-GUERRILLA", act, f"only guerrillas are in {hex}", sure=reading is False, missing=missing
                )


def _feature(court: Court, act: Act, what: str) -> Iterator[Finding]:
    """Is there a road, a railroad or a bridge to interdict (13.7.1)?"""
    ground, hexes = court.ground, _hexes(court, act)
    if what not in ("rail", "bridge", "road") or not hexes or not ground.links_known or ground.default == "unstated":
        return
    if what == "bridge":
        there = (
            frozenset(hexes) in ground.bridges if len(hexes) == 2 else any(hexes[0] in pair for pair in ground.bridges)
        )
    else:
        there = ground.on_rail(hexes[0]) if what == "rail" else ground.on_road(hexes[0])
    if not there:
        yield court.find(
            "BMB-TARGET", act, f"there is no {'railroad' if what == 'rail' else what} at {'/'.join(hexes)}"
        )


def _targets(court: Court, hex: str | None) -> list[Unit]:
    return (
        [unit for unit in court.position.enemies_at(hex, facts.UN) if unit.kind not in ("naval", "air")] if hex else []
    )


@check("roll", ids=["BMB-DICE"])
def dice(court: Court, act: Act) -> Iterator[Finding]:
    """One die for each unit in the hex (13.5.2)."""
    strike = court.given.get("bombardment")
    if act.fields.get("purpose") != "bombardment" or not isinstance(strike, Act) or mission(strike) != "troops":
        return
    units = _targets(court, target_of(court, strike))
    most = len(units)
    least = sum(unit.kind != "guerrilla" for unit in units)
    rolled = court.given.get("bombardment dice", 0) + len(act.fields.get("dice", ()))
    court.given["bombardment dice"] = rolled
    many = len(act.fields.get("dice", ())) > 1 or least <= 1
    if rolled > most or (many and rolled < least and rolled == len(act.fields.get("dice", ()))):
        text = f"{rolled} dice for {', '.join(unit.name for unit in units)}: one for each unit"
        yield court.find("BMB-DICE", act, text)


@check("neutralize", "remove", ids=["BMB-RESULT"])
def result(court: Court, act: Act) -> Iterator[Finding]:
    """What the Bombardment Table says is what happens (13.5.2)."""
    strike, roll = court.given.get("bombardment"), court.last_roll
    if (
        not isinstance(strike, Act)
        or roll is None
        or roll.fields.get("purpose") != "bombardment"
        or mission(strike) != "troops"
    ):
        return
    row = _row(court, strike)
    if row is None:
        return
    dice = roll.fields.get("dice", ())
    units = [unit.id for unit in _targets(court, target_of(court, strike))]
    named = (
        dict(zip(roll.units, dice, strict=False))
        if roll.units
        else (dict.fromkeys(units, dice[0]) if len(dice) == 1 else {})
    )
    for id in act.units:
        die = named.get(id)
        if die is None:
            continue
        cell = plain(row.get(die, "-"))
        hit = cell not in ("-", "no effect", "none", "")
        tired = court.has(id, NEUTRALIZED)
        kills = cell in ("d", "e", "eliminated", "destroyed") or (hit and tired)
        if not hit or (act.verb == "remove" and not kills):
            yield court.find(
                "BMB-RESULT", act, f"{court.name(id)}: a {die} gives {row.get(die, 'no effect')}", units=(id,)
            )


def _row(court: Court, strike: Act) -> dict[int, str] | None:
    table = court.charts.table("bombardment")
    if not table:
        return None
    points = strike.fields.get("factors")
    if not isinstance(points, int):
        values = [support_factor(court.unit(id)) for id in bombarders(court, strike)]
        air = strike.fields.get("air")
        points = sum(value or 0 for value in values) + (air if isinstance(air, int) else 0)
    keys = sorted(int(key) for key in table if str(key).isdigit())
    fitting = [key for key in keys if key <= points]
    row = table.get(fitting[-1], table.get(str(fitting[-1]))) if fitting else None
    return {int(die): str(cell) for die, cell in row.items()} if isinstance(row, dict) else None


@check("interdict", ids=["BMB-ROAD-AMOUNT", "BMB-TARGET"])
def marker(court: Court, act: Act) -> Iterator[Finding]:
    """The marker on a road shows the factors committed (13.7.4)."""
    strike = court.given.get("bombardment")
    if act.fields.get("marker") == "interdiction" and isinstance(strike, Act) and mission(strike) == "road":
        points = strike.fields.get("factors")
        if not isinstance(points, int):
            values = [support_factor(court.unit(id)) for id in bombarders(court, strike)]
            air = strike.fields.get("air")
            if None in values:
                return
            points = sum(value or 0 for value in values) + (air if isinstance(air, int) else 0)
        value = act.fields.get("value")
        if isinstance(value, int) and points and value != points:
            yield court.find("BMB-ROAD-AMOUNT", act, f"{points} factors were committed, the marker says {value}")


@check("phase-over", ids=["MOVE-INTERDICT-STALE"])
def stale(court: Court, act: Act) -> Iterator[Finding]:
    """Interdiction is over at the end of Communist movement (3.2, 13.7.3)."""
    if court.scenario.rules["breaks_last"]:
        return
    if court.must_be(facts.COMMUNIST, ("movement",)) and court.breaks:
        places = ", ".join(
            f"{kind} {'/'.join(sorted(place)) if isinstance(place, frozenset) else place}"
            for kind, place in court.breaks
        )
        yield court.find("MOVE-INTERDICT-STALE", act, f"still on the map when Communist movement ends: {places}")
