"""A module as a scenario: its boards as maps, its counters as units, its set-ups, sides, turn track, dice and decks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from converter.errors import BadInput
from converter.importing.grids import empty_sheet, map_of
from converter.importing.notes import Notes
from converter.importing.pictures import Pictures
from converter.importing.placing import Placer, Sheet, slug
from converter.importing.positions import Position, position_of
from converter.importing.units import NOTHING, Roll, Slot, fit_sides, free_name
from converter.scenario import (
    Chart,
    Cup,
    Dice,
    Level,
    PlayFile,
    ScenarioFolder,
    SetupFile,
    Side,
    Source,
    Unit,
    UnitsFile,
)
from converter.vassal.archive import Archive
from converter.vassal.maps import AtStart, Board, GameMap
from converter.vassal.module import Module
from converter.vassal.module_parts import PredefinedSetup
from converter.vassal.palette import PieceSlot, Widget
from converter.vassal.savegame import read_game
from converter.vassal.turn_tracker import TurnLevel

MOST_COUNT = 1000
AT_START = "At start"
ODD = "odd in the file"
OUR_OFF_MAP = "Off-map"
SCENARIO_PROPERTY = "Scenario"
KINDS = {"HexGrid": "hex", "SquareGrid": "square", "RegionGrid": "region", "ZonedGrid": "zoned"}


class ModuleImport:
    """A module being read into a scenario; `game` is the title of a save and its position, wanted instead of the
    module's own set-ups."""

    def __init__(
        self, archive: Archive, module: Module, label: str, notes: Notes, game: tuple[str, Position] | None = None
    ) -> None:
        self.archive, self.module, self.notes = archive, module, notes
        self.source = Source("module", label[:200] or "module")
        self.pictures = Pictures(archive, notes)
        self.sides = fit_sides(module.sides)
        self.roll = Roll(self.sides, self.source, self.pictures.keep, notes)
        for problem in module.problems:
            notes.missing(str(problem), ODD)
        self.game = game
        self.positions = [game] if game else list(self._predefined())
        self.sheets = self._sheets()
        self.placer = Placer(self.sheets, self.roll, self.source, notes, self._is_ours())
        self._counters()

    def _is_ours(self) -> bool:
        """Was it built by hexref?"""
        return any(held.name == SCENARIO_PROPERTY for held in self.module.properties) and any(
            game_map.name == OUR_OFF_MAP for game_map in self.module.maps
        )

    def scenario(self) -> ScenarioFolder:
        """The whole folder."""
        setups = list(self._setups())
        units = UnitsFile(
            tuple(with_counts(self.roll.units.values(), setups)),
            self._game() or None,
            self.module.name[:200] or None,
            tuple(Side(name) for name in self._side_names()),
        )
        for name, number in self.roll.traits_left.most_common():
            self.notes.missing(f"'{name}' ({number} times)", "traits that are not kept")
        play = self._play()
        main, *more = (sheet.file for sheet in self.sheets)
        self.notes.count("maps", len(self.sheets))
        self.notes.count("counters", len(self.roll.units))
        self.notes.count("set-ups", len(setups))
        self.notes.count(
            "counters placed in set-ups", sum(place.count for setup in setups for place in setup.placements)
        )
        return ScenarioFolder(
            main, tuple(more), units if units.units else None, *_first_and_rest(setups), play if play else None
        )

    def _game(self) -> str:
        held = next((held.initial for held in self.module.properties if held.name == SCENARIO_PROPERTY), "")
        return held.partition("/")[0][:100]

    def _side_names(self) -> list[str]:
        return list(dict.fromkeys([*self.sides, *(unit.side for unit in self.roll.units.values())]))

    def _sheets(self) -> list[Sheet]:
        """A map for each board; the main one first: of those in play at the start, the one with the most hexes."""
        found: list[Sheet] = []
        names: set[str] = set()
        for game_map in self.module.maps:
            in_play = {place[0] for place in game_map.setup}
            for board in game_map.boards:
                self.notes.count("boards")
                self.notes.count(f"grids: {KINDS.get(type(board.grid).__name__, 'none')}")
                name = slug(board.name or game_map.name or "map", names)
                names.add(name)
                image = self.pictures.keep(board.image) if board.image else None
                sheet = map_of(board, name, image, self.source, self.notes, self._reach(game_map, board))
                found.append(Sheet(game_map.name or game_map.id, board.name, sheet, board.name in in_play))
            if not game_map.boards:
                name = slug(game_map.name or "map", names)
                names.add(name)
                self.notes.missing(
                    f"map '{game_map.name or game_map.id}'", "has no board; an empty sheet stands for it"
                )
                found.append(
                    Sheet(game_map.name or game_map.id, "", empty_sheet(name, game_map.name, self.source), False)
                )
        if not found:
            self.notes.missing(f"'{self.module.name}'", "has no map window; an empty sheet stands for one")
            found.append(Sheet("", "", empty_sheet("map", "", self.source), False))
        first = max(found, key=lambda sheet: (sheet.in_play, len(sheet.file.grid), -found.index(sheet)))
        return [first, *(sheet for sheet in found if sheet is not first)]

    def _reach(self, game_map: GameMap, board: Board) -> tuple[int, int]:
        """How far counters are known to lie on a board of which the size is not."""
        if board.size is not None:
            return 0, 0
        window = game_map.name or game_map.id
        starts = [start.position for start in game_map.at_start if start.position and start.board in (None, board.name)]
        known = [*(position.reach(window, board.name) for _, position in self.positions), *starts]
        return max((x for x, _ in known), default=0), max((y for _, y in known), default=0)

    def _counters(self) -> None:
        for slot, path in palette_slots(self.module):
            self.roll.add(as_slot(slot, path))
        for game_map in self.module.maps:
            for start in game_map.at_start:
                for slot in start.slots:
                    self.roll.add(as_slot(slot, (start.name,) if start.is_deck else ()))
        self.notes.count("counter definitions", len(self.module.slots))
        for slot in self.module.slots:
            if slot.gpid not in self.roll.by_gpid:  # in no palette of this file: an extension's
                self.roll.add(as_slot(slot, ()))
            if not slot.traits:
                self.notes.missing(f"counter '{slot.name}'", "its definition is not readable")
        self.roll.palette = tuple(self.roll.units)

    def _setups(self) -> Iterator[SetupFile]:
        """The stacks that a new game begins with, then each set-up the module offers."""
        taken: set[str] = set()
        placements = [] if self.game else self.placer.at_start(self._stacks())
        if placements:
            taken.add("at-start")
            yield replace(self._setup("at-start", AT_START), placements=tuple(placements))
        for title, position in self.positions:
            name = slug(title, taken)
            taken.add(name)
            for problem in position.problems:
                self.notes.missing(f"set-up '{title}': {problem}", ODD)
            yield replace(self._setup(name, title), placements=tuple(self.placer.lying(position.lying)))

    def _stacks(self) -> list[tuple[str, AtStart]]:
        """The stacks that a new game begins with, each with the map window it is on."""
        maps = self.module.maps
        return [(it.name, start) for it in maps for start in it.at_start if not start.is_deck and start.slots]

    def _predefined(self) -> Iterator[tuple[str, Position]]:
        """The set-ups that the module offers: title and position of each."""
        titles = {AT_START} if self._stacks() else set()
        for setup in _flat(self.module.setups):
            if setup.file is None:
                continue
            where = f"set-up '{setup.name}'"
            entry = self.archive.find_file(setup.file)
            if entry is None:
                self.notes.missing(where, f"its file '{setup.file}' is missing")
                continue
            try:
                with self.archive.open_nested(entry) as nested:
                    position = position_of(read_game(nested), self.module)
            except BadInput as error:
                self.notes.missing(where, str(error).removeprefix(f"{self.archive.label}:"))
                continue
            title = free_name(setup.name or slug(setup.file, ()), titles, 200)
            titles.add(title)
            yield title, position

    def _setup(self, name: str, title: str) -> SetupFile:
        return SetupFile((), self._game() or None, name, title[:200], self.sheets[0].file.name, None, self.sides)

    def _play(self) -> PlayFile:
        trackers = self.module.turn_trackers
        for tracker in trackers[1:]:
            self.notes.missing(f"turn tracker '{tracker.name}'", "only the first one is kept")
        dice = []
        names: set[str] = set()
        for button in self.module.dice:
            name = button.name[:100]
            plain = button.kind == "dice" and 1 <= button.count <= 100 and 2 <= button.sides <= 1000
            if not plain or abs(button.plus) > 1000 or name in names or not name:
                self.notes.missing(f"dice button '{button.name}'", "has no plain dice, or no name of its own")
                continue
            names.add(name)
            dice.append(Dice(name, button.count, button.sides, button.plus, button.report_total))
        starts = [start for game_map in self.module.maps for start in game_map.at_start if start.is_deck]
        cups = list(self.placer.cups(self.game[1].decks)) if self.game else [self._cup(start) for start in starts]
        return PlayFile(
            self._game() or None,
            tuple(level for level in map(_level, trackers[0].levels if trackers else ()) if level),
            tuple(dice),
            tuple(_named_once(cups)),
            tuple(self._charts()),
        )

    def _cup(self, start: AtStart) -> Cup:
        held = Counter(self.roll.add(as_slot(slot, (start.name,))) for slot in start.slots)
        return Cup((start.name or "Deck")[:100], tuple(held.items()))

    def _charts(self) -> Iterator[Chart]:
        titles: set[str] = set()
        for chart in self.module.charts:
            path = None if chart.is_html else self.pictures.keep(chart.file)
            title = chart.name[:200]
            if path is None or title in titles or not title:
                self.notes.missing(f"chart '{chart.name}'", "is an HTML page, or its picture is missing")
                continue
            titles.add(title)
            yield Chart(title, image=path)


def with_counts(units: Iterable[Unit], setups: Iterable[SetupFile]) -> Iterator[Unit]:
    """Each unit with as many counters as any set-up has of it."""
    most: Counter[str] = Counter()
    for setup in setups:
        here: Counter[str] = Counter()
        for place in setup.placements:
            here[place.unit] += place.count
        most |= here
    return (replace(unit, count=min(most[unit.id], MOST_COUNT)) if most[unit.id] > 1 else unit for unit in units)


def _first_and_rest(setups: Sequence[SetupFile]) -> tuple[SetupFile | None, tuple[SetupFile, ...]]:
    return (setups[0], tuple(setups[1:])) if setups else (None, ())


def _named_once(cups: Sequence[Cup]) -> Iterator[Cup]:
    taken: set[str] = set()
    for cup in cups:
        name = free_name(cup.name, taken)
        taken.add(name)
        yield cup if name == cup.name else replace(cup, name=name)


def _level(level: TurnLevel) -> Level | None:
    entries = tuple(entry[:200] for entry in level.entries if entry) if level.kind == "list" else ()
    if level.kind == "list" and not entries:
        return None
    inner = tuple(made for made in map(_level, level.levels) if made)
    name = (level.name or level.property or "Turn")[:100]
    return Level(name, entries, level.start if level.kind == "counter" else 1, level.increment or 1, inner)


def _flat(setups: Sequence[PredefinedSetup]) -> Iterator[PredefinedSetup]:
    for setup in setups:
        yield setup
        yield from _flat(setup.setups)


def palette_slots(module: Module) -> Iterator[tuple[PieceSlot, tuple[str, ...]]]:
    """The palette's counters with the names of the tabs and boxes they are in."""
    for palette in module.palettes:
        yield from _walk(palette.tree, (), {palette.name, "Counters", "Pieces", ""})


def _walk(widget: Widget, path: tuple[str, ...], plain: set[str]) -> Iterator[tuple[PieceSlot, tuple[str, ...]]]:
    for child in widget.children:
        if isinstance(child, PieceSlot):
            yield child, path
        else:
            name = re.sub(r"\s+", " ", child.name).strip()
            yield from _walk(child, (*path, name) if name not in plain else path, plain)


def as_slot(slot: PieceSlot, path: tuple[str, ...]) -> Slot:
    """A slot of the module as the roll takes it."""
    return Slot(slot.name, slot.gpid, slot.definition, slot.traits or NOTHING, path, slot.is_card)
