"""Surprise: when it is rolled for, and what the die means (19.1)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.yalu import facts
from referee.games.yalu.court import Court, check
from referee.games.yalu.surprise import is_surprised, surprise_number
from referee.rulebook import plain
from referee.table.acts import Act
from referee.verdict import Finding


def _surprise_turns(court: Court) -> tuple[int, int]:
    rule = court.scenario.rule("surprise")
    return int(rule["first"]), int(rule["last"])


@check("roll", ids=["SUR-WINDOW", "SUR-MOD"])
def surprise(court: Court, act: Act) -> Iterator[Finding]:
    """Only on the first five turns, never against a Human Wave, with the turn's modifier (19.1)."""
    if act.fields.get("purpose") != "surprise":
        return
    _, last = _surprise_turns(court)
    if court.turn is not None and court.turn > last:
        yield court.find("SUR-WINDOW", act, f"no surprise after {court.turn_words(last)}")
        return
    for id in act.units:
        held = court.designations.get(court.position.where(id) or "")
        if held is not None and held.kind == "hwa":
            yield court.find(
                "SUR-WINDOW", act, f"{court.name(id)} is under a Human Wave: no surprise roll", units=(id,)
            )
    if court.turn is None:
        return
    want = court.turn - 1
    said = act.fields.get("modifier", act.fields.get("drm"))
    if isinstance(said, int) and said != want:
        yield court.find(
            "SUR-MOD", act, f"{court.turn_words(court.turn)} adds {want:+d} to the die; announced {said:+d}"
        )
    yield from _surprise_result(court, act, want)


def _surprise_result(court: Court, act: Act, add: int) -> Iterator[Finding]:
    word = act.fields.get("result")
    if word is None:
        return
    told = "not" not in plain(word) and plain(word) != "no" and word is not False
    for id, die in zip(act.units, act.fields.get("dice", ()), strict=False):
        unit = court.unit(id)
        means = is_surprised(court, unit, die)
        if means is not None and means != told:
            number = surprise_number(court, unit)
            by = f"against {number}" if number is not None else "as in the example of play"
            text = f"{unit.name}: {die} {add:+d} {by} means {'surprised' if means else 'not surprised'}"
            yield court.find("SUR-MOD", act, text, units=(id,))


@check("phase-over", "fire", ids=["SUR-NO-ROLL"])
def no_surprise_roll(court: Court, act: Act) -> Iterator[Finding]:
    """A die for each UN unit in each defending hex, before the fires begin (19.1.2)."""
    first, last = _surprise_turns(court)
    if court.phasing != facts.COMMUNIST or court.turn is None or not first <= court.turn <= last or not court.complete:
        return
    if act.verb == "phase-over" and not court.may_be(None, ("designation",)):
        return
    if act.verb == "fire" and (
        court.ledger.any("fired", turn=court.turn, side=court.phasing) or court.must_be(None, ("bugout",))
    ):
        return
    for held in court.designations.values():
        if held.kind == "hwa" or held.step == 0:
            continue
        attacked = [
            unit for unit in court.position.enemies_at(held.hex, facts.COMMUNIST) if unit.kind in (None, "garrison")
        ]
        if court.scenario.classic and len(attacked) > 1:
            continue  # C31: only units that are fired at, and which those are the hex does not say
        for unit in attacked:
            if unit.id not in court.surprised:
                yield court.find("SUR-NO-ROLL", act, f"no surprise die for {unit.name} in {held.hex}", units=(unit.id,))
