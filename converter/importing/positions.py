"""Who lies where in a saved game: each counter with its board, the point on it, and the number of its hex or zone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from converter.errors import BadInput, Problem
from converter.vassal import commands
from converter.vassal.game import Game
from converter.vassal.grids import BoardLayout
from converter.vassal.maps import GameMap
from converter.vassal.module import Module
from converter.vassal.savegame import SavedGame
from converter.vassal.stream import Element
from converter.vassal.surface import Counter, Pile, Surface


@dataclass(frozen=True)
class Lying:
    """A counter on the table. `board` and `label` are None where the module does not tell them."""

    counter: Counter
    map: str
    board: str | None
    point: tuple[int, int]
    label: str | None
    deck: str | None = None

    @property
    def window_board(self) -> tuple[str, str | None]:
        """The map window and the board in it."""
        return self.map, self.board


@dataclass(frozen=True)
class Position:
    """A saved game as it lies on the table: its counters, those in decks apart, and what was odd in the file."""

    lying: tuple[Lying, ...]
    decks: dict[str, tuple[Lying, ...]]
    sides: tuple[str, ...]
    problems: tuple[Problem, ...]

    def reach(self, window: str, board: str) -> tuple[int, int]:
        """How far to the right and down counters lie on a board."""
        points = [it.point for it in self.lying if it.map == window and it.board == board]
        return max((x for x, _ in points), default=0), max((y for _, y in points), default=0)


def position_of(saved: SavedGame, module: Module | None, step: int = 0) -> Position:
    """Who lies where after a step of a log; 0 is its opening, as a save is."""
    game = play_to(saved, module, step)
    everyone = list(lying_on(game, module))
    decks = {thing.deck: () for thing in game.things.values() if isinstance(thing, Pile) and thing.deck is not None}
    held = {name: tuple(it for it in everyone if it.deck == name) for name in decks}
    sides = tuple(player.side for player in game.players.values())
    lying = tuple(it for it in everyone if it.deck is None)
    return Position(lying, held, sides, (*saved.problems, *game.problems))


def play_to(saved: SavedGame, module: Module | None, step: int) -> Game:
    """The position after a step of a log; 0 is its opening, as a save is."""
    game = Game(_maps(module))
    steps = saved.stream.steps
    if not 0 <= step <= len(steps):
        raise BadInput(f"there is no step {step}: the log has {len(steps)}")
    for element in [*saved.stream.state, *steps[:step]]:
        for text in _heads(element, game.problems):
            game.execute(commands.parse(text))
    return game


def _heads(element: Element, problems: list[Problem]) -> list[str]:
    try:
        return element.heads()
    except BadInput as error:
        problems.append(Problem("savedGame", str(error)))
        return []


class _maps:
    """Makes one surface for a map, whatever a command calls it."""

    def __init__(self, module: Module | None) -> None:
        self.module = module
        self.made: dict[str, Surface] = {}

    def __call__(self, reference: str) -> Surface:
        found = self.module.map(reference) if self.module else None
        name = (found.name or found.id) if found else reference
        if name not in self.made:
            self.made[name] = Surface(name)
        return self.made[name]


def lying_on(game: Game, module: Module | None) -> Iterator[Lying]:
    """Every counter on a map, in the order they were put there; stacks from bottom to top."""
    layouts: dict[str, BoardLayout | None] = {}
    done: set[str] = set()
    for thing in game.things.values():
        group: Sequence[Counter] = thing.members if isinstance(thing, Pile) else (thing,)
        if isinstance(thing, Counter) and thing.pile is not None:
            continue
        for counter in group:
            surface = counter.map
            if surface is None or counter.id in done:
                continue
            done.add(counter.id)
            if surface.name not in layouts:
                layouts[surface.name] = _layout(game, module, surface.name)
            deck = thing.deck if isinstance(thing, Pile) else None
            yield _lying(counter, surface.name, layouts[surface.name], deck)


def _layout(game: Game, module: Module | None, name: str) -> BoardLayout | None:
    found: GameMap | None = module.map(name) if module else None
    return found.layout(game.boards.get(found.name) or game.boards.get(found.id)) if found else None


def _lying(counter: Counter, name: str, layout: BoardLayout | None, deck: str | None) -> Lying:
    x, y = counter.point
    board = layout.board_at(x, y) if layout and layout.known else None
    if board is None or layout is None:
        return Lying(counter, name, None, (x, y), None, deck)
    return Lying(counter, name, board.name, board.local(x, y), layout.location(x, y), deck)
