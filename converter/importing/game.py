"""A save or log as a scenario: its position as the set-up, on the maps of its module where that is at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from converter.errors import BadInput
from converter.importing.grids import FAR, MARGIN, empty_sheet
from converter.importing.module import ODD, ModuleImport, with_counts
from converter.importing.notes import Notes
from converter.importing.placing import Placer, Sheet, slug
from converter.importing.positions import Lying, position_of
from converter.importing.units import Roll, fit_sides
from converter.scenario import PlayFile, ScenarioFolder, SetupFile, Side, Source, UnitsFile
from converter.vassal.archive import Archive, open_archive
from converter.vassal.module import read_module
from converter.vassal.savegame import SavedGame, read_game

MODULES = (".vmod", ".mod")


def import_game(
    archive: Archive, source: Path, module: Path | None, step: int, notes: Notes
) -> tuple[ScenarioFolder, dict[str, bytes]]:
    """The scenario of a save or log after a step, and the pictures that go with it."""
    saved = read_game(archive)
    module = module or module_beside(source, saved)
    if module is None:
        notes.missing(
            f"'{saved.module_name}'", "its module is not at hand (--module): no hexes, no pictures, no palette"
        )
        return _bare(saved, source, step, notes), {}
    with open_archive(module) as held:
        found = read_module(held)
        if saved.module_name and found.name != saved.module_name:
            notes.missing(f"'{saved.module_name}'", f"is the module it was played with; '{found.name}' was given")
        reading = ModuleImport(held, found, module.name, notes, (source.stem, position_of(saved, found, step)))
        return reading.scenario(), reading.pictures.files


def module_beside(source: Path, saved: SavedGame) -> Path | None:
    """The module of that name in the same folder."""
    for path in sorted(source.parent.iterdir() if saved.module_name else ()):
        if path.suffix.lower() in MODULES:
            try:
                with open_archive(path) as archive:
                    if read_module(archive).name == saved.module_name:
                        return path
            except BadInput:
                continue
    return None


def _bare(saved: SavedGame, source: Path, step: int, notes: Notes) -> ScenarioFolder:
    """Without a module: each map window is an empty sheet, and counters lie at their pixels."""
    label = Source("module", source.name[:200])
    position = position_of(saved, None, step)
    for problem in position.problems:
        notes.missing(str(problem), ODD)
    sheets = _sheets(position.lying, label)
    sides = fit_sides(position.sides)
    roll = Roll(sides, label, lambda name: None, notes)
    placer = Placer(sheets, roll, label, Notes())
    placements = tuple(placer.lying(position.lying))
    cups = tuple(placer.cups(position.decks))
    setup = SetupFile(placements, scenario=slug(source.stem, ()), title=source.stem[:200], map=sheets[0].file.name)
    units = UnitsFile(
        tuple(with_counts(roll.units.values(), [setup])),
        title=saved.module_name[:200] or None,
        sides=tuple(Side(name) for name in dict.fromkeys([*sides, *(unit.side for unit in roll.units.values())])),
    )
    main, *more = (sheet.file for sheet in sheets)
    notes.count("maps", len(sheets))
    notes.count("counters", len(units.units))
    notes.count("counters placed", sum(place.count for place in placements))
    if cups:
        notes.count("decks", len(cups))
    for trait, number in roll.traits_left.most_common():
        notes.missing(f"'{trait}' ({number} times)", "traits that are not kept")
    return ScenarioFolder(
        main,
        tuple(more),
        units if units.units else None,
        replace(setup, sides=sides),
        play=PlayFile(cups=cups) if cups else None,
    )


def _sheets(position: Sequence[Lying], source: Source) -> list[Sheet]:
    reach: dict[str, tuple[int, int]] = {}
    for it in position:
        across, down = reach.get(it.map, (0, 0))
        reach[it.map] = (max(across, it.point[0]), max(down, it.point[1]))
    names: list[str] = []
    sheets = []
    for window, (across, down) in (reach or {"Main Map": (0, 0)}).items():
        names.append(slug(window, names))
        size = (min(across + MARGIN, FAR), min(down + MARGIN, FAR))
        file = empty_sheet(names[-1], window, source, size, "no module was at hand, so no grid is known")
        sheets.append(Sheet(window, "", file, True))
    return sheets
