"""Applying a result (7.6 to 7.8, 8.4, 14.0, 20.0, 24.0), judged when the combat is over.

For each result that the combat may have had, the breaches of what was done are listed. If some result fits without a
breach there is nothing to say; if none fits, the breaches common to all of them are proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from referee.games.korean_battles.arithmetic import columns, results, shown
from referee.games.korean_battles.court import Court, check
from referee.games.korean_battles.outcome import outcomes, retreat_length
from referee.table.acts import Act
from referee.table.combat import Combat
from referee.verdict import Finding


class Breach(NamedTuple):
    """One thing done wrong under one result."""

    check: str
    message: str
    units: tuple[str, ...]
    sure: bool = True
    missing: tuple[str, ...] = ()


_IDS = [
    "RES-DE-IGNORED", "RES-AE-IGNORED", "RES-EX-PARTIAL", "RES-A-LOSS", "RES-EXCESS", "RES-DOT-CHANGED", "RET-NONE",
    "RET-LENGTH", "RET-SHORT-NO-LOSS", "HW-NO-LOSS", "BOMB-A-APPLIED", "BOMB-FRIENDLY-MISSED", "BOMB-FRIENDLY-WRONG",
    "CMB-CRT-MISREAD",
]  # fmt: skip


@check("combat-over", ids=_IDS)
def applied(court: Court, act: Act) -> Iterator[Finding]:
    """Was the result applied, all of it and nothing more?"""
    combat = court.combat
    if combat is None or not court.complete or (not combat.rolls and combat.said.get("result") is None):
        return
    codes = outcomes(court, combat)
    if not codes or (act.get("closed_by") == "end" and combat.last_change is None):
        return  # a story that stops at the roll leaves the rest untold
    judge = _bombarded if combat.kind == "bombardment" else _fought
    breaches = {code: list(judge(court, combat, code)) for code in sorted(codes)}
    if any(not found for found in breaches.values()):
        return
    step = combat.last_change if combat.last_change is not None else act.step
    told: dict[str, Any] = {"results": sorted(codes), "die": combat.die, "columns": shown(columns(court, combat))}
    common = set.intersection(*({breach.check for breach in found} for found in breaches.values()))
    for breach in next(iter(breaches.values())):
        if breach.check not in common:
            continue
        yield court.find(
            breach.check,
            act,
            breach.message,
            step=_when(combat, breach, act),
            units=breach.units,
            sure=all(any(one.check == breach.check and one.sure for one in found) for found in breaches.values()),
            missing=breach.missing,
            side=court.unit(breach.units[0]).side if breach.units else combat.side,
            **told,
        )
    proved = all(any(breach.sure for breach in found) for found in breaches.values())
    if not common:
        yield court.find(
            "CMB-CRT-MISREAD",
            act,
            f"what was done fits none of the results {', '.join(sorted(codes))}",
            step=step,
            side=combat.side,
            units=combat.attackers,
            sure=proved,
            missing=() if proved else ("which of the results it was",),
            **told,
        )
    only_the_wave = common == {"HW-NO-LOSS"}
    if combat.said.get("result") is None and len(breaches) == 1 and proved and not only_the_wave:
        first = next(iter(breaches.values()))[0]
        yield from _another_result(court, act, combat, _when(combat, first, act), codes)


_OMITTED = ("RES-EX-PARTIAL", "RES-A-LOSS", "RET-NONE", "HW-NO-LOSS", "BOMB-FRIENDLY-MISSED")


def _when(combat: Combat, breach: Breach, act: Act) -> int:
    """The act to blame: what was done to the unit; for something left undone, the act that moved on without it."""
    if breach.check not in _OMITTED:
        done = [combat.touched[id] for id in breach.units if id in combat.touched]
        if done:
            return max(done)
    if act.get("closed_by") == "end" and combat.last_change is not None:
        return combat.last_change
    return act.step


def _another_result(court: Court, act: Act, combat: Combat, step: int, codes: set[str]) -> Iterator[Finding]:
    """Something was done that fits another line of the table well: the table was misread."""
    judge = _bombarded if combat.kind == "bombardment" else _fought
    other = [
        code
        for code in ("De", "D3", "D2", "Ex", "A1", "A2", "A3", "(A)", "Ae")
        if code not in codes
        and not (code == "Ae" and combat.kind == "bombardment")  # nothing can be told from it (8.4.2)
        and not list(judge(court, combat, code))
    ]
    if other and combat.last_change is not None:
        right = " or ".join(sorted(codes))
        told: dict[str, Any] = {
            "die": combat.die,
            "columns": shown(columns(court, combat)),
            "results": sorted(results(court, combat)),
        }
        yield court.find(
            "CMB-CRT-MISREAD",
            act,
            f"{' or '.join(other)} was applied; the table gives {right}",
            step=step,
            side=combat.side,
            units=combat.attackers,
            **told,
        )


def _wave_loss(combat: Combat, id: str) -> int:
    return 1 if id in combat.doubled else 0


def _fought(court: Court, combat: Combat, code: str) -> Iterator[Breach]:
    attackers, defenders = combat.attackers, tuple(id for id in combat.defenders if not court.unit(id).dummy)
    for id in attackers:
        if id in combat.doubled and combat.lost(id) == 0:
            yield Breach("HW-NO-LOSS", f"{court.name(id)} attacked doubled and loses no step", (id,))
    owed = {id: _wave_loss(combat, id) for id in attackers}
    if not defenders and not combat.target:
        return
    n_defender, n_attacker = retreat_length(code, False), retreat_length(code, True)
    if code == "De":
        alive = tuple(id for id in defenders if id not in combat.removed)
        if alive:
            yield Breach("RES-DE-IGNORED", f"De eliminates every defender; {_names(court, alive)} remains", alive)
        yield from _none(court, combat, attackers, code, owed)
    elif code == "Ae":
        alive = tuple(id for id in attackers if id not in combat.removed)
        if alive:
            yield Breach("RES-AE-IGNORED", f"Ae eliminates every attacker; {_names(court, alive)} remains", alive)
        yield from _none(court, combat, defenders, code, {})
    elif code == "Ex":
        hit_a = _hit(combat, attackers, owed)
        hit_d = [id for id in defenders if combat.lost(id) > 0]
        if hit_d and not hit_a and (unpaid := _owes_both(combat, attackers)):
            yield _one_step_short(court, unpaid, code)
        elif (attackers and not hit_a) or (defenders and not hit_d):
            side = "the attacker" if not hit_a else "the defender"
            yield Breach(
                "RES-EX-PARTIAL",
                f"Ex costs each side a step; {side} lost none",
                tuple(attackers if not hit_a else defenders),
            )
        yield from _too_many(court, combat, hit_a, owed, code)
        yield from _too_many(court, combat, hit_d, {}, code)
        yield from _moved(court, combat, (*attackers, *defenders), code)
    elif code == "(A)":
        hit = _hit(combat, attackers, owed)
        if not hit and (unpaid := _owes_both(combat, attackers)):
            yield _one_step_short(court, unpaid, code)
        elif attackers and not hit:
            yield Breach("RES-A-LOSS", "(A) costs one attacker a step; none was lost", tuple(attackers))
        yield from _too_many(court, combat, hit, owed, code)
        yield from _none(court, combat, defenders, code, {})
        yield from _moved(court, combat, attackers, code)
    elif code == ".":
        yield from _none(court, combat, (*attackers, *defenders), code, owed, "RES-DOT-CHANGED")
    elif n_defender is not None:
        yield from _driven(court, combat, defenders, n_defender, {}, code)
        yield from _none(court, combat, attackers, code, owed)
    elif n_attacker is not None:
        yield from _driven(court, combat, attackers, n_attacker, owed, code)
        yield from _none(court, combat, defenders, code, {})
    bystanders = [id for id in (*combat.losses, *combat.removed) if id not in attackers and id not in combat.defenders]
    for id in dict.fromkeys(bystanders):
        yield Breach(
            "RES-EXCESS" if code != "." else "RES-DOT-CHANGED",
            f"{court.name(id)} took no part in the combat and loses a step",
            (id,),
        )


def _hit(combat: Combat, ids: tuple[str, ...], owed: dict[str, int]) -> list[str]:
    """Units that lost a step beyond what they owed; a unit that died of its human wave has no more to give."""
    found = [id for id in ids if combat.lost(id) > owed[id]]
    return found or [id for id in ids if owed[id] and id in combat.removed][:1]


def _owes_both(combat: Combat, attackers: tuple[str, ...]) -> tuple[str, ...]:
    """Doubled units that lost one step: for the result or for the human wave, but both ask for one."""
    return tuple(id for id in attackers if id in combat.doubled and combat.lost(id) == 1 and id not in combat.removed)


def _one_step_short(court: Court, ids: tuple[str, ...], code: str) -> Breach:
    message = f"{_names(court, ids)} attacked doubled: {code} costs the attacker a step and the human wave another"
    return Breach("HW-NO-LOSS", message, ids)


def _names(court: Court, ids: tuple[str, ...] | list[str]) -> str:
    return ", ".join(map(court.name, ids))


def _none(
    court: Court, combat: Combat, ids: tuple[str, ...], code: str, owed: dict[str, int], check: str = "RES-EXCESS"
) -> Iterator[Breach]:
    """Nothing may happen to these units but what they owe for their human wave."""
    for id in ids:
        at_once = id in combat.removed and id not in combat.losses and combat.last_step(id) is False  # both its steps
        if combat.lost(id) + at_once > owed.get(id, 0):
            yield Breach(check, f"{court.name(id)} loses a step; {_said(code)} asks for none of it", (id,))
    yield from _moved(court, combat, ids, code, check)


def _moved(
    court: Court, combat: Combat, ids: tuple[str, ...], code: str, check: str = "RES-EXCESS"
) -> Iterator[Breach]:
    for id in ids:
        if id in combat.retreats:
            yield Breach(check, f"{court.name(id)} retreats; {_said(code)} asks for no retreat of it", (id,))


def _too_many(court: Court, combat: Combat, hit: list[str], owed: dict[str, int], code: str) -> Iterator[Breach]:
    """One unit loses one step."""
    if len(hit) > 1:
        yield Breach(
            "RES-EXCESS",
            f"{_said(code)} costs one unit of a side a step; {_names(court, hit)} lost one each",
            tuple(hit),
        )
    for id in hit:
        if not (owed.get(id) and combat.lost(id) == 1):  # taken off at once: one step for the wave, one for the result
            yield from _whole_unit(court, combat, id, combat.lost(id) - owed.get(id, 0), code)


def _whole_unit(court: Court, combat: Combat, id: str, lost: int, code: str) -> Iterator[Breach]:
    full = combat.last_step(id)
    if lost > 1:
        yield Breach("RES-EXCESS", f"{court.name(id)} loses {lost} steps; {_said(code)} costs one", (id,))
    elif id in combat.removed and full is not True and id not in combat.losses:
        missing = () if full is False else (f"whether {court.name(id)} has a depleted side",)
        yield Breach(
            "RES-EXCESS",
            f"{court.name(id)} is removed; a full unit only turns to its depleted side",
            (id,),
            full is False,
            missing,
        )


def _said(code: str) -> str:
    return "a result of no effect" if code == "." else code


def _driven(
    court: Court, combat: Combat, ids: tuple[str, ...], length: int, owed: dict[str, int], code: str
) -> Iterator[Breach]:
    """Each unit retreats or loses a step instead; a retreat cut short costs a step, an impossible one the unit."""
    spent = [id for id in ids if owed.get(id) and id in combat.removed]
    stood = [id for id in ids if id not in (*combat.retreats, *spent) and combat.lost(id) - owed.get(id, 0) <= 0]
    paid = [id for id in ids if id not in combat.retreats and combat.lost(id) - owed.get(id, 0) > 0]
    one_for_all = court.charts.option("stiff_one_for_all")
    if stood and not (paid and one_for_all):
        sure = not paid or one_for_all is False
        missing = (
            ()
            if sure
            else (
                "whether one step loss spares every unit of the side (7.8 and the table's key differ, option "
                "stiff_one_for_all)",
            )
        )
        yield Breach(
            "RET-NONE",
            f"{_names(court, stood)} must retreat {length} or lose a step and did neither",
            tuple(stood),
            sure,
            missing,
        )
    for id in paid:
        lost = combat.lost(id) - owed.get(id, 0)
        whole = id in combat.removed and combat.last_step(id) is not True and id not in combat.losses
        if (lost > 1 or whole) and id not in combat.trapped:
            yield from _whole_unit(court, combat, id, lost, code)
    for id in ids:
        way = combat.retreats.get(id)
        if way is None:
            continue
        far, lost = court.distance(way.origin, way.to), combat.lost(id) - owed.get(id, 0)
        if far < length and lost <= 0:
            yield Breach(
                "RET-SHORT-NO-LOSS", f"{court.name(id)} retreats {far} of {length} hexes and loses no step", (id,)
            )
        if (far != length and lost <= 0) or far > length:
            yield Breach(
                "RET-LENGTH", f"{court.name(id)} ends {far} hexes from the combat hex; {code} asks for {length}", (id,)
            )
        if far >= length and lost > 0:
            yield Breach("RES-EXCESS", f"{court.name(id)} makes its whole retreat and loses a step too", (id,))


def _bombarded(court: Court, combat: Combat, code: str) -> Iterator[Breach]:
    """Bombardment: the target suffers as in combat; A1 to A3 do nothing; (A) hits the nearest own unit (8.4, 8.4.2)."""
    defenders = tuple(id for id in combat.defenders if not court.unit(id).dummy)
    own = [
        id
        for id in dict.fromkeys((*combat.losses, *combat.removed, *combat.retreats))
        if court.unit(id).side == combat.side
    ]
    length = retreat_length(code, False)
    if code in ("A1", "A2", "A3"):
        for id in dict.fromkeys((*combat.losses, *combat.removed, *combat.retreats)):
            yield Breach("BOMB-A-APPLIED", f"{code} of a bombardment is ignored; {court.name(id)} was changed", (id,))
        return
    if code == "(A)":
        nearest = nearest_own(court, combat)
        hit = [id for id in own if combat.lost(id)]
        if not hit and nearest:
            yield Breach(
                "BOMB-FRIENDLY-MISSED",
                f"(A) of a bombardment costs {_names(court, nearest)} (the nearest own unit) a step",
                tuple(nearest),
            )
        for id in hit:
            if id not in nearest:
                yield Breach(
                    "BOMB-FRIENDLY-WRONG",
                    f"(A) of a bombardment hits a nearest own unit, {_names(court, nearest)}, not {court.name(id)}",
                    (id,),
                )
        if len(hit) > 1:
            yield Breach("RES-EXCESS", f"(A) costs one own unit a step; {_names(court, hit)} lost one each", tuple(hit))
        yield from _none(court, combat, defenders, code, {})
        return
    if code == "Ae":
        if court.charts.option("bombardment_ae") == "ignore":
            yield from _none(court, combat, (*defenders, *own), code, {})
        return
    yield from _none(court, combat, tuple(own), code, {}, "RES-DOT-CHANGED" if code == "." else "RES-EXCESS")
    if code == "De":
        alive = tuple(id for id in defenders if id not in combat.removed)
        if alive:
            yield Breach("RES-DE-IGNORED", f"De eliminates every defender; {_names(court, alive)} remains", alive)
    elif code == "Ex":
        hit = [id for id in defenders if combat.lost(id)]
        if defenders and not hit:
            yield Breach("RES-EX-PARTIAL", "Ex of a bombardment costs the target a step; it lost none", defenders)
        yield from _too_many(court, combat, hit, {}, code)
    elif code == ".":
        yield from _none(court, combat, defenders, code, {}, "RES-DOT-CHANGED")
    elif length is not None:
        yield from _driven(court, combat, defenders, length, {}, code)


def nearest_own(court: Court, combat: Combat) -> list[str]:
    """The bombarding side's units nearest to the target, as they stood before any of them was removed."""
    if combat.target is None or combat.side is None:
        return []
    placed = [(unit.id, hex) for unit, hex in court.position.on_map(combat.side)]
    for id, unit in court.position.dead.items():
        last = next(
            (
                fact.more.get("hex")
                for fact in reversed(court.ledger.facts)
                if fact.what == "eliminated" and fact.who == id
            ),
            None,
        )
        if unit.side == combat.side and id in combat.removed and last:
            placed.append((id, str(last)))
    near = min((court.distance(hex, combat.target) for _, hex in placed), default=None)
    return [id for id, hex in placed if court.distance(hex, combat.target) == near]
