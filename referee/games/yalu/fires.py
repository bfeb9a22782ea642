"""A fire put together: who fires at whom, with what factors, in which column, with which modifiers (10.2)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import ceil, floor

from referee.games.yalu import facts
from referee.games.yalu.charts import odds_text, result_code
from referee.games.yalu.court import Court
from referee.games.yalu.units import ISOLATED, NEUTRALIZED, factor, is_support, support_factor
from referee.rulebook import plain
from referee.table.combat import Combat
from referee.table.units import Unit

MANY = 10  # Classic sets no limit to supports (C11)
LARGEST_STACK = 6


def defending(court: Court, combat: Combat) -> bool:
    """Is it Defensive Fire, that is, fire by the side whose turn it is not?"""
    return combat.kind == "defensive"


def attack_kind(court: Court, combat: Combat) -> str | None:
    """The attack type of the designation a fire belongs to; None where nobody told."""
    hexes = set(combat.targets) if combat.kind != "defensive" else {combat.stood.get(id) for id in combat.attackers}
    found = {court.designations[hex].kind for hex in hexes if hex in court.designations}
    told = combat.said.get("attack_type")
    if told:
        found.add(str(told))
    return next(iter(found)) if len(found) == 1 else None


@dataclass
class Sum:
    """A total of combat factors; None in `total` where a factor is not known."""

    total: Fraction | None = Fraction(0)
    parts: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    least: Fraction = Fraction(0)

    def add(self, unit: Unit, rate: Fraction) -> None:
        """Count a unit."""
        value = factor(unit)
        if value is None:
            self.total = None
            self.missing.append(f"combat factor of {unit.name}")
            return
        amount = value * rate
        self.least += amount
        if self.total is not None:
            self.total += amount
        self.parts.append(f"{unit.name} {_text(amount)}" + (f" ({value} x {rate})" if rate != 1 else ""))


def _text(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else str(float(value))


def rate_of(court: Court, unit: Unit, combat: Combat, firing: bool) -> Fraction:
    """What a unit's factor is multiplied by (5.2.2, 9.4.6, 10.9.2, 11.4.3)."""
    rate = Fraction(1)
    if unit.side != facts.COMMUNIST:
        return rate
    if ISOLATED in unit.traits:
        rate /= 2
    if combat.kind == "bugout":
        return rate * 2
    kind = attack_kind(court, combat)
    attacking = (combat.kind == "assault") == firing  # Communist units of an attack, in either subphase
    if kind == "unsupplied" and attacking and not court.scenario.classic:
        rate /= 2
    if kind == "hwa" and firing and combat.kind == "assault":
        rate *= 2
    return rate


def totals(court: Court, combat: Combat) -> tuple[Sum, Sum]:
    """The factors that fire and those fired at."""
    fire, target = Sum(), Sum()
    for id in combat.attackers:
        unit = combat.units[id]
        if not (is_support(unit) and combat.side == facts.UN):
            fire.add(unit, rate_of(court, unit, combat, True))
    for id in combat.defenders:
        target.add(combat.units[id], rate_of(court, combat.units[id], combat, False))
    return fire, target


def ratio(court: Court, combat: Combat) -> Fraction | None:
    """Firing factors over target factors; None where one is not known."""
    fire, target = totals(court, combat)
    if fire.total is None or not target.total or not fire.total:
        return None
    return fire.total / target.total


def exact_odds(value: Fraction) -> str:
    """Odds rounded in the target's favour (10.2.1).

    >>> exact_odds(Fraction(14, 5)), exact_odds(Fraction(5, 7)), exact_odds(Fraction(31, 4))
    ('2-1', '1-2', '7-1')
    """
    return f"{floor(value)}-1" if value >= 1 else f"1-{ceil(1 / value)}"


def value_of(column: str) -> Fraction:
    """A column's heading as a number.

    >>> value_of("3-2"), value_of("1-4")
    (Fraction(3, 2), Fraction(1, 4))
    """
    a, b = odds_text(column).split("-")
    return Fraction(int(a), int(b))


def columns_for(court: Court, value: Fraction) -> set[str]:
    """The columns that odds may be read in: one where the table is known, else every one the text leaves open."""
    known = court.charts.columns()
    if known is None and court.scenario.classic:
        known = list(facts.BOOK.tables["columns_classic"])
    if known:
        fitting = [name for name in known if value_of(name) <= value]
        return {max(fitting, key=value_of)} if fitting else {min(known, key=value_of)}
    exact = exact_odds(value)
    found = {exact} - set(facts.BOOK.tables["columns"]["absent"])
    proven = [name for name in facts.BOOK.tables["columns"]["proven"] if value_of(name) <= value]
    if proven and exact not in proven and value >= 1:
        found.add(max(proven, key=value_of))
    if value < 1:
        down = court.charts.option("odds_below")
        lower = facts.BOOK.tables["columns"]["below"]
        below = [name for name in lower if value_of(name) <= value]
        if down == "drop" or (exact not in lower and down is None):
            found |= set(below[:1])
        if down == "drop":
            found = set(below[:1]) or {exact}
    if 1 <= value < 2:
        if court.charts.option("three_two_column") is not False and value >= Fraction(3, 2):
            found.add("3-2")
        found.add("1-1")
    return found or {exact}


@dataclass
class Modifier:
    """The die modifier of a fire: its certain parts, and what is not known."""

    total: int = 0
    parts: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    low: int = 0  # how much supports or artillery that nobody spoke of may take off

    def add(self, amount: int, why: str) -> None:
        """Count a part."""
        self.total += amount
        if amount:
            self.parts.append(f"{amount:+d} {why}")


def modifier(court: Court, combat: Combat) -> Modifier:
    """Terrain, artillery, supports, Ridgway (10.2.3, 10.2.4, 12.1.1, 11.5.3, 18.2)."""
    found = Modifier()
    surprised = [court.surprised.get(id) for id in combat.defenders]
    column = "defensive" if combat.kind == "defensive" else "assault"
    if combat.said.get("in_log") and combat.kind == "assault" and None in surprised and _may_surprise(court, combat):
        found.missing.append("whether the defenders were surprised")
    if not (combat.kind == "assault" and surprised and all(one is True for one in surprised)):
        _terrain(court, combat, column, found)
        if combat.kind == "assault" and surprised and None in surprised and any(court.surprised.values()):
            found.missing.append("whether every defender was surprised")
    if combat.side == facts.COMMUNIST and combat.kind == "assault":
        guns = combat.said.get("artillery")
        if isinstance(guns, int) and guns:
            found.add(-min(abs(guns), 2), "artillery")
        elif combat.said.get("in_log") and not court.scenario.classic:
            found.low = -max(map(int, facts.BOOK.rules["artillery"]))
        struck = any(combat.units[id].nation in ("US", "UK") for id in combat.defenders)
        if struck and court.ridgway == "drm":
            found.add(1, "Ridgway")
        elif struck and court.ridgway == "commands":
            found.missing.append("Ridgway's second die")
    if combat.side == facts.UN:
        points = support_points(court, combat)
        if points is None:
            found.missing.append("support factors")
        else:
            found.add(-points, "supports")
            limit = court.scenario.rule("support_limit")
            if combat.said.get("in_log"):
                found.low = -max(limit - points, 0) if limit is not None else -MANY
    return found


def _may_surprise(court: Court, combat: Combat) -> bool:
    """Is it a Communist attack on a turn with surprise (19.1.1)?"""
    last = court.scenario.rule("surprise")["last"]
    return combat.side == facts.COMMUNIST and (court.turn is None or court.turn <= last)


def readings(court: Court, combat: Combat) -> list[Combat]:
    """The fires that an announcement may mean: at some of a stack, and of any type where nobody said which."""
    kinds: list[str | None] = [None]
    phasing = combat.side if combat.kind == "assault" else court.enemy(combat.side or facts.UN)
    if combat.said.get("in_log") and phasing == facts.COMMUNIST and attack_kind(court, combat) is None:
        kinds = ["supplied", "unsupplied", "hwa"]
    groups = [combat.defenders]
    if combat.said.get("loose") and len(combat.defenders) <= LARGEST_STACK:
        sizes = range(1, len(combat.defenders) + 1)
        groups = [group for size in sizes for group in combinations(combat.defenders, size)]
    return [
        replace(combat, defenders=group, said=combat.said if kind is None else {**combat.said, "attack_type": kind})
        for group in groups
        for kind in kinds
    ]


def support_points(court: Court, combat: Combat) -> int | None:
    """The support factors that a UN fire uses; None where one is not known."""
    points = 0
    for id in supports_in(court, combat):
        value = support_factor(court.unit(id))
        split = combat.said.get("split")
        if isinstance(split, dict) and isinstance(split.get(id), int):
            value = split[id]
        if value is None:
            return None
        points += value
    air = combat.said.get("air")
    return points + (air if isinstance(air, int) else 0)


def supports_in(court: Court, combat: Combat) -> list[str]:
    """The support units that a fire names, whether among the firers or beside them."""
    named = [id for id in combat.attackers if is_support(combat.units[id])]
    named += [id for id in combat.said.get("supports", ()) if id not in named]
    alone = [id for id in named if combat.attackers == (id,) and combat.kind == "defensive"]
    return [id for id in named if id not in alone] if alone else named


def _terrain(court: Court, combat: Combat, column: str, found: Modifier) -> None:
    """The terrain of those fired at; a river where every firer shoots over one."""
    for hex in combat.targets[:1]:
        kinds = court.ground.terrain(hex)
        if not court.ground.is_known(hex):
            if kinds[0] == "unknown":
                found.missing.append(f"terrain of {hex}")
            continue
        for kind in kinds:
            amount = court.charts.drm(column, kind)
            if amount is None and kind == "clear" and column == "assault" and not court.charts.table("drm"):
                amount = 0  # rough +1, mountain +2: nothing is left for clear; the other column leaves it open
            if amount is None:
                found.missing.append(f"modifier of {kind} in the {column} column")
            else:
                found.add(amount, kind)
        _river(court, combat, column, hex, found)


def _river(court: Court, combat: Combat, column: str, hex: str, found: Modifier) -> None:
    over = [
        court.ground.features(stood, hex) for id in combat.attackers if (stood := combat.stood.get(id)) and stood != hex
    ]
    if not any("river" in features for features in over):
        return
    if not all("river" in features for features in over):
        found.missing.append("whether the river counts where only some fire across it")
        return
    amount = court.charts.drm(column, "river")
    weathers = facts.BOOK.tables["river_weather"].get(column, (court.weather,))
    known = court.weather in weathers or court.charts.table("drm")
    if amount is None or not known:
        found.missing.append(f"modifier of a river in the {column} column")
    else:
        found.add(amount, "river")


def results(court: Court, combat: Combat) -> set[str]:
    """The results that may have been: as agreed, else by the table; empty where nobody can tell."""
    said = combat.said.get("result")
    if said is not None:
        return {result_code(said)}
    if not combat.rolls:
        return set()
    if combat.said.get("in_log") and len(combat.rolls) > 1:
        return set()  # which of them is this fire's nobody said
    cells: set[str | None] = set()
    for one in readings(court, combat):
        found = _cells(court, one)
        if not found:
            return set()
        cells |= found
    return {cell for cell in cells if cell is not None} if None not in cells else set()


def _cells(court: Court, combat: Combat) -> set[str | None]:
    dice = combat.rolls[-1].dice
    value = ratio(court, combat)
    odds = odds_text(combat.said["odds"]) if combat.said.get("odds") is not None else None
    drm = modifier(court, combat)
    told = combat.said.get("drm")
    if len(dice) != 2 or (value is None and odds is None) or (drm.missing and not isinstance(told, int)):
        return set()
    if isinstance(told, int) and (drm.missing or combat.said.get("in_log")):
        sums = {told}
    else:
        sums = set(range(drm.total + drm.low, drm.total + 1))
    columns = columns_for(court, value) if value is not None else {str(odds)}
    if combat.said.get("in_log") and odds is not None:
        columns = columns | {odds}  # as the players read it
    return {court.charts.cell(column, sum(dice) + more) for column in columns for more in sums}


def neutral(unit: Unit) -> bool:
    """Was it Neutralized?"""
    return NEUTRALIZED in unit.traits


def fire_word(kind: str) -> str:
    """What a kind of fire is called."""
    return {"defensive": "Defensive Fire", "assault": "Assault", "bugout": "fire at a Bug-out"}.get(plain(kind), kind)
