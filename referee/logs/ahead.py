"""What is still to come in a log: a result that is applied late was applied, and a unit put aside comes back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from referee.logs.reckoning import Doing
from referee.table.acts import Step
from referee.table.events import Added, Changed, Event, Moved, Removed


class Ahead:
    """Looks forward in the steps of a log. `doings` tells what a step does that belongs into certain phases."""

    def __init__(self, steps: Sequence[Step], doings: Callable[[Step], Iterable[Doing]]) -> None:
        self.steps = steps
        self.doings = doings

    @cached_property
    def done(self) -> list[tuple[int, tuple[Doing, ...]]]:
        """The steps that do something, and what."""
        found = ((step.number, tuple(self.doings(step))) for step in self.steps)
        return [(number, done) for number, done in found if done]

    @cached_property
    def _moves_by_side(self) -> dict[str | None, list[int]]:
        """The steps in which each side moves units, in order."""
        found: dict[str | None, list[int]] = {}
        for number, done in self.done:
            for side in {one.side for one in done if one.what == "move"}:
                found.setdefault(side, []).append(number)
        return found

    @cached_property
    def _by_piece(self) -> dict[str, list[tuple[int, Event]]]:
        found: dict[str, list[tuple[int, Event]]] = {}
        for step in self.steps:
            for event in step.events:
                if isinstance(event, (Moved, Added, Removed, Changed)):
                    found.setdefault(event.piece, []).append((step.number, event))
        return found

    def moves_again(self, side: str, after: int) -> int | None:
        """The step after `after` in which a side next moves a unit."""
        moves = self._moves_by_side.get(side, ())
        at = bisect_right(moves, after)
        return moves[at] if at < len(moves) else None

    def goes_on(self, after: int) -> bool:
        """Is anything played after a step?"""
        return bool(self.done) and self.done[-1][0] > after

    def comes_back(self, id: str, after: int) -> bool:
        """Is a piece put on a map again?"""
        return any(
            number > after and (isinstance(event, Added) or (isinstance(event, Moved) and event.to.map is not None))
            for number, event in self._by_piece.get(id, ())
        )

    def first_moved(self, after: int) -> str | None:
        """The piece that is dragged first after a step."""
        for step in self.steps[bisect_right(self._numbers, after) :]:
            for event in step.events:
                if isinstance(event, Moved):
                    return event.piece
        return None

    @cached_property
    def _numbers(self) -> list[int]:
        return [step.number for step in self.steps]

    def mended(self, id: str, after: int, until: int, step_property: str) -> bool:
        """Is a piece turned or taken away later, or moved before its side goes on with step `until`?"""
        for number, event in self._by_piece.get(id, ()):
            if number <= after:
                continue
            if isinstance(event, Removed) or (isinstance(event, Moved) and number < until):
                return True
            if isinstance(event, Changed) and any(name == step_property for name, _, _ in event.properties):
                return True
        return False
