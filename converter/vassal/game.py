r"""A game in play: the position that a save describes, and what each command does to it, as the engine does it.

>>> from converter.vassal import commands
>>> game = Game()
>>> for text in ("+/1/piece;;;;Inf/Main;10;20;;0", "+/9/stack/Main;10;20;1", "M/1/Main/50/60/null/Main/10/20/null"):
...     game.execute(commands.parse(text))
>>> game.counters["1"].point
(50, 60)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from converter.errors import BadInput, Problem
from converter.vassal import commands, pieces, sequence
from converter.vassal.builds import build_of
from converter.vassal.fields import read_int
from converter.vassal.surface import Counter, Pile, Point, Surface, Thing, stays_apart
from converter.vassal.traits import read_type

MOST_PROBLEMS = 200


class Player:
    """A seat at the table. The id is a password and stays inside."""

    def __init__(self, secret: str, name: str, side: str) -> None:
        self.secret, self.name, self.side = secret, name, side

    def __repr__(self) -> str:
        return f"Player({self.name!r}, {self.side!r})"


class _Surfaces(dict[str, Surface]):
    """The maps by what commands call them; one nobody spoke of before is made when first asked for."""

    def __init__(self, resolve: Callable[[str], Surface]) -> None:
        self._resolve = resolve

    def __missing__(self, reference: str) -> Surface:
        made = self[reference] = self._resolve(reference)
        return made


class Game:
    """Counters, piles, maps, players, boards, properties and trackers at one moment of a game.

    `resolve` makes the map a reference means; without a module every name is a map of its own.
    """

    def __init__(self, resolve: Callable[[str], Surface] = Surface) -> None:
        self.surfaces: dict[str, Surface] = _Surfaces(resolve)
        self.things: dict[str, Counter | Pile] = {}
        self.removed: dict[str, Counter] = {}
        """Counters that left the game, by id."""
        self.players: dict[str, Player] = {}
        self.boards: dict[str, tuple[tuple[str, int, int, bool], ...]] = {}
        self.boards_set = 0
        """How often boards were laid out: what was worked out for earlier ones no longer holds."""
        self.properties: dict[tuple[str, str], str] = {}
        self.trackers: dict[str, str] = {}
        self.notes: dict[str, str] = {}
        self.problems: list[Problem] = []
        self.where = "savedGame"
        self.viewer: str | None = None
        """The id of whoever moved last: what is hidden from others is not hidden from him."""
        self._made = 0

    @property
    def counters(self) -> Mapping[str, Counter]:
        """All counters by id."""
        return {key: thing for key, thing in self.things.items() if isinstance(thing, Counter)}

    @property
    def piles(self) -> Mapping[str, Pile]:
        """All piles by id, empty ones too."""
        return {key: thing for key, thing in self.things.items() if isinstance(thing, Pile)}

    def surface(self, reference: str | None) -> Surface | None:
        """The map of this name or `Map<n>`; None for no map."""
        return None if reference is None or reference == "null" else self.surfaces[reference]

    def execute(self, command: commands.Command) -> None:
        """Do what a command says. Commands that concern only windows, sounds and chat do nothing here."""
        action = _ACTIONS.get(type(command))
        if action is not None:
            try:
                action(self, command)
            except BadInput as error:
                self.problem(str(error))

    def set_up(self, texts: Iterable[str]) -> None:
        """Do what the commands of an opening position say. Nearly all add a piece, so for those no command is made."""
        for text in texts:
            fields = commands.added(text)
            if fields is None:
                self.execute(commands.parse(text))
                continue
            try:
                self._add(*fields)
            except BadInput as error:
                self.problem(str(error))

    def problem(self, what: str) -> None:
        """Note something odd and go on."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(self.where, what))

    def _add(self, thing_id: str | None, type_text: str, state: str) -> None:
        build = build_of(type_text)
        if thing_id is None:
            thing_id = self._fresh_id()
        if build.kind == "piece":
            states = pieces.unroll_states(state, build.length)
            if len(states) < build.length:
                states = self._filled_up(thing_id, build.length, states)
            name, point = _basic_spot(states[-1])
            counter = self.things[thing_id] = Counter(thing_id, build, states, point)
            if name != "null":
                self.surfaces[name].add(counter)
        elif build.kind in ("stack", "deck"):
            fields = sequence.decode(state, ";") if "\\" in state or "'" in state else state.split(";")
            name, point = (fields[0], _point(fields[1], fields[2])) if len(fields) > 2 else _spot(fields)
            deck = str(read_type(build.links[-1])["name"]) if build.kind == "deck" else None
            pile = self.things[thing_id] = Pile(thing_id, deck, point)
            if name != "null":
                self.surfaces[name].add(pile)
            if len(fields) > 3:
                self._fill(pile, fields)
        else:
            self.problem("a piece of unknown kind was left out")

    def _fresh_id(self) -> str:
        while True:
            self._made += 1
            if f"new{self._made}" not in self.things:
                return f"new{self._made}"

    def _remove(self, command: commands.RemovePiece) -> None:
        thing = self.things.pop(command.id, None)
        if thing is None:
            return
        _lift(thing)
        where = thing.map
        if where is not None:
            where.discard(thing)
            thing.own_map = None
        if isinstance(thing, Counter):
            self.removed[thing.id] = thing
            if thing.pile is not None:
                thing.pile.take_out(thing)

    def _change(self, command: commands.ChangePiece) -> None:
        thing = self.things.get(command.id)
        if thing is None:
            return
        if isinstance(thing, Pile):
            if command.old is None or thing.deck is not None:
                self._set_pile(thing, sequence.decode(command.new, ";"))
            else:
                self._merge_pile(thing, command.new, command.old)
        elif command.old is None:
            states, length = pieces.unroll_states(command.new, thing.build.length), thing.build.length
            thing.states = states if len(states) == length else self._filled_up(thing.id, length, states)
            self._put(thing, *_basic_spot(thing.states[-1]))
        else:
            self._merge_counter(thing, command.new, command.old)

    def _merge_counter(self, counter: Counter, new_text: str, old_text: str) -> None:
        """Set only the traits whose state differs between the two texts."""
        if new_text == old_text:
            return
        states = list(counter.states)
        length = len(states)
        new, old = pieces.unroll_states(new_text, length), pieces.unroll_states(old_text, length)
        if len(new) < length or len(old) < length:
            self.problem(f"a change of state of piece {counter.id} is shorter than the piece has traits")
        for index, (new_state, old_state) in enumerate(zip(new, old, strict=False)):
            if new_state == old_state:
                continue
            states[index] = new_state
            if index == length - 1:
                self._put(counter, *_basic_spot(new_state))
            elif index in counter.build.property_links:
                counter.states = tuple(states)
                self._resettle(counter)
        counter.states = tuple(states)

    def _resettle(self, counter: Counter) -> None:
        """A changed property may have changed a counter's layer, so the engine lays the counter down anew. That also
        joins what lay apart at one point."""
        surface, pile = counter.map, counter.pile
        if surface is None or (pile is not None and pile.deck is not None):
            return
        if pile is None:
            self._relay(surface, counter, counter.point)
            return
        others = [member for member in pile.members if member is counter or member.hidden_by in (None, self.viewer)]
        index = others.index(counter) if counter in others else 0
        beside = others[index - 1] if index else others[1] if len(others) > 1 else None
        if beside is None:
            self._relay(surface, pile, pile.point)
        elif not surface.can_merge(beside, counter, self.viewer) and not self._merge_at(
            surface, counter, pile.point, self.viewer
        ):
            self._lay(surface, counter, pile.point)

    def _relay(self, surface: Surface, thing: Counter | Pile, point: Point) -> None:
        surface.discard(thing)
        if not self._merge_at(surface, thing, point, self.viewer):
            self._lay(surface, thing, point)

    def _merge_pile(self, pile: Pile, new_text: str, old_text: str) -> None:
        """Take the new members, and keep those that neither text knows next to whom they lay above."""
        new, old = sequence.decode(new_text, ";"), sequence.decode(old_text, ";")
        members = new[3:]
        known = {*members, *old[3:]}
        for index, counter in enumerate(pile.members):
            if counter.id not in known:
                below = pile.members[index - 1].id if index else None
                members.insert(members.index(below) + 1 if below in members else 0, counter.id)
        self._set_pile(pile, [*new[:3], *members])

    def _filled_up(self, thing_id: str, length: int, states: tuple[str, ...]) -> tuple[str, ...]:
        """The states of a counter's traits with those that are missing."""
        self.problem(f"the state of piece {thing_id} is shorter than the piece has traits")
        return states + ("",) * (length - len(states))

    def _put(self, thing: Counter | Pile, name: str, point: Point) -> None:
        """Set position and map as the engine does when it reads a state."""
        now = thing.map
        new = self.surface(name)
        thing.shift(point)
        if new is now:
            return
        if new is not None:
            new.add(thing)
        else:
            if now is not None:
                now.discard(thing)
            thing.own_map = None

    def _set_pile(self, pile: Pile, fields: list[str]) -> None:
        self._put(pile, *_spot(fields))
        self._fill(pile, fields)

    def _fill(self, pile: Pile, fields: list[str]) -> None:
        """Put in the counters that a pile's state names."""
        if pile.deck is None:
            ids = fields[3:]
        else:
            pile.face_down = fields[3:4] == ["true"]
            ids = sequence.decode(fields[4], ",") if len(fields) > 4 else []
        members: list[Counter] = []
        pile.members = members
        seen: set[Counter] = set()
        things = self.things
        for token in ids:
            counter = things.get(token)
            if isinstance(counter, Counter):
                if counter.pile is pile and counter not in seen:
                    members.append(counter)
                else:
                    pile.put_in(counter, len(members))
                seen.add(counter)
            elif token.startswith("@@"):
                pile.layer = read_int(token[2:], -1)

    def _move(self, command: commands.MovePiece) -> None:
        thing = self.things.get(command.id or "")
        if thing is None:
            return
        self.viewer = command.player
        to = command.to
        surface = self.surface(to.map)
        if surface is None:
            old = self.surface(command.origin.map)
            if old is not None:
                old.discard(thing)
            return
        point = (to.x, to.y)
        under = self.things.get(to.under) if to.under is not None else None
        if under is not None and under.point == point and under.map is surface:
            self._merge(surface, under, thing, command.player)
        else:
            if not self._merge_at(surface, thing, point, command.player):
                self._lay(surface, thing, point)
            if to.under is None and isinstance(thing, Counter) and thing.pile is not None:
                thing.pile.reorder(thing, 0)
        _lift(thing)

    def _lay(self, surface: Surface, thing: Counter | Pile, point: Point) -> None:
        thing.shift(point)
        surface.add(thing)

    def _merge_at(self, surface: Surface, thing: Counter | Pile, point: Point, player: str | None) -> bool:
        """Join the first deck, stack or counter at this point that the thing may join."""
        stacks = surface.stacks and not stays_apart(thing)
        for found in surface.joinable(point):
            if isinstance(found, Pile) and found.deck is not None:
                self._merge(surface, found, thing, player)
                return True
            if not stacks:
                continue
            moving = thing if isinstance(thing, Counter) else thing.top(player)
            fixed = found if isinstance(found, Counter) else found.top(player) if isinstance(found, Pile) else None
            if moving is not None and fixed is not None and surface.can_merge(moving, fixed, player):
                self._merge(surface, found, thing, player)
                return True
        return False

    def _merge(self, surface: Surface, fixed: Thing, moving: Counter | Pile, player: str | None) -> None:
        """Put a thing directly above another, making a stack where there is none."""
        if isinstance(fixed, Pile):
            fixed = fixed.top(player) or fixed
        pile = fixed.pile if isinstance(fixed, Counter) else None
        if moving is fixed or moving is pile:
            return
        if pile is not None and isinstance(fixed, Counter):
            index = pile.members.index(fixed) + 1 if fixed in pile.members else 0
        elif isinstance(fixed, Pile):
            pile, index = fixed, len(fixed.members)
        elif isinstance(fixed, Counter):
            pile, index = Pile(self._fresh_id(), None, fixed.point), 1
            self.things[pile.id] = pile
            pile.put_in(fixed, 0)
            surface.add(pile)
        else:
            return
        if isinstance(moving, Pile):
            for counter in list(moving.members):
                pile.put_in(counter, index)
                index += 1
        else:
            pile.reorder(moving, index - 1 if moving.pile is pile else index)

    def _player(self, command: commands.Player) -> None:
        self.players[command.id] = Player(command.id, command.name, command.side)

    def _drop_player(self, command: commands.RemovePlayer) -> None:
        self.players.pop(command.id, None)

    def _boards(self, command: commands.Boards) -> None:
        self.boards[command.map] = command.boards
        self.boards_set += 1

    def _global_property(self, command: commands.GlobalProperty) -> None:
        self.properties[command.container or "Module", command.name] = command.value

    def _mutable_property(self, command: commands.MutableProperty) -> None:
        self.properties[command.container or "Module", command.name] = command.new

    def _turn(self, command: commands.TurnState) -> None:
        self.trackers[command.tracker] = command.state


def _lift(thing: Counter | Pile) -> None:
    """What was moved, added or removed, or the stack it is in, comes to lie on top."""
    surface = thing.map
    if surface is not None:
        surface.lift(thing.pile or thing)


def _basic_spot(basic: str) -> tuple[str, Point]:
    """Where a basic piece's state says that it lies; the rest is what it remembers of its last move."""
    if "\\" in basic or "'" in basic:
        return _spot(sequence.decode(basic, ";"))
    fields = basic.split(";", 3)
    return (fields[0], _point(fields[1], fields[2])) if len(fields) > 2 else _spot(fields)


def _spot(fields: list[str]) -> tuple[str, Point]:
    """Map and position, with which every state begins."""
    if len(fields) < 3:
        fields = [*fields, "", ""]
    return fields[0], _point(fields[1], fields[2])


@lru_cache(maxsize=20_000)
def _point(x: str, y: str) -> Point:
    """Counters lie on the points of a grid, so the same ones come up again and again."""
    return read_int(x), read_int(y)


_ACTIONS: dict[type, Callable[[Game, commands.Command], None]] = {
    commands.AddPiece: lambda game, command: game._add(*command),
    commands.RemovePiece: Game._remove,
    commands.ChangePiece: Game._change,
    commands.MovePiece: Game._move,
    commands.Player: Game._player,
    commands.RemovePlayer: Game._drop_player,
    commands.Boards: Game._boards,
    commands.GlobalProperty: Game._global_property,
    commands.MutableProperty: Game._mutable_property,
    commands.TurnState: Game._turn,
}
