"""Counters: drawn from units.yaml (docs/counters.md), and laid out on sheets to print."""

from __future__ import annotations

from PIL import Image

from converter.counters.face import Which, compose, has_back
from converter.counters.pixels import as_image, as_svg
from converter.counters.theme import Theme, game_theme, read_theme, theme_of, usual_theme
from converter.scenario import Unit

__all__ = [
    "Theme",
    "as_image",
    "as_svg",
    "compose",
    "draw",
    "game_theme",
    "has_back",
    "read_theme",
    "theme_of",
    "usual_theme",
]


def draw(
    unit: Unit, theme: Theme | None = None, size: int = 100, face: Which = "front", entry: str | None = None
) -> Image.Image:
    """One side of a counter as an RGBA picture, `size` pixels on a side, transparent outside its rounded corners.

    `entry` is what the counter says of its arrival: a set-up hex or a turn. Take the theme from `theme_of(units)`,
    which gives every side of a units.yaml its colours.
    """
    return as_image(compose(unit, theme or usual_theme(), face, entry), size)
