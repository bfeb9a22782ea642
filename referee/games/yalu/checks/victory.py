"""Victory at the end of May IV (20.0)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu import facts
from referee.games.yalu.court import Court, check
from referee.games.yalu.supply import supplied_units
from referee.games.yalu.units import ISOLATED
from referee.rules.victory import Score
from referee.table.acts import Act
from referee.verdict import Finding


def _south(court: Court) -> Score:
    """Combat factors of supplied Communist units strictly south of the 38th Parallel."""
    score = Score()
    states = supplied_units(court, facts.COMMUNIST)
    for unit, hex in court.position.on_map(facts.COMMUNIST):
        points = unit.face.attack
        if unit.kind == "guerrilla" or court.lies(hex, "south") is False or court.lies(hex, "red-dot"):
            continue
        if ISOLATED in unit.traits or (states.get(unit.id) is False and not unit.supplied):
            continue
        if points is None:
            score.add(99, f"factor of {unit.name}", certain=False)
            continue
        sure = court.lies(hex, "south") is True and (unit.supplied is True or states.get(unit.id) is True)
        if unit.kind == "conscript" and court.charts.option("victory_conscripts") is None:
            sure = False
        score.add(points, f"{unit.name} in {hex}", certain=sure)
    return score


@check("claim", ids=["VIC-CLAIM"])
def claim(court: Court, act: Act) -> Iterator[Finding]:
    """36 factors south of the line and two divisions in Seoul, or 72 factors; on the last turn."""
    said = act.fields.get("victory", act.fields.get("winner", act.fields.get("wins")))
    side = facts.side_of(said) if said is not None else None
    if side is None:
        return
    last = len(facts.turn_names(court.scenario.id))
    rules = facts.BOOK.rules["victory"]
    if court.turn is not None and court.turn < last:
        yield court.find("VIC-CLAIM", act, f"victory is tested at the end of {court.turn_words(last)}")
        return
    score, city = _south(court), rules["city"]
    seoul = [
        unit
        for hex in court.place(city)
        for unit in court.position.friends_at(hex, facts.COMMUNIST)
        if unit.size == "division" and unit.kind is None
    ]
    inside = sum(unit.face.attack or 0 for unit in seoul)
    two = len(seoul) >= rules["seoul"]
    reading = court.charts.option("seoul_in_factors")
    high = score.high
    low = score.low - (inside if reading is False else 0)
    may_win = high >= rules["alone"] or (high >= rules["factors"] and (two or not court.place(city)))
    must_win = score.low >= rules["alone"] or (low - (inside if reading is None else 0) >= rules["factors"] and two)
    text = f"{score.low} to {score.high} supplied factors south of the 38th Parallel, {len(seoul)} divisions in {city}"
    if side == facts.COMMUNIST and not may_win:
        yield court.find(
            "VIC-CLAIM", act, f"{text}: neither {rules['factors']} with {rules['seoul']} of them nor {rules['alone']}"
        )
    elif side == facts.UN and must_win:
        yield court.find("VIC-CLAIM", act, f"{text}: the Communist side wins")
