"""A unit's front or back laid out: symbol, size mark, factors, designation, colours; and markers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from converter.counters.colour import ink_for, mixed
from converter.counters.lettering import CAPITALS, fitted, width
from converter.counters.scene import SIDE, Anchor, Item, Outline, Scene, Words, box, rounded
from converter.counters.symbols import Spot, size_mark, symbol
from converter.counters.theme import Look, MarkerLook, Theme
from converter.scenario import Face, Unit

Which = Literal["front", "back"]
UNKNOWN = "?"
_PLAIN = ("id", "name", "nation", "side", "kind", "type", "size", "formation")


@dataclass(frozen=True)
class _Slot:
    """Where a slot's text stands: its anchor point (the middle of the letters' height), size and room."""

    x: float
    y: float
    size: float
    room: float
    anchor: Anchor = "middle"
    turn: float = 0.0


_SLOTS = {
    "top-left": _Slot(7, 12, 17, 56, "left"),
    "top-right": _Slot(93, 12, 15, 32, "right"),
    "left": _Slot(14, 44, 14, 42, "middle", -90),
    "right": _Slot(86, 44, 14, 42, "middle", 90),
    "bottom": _Slot(50, 84, 28, 86),
    "bottom-left": _Slot(7, 84, 27, 40, "left"),
    "bottom-right": _Slot(93, 84, 27, 40, "right"),
}
GAP = 3.0
"""Between two texts in a row."""
_FRAME = (26.0, 34.0, 48.0, 31.0)
_STRIPE = (67.0, 5.0)  # top and height of the stripe that a reduced side has


def has_back(unit: Unit) -> bool:
    """Whether a counter has something on its back: told, or a second step (of unknown factors)."""
    return unit.back is not None or (unit.kind != "marker" and (unit.steps or 1) > 1)


def compose(unit: Unit, theme: Theme, which: Which = "front", entry: str | None = None) -> Scene:
    """One side of a counter. `entry` is its set-up hex or turn of entry. A back that has nothing is plain ground."""
    items = list(_marker(unit, theme, which) if unit.kind == "marker" else _unit(unit, theme, which, entry))
    ground = items[0]
    assert isinstance(ground, Outline)
    assert ground.fill
    rim = mixed(ground.fill, "#000000", 0.35)
    items.append(Outline(rounded(0.5, 0.5, SIDE - 1, SIDE - 1, theme.corners - 0.5), None, rim, 1.0))
    return Scene(tuple(items), theme.corners)


def _unit(unit: Unit, theme: Theme, which: Which, entry: str | None) -> Iterator[Item]:
    look = theme.look(unit)
    yield Outline(box(0, 0, SIDE, SIDE), look.colour)
    yield from _side_mark(look)
    if which == "back" and not has_back(unit):
        return
    if which == "back":
        yield Outline(box(0, _STRIPE[0], SIDE, _STRIPE[1]), look.ink)
    yield from symbol(_type(unit), Spot(*_FRAME, look.paper, ink_for(look.paper), 2.2))
    yield from size_mark(unit.size, Spot(*_FRAME, look.colour, look.ink, 2.2))
    face = _face(unit, which)
    texts = {name: _joined(unit, face, fields, theme.join, entry) for name, fields in theme.slots.items()}
    for name, text in texts.items():
        if text:
            yield from _words(text, _beside(_SLOTS[name], name, texts), look.ink)


def _beside(slot: _Slot, name: str, texts: Mapping[str, str]) -> _Slot:
    """The left one of two slots in a row, with the room that the right one leaves."""
    right = name.replace("left", "right")
    if not name.endswith("-left") or not texts.get(right):
        return slot
    size, squeeze = fitted(texts[right], _SLOTS[right].size, _SLOTS[right].room)
    return replace(slot, room=min(slot.room, _SLOTS[right].x - width(texts[right]) * size * squeeze - GAP - slot.x))


def _type(unit: Unit) -> str | None:
    return unit.type or (unit.kind if unit.kind != "unit" else None)


def _face(unit: Unit, which: Which) -> Face:
    """The side's factors; those of a back that nobody told are unknown, by the names of the front's."""
    if which == "front":
        return unit.front
    return unit.back or replace(unit.front, factors=tuple((name, None) for name, _ in unit.front.factors), text=None)


def _joined(unit: Unit, face: Face, fields: tuple[str, ...], join: str, entry: str | None) -> str:
    """The fields of a slot that the unit has. A factor that is not known is a question mark."""
    told = [value for name in fields if (value := field_of(unit, face, name, entry)) is not None]
    return join.join(told)


def field_of(unit: Unit, face: Face, name: str, entry: str | None = None) -> str | None:
    """What a counter says for one name: a factor, the designation, entry, name, nation ..., or a field of `extra`."""
    factors = dict(face.factors)
    if name in factors:
        return UNKNOWN if factors[name] is None else _number(factors[name])
    extra = dict(unit.extra)
    if name in extra and extra[name] is not None:
        return _number(extra[name])
    plain = {
        "designation": unit.designation or unit.id,
        "entry": entry,
        "text": face.text,
        "class": unit.class_,
        "steps": None if unit.steps is None else str(unit.steps),
    }
    if name in plain:
        return plain[name]
    return getattr(unit, name) if name in _PLAIN else None


def _number(value: object) -> str:
    """
    >>> _number(4.0), _number(2.5), _number("A")
    ('4', '2.5', 'A')
    """
    return f"{value:g}" if isinstance(value, float) else str(value)


def _words(text: str, slot: _Slot, ink: str) -> Iterator[Words]:
    """A slot's text; in two lines where that makes it larger."""
    size, squeeze = fitted(text, slot.size, slot.room)
    lines = _broken(text.split(), 2) if " " in text.strip() else []
    half = min((fitted(line, 0.55 * slot.size, slot.room)[0] for line in lines), default=0.0)
    if half <= size:
        yield _line(text, slot, 0.0, size, squeeze, ink)
        return
    for line, off in zip(lines, (-0.29, 0.29), strict=True):
        yield _line(line, slot, off * slot.size, *fitted(line, half, slot.room), ink)


def _line(text: str, slot: _Slot, off: float, size: float, squeeze: float, ink: str) -> Words:
    """One line, `off` its slot's middle by so much: downwards, as one reads it."""
    down = off + CAPITALS * size / 2
    x, y = (slot.x, slot.y + down) if not slot.turn else (slot.x - down * (1 if slot.turn > 0 else -1), slot.y)
    return Words(text, x, y, size, ink, slot.anchor, squeeze, slot.turn)


def _side_mark(look: Look) -> Iterator[Item]:
    """What tells the sides apart for those who see no difference between their colours."""
    if look.mark in ("bar", "bars"):
        yield Outline(box(0, 0, 4.5, SIDE), look.ink)
    if look.mark == "bars":
        yield Outline(box(95.5, 0, 4.5, SIDE), look.ink)
    if look.mark == "frame":
        yield Outline(rounded(2.2, 2.2, SIDE - 4.4, SIDE - 4.4, 6), None, look.ink, 2.4)
    if look.mark == "ticks":
        for x, y in ((0, 0), (88, 0), (0, 88), (88, 88)):
            yield Outline(box(x, y, 12, 12), look.ink)


def _marker(unit: Unit, theme: Theme, which: Which) -> Iterator[Item]:
    """A sign above one to three lines of text, as large as they fit."""
    look, plain = theme.marker(unit), theme.look(unit)
    own = unit.colour is not None or look.colour is None
    colour = plain.colour if own else look.colour or plain.colour
    ink = plain.ink if own or look.ink is None else look.ink
    yield Outline(box(0, 0, SIDE, SIDE), colour)
    if which == "back" and unit.back is None:
        return
    face = _face(unit, which)
    text = _marker_text(unit, face, look, unit.id in theme.named)
    sign = theme.signs.get(look.sign or "")
    if sign:
        yield Outline(sign, ink, x=18, y=10, scale=0.64)
    yield from _lines(text, ink, 44 if sign else 8, 92)


def _marker_text(unit: Unit, face: Face, look: MarkerLook, named: bool) -> str:
    if face.text:
        return face.text
    text = look.text
    if text is None or named:
        name = unit.designation or unit.name or unit.id
        told = [_number(value) for _, value in face.factors if value is not None]
        return " ".join([name, *(value for value in told if value not in name.replace("+", " ").split())])
    return " ".join(re.sub(r"\{([^{}]*)\}", lambda found: field_of(unit, face, found[1]) or "", text).split())


def _lines(text: str, ink: str, top: float, bottom: float) -> Iterator[Words]:
    """A text in the number of lines that makes it largest."""
    words = text.split()
    best: tuple[float, list[str]] = (0.0, [])
    for count in range(1, min(len(words), 4) + 1):
        lines = _broken(words, count)
        high = (bottom - top) / len(lines)
        size = min(38.0, high / 0.98, *(fitted(line, 38.0, 88.0, 0.75)[0] for line in lines))
        if size > best[0] + 0.5:
            best = size, lines
    size, lines = best
    pitch = 0.98 * size
    first = (top + bottom) / 2 - pitch * (len(lines) - 1) / 2
    for i, line in enumerate(lines):
        fit, squeeze = fitted(line, size, 88.0, 0.75)
        yield Words(line, 50, first + i * pitch + CAPITALS * size / 2, fit, ink, squeeze=squeeze)


def _broken(words: list[str], count: int) -> list[str]:
    """Words in `count` lines of as equal width as their order allows.

    >>> _broken(["out", "of", "supply"], 2)
    ['out of', 'supply']
    """
    if count == 1:
        return [" ".join(words)]
    options = [[" ".join(words[:i]), *_broken(words[i:], count - 1)] for i in range(1, len(words) - count + 2)]
    return min(options, key=lambda lines: max(width(line) for line in lines))
