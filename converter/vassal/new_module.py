"""A module written from nothing: maps with their grids, a palette of counters, dice, a turn track, sides.

It holds what VASSAL needs to open it without a question and to let counters be placed, moved and stacked; whatever else
a module can have goes in as `Part`s. It names VASSAL 3.5.8 as its maker, so every engine from 3.5 on opens it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree

from converter.errors import BadInput
from converter.vassal import metadata, pieces, sequence
from converter.vassal.archive import safe_file_name
from converter.vassal.archive_writing import write_archive
from converter.vassal.buildfile import serialise
from converter.vassal.dice import DiceButton
from converter.vassal.grids import HexGrid, RegionGrid, SquareGrid, Zone
from converter.vassal.new_grid import BOARD, add_grid
from converter.vassal.turn_tracker import TurnLevel, TurnTracker

VASSAL_VERSION = "3.5.8"
BUILD = "VASSAL.build."
MAP = BUILD + "module.map."

# What a map needs to be played on: stacking, dragging, menus, keys, reports.
MAP_PARTS: tuple[tuple[str, dict[str, str]], ...] = (
    (
        "StackMetrics",
        {
            "exSepX": "6",
            "exSepY": "18",
            "unexSepX": "2",
            "unexSepY": "4",
            "disabled": "false",
            "top": "38,0",
            "bottom": "40,0",
            "up": "39,0",
            "down": "37,0",
        },
    ),
    ("ForwardToKeyBuffer", {}),
    ("Scroller", {"useArrows": "never"}),
    ("ForwardToChatter", {}),
    ("MenuDisplayer", {}),
    ("MapCenterer", {}),
    ("StackExpander", {}),
    ("PieceMover", {}),
    ("KeyBufferer", {}),
    ("SelectionHighlighters", {}),
    ("HighlightLastMoved", {"color": "255,0,0", "enabled": "true", "thickness": "2"}),
    ("Zoomer", {"zoomLevels": "0.2,0.25,0.333,0.4,0.5,0.555,0.625,0.75,1.0,1.25,1.6", "zoomStart": "3"}),
)


@dataclass(frozen=True)
class Part:
    """An element of the build file: the class behind `VASSAL.build.`, its attributes, its text and its own parts."""

    tag: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class BoardPlan:
    """A board: a picture of the plan's images, or a plain area of `size`. Zones lie on top of the grid."""

    name: str
    size: tuple[int, int]
    image: str = ""
    grid: HexGrid | SquareGrid | RegionGrid | None = None
    zones: tuple[Zone, ...] = ()


@dataclass(frozen=True)
class MapPlan:
    """A map window; its boards stand side by side in one row."""

    name: str
    boards: tuple[BoardPlan, ...]
    edge: tuple[int, int] = (0, 0)
    mark_moved: bool = False
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class CounterPlan:
    """A counter of the palette as a trait chain and its states; its id (gpid) is filled in on writing."""

    name: str
    type: str
    state: str
    tab: str = "Counters"
    group: str = ""
    """Within the tab; a tab with groups shows one at a time."""
    size: tuple[int, int] = (48, 48)


@dataclass(frozen=True)
class ModulePlan:
    """All that goes into a new module."""

    name: str
    version: str = "1.0"
    description: str = ""
    sides: tuple[str, ...] = ()
    maps: tuple[MapPlan, ...] = ()
    counters: tuple[CounterPlan, ...] = ()
    dice: tuple[DiceButton, ...] = ()
    turn_tracker: TurnTracker | None = None
    prototypes: Mapping[str, str] = field(default_factory=dict)
    properties: Mapping[str, str] = field(default_factory=dict)
    images: Mapping[str, bytes] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Other entries of the archive: set-ups, charts."""


def write_module(path: str | Path, plan: ModulePlan, date_saved: int = 0) -> None:
    """Write the module; the same plan and date give the same bytes."""
    write_archive(path, module_entries(plan, date_saved))


def module_entries(plan: ModulePlan, date_saved: int = 0) -> dict[str, bytes]:
    """The archive's entries."""
    entries = {
        "buildFile.xml": serialise(build_tree(plan)),
        "moduledata": metadata.encode(
            metadata.Metadata(plan.version, VASSAL_VERSION, date_saved, plan.description, name=plan.name)
        ),
    }
    entries.update({f"images/{safe_file_name(name)}": data for name, data in plan.images.items()})
    return {**entries, **plan.files}


def build_tree(plan: ModulePlan) -> etree._Element:
    """The build file of the plan as a tree; BadInput where a text holds what XML cannot carry."""
    try:
        return _build_tree(plan)
    except ValueError as error:
        raise BadInput(f"module '{plan.name}': {error}") from None


def _build_tree(plan: ModulePlan) -> etree._Element:
    root = etree.Element(
        BUILD + "GameModule",
        {
            "name": plan.name,
            "version": plan.version,
            "description": plan.description,
            "VassalVersion": VASSAL_VERSION,
            "nextPieceSlotId": str(len(plan.counters) + 1),
        },
    )
    _add(root, "module.BasicCommandEncoder")  # before any piece, or none of them is built
    _add(root, "module.Documentation")
    roster = _add(root, "module.PlayerRoster", buttonText="Retire", buttonToolTip="Switch sides or become observer")
    for side in plan.sides:
        etree.SubElement(roster, "entry").text = side
    _add(
        root,
        "module.GlobalOptions",
        autoReport="Always",
        centerOnMove="Never",
        nonOwnerUnmaskable="Use Preferences Setting",
        playerIdFormat="$PlayerName$",
    )
    held = _add(root, "module.properties.GlobalProperties")
    for name, value in plan.properties.items():
        _add(held, "module.properties.GlobalProperty", name=name, initialValue=value, isNumeric="false", description="")
    book = _add(root, "module.PrototypesContainer")
    for name, text in plan.prototypes.items():
        _add(book, "module.PrototypeDefinition", name=name, description="").text = text
    if plan.turn_tracker is not None:
        _add_turn_tracker(root, plan.turn_tracker)
    for map_plan in plan.maps:
        _add_map(root, map_plan)
    _add_palette(root, plan.counters)
    for button in plan.dice:
        _add_dice(root, button)
    _add_parts(root, plan.parts)
    _add(root, "module.NotesWindow", name="Notes", buttonText="Notes", icon="", tooltip="Notes", hotkey="")
    etree.SubElement(root, "VASSAL.i18n.Language")
    _add(root, "module.Chatter")
    _add(root, "module.KeyNamer")
    etree.indent(root, "  ")
    return root


def _add(parent: etree._Element, tag: str, **attributes: str) -> etree._Element:
    return etree.SubElement(parent, BUILD + tag, attributes)


def _add_parts(parent: etree._Element, parts: tuple[Part, ...]) -> None:
    for part in parts:
        element = _add(parent, part.tag, **part.attributes)
        element.text = part.text or None
        _add_parts(element, part.parts)


def _add_map(root: etree._Element, plan: MapPlan) -> None:
    element = _add(
        root,
        "module.Map",
        mapName=plan.name,
        edgeWidth=str(plan.edge[0]),
        edgeHeight=str(plan.edge[1]),
        backgroundcolor="255,255,255",
        allowMultiple="true" if len(plan.boards) > 1 else "false",
        launch=_flag(any(child.tag == BUILD + "module.Map" for child in root)),  # all but the first have a button
        buttonName=plan.name,
        icon="",
        tooltip=plan.name,
        hotkey="",
        markMoved="Always" if plan.mark_moved else "Never",
        moveKey="",
        moveWithinFormat="$pieceName$ moves $previousLocation$ -> $location$",
        moveToFormat="$pieceName$ moves $previousLocation$ -> $location$",
        createFormat="$pieceName$ created in $location$",
        changeFormat="$message$",
        onlyReportChangedLocation="false",
    )
    picker = etree.SubElement(
        element,
        MAP + "BoardPicker",
        {
            "title": "Choose boards",
            "boardPrompt": "Select board",
            "slotWidth": "350",
            "slotHeight": "125",
            "slotScale": "0.2",
        },
    )
    placed = [f"{plan.name}BoardPicker"]
    for column, board in enumerate(plan.boards):
        placed += [sequence.encode_safe([board.name], "/") or "", str(column), "0"]
        _add_board(picker, board)
    etree.SubElement(picker, "setup").text = sequence.encode_safe(placed, "\t")
    for name, attributes in MAP_PARTS:
        etree.SubElement(element, MAP + name, attributes)
    _add_parts(element, plan.parts)


def _add_board(picker: etree._Element, plan: BoardPlan) -> None:
    width, height = map(str, plan.size)
    attributes = {"name": plan.name, "image": plan.image, "width": width, "height": height, "reversible": "false"}
    board = etree.SubElement(picker, BOARD + "Board", {**attributes, "color": "255,255,255"})
    add_grid(board, plan.grid, plan.zones)


def _add_palette(root: etree._Element, counters: tuple[CounterPlan, ...]) -> None:
    window = _add(
        root,
        "module.PieceWindow",
        name="Counters",
        text="Counters",
        tooltip="Counters",
        icon="",
        hidden="false",
        hotkey="",
        scale="1.0",
        defaultWidth="0",
    )
    tabs = _add(window, "widget.TabWidget", entryName="Counters")
    grouped = {counter.tab for counter in counters if counter.group}
    boxes: dict[str, etree._Element] = {}
    panels: dict[tuple[str, str], etree._Element] = {}
    for gpid, counter in enumerate(counters, 1):
        place = (counter.tab, counter.group)
        if counter.tab in grouped and counter.tab not in boxes:
            boxes[counter.tab] = _add(tabs, "widget.BoxWidget", entryName=counter.tab, width="0", height="0")
        if place not in panels:
            name = (counter.group or "Others") if counter.tab in grouped else counter.tab
            panels[place] = _add(
                boxes.get(counter.tab, tabs),
                "widget.PanelWidget",
                entryName=name,
                fixed="false",
                nColumns="3",
                vert="false",
            )
        slot = _add(
            panels[place],
            "widget.PieceSlot",
            entryName=counter.name,
            gpid=str(gpid),
            width=str(counter.size[0]),
            height=str(counter.size[1]),
        )
        state = with_gpid(counter.state, str(gpid))
        slot.text = definition(counter.type, state)


def definition(type_text: str, state: str) -> str:
    """A piece's type and state as slots, decks and prototypes hold them."""
    return "+/" + (sequence.encode_safe(["null", type_text, state], "/") or "")


def with_gpid(state: str, gpid: str) -> str:
    r"""A piece's state chain with the slot's id put into its basic piece.

    >>> with_gpid("Red\tnull;0;0;;0", "17")
    'Red\tnull;0;0;17;0'
    """
    states = pieces.unroll(state)
    basic = sequence.decode(states[-1], ";")
    basic += ["null", "0", "0", "", "0"][len(basic) :]
    basic[0] = basic[0] or "null"
    basic[3] = gpid
    return pieces.roll([*states[:-1], sequence.encode_safe(basic, ";") or ""])


def _add_dice(root: etree._Element, button: DiceButton) -> None:
    if button.kind != "dice":
        raise BadInput(f"dice button '{button.name}': only plain dice can be written")
    _add(
        root,
        "module.DiceButton",
        name=button.name,
        text=button.name,
        tooltip=button.name,
        icon="/images/die.gif",
        hotkey="",
        nDice=str(button.count),
        nSides=str(button.sides),
        plus=str(button.plus),
        addToTotal=str(button.add_to_total),
        reportTotal=_flag(button.report_total),
        prompt="false",
        sortDice="false",
        reportFormat=button.report_format,
    )


def _add_turn_tracker(root: etree._Element, tracker: TurnTracker) -> None:
    element = _add(
        root,
        "module.turn.TurnTracker",
        name=tracker.name,
        buttonText=tracker.name,
        icon="",
        hotkey="",
        nexthotkey="",
        prevhotkey="",
        lengthStyle="Maximum",
        length="-1",
        turnFormat=tracker.turn_format,
        reportFormat=tracker.report_format or "Turn updated from $oldTurn$ to $newTurn$",
    )
    _add_levels(element, tracker.levels)


def _add_levels(parent: etree._Element, levels: tuple[TurnLevel, ...]) -> None:
    for level in levels:
        common = {"name": level.name or level.property, "property": level.property, "turnFormat": level.turn_format}
        if level.kind == "counter":
            element = _add(
                parent,
                "module.turn.CounterTurnLevel",
                **common,
                start=str(level.start),
                incr=str(level.increment),
                loop=_flag(level.loop),
                loopLimit=str(level.loop_limit),
            )
        else:
            entries = sequence.encode_safe(level.entries, ",") or ""
            element = _add(
                parent, "module.turn.ListTurnLevel", **common, list=entries, configFirst="false", configList="false"
            )
        _add_levels(element, level.levels)


def _flag(value: bool) -> str:
    return "true" if value else "false"
