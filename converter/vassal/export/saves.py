"""A set-up as a saved game inside the module: the counters where they start, and the cups filled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from converter.vassal import pieces, sequence
from converter.vassal.commands import AddPiece, Boards, Command, MutableProperty, TurnState
from converter.vassal.compose import opening
from converter.vassal.metadata import Metadata
from converter.vassal.new_module import VASSAL_VERSION, CounterPlan, MapPlan, with_gpid
from converter.vassal.obfuscation import Hidden
from converter.vassal.prototypes import Prototypes
from converter.vassal.savegame import SavedGame, game_bytes
from converter.vassal.stream import Stream
from converter.vassal.traits import write_type
from converter.vassal.turn_tracker import TurnTracker, encode_state, start_state

Point = tuple[int, int]
KEY = 0x5A  # any will do; a fixed one, so that the same scenario gives the same bytes


@dataclass(frozen=True)
class Placed:
    """A counter on a map; its step counts from 1."""

    counter: CounterPlan
    gpid: int
    map: str
    point: Point
    step: int = 1


@dataclass(frozen=True)
class Deck:
    """A cup on a map with its counters from bottom to top."""

    name: str
    map: str
    point: Point
    held: tuple[tuple[CounterPlan, int], ...] = ()


def saved_setup(
    placed: Iterable[Placed],
    decks: Sequence[Deck],
    maps: Sequence[MapPlan],
    prototypes: Mapping[str, str],
    module: Metadata,
    properties: Mapping[str, tuple[str, str]],
    tracker: TurnTracker | None = None,
) -> bytes:
    """The bytes of the .vsav; `properties` are global ones that differ from the module's: old and new value."""
    book = Prototypes(prototypes)
    adds: list[AddPiece] = []
    stacks: dict[tuple[str, Point], list[str]] = {}
    for number, it in enumerate(placed):
        thing = str(10_000 + number)
        adds.append(AddPiece(thing, *_in_play(book, it.counter, it.gpid, it.map, it.point, it.step)))
        stacks.setdefault((it.map, it.point), []).append(thing)
    number = 10_000 + len(adds)
    for (where, (x, y)), members in stacks.items():
        state = sequence.encode_safe([where, str(x), str(y), *members, "@@-1"], ";") or ""
        adds.append(AddPiece(str(number), "stack", state))
        number += 1
    for deck in decks:
        members = []
        for counter, gpid in deck.held:
            adds.append(AddPiece(str(number), *_in_play(book, counter, gpid, deck.map, deck.point, 1)))
            members.append(str(number))
            number += 1
        adds.append(AddPiece(str(number), deck_type(deck.name), _deck_state(deck, members)))
        number += 1
    components: list[Command] = [
        Boards(plan.name, tuple((board.name, column, 0, False) for column, board in enumerate(plan.boards)))
        for plan in maps
    ]
    components += [MutableProperty(name, old, new, "Module") for name, (old, new) in properties.items()]
    if tracker is not None:
        components.append(TurnState(tracker.id, encode_state(tracker, start_state(tracker))))
    savedata = Metadata(version=module.version, vassal_version=VASSAL_VERSION, date_saved=0)
    return game_bytes(SavedGame(Stream(opening(adds, components)), Hidden("", key=KEY), savedata, module))


def _in_play(book: Prototypes, counter: CounterPlan, gpid: int, where: str, point: Point, step: int) -> tuple[str, str]:
    """Type and state of a counter on the table, its prototypes in place."""
    made = book.expand("+/" + (sequence.encode_safe(["null", counter.type, counter.state], "/") or ""))
    assert made is not None
    links = list(pieces.type_links(made.type))
    states = list(pieces.unroll_states(made.state, len(links)))
    if step > 1:
        layers = [i for i, link in enumerate(links) if link.startswith("emb2;")]
        states[layers[-1]] = str(step)
    states[-1] = sequence.encode_safe([where, str(point[0]), str(point[1]), str(gpid), "0"], ";") or ""
    return made.type, with_gpid(pieces.roll(states), str(gpid))


def deck_type(name: str) -> str:
    """A cup as a piece: shuffled, face down, drawn face up."""
    return write_type("deck", **_DECK, name=name)


def _deck_state(deck: Deck, members: Sequence[str]) -> str:
    x, y = deck.point
    return sequence.encode_safe([deck.map, str(x), str(y), "true", ",".join(members)], ";") or ""


_DECK = {
    "outline": True,
    "outline_colour": (60, 60, 60),
    "width": 56,
    "height": 56,
    "face_down": "Always",
    "shuffle": "Always",
    "allow_multiple": True,
    "allow_select": False,
    "reversible": False,
    "send_command": "",
    "send_target": "",
    "send_message": "",
    "draw_face_up": True,
    "can_save": False,
    "max_stack": 15,
}
