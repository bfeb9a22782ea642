"""Leaving the map: withdrawals at Pusan, the exit at 1903, and nothing else (5.1, 27.0, 29.0)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.games.korean_battles import names
from referee.games.korean_battles.checks.movement import judge_journey
from referee.games.korean_battles.court import Court, check
from referee.games.korean_battles.journeys import Journey
from referee.table.acts import Act
from referee.verdict import Finding


@check("exit", ids=["MOVE-OFF-MAP", "EXIT-WRONG-HEX", "EXIT-1903-EARLY", "WD-EARLY", "SEQ-MOVE-WRONG-PLAYER"])
def leaving(court: Court, act: Act) -> Iterator[Finding]:
    """No unit leaves the map, but for withdrawals at Pusan and the exit at 1903."""
    rule = court.scenario.raw.get("exit")
    for id in act.units:
        unit = court.unit(id)
        one = act.of(id)
        at = act.path[-1] if act.path else act.origin
        if court.clock.possible and not court.may_be(unit.side) and court.phase not in ("turn-end", "support"):
            yield court.find("SEQ-MOVE-WRONG-PLAYER", one, f"{unit.name} leaves in the enemy's player turn")
        line = next(
            (
                line
                for line in court.scenario.raw.get("withdrawals") or ()
                if unit.side == "UN"
                and names.words(line["id"]) == names.words(unit.name)
                and unit.nation in (None, line["nation"])
            ),
            None,
        )
        if line is not None:
            if court.turn is not None and court.turn < line["turn"]:
                yield court.find(
                    "WD-EARLY",
                    one,
                    f"{unit.name} withdraws on turn {court.turn}; its turn is {line['turn']}",
                    turn=court.turn,
                )
            continue
        if rule and unit.side == rule["side"]:
            if at != rule["hex"]:
                yield court.find(
                    "EXIT-WRONG-HEX", one, f"{unit.name} leaves the map at {at}; the exit is {rule['hex']}"
                )
                yield court.find("MOVE-OFF-MAP", one, f"{unit.name} leaves the map at {at}")
            elif court.turn is not None and court.turn < rule["from_turn"]:
                yield court.find(
                    "EXIT-1903-EARLY",
                    one,
                    f"{unit.name} leaves at {at} on turn {court.turn}; that counts from turn {rule['from_turn']} on",
                )
            if len(act.path) > 1 and at == rule["hex"]:
                numbers = tuple(court.at(hex) for hex in act.path)
                yield from judge_journey(
                    court, replace(one, to=at), unit, Journey(unit, numbers[0], numbers[1:], act.exact)
                )
            continue
        yield court.find("MOVE-OFF-MAP", one, f"{unit.name} leaves the map")


@check("phase", ids=["WD-OVERDUE"])
def overdue(court: Court, act: Act) -> Iterator[Finding]:
    """A unit that should have withdrawn costs points each turn it stays."""
    turn = act.fields.get("turn")
    if not isinstance(turn, int) or court.turn is None or turn <= court.turn:
        return
    for line in court.scenario.raw.get("withdrawals") or ():
        here = [
            unit
            for unit, _ in court.position.on_map("UN")
            if names.words(unit.name) == names.words(line["id"]) and unit.nation in (None, line["nation"])
        ]
        if here and turn > line["turn"]:
            yield court.find(
                "WD-OVERDUE",
                act,
                f"{here[0].name} should have left on turn {line['turn']}: {line['overdue_vp']} points to the "
                "North Koreans for each turn",
                units=(here[0].id,),
                missing=("whether the points were scored",),
            )
