"""The pen: smooth, sub-pixel lines, symbols and lettering on a picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from converter.drawing.shapes import Points, every
from converter.drawing.styles import Colour

Picture = NDArray[np.uint8]
Box = tuple[float, float, float, float]
_FINE = 4  # OpenCV takes points in sixteenths of a pixel


@dataclass
class Pen:
    """Draws on one picture. `unit` is the height of a hex in pixels: all widths are shares of it."""

    picture: Picture
    unit: float
    written: list[Box] = field(default_factory=list)

    def width(self, share: float) -> int:
        """A line's width in pixels."""
        return max(round(share * self.unit), 1)

    def stroke(self, points: Points, colour: Colour, share: float) -> None:
        """An unbroken line."""
        fixed = np.rint(points * (1 << _FINE)).astype(np.int32)
        cv2.polylines(self.picture, [fixed], False, colour, self.width(share), cv2.LINE_AA, _FINE)

    def area(self, points: Points, colour: Colour) -> None:
        """A filled shape."""
        fixed = np.rint(points * (1 << _FINE)).astype(np.int32)
        cv2.fillPoly(self.picture, [fixed], colour, cv2.LINE_AA, _FINE)

    def dot(self, x: float, y: float, share: float, colour: Colour) -> None:
        """A filled circle, `share` of a hex across."""
        centre = (round(x * (1 << _FINE)), round(y * (1 << _FINE)))
        radius = max(round(share * self.unit * (1 << _FINE) / 2), 1 << (_FINE - 1))
        cv2.circle(self.picture, centre, radius, colour, -1, cv2.LINE_AA, _FINE)

    def dashes(self, points: Points, colour: Colour, share: float, on: float, off: float) -> None:
        """A broken line: `on` drawn and `off` left out, as shares of a hex."""
        at, _ = every(points, max(self.unit * 0.02, 1.0))
        cycle, drawn = max(on + off, 1e-6) / 0.02, on / 0.02
        for start in np.arange(0.0, len(at), cycle):
            piece = at[int(start) : int(start + drawn) + 1]
            if len(piece) > 1:
                self.stroke(piece, colour, share)

    def ties(self, points: Points, colour: Colour, share: float, gap: float, half: float) -> None:
        """Short strokes across a line, as on a railroad."""
        at, along = every(points, max(gap * self.unit, 2.0))
        for (x, y), (dx, dy) in zip(at, along, strict=True):
            reach = half * self.unit
            self.stroke(np.array([[x - dy * reach, y + dx * reach], [x + dy * reach, y - dx * reach]]), colour, share)

    def over(self, layer: Picture, strength: float, mask: Picture) -> None:
        """Blend another picture in where `mask` is set."""
        share = (mask.astype(np.float32) / 255 * strength)[..., None]
        np.copyto(self.picture, (self.picture * (1 - share) + layer * share).astype(np.uint8))

    def write(self, texts: Iterable[Lettering]) -> None:
        """Letter all texts in one go, each where it overlaps the fewest others."""
        image = Image.fromarray(self.picture)
        canvas = ImageDraw.Draw(image)
        for text in texts:
            font = ImageFont.load_default(max(text.share * self.unit, 5.0))
            left, top, right, bottom = canvas.textbbox((0, 0), text.text, font=font)
            wide, high = right - left, bottom - top
            best = text.spots[0]
            if len(text.spots) > 1:
                best = min(text.spots, key=lambda spot: self._crowd(self._box(spot, wide, high)))
            box = self._box(best, wide, high)
            self.written.append(box)
            at = (box[0] - left, box[1] - top)
            edge = max(round(text.share * self.unit * 0.12), 1) if text.halo else 0
            canvas.text(at, text.text, fill=text.colour, font=font, stroke_width=edge, stroke_fill=text.halo)
        np.copyto(self.picture, np.asarray(image))

    def _box(self, spot: tuple[float, float, float, float], wide: float, high: float) -> Box:
        x, y, across, down = spot
        left, top = x - wide * across, y - high * down
        return left, top, left + wide, top + high

    def _crowd(self, box: Box) -> float:
        """How much of a box is over other lettering or off the sheet."""
        rows, cols = self.picture.shape[:2]
        left, top, right, bottom = box
        off = max(-left, 0) + max(-top, 0) + max(right - cols, 0) + max(bottom - rows, 0)
        under = sum(
            max(min(right, other[2]) - max(left, other[0]), 0) * max(min(bottom, other[3]) - max(top, other[1]), 0)
            for other in self.written
        )
        return float(off * 1000 + under)


@dataclass(frozen=True)
class Lettering:
    """A text, its size as a share of a hex, and the spots it may stand at, best first.

    A spot is a point and how the text hangs on it: (x, y, across, down), from 0 (left, top) to 1 (right, bottom).
    """

    text: str
    share: float
    colour: Colour
    spots: tuple[tuple[float, float, float, float], ...]
    halo: Colour | None = None
