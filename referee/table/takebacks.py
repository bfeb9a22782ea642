"""Corrections by hand: a piece put back where it was, or turned back, before anything else was settled, never moved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from referee.table.acts import Step
from referee.table.events import Added, Changed, Event, Moved, Place, Removed, Rolled, Turn

Spot = tuple[int, int]  # index of the step, index of the event in it


def without_takebacks(steps: Sequence[Step], is_barrier: Callable[[Event], bool] | None = None) -> list[Step]:
    """The steps without what was taken back by hand before the next roll or phase. The last drag before a phase is
    announced may still be taken back by the first one after it: the words came while the hand was at it. A counter
    that is turned and turned back after the first roll may have lost a step and regained it: both are kept.

    >>> a, b = Place("m", 0, 0, "0101"), Place("m", 9, 0, "0102")
    >>> there, back = Moved("1", "x", a, b), Moved("1", "x", b, a)
    >>> [len(step.events) for step in without_takebacks([Step(1, (there,)), Step(2, (back,))])]
    [0, 0]
    >>> [len(step.events) for step in without_takebacks([Step(1, (there,)), Step(2, (Rolled((1,), 6, ""), back))])]
    [1, 2]
    >>> phase = Turn("t", ())
    >>> [len(step.events) for step in without_takebacks([Step(1, (there,)), Step(2, (phase,)), Step(3, (back,))])]
    [0, 1, 0]
    """
    last: dict[tuple[str, str], Spot] = {}
    latest: tuple[tuple[str, str], Spot] | None = None  # the last thing done to any piece
    just_announced = rolled = False
    gone: set[Spot] = set()
    for i, step in enumerate(steps):
        for j, event in enumerate(step.events):
            if isinstance(event, Rolled):
                last, latest, rolled = {}, None, True
            if isinstance(event, Turn) or (is_barrier is not None and is_barrier(event)):
                moved = latest is not None and isinstance(steps[latest[1][0]].events[latest[1][1]], Moved)
                last, just_announced = {latest[0]: latest[1]} if latest is not None and moved else {}, True
                continue
            key = _key(event)
            if key is None:
                continue
            before = last.get(key)
            if just_announced:
                last, just_announced = {}, False
            latest = (key, (i, j))
            settled = rolled and isinstance(event, Changed)
            if before is not None and not settled and _reverses(steps[before[0]].events[before[1]], event):
                gone |= {before, (i, j)}
                last.pop(key, None)
                latest = None
            else:
                last[key] = (i, j)
    if not gone:
        return list(steps)
    return [
        replace(step, events=tuple(event for j, event in enumerate(step.events) if (i, j) not in gone))
        for i, step in enumerate(steps)
    ]


def _key(event: Event) -> tuple[str, str] | None:
    if isinstance(event, (Moved, Added, Removed)):
        return event.piece, "place"
    return (event.piece, "state") if isinstance(event, Changed) else None


def _spot(place: Place) -> tuple[str | None, object]:
    return place.map, place.hex or (place.x, place.y)


def _reverses(first: Event, second: Event) -> bool:
    if isinstance(first, Moved) and isinstance(second, Moved):
        return _spot(first.origin) == _spot(second.to) and _spot(first.to) == _spot(second.origin)
    if isinstance(first, Changed) and isinstance(second, Changed):
        return {(name, new, old) for name, old, new in first.properties} == set(second.properties)
    return isinstance(first, Added) and isinstance(second, Removed)
