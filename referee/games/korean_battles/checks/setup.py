"""Set-up: hexes, strength, hidden units and dummies (3.0, 16.0, 27.0 to 29.0)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.games.korean_battles import facts, names
from referee.games.korean_battles.court import Court, check
from referee.games.korean_battles.facts import Listed
from referee.rulebook import plain
from referee.table.acts import Act
from referee.table.units import Unit
from referee.verdict import Finding


def placed(court: Court, act: Act) -> Iterator[tuple[Act, Unit, str]]:
    """The units a placing act puts down at set-up, or all of them when the set-up is over."""
    if court.phase != "setup":
        return
    if act.verb in ("place", "after-place"):
        for id in act.units:
            if act.to is not None:
                yield act.of(id), court.unit(id), act.to
        return
    if not act.fields or any(fact.step for fact in court.ledger.find("placed")):
        return  # what stood there at the start is taken as legal, unless the story is about nothing else
    for unit, hex in list(court.position.on_map()):
        if not court.ledger.any("placed", unit.id):
            yield replace(act, units=(unit.id,), to=hex), unit, hex


@check("place", "phase-over", ids=["SET-WRONG-HEX", "SET-DEPL", "REINF-EARLY"])
def listed_hex(court: Court, act: Act) -> Iterator[Finding]:
    """A unit with a listed hex goes there, at its listed strength."""
    for one, unit, hex in placed(court, act):
        if unit.dummy or unit.id in court.broken or from_breakdown(court, unit):
            continue
        lines = names.listed(court.scenario, unit, arrives=False)
        plan = _formation(court, unit)
        if plan is not None:
            yield from _formation_hex(court, one, unit, hex, plan)
            continue
        if not lines:
            later = names.listed(court.scenario, unit, arrives=True)
            if later:
                yield court.find("REINF-EARLY", one, f"{unit.name} is a reinforcement and is set up in {hex}")
                yield court.find("SET-WRONG-HEX", one, f"{unit.name} is not in the set-up; it comes as a reinforcement")
            continue
        if not any(_fits(court, line, hex) for line in lines):
            where = " or ".join(dict.fromkeys(" or ".join(line.hexes) or str(line.region) for line in lines))
            sure = not any(line.region and _region(court, line.region) is None for line in lines)
            yield court.find(
                "SET-WRONG-HEX",
                one,
                f"{unit.name} is set up in {hex}; the list says {where}",
                sure=sure,
                missing=() if sure else (f"the hexes of {lines[0].region}",),
            )
        elif taken := _taken(court, unit, hex, lines):
            yield court.find(
                "SET-WRONG-HEX", one, f"{unit.name} is set up in {hex}; {taken.name} has taken that line of the list"
            )
        line = lines[0]
        if line.depleted and not unit.depleted and unit.face == line.values:
            yield court.find("SET-DEPL", one, f"{unit.name} is set up at full strength; the list has it depleted")
        if not line.depleted and unit.depleted and unit.kind != "cadre":
            yield court.find("SET-DEPL", one, f"{unit.name} is set up depleted; the list has it at full strength")


def _region(court: Court, name: str) -> set[str] | None:
    return court.charts.regions.get(name) or court.ground.regions.get(name) or None


def _fits(court: Court, line: Listed, hex: str) -> bool:
    if line.next_to is not None:
        return True
    if line.region is not None:
        known = _region(court, line.region)
        return known is not None and hex in known
    return hex in line.hexes


def _taken(court: Court, unit: Unit, hex: str, lines: list[Listed]) -> Unit | None:
    """Who was set up before this unit by the only line for this hex; units without a name share their lines."""
    open_to = [line for line in lines if hex in line.hexes]
    if len(lines) < 2 or len(open_to) != 1:
        return None
    alike = (other for other, at in court.position.on_map(unit.side) if at in open_to[0].hexes and other.id != unit.id)
    return next((other for other in alike if other.kind == unit.kind and unit.kind is not None), None)


def _formation(court: Court, unit: Unit) -> dict[str, object] | None:
    division = names.division_of(court.scenario, unit) if unit.side == "Chinese" and unit.kind is None else None
    return next((dict(plan) for plan in court.scenario.formations if plan["division"] == division), None)


def _formation_hex(court: Court, act: Act, unit: Unit, hex: str, plan: dict[str, object]) -> Iterator[Finding]:
    """Chinese divisions at Chosin: regiments round an anchor hex, or the counter in its own."""
    whole = unit.size == "division"
    start = plan.get("as_division" if whole else "start")
    if not isinstance(start, dict) or "turn" in start:
        yield court.find("REINF-EARLY", act, f"{unit.name} is a reinforcement and is set up in {hex}")
        yield court.find("SET-WRONG-HEX", act, f"{unit.name} is not in the set-up; it comes as a reinforcement")
        return
    if "of" in start:
        far = court.distance(str(start["of"]), hex)
        if far > int(start["within"]):
            id = "SET-WRONG-HEX"
            yield court.find(
                id,
                act,
                f"{unit.name} is set up {far} hexes from {start['of']}; the list says within {start['within']}",
                distance=far,
            )
            yield court.find(
                "SET-BREAKDOWN-HEX", act, f"{unit.name} is set up {far} hexes from {start['of']}", distance=far
            )
    elif hex not in start.get("hex", ()):
        yield court.find(
            "SET-WRONG-HEX", act, f"{unit.name} is set up in {hex}; the list says {' or '.join(start.get('hex', ()))}"
        )
    if not whole and act.verb == "place":
        same = [
            other
            for other, _ in court.position.on_map("Chinese")
            if other.id != unit.id
            and other.size != "division"
            and other.kind is None
            and names.division_of(court.scenario, other) == plan["division"]
        ]
        if len(same) + 1 > int(str(start.get("count", facts.units()["breakdown_parts"]))):
            yield court.find(
                "REINF-EARLY",
                act,
                f"{unit.name} is regiment {len(same) + 1} of its division; {start['count']} set up and the "
                "others come later",
            )


@check("phase-over", ids=["SET-HQ-NOT-NEXT"])
def headquarters(court: Court, act: Act) -> Iterator[Finding]:
    """HQ 1C, 24 and 25 start next to a UN unit."""
    if court.phase != "setup" or not court.complete:
        return
    for unit, hex in list(court.position.on_map("UN")):
        line = next(iter(names.listed(court.scenario, unit, arrives=False)), None)
        if line is None or line.next_to is None:
            continue
        step = next((fact.step for fact in court.ledger.find("placed", unit.id) if fact.step), act.step)
        near = any(court.position.friends_at(other, "UN") for other in court.grid.neighbours(hex))
        same = len(court.position.friends_at(hex, "UN")) > 1
        option = court.charts.option("hq_next_to_same_hex")
        if near or (same and option is True):
            continue
        sure = not same or option is False
        yield court.find(
            "SET-HQ-NOT-NEXT",
            act,
            f"{unit.name} in {hex} has no UN unit next to it",
            step=step,
            units=(unit.id,),
            sure=sure,
            missing=() if sure else ("whether the same hex counts as next to (option hq_next_to_same_hex)",),
        )


@check("place", ids=["SET-ORDER"])
def order(court: Court, act: Act) -> Iterator[Finding]:
    """The UN set up first."""
    if court.phase != "setup":
        return
    for id in act.units:
        if court.unit(id).side != "UN":
            continue
        first = next(
            (
                fact
                for fact in court.ledger.find("placed")
                if fact.step and fact.who in court.position.units and court.unit(fact.who).side != "UN"
            ),
            None,
        )
        if first is not None:
            yield court.find(
                "SET-ORDER",
                act,
                f"{court.name(first.who)} was set up before the UN had finished ({court.name(id)} came after it)",
                step=first.step,
                units=(first.who,),
            )


# --- breaking divisions down


def from_breakdown(court: Court, unit: Unit) -> bool:
    return any(unit.id in into for into in court.broken.values()) or (
        bool(unit.division) and unit.side != "Chinese" and unit.size != "division"
    )


# --- hidden units and dummies


@check("place", "phase-over", "hide", ids=["SET-HIDDEN-CLASS", "SET-DUMMY-FACEUP", "SET-DUMMY-COUNT"])
def hiding(court: Court, act: Act) -> Iterator[Finding]:
    """Only North Korean leg units below division are hidden; dummies always are, and there are five."""
    if act.verb == "hide":
        units = [(act.of(id), court.unit(id)) for id in act.units]
    else:
        units = [(one, unit) for one, unit, _ in placed(court, act)]
    for one, unit in units:
        hidden = unit.hidden or act.verb == "hide" or bool(act.get("hidden"))
        if hidden and not unit.dummy:
            if not court.scenario.rules["hidden"] or unit.side != "NK":
                yield court.find(
                    "SET-HIDDEN-CLASS",
                    one,
                    f"{unit.name} cannot be hidden: hidden units are North Korean, at Pusan and Inchon",
                )
            elif unit.mobile or unit.size == "division":
                yield court.find(
                    "SET-HIDDEN-CLASS",
                    one,
                    f"{unit.name} is {'mobile' if unit.mobile else 'a division'} and cannot be hidden",
                )
            elif unit.mobile is None and (unit.face.move or 0) >= facts.units()["mobile_by_movement"]:
                missing = (f"whether {unit.name} is leg or mobile (printed on the counter)",)
                yield court.find("SET-HIDDEN-CLASS", one, f"{unit.name} is hidden", sure=False, missing=missing)
        if (
            unit.dummy
            and act.verb != "hide"
            and (
                unit.more.get("face_up")
                or act.get("hidden") is False
                or plain(act.get("face", "side_up") or "") in ("up", "face up", "front")
            )
        ):
            yield court.find("SET-DUMMY-FACEUP", one, f"{unit.name} is a dummy and is set up face up")
    if court.phase != "setup":
        return
    dummies = [unit.id for unit, _ in court.position.on_map() if unit.dummy]
    dummies += [id for id in act.units if act.verb == "place" and court.unit(id).dummy and id not in dummies]
    most = facts.units()["dummies"]["count"]
    if len(dummies) > most and (
        (act.verb == "place" and court.unit(act.units[0]).dummy)
        or (act.verb == "phase-over" and not court.ledger.any("placed", dummies[-1]))
    ):
        yield court.find(
            "SET-DUMMY-COUNT", act, f"{len(dummies)} dummies are set up; there are {most}", units=tuple(dummies)
        )


@check("phase-over", ids=["SET-HIDDEN-ADJ", "SET-DUMMY-ADJ-UN"])
def hidden_neighbours(court: Court, act: Act) -> Iterator[Finding]:
    """No hidden unit next to another; at Inchon no dummy next to the UN."""
    if court.phase != "setup":
        return
    hidden = (
        [(unit, hex) for unit, hex in court.position.on_map("NK") if unit.hidden or unit.dummy]
        if "NK" in court.scenario.sides
        else []
    )

    def step_of(id: str) -> int:
        return next((fact.step for fact in court.ledger.find("placed", id) if fact.step), act.step)

    for i, (one, hex) in enumerate(hidden):
        for other, there in hidden[i + 1 :]:
            if not court.touch(hex, there):
                continue
            dummy = bool(one.dummy or other.dummy)
            option = court.charts.option("dummies_may_adjoin")
            if dummy and option is True:
                continue
            yield court.find(
                "SET-HIDDEN-ADJ",
                act,
                f"{one.name} in {hex} and {other.name} in {there} are hidden and next to each other",
                step=max(step_of(one.id), step_of(other.id)),
                units=(one.id, other.id),
                settled=dummy and option is False,
            )
        if one.dummy and not court.scenario.raw["dummies_next_to_enemy"]:
            near = [
                enemy.name for there in court.grid.neighbours(hex) for enemy in court.position.enemies_at(there, "NK")
            ]
            if near:
                yield court.find(
                    "SET-DUMMY-ADJ-UN",
                    act,
                    f"{one.name} is a dummy set up next to {', '.join(near)}",
                    step=step_of(one.id),
                    units=(one.id,),
                )


@check("phase-over", "after-place", ids=["SET-CH-DIV-58-60"])
def both_divisions(court: Court, act: Act) -> Iterator[Finding]:
    """58 ID as a division counter forces 60 ID to be one too."""
    if court.phase != "setup" or court.scenario.crt != "B":
        return
    units = [unit for unit, _ in court.position.on_map("Chinese") if unit.kind is None]
    whole_id, forced = next(iter(court.scenario.raw["division_forces"].items()))
    whole = [unit for unit in units if unit.size == "division" and names.division_of(court.scenario, unit) == whole_id]
    parts = [unit for unit in units if unit.size != "division" and names.division_of(court.scenario, unit) == forced]
    if whole and parts:
        steps = [fact.step for unit in (*whole, *parts) for fact in court.ledger.find("placed", unit.id)]
        yield court.find(
            "SET-CH-DIV-58-60",
            act,
            f"{whole[0].name} is set up as a division and 60 ID as regiments",
            step=max(steps, default=act.step),
            units=(whole[0].id, *(unit.id for unit in parts)),
        )
