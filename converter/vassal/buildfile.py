"""The build file's XML: read safely, kept whole, and written so that VASSAL reads the same.

Untrusted XML: no DOCTYPE, no entities, nothing fetched, depth and size capped. An unchanged tree is written back as the
bytes it came from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from lxml import etree

from converter.errors import BadInput, Problem

DECLARATION = b'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
LARGEST = 64 << 20
DEEPEST = 256
CDATA = "<![CDATA["
MOST_ATTRIBUTES = 1000
JAVA_SPACE = "".join(map(chr, range(33)))  # what Java's trim takes off

# Elements that only group others in the editor.
TRANSPARENT = frozenset(
    {
        "VASSAL.build.module.folder.ModuleSubFolder",
        "VASSAL.build.module.folder.MapSubFolder",
        "VASSAL.build.module.folder.DeckSubFolder",
        "VASSAL.build.module.folder.PrototypeFolder",
        "VASSAL.build.module.folder.GlobalPropertyFolder",
        "VASSAL.build.module.ExtensionElement",
    }
)

_TOO_DEEP = etree.XPath("boolean(/" + "*/" * DEEPEST + "*)")
_TOO_BROAD = etree.XPath(f"boolean(/descendant::*/@*[{MOST_ATTRIBUTES + 1}])")
_MARKUP = re.compile(r"<!--|<!\[CDATA\[|<\?")
_DECLARED = re.compile(r"<!(?:DOCTYPE|ENTITY|\[CDATA\[)")
_ENDS = {"<!--": "-->", CDATA: "]]>", "<?": "?>"}


@dataclass
class BuildFile:
    """A parsed document. Change `root` freely; `to_bytes` notices."""

    root: etree._Element
    original: bytes
    problems: list[Problem] = field(default_factory=list)

    def to_bytes(self) -> bytes:
        """The bytes it was read from while nothing changed; else the tree written anew, without CDATA."""
        written = serialise(self.root)
        if self.original and serialise(parse_xml(self.original, "").root) == written:
            return self.original
        return written


def parse_xml(data: bytes, where: str) -> BuildFile:
    """Parse a build file or other XML of a module; BadInput with the line when it is not well-formed or not safe."""
    if len(data) > LARGEST:
        raise BadInput(f"{where}: is bigger than {LARGEST >> 20} MiB")
    problems: list[Problem] = []
    text = _decode(data, where, problems)
    found = {mark.group() for mark in _DECLARED.finditer(text)}
    if found - {CDATA}:
        raise BadInput(f"{where}: has a DOCTYPE, which no genuine file has")
    text = _without_junk(text, where, problems)
    if found:
        text = _without_cdata(text, where, problems)
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        strip_cdata=False,
        collect_ids=False,
    )
    try:
        root = etree.fromstring(text.encode("utf-8"), parser)
    except (etree.XMLSyntaxError, UnicodeEncodeError, ValueError) as error:
        raise BadInput(f"{where}: is not well-formed XML ({' '.join(str(error).split())[:200]})") from None
    if root is None:
        raise BadInput(f"{where}: holds no XML element")
    _check_shape(root, where)
    return BuildFile(root, data, problems)


def serialise(root: etree._Element) -> bytes:
    """The tree as a file VASSAL reads the same: TABs in attributes as `&#9;`, which lxml sees to, and no CDATA."""
    body: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=False)
    return DECLARATION + body + b"\n"


def element_text(element: etree._Element) -> str:
    """An element's own text as VASSAL takes it: its text nodes joined, children left out, trimmed as Java trims.

    >>> element_text(etree.fromstring("<entry> Red<x>no</x> Army </entry>"))
    'Red Army'
    """
    if not len(element):
        return (element.text or "").strip(JAVA_SPACE)
    return "".join([element.text or "", *(child.tail or "" for child in element)]).strip(JAVA_SPACE)


def components(element: etree._Element) -> Iterator[etree._Element]:
    """The child elements in build order, those in editor folders included, the folders themselves not."""
    for child in element:
        if child.tag in TRANSPARENT:
            yield from components(child)
        elif isinstance(child.tag, str):
            yield child


def class_name(element: etree._Element) -> str:
    """The last part of the Java class an element names.

    >>> class_name(etree.Element("VASSAL.build.module.PlayerRoster"))
    'PlayerRoster'
    """
    return _last_part(element.tag)


@lru_cache(maxsize=2_000)
def _last_part(tag: object) -> str:
    return str(tag).rsplit(".", 1)[-1]


def _decode(data: bytes, where: str, problems: list[Problem]) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise BadInput(f"{where}: is in UTF-16, which VASSAL does not write")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problems.append(Problem(where, f"is not UTF-8 (byte {error.start}); read as Windows-1252"))
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError as error:
        raise BadInput(f"{where}: byte {error.start} is neither UTF-8 nor Windows-1252") from None


def _without_junk(text: str, where: str, problems: list[Problem]) -> str:
    start = text.find("<?xml", 0, 4096)
    if start > 0 and "<" not in text[:start]:
        problems.append(Problem(where, f"{start} characters stand before <?xml and were skipped"))
        return text[start:]
    return text


def _without_cdata(text: str, where: str, problems: list[Problem]) -> str:
    """Drop CDATA sections, since VASSAL reads them as nothing."""
    kept: list[str] = []
    at = 0
    while found := _MARKUP.search(text, at):
        opening = found.group()
        end = text.find(_ENDS[opening], found.end())
        if end < 0:
            break
        end += len(_ENDS[opening])
        if opening == CDATA:
            kept.append(text[at : found.start()])
            if len(problems) < 100:
                line = text.count("\n", 0, found.start()) + 1
                problems.append(Problem(f"{where} line {line}", "a CDATA section, which VASSAL reads as nothing"))
        else:
            kept.append(text[at:end])
        at = end
    kept.append(text[at:])
    return "".join(kept)


def _check_shape(root: etree._Element, where: str) -> None:
    if _TOO_DEEP(root):
        raise BadInput(f"{where}: elements are nested deeper than {DEEPEST}")
    if _TOO_BROAD(root):
        raise BadInput(f"{where}: an element has more than {MOST_ATTRIBUTES} attributes")
