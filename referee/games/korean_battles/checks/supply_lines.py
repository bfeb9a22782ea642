"""Supply as players claim it, Air Supply, rebuilding and bridges (10.0 to 10.4, 12.0, 15.0, 24.0)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from referee.games.korean_battles import facts, names
from referee.games.korean_battles.apply import bridge_sides
from referee.games.korean_battles.court import MOVEMENT, REBUILDING, Court, check
from referee.games.korean_battles.supply import Line, in_supply, line_from, sources, supply_words, symbols
from referee.rulebook import plain
from referee.rules.board import TICKS, points
from referee.rules.paths import Reading, find
from referee.story_events import as_list
from referee.table.acts import Act
from referee.table.units import Unit
from referee.verdict import Finding


def _claimed(court: Court, act: Act) -> list[Unit]:
    """The units that a claim says are supplied."""
    told = act.get("supply", "in_supply", "supplied", "line_of_supply", "supply_line")
    if told is None or told is False or (isinstance(told, str) and plain(told) in ("out", "no", "out of supply")):
        return []
    if isinstance(told, dict):
        told = [name for name, state in told.items() if state not in (False, "out", "no")]
    found = [court.unit(str(one)) for one in as_list(told) if str(one) in court.position.units]
    return found or [
        court.unit(str(one)) for one in as_list(act.get("unit", "units", "for")) if str(one) in court.position.units
    ]


@check("claim", ids=["SUP-CLAIMED-FALSE", "SUP-NK-SYMBOL", "SUP-DEPOT-CUT", "SUP-UN-RIVER"])
def claimed_supply(court: Court, act: Act) -> Iterator[Finding]:
    """A unit said to be in supply, perhaps from a named source or along a named line."""
    for unit in _claimed(court, act):
        here = court.position.where(unit.id)
        one = replace(act, units=(unit.id,), origin=here)
        named = [str(hex) for hex in as_list(act.get("source", "from", "to")) if str(hex) in court.grid]
        named += [
            hex
            for id in as_list(act.get("source", "from", "depot"))
            if str(id) in court.position.units and (hex := court.position.where(str(id)))
        ]
        along = [str(hex) for hex in as_list(act.get("path", "line", "along", "via")) if str(hex) in court.grid]
        if here is None:
            continue
        specific = list(_named_source(court, one, unit, [*named, *along[-1:]]))
        specific += list(_named_line(court, one, unit, here, along))
        yield from specific
        state = in_supply(court, unit)
        if state is True:
            continue
        reasons = list(_reasons(court, one, unit, here, state is False)) if not specific else []
        yield from reasons
        if state is None and not supply_words(court, unit):
            continue
        told = any(finding.check == "SUP-CLAIMED-FALSE" for finding in specific)
        if (state is False or not specific) and not told:
            yield court.find(
                "SUP-CLAIMED-FALSE",
                one,
                f"{unit.name} in {here} has no line of supply",
                sure=state is False,
                missing=supply_words(court, unit),
            )


def _named_source(court: Court, act: Act, unit: Unit, named: list[str]) -> Iterator[Finding]:
    if not court.scenario.supply[unit.side].get("depots"):
        working = sources(court, unit, Line(kind=True))
        for hex in [hex for hex in as_list(act.get("source")) if str(hex) in court.grid]:
            if court.at(str(hex)) not in working or court.position.enemies_at(str(hex), unit.side):
                yield court.find("SUP-CLAIMED-FALSE", act, f"{hex} is no source of supply for the {unit.side} now")
        return
    if unit.kind == "depot":
        return
    for hex in named:
        depots = [other for other in court.position.friends_at(hex, unit.side) if other.kind == "depot"]
        if not depots and hex in symbols(court):
            yield court.find(
                "SUP-NK-SYMBOL",
                act,
                f"{unit.name} draws supply from the printed symbol at {hex}; only depots supply North Koreans",
            )
        for depot in depots:
            if in_supply(court, depot) is False:
                yield court.find(
                    "SUP-DEPOT-CUT", act, f"{depot.name} at {hex} has no line to a printed supply symbol itself"
                )


def _named_line(court: Court, act: Act, unit: Unit, here: str, along: list[str]) -> Iterator[Finding]:
    """A line told hex by hex, UN lines only: mountains and unbridged rivers bar it."""
    if unit.side != "UN" or not along:
        return
    barred = facts.rules()["supply_barred"]
    hexes = along if along[0] == here else [here, *along]
    for one, other in pairwise(hexes):
        pair = frozenset((one, other))
        features = court.ground.features(one, other)
        if set(court.ground.terrain(other)) & set(barred["terrain"]):
            yield court.find("SUP-UN-RIVER", act, f"the line of {unit.name} enters the mountain at {other}")
        elif (
            features & set(barred["hexsides"])
            and pair not in court.bridged()
            and not (pair in court.ground.bridges and court.charts.option("printed_bridge_supply") is not False)
        ):
            yield court.find(
                "SUP-UN-RIVER", act, f"the line of {unit.name} crosses the river between {one} and {other}"
            )


def _reasons(court: Court, act: Act, unit: Unit, here: str, sure: bool) -> Iterator[Finding]:
    """What bars the line, found by lifting one ban."""
    if unit.side == "UN":
        if line_from(court, unit, here, Line(kind=True, any_terrain=True)):
            yield court.find(
                "SUP-UN-RIVER",
                act,
                f"every line of {unit.name} leads through a mountain or over an unbridged river",
                sure=sure,
                missing=() if sure else supply_words(court, unit),
            )
        return
    if court.scenario.supply[unit.side].get("depots") and unit.kind != "depot":
        depots = {court.at(hex): depot for depot, hex in court.position.on_map(unit.side) if depot.kind == "depot"}
        working = sources(court, unit, Line(kind=True))
        cut = [index for index in depots if index not in working]
        if cut and line_from(court, unit, here, Line(kind=True), cut):
            names = ", ".join(depots[index].name for index in cut)
            yield court.find("SUP-DEPOT-CUT", act, f"{names} has no line to a printed supply symbol itself", sure=sure)
        known = [court.at(hex) for hex in symbols(court) if hex in court.grid]
        if known and sure and line_from(court, unit, here, Line(kind=True), known) and not cut:
            yield court.find(
                "SUP-NK-SYMBOL",
                act,
                f"{unit.name} reaches only a printed symbol; only depots supply North Koreans",
                sure=sure,
            )


@check("air_supply", ids=["AIR-THIRD", "AIR-NOT-UN"])
def air_supply(court: Court, act: Act) -> Iterator[Finding]:
    """Two counters a game, each once, for UN units."""
    units = act.units or tuple(
        str(one) for one in as_list(act.get("unit", "for", "to", "units")) if str(one) in court.position.units
    )
    one = replace(act, units=units)
    for id in units:
        if court.unit(id).side != "UN":
            yield court.find("AIR-NOT-UN", one, f"Air Supply for {court.name(id)}, which is no UN unit")
    used = list(court.ledger.find("air"))
    marker = act.get("marker")
    again = str(marker) in court.markers and any(
        marker in (fact.more.get("marker"), fact.who) for fact in (*used, *court.ledger.find("used"))
    )
    if len(used) >= facts.rules()["air_supply"] or again:
        yield court.find(
            "AIR-THIRD",
            one,
            f"{len(used)} Air Supply counters were used; the game has two and each is used once",
            used=len(used),
        )


@check("rebuild", ids=["RB-CHOSIN", "RB-TWO", "RB-TIMING", "RB-ADJACENT", "RB-UNSUPPLIED", "RB-MARINE", "RB-MERGE"])
def rebuilding(court: Court, act: Act) -> Iterator[Finding]:
    """One depleted unit a turn, at the end of the own player turn, supplied and away from the enemy."""
    for id in act.units:
        unit = court.unit(id)
        hex = court.position.where(id)
        one = replace(act, units=(id,), origin=hex)
        if unit.kind == "cadre" and not court.scenario.rules["rebuild"]:
            continue
        if not court.scenario.rules["rebuild"]:
            yield court.find("RB-CHOSIN", one, f"{unit.name} is rebuilt; nothing is in {court.scenario.title}")
        turn = court.clock.during(REBUILDING).turn
        before = [
            fact
            for fact in court.ledger.find("rebuilt", turn=turn, side=unit.side)
            if fact.who != id or fact.step < act.step
        ]
        if before:
            sure = turn is not None and any(fact.turn == turn for fact in before)
            missing = () if sure else ("in which turn the other unit was rebuilt",)
            message = f"the {unit.side} have already rebuilt a unit this game turn"
            yield court.find("RB-TWO", one, message, sure=sure, missing=missing)
        late = ("rebuild", "mobile-combat")
        if not court.may_be(unit.side, late) and not (
            unit.side == court.scenario.sides[1] and court.may_be(None, ("turn-end",))
        ):
            now = f"{court.phasing or ''} {court.phase or ''}".strip()
            yield court.find(
                "RB-TIMING",
                one,
                f"{unit.name} is rebuilt in the {now} phase, not at the end of the {unit.side} player turn",
            )
        if hex is not None:
            near = [
                enemy.name
                for other in court.grid.neighbours(hex)
                for enemy in court.position.enemies_at(other, unit.side)
            ]
            if near:
                yield court.find("RB-ADJACENT", one, f"{unit.name} is rebuilt next to {', '.join(near)}")
            supplied = in_supply(court, unit)
            if supplied is not True and (supplied is False or supply_words(court, unit)):
                yield court.find(
                    "RB-UNSUPPLIED",
                    one,
                    f"{unit.name} is rebuilt without a line of supply",
                    sure=supplied is False,
                    missing=supply_words(court, unit),
                )
        into = act.get("into")
        if into is not None and any(
            str(name) in court.position.units and court.unit(str(name)).size == "division" for name in as_list(into)
        ):
            yield court.find("RB-MERGE", one, f"{unit.name} is rebuilt up to a division")
        if _marine(unit) and court.scenario.rules["rebuild"]:
            option = court.charts.option("marine_rebuild_elsewhere")
            if option is not True:
                yield court.find(
                    "RB-MARINE",
                    one,
                    f"{unit.name} is a Marine regiment; those are never rebuilt (24.0)",
                    settled=option is False,
                )
        elif _marine(unit):
            yield court.find(
                "RB-MARINE", one, f"{unit.name} is a Marine regiment; those are never rebuilt (24.0)", settled=True
            )


def _marine(unit: Unit) -> bool:
    regiments = {str(id).lower() for id in facts.units()["marine_regiments"]}
    return "marine" in unit.traits or bool(regiments & names.words(unit.name))


@check("bridge", ids=["ENG-SCENARIO", "ENG-ZOC", "ENG-RANGE", "ENG-PHASE", "ENG-EXTRA"])
def bridging(court: Court, act: Act) -> Iterator[Finding]:
    """One river hexside near an engineer, in a UN movement phase, out of North Korean zones."""
    if not court.scenario.rules["bridging"]:
        yield court.find(
            "ENG-SCENARIO",
            act,
            f"a bridge is laid in {court.scenario.title}; engineers bridge only on the Inchon map",
            side="UN",
        )
    if not court.may_be("UN", MOVEMENT):
        now = f"{court.phasing or ''} {court.phase or ''}".strip()
        yield court.find(
            "ENG-PHASE", act, f"a bridge is laid in the {now} phase; it is done in a UN movement phase", side="UN"
        )
    engineers = [(unit, hex) for unit, hex in court.position.on_map("UN") if unit.kind == "engineer"]
    sides = bridge_sides(court, act)
    for pair in sides:
        zone = court.zones_against("UN")
        holds = {hex for hex in pair if any(map(court.exerts, court.position.enemies_at(hex, "UN")))}
        inside = [hex for hex in sorted(pair) if court.at(hex) in zone.sure or hex in holds]
        if inside:
            sure = len(inside) == len(pair)
            yield court.find(
                "ENG-ZOC",
                act,
                f"the hexside {'/'.join(sorted(pair))} is in a North Korean zone of control",
                side="UN",
                sure=sure,
                missing=() if sure else ("whether a hexside is in a zone of control when only one of its hexes is",),
                in_zone=inside,
            )
        yield from _near_enough(court, act, engineers, pair)
    laid = [pair for pair, turn in court.bridges.items() if pair not in sides and turn in (court.turn, 0)]
    if laid or len(sides) > 1:
        option = court.charts.option("bridges_at_once")
        if option != 2 or len(laid) + len(sides) > 2:
            yield court.find(
                "ENG-EXTRA", act, "a second hexside is bridged in the same game turn", side="UN", settled=option == 1
            )


def _near_enough(court: Court, act: Act, engineers: list[tuple[Unit, str]], pair: frozenset[str]) -> Iterator[Finding]:
    limit = facts.rules()["engineer_range"] * TICKS
    board = court.board("UN")
    best: int | None = None
    doubtful = False
    for _, hex in engineers:
        for end in pair:
            if hex == end:
                return
            blocked = frozenset(court.at(where) for unit, where in court.position.on_map() if unit.side != "UN")
            path = find(board, court.at(hex), (court.at(end),), Reading(limit, blocked=blocked))
            if path is not None:
                if find(board, court.at(hex), (court.at(end),), Reading(limit, blocked=blocked, dear=True)) is not None:
                    return
                doubtful, best = True, path.total
    where = "/".join(sorted(pair))
    if doubtful:
        yield court.find(
            "ENG-RANGE",
            act,
            f"an engineer may be within four movement points of {where} ({points(best or 0)} at least)",
            side="UN",
            sure=False,
            missing=("terrain costs on the way",),
        )
    else:
        told = [f"{unit.name} in {hex}" for unit, hex in engineers]
        yield court.find(
            "ENG-RANGE", act, f"no engineer is within four movement points of {where}", side="UN", engineers=told
        )


@check("phase-over", ids=["ENG-PERSIST"])
def bridge_lifted(court: Court, act: Act) -> Iterator[Finding]:
    """The bridge is picked up when the game turn ends."""
    turn = act.fields.get("turn")
    later = isinstance(turn, int) and court.turn is not None and turn > court.turn
    ended = "turn" in plain(act.get("what", "name") or "") and "player" not in plain(act.get("what", "name") or "")
    over = court.must_be(None, ("turn-end",))
    if court.bridges and court.complete and (later or (ended and over)):
        where = ", ".join("/".join(sorted(pair)) for pair in court.bridges)
        yield court.find("ENG-PERSIST", act, f"the bridge at {where} is still there after its game turn", side="UN")
        court.bridges.clear()


@check("move", ids=["ENG-PERSIST"])
def stale_bridge(court: Court, act: Act) -> Iterator[Finding]:
    """A bridge laid on an earlier turn is gone, whoever crosses it."""
    stale = [pair for pair, turn in court.bridges.items() if turn and court.turn is not None and turn < court.turn]
    for pair in stale:
        crossed = act.exact and any(frozenset(two) == pair for two in pairwise(act.path))
        if crossed or (act.origin in pair and act.to in pair):
            yield court.find(
                "ENG-PERSIST",
                act,
                f"the bridge at {'/'.join(sorted(pair))} was laid on turn {court.bridges[pair]} and is gone",
            )
        del court.bridges[pair]
