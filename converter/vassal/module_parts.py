"""The plainer parts of a module: global properties, predefined set-ups, charts and documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from lxml import etree

from converter.vassal.buildfile import class_name, components, element_text

DOCUMENTS = {
    "AboutScreen": "fileName",
    "HelpFile": "fileName",
    "BrowserHelpFile": "startingPage",
    "BrowserPDFFile": "pdfFile",
    "Tutorial": "logfile",
}
CHARTS = frozenset({"Chart", "HtmlChart"})


class GlobalProperty(NamedTuple):
    """A value the game keeps. `container` is `Module`, a map's name, or `map:zone`."""

    name: str
    initial: str
    container: str
    numeric: bool = False
    minimum: str = ""
    maximum: str = ""
    description: str = ""


@dataclass(frozen=True)
class PredefinedSetup:
    """A start the module offers; a menu holds others."""

    name: str
    file: str | None
    is_menu: bool
    description: str = ""
    setups: tuple[PredefinedSetup, ...] = ()


@dataclass(frozen=True)
class Chart:
    """A chart: a picture or an HTML page in the archive."""

    window: str
    name: str
    file: str
    is_html: bool


@dataclass(frozen=True)
class Document:
    """A help page, rules PDF, about box or tutorial."""

    kind: str
    title: str
    file: str


def read_property(element: etree._Element, container: str) -> GlobalProperty:
    """A GlobalProperty or ZoneProperty element."""
    return GlobalProperty(
        name=element.get("name", ""),
        initial=element.get("initialValue", ""),
        container=container,
        numeric=element.get("isNumeric", "").lower() == "true",
        minimum=element.get("min", ""),
        maximum=element.get("max", ""),
        description=element.get("description", ""),
    )


def read_setups(parent: etree._Element) -> tuple[PredefinedSetup, ...]:
    """The predefined set-ups directly under an element, menus with their own."""
    return tuple(
        PredefinedSetup(
            name=element.get("name", ""),
            file=element.get("file") or None if element.get("useFile", "true").lower() == "true" else None,
            is_menu=element.get("isMenu", "").lower() == "true",
            description=element.get("description", ""),
            setups=read_setups(element),
        )
        for element in components(parent)
        if class_name(element) == "PredefinedSetup"
    )


def read_charts(window: etree._Element) -> Iterator[Chart]:
    """Every chart of a ChartWindow element."""
    for element in window.iter():
        if isinstance(element.tag, str) and class_name(element) in CHARTS:
            name = element.get("chartName", element.get("entryName", ""))
            is_html = class_name(element) == "HtmlChart"
            yield Chart(window.get("name", ""), name, element.get("fileName", ""), is_html)


def read_documents(documentation: etree._Element) -> Iterator[Document]:
    """What the Help menu offers."""
    for element in components(documentation):
        kind = class_name(element)
        if kind in DOCUMENTS:
            yield Document(kind, element.get("title", element.get("name", "")), element.get(DOCUMENTS[kind], ""))


def read_options(element: etree._Element) -> Iterator[tuple[str, str]]:
    """The global options: attributes, and the older `<option name=...>` children."""
    yield from ((str(name), str(value)) for name, value in element.attrib.items())
    for child in components(element):
        if child.tag == "option":
            yield child.get("name", ""), element_text(child)
