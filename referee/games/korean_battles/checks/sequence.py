"""The sequence of play: whose turn, which phase, what comes after what (4.0, 4.1, 5.0, 7.0)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.games.korean_battles import facts
from referee.games.korean_battles.court import COMBAT, MOVEMENT, Court, check
from referee.games.korean_battles.interpret import attackers_of
from referee.rulebook import plain
from referee.story_events import as_list
from referee.table.acts import Act
from referee.table.ledger import Fact
from referee.table.units import Unit
from referee.verdict import Finding


@check("move", ids=["SEQ-MOVE-WRONG-PLAYER", "SEQ-MOVE-WRONG-PHASE", "SEQ-PHASE-ORDER"])
def out_of_sequence(court: Court, act: Act) -> Iterator[Finding]:
    """An ordinary move belongs into the own movement phases."""
    for id in act.units:
        unit = court.unit(id)
        one = act.of(id)
        if not court.may_be(unit.side):
            sides = " or ".join(sorted(court.clock.sides())) or "nobody"
            yield court.find(
                "SEQ-MOVE-WRONG-PLAYER", one, f"{unit.name} of the {unit.side} moves in the player turn of the {sides}"
            )
        elif not court.may_be(unit.side, _phases_for(court, unit)):
            phase = " or ".join(sorted(court.clock.phases()))
            yield court.find(
                "SEQ-MOVE-WRONG-PHASE", one, f"{unit.name} moves in the {phase} phase without a result that moves it"
            )
            if court.ledger.any("ground", turn=court.turn, side=unit.side, phase=court.phase):
                yield court.find("SEQ-PHASE-ORDER", one, f"{unit.name} moves after combat of the {unit.side} has begun")


def _phases_for(court: Court, unit: Unit) -> tuple[str, ...]:
    """The phases in which a unit may move; a leg unit in the mobile phase is a breach of its own."""
    leg = unit.mobile is False and not court.must_be(unit.side, ("mobile-movement",))
    return ("movement",) if leg else MOVEMENT


@check("move", ids=["SEQ-LEG-IN-MOBILE-MOVE", "SEQ-MOBILE-MOVED-TWICE"])
def mobile_phase_moves(court: Court, act: Act) -> Iterator[Finding]:
    """Only mobile units that have not moved yet move in the mobile movement phase."""
    for id in act.units:
        unit = court.unit(id)
        one = act.of(id)
        if not court.must_be(unit.side, ("mobile-movement",)):
            continue
        yield from _walks(court, one, unit, "SEQ-LEG-IN-MOBILE-MOVE", "moves in the mobile movement phase")
        moves = [*court.ledger.find("moved", id, turn=court.turn, side=unit.side, phase="movement")]
        before = moves[-1] if moves else None
        if before and before.phase != "mobile-movement":
            yield court.find(
                "SEQ-MOBILE-MOVED-TWICE",
                one,
                f"{unit.name} already moved in the movement phase of this player turn",
                **_perhaps_taken_back(court, before),
            )


def _perhaps_taken_back(court: Court, moved: Fact) -> dict[str, Any]:
    """A move that ended where it began may have been taken back; an arrival was not."""
    if not moved.more.get("back") or court.ledger.any("entered", moved.who, turn=moved.turn):
        return {}
    return {"sure": False, "missing": ("whether the first move was taken back",)}


def _walks(court: Court, act: Act, unit: Unit, id: str, does: str) -> Iterator[Finding]:
    """A leg unit, or one that may be. Who is as fast as only vehicles are and fights is not asked for his counter."""
    fast = (unit.face.move or 0) >= facts.units()["mobile_by_movement"] and bool(unit.face.attack)
    if unit.mobile is False:
        yield court.find(id, act, f"{unit.name} is a leg unit and {does}")
    elif unit.mobile is None and not fast:
        missing = (f"whether {unit.name} is leg or mobile (printed on the counter)",)
        yield court.find(id, act, f"{unit.name} {does}, which only mobile units do", sure=False, missing=missing)


@check("declare", ids=["SEQ-LEG-IN-MOBILE-COMBAT", "SEQ-MOBILE-ATTACKED-TWICE"])
def mobile_phase_attacks(court: Court, act: Act) -> Iterator[Finding]:
    """Only mobile units that have not attacked yet attack in the mobile combat phase."""
    for unit in attackers_of(court, act):
        one = act.of(unit.id)
        if not court.must_be(unit.side, ("mobile-combat",)):
            continue
        yield from _walks(court, one, unit, "SEQ-LEG-IN-MOBILE-COMBAT", "attacks in the mobile combat phase")
        before = court.ledger.any("attacked", unit.id, turn=court.turn, side=unit.side, phase="combat")
        if before and before.phase != "mobile-combat":
            yield court.find(
                "SEQ-MOBILE-ATTACKED-TWICE",
                one,
                f"{unit.name} already attacked in the combat phase of this player turn",
            )


@check("move", ids=["SEQ-MOVE-RESUMED", "SEQ-STACK-DRAG"])
def one_at_a_time(court: Court, act: Act) -> Iterator[Finding]:
    """Units move one by one, each to the end of its move."""
    if len(act.units) > 1:
        names = ", ".join(map(court.name, act.units))
        yield court.find("SEQ-STACK-DRAG", act, f"{names} are moved together; units move one at a time")
    for id in act.units:
        earlier = court.trails.get(id)
        if not earlier:
            continue
        since = earlier[-1][0]
        others = [
            other
            for other, trail in court.trails.items()
            if other != id and trail[-1][0] > since and court.unit(other).side == court.unit(id).side
        ]
        if others:
            yield court.find(
                "SEQ-MOVE-RESUMED",
                act.of(id),
                f"{court.name(id)} moves on after {court.name(others[0])} has moved",
            )


@check("phase", ids=["SEQ-FIRST-PLAYER", "SEQ-PHASE-ORDER", "SEQ-AFTER-END", "SEQ-TURN-MARKER"])
def phase_announced(court: Court, act: Act) -> Iterator[Finding]:
    """Phases come in order, the first player's before the second's, and only to the last turn."""
    told = act.fields
    side = facts.side_of(told.get("side") or told.get("player") or "", court.scenario.id)
    phase = facts.phase_of(told.get("name") or told.get("phase"), side, court.scenario.id)
    if phase in ("support", "turn-end"):
        side = None
    turn = told.get("turn") if isinstance(told.get("turn"), int) else None
    if turn is not None and turn > court.scenario.turns:
        slip = turn > court.scenario.turns + 1 and court.turn != court.scenario.turns
        yield court.find(
            "SEQ-AFTER-END",
            act,
            f"turn {turn} is played; the game ends with turn {court.scenario.turns}",
            sure=not slip,
            missing=(f"whether turn {turn} was meant: it does not follow on the turn before",) if slip else (),
            turn=turn,
        )
        return
    times = court.clock.possible
    if not times or len({time.turn for time in times}) != 1:
        return
    now = next(iter({time.turn for time in times}))
    latest = max(time.place for time in times)
    earliest = min(time.place for time in times)
    places = court.clock.places(side, phase)
    if not places or phase == "setup":
        return
    same_turn = turn is None or turn == now
    first, second = court.scenario.sides
    back = same_turn and all(place < earliest for place in places)
    own_turn = court.clock.sides() <= {side}  # else it may be the next turn
    if back and (turn is not None or side is None or own_turn) and earliest >= 0:
        said = f"{side or ''} {phase or ''}".strip()
        yield court.find("SEQ-PHASE-ORDER", act, f"back to {said} after {_words(court)}", before=_words(court))
        if turn is not None and side != second and not _too_early(court, earliest, latest):
            yield court.find(
                "SEQ-TURN-MARKER", act, f"{said} of turn {turn} after {_words(court)}: the marker was not advanced"
            )
        if turn is None and side == second and court.phasing in (None, second):
            return
    new_turn = now is not None and (
        (turn is not None and turn > now)
        or (turn is None and all(place < earliest for place in places) and side != court.phasing)
    )
    opens = earliest < 1 or new_turn
    skips = turn is not None and now is not None and turn > now + 1
    if opens and side == second and phase == "movement" and (latest < 1 or new_turn):  # a later phase opens nothing
        yield court.find(
            "SEQ-FIRST-PLAYER",
            act,
            f"the {second} open the turn; the {first} move first",
            sure=not skips,
            missing=(f"what happened between turn {now} and turn {turn}",) if skips else (),
        )
    if turn is not None and now is not None and turn > now + 1:
        yield court.find("SEQ-TURN-MARKER", act, f"from turn {now} to turn {turn}: the marker advances one box")
    elif turn is not None and now is not None and turn == now + 1 and _too_early(court, earliest, latest):
        yield court.find(
            "SEQ-TURN-MARKER", act, f"turn {turn} is begun before the {second} have had their part of turn {now}"
        )


def _too_early(court: Court, earliest: int, latest: int) -> bool:
    """Is the second player's turn still to come, so that the game turn cannot end?"""
    second = court.scenario.sides[1]
    start = min(court.clock.places(second, None))
    return earliest >= 0 and latest < start


def _words(court: Court) -> str:
    return f"{court.phasing or ''} {court.phase or ''}".strip() or "this phase"


@check("turn-marker", ids=["SEQ-TURN-MARKER", "SEQ-AFTER-END"])
def turn_marker(court: Court, act: Act) -> Iterator[Finding]:
    """The turn marker goes one box on when the second player has finished."""
    value = act.get("value", "to")
    turn, now = value if isinstance(value, int) else None, court.turn
    if turn is None or now is None:
        return
    if turn > court.scenario.turns:
        yield court.find(
            "SEQ-AFTER-END", act, f"the marker goes to turn {turn}; the game ends with turn {court.scenario.turns}"
        )
    if turn != now + 1:
        yield court.find("SEQ-TURN-MARKER", act, f"the turn marker goes from {now} to {turn}, not to {now + 1}")
        return
    places = [time.place for time in court.clock.times()]
    if court.clock.possible and max(places) < len(court.clock.moments) - 3:
        yield court.find(
            "SEQ-TURN-MARKER",
            act,
            f"the turn marker advances in the {_words(court)} phase, before the game turn is over",
        )


@check("move", "enter", "declare", "bombard", "roll", "rebuild", "air_supply", "bridge", ids=["SEQ-AFTER-END"])
def after_the_end(court: Court, act: Act) -> Iterator[Finding]:
    """Nothing is played after the last turn."""
    turns = court.clock.turns()
    last = court.scenario.turns
    if all(turn is not None and turn > last for turn in turns):
        yield court.find(
            "SEQ-AFTER-END", act, f"the game ended with turn {last}", turn=sorted(turn for turn in turns if turn)
        )


@check("declare", "bombard", ids=["SEQ-COMBAT-OVERLAP"])
def overlapping(court: Court, act: Act) -> Iterator[Finding]:
    """Each combat is finished before the next is named."""
    last = court.combats[-1] if court.combats else None
    if last is None or not court.complete:
        return
    if not last.rolls and last.kind == "ground":
        again = {unit.id for unit in attackers_of(court, act)}
        if (
            again & set(last.attackers)
            and last.target is not None
            and last.target in as_list(act.get("target"))
            and last.step != act.step
        ):
            return
        yield court.find(
            "SEQ-COMBAT-OVERLAP",
            act,
            f"a combat is announced while that of action {last.step} has no roll yet",
            side=last.side,
        )


@check("applied-late", ids=["SEQ-COMBAT-OVERLAP"])
def applied_late(court: Court, act: Act) -> Iterator[Finding]:
    """A result was applied only after the next combat had been announced."""
    yield court.find("SEQ-COMBAT-OVERLAP", act, "a combat is announced before the last result was applied")


@check("bombard", ids=["SEQ-BOMBARD-LATE"])
def bombard_first(court: Court, act: Act) -> Iterator[Finding]:
    """All bombardments come before the first ground attack of the phase."""
    side = court.phasing
    before = court.ledger.any("ground", turn=court.turn, side=side, phase=court.phase)
    if before is not None and court.may_be(None, COMBAT):
        yield court.find("SEQ-BOMBARD-LATE", act, "a ground attack of this phase has already been made", side=side)


@check("phase-over", "end", ids=["SEQ-MARKERS-LEFT"])
def markers_left(court: Court, act: Act) -> Iterator[Finding]:
    """When the turn ends all support markers leave the map."""
    told = act.fields
    turn = told.get("turn") if isinstance(told.get("turn"), int) else None
    next_turn = turn is not None and court.turn is not None and turn > court.turn
    ending = act.verb == "phase-over" and (next_turn or "turn" in plain(act.get("what", "name") or ""))
    if not ending and not (act.verb == "phase-over" and court.must_be(None, ("turn-end",))):
        return
    left = [marker.name for marker in court.markers.values() if marker.kind == "support" and marker.hex is not None]
    if left:
        yield court.find(
            "SEQ-MARKERS-LEFT", act, f"{', '.join(left)} still on the map at the end of the turn", markers=left
        )
