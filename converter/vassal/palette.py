"""Piece palettes: the windows players drag counters from, as a tree of widgets and as a flat list of slots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lxml import etree

from converter.vassal.buildfile import class_name, components, element_text
from converter.vassal.fields import read_int
from converter.vassal.prototypes import Definition, Prototypes
from converter.vassal.traits import Trait

SLOTS = frozenset({"PieceSlot", "CardSlot"})
NAMES = ("entryName", "name", "mapName")

Slots = Mapping[etree._Element, "PieceSlot"]
"""The counters by the element that defines them."""


class PieceSlot(NamedTuple):
    """One counter of a palette, stack or deck. `traits`, `type` and `state` have their prototypes expanded."""

    name: str
    gpid: str
    definition: str
    traits: tuple[Trait, ...]
    is_card: bool
    element: etree._Element
    prototypes: Prototypes

    @property
    def width(self) -> int:
        """How wide it says its picture is."""
        return int(read_int(self.element.get("width", ""), 0))

    @property
    def height(self) -> int:
        """How high it says its picture is."""
        return int(read_int(self.element.get("height", ""), 0))

    @property
    def type(self) -> str:
        """The chain of its traits; empty where the definition is no piece."""
        expanded = self._expanded
        return expanded.type if expanded else ""

    @property
    def state(self) -> str:
        """The chain of their first states."""
        expanded = self._expanded
        return expanded.state if expanded else ""

    @property
    def _expanded(self) -> Definition | None:
        return self.prototypes.expand(self.definition)


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


def read_palette(element: etree._Element, slots: Slots) -> Palette:
    """The palette of a PieceWindow element."""
    tree = _read_widget(element, slots)
    return Palette(tree.name, element.get("hidden", "").lower() == "true", tree, tuple(tree.slots()))


def read_slot(element: etree._Element, prototypes: Prototypes) -> PieceSlot:
    """The counter of a PieceSlot or CardSlot element; one that defines no piece has no traits."""
    definition = element_text(element)
    return PieceSlot(
        element.get("entryName", ""),
        element.get("gpid", ""),
        definition,
        prototypes.traits(definition),
        class_name(element) == "CardSlot",
        element,
        prototypes,
    )


def _read_widget(element: etree._Element, slots: Slots) -> Widget:
    children: list[Widget | PieceSlot] = []
    for child in components(element):
        slot = slots.get(child)
        if slot is not None:
            children.append(slot)
        elif (inner := _read_widget(child, slots)).children:
            children.append(inner)
    name = next((element.get(key, "") for key in NAMES if element.get(key)), "")
    return Widget(class_name(element), name, tuple(children))
