"""Bombardment and counter-battery fire: when, where, how far from a headquarters (8.4 to 8.6, 19.0)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.korean_battles import facts
from referee.games.korean_battles.apply import bombarding_side
from referee.games.korean_battles.court import Court, check
from referee.games.korean_battles.interpret import targets_of
from referee.games.korean_battles.support import uses_in
from referee.table.acts import Act
from referee.table.combat import Combat, SupportUse
from referee.verdict import Finding


@check("bombard", ids=["BOMB-WRONG-PLAYER", "BOMB-EMPTY", "BOMB-TWICE", "BOMB-THREE", "BOMB-NO-HQ"])
def bombardment(court: Court, act: Act) -> Iterator[Finding]:
    """In the own combat phase, at a hex with an enemy, once a game turn, with at most two markers."""
    targets, _ = targets_of(court, act.fields)
    side = act.side or bombarding_side(court, act, targets)
    if side is None:
        return
    if not court.may_be(side, ("combat", "mobile-combat")):
        now = f"{court.phasing or ''} {court.phase or ''}".strip()
        yield court.find("BOMB-WRONG-PLAYER", act, f"the {side} bombard in the {now} phase", side=side)
    elif court.must_be(side, ("mobile-combat",)) and court.charts.option("mobile_phase_bombardment") is not True:
        option = court.charts.option("mobile_phase_bombardment")
        yield court.find(
            "BOMB-WRONG-PLAYER",
            act,
            f"the {side} bombard in their mobile combat phase",
            side=side,
            sure=option is False,
            missing=()
            if option is False
            else ("whether the mobile combat phase has bombardments (option mobile_phase_bombardment)",),
        )
    for hex in targets:
        if not court.position.enemies_at(hex, side):
            yield court.find("BOMB-EMPTY", act, f"there is no enemy of the {side} in {hex}", side=side, hex=hex)
        earlier = list(court.ledger.find("bombarded", hex, turn=court.turn))
        if earlier:
            yield court.find("BOMB-TWICE", act, f"{hex} was already bombarded this game turn", side=side, hex=hex)
        combat = Combat("bombardment", act.step, side, (), targets, ())
        count = sum(use.side == side for use in uses_in(court, act, side, combat))
        before = sum(int(fact.more.get("markers") or 0) for fact in earlier if fact.side in (None, side))
        if count + before > facts.rules()["support_limit"]:
            yield court.find(
                "BOMB-THREE",
                act,
                f"{count + before} markers bombard {hex} in one player turn; two is the limit",
                side=side,
                hex=hex,
            )
    if not any(unit.kind == "hq" for unit, _ in court.position.on_map(side)):
        yield court.find("BOMB-NO-HQ", act, f"the {side} have no headquarters on the map", side=side)


@check("after-bombard", "support", "counter_battery", ids=["BOMB-RANGE", "CB-RANGE", "BOMB-THREE"])
def range_from_hq(court: Court, act: Act) -> Iterator[Finding]:
    """A marker reaches as many hexes as its value, counted from any own headquarters."""
    combat = court.combat
    if combat is None or combat.closed or combat.kind != "bombardment" or combat.side is None:
        return
    after = act.verb == "after-bombard"
    new = [use for use in combat.support if use.step == act.step] if after else list(uses_in(court, act, None, combat))
    if not after:
        own = sum(use.side == combat.side for use in [*combat.support, *new])
        if own > facts.rules()["support_limit"]:
            yield court.find(
                "BOMB-THREE",
                act,
                f"{own} markers bombard {combat.target} in one player turn; two is the limit",
                side=combat.side,
            )
    for use in new:
        if use.side is None or use.value is None:
            continue
        reach = _nearest_hq(court, use, combat)
        if reach is None:
            if use.side != combat.side:
                yield court.find(
                    "CB-RANGE",
                    act,
                    f"the {use.side} have no headquarters on the map for counter-battery fire",
                    side=use.side,
                )
            continue
        name, far = reach
        if far > use.value:
            check_id = "BOMB-RANGE" if use.side == combat.side else "CB-RANGE"
            yield court.find(
                check_id,
                act,
                f"{combat.target} is {far} hexes from {name}, the nearest own headquarters; {use.marker} "
                f"reaches {use.value}",
                side=use.side,
                distance=far,
                value=use.value,
            )


def _nearest_hq(court: Court, use: SupportUse, combat: Combat) -> tuple[str, int] | None:
    if combat.target is None or use.side is None:
        return None
    found = [
        (court.distance(hex, combat.target), unit.name)
        for unit, hex in court.position.on_map(use.side)
        if unit.kind == "hq"
    ]
    if not found:
        return None
    far, name = min(found)
    return name, far
