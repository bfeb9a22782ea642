"""Counters of a position as placements: in a hex, in a box, or at a pixel where the map has no name for the place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from converter.importing.grids import FAR
from converter.importing.looks import name_of
from converter.importing.notes import Notes
from converter.importing.positions import Lying
from converter.importing.units import NO_PLACE, NOTHING, Roll, Slot, free_name
from converter.scenario import Cup, MapFile, Placement, Source
from converter.vassal.grids import OFFBOARD
from converter.vassal.maps import AtStart
from converter.vassal.piece_view import properties
from converter.vassal.traits import Trait

_TURN = re.compile(r"Turn (\d{1,3})")
_SET_UP, _ARRIVES = "Set up: ", "Arrives: "


@dataclass(frozen=True)
class Sheet:
    """A board of a map window as a map of the folder."""

    window: str
    board: str
    file: MapFile
    in_play: bool


@dataclass(frozen=True)
class Placer:
    """Knows the maps and the units; `ours`: the module was built by hexref, and its boxes mean what they say."""

    sheets: Sequence[Sheet]
    roll: Roll
    source: Source
    notes: Notes
    ours: bool = False

    def lying(self, position: Iterable[Lying]) -> list[Placement]:
        """The placements of a position; equal ones in a row become one."""
        return _together(self._one(it) for it in position)

    def cups(self, decks: Mapping[str, Iterable[Lying]]) -> Iterator[Cup]:
        """The decks of a position, each with as many of each counter as lie in it. Their order is nobody's business."""
        taken: set[str] = set()
        for deck, held in decks.items():
            name = free_name(deck or "Deck", taken)
            taken.add(name)
            counters = sorted((it.counter for it in held), key=lambda one: (name_of(one.traits), one.type))
            yield Cup(name, tuple(Counter(self._unit(one.type, one.traits) for one in counters).items()))

    def _one(self, it: Lying) -> Placement:
        traits = it.counter.traits
        placed = self._place(self._unit(it.counter.type, traits), it.window_board, it.label, it.point)
        return replace(placed, face="back") if self._level(traits) >= 2 else placed

    def _unit(self, type_text: str, traits: Sequence[Trait]) -> str:
        """The unit of a counter on the table; a new one where the module has none like it."""
        gpid = str(traits[-1].state.get("gpid", "")) if traits else ""
        found = self.roll.find(gpid, traits)
        return found or self.roll.add(Slot(name_of(traits), gpid, type_text, _without_place(traits)))

    def _level(self, traits: Sequence[Trait]) -> int:
        level = properties(traits).get("Step_Level", "")
        if level.isdigit():
            return int(level)
        levels = [trait.state.get("level") for trait in traits if trait.id in ("emb2", "emb")]
        return int(levels[0]) if len(levels) == 1 and isinstance(levels[0], int) else 1

    def at_start(self, stacks: Iterable[tuple[str, AtStart]]) -> list[Placement]:
        """The placements of the stacks that a new game begins with."""
        made: list[Placement] = []
        for window, start in stacks:
            sheet = self._sheet(window, start.board) or self._sheet(window, None)
            if start.position is None or sheet is None:
                self.notes.missing(f"stack '{start.name}'", "its place is not known; its counters are not placed")
                continue
            for slot in start.slots:
                unit = self.roll.add(Slot(slot.name, slot.gpid, slot.definition, slot.traits or NOTHING))
                made.append(self._on(unit, sheet, start.location, start.position))
        return _together(made)

    def _place(self, unit: str, where: tuple[str, str | None], label: str | None, point: tuple[int, int]) -> Placement:
        window, board = where
        if self.ours and label is not None:
            if turn := _TURN.fullmatch(label):
                return Placement(unit, self.source, "reinforcement", turn=int(turn[1]), where="where the rules say")
            if label.startswith(_ARRIVES):
                when = label.removeprefix(_ARRIVES)
                return Placement(unit, self.source, "reinforcement", when=when, where="where the rules say")
            if label.startswith(_SET_UP):
                return Placement(unit, self.source, where=label.removeprefix(_SET_UP))
        sheet = self._sheet(window, board)
        if sheet is None:
            return Placement(unit, self.source, where=f"on {window} at {point[0]},{point[1]}"[:600])
        return self._on(unit, sheet, label, point)

    def _on(self, unit: str, sheet: Sheet, label: str | None, point: tuple[int, int]) -> Placement:
        file = sheet.file
        near = (max(-FAR, min(FAR, point[0])), max(-FAR, min(FAR, point[1])))
        if label is not None and label in file.grid:
            first = next(other.file for other in self.sheets if label in other.file.grid)
            return Placement(unit, self.source, hex=label, map=None if first is file else file.name)
        unlabelled = self._unlabelled(file, label, near)
        if unlabelled is not None:
            first = next(other.file for other in self.sheets if unlabelled in other.file.grid)
            return Placement(unit, self.source, hex=unlabelled, map=None if first is file else file.name)
        if label is not None and file.box(label) is not None:
            first = next(other.file for other in self.sheets if other.file.box(label) is not None)
            return Placement(unit, self.source, box=label, at=near, map=None if first is file else file.name)
        return Placement(unit, self.source, point=near, map=None if file is self.sheets[0].file else file.name)

    def _unlabelled(self, file: MapFile, label: str | None, point: tuple[int, int]) -> str | None:
        """The hex of a counter in the middle of one that the module has no name for."""
        number = file.hex_at(*point) if label in (None, OFFBOARD) and file.grid.hexes else None
        if number is None or file.layout is None or file.picture is None:
            return None
        x, y = file.layout.centre(file.grid.hex(number))
        off = abs(x - point[0]) + abs(y - point[1])
        return number if off <= file.picture.dy / 4 else None

    def _sheet(self, window: str, board: str | None) -> Sheet | None:
        fitting = [sheet for sheet in self.sheets if sheet.window == window]
        exact = [sheet for sheet in fitting if sheet.board == board]
        return next(iter(exact or ([] if board is not None else [sheet for sheet in fitting if sheet.in_play])), None)


def _without_place(traits: Sequence[Trait]) -> tuple[Trait, ...]:
    """The traits of a piece that comes without a module, kept only to read its markers; no place, no owner."""
    return (*traits[:-1], Trait(traits[-1].text, NO_PLACE)) if traits else NOTHING


def _together(placements: Iterable[Placement]) -> list[Placement]:
    made: list[Placement] = []
    for placement in placements:
        if (
            made
            and made[-1].unit == placement.unit
            and replace(made[-1], count=1) == placement
            and made[-1].count < 1000
        ):
            made[-1] = replace(made[-1], count=made[-1].count + 1)
        else:
            made.append(placement)
    return made


def slug(text: str, taken: Iterable[str]) -> str:
    """A short name for a map or scenario.

    >>> slug("The Valley (north)", ()), slug("강", ()), slug("map", {"map"})
    ('the-valley-north', 'map', 'map-2')
    """
    plain = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or "map"
    names = set(taken)
    name, number = plain, 2
    while name in names:
        name, number = f"{plain}-{number}", number + 1
    return name
