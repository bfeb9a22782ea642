"""The maps of a game as the players see them: which piece lies in which hex, with or without the module at hand."""

from __future__ import annotations

from converter.vassal.game import Game
from converter.vassal.grids import BoardLayout
from converter.vassal.maps import GameMap
from converter.vassal.module import Module
from converter.vassal.piece_view import properties
from converter.vassal.surface import Counter, Pile, Point, Surface
from referee.table.events import Place

OFFBOARD = "offboard"
NOWHERE = Place(None)


class Layout:
    """Turns positions in pixels into hexes. Without a module every map is known by name only and no hex is told."""

    def __init__(self, module: Module | None = None) -> None:
        self.module = module
        self.game = Game(self._surface)
        self._surfaces: dict[str, Surface] = {}
        self._boards: dict[str, BoardLayout] = {}
        self._places: dict[tuple[str, Point], Place] = {}
        self._seen_boards = 0

    def place(self, thing: Counter | Pile) -> Place:
        """Where a counter or pile lies."""
        lying = thing.pile or thing
        return self.at(lying.own_map, lying.own_point)

    def at(self, surface: Surface | None, point: Point) -> Place:
        """What is at a point of a map."""
        if surface is None:
            return NOWHERE
        if self.game.boards_set != self._seen_boards:
            self._boards.clear()
            self._places.clear()
            self._seen_boards = self.game.boards_set
        key = (surface.name, point)
        place = self._places.get(key)
        if place is None:
            x, y = point
            place = self._places[key] = Place(surface.name, x, y, self._hex(surface.name, x, y))
        return place

    def _hex(self, map_name: str, x: int, y: int) -> str | None:
        """The printed number (or the zone's, region's or deck's name) at a point; None off the boards or unknown."""
        layout = self.boards_of(map_name)
        label = layout.location(x, y) if layout is not None else None
        return None if label == OFFBOARD else label

    def boards_of(self, map_name: str) -> BoardLayout | None:
        """The boards of a map window as they lie now; None where the module does not know the map."""
        if map_name not in self._boards:
            game_map = self.module.map(map_name) if self.module else None
            if game_map is None:
                return None
            boards = self.game.boards
            self._boards[map_name] = game_map.layout(boards.get(game_map.name) or boards.get(game_map.id))
        return self._boards[map_name]

    def _surface(self, reference: str) -> Surface:
        if self.module is None:
            return Surface(reference)
        game_map = self.module.map(reference)
        if game_map is None:
            self.game.problem(f"the module has no map '{reference}'; what lies there is known by position only")
            return Surface(reference)
        if game_map.id not in self._surfaces:
            self._surfaces[game_map.id] = _lay_out(game_map)
        return self._surfaces[game_map.id]


def _lay_out(game_map: GameMap) -> Surface:
    name = game_map.name or game_map.id
    if game_map.layers is None:
        return Surface(name, game_map.stacks, game_map.lifts_last_moved)
    key, order = game_map.layers

    def layer_of(counter: Counter | None) -> int:
        value = properties(counter.traits).get(key) if counter is not None else None
        return order.index(value) if value in order else len(order)

    return Surface(name, game_map.stacks, game_map.lifts_last_moved, layer_of)
