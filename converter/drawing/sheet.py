"""A map.yaml printed: ground, rivers, roads, grid, numbers, places and names, and where the grid came to lie."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from converter.drawing.ground import paint_ground
from converter.drawing.pen import Lettering, Pen, Picture
from converter.drawing.shapes import Points, meander, smooth, strokes
from converter.drawing.styles import STYLES, Style, look_of
from converter.drawing.symbols import place_symbol, scatter
from converter.errors import BadInput
from converter.hexgrid import Hex, Layout
from converter.scenario import MapFile
from converter.scenario import Picture as Placed

_RIVERS = {"river": 0.06, "minor-river": 0.045, "frozen-river": 0.05, "stream": 0.03, "canal": 0.05}
_RIVERS |= {"major-river": 0.12, "han-river": 0.12, "estuary": 0.18, "reservoir": 0.12}
_OUTLINED = ("staging-area", "perimeter")
_LETTERS = {"city": 0.30, "town": 0.21, "port": 0.21, "airfield": 0.16, "peak": 0.17, "hill": 0.17, "village": 0.17}


@dataclass(frozen=True)
class Drawing:
    """The picture (RGB), and the map with the place of its grid on that picture."""

    picture: Picture
    map: MapFile


def draw_map(
    it: MapFile,
    style: str | Style = "flat",
    *,
    hex_height: float = 64.0,
    seed: int = 1,
    numbers: bool = True,
    title: bool = True,
) -> Drawing:
    """Print a map in one of the `STYLES` or one of your own.

    `hex_height` is the distance from hex to hex in a column, in pixels. The same map, style, size and seed give the
    same picture.
    """
    if isinstance(style, str) and style not in STYLES:
        raise BadInput(f"no style {style!r} to draw a map in; expected one of {', '.join(STYLES)}")
    look = STYLES[style] if isinstance(style, str) else style
    margin = hex_height * 0.45
    layout = Layout.regular(
        hex_height / math.sqrt(3), sideways=it.grid.sideways, lattice=it.grid.lattice, margin=margin
    )
    corners = np.array([corner for hex in it.grid.hexes for corner in layout.corners(hex)])
    footer = hex_height * 0.9 if title else 0.0
    width, height = (math.ceil(float(most) + margin) for most in corners.max(axis=0))
    size = (width, height + math.ceil(footer))
    if size[0] * size[1] > 150_000_000:
        raise BadInput(f"a picture of {size[0]} by {size[1]} pixels is too large; ask for smaller hexes")
    ground = paint_ground(it, layout, size, look, seed)
    table = _Table(it, layout, look, Pen(ground, hex_height), np.random.default_rng(seed + 1))
    table.terrain_marks()
    table.rivers()
    table.links()
    table.bridges()
    table.grid()
    table.lines()
    table.places()
    table.lettering(numbers, it.title or it.name if title else None)
    placed = Placed(size[0], size[1], layout.dx, layout.dy, layout.x0, layout.y0)
    return Drawing(table.pen.picture, replace(it, picture=placed))


@dataclass
class _Table:
    """What lies on the drawing table: the map, where its hexes fall, and the pen."""

    it: MapFile
    layout: Layout
    style: Style
    pen: Pen
    chance: np.random.Generator

    def _centre(self, number: str) -> tuple[float, float]:
        return self.layout.centre(self.it.grid.hex(number))

    def _sides(self, pairs: Iterable[tuple[str, str]]) -> list[Points]:
        """Hexsides, named by the hexes they lie between, as strokes along them."""
        grid, ends = self.it.grid, []
        for one, other in pairs:
            a, b = self.layout.side_ends(grid.lattice.hexside(grid.hex(one), grid.hex(other)))
            ends.append(((round(a[0], 2), round(a[1], 2)), (round(b[0], 2), round(b[1], 2))))
        return [np.array(stroke, float) for stroke in strokes(ends)]

    def terrain_marks(self) -> None:
        """Trees, tufts and hachures."""
        for number in self.it.grid.numbers:
            look = look_of(self.it.terrain(number))
            if look in self.style.marked:
                scatter(self.pen, look, *self._centre(number), self.style, self.chance)

    def rivers(self) -> None:
        """Rivers and other water along hexsides, wider ones first."""
        for feature in sorted(self.it.hexsides, key=lambda feature: -_RIVERS.get(feature.kind, 0.0)):
            if feature.kind in _RIVERS:
                for stroke in self._sides(feature.between):
                    bent = smooth(meander(stroke, self.pen.unit * 0.09, self.chance))
                    self.pen.stroke(bent, self.style.water_ink, _RIVERS[feature.kind] * self.style.river_width)
            elif feature.kind in ("cliff", "ridge"):
                for stroke in self._sides(feature.between):
                    self.pen.ties(stroke, self.style.trail, 0.02, 0.08, 0.06)

    def _roads(self, kind: str, shift: float = 0.0) -> list[Points]:
        pieces = [pair for link in self.it.all_links if link.kind == kind for pair in pairwise(link.path)]
        moved = np.array([shift, shift * 0.7]) * self.pen.unit
        return [
            smooth(meander(np.array([self._centre(n) for n in stroke]) + moved, self.pen.unit * 0.035, self.chance))
            for stroke in strokes(pieces)
        ]

    def links(self) -> None:
        """Trails dashed, railroads with ties, roads with an edge; a kind without a look of its own is a thin road."""
        style, pen = self.style, self.pen
        for kind in sorted({link.kind for link in self.it.all_links}):
            if kind in ("trail", "track", "path"):
                for stroke in self._roads(kind):
                    pen.dashes(stroke, style.trail, 0.035, 0.11, 0.07)
            elif kind in ("rail", "railroad"):
                for stroke in self._roads(kind, 0.09):
                    pen.stroke(stroke, style.rail, 0.03)
                    pen.ties(stroke, style.rail, 0.025, 0.14, 0.055)
        roads = [
            kind for kind in sorted({link.kind for link in self.it.all_links}) if "road" in kind and kind != "railroad"
        ]
        drawn = [
            (stroke, 0.06 if "major" in kind or kind == "road" else 0.04)
            for kind in roads
            for stroke in self._roads(kind)
        ]
        for stroke, share in drawn:
            pen.stroke(stroke, style.road_edge, share + 0.045)
        for stroke, share in drawn:
            pen.stroke(stroke, style.road, share)

    def bridges(self) -> None:
        """Two rails across the river, in the direction of the road."""
        pairs = [pair for feature in self.it.hexsides if feature.kind == "bridge" for pair in feature.between]
        for one, other in pairs:
            start, end = np.array(self._centre(one)), np.array(self._centre(other))
            along = (end - start) / np.hypot(*(end - start))
            across, middle = np.array([-along[1], along[0]]), (start + end) / 2
            for side in (-1, 1):
                rail = middle + across * side * 0.085 * self.pen.unit
                reach = along * 0.15 * self.pen.unit
                self.pen.stroke(np.array([rail - reach, rail + reach]), self.style.text_ink, 0.03)

    def grid(self) -> None:
        """The hexes' outlines: full lines, dotted lines, or only their corners."""
        lattice, layer = self.layout.lattice, Pen(np.zeros(self.pen.picture.shape[:2], np.uint8), self.pen.unit)
        white = (255, 255, 255)
        for side in dict.fromkeys(side for hex in self.it.grid.hexes for side in lattice.sides(hex)):
            ends = np.array(self.layout.side_ends(side))
            if self.style.grid == "lines":
                layer.stroke(ends, white, 0.02)
            elif self.style.grid == "dotted":
                for share in np.arange(0.5, 8) / 8:
                    x, y = ends[0] + (ends[1] - ends[0]) * share
                    layer.dot(x, y, 0.026, white)
            else:
                for near, far in (ends, ends[::-1]):
                    layer.stroke(np.array([near, near + (far - near) * 0.16]), white, 0.024)
        ink = np.broadcast_to(np.array(self.style.grid_ink, np.uint8), self.pen.picture.shape)
        self.pen.over(ink, self.style.grid_strength, layer.picture)

    def lines(self) -> None:
        """Parallels and borders, and the outlines of areas that units are confined to."""
        for line in self.it.lines:
            for stroke in self._sides(line.between):
                self.pen.dashes(stroke, self.style.line_ink, 0.05, 0.22, 0.1)
        grid = self.it.grid
        for region in self.it.regions:
            if region.kind in _OUTLINED and region.hexes:
                within = set(region.hexes)
                rim = [(hex, other) for hex in region.hexes for other in grid.neighbours(hex) if other not in within]
                for stroke in self._sides(rim):
                    self.pen.dashes(stroke, self.style.line_ink, 0.03, 0.09, 0.07)

    def places(self) -> None:
        """The signs of cities, towns, ports and the like."""
        for place in self.it.places:
            for number in place.hexes:
                for kind in place.kinds:
                    place_symbol(self.pen, kind, *self._centre(number), self.style, self.chance)

    def lettering(self, numbers: bool, title: str | None) -> None:
        """Hex numbers, then names from the largest down."""
        unit, texts = self.pen.unit, []
        if numbers:
            for number, hex in zip(self.it.grid.numbers, self.it.grid.hexes, strict=True):
                texts.append(Lettering(number, 0.15, self.style.number_ink, (self._top(hex),)))
        named = [place for place in self.it.places if place.name and any(kind in _LETTERS for kind in place.kinds)]
        for place in sorted(named, key=lambda place: -max(_LETTERS.get(kind, 0) for kind in place.kinds)):
            x, y = self._centre(place.hexes[0])
            share = max(_LETTERS.get(kind, 0.0) for kind in place.kinds)
            reach = (0.42 if "city" in place.kinds else 0.2) * unit
            spots = (
                (x + reach, y, 0.0, 0.5),
                (x, y + reach, 0.5, 0.0),
                (x - reach, y, 1.0, 0.5),
                (x, y - reach, 0.5, 1.0),
            )
            texts.append(Lettering(place.name or "", share, self.style.text_ink, spots, self.style.halo))
        if title:
            rows, cols = self.pen.picture.shape[:2]
            texts.append(Lettering(title, 0.5, self.style.text_ink, ((cols / 2, rows - 0.3 * unit, 0.5, 1.0),)))
        self.pen.write(texts)

    def _top(self, hex: Hex) -> tuple[float, float, float, float]:
        """Where a hex's number stands: just under its upper side or corner."""
        x, y = self.layout.centre(hex)
        return x, y - (0.43 if not self.layout.sideways else 0.4) * self.pen.unit, 0.5, 0.0
