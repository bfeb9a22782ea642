"""A colour for each kind of terrain and line, the one that map readers expect where there is one."""

from __future__ import annotations

import colorsys
from collections import Counter
from collections.abc import Iterable

_USUAL = {
    "sea": "#1f5fa8", "ocean": "#1f5fa8", "lake": "#2f8fd8", "reservoir": "#2f8fd8", "water": "#2f8fd8",
    "woods": "#2e7d32", "forest": "#2e7d32", "jungle": "#1b5e20", "mountain": "#5d4037", "mountains": "#5d4037",
    "hill": "#b3792b", "hills": "#b3792b", "rough": "#a1664a", "broken": "#a1664a", "marsh": "#26a69a",
    "swamp": "#26a69a", "paddy": "#7cb342", "rice": "#7cb342", "clear": "#c5d86d", "desert": "#e0c068",
    "sand": "#e0c068", "city": "#6a1b9a", "town": "#8e24aa", "urban": "#6a1b9a", "unknown": "#9e9e9e",
    "road": "#c62828", "highway": "#8e0000", "trail": "#8a5a1a", "track": "#8a5a1a", "path": "#8a5a1a",
    "rail": "#111111", "railroad": "#111111", "railway": "#111111", "river": "#1565c0", "stream": "#29a3e8",
    "creek": "#29a3e8", "coast": "#00796b", "shore": "#00796b", "border": "#8e24aa", "boundary": "#8e24aa",
    "bridge": "#ef6c00", "ford": "#ef6c00", "cliff": "#4e342e", "none": "#757575",
}  # fmt: skip
_OTHER = ("#b0006d", "#00695c", "#5e35b1", "#9e6b00", "#37474f", "#ad1457", "#558b2f", "#283593")
_DASHED = ("rail", "railroad", "railway", "trail", "track", "path", "border", "boundary")
OTHER = "other"


def colours(kinds: Iterable[str]) -> dict[str, str]:
    """A colour for each kind; kinds of one sort (river, major-river) get shades of one colour.

    >>> told = colours(["river", "major-river", "zip-line"])
    >>> told["river"], told["major-river"] != told["river"], told["zip-line"]
    ('#1565c0', True, '#b0006d')
    """
    found, used = {OTHER: "#37474f"}, Counter[str]()
    for kind in sorted(set(kinds), key=lambda kind: (kind.count("-"), kind)):
        known = next((_USUAL[word] for word in reversed(kind.split("-")) if word in _USUAL), None)
        base = known or _OTHER[used[OTHER] % len(_OTHER)]
        used[OTHER] += known is None
        found[kind] = _shade(base, used[base])
        used[base] += 1
    return found


def dashed(kinds: Iterable[str]) -> list[str]:
    """The lines that are drawn dashed.

    >>> dashed(["road", "narrow-rail"])
    ['narrow-rail']
    """
    return [kind for kind in kinds if any(word in _DASHED for word in kind.split("-"))]


def rgb(colour: str) -> tuple[int, int, int]:
    """
    >>> rgb("#ff0010")
    (255, 0, 16)
    """
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _shade(colour: str, nth: int) -> str:
    """The colour itself, then darker and lighter ones in turn."""
    if nth == 0:
        return colour
    hue, light, strong = colorsys.rgb_to_hls(*(part / 255 for part in rgb(colour)))
    light = min(0.75, light + 0.14 * nth) if nth % 2 == 0 else max(0.12, light - 0.12 * nth)
    return "#" + "".join(f"{round(255 * part):02x}" for part in colorsys.hls_to_rgb(hue, light, strong))
