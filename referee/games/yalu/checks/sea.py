"""Sea transfer, amphibious evacuation, the airdrop, and leaving the map (9.3.5 to 9.3.8)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu import facts
from referee.games.yalu.court import Court, check
from referee.games.yalu.journeys import Search, allowance, mp
from referee.games.yalu.units import NEUTRALIZED
from referee.rules.board import ticks
from referee.table.acts import Act
from referee.table.ledger import Fact
from referee.verdict import Finding

_UN_MOVE = ("movement",)


def _left(act: Act) -> str | None:
    return act.path[-1] if act.path else act.origin


def _spent(court: Court, id: str) -> int:
    trail = [hex for _, hexes, _ in court.trails.get(id, ()) for hex in hexes]
    stops = [hex for i, hex in enumerate(trail) if i == 0 or hex != trail[i - 1]]
    return (Search(court, court.unit(id)).cost(stops, []) or 0) if len(stops) > 1 else 0


@check("embark", ids=["SEA-PORT", "SEA-MP", "SEA-LIMIT", "SEA-WEATHER", "SEA-PHASE"])
def embarks(court: Court, act: Act) -> Iterator[Finding]:
    """From a UN port, with 2 MP left, in UN movement, as the weather allows."""
    hex = _left(act)
    if not court.may_be(facts.UN, _UN_MOVE):
        yield court.find("SEA-PHASE", act, "sea transfer outside UN movement")
    for id in act.units:
        unit = court.unit(id)
        port = court.port(hex) if hex else None
        known = all(court.place(name) for name in facts.BOOK.rules["ports"]) or (
            hex is not None and court.ground.is_known(hex) and court.complete
        )
        if port is None and hex is not None:
            city = facts.BOOK.rules["garrison_embarks"]
            seoul = unit.kind == "garrison" and (hex in court.place(city) or city.lower() in unit.name.lower())
            if (
                not seoul
                and known
                and "port" not in court.ground.terrain(hex)
                and hex not in court.ground.regions.get("ports", ())
            ):
                yield court.find("SEA-PORT", act, f"{unit.name} embarks at {hex}, which is no port", units=(id,))
        if port and court.holder(port) == facts.COMMUNIST:
            yield court.find(
                "SEA-PORT", act, f"{unit.name} embarks at {port}, which the Communists control", units=(id,)
            )
        have, fee = allowance(court, unit).usable, ticks(facts.BOOK.rules["sea_transfer"])
        spent = _spent(court, id)
        if unit.kind != "garrison" and have is not None and spent + fee > have:
            text = f"{unit.name} spent at least {mp(spent)} and needs {mp(fee)} to embark; it has {mp(have)}"
            yield court.find("SEA-MP", act, text, units=(id,))
        yield from _weather(court, act, hex, id, "SEA-WEATHER", port)
        yield from _minor(court, act, port, id)


def _weather(court: Court, act: Act, hex: str | None, id: str, check_id: str, port: str | None) -> Iterator[Finding]:
    if hex is None:
        return
    if court.weather == facts.BOOK.rules["blizzard"]:
        north = court.north(hex)
        if north is not False:
            missing = () if north else (f"whether {hex} lies north of the Weather Line",)
            yield court.find(
                check_id,
                act,
                f"{court.name(id)} at {hex} in blizzard, north of the Weather Line",
                sure=bool(north),
                missing=missing,
                units=(id,),
            )
    frozen = facts.BOOK.rules["frozen_port"]
    if (
        port == frozen["name"]
        and court.weather in frozen["weather"]
        and check_id == "SEA-WEATHER"
        and court.scenario.rules["minor_ports"]
    ):
        yield court.find(check_id, act, f"{port} is closed in {court.weather} weather", units=(id,))


def _minor(court: Court, act: Act, port: str | None, id: str) -> Iterator[Finding]:
    """One regiment in or out of Iwon and of Chinampo a UN player turn (9.3.5.3)."""
    if port not in facts.BOOK.rules["minor_ports"] or not court.scenario.rules["minor_ports"]:
        return
    weight = facts.BOOK.rules["load"]
    size = weight.get(court.unit(id).size)
    if court.unit(id).kind is not None or size is None:
        return
    both = court.charts.option("minor_port_both_ways")
    now, other = size, 0
    leaving = act.verb == "embark"
    for word in ("embarked", "landed"):
        for fact in court.ledger.find(word, turn=court.turn):
            place = fact.more.get("at")
            if fact.who != id and place and court.port(place) == port and fact.who in court.position.units:
                more = weight.get(court.unit(fact.who).size) or 0
                if (word == "embarked") == leaving:
                    now += more
                else:
                    other += more
    limit = weight["regiment"]
    if now > limit or now + other > limit:
        sure = now > limit or both == "total"
        missing = () if sure else ("whether the limit counts in and out together (option minor_port_both_ways)",)
        if now > limit or both != "each":
            thirds = now + (0 if now > limit else other)
            text = f"{port} is a minor port: one regiment a UN player turn, this makes {thirds}/3 regiments"
            yield court.find("SEA-LIMIT", act, text, sure=sure, missing=missing, units=(id,))


@check("evacuate", ids=["EVAC-START", "EVAC-WEATHER", "SEA-PHASE"])
def evacuates(court: Court, act: Act) -> Iterator[Finding]:
    """From the coastal hex in which the unit began its turn."""
    if not court.may_be(facts.UN, _UN_MOVE):
        yield court.find("SEA-PHASE", act, "amphibious evacuation outside UN movement")
    for id in act.units:
        hex = court.position.where(id)
        start = court.start.get(id)
        if start is not None and hex is not None and start != hex:
            yield court.find(
                "EVAC-START", act, f"{court.name(id)} began its turn in {start}, not in {hex}", units=(id,)
            )
        elif hex is not None and court.is_coastal(hex) is False:
            yield court.find("EVAC-START", act, f"{court.name(id)} is in {hex}, no coastal hex", units=(id,))
        yield from _weather(court, act, hex, id, "EVAC-WEATHER", None)


def _fate(court: Court, die: int) -> str | None:
    """Die against the weather die: safe, neutralized or destroyed (9.3.6.1, 9.3.7.1)."""
    if court.weather_die is None:
        return None
    return "safe" if die > court.weather_die else "neutralized" if die == court.weather_die else "destroyed"


def _trials(court: Court) -> Iterator[tuple[str, str, int, int]]:
    """Every evacuation and airdrop die of this phase: unit, id, die, step."""
    for purpose, id in (("evacuation", "EVAC-RESULT"), ("airdrop", "DROP-RESULT")):
        for fact in court.ledger.find("rolled", purpose, turn=court.turn, phase=court.phase):
            for unit, die in zip(fact.more.get("units", ()), fact.more.get("dice", ()), strict=False):
                yield unit, id, die, fact.step


@check("phase-over", "story-over", ids=["EVAC-RESULT", "DROP-RESULT"])
def outcome(court: Court, act: Act) -> Iterator[Finding]:
    """What the die said is what happened."""
    for id, check_id, die, step in _trials(court):
        fate = _fate(court, die)
        if fate is None or id not in court.position.units or (act.verb == "story-over" and act.step <= step):
            continue
        dead = id in court.position.dead or court.ledger.any("eliminated", id, turn=court.turn, phase=court.phase)
        tired = court.has(id, NEUTRALIZED)
        before = court.ledger.any("was-neutralized", id, turn=court.turn, phase=court.phase) is not None
        if fate == "neutralized" and before:
            fate = "destroyed"
        wrong = (
            (fate == "destroyed" and not dead)
            or (fate == "safe" and (dead or (tired and not before)))
            or (fate == "neutralized" and (dead or not tired))
        )
        if wrong:
            state = "eliminated" if dead else "Neutralized" if tired else "unharmed"
            text = f"{court.name(id)}: die {die} against weather die {court.weather_die} means {fate}; it is {state}"
            yield court.find(check_id, act, text, units=(id,))


@check("roll", ids=["EVAC-RESULT"])
def remember(court: Court, act: Act) -> Iterator[Finding]:
    """Was the unit Neutralized before the die (14.3)?"""
    if act.fields.get("purpose") in ("evacuation", "airdrop"):
        for id in act.units:
            if court.has(id, NEUTRALIZED):
                court.note("was-neutralized", id, act)
    return
    yield


@check("enter", ids=["SEA-EARLY", "SEA-DEST", "SEA-LIMIT", "SEA-WEATHER", "SEA-GARRISON-RETURN", "EVAC-DEST"])
def lands(court: Court, act: Act) -> Iterator[Finding]:
    """Back from the sea: when and where."""
    if act.to is None:
        return
    for id in act.units:
        unit = court.unit(id)
        if unit.kind == "garrison" and (court.ledger.any("embarked", id) or act.fields.get("mode") == "land"):
            yield court.find(
                "SEA-GARRISON-RETURN", act, f"{unit.name} was taken off by sea and left the game for good", units=(id,)
            )
            continue
        gone = _last(court, "embarked", id)
        saved = _last(court, "evacuated", id)
        port = court.port(act.to)
        pusan = act.to in court.to_pusan()
        if gone is not None:
            court.note("landed", id, act, at=act.to)
            yield from _due(court, act, id, gone, "SEA-EARLY", pusan)
            if port and court.holder(port) == facts.COMMUNIST:
                yield court.find(
                    "SEA-DEST", act, f"{unit.name} lands at {port}, which the Communists control", units=(id,)
                )
            elif port is None and not pusan and (court.city(act.to) or court.is_city(act.to) is False):
                yield court.find(
                    "SEA-DEST", act, f"{unit.name} lands at {act.to}: neither a port nor a To Pusan hex", units=(id,)
                )
            yield from _weather(court, act, act.to, id, "SEA-WEATHER", port)
            yield from _minor(court, act, port, id)
        elif saved is not None:
            yield from _due(court, act, id, saved, "EVAC-DEST", pusan)
            due = facts.BOOK.rules["evacuation_port"]
            inchon = court.place(due)
            if not pusan and act.to not in inchon and (inchon or port not in (None, due)):
                yield court.find(
                    "EVAC-DEST", act, f"{unit.name} was evacuated and lands at {act.to}, not at {due}", units=(id,)
                )


def _last(court: Court, what: str, id: str) -> Fact | None:
    facts_ = list(court.ledger.find(what, id))
    back = list(court.ledger.find("entered", id))
    if not facts_ or (back and back[-1].step > facts_[-1].step > 0):
        return None
    return facts_[-1]


def _due(court: Court, act: Act, id: str, gone: Fact, check_id: str, pusan: bool) -> Iterator[Finding]:
    """The next UN reinforcement phase, a turn later at a To Pusan hex."""
    if gone.turn is None or court.turn is None:
        return
    wait = 2 if pusan else 1
    if court.turn < gone.turn + wait:
        when = court.turn_words(gone.turn)
        place = "a To Pusan hex" if pusan else "a port"
        text = (
            f"{court.name(id)} left by sea on {when}: at {place} no earlier than {court.turn_words(gone.turn + wait)}"
        )
        yield court.find(check_id, act, text, units=(id,))


@check("airdrop", ids=["DROP-UNIT", "DROP-START", "DROP-TARGET", "DROP-MOVE"])
def drops(court: Court, act: Act) -> Iterator[Finding]:
    """Only the 187th, from a city, to an open land hex, and nothing else that turn."""
    for id in act.units:
        unit = court.unit(id)
        if "airborne" not in unit.traits:
            yield court.find("DROP-UNIT", act, f"{unit.name} is not the 187th Airborne", units=(id,))
        start = court.start.get(id) or act.origin
        if start is not None and court.is_city(start) is False:
            yield court.find("DROP-START", act, f"{unit.name} began the phase in {start}, no city", units=(id,))
        if court.trails.get(id):
            yield court.find("DROP-MOVE", act, f"{unit.name} has moved and drops", units=(id,))
        if act.to is None:
            continue
        enemies = [one.name for one in court.position.enemies_at(act.to, unit.side) if one.kind != "guerrilla"]
        if court.is_sea(act.to):
            yield court.find("DROP-TARGET", act, f"{act.to} is sea", units=(id,))
        elif enemies:
            yield court.find("DROP-TARGET", act, f"{act.to} is held by {', '.join(enemies)}", units=(id,))
        elif court.in_zone(act.to, unit.side):
            yield court.find("DROP-TARGET", act, f"{act.to} is in an enemy zone of control", units=(id,))


@check("move", "rail", ids=["DROP-MOVE"])
def moves_after_drop(court: Court, act: Act) -> Iterator[Finding]:
    """No normal movement after a drop (9.3.7.2)."""
    for id in act.units:
        if court.ledger.any("dropped", id, turn=court.turn, phase=court.phase):
            yield court.find("DROP-MOVE", act, f"{court.name(id)} dropped this phase and moves", units=(id,))


@check("exit", ids=["OFF-EXIT", "OFF-COM"])
def leaves(court: Court, act: Act) -> Iterator[Finding]:
    """UN units leave by a To Pusan hex with 1 MP left (9.3.8)."""
    for id in act.units:
        unit, hex = court.unit(id), _left(act)
        if unit.kind in ("naval", "air", "guerrilla", "conscript"):
            continue
        if unit.side == facts.COMMUNIST:
            yield court.find("OFF-COM", act, f"{unit.name} leaves the map; only UN units may", units=(id,))
            continue
        if hex is not None and hex not in court.to_pusan():
            yield court.find("OFF-EXIT", act, f"{unit.name} leaves the map at {hex}, no To Pusan hex", units=(id,))
            continue
        have, fee = allowance(court, unit).usable, ticks(facts.BOOK.rules["off_map"])
        spent = _spent(court, id)
        if have is not None and spent + fee > have and not court.scenario.classic:  # C28.H asks for no point
            yield court.find(
                "OFF-EXIT",
                act,
                f"{unit.name} spent at least {mp(spent)} of {mp(have)} and needs {mp(fee)} to leave",
                units=(id,),
            )


@check("enter", ids=["OFF-ENTRY"])
def returns(court: Court, act: Act) -> Iterator[Finding]:
    """By the other road, in the second UN movement phase after (9.3.8)."""
    for id in act.units:
        gone = _last(court, "exited", id)
        if gone is None or act.to is None or court.unit(id).side != facts.UN:
            continue
        if gone.turn is not None and court.turn is not None and court.turn < gone.turn + 2:
            text = f"{court.name(id)} left on {court.turn_words(gone.turn)}: back on {court.turn_words(gone.turn + 2)}"
            yield court.find("OFF-ENTRY", act, text, units=(id,))
        elif act.to in (gone.more.get("at"), gone.more.get("from")):
            yield court.find(
                "OFF-ENTRY", act, f"{court.name(id)} left by {act.to} and comes back by the same road", units=(id,)
            )
