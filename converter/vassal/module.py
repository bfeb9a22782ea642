"""A whole module as typed values, read from a .vmod, an old .mod, an extension or an unpacked folder.

The tree of the build file is kept beside the values, so what has no type here (inventories, key commands, drawing
settings, a module's own classes) is not lost.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from lxml import etree

from converter.errors import BadInput, Problem
from converter.vassal import metadata, module_parts
from converter.vassal.archive import Archive, open_archive
from converter.vassal.buildfile import TRANSPARENT, BuildFile, class_name, element_text, parse_xml
from converter.vassal.dice import KINDS as DICE_KINDS
from converter.vassal.dice import DiceButton, Roll, parse_roll, read_dice_button
from converter.vassal.maps import KINDS as MAP_KINDS
from converter.vassal.maps import PICKER, GameMap, read_map
from converter.vassal.metadata import Metadata, build_file_name
from converter.vassal.module_parts import Chart, Document, GlobalProperty, PredefinedSetup
from converter.vassal.palette import SLOTS, Palette, PieceSlot, read_palette, read_slot
from converter.vassal.prototypes import Prototypes
from converter.vassal.turn_tracker import TurnTracker, read_turn_tracker

PROPERTIES = frozenset({"GlobalProperty", "ZoneProperty"})
EXTENSION = "VASSAL.build.module.ModuleExtension"


@dataclass(frozen=True)
class Module:
    """What a module says, in build order. `problems` tells what could not be read or is doubtful."""

    name: str
    version: str
    vassal_version: str
    description: str
    is_extension: bool
    maps: tuple[GameMap, ...]
    palettes: tuple[Palette, ...]
    slots: tuple[PieceSlot, ...]  # every counter defined anywhere: palettes, stacks, decks
    prototypes: Mapping[str, str]
    sides: tuple[str, ...]
    turn_trackers: tuple[TurnTracker, ...]
    dice: tuple[DiceButton, ...]
    options: Mapping[str, str]
    properties: tuple[GlobalProperty, ...]
    setups: tuple[PredefinedSetup, ...]
    charts: tuple[Chart, ...]
    documents: tuple[Document, ...]
    metadata: Metadata | None
    problems: tuple[Problem, ...]
    build_file: BuildFile = field(repr=False, compare=False)
    source: Path | None = field(default=None, compare=False)

    def map(self, reference: str) -> GameMap | None:
        """The map a save speaks of, by its name or as `Map<n>`; of several, the first."""
        return next((held for held in self.maps if reference in (held.name, held.id)), None)

    def slot(self, gpid: str) -> PieceSlot | None:
        """The slot a counter on the table came from; of several with one id, the first."""
        return next((slot for slot in self.slots if slot.gpid == gpid), None) if gpid else None

    def turn_tracker(self, tracker_id: str) -> TurnTracker | None:
        """The tracker a TURN command speaks of."""
        return next((tracker for tracker in self.turn_trackers if tracker.id == tracker_id), None)

    def parse_roll(self, line: str) -> Roll | None:
        """The roll a line of chat reports, if it does."""
        return parse_roll(self.dice, line)


def read_module(source: str | Path | Archive) -> Module:
    """Read a module (or extension) from a file, a folder or an opened archive."""
    if isinstance(source, Archive):
        return _read(source)
    with open_archive(source) as archive:
        return replace(_read(archive), source=Path(source))


def read_build_file(archive: Archive, problems: list[Problem]) -> tuple[BuildFile, Metadata | None]:
    """The build file VASSAL would take, or the other one with a warning; and the metadata beside it."""
    if archive.kind == "game":
        raise BadInput(f"{archive.label}: is a saved game or log, not a module")
    held = None
    entry = "extensiondata" if archive.kind == "extension" and "extensiondata" in archive else "moduledata"
    if entry in archive:
        try:
            held = metadata.decode(archive.read(entry), f"{archive.label}:{entry}")
        except BadInput as error:
            problems.append(Problem(entry, str(error)))
    name = build_file_name(held.vassal_version if held else "")
    if name not in archive:
        found = archive.build_file_name()
        if held is not None and found is not None:
            problems.append(Problem(archive.label, f"holds {found}, but its version makes VASSAL look for {name}"))
        name = found or name
    return parse_xml(archive.read(name), f"{archive.label}:{name}"), held


def _read(archive: Archive) -> Module:
    problems = list(archive.problems)
    build_file, held = read_build_file(archive, problems)
    problems += build_file.problems
    root = build_file.root
    everything = list(root.iter("*"))
    by_tag: dict[str, list[int]] = {}
    for place, element in enumerate(everything):
        by_tag.setdefault(element.tag, []).append(place)
    by_class: dict[str, list[int]] = {}
    for places in by_tag.values():
        by_class.setdefault(class_name(everything[places[0]]), []).extend(places)

    def of_class(*names: str) -> list[etree._Element]:
        """The elements of these classes, in build order."""
        places = [place for name in names for place in by_class.get(name, ())]
        return [everything[place] for place in sorted(places)]

    definitions = {element.get("name", ""): element_text(element) for element in of_class("PrototypeDefinition")}
    prototypes = Prototypes(definitions)
    slots = {element: read_slot(element, prototypes) for element in of_class(*SLOTS)}
    pickers = of_class(*(name for name in by_class if name.endswith(PICKER)))
    with_boards = {_holder(picker) for picker in pickers} | set(of_class(*MAP_KINDS))
    windows = [element for element in everything if element in with_boards] if with_boards else []
    maps = tuple(read_map(window, number, archive, slots, problems) for number, window in enumerate(windows))
    problems += [
        Problem(f"counter '{slot.name}'", "its definition is not readable")
        for slot in slots.values()
        if not slot.traits
    ]
    palettes = tuple(read_palette(element, slots) for element in of_class("PieceWindow"))
    problems += prototypes.problems
    return Module(
        name=root.get("name") or root.get("module") or (held.name if held and held.name else ""),
        version=root.get("version", held.version if held else ""),
        vassal_version=root.get("VassalVersion") or root.get("vassalVersion") or (held.vassal_version if held else ""),
        description=root.get("description", held.description if held else ""),
        is_extension=root.tag == EXTENSION,
        maps=maps,
        palettes=palettes,
        slots=tuple(slots.values()),
        prototypes=definitions,
        sides=tuple(
            element_text(entry) for roster in of_class("PlayerRoster") for entry in roster.iterchildren("entry")
        ),
        turn_trackers=tuple(read_turn_tracker(tracker, n) for n, tracker in enumerate(of_class("TurnTracker"))),
        dice=tuple(read_dice_button(element) for element in of_class(*DICE_KINDS)),
        options=dict(option for holder in of_class("GlobalOptions") for option in module_parts.read_options(holder)),
        properties=tuple(_read_properties(of_class(*PROPERTIES), with_boards)),
        setups=module_parts.read_setups(root),
        charts=tuple(chart for window in of_class("ChartWindow") for chart in module_parts.read_charts(window)),
        documents=tuple(text for menu in of_class("Documentation") for text in module_parts.read_documents(menu)),
        metadata=held,
        problems=tuple(problems),
        build_file=build_file,
    )


def _holder(element: etree._Element) -> etree._Element | None:
    """The element it is a part of, folders of the editor passed over."""
    parent = element.getparent()
    while parent is not None and parent.tag in TRANSPARENT:
        parent = parent.getparent()
    return parent


def _read_properties(
    elements: Iterable[etree._Element], windows: Container[etree._Element | None]
) -> Iterator[GlobalProperty]:
    """The global properties; those of a map are called by its name, those of a zone by `map:zone`."""
    known: dict[etree._Element | None, str | None] = {}
    for element in elements:
        holder = element.getparent()
        if holder not in known:
            known[holder] = _container(holder, windows)
        container = known[holder]
        if container is not None:
            yield module_parts.read_property(element, container)


def _container(holder: etree._Element | None, windows: Container[etree._Element | None]) -> str | None:
    """What holds the properties under an element; None within another property."""
    zones: list[str] = []
    while holder is not None and holder not in windows:
        if class_name(holder) in PROPERTIES:
            return None
        if class_name(holder) == "Zone":
            zones.append(holder.get("name", ""))
        holder = holder.getparent()
    container = "Module" if holder is None else holder.get("mapName", "")
    return ":".join([container, *reversed(zones)])
