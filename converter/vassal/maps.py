"""The maps of a module: windows, the boards in them, which boards stand where at the start, and what lies on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from lxml import etree

from converter.errors import BadInput, Problem
from converter.vassal import commands
from converter.vassal.archive import Archive
from converter.vassal.buildfile import class_name, components, element_text
from converter.vassal.fields import Kind, read_field, read_int
from converter.vassal.grids import BoardCell, BoardLayout, Grid, grid_of, lay_out
from converter.vassal.image_size import HEAD, Size, image_size
from converter.vassal.palette import PieceSlot, Slots

MapKind = Literal["map", "private", "hand", "widget"]

KINDS: dict[str, MapKind] = {"Map": "map", "PrivateMap": "private", "PlayerHand": "hand", "WidgetMap": "widget"}
ANY_BOARD = "<any>"
LAYERS = "LayeredPieceCollection"
PICKER = "BoardPicker"
AT_START = {"SetupStack": False, "DrawPile": True}  # is it a deck?


BoardPlace = tuple[str, int, int, bool]  # board, column, row, reversed


@dataclass(frozen=True)
class Board:
    """A board. `size` is None where its picture is missing or unreadable."""

    name: str
    image: str
    size: Size | None
    reversible: bool
    grid: Grid | None
    element: etree._Element = field(repr=False, compare=False)


@dataclass(frozen=True)
class AtStart:
    """A stack or deck that a new game begins with, counters from bottom to top.

    `position` is in pixels of the map; None where its board is not in play or its label cannot be found.
    """

    name: str
    is_deck: bool
    board: str | None
    location: str | None
    position: tuple[int, int] | None
    slots: tuple[PieceSlot, ...]
    element: etree._Element = field(repr=False, compare=False)

    @property
    def settings(self) -> Mapping[str, str]:
        """All that the module says of it."""
        return _attributes(self.element)


@dataclass(frozen=True)
class GameMap:
    """A map window. Saves call it by its name, or by `id` when it has none."""

    id: str
    name: str
    kind: MapKind
    edge: Size
    boards: tuple[Board, ...]
    setup: tuple[BoardPlace, ...]
    at_start: tuple[AtStart, ...]
    sides: tuple[str, ...] = ()
    visible: bool = False
    settings: Mapping[str, str] = field(default_factory=dict, repr=False)
    stacks: bool = True
    lifts_last_moved: bool = False
    layers: tuple[str, tuple[str, ...]] | None = None
    """Game piece layers: the property that tells them and its values from the bottom up. Layers never share a stack."""

    def board(self, name: str) -> Board | None:
        """The first board of that name."""
        return next((board for board in self.boards if board.name == name), None)

    def layout(self, setup: Iterable[BoardPlace] | None = None) -> BoardLayout:
        """The boards at their places, with the decks: those of a save's set-up, or those a new game begins with."""
        boards = self._lay_out(self.setup if setup is None else setup)
        places = (
            (_At.told(start.element).position(self.edge, boards), start.name)
            for start in self.at_start
            if start.is_deck
        )
        return replace(boards, decks={place: name for place, name in places if place is not None})

    def _lay_out(self, setup: Iterable[BoardPlace]) -> BoardLayout:
        cells = []
        for name, column, row, turned in setup:
            board = self.board(name)
            if board is not None:
                cells.append(BoardCell(name, board.size, board.grid, column, row, turned and board.reversible))
        return lay_out(cells, self.edge)


def read_map(element: etree._Element, number: int, archive: Archive, slots: Slots, problems: list[Problem]) -> GameMap:
    """The map of an element; `number` counts maps in build order from 0."""
    name = element.get("mapName", "")
    label = f"map '{name or number}'"
    parts: dict[str, list[etree._Element]] = {}
    for child in components(element):
        parts.setdefault(class_name(child), []).append(child)
    picker = next((held[0] for kind, held in parts.items() if kind.endswith(PICKER)), None)
    boards: tuple[Board, ...] = ()
    setup: tuple[BoardPlace, ...] = ()
    if picker is not None:
        found = [child for child in components(picker) if class_name(child) == "Board"]
        boards = tuple(_read_board(board, archive, label, problems) for board in found)
        setup = _read_setup(picker, boards, label, problems)
    game_map = GameMap(
        id=f"Map{number}",
        name=name,
        kind=KINDS.get(class_name(element), "map"),
        edge=_read_edge(element),
        boards=boards,
        setup=setup,
        at_start=(),
        sides=read_field(element.get("side", ""), Kind.ARRAY),
        visible=element.get("visible", "").lower() == "true",
        settings=_attributes(element),
        stacks=not any(child.get("disabled", "").lower() == "true" for child in parts.get("StackMetrics", ())),
        lifts_last_moved=any(
            child.get("enabled", "true").lower() == "true" for child in parts.get("HighlightLastMoved", ())
        ),
        layers=next(map(_read_layers, parts.get(LAYERS, ())), None),
    )
    layout = game_map.layout()
    found = [child for child in components(element) if class_name(child) in AT_START]
    placed = tuple(_read_at_start(child, slots, game_map.edge, layout) for child in found)
    problems.extend(
        Problem(label, f"'{start.name}' stands at '{start.location}', which is not on the grid")
        for start in placed
        if start.location and not start.position and layout.known and _At.told(start.element).in_play(layout)
    )
    return replace(game_map, at_start=placed)


def _read_layers(element: etree._Element) -> tuple[str, tuple[str, ...]]:
    return element.get("property", "PieceLayer"), read_field(element.get("layerOrder", ""), Kind.ARRAY)


def _read_edge(element: etree._Element) -> Size:
    """The padding around the boards; very old modules have it in one attribute."""
    old = (*element.get("edge", "").split(","), "", "")
    width = element.get("edgeWidth", old[0].strip())
    height = element.get("edgeHeight", old[1].strip())
    return read_int(width, 0), read_int(height, 0)


def _read_board(element: etree._Element, archive: Archive, where: str, problems: list[Problem]) -> Board:
    name = element.get("name", "")
    image = element.get("image", "")
    size: Size | None = (read_int(element.get("width", ""), 0), read_int(element.get("height", ""), 0))
    if image:
        size = None
        entry = archive.find_image(image)
        try:
            size = image_size(archive.read(entry, HEAD)) if entry else None
        except BadInput as error:
            problems.append(Problem(where, f"board '{name}': {error}"))
        else:
            if size is None:
                fault = "unreadable" if entry else "missing"
                problems.append(Problem(where, f"board '{name}': size unknown, its picture '{image}' is {fault}"))
    grid = grid_of(element, problems, f"{where}, board '{name}'")
    return Board(name, image, size, element.get("reversible", "").lower() == "true", grid, element)


def _read_setup(
    picker: etree._Element, boards: tuple[Board, ...], where: str, problems: list[Problem]
) -> tuple[BoardPlace, ...]:
    """The boards in play without asking the players: those set, or the only one there is."""
    element = next((child for child in components(picker) if child.tag == "setup"), None)
    text = "" if element is None else element_text(element)
    if text:
        command = commands.parse(text)
        if isinstance(command, commands.Boards):
            names = {board.name for board in boards}
            problems.extend(
                Problem(where, f"its set-up names the board '{placed[0]}', which it has not")
                for placed in command.boards
                if placed[0] not in names
            )
            return tuple(placed for placed in command.boards if placed[0] in names)
        problems.append(Problem(where, "its board set-up is not readable"))
    elif len(boards) == 1 and not boards[0].reversible:
        return ((boards[0].name, 0, 0, False),)
    return ()


def _read_at_start(element: etree._Element, slots: Slots, edge: Size, layout: BoardLayout) -> AtStart:
    at = _At.told(element)
    return AtStart(
        element.get("name", ""),
        AT_START[class_name(element)],
        at.board,
        at.location,
        at.position(edge, layout),
        tuple([slots[child] for child in components(element) if child in slots]),
        element,
    )


class _At(NamedTuple):
    """Where a stack or deck is told to be: a pixel, or a label, of one board or of any."""

    board: str | None
    location: str | None
    pixel: tuple[int, int]

    @classmethod
    def told(cls, element: etree._Element) -> _At:
        """As the element of the build file says."""
        owner = element.get("owningBoard")
        labelled = element.get("useGridLocation", "").lower() == "true"
        return cls(
            None if owner in (None, "", ANY_BOARD) else owner,
            element.get("location") or None if labelled else None,
            (read_int(element.get("x", ""), 0), read_int(element.get("y", ""), 0)),
        )

    def in_play(self, layout: BoardLayout) -> bool:
        return self.board is None or any(board.name == self.board for board in layout.boards)

    def position(self, edge: Size, layout: BoardLayout) -> tuple[int, int] | None:
        """Its place on the map: the pixel or the label on its board, from that board's corner, or from the edge."""
        if not self.in_play(layout):
            return None
        board = next((board for board in layout.boards if self.board in (None, board.name)), None)
        x, y = self.pixel
        if self.location is not None and board is not None and board.grid is not None:
            found = board.grid.point(self.location, board.size)
            if found is None:
                return None
            x, y = found
        left, top = edge if self.board is None or board is None else (board.left, board.top)
        return left + x, top + y


def _attributes(element: etree._Element) -> dict[str, str]:
    return dict(element.items())  # type: ignore[arg-type]  # typed as maybe bytes
