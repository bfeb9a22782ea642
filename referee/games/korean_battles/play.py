"""Judging a game step by step: each act is understood, checked against the rules, and then done."""

from __future__ import annotations

from dataclasses import replace

import referee.court
from referee.court import findings_of, run
from referee.games.korean_battles.apply import DOING, PHASE_ENDING
from referee.games.korean_battles.checks import CHECKS
from referee.games.korean_battles.court import Court
from referee.games.korean_battles.interpret import interpret
from referee.table.acts import Act, Step

_CLOSING = ("declare", "bombard", "move", "enter", *PHASE_ENDING)


def play(court: Court, step: Step) -> None:
    """Judge one step and do it."""
    referee.court.play(CHECKS, court, step, interpret, _before, DOING)


def _before(court: Court, act: Act) -> None:
    if act.verb in _CLOSING:
        close_combat(court, act)
    if act.verb in PHASE_ENDING:
        _settle(court)
        run(CHECKS, court, replace(act, verb="phase-over"))


def finish(court: Court, last: int) -> None:
    """The story or the log is over. Only where it is complete does the end prove anything."""
    if not court.complete:
        return
    end = Act(last, "end")
    close_combat(court, end)
    _settle(court)
    run(CHECKS, court, replace(end, verb="phase-over"))
    run(CHECKS, court, end)


def close_combat(court: Court, act: Act) -> None:
    """Nothing more can happen to the last combat: judge how its result was applied.

    If the next combat is announced while a result is not applied yet, the judgement waits: it may be applied late.
    """
    combat = court.combat
    if combat is None or combat.closed:
        return
    over = replace(act, verb="combat-over", fields={"closed_by": act.verb})
    found = list(findings_of(CHECKS, court, over))
    if found and act.verb in ("declare", "bombard") and combat.rolls:
        court.waiting.append((combat, over))
    else:
        for finding in found:
            court.add(finding)
    combat.closed = True
    if act.verb not in ("move", "enter"):
        court.combat = None


def _settle(court: Court) -> None:
    """Judge the combats that were left with a result not applied."""
    for combat, over in court.waiting:
        court.combat, now = combat, court.combat
        found = list(findings_of(CHECKS, court, over))
        court.combat = now
        if not found:
            run(CHECKS, court, replace(over, verb="applied-late", units=combat.attackers))
        for finding in found:
            court.add(finding)
    court.waiting.clear()
