"""Advance after combat (7.8, 7.9)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.korean_battles.court import Court, check
from referee.games.korean_battles.outcome import outcomes, retreat_length
from referee.table.acts import Act
from referee.table.combat import Combat
from referee.verdict import Finding


@check(
    "advance",
    ids=[
        "ADV-DEFENDER",
        "ADV-NONPARTICIPANT",
        "ADV-NO-CAUSE",
        "ADV-AFTER-ELIM",
        "ADV-AFTER-STIFF",
        "ADV-LATE",
        "ADV-BOMBARD",
        "ADV-OFF-PATH",
        "STACK-ADVANCE",
        "MOVE-ENEMY-HEX",
    ],
)
def advance(court: Court, act: Act) -> Iterator[Finding]:
    """Who advances, after what, and where."""
    for id in act.units:
        one = act.of(id)
        name = court.name(id)
        combat = court.combat
        if combat is None or combat.closed or id not in (*combat.attackers, *combat.defenders):
            earlier = next((old for old in reversed(court.combats) if id in old.attackers and old is not combat), None)
            newer = combat if combat is not None and not combat.closed else None
            if earlier is not None and (newer is not None or combat is None or combat.closed):
                yield court.find(
                    "ADV-LATE",
                    one,
                    f"{name} advances after the combat of action {earlier.step} when something else had begun",
                )
                continue
        if combat is None:
            if court.complete:
                yield court.find("ADV-NO-CAUSE", one, f"{name} advances and there was no combat that let it")
            continue
        if combat.kind == "bombardment":
            yield court.find("ADV-BOMBARD", one, f"{name} advances after a bombardment, in which no unit takes part")
            continue
        if id in combat.defenders:
            yield court.find("ADV-DEFENDER", one, f"{name} defended and advances")
            continue
        if id not in combat.attackers:
            check_id = "ADV-DEFENDER" if court.unit(id).side != combat.side else "ADV-NONPARTICIPANT"
            yield court.find(check_id, one, f"{name} took no part in the attack and advances")
            continue
        yield from _cause(court, one, combat)
        yield from _place(court, one, combat)


def _cause(court: Court, act: Act, combat: Combat) -> Iterator[Finding]:
    """A defender was driven back; elimination outright is a question of reading; stiff resistance bars the hex."""
    name = court.name(act.units[0])
    real = list(combat.defenders)
    gone = [id for id in real if id in combat.retreats]
    if act.to is not None and court.position.enemies_at(act.to, court.unit(act.units[0]).side):
        yield court.find("MOVE-ENEMY-HEX", act, f"{name} advances into {act.to}, which an enemy unit holds")
    if gone:
        return
    codes = outcomes(court, combat)
    driven = {code for code in codes if retreat_length(code, False)}
    dead = [id for id in real if id in combat.removed]
    alive = [id for id in real if id not in combat.removed]
    sure = bool(codes)
    if driven and driven == codes:
        whole = [id for id in dead if combat.last_step(id) is False and id not in (*combat.losses, *combat.stiff)]
        if whole:
            return  # a full unit taken off did not resist, whatever else was wrong with that
        held = [id for id in real if combat.lost(id) or id in combat.stiff]
        free = [id for id in dead if id not in combat.stiff and id in combat.trapped]
        if held and not (dead and len(free) == len(dead) and not alive):
            yield court.find(
                "ADV-AFTER-STIFF",
                act,
                f"{', '.join(map(court.name, held))} held the hex by stiff resistance; {name} cannot advance into it",
                sure=sure,
            )
        elif not held:
            yield court.find("ADV-NO-CAUSE", act, f"{name} advances although no defender has retreated", sure=sure)
        return
    if dead and not alive and codes & {"De", "Ex"}:
        option = court.charts.option("advance_after_elimination")
        if option is not True:
            yield court.find(
                "ADV-AFTER-ELIM",
                act,
                f"{name} advances after the defender was eliminated outright (7.9 has two readings)",
                settled=option is False,
            )
        return
    if not driven or alive:
        what = " or ".join(sorted(codes)) or "no result"
        yield court.find(
            "ADV-NO-CAUSE",
            act,
            f"{name} advances after {what}; no defender has retreated",
            sure=sure and not driven,
            missing=("the result of the combat",) if driven or not codes else (),
        )


def _place(court: Court, act: Act, combat: Combat) -> Iterator[Finding]:
    """Only into the hexes that the defender left behind, one unit each."""
    if act.to is None or act.origin is None:
        return
    name = court.name(act.units[0])
    left = set(combat.targets)
    for id, way in combat.retreats.items():
        if id in combat.attackers:
            continue
        if way.exact:
            left |= set(way.path)
        else:
            far = court.distance(way.origin, way.to)
            left |= {
                hex
                for hex in court.grid.within(way.origin, far)
                if court.distance(way.origin, hex) + court.distance(hex, way.to) == far
            }
        if id not in combat.removed:
            left.discard(way.to)
    strayed = [hex for hex in (act.path[1:] if act.exact else (act.to,)) if hex not in left]
    if strayed:
        yield court.find(
            "ADV-OFF-PATH",
            act,
            f"{name} advances to {', '.join(strayed)}, off the path of retreat",
            path_of_retreat=sorted(left),
        )
    others = [other for other, hex in combat.advances.items() if hex == act.to and other != act.units[0]]
    if others or len(act.units) > 1:
        yield court.find(
            "STACK-ADVANCE", act, f"{name} and {', '.join(map(court.name, others))} both advance into {act.to}"
        )
