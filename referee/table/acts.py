"""Acts: what a step of events amounts to. Three hops of a piece are one move; a call-out is a declaration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from referee.table import callouts
from referee.table.events import Added, Changed, Chat, Declared, Event, Moved, Place, Removed, Rolled, Turn, Undone


@dataclass(slots=True, unsafe_hash=True)
class Step:
    """One press of VASSAL's Step button, or one action of a story. It never changes; that is not enforced because
    thousands are made."""

    number: int
    events: tuple[Event, ...]
    player: str | None = None


@dataclass(slots=True)
class Act:
    """Something a player did. `verb` is the story's word for it; `units` are piece ids; `path` starts at `origin`.
    It never changes; that is not enforced because thousands are made."""

    step: int
    verb: str
    units: tuple[str, ...] = ()
    origin: str | None = None
    to: str | None = None
    path: tuple[str, ...] = ()
    exact: bool = False
    side: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""

    def get(self, *names: str) -> Any:
        """The first of these fields that is there."""
        for name in names:
            value = self.fields.get(name)
            if value is not None:
                return value
        return None

    def of(self, id: str) -> Act:
        """The part that one unit has in it."""
        return self if self.units == (id,) else replace(self, units=(id,))


def without_undone(steps: Sequence[Step]) -> list[Step]:
    """Steps that were taken back are left out, and so are the steps that took them back.

    An undo can be undone in its turn; then the first step stands again. An undo of nobody knows what is kept.

    >>> said = lambda n, *events: Step(n, events)
    >>> [step.number for step in without_undone([said(1, Chat("a")), said(2, Chat("b")), said(3, Undone(2))])]
    [1]
    >>> [step.number for step in without_undone([said(1, Chat("a")), said(2, Undone(1)), said(3, Undone(2))])]
    [1]
    """
    gone: set[int] = set()
    for step in reversed(steps):
        if step.number not in gone:
            taken_back = [event.step for event in step.events if isinstance(event, Undone) and event.step is not None]
            gone.update([step.number, *taken_back] if taken_back else [])
    return [step for step in steps if step.number not in gone]


def acts_of(step: Step) -> Iterator[Act]:
    """The acts of one step, in order. A `Declared("as", ...)` qualifies the moves that follow it in the step."""
    journeys: dict[str, list[Moved]] = {}
    manner: Mapping[str, Any] = {}
    for event in step.events:
        if isinstance(event, Moved):
            journeys.setdefault(event.piece, []).append(event)
            continue
        if journeys:
            yield from _moves(step, journeys, manner)
            journeys, manner = {}, {}
        if isinstance(event, Declared) and event.what == "as":
            manner = dict(event.fields)
        else:
            yield from _act(step, event)
    if journeys:
        yield from _moves(step, journeys, manner)


def _where(place: Place) -> str | None:
    return place.hex if place.map is not None else None


def _moves(step: Step, journeys: Mapping[str, Sequence[Moved]], manner: Mapping[str, Any]) -> Iterator[Act]:
    """One act for pieces that went the same way together, else one each."""
    together: dict[tuple[str | None, ...], list[str]] = {}
    for piece, hops in journeys.items():
        way = (_where(hops[0].origin), *(_where(hop.to) for hop in hops))
        together.setdefault(way, []).append(piece)
    for way, pieces in together.items():
        verb = str(manner.get("as", "move"))
        path = tuple(hex for hex in way if hex is not None)
        yield Act(
            step.number, verb, tuple(pieces), way[0], way[-1], path, bool(manner.get("exact")),
            step.player, {key: value for key, value in manner.items() if key not in ("as", "exact")},
        )  # fmt: skip


def _act(step: Step, event: Event) -> Iterator[Act]:
    number, player = step.number, step.player
    match event:
        case Removed(piece=piece, origin=origin):
            yield Act(number, "remove", (piece,), _where(origin), side=player)
        case Added(piece=piece, at=at):
            yield Act(number, "place", (piece,), None, _where(at), side=player)
        case Changed(piece=piece, properties=properties):
            yield Act(
                number, "change", (piece,), side=player, fields={name: (old, new) for name, old, new in properties}
            )
        case Rolled(dice=dice, sides=sides, text=text, label=label, about=about):
            told = {**dict(about), "dice": dice, "sides": sides, "for": label}
            yield Act(number, "roll", side=player, fields=told, text=text)
        case Turn(levels=levels, text=text):
            said = callouts.phase_words(" ".join([*(reading for _, reading in levels), text]))
            yield Act(number, "phase", side=player, fields=said, text=text)
        case Declared(what=what, fields=fields, text=text):
            yield _declared(number, player, what, dict(fields), text)
        case Chat(text=text):
            found = callouts.read(text)
            if found is None:
                yield Act(number, "chat", side=player, text=text)
            else:
                yield _declared(number, player, found.what, dict(found.fields), text)
        case _:
            pass


def _declared(number: int, player: str | None, what: str, fields: Mapping[str, Any], text: str) -> Act:
    units = fields.get("units") or ()
    if isinstance(units, str):
        units = (units,)
    return Act(
        number, what, tuple(units), None, fields.get("hex"), (), False, fields.get("by_side") or player, fields, text
    )
