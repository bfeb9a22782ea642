"""What stands on a counter, before it is pixels or a PDF: shapes and words on a square of 100 by 100, y downwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SIDE = 100.0
Anchor = Literal["left", "middle", "right"]


@dataclass(frozen=True)
class Outline:
    """A shape as SVG path data, moved by `scale` and then `x`, `y`. `fill` and `stroke` are colours, None for none."""

    path: str
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0


@dataclass(frozen=True)
class Words:
    """One line of text, its baseline anchored at `x`, `y`; `squeeze` narrows it, `turn` is degrees clockwise."""

    text: str
    x: float
    y: float
    size: float
    ink: str
    anchor: Anchor = "middle"
    squeeze: float = 1.0
    turn: float = 0.0


@dataclass(frozen=True)
class Photo:
    """A picture (PNG or JPEG as bytes) fitted into a box."""

    data: bytes
    x: float = 0.0
    y: float = 0.0
    width: float = SIDE
    height: float = SIDE


Item = Outline | Words | Photo


@dataclass(frozen=True)
class Scene:
    """One face of a counter, from bottom to top. `radius` rounds the counter's corners: outside is transparent."""

    items: tuple[Item, ...]
    radius: float = 0.0


def box(x: float, y: float, width: float, height: float) -> str:
    """A rectangle as path data.

    >>> box(0, 0, 10, 5)
    'M0,0H10V5H0Z'
    """
    return f"M{x:g},{y:g}H{x + width:g}V{y + height:g}H{x:g}Z"


def rounded(x: float, y: float, width: float, height: float, radius: float) -> str:
    """A rectangle with round corners as path data."""
    r = min(radius, width / 2, height / 2)
    if r <= 0:
        return box(x, y, width, height)
    corner = f"A{r:g},{r:g} 0 0 1 "
    return (
        f"M{x + r:g},{y:g}H{x + width - r:g}{corner}{x + width:g},{y + r:g}V{y + height - r:g}"
        f"{corner}{x + width - r:g},{y + height:g}H{x + r:g}{corner}{x:g},{y + height - r:g}V{y + r:g}"
        f"{corner}{x + r:g},{y:g}Z"
    )


def circle(x: float, y: float, radius: float) -> str:
    """A circle as path data."""
    half = f"A{radius:g},{radius:g} 0 1 1 "
    return f"M{x - radius:g},{y:g}{half}{x + radius:g},{y:g}{half}{x - radius:g},{y:g}Z"
