"""Support fire: how many, in what order, whose, once (8.0 to 8.6, 23.1), and what a side may draw."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from referee.games.korean_battles import facts
from referee.games.korean_battles.allotment import Cut, allotted, cuts
from referee.games.korean_battles.court import Court, check
from referee.games.korean_battles.support import uses_in
from referee.rulebook import plain
from referee.story_events import as_list
from referee.table.acts import Act
from referee.table.combat import Combat, SupportUse
from referee.verdict import Finding

_PICKED = r"(choos\w*|chose|chosen|pick(s|ed|ing)?|select(s|ed|ing)?|look(s|ed|ing)? (at|through)|lowest first|best)"
_MARKERS = r"(markers?|chits?|support)"
_CHOSEN = re.compile(rf"\b{_PICKED}\b.*\b{_MARKERS}\b|\b{_MARKERS}\b.*\b({_PICKED}|not (at )?random)\b", re.I)


def _uses(court: Court, act: Act) -> tuple[list[SupportUse], Combat | None]:
    """The markers that an act puts in, and the combat they go to."""
    if act.verb in ("support", "counter_battery"):
        combat = court.combat if court.combat is not None and not court.combat.closed else None
        return (list(uses_in(court, act, None, combat)), combat) if combat else ([], None)
    combat = court.combats[-1] if court.combats else None  # after-declare, after-bombard
    return ([use for use in combat.support if use.step == act.step], combat) if combat else ([], None)


@check("support", "counter_battery", "after-declare", "after-bombard", ids=["SF-THREE", "SF-ORDER", "SF-AFTER-PASS"])
def slots(court: Court, act: Act) -> Iterator[Finding]:
    """Attacker, defender, attacker, defender: two slots a side, each used in its turn or lost."""
    new, combat = _uses(court, act)
    if combat is None or not new:
        return
    declared = act.verb not in ("support", "counter_battery")
    before = [use for use in combat.support if use not in new] if declared else list(combat.support)
    for side in {use.side for use in new if use.side is not None}:
        count = sum(use.side == side for use in [*before, *new])
        if count > facts.rules()["support_limit"] and not (combat.kind == "bombardment" and side == combat.side):
            yield court.find(
                "SF-THREE",
                act,
                f"the {side} put {count} markers into one combat; two is the limit",
                side=side,
                markers=[use.marker for use in [*before, *new] if use.side == side],
            )
            return
    if declared or act.get("unordered") or any(use.side is None for use in [*before, *new]) or combat.side is None:
        return
    uses = list(dict.fromkeys((use.step, str(use.side)) for use in before))  # named in one breath: in any order
    free = _first_free([*uses, *combat.passes], combat.side)
    free_without_passes = _first_free(uses, combat.side)
    for use in new:
        slot = _next_slot(free, use.side == combat.side)
        if slot is None:
            passed = any(side == use.side for _, side in combat.passes)
            late = _next_slot(free_without_passes, use.side == combat.side) is None
            check_id = "SF-AFTER-PASS" if passed else "SF-ORDER"
            yield court.find(
                check_id,
                act,
                f"the {use.side} have no slot left for {use.marker}: markers alternate, attacker first",
                side=use.side,
                order=[f"{one.side} {one.marker}" for one in [*before, *new]],
            )
            if passed:
                yield court.find(
                    "SF-ORDER",
                    act,
                    f"the {use.side} place {use.marker} out of turn",
                    side=use.side,
                    sure=late,
                    missing=() if late else ("whether the slot was really declined",),
                )
            return
        option = court.charts.option("slot_two_after_skipping_one")
        if (
            use.side == combat.side
            and slot == 2
            and not any(other.side == use.side for other in before)
            and option is not True
        ):
            yield court.find(
                "SF-ORDER",
                act,
                f"the {use.side} skipped their first slot and place {use.marker} in the second",
                side=use.side,
                sure=option is False,
                missing=()
                if option is False
                else (
                    "whether an attacker who skipped the first slot may use the second (8.3, option "
                    "slot_two_after_skipping_one)",
                ),
            )
        free = slot + 1


def _first_free(moments: list[tuple[int, str]], attacker: str) -> int:
    """The first of the four slots that is still to come after these uses and passes."""
    free = 0
    for _, side in sorted(moments):
        slot = _next_slot(free, side == attacker)
        if slot is not None:
            free = slot + 1
    return free


def _next_slot(free: int, attacker: bool) -> int | None:
    """The first slot from `free` on that belongs to a side: 0 and 2 are the attacker's, 1 and 3 the defender's."""
    return next((slot for slot in range(free, 2 * facts.rules()["support_limit"]) if (slot % 2 == 0) == attacker), None)


@check(
    "support",
    "counter_battery",
    "after-declare",
    "after-bombard",
    ids=["SF-REUSE", "SF-SPLIT", "SF-CARRY", "SF-OVER-ALLOT"],
)
def markers(court: Court, act: Act) -> Iterator[Finding]:
    """Each marker once a turn, at one hex, drawn this turn, and no more of them than allotted."""
    new, combat = _uses(court, act)
    for use in new:
        earlier = [fact for fact in court.ledger.find("used", use.marker, turn=court.turn) if fact.step < act.step]
        if use.named and earlier:
            split = (
                earlier[-1].more.get("hex") not in (None, combat.target if combat else None) and earlier[-1].step > 0
            )
            yield court.find("SF-REUSE", act, f"{use.marker} was already used this game turn", side=use.side)
            if split and isinstance(act.get("value"), int):
                yield court.find("SF-SPLIT", act, f"the value of {use.marker} is shared among hexes", side=use.side)
        marker = court.markers.get(use.marker)
        drawn = marker.drawn if marker else None
        kept = court.ledger.any("drawn", use.marker) or court.ledger.any("kept", use.marker)
        drawn = drawn if drawn is not None else kept.turn if kept else None
        if drawn is not None and court.turn is not None and drawn < court.turn:
            yield court.find(
                "SF-CARRY",
                act,
                f"{use.marker} was drawn on turn {drawn} and is used on turn {court.turn}",
                side=use.side,
            )
        if (
            marker is not None
            and marker.value is not None
            and isinstance(act.get("value"), int)
            and 0 < act.get("value") < marker.value
        ):
            yield court.find(
                "SF-SPLIT", act, f"{use.marker} is used for {act.get('value')} of its {marker.value}", side=use.side
            )
    hexes = as_list(
        act.get("for", "hexes", "targets")
        if act.verb in ("support", "counter_battery")
        else act.get("target", "targets")
    )
    hexes = [hex for hex in hexes if str(hex) in court.grid]
    if len(hexes) > 1 and (act.verb == "support" or (act.verb == "after-bombard" and len(new) < len(hexes))):
        yield court.find(
            "SF-SPLIT", act, f"one marker is applied to {' and '.join(map(str, hexes))}", side=act.side or court.phasing
        )
    for side in sorted({use.side for use in new if use.side is not None}):
        used = len(
            {
                (fact.who, fact.step)
                for fact in court.ledger.find("used", turn=court.turn)
                if (fact.more.get("side") or fact.side) == side
            }
        )
        used += 0 if act.verb.startswith("after-") else sum(use.side == side for use in new)
        most = _most(court, side)
        if most is not None and used > most:
            yield court.find(
                "SF-OVER-ALLOT",
                act,
                f"the {side} use {used} markers this turn and have {most}",
                side=side,
                cuts=[cut.why for cut in cuts(court, side)],
            )


def _most(court: Court, side: str) -> int | None:
    drawn = court.given.get("drawn")
    if isinstance(drawn, dict) and isinstance(drawn.get(side), int):
        return int(drawn[side])
    return allotted(court, side)


@check("support", ids=["SF-SPLIT"])
def spoken_split(court: Court, act: Act) -> Iterator[Finding]:
    """A marker said to be shared out."""
    if act.get("split") or isinstance(act.get("for"), dict):
        yield court.find("SF-SPLIT", act, "a marker's value cannot be shared among hexes", side=act.side)


@check("takeback", ids=["SF-TAKEBACK"])
def taken_back(court: Court, act: Act) -> Iterator[Finding]:
    """A declared marker stays declared."""
    name = str(act.get("marker", "what"))
    combat = court.combat
    if combat is not None and not combat.rolls and any(use.marker == name for use in combat.support):
        yield court.find("SF-TAKEBACK", act, f"{name} is taken back after it was declared", side=combat.side)


def _count(act: Act) -> int | None:
    for key in (
        "count",
        "draw",
        "drawn",
        "value",
        "to",
        "allotment",
        "number",
        "markers",
        "what",
        "support",
        "support_fire",
    ):
        value = act.fields.get(key)
        if isinstance(value, bool):
            continue
        if isinstance(value, int):
            return value
        if isinstance(value, list):
            return len(value)
        if isinstance(value, dict):
            number = next((count for count in value.values() if isinstance(count, int)), None)
            if number is not None:
                return number
    return None


def _whose(court: Court, act: Act) -> str | None:
    said = act.side or facts.side_of(act.get("side", "player", "by") or "", court.scenario.id)
    for key in ("draw", "drawn", "allotment", "support", "support_fire", "what"):
        value = act.fields.get(key)
        if isinstance(value, dict):
            said = said or next((side for name in value if (side := facts.side_of(name, court.scenario.id))), None)
        elif isinstance(value, str):
            said = said or next(
                (side for part in re.split(r"[\s_-]+", value) if (side := facts.side_of(part, court.scenario.id))), None
            )
    return said


def _is_draw(act: Act) -> bool:
    return act.verb == "draw" or bool({"draw", "drawn", "allotment", "support_drawn", "support_fire"} & set(act.fields))


@check("draw", "claim", ids=["SF-LEDGER", "SF-OVER-ALLOT", "AIR-NO-COST", "SET-CH-DIV-COST"])
def drawing(court: Court, act: Act) -> Iterator[Finding]:
    """A draw is the track's number less every reduction that is due."""
    count, side = _count(act), _whose(court, act)
    if not _is_draw(act) or count is None or side is None:
        return
    base = act.get("base", "track")
    base = base if isinstance(base, int) else court.charts.support_number(court.turn, side)
    due = cuts(court, side)
    total = sum(cut.number for cut in due)
    told: dict[str, Any] = {
        "drawn": count,
        "track": base,
        "reductions": [f"-{cut.number} {cut.why} ({cut.rule})" for cut in due],
    }
    if base is None:
        if due:
            for id in _ledger_ids(due):
                yield court.find(
                    id,
                    act,
                    f"the {side} draw {count}; {total} less than the turn track's number is due",
                    side=side,
                    sure=False,
                    missing=("the support number on the turn track",),
                    **told,
                )
        return
    if count <= base - total:
        return
    message = f"the {side} draw {count}; the track gives {base}{f' less {total}' if total else ''}"
    if due:
        for id in _ledger_ids(due):
            yield court.find(id, act, message, side=side, **told)
    if count > base or not due:
        yield court.find("SF-OVER-ALLOT", act, message, side=side, **told)


def _ledger_ids(due: list[Cut]) -> list[str]:
    found = ["SF-LEDGER"]
    rules = {cut.rule for cut in due}
    if "10.2b" in rules:
        found.insert(0, "AIR-NO-COST")
    if "29.0/CH-SETUP note" in rules:
        found.insert(0, "SET-CH-DIV-COST")
    return found


@check(
    "draw",
    "claim",
    "chat",
    ids=["SF-NOT-RANDOM"],
    partly={"SF-NOT-RANDOM": "only where a player says how the markers were picked; a draw from a deck is not read"},
)
def blind(court: Court, act: Act) -> Iterator[Finding]:
    """Markers are drawn blind from the pool."""
    how = plain(act.get("draw", "how", "method", "selection") or "")
    chosen = act.fields.get("random") is False or bool(act.get("chosen", "picked", "selected"))
    chosen = chosen or how in ("chosen", "picked", "selected", "by choice", "lowest", "lowest first", "not random")
    said = (
        " ".join([act.text, *(f"{key} {value}" for key, value in act.fields.items())])
        if act.verb != "draw"
        else str(act.get("how", "method", "note") or "")
    )
    if chosen or _CHOSEN.search(said):
        yield court.find(
            "SF-NOT-RANDOM", act, "support markers are chosen; they are drawn at random", side=act.side or court.phasing
        )
