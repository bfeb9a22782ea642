"""Unit symbols as NATO draws them (from the milsymbol library), in our colours and line widths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from lxml import etree
from milsymbol import Symbol

from converter.counters.lettering import CAPITALS, fitted
from converter.counters.scene import Item, Outline, Words, circle

_FRAMES = {"10": (25.0, 50.0, 150.0, 100.0), "01": (45.0, 30.0, 110.0, 120.0), "30": (40.0, 40.0, 120.0, 120.0)}


@dataclass(frozen=True)
class Spot:
    """Where a symbol goes: the frame's box, its colours and the width of its lines."""

    x: float
    y: float
    width: float
    height: float
    paper: str
    ink: str
    line: float


@cache
def _facts() -> dict[str, dict[str, Any]]:
    facts: dict[str, dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "symbols.yaml").read_text("utf-8"))
    return facts


def known_types() -> frozenset[str]:
    """Every word that has a symbol of its own.

    >>> "tank" in known_types()
    True
    """
    return frozenset(_facts()["types"]) | frozenset(_facts()["same"])


def symbol(type: str | None, spot: Spot) -> Iterator[Item]:
    """The frame with what the type puts inside. Aircraft and ships have frames of their own shape."""
    facts = _facts()
    told = facts["types"].get(facts["same"].get(type, type), {"text": _spelled(type)}) if type else {}
    kind = told.get("set", "10")
    code = f"1003{kind}0000{told.get('entity', '000000')}{told.get('above', '00')}{told.get('below', '00')}"
    placed = _placed(kind, spot)
    yield from placed.items(_drawing(code))
    left, top, wide, high = _FRAMES[kind]
    for text, share, at in ((told.get("text"), 0.62, 0.5), (told.get("label"), 0.3, 0.78)):
        if text:
            yield placed.words(text, left + wide / 2, top + high * at, high * share, wide * 0.86)


def size_mark(size: str | None, spot: Spot) -> Iterator[Item]:
    """The mark of a unit's size (III, XX, ...), above the frame that stands at the spot; sizes without one: nothing."""
    echelon = _facts()["sizes"].get(size or "")
    if echelon:
        drawing = _drawing(f"10031000{echelon}0000000000")
        drawing.remove(drawing[0])  # the frame
        yield from _placed("10", spot).items(drawing)


def _drawing(code: str) -> etree._Element:
    drawn = Symbol(code)
    if not drawn.is_valid():
        raise ValueError(f"symbols.yaml: there is no symbol {code}")
    return etree.fromstring(drawn.as_svg().encode())


def _placed(kind: str, spot: Spot) -> _Placed:
    left, top, wide, high = _FRAMES[kind]
    scale = min(spot.width / wide, spot.height / high)
    x, y = spot.x + (spot.width - wide * scale) / 2, spot.y + (spot.height - high * scale) / 2
    return _Placed(x - left * scale, y - top * scale, scale, spot)


def _spelled(type: str) -> str:
    """A type without a symbol, short enough for the frame.

    >>> _spelled("t34-85"), _spelled("air-maintenance"), _spelled("bicycle")
    ('T34-85', 'AM', 'BICY')
    """
    parts = type.split("-")
    if len(type) <= 6:
        return type.upper()
    return "".join(part[0] for part in parts).upper() if len(parts) > 1 else type[:4].upper()


@dataclass(frozen=True)
class _Placed:
    """A symbol's drawing on its way to the counter."""

    x: float
    y: float
    scale: float
    spot: Spot

    def items(self, tree: etree._Element, moved: tuple[float, float, float] = (0, 0, 1)) -> Iterator[Item]:
        """The drawing's shapes; `moved` is the shift and scale of the groups round them."""
        style: dict[Any, Any] = dict(tree.attrib.items())
        for part in tree:
            said = {key: str(part.get(key, style.get(key, ""))) for key in ("fill", "stroke")}
            tag = etree.QName(part).localname
            if tag == "g":
                yield from self.items(_inherit(part, style), _moved(moved, str(part.get("transform", ""))))
            elif tag == "path":
                yield self._outline(str(part.get("d")), said, moved)
            elif tag == "circle":
                cx, cy, r = (float(str(part.get(key, "0"))) for key in ("cx", "cy", "r"))
                yield self._outline(circle(cx, cy, r), said, moved)
            elif tag == "text":
                x, y, size = (float(str(part.get(key, "0"))) for key in ("x", "y", "font-size"))
                middle = y if part.get("dominant-baseline") == "middle" else y - 0.36 * size
                dx, dy, grown = moved
                yield self.words(part.text or "", x * grown + dx, middle * grown + dy, size * grown, 130 * grown)

    def _outline(self, path: str, said: dict[str, str], moved: tuple[float, float, float]) -> Outline:
        dx, dy, grown = moved
        fill = said["fill"]
        paint = None if fill in ("none", "") else self.spot.ink if fill == "black" else self.spot.paper
        drawn = self.spot.ink if said["stroke"] not in ("none", "") else None
        scale = self.scale * grown
        return Outline(
            path, paint, drawn, self.spot.line / scale, self.x + dx * self.scale, self.y + dy * self.scale, scale
        )

    def words(self, text: str, x: float, middle: float, height: float, room: float) -> Words:
        """Text centred on a point of the drawing, in the drawing's own measures."""
        size, squeeze = fitted(text, height * self.scale, room * self.scale)
        y = self.y + middle * self.scale + CAPITALS * size / 2
        return Words(text, self.x + x * self.scale, y, size, self.spot.ink, squeeze=squeeze)


def _inherit(group: etree._Element, style: dict[Any, Any]) -> etree._Element:
    for key in ("fill", "stroke"):
        if key in style and key not in group.attrib:
            group.set(key, str(style[key]))
    return group


def _moved(before: tuple[float, float, float], transform: str) -> tuple[float, float, float]:
    """A group's translate(x,y) and scale(s), in that order, on top of those before.

    >>> _moved((0, 0, 1), "translate(10,20)scale(0.5)"), _moved((5, 5, 2), "translate(1,1)")
    ((10.0, 20.0, 0.5), (7.0, 7.0, 2))
    """
    x, y, scale = before
    for part in filter(None, transform.replace(" ", "").split(")")):
        name, _, numbers = part.partition("(")
        values = [float(number) for number in numbers.split(",")]
        if name == "translate":
            x, y = x + values[0] * scale, y + (values[1] if len(values) > 1 else 0) * scale
        elif name == "scale":
            scale *= values[0]
    return x, y, scale
