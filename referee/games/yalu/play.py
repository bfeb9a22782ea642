"""Judging a game of Yalu step by step, and closing each fire when something else begins."""

from __future__ import annotations

from dataclasses import replace

import referee.court
from referee.court import run
from referee.games.yalu.apply import DOING
from referee.games.yalu.checks import CHECKS
from referee.games.yalu.court import Court
from referee.games.yalu.interpret import PHASE_ENDING, interpret
from referee.table.acts import Act, Step

_CLOSING = ("fire", "bombard", *PHASE_ENDING)


def play(court: Court, step: Step) -> None:
    """Judge one step and do it."""
    referee.court.play(CHECKS, court, step, interpret, _before, DOING)


def finish(court: Court, last: int) -> None:
    """The story is over. Only where it is complete does the end prove anything."""
    if not court.complete:
        return
    end = Act(last, "end")
    close_fire(court, end)
    run(CHECKS, court, replace(end, verb="story-over"))


def close_fire(court: Court, act: Act) -> None:
    """Nothing more can happen to the last fire: judge how its result was applied."""
    combat = court.combat
    if combat is None or combat.closed:
        return
    run(CHECKS, court, replace(act, verb="fire-over", fields={"closed_by": act.verb}))
    combat.closed = True


def _before(court: Court, act: Act) -> None:
    if act.verb in _CLOSING:
        close_fire(court, act)
    if act.verb in PHASE_ENDING:
        run(CHECKS, court, replace(act, verb="phase-over"))
