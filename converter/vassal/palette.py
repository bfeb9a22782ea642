"""Piece palettes: the windows players drag counters from, as a tree of widgets and as a flat list of slots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from converter.vassal.buildfile import class_name, components, element_text
from converter.vassal.fields import read_int
from converter.vassal.prototypes import Prototypes

SLOTS = frozenset({"PieceSlot", "CardSlot"})
NAMES = ("entryName", "name", "mapName")


@dataclass(frozen=True)
class PieceSlot:
    """One counter of a palette, stack or deck. `type` and `state` have their prototypes expanded."""

    name: str
    gpid: str
    definition: str
    type: str
    state: str
    is_card: bool = False
    width: int = 0
    height: int = 0


@dataclass(frozen=True)
class Widget:
    """A tab, box, list, panel or map in a palette."""

    kind: str
    name: str
    children: tuple[Widget | PieceSlot, ...]

    def slots(self) -> Iterator[PieceSlot]:
        """Every slot in it, however deep."""
        for child in self.children:
            if isinstance(child, PieceSlot):
                yield child
            else:
                yield from child.slots()


@dataclass(frozen=True)
class Palette:
    """A palette window."""

    name: str
    hidden: bool
    tree: Widget
    slots: tuple[PieceSlot, ...]


def read_palette(element: etree._Element, prototypes: Prototypes) -> Palette:
    """The palette of a PieceWindow element."""
    tree = _read_widget(element, prototypes)
    return Palette(tree.name, element.get("hidden", "").lower() == "true", tree, tuple(tree.slots()))


def read_slot(element: etree._Element, prototypes: Prototypes) -> PieceSlot:
    """The counter of a PieceSlot or CardSlot element; one that defines no piece has an empty type."""
    definition = element_text(element)
    piece = prototypes.expand(definition)
    return PieceSlot(
        name=element.get("entryName", ""),
        gpid=element.get("gpid", ""),
        definition=definition,
        type=piece.type if piece else "",
        state=piece.state if piece else "",
        is_card=class_name(element) == "CardSlot",
        width=read_int(element.get("width", ""), 0),
        height=read_int(element.get("height", ""), 0),
    )


def is_slot(element: etree._Element) -> bool:
    """Does this element define a counter?"""
    return isinstance(element.tag, str) and class_name(element) in SLOTS


def _read_widget(element: etree._Element, prototypes: Prototypes) -> Widget:
    children: list[Widget | PieceSlot] = []
    for child in components(element):
        if is_slot(child):
            children.append(read_slot(child, prototypes))
        elif any(is_slot(inner) for inner in child.iter()):
            children.append(_read_widget(child, prototypes))
    name = next((element.get(key, "") for key in NAMES if element.get(key)), "")
    return Widget(class_name(element), name, tuple(children))
