"""The score as announced against the ledger (22.0, 27.0/VP, 28.0/VP, 29.0/VP)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from referee.games.korean_battles import facts, names
from referee.games.korean_battles.court import Court, check
from referee.games.korean_battles.story_units import build
from referee.rules.victory import Score
from referee.table.acts import Act
from referee.table.units import Unit
from referee.verdict import Finding


def dead_units(court: Court) -> list[Unit]:
    """The dead pile as far as we know it."""
    found = dict(court.position.dead)
    for fact in court.ledger.find("eliminated"):
        if fact.who not in found:
            unit = court.position.units.get(fact.who)
            if unit is None:
                side = (
                    facts.side_of(str(fact.more.get("side") or ""), court.scenario.id)
                    or fact.side
                    or names.side_known(court.scenario, fact.who)
                    or court.scenario.sides[0]
                )
                unit = build(
                    {
                        "name": fact.who,
                        **{
                            key: value for key, value in fact.more.items() if key in ("size", "class", "nation", "type")
                        },
                        "side": side,
                    },
                    court.scenario,
                    court.charts,
                )
            found[fact.who] = unit
    for told in court.given.get("dead units", ()):
        name = str(told.get("name", "?"))
        side = facts.side_of(told.get("side") or told.get("nation") or "", court.scenario.id) or "UN"
        nation = facts.nation_of(told.get("nation") or told.get("side") or "")
        known = {
            key: value for key, value in told.items() if key in ("size", "class", "type", "attack", "defense", "move")
        }
        found[name] = build({**known, "name": name, "side": side, "nation": nation}, court.scenario, court.charts)
    return list(found.values())


def fits(unit: Unit, want: Mapping[str, Any]) -> bool | None:
    """Does a unit fall under a line of the victory conditions? None where its counter is not known."""
    answers: list[bool | None] = []
    if "nation" in want:
        answers.append(None if unit.nation is None else unit.nation in want["nation"])
    if "kind" in want:
        answers.append(unit.kind in want["kind"])
    elif unit.kind in ("hq", "depot", "cadre", "dummy"):
        return False
    if "size" in want:
        answers.append(None if unit.size is None else unit.size in want["size"])
    if "class" in want:
        answers.append(None if unit.mobile is None else unit.mobile == (want["class"] == "mobile"))
    if False in answers:
        return False
    return None if None in answers else True


def score(court: Court, side: str) -> Score:
    """The points of a side now."""
    total = Score()
    for line in court.scenario.raw["victory"].get(side, ()):
        points = int(line["vp"])
        if "dead" in line:
            for unit in dead_units(court):
                answer = fits(unit, line["dead"])
                if unit.side != side and answer is not False:
                    total.add(points, f"{unit.name} dead", certain=answer is True)
        elif "captured" in line or "ever_captured" in line:
            _captured(court, side, line, points, total)
        elif "overdue" in line:
            _overdue(court, line, points, total)
        elif "on_map" in line:
            for unit, _ in court.position.on_map(line["on_map"]):
                total.add(points, f"{unit.name} on the map")
        elif "entered" in line:
            for id in line["entered"]:
                if any(names.words(fact.who) == names.words(id) for fact in court.ledger.find("entered")) or any(
                    names.words(unit.name) == names.words(id) for unit, _ in court.position.on_map("UN")
                ):
                    total.add(points, f"{id} entered")
        elif "exited" in line:
            for fact in court.ledger.find("exited"):
                gone = court.position.units.get(fact.who)
                early = fact.turn is not None and fact.turn < line["from_turn"]
                size = gone.size if gone else fact.more.get("size")
                if (
                    not early
                    and (size is None or size in line["exited"]["size"])
                    and (gone is None or gone.kind is None)
                ):
                    total.add(points, f"{fact.who} left the map", certain=size is not None)
        elif "holds" in line:
            _holds(court, line, points, total)
        elif "recaptured_city" in line:
            total.add(points * 3, "cities recaptured and held", certain=False)
    return total


def _captured(court: Court, side: str, line: Mapping[str, Any], points: int, total: Score) -> None:
    name = str(line.get("captured") or line.get("ever_captured"))
    hexes = (
        set(court.scenario.cities.get(name, ()))
        | court.charts.regions.get(name, set())
        | court.ground.regions.get(name, set())
    )
    taken = [fact for fact in court.ledger.find("captured") if fact.who in hexes or fact.who.lower() == name.lower()]
    if "from_turn" in line:
        taken = [fact for fact in taken if fact.turn is None or fact.turn >= line["from_turn"]]

    def by(fact: Any) -> str | None:
        return facts.side_of(str(fact.more.get("by") or fact.side or ""), court.scenario.id)

    ours = [fact for fact in taken if by(fact) in (side, None)]
    standing = any(court.position.friends_at(hex, side) for hex in hexes)
    if not ours and not standing:
        return
    lost = "captured" in line and taken and by(taken[-1]) not in (side, None)
    if lost:
        return
    total.add(
        points,
        f"{name} captured",
        certain=bool(ours)
        and by(ours[-1]) == side
        and not any(fact.more.get("dummy") for fact in ours)
        and "by" not in line,  # whose size and supply nobody wrote down
    )


def _overdue(court: Court, line: Mapping[str, Any], points: int, total: Score) -> None:
    plan = next(entry for entry in court.scenario.raw["withdrawals"] if entry["id"] == line["overdue"])
    told = court.given.get("overdue")
    if isinstance(told, Mapping) and plan["id"] in told:
        total.add(points * int(told[plan["id"]]), f"{plan['id']} overdue")
        return
    here = any(
        names.words(unit.name) == names.words(plan["id"]) and unit.nation in (None, plan["nation"])
        for unit, _ in court.position.on_map("UN")
    )
    if here and court.turn is not None and court.turn > plan["turn"]:
        total.add(points * (court.turn - plan["turn"]), f"{plan['id']} overdue since turn {plan['turn']}")
        total.add(points, f"{plan['id']} overdue this turn", certain=False)


def _holds(court: Court, line: Mapping[str, Any], points: int, total: Score) -> None:
    hexes = court.charts.regions.get(line["holds"]) or court.ground.regions.get(line["holds"])
    if not hexes:
        total.add(points, f"{line['holds']} held (its hexes are not known)", certain=False)
        return
    large = [
        unit
        for hex in hexes
        for unit in court.position.friends_at(hex, "UN")
        if unit.size is None or unit.size in line.get("by", {}).get("size", (unit.size,))
    ]
    enemies = any(court.position.enemies_at(hex, "UN") for hex in hexes)
    if large and not enemies:
        total.add(points, f"{line['holds']} held", certain=any(unit.size for unit in large))


def _claims(court: Court, act: Act) -> Iterator[tuple[str, int]]:
    """Scores that an act states: side and points."""
    sources: list[Any] = [act.fields.get(key) for key in ("vp", "vps", "victory_points", "score", "points", "victory")]
    for source in sources:
        if isinstance(source, Mapping):
            for key, value in source.items():
                side = facts.side_of(key, court.scenario.id)
                if side is not None and isinstance(value, int):
                    yield side, value
    number = next(
        (
            value
            for value in [*sources, act.fields.get("value"), act.fields.get("to")]
            if isinstance(value, int) and not isinstance(value, bool)
        ),
        None,
    )
    named = act.side or facts.side_of(act.get("side", "player", "for") or "", court.scenario.id)
    if (
        number is not None
        and named is not None
        and (act.verb == "vp" or any(isinstance(source, int) for source in sources))
    ):
        yield named, number
    elif act.verb == "claim":
        for key, value in act.fields.items():
            found = re.fullmatch(r"(.+?)[_ ]?(?:vps?|victory_points|points)", str(key).lower())
            side = facts.side_of(found[1].replace("_", " "), court.scenario.id) if found else None
            if side is not None and isinstance(value, int):
                yield side, value


@check(
    "claim",
    "vp",
    ids=["VP-MISCOUNT", "WD-OVERDUE", "EXIT-1903-EARLY"],
    partly={"VP-MISCOUNT": "cities retaken at Inchon are left open: the text does not say which towns are cities"},
)
def scored(court: Court, act: Act) -> Iterator[Finding]:
    """An announced score that no reading of the ledger gives."""
    for side, said in _claims(court, act):
        if court.given.get("vp") is not None or court.given.get("dead") is not None:
            continue
        total = score(court, side)
        if total.allows(said):
            continue
        span = str(total.low) if total.low == total.high else f"{total.low} to {total.high}"
        yield court.find(
            "VP-MISCOUNT", act, f"the {side} claim {said} points; the ledger has {span}", side=side, ledger=total.lines
        )
        if any("overdue" in line for line in total.lines) and said < total.low:
            yield court.find(
                "WD-OVERDUE", act, "points for an overdue unit are left out of the score", side=side, ledger=total.lines
            )
        first = (court.scenario.raw.get("exit") or {}).get("from_turn", 0)
        early = [fact.who for fact in court.ledger.find("exited") if fact.turn is not None and fact.turn < first]
        if early and said > total.high:
            message = f"{', '.join(early)} left before turn {first} and counts for nothing"
            yield court.find("EXIT-1903-EARLY", act, message, side=side)
