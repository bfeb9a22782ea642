"""UN Bug-out in the Communist player turn (9.4)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu import facts
from referee.games.yalu.announced import fire_of
from referee.games.yalu.court import Court, check
from referee.games.yalu.fires import results
from referee.games.yalu.journeys import Search, allowance, mp
from referee.games.yalu.units import NEUTRALIZED
from referee.rules.board import NEVER
from referee.table.acts import Act
from referee.table.units import Unit
from referee.verdict import Finding


@check(
    "bugout",
    ids=["BUG-TURN", "BUG-ROK", "BUG-NEUTRAL", "BUG-BATTALION", "BUG-NOT-IN-ZOC", "BUG-STACKED", "BUG-NEUT-CONTINUES"],
)
def who(court: Court, act: Act) -> Iterator[Finding]:
    """Who may bug out, and when."""
    if court.turn == 1:
        yield court.find("BUG-TURN", act, "there is no Bug-out on the first turn")
    if court.ridgway in ("commands", "drm", "removed"):
        yield court.find("BUG-TURN", act, "Ridgway commands: no more Bug-outs")
    if len(act.units) > 1:
        yield court.find("BUG-STACKED", act, "units bug out one at a time")
    for id in act.units:
        unit, name = court.unit(id), court.name(id)
        if unit.nation == "ROK":
            yield court.find("BUG-ROK", act, f"{name} is ROK and may not bug out", units=(id,))
        if NEUTRALIZED in unit.traits:
            if id in court.bugged:
                yield court.find(
                    "BUG-NEUT-CONTINUES", act, f"{name} was Neutralized and stops where it is", units=(id,)
                )
            else:
                yield court.find("BUG-NEUTRAL", act, f"{name} is Neutralized and may not bug out", units=(id,))
        if unit.size == "battalion":
            yield court.find("BUG-BATTALION", act, f"{name} is a battalion and may not bug out", units=(id,))
        if unit.size is None and unit.kind is None:
            missing = (f"the size of {name}",)
            yield court.find(
                "BUG-BATTALION", act, f"{name} may be a battalion", sure=False, missing=missing, units=(id,)
            )
        if act.origin is not None and id not in court.bugged and court.in_zone(act.origin, facts.UN) is False:
            yield court.find(
                "BUG-NOT-IN-ZOC", act, f"{name} in {act.origin} is in no Communist zone of control", units=(id,)
            )


@check("retreat", ids=["BUG-NEUT-CONTINUES"])
def no_retreat(court: Court, act: Act) -> Iterator[Finding]:
    """Neutralized in a Bug-out: no retreat of two hexes (9.4.7)."""
    for id in act.units:
        if id in court.bugged and court.must_be(None, ("bugout",)):
            yield court.find(
                "BUG-NEUT-CONTINUES", act, f"{court.name(id)} was hit in its Bug-out and does not retreat", units=(id,)
            )


@check("bugout", ids=["BUG-PATH-DIFFERS"])
def same_path(court: Court, act: Act) -> Iterator[Finding]:
    """Units of one hex take the same path (9.4.2)."""
    if act.exact:
        for id, path in court.bugged.items():
            if id in act.units or not path or path[0] != act.origin or len(path) < 3 or len(act.path) < 3:
                continue
            short = min(len(path), len(act.path))
            if path[:short] != act.path[:short]:
                who_goes = ", ".join(map(court.name, act.units))
                text = f"{who_goes} goes by {'-'.join(act.path)}, {court.name(id)} went by {'-'.join(path)}"
                yield court.find("BUG-PATH-DIFFERS", act, text)


@check("phase-over", ids=["BUG-PATH"], partly={
    "BUG-PATH": "only a Bug-out that ends beside the enemy though it could have gone away is told",
})  # fmt: skip
def away(court: Court, act: Act) -> Iterator[Finding]:
    """A Bug-out ends as far from the enemy as it can (9.4.2); no single measure decides it."""
    if not court.must_be(None, ("bugout",)):
        return
    for id, path in court.bugged.items():
        hex = court.position.where(id)
        near = _nearest(court, hex) if hex else None
        if hex is None or near is None or near > 1 or not court.in_zone(hex, facts.UN) or _stopped(court, id, hex):
            continue
        others = [
            other
            for other in court.grid.neighbours(path[0])
            if (far := _nearest(court, other)) is not None
            and far > near
            and not court.position.enemies_at(other, facts.UN)
        ]
        if others:
            text = f"{court.name(id)} ends in {hex} next to Communist units; ways lead farther from them"
            yield court.find(
                "BUG-PATH", act, text, units=(id,), step=court.trails[id][-1][0] if id in court.trails else None
            )


def _nearest(court: Court, hex: str) -> int | None:
    far = [
        court.distance(hex, other)
        for unit, other in court.position.on_map(facts.COMMUNIST)
        if unit.kind != "guerrilla" and other in court.grid
    ]
    return min(far) if far else None


@check("phase-over", "story-over", ids=["BUG-FULL-MP"])
def full_points(court: Court, act: Act) -> Iterator[Finding]:
    """The whole allowance is used, unless fire or a supply source stops it (9.4.2)."""
    if not court.must_be(None, ("bugout",)) or (act.verb == "story-over" and act.step == 0):
        return
    for id, trail in court.trails.items():
        if id not in court.bugged:
            continue
        unit = court.unit(id)
        hexes = [hex for _, way, _ in trail for hex in way]
        stops = [hex for i, hex in enumerate(hexes) if i == 0 or hex != hexes[i - 1]]
        exact = all(one or (len(way) == 2 and court.touch(*way)) for _, way, one in trail)
        have = allowance(court, unit).usable
        spent = Search(court, unit, dear=True).cost(stops, [])
        if have is None or spent is None or _stopped(court, id, stops[-1]):
            continue
        left = have - spent
        further = [
            cost
            for there, cost in court.board_for(unit).steps(court.at(stops[-1]), True)
            if cost < NEVER and not court.position.enemies_at(court.grid.numbers[there], facts.UN)
        ]
        if further and left >= min(further):
            text = f"{unit.name} spent {mp(spent)} of {mp(have)} and could have gone on"
            missing = () if exact else ("the way it took",)
            yield court.find("BUG-FULL-MP", act, text, sure=exact, missing=missing, units=(id,), step=trail[-1][0])


def _stopped(court: Court, id: str, hex: str) -> bool:
    """Hit by fire, or on a friendly source of supply."""
    from referee.games.yalu.supply import Lines

    fires = [one for one in court.combats if id in one.defenders and one.kind == "bugout"]
    shot = any(results(court, one) != {"-"} for one in fires)
    return shot or court.grid.index.of.get(hex) in Lines(court, facts.UN, generous=True).sources


@check("phase-over", ids=["BUG-NOT-NEUTRAL"])
def neutralized(court: Court, act: Act) -> Iterator[Finding]:
    """A unit that bugged out ends Neutralized (9.4.8)."""
    if not court.must_be(None, ("bugout",)):
        return
    for id in court.bugged:
        if court.position.where(id) is not None and not court.has(id, NEUTRALIZED):
            yield court.find(
                "BUG-NOT-NEUTRAL", act, f"{court.name(id)} bugged out and has no Neutralized marker", units=(id,)
            )


@check("fire", ids=["BUG-FIRE-TWICE", "BUG-FIRE-START", "BUG-FIRE-ODDS", "ASP-FREE-FIRE"])
def fire(court: Court, act: Act) -> Iterator[Finding]:
    """Each Communist unit once in the phase, not at the start hex, without attack supply (9.4.3 to 9.4.6)."""
    combat = fire_of(court, act)
    if combat is None or combat.side != facts.COMMUNIST:
        return
    paid = combat.said.get("asp")
    if isinstance(paid, int) and paid and combat.kind in ("bugout", "defensive"):
        id = "ASP-FREE-FIRE"
        yield court.find(id, act, f"{paid} attack supply points are paid for a fire that costs nothing")
    if isinstance(paid, int) and paid and combat.kind == "assault" and not court.scenario.classic:  # C15: with the roll
        yield court.find("ASP-LATE", act, "attack supply is paid in Attack Designation")
    if combat.kind != "bugout":
        return
    for id in combat.attackers:
        before = [fact for fact in court.ledger.find("fired", id, turn=court.turn) if fact.more.get("kind") == "bugout"]
        if before:
            yield court.find("BUG-FIRE-TWICE", act, f"{court.name(id)} has fired in this Bug-out phase", units=(id,))
    for id in combat.defenders:
        hex = combat.stood.get(id)
        unit = combat.units[id]
        again = [
            fact
            for fact in court.ledger.find("fired-at", id, turn=court.turn)
            if fact.more.get("kind") == "bugout" and fact.more.get("hex") == hex
        ]
        if again:
            yield court.find("BUG-FIRE-TWICE", act, f"{unit.name} has been fired at in {hex}", units=(id,))
        if hex is not None and court.start.get(id) == hex and id not in court.bugged:
            yield court.find("BUG-FIRE-START", act, f"{unit.name} is still in its start hex {hex}", units=(id,))
        elif hex is not None and court.in_zone(hex, facts.UN) is False:
            yield court.find("BUG-FIRE-START", act, f"{hex} is in no Communist zone of control", units=(id,))


@check("advance", ids=["BUG-ADVANCE"])
def advance(court: Court, act: Act) -> Iterator[Finding]:
    """After all Bug-outs, from next to a vacated start hex into it (9.4.9)."""
    if not court.must_be(None, ("bugout",)) or act.to is None:
        return
    vacated = {path[0] for path in court.bugged.values() if path}
    vacated |= {fact.who for fact in court.ledger.find("vacated", turn=court.turn)}
    for id in act.units:
        unit: Unit = court.unit(id)
        if act.to not in vacated:
            missing = () if court.complete else ("whether the Bug-out was played before its phase was called out",)
            text = f"{act.to} was not vacated by a Bug-out"
            yield court.find("BUG-ADVANCE", act, text, sure=court.complete, missing=missing, units=(id,))
        elif act.origin is not None and not court.touch(act.origin, act.to):
            yield court.find("BUG-ADVANCE", act, f"{unit.name} in {act.origin} is not next to {act.to}", units=(id,))
    court.note("bug-advance", act.to, act)


@check("bugout", ids=["BUG-ADVANCE"])
def after_advance(court: Court, act: Act) -> Iterator[Finding]:
    """Nobody bugs out after the first advance."""
    if court.ledger.any("bug-advance", turn=court.turn, phase=court.phase):
        yield court.find("BUG-ADVANCE", act, "Communist units advanced before all Bug-outs were done")
