"""A log played back: the opening position, then step by step what each logged command did at the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from converter.collecting import no_collection
from converter.errors import BadInput, Problem
from converter.vassal import commands, formats, piece_view
from converter.vassal.game import Player
from converter.vassal.module import Module, read_module
from converter.vassal.savegame import SavedGame, read_game
from converter.vassal.stream import LOG, Element
from converter.vassal.surface import Counter, Pile, Point, Surface
from converter.vassal.traits import Trait
from converter.vassal.turn_tracker import decode_state, readings, turn_text
from referee.table import dice
from referee.table.acts import Step
from referee.table.events import (
    Added,
    Changed,
    Chat,
    Event,
    Moved,
    Other,
    Property,
    Removed,
    Stacked,
    Turn,
)
from referee.table.layout import Layout
from referee.table.privacy import Blotter
from referee.table.undo import UndoBook

_PROPERTY = "MutableProperty\t"
_MAYBE_SILENT = (f"{LOG}{_PROPERTY}", f"{LOG}null\\")
_NAMED = re.compile(r"<([^<>]{1,80})>")
Spot = tuple[Surface | None, Point]
_SPOKEN = re.compile(r"<(?P<name>.{0,200}?)> - (?P<text>.*)", re.DOTALL)


class Replay:
    """One log or save at a moment of its play. `layout.game` is the position; `steps()` plays on from there."""

    def __init__(self, saved: SavedGame, module: Module | None = None) -> None:
        self.saved = saved
        self.module = module
        self.layout = Layout(module)
        self.game = self.layout.game
        self.problems: list[Problem] = list(saved.problems)
        self._steps = self._in_steps(saved.stream.steps)
        self.step_count = len(self._steps)
        self._undo = UndoBook()
        self._unread: dict[int, int] = {}
        self._scattered: dict[Counter, Spot] = {}
        with no_collection():
            for element in saved.stream.state:
                self.game.set_up(self._heads(element))

    @cached_property
    def blotter(self) -> Blotter:
        """Keeps passwords out of what is shown: those of everybody who sits down at any time in the file."""
        return Blotter(self._seats())

    def steps(self, upto: int | None = None) -> Iterator[Step]:
        """Play the log, each step as VASSAL's Step button does it, from step 1 on."""
        for number, elements in enumerate(self._steps[:upto], 1):
            self.game.where = f"step {number}"
            yield self._play(number, elements)

    def play_to(self, step: int | None = None) -> None:
        """Play up to and including a step, or to the end."""
        if step is not None and not 0 <= step <= self.step_count:
            raise BadInput(f"there is no step {step}: the log has {self.step_count}")
        for _ in self.steps(step):
            pass

    def all_problems(self) -> list[Problem]:
        """Everything odd so far: in the file, in the position, and commands nobody but the module itself can read."""
        unread = [problem for number in self._unread for problem in self._unread_in(number)]
        return [*self.problems, *self.game.problems, *unread]

    def problems_in(self, number: int) -> list[Problem]:
        """What was odd in one step."""
        where = f"step {number}"
        return [problem for problem in self.game.problems if problem.where == where] + self._unread_in(number)

    def _unread_in(self, number: int) -> list[Problem]:
        count = self._unread.get(number)
        what = f"{count} command(s) of the module's own code were passed over"
        return [Problem(f"step {number}", what)] if count else []

    def _seats(self) -> Iterator[Player]:
        """Whoever sits down at any time: a password is one before its owner comes and after he left."""
        for element in self.saved.stream.elements:
            if "PLAYER\t" in element.raw:
                for command in map(commands.parse, self._heads(element)):
                    if isinstance(command, commands.Player):
                        yield Player(*command)

    def _heads(self, element: Element) -> list[str]:
        try:
            return element.heads()
        except BadInput as error:
            self.game.problem(str(error))
            return []

    def _in_steps(self, logged: list[Element]) -> list[list[Element]]:
        """What each press of the Step button plays. The engine passes over what tells nothing but results of dice (its
        module reads only the global properties it declares); here they come with the step after them."""
        if self.module is None:
            return [[element] for element in logged]
        declared = {held.name for held in self.module.properties if held.container == "Module"}
        steps: list[list[Element]] = []
        waiting: list[Element] = []
        for element in logged:
            waiting.append(element)
            if not self._is_silent(element, declared):
                steps.append(waiting)
                waiting = []
        if steps:
            steps[-1] += waiting
        elif waiting:
            steps.append(waiting)
        return steps

    def _is_silent(self, element: Element, declared: set[str]) -> bool:
        if _PROPERTY not in element.raw or not element.raw.startswith(_MAYBE_SILENT):
            return False
        for command in map(commands.parse, self._heads(element)):
            if isinstance(command, commands.MutableProperty):
                if command.container != "Module" or command.name in declared:
                    return False
            elif command != commands.Null("null"):
                return False
        return True

    def _play(self, number: int, elements: list[Element]) -> Step:
        step = [commands.parse(text) for element in elements for text in self._heads(element)]
        events: list[Event] = []
        player: str | None = None
        kinds = list(map(type, step))
        for kind, command in zip(kinds, step, strict=True):
            tell = _TELL.get(kind)
            if tell is not None:
                tell(self, command, events)
            else:
                self.game.execute(command)
            if kind is commands.MovePiece and player is None and command.player:
                seat = self.game.players.get(command.player)
                player = seat.name if seat else None
        if commands.Unknown in kinds:
            self._unread[number] = kinds.count(commands.Unknown)
        if self._scattered:
            self._scattered.clear()
        if not dice.TELLING.isdisjoint(kinds):
            events.extend(dice.rolls(step, self.module))
        undone = self._undo.enter(number, step, kinds)
        if undone is not None:
            events.insert(0, undone)
        if player is None and commands.Chat in kinds:
            player = self._speaker(events)
        return Step(number, tuple(events), player)

    def _speaker(self, events: list[Event]) -> str | None:
        """Who typed the step's chat, or whom of the roster its dice name."""
        lines = [event for event in events if isinstance(event, Chat)]
        typed = next((line.speaker for line in lines if line.speaker), None)
        if typed is not None:
            return typed
        rolled = [line.text for line in lines if line.text.startswith("***")]
        if not rolled:
            return None
        roster = {player.name for player in self.game.players.values()}
        named = (found[1] for text in rolled for found in _NAMED.finditer(text))
        return next((name for name in named if name in roster), None)

    def _name(self, counter: Counter) -> str:
        return piece_view.name_of(counter.build, counter.states)

    def _tell_shift(self, counter: Counter, origin: Spot, events: list[Event]) -> None:
        """Where a counter came to lie, if that is elsewhere."""
        now = _spot(counter)
        if now != origin:
            was, to = self.layout.at(*origin), self.layout.at(*now)
            if was != to:
                events.append(Moved(counter.id, self._name(counter), was, to))

    def _tell_move(self, command: commands.MovePiece, events: list[Event]) -> None:
        thing = self.game.things.get(command.id or "")
        movers = [thing] if isinstance(thing, Counter) else list(thing.members) if isinstance(thing, Pile) else []
        before = [(counter, self._scattered.get(counter) or _spot(counter)) for counter in movers]
        self.game.execute(command)
        for counter, origin in before:
            self._tell_shift(counter, origin, events)
        self._tell_piles(movers, events)

    def _tell_piles(self, counters: list[Counter], events: list[Event]) -> None:
        """The stacks that counters are now in, if they share them."""
        told: set[Pile] = set()
        for counter in counters:
            pile = counter.pile
            if pile is not None and len(pile.members) > 1 and pile not in told:
                told.add(pile)
                events.append(Stacked(pile.id, tuple([member.id for member in pile.members]), self.layout.place(pile)))

    def _tell_add(self, command: commands.AddPiece, events: list[Event]) -> None:
        known = self.game.things.get(command.id or "")
        origin = _spot(known) if isinstance(known, Counter) else None
        self.game.execute(command)
        thing = self.game.things.get(command.id or "")
        if isinstance(thing, Counter):
            if origin is None:
                events.append(Added(thing.id, self._name(thing), self.layout.place(thing)))
            else:
                self._tell_shift(thing, origin, events)
        elif isinstance(thing, Pile):
            self._tell_piles(thing.members, events)

    def _tell_remove(self, command: commands.RemovePiece, events: list[Event]) -> None:
        thing = self.game.things.get(command.id)
        if isinstance(thing, Counter):
            events.append(Removed(thing.id, self._name(thing), self.layout.place(thing)))
        elif isinstance(thing, Pile):  # an undo first dissolves the stack it had made, then moves the counters
            self._scattered.update((counter, _spot(counter)) for counter in thing.members)
        self.game.execute(command)

    def _tell_change(self, command: commands.ChangePiece, events: list[Event]) -> None:
        thing = self.game.things.get(command.id)
        if isinstance(thing, Pile):
            self._tell_pile_change(thing, command, events)
            return
        if not isinstance(thing, Counter):
            return
        origin, states = _spot(thing), thing.states
        self.game.execute(command)
        changes = _changes(thing.build.links, states, thing.states)
        if changes:
            events.append(Changed(thing.id, self._name(thing), tuple(changes)))
        self._tell_shift(thing, origin, events)

    def _tell_pile_change(self, pile: Pile, command: commands.ChangePiece, events: list[Event]) -> None:
        order = [counter.id for counter in pile.members]
        spots = {counter: _spot(counter) for counter in pile.members}
        self.game.execute(command)
        for counter, origin in spots.items():
            self._tell_shift(counter, origin, events)
        if [counter.id for counter in pile.members] != order:
            self._tell_piles(pile.members, events)

    def _tell_chat(self, command: commands.Chat, events: list[Event]) -> None:
        line = formats.resolve_entities(command.text)
        spoken = _SPOKEN.fullmatch(line) if line[:1] == "<" else None
        events.append(Chat(line, spoken["name"] if spoken else None))

    def _tell_property(self, command: commands.MutableProperty, events: list[Event]) -> None:
        self.game.execute(command)
        if command.old != command.new:
            events.append(Property(command.name, command.old, command.new, command.container or "Module"))

    def _tell_saved_property(self, command: commands.GlobalProperty, events: list[Event]) -> None:
        key = (command.container or "Module", command.name)
        before = self.game.properties.get(key)
        self.game.execute(command)
        events.append(Property(command.name, before, command.value, key[0]))

    def _tell_turn(self, command: commands.TurnState, events: list[Event]) -> None:
        self.game.execute(command)
        tracker = self.module.turn_tracker(command.tracker) if self.module else None
        if tracker is None:
            events.append(Turn(command.tracker, ()))
            return
        state = decode_state(tracker, command.state)
        events.append(Turn(tracker.name, tuple(readings(tracker, state)), turn_text(tracker, state)))

    def _tell_player(self, command: commands.Player, events: list[Event]) -> None:
        self.game.execute(command)
        events.append(Other("player", f"{command.name} plays {command.side}"))


def _spot(counter: Counter) -> Spot:
    """Where a counter lies. What is there is worked out only if it moves."""
    lying = counter.pile or counter
    return lying.own_map, lying.own_point


def _changes(types: Sequence[str], before: Sequence[str], after: Sequence[str]) -> list[tuple[str, str, str]]:
    """The exported properties that a change of state changed; the basic piece's own memory does not count."""
    changes: list[tuple[str, str, str]] = []
    for type_text, old, new in zip(types[:-1], before, after, strict=False):
        if old != new:
            changes += _trait_changes(type_text, old, new)
    return changes


@lru_cache(maxsize=5_000)
def _trait_changes(type_text: str, old: str, new: str) -> tuple[tuple[str, str, str], ...]:
    """The exported properties that one trait's change of state changed; the same few happen again and again."""
    was: dict[str, str] = {}
    now: dict[str, str] = {}
    piece_view.export(Trait(type_text, old), was)
    piece_view.export(Trait(type_text, new), now)
    return tuple((key, was.get(key, ""), value) for key, value in now.items() if was.get(key, "") != value)


def _plain(what: str) -> Callable[[Replay, commands.Command, list[Event]], None]:
    """Commands that are told by a word alone: their text may be private."""
    return lambda replay, command, events: events.append(Other(what))


_TELL: dict[type, Callable[[Replay, commands.Command, list[Event]], None]] = {
    commands.MovePiece: Replay._tell_move,
    commands.AddPiece: Replay._tell_add,
    commands.RemovePiece: Replay._tell_remove,
    commands.ChangePiece: Replay._tell_change,
    commands.Chat: Replay._tell_chat,
    commands.MutableProperty: Replay._tell_property,
    commands.GlobalProperty: Replay._tell_saved_property,
    commands.TurnState: Replay._tell_turn,
    commands.Player: Replay._tell_player,
    commands.Audio: _plain("sound"),
    commands.Flare: _plain("flare"),
    commands.LineOfSight: _plain("line of sight"),
    commands.Notes: _plain("notes"),
    commands.PublicNotes: _plain("notes"),
    commands.PrivateNote: _plain("private note"),
    commands.SecretNote: _plain("secret note"),
    commands.Unknown: _plain("module command"),
}


def open_replay(path: str | Path, module: Module | str | Path | None = None) -> Replay:
    """Read a save or log (and the module, if its file is given) and set up the opening position."""
    with no_collection():
        saved = read_game(path)
        if isinstance(module, str | Path):
            module = read_module(module)
        if module is not None and saved.module_name not in ("", module.name):
            what = f"was made with module '{saved.module_name}', not with '{module.name}'"
            saved.problems.append(Problem(str(path), what))
        return Replay(saved, module)
