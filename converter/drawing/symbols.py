"""Small drawings: trees and hachures on terrain, houses, anchors, runways and stars for places."""

from __future__ import annotations

import math

import numpy as np

from converter.drawing.pen import Pen
from converter.drawing.styles import Colour, Style


def scatter(pen: Pen, look: str, x: float, y: float, style: Style, chance: np.random.Generator) -> None:
    """The marks of one hex's terrain, kept clear of its middle."""
    count = {"woods": 7, "marsh": 6, "mountain": 5, "rough": 5}.get(look, 0)
    turns = (np.arange(count) + chance.uniform(0, 1)) / max(count, 1) * 2 * math.pi
    for turn in turns:
        reach = chance.uniform(0.22, 0.40) * pen.unit
        _MARKS[look](pen, x + reach * math.cos(turn), y + reach * math.sin(turn), style.marks, chance)


def _tree(pen: Pen, x: float, y: float, colour: Colour, chance: np.random.Generator) -> None:
    pen.dot(x, y, chance.uniform(0.055, 0.085), colour)
    pen.stroke(np.array([[x, y], [x, y + 0.07 * pen.unit]]), colour, 0.012)


def _tuft(pen: Pen, x: float, y: float, colour: Colour, chance: np.random.Generator) -> None:
    reach = 0.05 * pen.unit
    pen.stroke(np.array([[x - reach, y], [x + reach, y]]), colour, 0.014)
    for lean in (-0.5, 0.0, 0.5):
        pen.stroke(np.array([[x, y], [x + lean * reach, y - 0.9 * reach]]), colour, 0.01)


def _hachure(pen: Pen, x: float, y: float, colour: Colour, chance: np.random.Generator) -> None:
    reach = chance.uniform(0.05, 0.085) * pen.unit
    pen.stroke(
        np.array([[x - reach, y + 0.6 * reach], [x, y - 0.8 * reach], [x + reach, y + 0.6 * reach]]), colour, 0.02
    )
    pen.stroke(np.array([[x, y - 0.7 * reach], [x + 0.3 * reach, y + 0.5 * reach]]), colour, 0.012)


def _stones(pen: Pen, x: float, y: float, colour: Colour, chance: np.random.Generator) -> None:
    reach = 0.04 * pen.unit
    pen.stroke(
        np.array([[x - reach, y + 0.4 * reach], [x, y - 0.4 * reach], [x + reach, y + 0.4 * reach]]), colour, 0.014
    )


_MARKS = {"woods": _tree, "marsh": _tuft, "mountain": _hachure, "rough": _stones}


def place_symbol(pen: Pen, kind: str, x: float, y: float, style: Style, chance: np.random.Generator) -> None:
    """The sign of one kind of place; kinds without a sign draw nothing."""
    if kind in _SIGNS:
        _SIGNS[kind](pen, x, y, style, chance)


def _blocks(pen: Pen, x: float, y: float, style: Style, chance: np.random.Generator) -> None:
    """A city: streets of houses."""
    size, step = 0.085 * pen.unit, 0.12 * pen.unit
    for across in range(-3, 4):
        for down in range(-3, 4):
            if math.hypot(across, down) < 3.4 and chance.uniform() < 0.86:
                _square(pen, x + across * step, y + down * step, size * chance.uniform(0.7, 1), style.text_ink)


def _houses(pen: Pen, x: float, y: float, style: Style, chance: np.random.Generator) -> None:
    for across, down in ((-0.07, -0.04), (0.06, -0.06), (-0.03, 0.07), (0.08, 0.06)):
        _square(pen, x + across * pen.unit, y + down * pen.unit, 0.075 * pen.unit, style.text_ink)


def _ring(pen: Pen, x: float, y: float, style: Style, chance: np.random.Generator) -> None:
    pen.dot(x, y, 0.13, style.text_ink)
    pen.dot(x, y, 0.075, style.halo)


def _anchor(pen: Pen, x: float, y: float, style: Style, chance: np.random.Generator) -> None:
    x, y, reach, ink = x + 0.27 * pen.unit, y + 0.2 * pen.unit, 0.11 * pen.unit, style.text_ink
    pen.stroke(np.array([[x, y - reach], [x, y + reach]]), ink, 0.03)
    pen.stroke(np.array([[x - 0.6 * reach, y - 0.5 * reach], [x + 0.6 * reach, y - 0.5 * reach]]), ink, 0.03)
    turns = np.linspace(0.1, math.pi - 0.1, 12)
    pen.stroke(np.stack([x + reach * np.cos(turns), y + reach * np.sin(turns) * 0.9 + 0.1 * reach], axis=1), ink, 0.03)


def _runway(pen: Pen, x: float, y: float, style: Style, chance: np.random.Generator) -> None:
    for turn in (0.5, 2.3):
        dx, dy = math.cos(turn) * 0.2 * pen.unit, math.sin(turn) * 0.2 * pen.unit
        ends = np.array([[x - dx, y - dy], [x + dx, y + dy]])
        pen.stroke(ends, style.text_ink, 0.075)
        pen.stroke(ends, style.halo, 0.03)


def _peak(pen: Pen, x: float, y: float, style: Style, chance: np.random.Generator) -> None:
    reach = 0.11 * pen.unit
    pen.area(np.array([[x - reach, y + 0.7 * reach], [x, y - reach], [x + reach, y + 0.7 * reach]]), style.text_ink)


def _star(pen: Pen, x: float, y: float, style: Style, chance: np.random.Generator) -> None:
    turns = np.arange(10) * math.pi / 5 - math.pi / 2
    reach = np.where(np.arange(10) % 2 == 0, 0.17, 0.07) * pen.unit
    pen.area(
        np.stack([x - 0.27 * pen.unit + reach * np.cos(turns), y + 0.2 * pen.unit + reach * np.sin(turns)], 1),
        style.line_ink,
    )


def _square(pen: Pen, x: float, y: float, size: float, colour: Colour) -> None:
    half = size / 2
    pen.area(np.array([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]), colour)


_SIGNS = {
    "city": _blocks,
    "town": _houses,
    "village": _ring,
    "port": _anchor,
    "airfield": _runway,
    "airstrip": _runway,
    "peak": _peak,
    "hill": _peak,
    "supply-source": _star,
}
