"""Weather and the air units it gives (4.0, 12.3)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu import facts
from referee.games.yalu.court import Court, check
from referee.games.yalu.interpret import weather_code
from referee.rulebook import plain
from referee.table.acts import Act
from referee.verdict import Finding


@check("roll", ids=["WX-ROLL-TURN1", "WX-NO-ROLL"])
def rolled(court: Court, act: Act) -> Iterator[Finding]:
    """One die a turn, none on the first (4.1.1, 4.3)."""
    if act.fields.get("purpose") != "weather":
        return
    if court.turn == 1:
        yield court.find("WX-ROLL-TURN1", act, "the first turn's weather is fixed: die 3, subfreezing overcast")
    elif court.ledger.any("rolled", "weather", turn=court.turn) and court.turn is not None:
        yield court.find("WX-NO-ROLL", act, "the weather is rolled a second time this turn")
    if len(act.fields.get("dice", ())) > 1:
        yield court.find("WX-NO-ROLL", act, "the weather is one die")


@check("phase-over", ids=["WX-NO-ROLL"])
def not_rolled(court: Court, act: Act) -> Iterator[Finding]:
    """The weather phase ends without a die."""
    if not court.must_be(None, ("weather",)) or court.turn in (None, 1) or not court.complete:
        return
    if not court.ledger.any("rolled", "weather", turn=court.turn):
        yield court.find("WX-NO-ROLL", act, f"no weather die on {court.turn_words(court.turn or 0)}")


@check("set-weather", "set-weather_die", ids=["WX-RESULT"])
def result(court: Court, act: Act) -> Iterator[Finding]:
    """Month and die give the weather (4.1.1)."""
    if court.phase == "setup":
        return
    value = act.fields.get("value")
    if act.verb == "set-weather_die":
        last = list(court.ledger.find("rolled", "weather", turn=court.turn))
        dice = last[-1].more["dice"] if last else ()
        if dice and isinstance(value, int) and value != dice[-1]:
            yield court.find("WX-RESULT", act, f"the die was {dice[-1]}, the marker says {value}")
        return
    month, die = court.month, court.weather_die
    if month is None or die is None:
        return
    row = (court.charts.table("weather") or {}).get(month) or facts.BOOK.tables["weather"].get(month, {})
    want = weather_code(row.get(die, row.get(str(die))))
    got = weather_code(value)
    if want is not None and got is not None and want != got:
        yield court.find("WX-RESULT", act, f"{month} and a {die} give {want}, not {got}")


def _number(court: Court, which: str) -> int | None:
    told = court.charts.effect(court.weather, facts.UN, which)
    if not isinstance(told, int):
        told = facts.BOOK.tables["air"].get(court.weather, {}).get(which)
    if not isinstance(told, int):
        return None
    raid = [
        fact
        for fact in court.ledger.find("rolled", "sortie", turn=court.turn)
        if fact.more.get("dice") == (facts.BOOK.rules["sortie_die"],)
    ]
    return -(-told // 2) if raid and court.charts.option("optional_sortie") else told


@check("set-air", ids=["WX-AIR-DEF", "WX-AIR-OFF"])
def available(court: Court, act: Act) -> Iterator[Finding]:
    """As many air units as the weather gives (12.3.1)."""
    value = act.fields.get("value")
    if not isinstance(value, int) or court.phase == "setup" or (value == 0 and court.may_be(None, ("morale",))):
        return
    for phases, which, id in ((("weather",), "defensive", "WX-AIR-DEF"), (("bombardment",), "offensive", "WX-AIR-OFF")):
        want = _number(court, which)
        if court.must_be(None, phases) and want is not None and value != want:
            yield court.find(id, act, f"{court.weather} gives {want} {which} air units, {value} are made Available")


@check("phase", ids=["WX-AIR-CARRY"])
def carried(court: Court, act: Act) -> Iterator[Finding]:
    """Unused air units go back before the other player turn begins (12.3.2)."""
    told = act.fields
    side = facts.side_of(told.get("side") or "")
    phase = facts.phase_of(told.get("name") or told.get("phase"))
    ends = (court.phasing == facts.COMMUNIST and side == facts.UN) or (court.phasing == facts.UN and phase == "weather")
    if ends and court.air and phase not in facts.COMBAT:
        yield court.find("WX-AIR-CARRY", act, f"{court.air} air units are still Available when the player turn ends")


@check("designate", ids=["WX-COMBAT"], partly={
    "WX-COMBAT": "that the weather changes factors or dice is not worked into the odds",
})  # fmt: skip
def combat(court: Court, act: Act) -> Iterator[Finding]:
    """Weather may forbid attacks (4.2)."""
    side = court.phasing or act.side
    if side is None:
        return
    told = court.charts.effect(court.weather, side, "attack")
    if told is None:
        told = court.charts.effect(court.weather, side, "combat")
    if told is None:
        return
    if told is False or told == 0 or plain(told) in ("none", "no", "prohibited", "forbidden"):
        yield court.find("WX-COMBAT", act, f"the {side} weather chart forbids attacks in {court.weather}")
