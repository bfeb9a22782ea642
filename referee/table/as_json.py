"""What `hexref state` and `hexref replay` print: positions and steps as plain values for JSON.

A counter that a player hid or masked is told as an opponent sees it, unless the caller asks to reveal it; so is a deck
that lies face down: what is in it may be known, the order is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from converter.vassal import piece_view
from converter.vassal.game import Game
from converter.vassal.surface import Counter, Pile
from referee.table.acts import Step
from referee.table.events import (
    Added,
    Changed,
    Chat,
    Declared,
    Event,
    Moved,
    Other,
    Place,
    Property,
    Removed,
    Rolled,
    Stacked,
    Turn,
    Undone,
)
from referee.table.replay import Replay

Json = dict[str, Any]
MOST_IN_STACKS = 2_000_000
"""Ids that the stacks of all pieces may name together: in one stack their number grows with its square."""

NOWHERE: Json = {"map": None, "x": None, "y": None, "hex": None}


def state(replay: Replay, reveal: bool = False) -> Json:
    """Who is where, as `state --json` prints it."""
    module = replay.module.name if replay.module else replay.saved.module_name
    counters = list(replay.game.counters.values())
    if not reveal:  # a file lists the cards of a deck as they lie
        counters.sort(key=lambda counter: (1, counter.id) if _is_covered(counter.pile) else (0, ""))
    pieces = [_piece(counter, replay, reveal) for counter in counters]
    players = [{"name": player.name, "side": player.side} for player in replay.game.players.values()]
    answer = {"module": module, "steps": replay.step_count, "players": players, "pieces": pieces}
    problems = [str(problem) for problem in replay.all_problems()]
    cleaned: Json = replay.blotter.clean({**answer, "problems": problems})
    _tell_stacks(counters, cleaned, replay, reveal)
    return cleaned


def _tell_stacks(counters: list[Counter], answer: Json, replay: Replay, reveal: bool) -> None:
    """Give each piece the ids in its stack, from bottom to top; members of one stack share one list."""
    stacks: dict[Pile, list[str]] = {}
    room = MOST_IN_STACKS
    for counter, piece in zip(counters, answer["pieces"], strict=True):
        if "hidden" in piece:
            continue
        pile = counter.pile
        if pile is None or room < 0:
            piece["stack"] = [piece["id"]]
            continue
        if pile not in stacks:
            seen = [member.id for member in pile.members if reveal or member.hidden_by is None]
            if not reveal and _is_covered(pile):
                seen.sort()
            stacks[pile] = replay.blotter.clean(seen)
        piece["stack"] = stacks[pile]
        room -= len(stacks[pile])
    if room < 0:
        answer["problems"].append("the stacks are too big to be told for every piece in them")


def _is_covered(pile: Pile | None) -> bool:
    """Whether nobody may know in which order counters lie here."""
    return pile is not None and pile.deck is not None and pile.face_down


def step(told: Step, replay: Replay, reveal: bool = False) -> Json:
    """One line of `replay --json`."""
    veil = _Veil(replay.game, reveal)
    events = [veil.event(event) for event in told.events]
    problems = [problem.what for problem in replay.problems_in(told.number)]
    cleaned: Json = replay.blotter.clean(
        {"step": told.number, "player": told.player, "events": events, "problems": problems}
    )
    return cleaned


def place(where: Place) -> Json:
    """A place as JSON."""
    return {"map": where.map, "x": where.x, "y": where.y, "hex": where.hex}


def _piece(counter: Counter, replay: Replay, reveal: bool) -> Json:
    hidden = counter.hidden_by is not None and not reveal
    traits = counter.traits
    told: Json = {"id": counter.id, "name": "" if hidden else piece_view.name(traits, public=not reveal)}
    told |= NOWHERE if hidden else place(replay.layout.place(counter))
    told["stack"] = []
    told["properties"] = {} if hidden else piece_view.properties(traits, public=not reveal)
    if counter.pile is not None and counter.pile.deck is not None and not hidden:
        told["deck"] = counter.pile.deck
    if hidden:
        told["hidden"] = True
    return told


class _Veil:
    """Events as JSON, seen by somebody who may not look under masks or see hidden counters."""

    def __init__(self, game: Game, reveal: bool) -> None:
        self.game = game
        self.reveal = reveal

    def event(self, event: Event) -> Json:
        return {"type": event.type, **_FIELDS[type(event)](event, self)}

    def veiled(self, piece: str) -> Counter | None:
        """The counter, on the table or just taken off it; None where nothing of it is to be kept back."""
        thing = None if self.reveal else self.game.things.get(piece) or self.game.removed.get(piece)
        return thing if isinstance(thing, Counter) else None

    def name(self, piece: str, name: str) -> str:
        counter = self.veiled(piece)
        if counter is None:
            return name
        return "" if counter.hidden_by is not None else piece_view.name(counter.traits, public=True)

    def place(self, piece: str, where: Place) -> Json:
        counter = self.veiled(piece)
        return place(where) if counter is None or counter.hidden_by is None else dict(NOWHERE)

    def members(self, pile: str, pieces: Iterable[str]) -> list[str]:
        counters = ((piece, self.veiled(piece)) for piece in pieces)
        seen = [piece for piece, counter in counters if counter is None or counter.hidden_by is None]
        thing = self.game.things.get(pile)
        covered = isinstance(thing, Pile) and _is_covered(thing) and not self.reveal
        return sorted(seen) if covered else seen

    def changes(self, event: Changed) -> Mapping[str, list[str]]:
        counter = self.veiled(event.piece)
        changes = {key: [before, after] for key, before, after in event.properties}
        if counter is None:
            return changes
        seen = piece_view.properties(counter.traits, public=True) if counter.hidden_by is None else {}
        return {key: value for key, value in changes.items() if key in seen}


_FIELDS: dict[type, Callable[[Any, _Veil], Json]] = {
    Moved: lambda e, veil: {
        "piece": e.piece,
        "name": veil.name(e.piece, e.name),
        "from": veil.place(e.piece, e.origin),
        "to": veil.place(e.piece, e.to),
    },
    Added: lambda e, veil: {"piece": e.piece, "name": veil.name(e.piece, e.name), "at": veil.place(e.piece, e.at)},
    Removed: lambda e, veil: {
        "piece": e.piece,
        "name": veil.name(e.piece, e.name),
        "from": veil.place(e.piece, e.origin),
    },
    Changed: lambda e, veil: {
        "piece": e.piece,
        "name": veil.name(e.piece, e.name),
        "properties": veil.changes(e),
    },
    Stacked: lambda e, veil: {"stack": e.stack, "pieces": veil.members(e.stack, e.pieces), "at": place(e.at)},
    Chat: lambda e, veil: {"text": e.text, "speaker": e.speaker},
    Rolled: lambda e, veil: {
        "dice": list(e.dice),
        "sides": e.sides,
        "text": e.text,
        "name": e.label,
        "total": e.total,
    },
    Turn: lambda e, veil: {"tracker": e.tracker, "levels": [list(level) for level in e.levels], "text": e.text},
    Property: lambda e, veil: {"name": e.name, "from": e.before, "to": e.after, "container": e.container},
    Undone: lambda e, veil: {"step": e.step},
    Declared: lambda e, veil: {"what": e.what, "fields": dict(e.fields), "text": e.text},
    Other: lambda e, veil: {"what": e.what, "text": e.text},
}
