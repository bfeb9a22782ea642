"""The small XML beside a module, extension or save: `moduledata`, `extensiondata`, `savedata`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from converter.errors import BadInput
from converter.vassal.buildfile import parse_xml

SWAP_FIXED = "3.6.11"
LARGEST = 1 << 20

Translations = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Metadata:
    """Who wrote what. `name` stands in moduledata only, `universal` in extensiondata only: None leaves them out."""

    version: str = ""
    vassal_version: str = ""
    date_saved: int | None = None  # milliseconds since 1970
    description: str = ""
    name: str | None = None
    universal: bool | None = None
    extra1: str | None = None
    extra2: str | None = None
    names: Translations = ()  # (language, text)
    descriptions: Translations = ()


def decode(data: bytes, where: str = "moduledata") -> Metadata:
    """Read one of the three files.

    >>> decode(b"<data version='1'><version> 1.2 </version><name>Chosin</name></data>").name
    'Chosin'
    """
    if len(data) > LARGEST:
        raise BadInput(f"{where}: is too big for metadata")
    root = parse_xml(data, where).root
    found: dict[str, list[tuple[str | None, str]]] = {}
    for element in root:
        if isinstance(element.tag, str):
            found.setdefault(element.tag, []).append((element.get("lang"), (element.text or "").strip()))
    vassal_version = _first(found, "VassalVersion") or ""
    swapped = _swaps(vassal_version)
    universal = _first(found, "universal")
    date = _first(found, "dateSaved") or ""
    return Metadata(
        version=_first(found, "version") or "",
        vassal_version=vassal_version,
        date_saved=int(date) if re.fullmatch(r"-?[0-9]{1,18}", date) else None,
        description=_first(found, "description") or "",
        name=_first(found, "name"),
        universal=None if universal is None else universal == "true",
        extra1=_first(found, "extra1"),
        extra2=_first(found, "extra2"),
        names=_translations(found, "name", swapped),
        descriptions=_translations(found, "description", swapped),
    )


def encode(metadata: Metadata) -> bytes:
    """Write it as VASSAL does (translated texts in the form the named version wrote them)."""
    root = etree.Element("data", version="1")
    swapped = _swaps(metadata.vassal_version)

    def add(tag: str, text: str, language: str | None = None) -> None:
        element = etree.SubElement(root, tag)
        if language is not None:
            element.set("lang", text if swapped else language)
            text = language if swapped else text
        element.text = text

    try:
        add("version", metadata.version)
        for tag, extra in (("extra1", metadata.extra1), ("extra2", metadata.extra2)):
            if extra is not None:
                add(tag, extra)
        add("VassalVersion", metadata.vassal_version)
        if metadata.date_saved is not None:
            add("dateSaved", str(metadata.date_saved))
        add("description", metadata.description)
        for language, text in metadata.descriptions:
            add("description", text, language)
        if metadata.name is not None:
            add("name", metadata.name)
        for language, text in metadata.names:
            add("name", text, language)
        if metadata.universal is not None:
            add("universal", "true" if metadata.universal else "false")
    except ValueError:
        raise BadInput("metadata: a text holds control characters, which XML cannot carry") from None
    etree.indent(root)
    body: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=False)
    return b'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' + body + b"\n"


def version_key(version: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key for versions, in Maven's order: numbers as numbers, `-beta1` and `-SNAPSHOT` below the release.

    >>> version_key("3.6.9") < version_key("3.6.11") == version_key("3.6.11.0")
    True
    >>> version_key("2.0b6") < version_key("2.0") and version_key("3.7.0-beta1") < version_key("3.7")
    True
    """
    key: list[tuple[int, int, str]] = []
    for token in re.findall(r"[0-9]+|[a-z]+", version.lower()):
        if token.isdigit():
            key.append((3, int(token[:18]), ""))
            continue
        while key and key[-1] == (3, 0, ""):
            key.pop()
        if token in _BELOW_RELEASE:
            key.append((0, _BELOW_RELEASE[token], ""))
        elif token not in ("ga", "final", "release"):
            key.append((2, 0, token))
    while key and key[-1] == (3, 0, ""):
        key.pop()
    return (*key, (1, 0, ""))


def build_file_name(vassal_version: str) -> str:
    """The one name under which VASSAL looks for the build file of a module saved by this version.

    >>> build_file_name("3.4.13"), build_file_name("3.5.0-beta2"), build_file_name("")
    ('buildFile', 'buildFile.xml', 'buildFile.xml')
    """
    numbers = re.match(r"([0-9]{1,6})(?:\.([0-9]{1,6}))?", vassal_version)
    if numbers and (int(numbers[1]), int(numbers[2] or 0)) < (3, 5):
        return "buildFile"
    return "buildFile.xml"


_BELOW_RELEASE = {"alpha": 0, "a": 0, "beta": 1, "b": 1, "milestone": 2, "m": 2, "rc": 3, "cr": 3, "snapshot": 4}


def _first(found: dict[str, list[tuple[str | None, str]]], tag: str) -> str | None:
    """The untranslated text: the first without a language, or else simply the first."""
    texts = found.get(tag)
    if not texts:
        return None
    return next((text for language, text in texts if language is None), texts[0][1])


def _translations(found: dict[str, list[tuple[str | None, str]]], tag: str, swapped: bool) -> Translations:
    pairs = [(language, text) for language, text in found.get(tag, []) if language is not None]
    return tuple((text, language.strip()) if swapped else (language.strip(), text) for language, text in pairs)


def _swaps(vassal_version: str) -> bool:
    """Versions before the fix wrote the text as the attribute and the language as the text."""
    return bool(vassal_version) and version_key(vassal_version) < version_key(SWAP_FIXED)
