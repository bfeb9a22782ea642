"""Hidden units in play: attacked, then turned up; a dummy goes at once (16.0, 18.0)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.games.korean_battles.allotment import may_be_dummy
from referee.games.korean_battles.court import Court, check
from referee.story_events import as_list
from referee.table.acts import Act
from referee.verdict import Finding


@check(
    "reveal",
    "peek",
    ids=["HID-PEEK"],
    partly={"HID-PEEK": "only where it is told who looked, or when in the UN player turn"},
)
def peeking(court: Court, act: Act) -> Iterator[Finding]:
    """The UN may look at a hidden unit only when it attacks it."""
    for id in act.units:
        unit = court.unit(id)
        attacked = court.combat is not None and id in court.combat.defenders
        looked = act.verb == "peek" or act.side == "UN" or (act.side is None and court.phasing == "UN")
        if unit.side == "NK" and (unit.hidden or unit.dummy) and looked and not attacked:
            yield court.find("HID-PEEK", act.of(id), f"{unit.name} is looked at and was not attacked")


@check("roll", ids=["HID-NOT-REVEALED"])
def turned_up(court: Court, act: Act) -> Iterator[Finding]:
    """A hidden unit is turned up as soon as the attack on it is announced."""
    combat = court.combat
    if combat is None or combat.closed or combat.kind != "ground":
        return
    still = [
        id
        for id in combat.defenders
        if court.unit(id).hidden and id not in combat.revealed and id not in combat.removed
    ]
    if still:
        yield court.find(
            "HID-NOT-REVEALED",
            act,
            f"the attack on {', '.join(map(court.name, still))} is rolled and nobody has turned it up",
            units=tuple(still),
        )


@check("combat-over", ids=["HID-DUMMY-SURVIVES"])
def dummy_goes(court: Court, act: Act) -> Iterator[Finding]:
    """A dummy that was attacked is removed."""
    combat = court.combat
    if combat is None or combat.kind != "ground" or not court.complete:
        return
    left = [id for id in combat.defenders if court.unit(id).dummy and court.position.where(id) is not None]
    told = act.get("closed_by") != "end" or combat.rolls or combat.revealed
    if left and told:
        step = combat.last_change or (act.step if act.verb == "combat-over" else combat.step)
        yield court.find(
            "HID-DUMMY-SURVIVES",
            act,
            f"{', '.join(map(court.name, left))} is a dummy, was attacked and stays on the map",
            step=step,
            units=tuple(left),
        )


@check("claim", "set-other", "vp", ids=["VP-DUMMY-OBJ", "HID-DUMMY-ATTACKS"])
def dummy_holds(court: Court, act: Act) -> Iterator[Finding]:
    """A dummy holds no objective."""
    goals = court.scenario.raw.get("objectives") or {}
    said = [
        str(value)
        for key in (
            "objective",
            "hex",
            "holds",
            "held",
            "captured",
            "occupied",
            "objectives",
            "critical_objective",
            "at",
            "control",
            "what",
        )
        for value in as_list(act.fields.get(key))
    ]
    for hex in [hex for hex in goals if hex in said or any(hex in text for text in said)]:
        units = court.position.friends_at(hex, "NK")
        if units and all(unit.dummy for unit in units):
            ids = tuple(unit.id for unit in units)
            yield court.find(
                "VP-DUMMY-OBJ",
                replace(act, units=ids),
                f"{', '.join(unit.name for unit in units)} in {hex} is a dummy and holds nothing",
            )
            yield court.find(
                "HID-DUMMY-ATTACKS",
                replace(act, units=ids),
                f"{', '.join(unit.name for unit in units)} is a dummy and holds no objective",
            )
        elif units and all(map(may_be_dummy, units)):
            yield court.find(
                "VP-DUMMY-OBJ",
                replace(act, units=tuple(unit.id for unit in units)),
                f"the hidden unit in {hex} may be a dummy",
                sure=False,
                missing=("what the hidden unit is",),
            )
