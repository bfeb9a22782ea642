"""The things that lie on a VASSAL map: counters, piles (stacks and decks), and the maps themselves.

They follow the engine's own book-keeping to the letter, its quirks included: a counter in a pile has the pile's place
whatever its own says, an emptied pile stays where it was, and pieces are found in the order the map keeps them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from converter.vassal.builds import Build
from converter.vassal.traits import Trait, pair

Point = tuple[int, int]

CROWD = 1_000
"""Things at one point beyond which not all are looked at: no real map comes near."""


class Thing:
    """What counters and piles share: an id, a place of their own and, for a counter that lies in one, its pile."""

    __slots__ = ("id", "own_map", "own_point", "pile")

    id: str
    own_map: Surface | None
    own_point: Point
    pile: Pile | None

    @property
    def map(self) -> Surface | None:
        """The map it is on: its pile's, if it is in one."""
        return self.own_map if self.pile is None else self.pile.own_map

    @property
    def point(self) -> Point:
        """Its position in pixels of the map: its pile's, if it is in one."""
        return self.own_point if self.pile is None else self.pile.own_point

    def shift(self, point: Point) -> None:
        """Set its own position."""
        if self.own_map is not None:
            self.own_map.shift(self, point)
        else:
            self.own_point = point


class Counter(Thing):
    """One counter: its type, what that makes of it, and the links of its state chain."""

    __slots__ = ("build", "states")

    def __init__(self, thing_id: str, build: Build, states: tuple[str, ...] = (), point: Point = (0, 0)) -> None:
        self.id = thing_id  # not by way of super(), which is slow for thousands
        self.own_map = None
        self.own_point = point
        self.pile = None
        self.build = build
        self.states = states

    @property
    def type(self) -> str:
        """The text of its type."""
        return self.build.type

    @property
    def traits(self) -> tuple[Trait, ...]:
        """Its traits, outermost first, as they are now."""
        return tuple(pair(self.build.links, self.states))

    @property
    def hidden_by(self) -> str | None:
        """The id (password) or side of whoever hid it, as an Invisible trait says; None if nobody did."""
        for index in self.build.hide_links:
            if self.states[index] not in ("", "null"):
                return self.states[index]
        return None


class Pile(Thing):
    """A stack or a deck: counters from bottom to top."""

    __slots__ = ("deck", "face_down", "layer", "members")

    def __init__(self, thing_id: str, deck: str | None = None, point: Point = (0, 0)) -> None:
        self.id = thing_id
        self.own_map = None
        self.own_point = point
        self.pile = None
        self.deck = deck
        self.members: list[Counter] = []
        self.layer = -1
        self.face_down = False

    def top(self, viewer: str | None) -> Counter | None:
        """The highest counter this player can see."""
        for counter in reversed(self.members):
            if counter.hidden_by in (None, viewer):
                return counter
        return None

    def take_out(self, counter: Counter) -> None:
        """Remove a counter; one that is not in this pile only forgets it."""
        if counter in self.members:
            self.members.remove(counter)
        counter.pile = None

    def put_in(self, counter: Counter, index: int) -> None:
        """Insert a counter from elsewhere."""
        if counter.pile is not None:
            counter.pile.take_out(counter)
        elif counter.own_map is not None:
            counter.own_map.discard(counter)
        counter.pile = self
        self.members.insert(index, counter)

    def reorder(self, counter: Counter, index: int) -> None:
        """Insert a counter, or shift it to this place if it is in the pile already."""
        index = min(max(index, 0), len(self.members))
        if counter not in self.members:
            self.put_in(counter, index)
            return
        now = self.members.index(counter)
        del self.members[now]
        self.members.insert(index, counter)


class Surface:
    """A map in play: what lies on it, in the engine's order, and how it stacks.

    Where the map highlights what moved last, that also comes to lie over everything else. `layer_of` tells the layer of
    a counter, or of what has none (None).
    """

    def __init__(
        self,
        name: str,
        stacks: bool = True,
        lifts_last_moved: bool = True,
        layer_of: Callable[[Counter | None], int] | None = None,
    ) -> None:
        self.name = name
        self.stacks = stacks
        self.lifts_last_moved = lifts_last_moved
        self.layer_of = layer_of
        self._order: dict[Thing, int] = {}
        self._joinable: dict[Point, dict[Thing, None]] | None = None
        self._count = 0

    def __contains__(self, thing: Thing) -> bool:
        return thing in self._order

    def __iter__(self) -> Iterator[Thing]:
        return iter(sorted(self._order, key=self._rank))

    def add(self, thing: Thing) -> None:
        """Lay down a counter or pile that is not yet directly on this map, taking it out of its pile or off its map."""
        order = self._order
        if thing in order:
            return
        if thing.pile is not None and isinstance(thing, Counter):
            thing.pile.take_out(thing)
        if thing.own_map is not None and thing.own_map is not self:
            thing.own_map.discard(thing)
        self._count = order[thing] = self._count + 1
        if self._joinable is not None:
            _remember(self._joinable, thing, thing.own_point)
        thing.own_map = self

    def discard(self, thing: Thing) -> None:
        """Take a thing off this map, if it lies directly on it. It goes on believing that it is there, as in VASSAL."""
        if self._order.pop(thing, None) is not None and self._joinable is not None:
            _forget(self._joinable, thing)

    def shift(self, thing: Thing, point: Point) -> None:
        """Set a thing's own position."""
        if self._joinable is not None and thing in self._order and point != thing.own_point:
            _forget(self._joinable, thing)
            _remember(self._joinable, thing, point)
        thing.own_point = point

    def lift(self, thing: Thing) -> None:
        """Something was touched: it goes to the end of the map's order."""
        if self.lifts_last_moved and thing in self._order:
            self._count += 1
            self._order[thing] = self._count

    def joinable(self, point: Point) -> list[Thing]:
        """What lies directly on the map at exactly this point and may be joined, in the order the engine finds it."""
        if self._joinable is None:  # nobody asks before the opening position is complete
            self._joinable = {}
            for thing in self._order:
                _remember(self._joinable, thing, thing.own_point)
        found = self._joinable.get(point, {})
        if len(found) < 2:
            return list(found)
        if len(found) > CROWD:
            found = dict.fromkeys(islice((thing for thing in found if not _is_spent(thing)), CROWD))
        return sorted(found, key=self._rank)

    def can_merge(self, a: Counter, b: Counter, viewer: str | None) -> bool:
        """Whether two counters may lie in one stack here."""
        if a.build.no_stack or b.build.no_stack:
            return False
        if a.hidden_by not in (None, viewer) or b.hidden_by not in (None, viewer):
            return False
        return self.layer_of is None or self.layer_of(a) == self.layer_of(b)

    def _rank(self, thing: Thing) -> tuple[int, int]:
        """What never stacks lies below everything else, unless the map has layers; then by age on the map."""
        if self.layer_of is None:
            return 0 if stays_apart(thing) else 1, self._order[thing]
        top = thing if isinstance(thing, Counter) else None
        if isinstance(thing, Pile) and thing.deck is None and thing.members:
            top = thing.members[-1]
        return self.layer_of(top), self._order[thing]


def stays_apart(thing: Thing) -> bool:
    """Whether a thing joins no stack: a deck, or a counter that never stacks."""
    return thing.deck is not None if isinstance(thing, Pile) else isinstance(thing, Counter) and thing.build.no_stack


def _remember(joinable: dict[Point, dict[Thing, None]], thing: Thing, point: Point) -> None:
    if not (isinstance(thing, Counter) and thing.build.no_stack):  # a deck takes up what comes
        joinable.setdefault(point, {})[thing] = None


def _forget(joinable: dict[Point, dict[Thing, None]], thing: Thing) -> None:
    here = joinable.get(thing.own_point)
    if here is not None:
        here.pop(thing, None)
        if not here:
            del joinable[thing.own_point]


def _is_spent(thing: Thing) -> bool:
    """An emptied stack, which nothing joins."""
    return isinstance(thing, Pile) and thing.deck is None and not thing.members
