"""Who is left after a Human Wave (10.9)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu.checks.retreats import unsettled
from referee.games.yalu.court import Court, check
from referee.games.yalu.fires import attack_kind, results
from referee.games.yalu.units import NEUTRALIZED, is_support
from referee.table.acts import Act
from referee.verdict import Finding


@check("fire-over", ids=["HWA-SURVIVOR"])
def wave_over(court: Court, act: Act) -> Iterator[Finding]:
    """All units of a Human Wave are eliminated after its result (10.9.6)."""
    combat = court.combat
    if combat is None or combat.kind != "assault" or attack_kind(court, combat) != "hwa" or not combat.rolls:
        return
    if unsettled(court, combat):
        return
    if act.fields.get("closed_by") == "end" and not combat.removed:
        return
    for id in combat.attackers:
        if (
            court.position.where(id) is not None
            and NEUTRALIZED not in combat.units[id].traits
            and not is_support(combat.units[id])
        ):
            yield court.find(
                "HWA-SURVIVOR", act, f"{court.name(id)} took part in a Human Wave and is still on the map", units=(id,)
            )


@check("remove", ids=["HWA-OVERKILL"])
def overkill(court: Court, act: Act) -> Iterator[Finding]:
    """A unit that Defensive Fire Neutralized did not attack and survives the Human Wave (10.9.6)."""
    combat = court.combat
    for id in act.units:
        held = next((one for one in court.designations.values() if id in one.units and one.kind == "hwa"), None)
        if held is None or not court.has(id, NEUTRALIZED):
            continue
        if (
            combat is not None
            and id in combat.defenders
            and (results(court, combat) & {"D"} or id in combat.retreats or not combat.closed)
        ):
            continue
        yield court.find(
            "HWA-OVERKILL",
            act,
            f"{court.name(id)} was Neutralized before the Human Wave and is not removed with it",
            units=(id,),
        )
