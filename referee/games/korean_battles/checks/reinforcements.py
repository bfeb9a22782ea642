"""Reinforcements: on their turn, at their strength, when their condition holds (21.0, 26.0 to 29.0)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.korean_battles import facts, names
from referee.games.korean_battles.arrivals import Arrival, announced, arrivals, dead_on, kimpo_open, marine_steps
from referee.games.korean_battles.court import Court, check
from referee.table.acts import Act
from referee.table.units import Unit
from referee.verdict import Finding


@check(
    "enter",
    ids=["REINF-EARLY", "REINF-EXTRA", "REINF-DEPL-STATE", "REINF-26-EARLY", "REINF-78-88-SPLIT", "REINF-94-RATE"],
)
def on_the_list(court: Court, act: Act) -> Iterator[Finding]:
    """A piece of the list, on its turn, at its strength."""
    for id in act.units:
        unit = court.unit(id)
        one = act.of(id)
        lines = arrivals(court, unit)
        if not lines:
            yield from _unlisted(court, one, unit)
            continue
        turn = court.turn
        if turn is not None:
            yield from _turn(court, one, unit, lines, turn)
        yield from _strength(court, one, unit, lines)


def _unlisted(court: Court, act: Act, unit: Unit) -> Iterator[Finding]:
    if unit.id in court.position.dead or any(True for _ in court.ledger.find("eliminated", unit.id)) or unit.dummy:
        return
    said = names.words(unit.name)
    alike = [
        line.id
        for line in court.scenario.units
        if line.side == unit.side and line.arrives and (names.words(line.id) & said or line.values == unit.face)
    ]
    sets_up = names.listed(court.scenario, unit, arrives=False)
    division = names.division_of(court.scenario, unit) if unit.side == "Chinese" else None
    broken = unit.division and any(
        unit.division.split()[0] in names.words(line.id) for line in court.scenario.units if line.arrives
    )
    sure = (not alike or bool(sets_up) or division is not None) and not broken
    yield court.find(
        "REINF-EXTRA",
        act,
        f"{unit.name} is on no list of reinforcements",
        sure=sure,
        missing=() if sure else (f"which listed unit {unit.name} is (perhaps {', '.join(alike)})",),
    )


def _turn(court: Court, act: Act, unit: Unit, lines: list[Arrival], turn: int) -> Iterator[Finding]:
    single = court.scenario.raw.get("one_a_turn", 0)
    timed = [line for line in lines if line.turns is not None]
    if not timed or len(timed) < len(lines):
        if (
            timed
            and all(turn < min(line.turns or (0,)) for line in timed)
            and not any(line.condition for line in lines)
        ):
            yield court.find("REINF-EARLY", act, f"{unit.name} enters on turn {turn}", turn=turn)
        return
    early = min(min(line.turns or (0,)) for line in timed)
    line = timed[0]
    if line.only_accelerated:
        if not announced(court):
            yield court.find(
                "REINF-EXTRA",
                act,
                f"{unit.name} enters without the announcement before play that 78 and 88 ID take part",
            )
        if turn != early:
            yield court.find(
                "REINF-78-88-SPLIT",
                act,
                f"{unit.name} enters on turn {turn}; 78 and 88 ID arrive together on turn {early}",
            )
        if turn < early:
            yield court.find("REINF-EARLY", act, f"{unit.name} enters on turn {turn}; its turn is {early}", turn=turn)
        return
    if line.accelerated is not None and turn < early:
        if not announced(court):
            yield court.find(
                "REINF-26-EARLY",
                act,
                f"{unit.name} enters on turn {turn}; without the announcement before play the group comes on "
                f"turn {early}",
            )
        elif turn < line.accelerated:
            yield court.find(
                "REINF-26-EARLY",
                act,
                f"{unit.name} enters on turn {turn}; the accelerated group comes on turn {line.accelerated}",
            )
        else:
            return
    elif turn < early and line.division != single:
        yield court.find(
            "REINF-EARLY", act, f"{unit.name} enters on turn {turn}; its turn is {early}", turn=turn, listed=early
        )
    if line.division == single:
        turns = line.turns or ()
        if turn < min(turns):
            yield court.find("REINF-EARLY", act, f"{unit.name} enters on turn {turn}; its first turn is {min(turns)}")
        others = [
            fact.who
            for fact in court.ledger.find("entered", turn=turn)
            if fact.who != unit.id
            and fact.who in court.position.units
            and names.division_of(court.scenario, court.unit(fact.who)) == single
            and fact.turn == turn
        ]
        if others or turn < min(turns) or turn > max(turns):
            why = f"after {', '.join(others)} on the same turn" if others else f"on turn {turn}"
            late = turn > max(turns) and not others
            yield court.find(
                "REINF-94-RATE",
                act,
                f"{unit.name} enters {why}; 94 ID brings one regiment a turn on turns {min(turns)} to {max(turns)}",
                sure=not late or not court.ledger.any("delayed", unit.id),
                missing=("whether it was held over",) if late else (),
            )


def _strength(court: Court, act: Act, unit: Unit, lines: list[Arrival]) -> Iterator[Finding]:
    wanted = {line.depleted for line in lines}
    if len(wanted) != 1 or None in wanted or unit.kind == "cadre":
        return
    depleted = wanted.pop()
    full = next((line.values for line in names.listed(court.scenario, unit, arrives=True)), None)
    if depleted and not unit.depleted and unit.face == full:
        yield court.find("REINF-DEPL-STATE", act, f"{unit.name} enters at full strength; the list has it depleted")
    if not depleted and unit.depleted:
        yield court.find("REINF-DEPL-STATE", act, f"{unit.name} enters depleted; the list has it at full strength")


@check("enter", ids=["REINF-WRONG-PHASE"])
def in_movement(court: Court, act: Act) -> Iterator[Finding]:
    """Reinforcements enter in the own movement phase."""
    for id in act.units:
        unit = court.unit(id)
        if court.may_be(unit.side, ("movement",)):
            continue
        mobile = court.may_be(unit.side, ("mobile-movement",))
        option = court.charts.option("mobile_phase_entry")
        if mobile and option is True:
            continue
        now = f"{court.phasing or ''} {court.phase or ''}".strip()
        yield court.find(
            "REINF-WRONG-PHASE",
            act.of(id),
            f"{unit.name} enters in the {now} phase",
            settled=not mobile or option is False,
        )


@check("enter", ids=["REINF-187-CONDITION", "REINF-ARMY-CADRE", "REINF-MARINE-CADRE"])
def conditions(court: Court, act: Act) -> Iterator[Finding]:
    """Units that come only after something has happened."""
    for id in act.units:
        unit = court.unit(id)
        one = act.of(id)
        lines = arrivals(court, unit)
        kinds = {line.condition for line in lines}
        if "kimpo" in kinds:
            fine, why = kimpo_open(court)
            if not fine:
                yield court.find("REINF-187-CONDITION", one, f"{unit.name} enters and {why}")
        if unit.kind == "cadre" and any(line.what == court.scenario.raw.get("army_cadre") for line in lines):
            yield from _army_cadre(court, one, unit, kinds)
        if "marine-cadre" in kinds:
            base = next(str(line.with_unit) for line in lines if line.condition == "marine-cadre")
            yield from _marine_cadre(court, one, unit, base)


def _army_cadre(court: Court, act: Act, unit: Unit, kinds: set[str | None]) -> Iterator[Finding]:
    hex = court.scenario.raw["cadre_hex"]
    lost = list(court.ledger.find("captured", hex))
    by = str(lost[-1].more.get("by") or lost[-1].side or "") if lost else ""
    held = court.position.enemies_at(hex, "UN") or (
        facts.side_of(by, court.scenario.id) == "Chinese" and not court.position.friends_at(hex, "UN")
    )
    if held:
        yield court.find("REINF-ARMY-CADRE", act, f"{unit.name} enters while {hex} is not in UN hands")
    if kinds != {"army-cadre"}:
        return
    after = court.scenario.raw["army_cadre_after"]
    dead, when = dead_on(court, after)
    if not dead:
        yield court.find("REINF-ARMY-CADRE", act, f"{unit.name} enters and {after} has not been eliminated")
    elif when is not None and court.turn is not None and when >= court.turn:
        yield court.find(
            "REINF-ARMY-CADRE",
            act,
            f"{unit.name} enters on turn {court.turn}; {after} died on turn {when} and it comes the turn after",
        )


def _marine_cadre(court: Court, act: Act, unit: Unit, base: str) -> Iterator[Finding]:
    steps, when, dead = marine_steps(court)
    if not dead and steps < court.scenario.raw["marine_cadre_steps"]:
        yield court.find(
            "REINF-MARINE-CADRE",
            act,
            f"{unit.name} enters with {steps} Marine steps lost and no Marine regiment dead",
            steps=steps,
        )
    elif when is not None and court.turn is not None and when >= court.turn:
        yield court.find(
            "REINF-MARINE-CADRE", act, f"{unit.name} enters on the turn of its trigger; it comes the turn after"
        )
    called = names.words(base) - {"hq"}
    hq = next(
        (hex for other, hex in court.position.on_map("UN") if other.kind == "hq" and called <= names.words(other.name)),
        None,
    )
    at = act.path[0] if act.path else act.to
    if hq is not None and at != hq:
        dragged = bool(act.get("dragged"))
        yield court.find(
            "REINF-MARINE-CADRE",
            act,
            f"{unit.name} enters in {at}; {base} is in {hq}",
            sure=not dragged,
            missing=("where it came in before it walked on",) if dragged else (),
        )


@check("phase-over", ids=["REINF-78-88-SPLIT", "REINF-78-88-NOPAY"])
def accelerated_group(court: Court, act: Act) -> Iterator[Finding]:
    """78 and 88 come together; the acceleration costs two random markers on turn 9 (21.0)."""
    plan = court.scenario.raw.get("acceleration")
    if not plan or not court.complete:
        return
    came = [fact.who for fact in court.ledger.find("entered") if fact.who in court.position.units]
    late = [id for id in came if names.division_of(court.scenario, court.unit(id)) in plan["together"]]
    held = [
        id
        for id, unit in court.position.units.items()
        if unit.side == "Chinese"
        and unit.kind is None
        and names.division_of(court.scenario, unit) in plan["together"]
        and id not in came
        and court.position.where(id) is None
        and id not in court.position.dead
    ]
    if late and held and court.must_be("Chinese", ("movement",)):
        yield court.find(
            "REINF-78-88-SPLIT", act, f"{', '.join(held)} stay behind while {', '.join(late)} arrive", units=tuple(held)
        )
    early = [
        fact
        for fact in court.ledger.find("entered")
        if fact.turn == plan["turn"] and fact.who in court.position.units and _in_group(court, court.unit(fact.who))
    ]
    if not early or court.turn != plan["turn"] or act.verb != "phase-over" or not act.fields:
        return
    paid = list(court.ledger.find("lost-marker"))
    count = sum(
        int(fact.more.get("count") or 1) if isinstance(fact.more.get("count") or 1, int) else 1 for fact in paid
    )
    if count < plan["markers"]:
        yield court.find(
            "REINF-78-88-NOPAY",
            act,
            f"the HQ 26 group is accelerated and {count} of {plan['markers']} Chinese support markers were given up",
            side="Chinese",
            units=(),
        )


def _in_group(court: Court, unit: Unit) -> bool:
    plan = court.scenario.raw["acceleration"]
    if unit.kind == "hq":
        return names.words(plan["hq"]) <= names.called(unit)
    return names.division_of(court.scenario, unit) in plan["divisions"]
