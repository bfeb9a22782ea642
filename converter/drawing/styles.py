"""How a drawn map looks: its colours, its ground and its grid."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Colour = tuple[int, int, int]
Ground = Literal["flat", "relief", "print"]
GridInk = Literal["lines", "dotted", "corners"]

# Terrain kinds are the games' own words; the first of these found in a kind decides how it is drawn.
LOOKS = ["sea", "lake", "reservoir", "ice", "river", "mountain", "hills", "hill", "rough", "mixed", "woods", "forest"]
LOOKS += ["jungle", "marsh", "swamp", "paddy", "city", "town", "desert", "clear"]
_SAME = {"reservoir": "lake", "hills": "hill", "mixed": "hill", "forest": "woods", "jungle": "woods", "swamp": "marsh"}
_SAME |= {"paddy": "marsh", "river": "lake", "town": "city"}


def look_of(kind: str | None) -> str:
    """The look a terrain kind is drawn with.

    >>> look_of("frozen-mountain"), look_of("full-sea"), look_of("moon-dust"), look_of(None)
    ('mountain', 'sea', 'unknown', 'unknown')
    """
    words = (kind or "").split("-")
    found = next((look for look in LOOKS if look in words), "unknown")
    return _SAME.get(found, found)


HEIGHT = {"mountain": 1.0, "rough": 0.62, "hill": 0.46, "woods": 0.26, "city": 0.12, "clear": 0.14, "desert": 0.16}
HEIGHT |= {"marsh": 0.03, "lake": 0.08, "ice": 0.08, "sea": -0.12, "unknown": 0.12}


@dataclass(frozen=True)
class Style:
    """One way to print a map. Colours are RGB."""

    ground: Ground
    colours: dict[str, Colour]
    wobble: float = 0.13
    grain: float = 0.0
    grid: GridInk = "lines"
    grid_ink: Colour = (60, 60, 60)
    grid_strength: float = 0.55
    number_ink: Colour = (70, 70, 70)
    text_ink: Colour = (20, 20, 20)
    halo: Colour = (255, 255, 255)
    water_ink: Colour = (60, 110, 170)
    coast_ink: Colour = (50, 80, 120)
    river_width: float = 1.0
    road: Colour = (205, 60, 40)
    road_edge: Colour = (70, 25, 20)
    rail: Colour = (25, 25, 25)
    trail: Colour = (120, 75, 40)
    line_ink: Colour = (170, 30, 90)
    marks: Colour = (90, 120, 70)
    paper: Colour = (250, 248, 240)
    marked: tuple[str, ...] = field(default=("woods", "marsh"))


_PLAIN: dict[str, Colour] = {
    "sea": (168, 205, 228),
    "lake": (150, 195, 225),
    "ice": (215, 232, 240),
    "clear": (232, 230, 192),
    "desert": (238, 222, 170),
    "woods": (168, 200, 138),
    "marsh": (190, 212, 196),
    "hill": (218, 206, 150),
    "rough": (204, 178, 124),
    "mountain": (166, 128, 88),
    "city": (196, 188, 184),
    "unknown": (240, 238, 232),
}
_LAND: dict[str, Colour] = {
    "sea": (96, 146, 180),
    "lake": (86, 138, 176),
    "ice": (205, 222, 230),
    "clear": (196, 200, 142),
    "desert": (214, 196, 140),
    "woods": (112, 146, 84),
    "marsh": (140, 166, 136),
    "hill": (178, 172, 112),
    "rough": (164, 142, 98),
    "mountain": (140, 114, 88),
    "city": (170, 160, 152),
    "unknown": (206, 202, 188),
}
_PAPER: Colour = (243, 234, 210)

STYLES: dict[str, Style] = {
    "flat": Style("flat", _PLAIN),
    "relief": Style(
        "relief",
        _LAND,
        wobble=0.2,
        grain=0.35,
        grid_ink=(30, 34, 30),
        grid_strength=0.42,
        number_ink=(30, 32, 28),
        water_ink=(58, 104, 148),
        coast_ink=(40, 74, 104),
        road=(150, 62, 40),
        road_edge=(62, 28, 20),
        halo=(235, 232, 214),
        marks=(72, 104, 58),
        marked=("woods",),
    ),
    "two-colour": Style(
        "print",
        dict.fromkeys(_PLAIN, _PAPER),
        wobble=0.16,
        grain=0.25,
        grid_ink=(40, 36, 34),
        grid_strength=0.8,
        number_ink=(50, 46, 44),
        text_ink=(30, 26, 24),
        halo=_PAPER,
        water_ink=(40, 36, 34),
        coast_ink=(40, 36, 34),
        river_width=0.5,
        road=(176, 98, 52),
        road_edge=(40, 36, 34),
        rail=(40, 36, 34),
        trail=(40, 36, 34),
        line_ink=(176, 98, 52),
        marks=(40, 36, 34),
        paper=_PAPER,
        marked=("woods", "marsh", "mountain", "rough"),
    ),
    "dotted": Style(
        "flat",
        _PLAIN
        | {"sea": (196, 214, 214), "clear": (240, 236, 214), "woods": (190, 208, 160), "mountain": (186, 160, 130)},
        grid="dotted",
        grid_ink=(40, 40, 40),
        grid_strength=0.75,
        road=(240, 226, 120),
        road_edge=(80, 70, 40),
        marked=("woods", "marsh", "mountain"),
        marks=(96, 106, 80),
    ),
    "corners": Style(
        "relief",
        _LAND,
        wobble=0.2,
        grain=0.35,
        grid="corners",
        grid_ink=(20, 22, 20),
        grid_strength=0.8,
        number_ink=(30, 32, 28),
        water_ink=(58, 104, 148),
        coast_ink=(40, 74, 104),
        road=(150, 62, 40),
        road_edge=(62, 28, 20),
        halo=(235, 232, 214),
        marked=(),
    ),
}
PRINT_INKS: tuple[Colour, Colour] = ((40, 36, 34), (176, 98, 52))  # of the two-colour press: black and ochre
PRINT_TINTS: dict[str, float] = {
    "mountain": 0.62,
    "rough": 0.36,
    "hill": 0.18,
    "city": 0.5,
}  # ochre, as a share of dots
