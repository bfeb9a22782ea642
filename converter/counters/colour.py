"""Colours as eyes see them: contrast, lightness, and what is left of a colour for the colour-blind."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Sight = Literal["usual", "protanopia", "deuteranopia", "tritanopia"]
SIGHTS: tuple[Sight, ...] = ("usual", "protanopia", "deuteranopia", "tritanopia")
READABLE = 4.5  # the contrast that the W3C asks for between text and its ground

# Machado, Oliveira and Fernandes 2009, whole loss of one kind of cone, on linear RGB.
_MATRICES: dict[Sight, list[list[float]]] = {
    "usual": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def linear(colour: str, sight: Sight = "usual") -> NDArray[np.float64]:
    """The light of a colour like #1a2b3c (red, green, blue, each 0 to 1), as that eye sees it."""
    values = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    light = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    seen: NDArray[np.float64] = np.clip(np.array(_MATRICES[sight]) @ light, 0, 1)
    return seen


def seen_as(colour: str, sight: Sight) -> str:
    """The colour that looks to all what this one looks to that eye.

    >>> seen_as("#808080", "deuteranopia"), seen_as("#ff0000", "usual")
    ('#808080', '#ff0000')
    """
    light = linear(colour, sight)
    values = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(float(value) * 255):02x}" for value in values)


def luminance(colour: str, sight: Sight = "usual") -> float:
    """How bright a colour is, 0 to 1."""
    return float(linear(colour, sight) @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(one: str, other: str, sight: Sight = "usual") -> float:
    """The W3C's contrast ratio, 1 to 21.

    >>> round(contrast("#000000", "#ffffff"), 3)
    21.0
    """
    dark, bright = sorted((luminance(one, sight), luminance(other, sight)))
    return (bright + 0.05) / (dark + 0.05)


def lightness(colour: str, sight: Sight = "usual") -> float:
    """L* of CIE Lab: 0 black, 100 white, equal steps look equal.

    >>> round(lightness("#ffffff")), round(lightness("#777777"))
    (100, 50)
    """
    light = luminance(colour, sight)
    return 116 * light ** (1 / 3) - 16 if light > 0.008856 else 903.3 * light


def ink_for(ground: str) -> str:
    """Black or white, whichever reads better on a ground.

    >>> ink_for("#ffee00"), ink_for("#203010")
    ('#000000', '#ffffff')
    """
    return max("#000000", "#ffffff", key=lambda ink: contrast(ink, ground))


def mixed(one: str, other: str, share: float) -> str:
    """A colour between two: `share` of the other.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    parts = [(int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share + 1e-9):02x}" for a, b in parts)
