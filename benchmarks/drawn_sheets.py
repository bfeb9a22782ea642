"""Random counter sheets, drawn and worn, with the true corners of every counter: to measure how well sheets are cut."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from converter.counters import draw, theme_of
from converter.counters.pages import INCH, Paper, pages
from converter.counters.pieces import unit_pieces
from converter.counters.pixels import page_image
from converter.scan.degrade import Wear, degrade
from converter.scenario import Face, Side, Source, Unit, UnitsFile

Pixels = NDArray[np.uint8]
Points = NDArray[np.float64]
Colour = tuple[int, int, int]
ARTS = ("page", "drawn", "plain", "framed", "die lines")
_TYPES = ("infantry", "armor", "artillery", "marine-infantry", "engineer", "reconnaissance", "headquarters", "supply")
_SIZES = ("company", "battalion", "regiment", "brigade", "division")
_SIDES = (12.7, 12.7, 15.0, 15.9, 19.0, 25.4)  # millimetres


@dataclass(frozen=True)
class Sheet:
    """A worn scan, the corners of its counters (n x 4 x 2), and what it is in words."""

    picture: Pixels
    corners: Points
    told: str
    art: str
    dpi: int


@dataclass(frozen=True)
class _Plan:
    """A block on paper, in millimetres."""

    left: float
    top: float
    columns: int
    rows: int
    side: float
    gutter: float
    short: int  # counters that the last row lacks


def random_sheet(seed: int) -> Sheet:
    """The same seed gives the same sheet."""
    chance = np.random.default_rng(seed)
    art = str(chance.choice(ARTS))
    dpi = int(chance.choice([100, 150, 150, 200, 300]))
    flat, corners, told = _page(chance, dpi) if art == "page" else _composed(chance, art, dpi)
    if chance.random() < 0.25:
        edge = int(chance.uniform(5, 25) / INCH * dpi)
        flat, corners, told = _on_wood(chance, flat, edge), corners + edge, told + ", on wood"
    wear = random_wear(chance, seed)
    scan = degrade(flat, wear)
    placed = np.asarray(cv2.perspectiveTransform(corners.reshape(1, -1, 2), scan.matrix), np.float64).reshape(-1, 4, 2)
    told = f"{art}, {told}, {dpi} dpi, {len(corners)} counters, {_worn(wear)}"
    return Sheet(scan.picture, placed, told, art, dpi)


def random_wear(chance: np.random.Generator, seed: int) -> Wear:
    """From a clean picture to a scan of a used sheet."""
    return Wear(
        rotation=float(chance.choice([0.0, 1.0, 1.0]) * chance.uniform(-3, 3)),
        perspective=float(chance.choice([0, 0, 1]) * chance.uniform(0.002, 0.01)),
        light=float(chance.choice([0, 1]) * chance.uniform(0.1, 0.35)),
        folds=int(chance.choice([0, 0, 0, 2])),
        noise=float(chance.uniform(0, 8)),
        blur=float(chance.choice([0, 1]) * chance.uniform(0.3, 0.8)),
        jpeg=int(chance.integers(70, 96)),
        coffee=bool(chance.random() < 0.1),
        seed=seed,
    )


def _worn(wear: Wear) -> str:
    told = [f"turned {wear.rotation:.1f}", f"noise {wear.noise:.0f}", f"jpeg {wear.jpeg}"]
    told += [name for name in ("perspective", "light", "folds", "coffee") if getattr(wear, name)]
    return ", ".join(told)


def army(count: int, chance: np.random.Generator) -> UnitsFile:
    """So many units of five nations, in order of nation."""
    nations = (("UN", "US"), ("UN", "ROK"), ("UN", "CW"), ("NK", "NK"), ("Chinese", "Chinese"))
    units = []
    for i in range(count):
        side, nation = nations[i * 5 // count]
        attack, defense, move = (int(value) for value in chance.integers(1, 12, 3))
        front = Face((("attack", attack), ("defense", defense), ("move", move)))
        units.append(
            Unit(f"{i + 1}/{nation}", side, Source("person", "a benchmark"), nation=nation,
                 type=str(chance.choice(_TYPES)), size=str(chance.choice(_SIZES)), steps=2, front=front, back=front)
        )  # fmt: skip
    return UnitsFile(tuple(units), "korean-battles", None, (Side("UN"), Side("NK"), Side("Chinese")))


def _page(chance: np.random.Generator, dpi: int) -> tuple[Pixels, Points, str]:
    """A page as `counters sheet` prints it."""
    gutter = float(chance.choice([0.0, 0.0, 1.0, 2.0, 3.0]))
    paper = Paper(size=float(chance.choice(_SIDES)), gutter=gutter)
    count = int(chance.integers(paper.columns, paper.columns * paper.rows + 1))
    page = pages(unit_pieces(army(count, chance)), paper, "p", backs=False)[0]
    scale = dpi / INCH
    corners = [_square(p.x * scale, p.y * scale, p.size * scale) for p in page.placed]
    return np.asarray(page_image(page, dpi)), np.array(corners), f"side {paper.size}, gutter {gutter:.1f}"


def _square(x: float, y: float, side: float) -> list[list[float]]:
    return [[x - 0.5, y - 0.5], [x + side - 0.5, y - 0.5], [x + side - 0.5, y + side - 0.5], [x - 0.5, y + side - 0.5]]


def _composed(chance: np.random.Generator, art: str, dpi: int) -> tuple[Pixels, Points, str]:
    """Blocks of counters on a sheet of some colour."""
    wide, high = ((210, 297), (216, 279), (150, 200))[chance.integers(3)]
    gutter = float(chance.choice([0.0, 1.0]) * chance.uniform(0.5, 4))
    ground = _ground(chance)
    plans = _plans(chance, wide, high, gutter)
    scale = dpi / INCH
    sheet = np.full((round(high * scale), round(wide * scale), 3), ground, np.uint8)
    corners = []
    radius = float(chance.choice([0.0, 1.0]) * chance.uniform(4, 16)) if gutter else 0.0
    colours = [_bright(chance) for _ in range(5)]
    own = art == "die lines"
    pool = _pool(chance, radius, round(max(plan.side for plan in plans) * scale)) if art == "drawn" else []
    for plan in plans:
        before: Colour = ground
        for i in range(plan.columns * plan.rows - plan.short):
            row, column = divmod(i, plan.columns)
            x = round((plan.left + column * (plan.side + gutter)) * scale)
            y = round((plan.top + row * (plan.side + gutter)) * scale)
            x2 = round((plan.left + column * (plan.side + gutter) + plan.side) * scale)
            y2 = round((plan.top + row * (plan.side + gutter) + plan.side) * scale)
            if art == "drawn":
                face = cv2.resize(pool[int(chance.integers(len(pool)))], (x2 - x, y2 - y), interpolation=cv2.INTER_AREA)
            else:
                colour = ground if own else _other(chance, colours, gutter, before, ground, sheet, x, y)
                face = _face(chance, (x2 - x, y2 - y), colour, radius, framed=art == "framed", cut=own, dpi=dpi)
                before = colour
            alpha = face[..., 3:] / 255.0
            part = sheet[y:y2, x:x2]
            part[:] = np.round(part * (1 - alpha) + face[..., :3] * alpha).astype(np.uint8)
            corners.append([[x - 0.5, y - 0.5], [x2 - 0.5, y - 0.5], [x2 - 0.5, y2 - 0.5], [x - 0.5, y2 - 0.5]])
    sizes = "/".join(f"{plan.columns}x{plan.rows}x{plan.side}" for plan in plans)
    return sheet, np.array(corners), f"{sizes}, gutter {gutter:.1f}, ground {ground}, round {radius:.0f}"


def _plans(chance: np.random.Generator, wide: float, high: float, gutter: float) -> list[_Plan]:
    """One block, or several below and beside each other."""
    margin = float(chance.uniform(5, 14))
    space = max(5.0, gutter + 3.5)
    several = int(chance.choice([1, 1, 2, 3]))
    heights = chance.dirichlet(np.full(several, 6.0)) * (high - 2 * margin - (several - 1) * space)
    plans: list[_Plan] = []
    top = margin
    for height in heights:
        parts = int(chance.choice([1, 2])) if several > 1 else 1
        left = margin
        for width in chance.dirichlet(np.full(parts, 12.0)) * (wide - 2 * margin - (parts - 1) * space):
            side = float(chance.choice(_SIDES))
            columns, rows = int((width + gutter) // (side + gutter)), int((height + gutter) // (side + gutter))
            if min(columns, rows) >= 2:
                short = int(chance.integers(columns)) if chance.random() < 0.25 else 0
                plans.append(_Plan(left, top, columns, rows, side, gutter, short))
            left += width + space
        top += height + space
    return plans or [_Plan(margin, margin, 6, 8, 12.7, gutter, 0)]


def _bright(chance: np.random.Generator) -> Colour:
    r, g, b = colorsys.hsv_to_rgb(chance.uniform(), chance.uniform(0.15, 0.8), chance.uniform(0.4, 0.95))
    return round(255 * r), round(255 * g), round(255 * b)


def _ground(chance: np.random.Generator) -> Colour:
    kind = chance.integers(4)
    if kind == 0:
        return (252, 251, 249)
    if kind == 1:
        return (25, 24, 26)
    return _bright(chance)


def _far(one: Colour, other: Colour) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) > 40


def _other(
    chance: np.random.Generator, colours: list[Colour], gutter: float, before: Colour, ground: Colour, sheet: Pixels,
    x: int, y: int,
) -> Colour:  # fmt: skip
    """A colour that differs from the ground's, and from the neighbours' where they touch."""
    above: Colour = tuple(int(value) for value in sheet[max(y - 2, 0), x + 2])  # type: ignore[assignment]
    near = [ground] if gutter else [ground, before, above]
    fitting = [colour for colour in colours if all(_far(colour, other) for other in near)]
    while not fitting:
        colour = _bright(chance)
        fitting = [colour] if all(_far(colour, other) for other in near) else []
    return fitting[int(chance.integers(len(fitting)))]


def _pool(chance: np.random.Generator, radius: float, side: int) -> list[Pixels]:
    units = army(20, chance)
    theme = replace(theme_of(units), corners=radius)
    return [np.asarray(draw(unit, theme, side)) for unit in units.units]


def _face(
    chance: np.random.Generator, size: tuple[int, int], colour: Colour, radius: float, *, framed: bool, cut: bool,
    dpi: int,
) -> Pixels:  # fmt: skip
    """A counter with a symbol and figures, drawn large and made smaller."""
    big = 240
    ink = (0, 0, 0) if sum(colour) > 330 else (255, 255, 255)
    face = np.full((big, big, 3), colour, np.uint8)
    left, top = 50 + int(chance.integers(20)), 45 + int(chance.integers(20))
    cv2.rectangle(face, (left, top), (240 - left, top + 80), ink, 4)
    if chance.random() < 0.5:
        cv2.line(face, (left, top), (240 - left, top + 80), ink, 4)
    if chance.random() < 0.5:
        cv2.ellipse(face, (120, top + 40), (35, 22), 0, 0, 360, ink, 4)
    figures = "-".join(str(value) for value in chance.integers(1, 12, 3))
    cv2.putText(face, figures, (25, 215), cv2.FONT_HERSHEY_SIMPLEX, 1.6, ink, 6)
    if framed:
        inset = int(chance.integers(6, 16))
        cv2.rectangle(face, (inset, inset), (239 - inset, 239 - inset), ink, 3)
    face = np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), np.uint8)
    if cut:
        thick = max(1, round(dpi / 150))
        cv2.rectangle(face, (0, 0), (size[0] - 1, size[1] - 1), ink, thick)
    alpha = np.full((big * 2, big * 2), 255, np.uint8)
    if radius:
        r = round(radius / 100 * big * 2)
        alpha[:] = 0
        cv2.rectangle(alpha, (r, 0), (big * 2 - 1 - r, big * 2 - 1), 255, -1)
        cv2.rectangle(alpha, (0, r), (big * 2 - 1, big * 2 - 1 - r), 255, -1)
        for x in (r, big * 2 - 1 - r):
            for y in (r, big * 2 - 1 - r):
                cv2.circle(alpha, (x, y), r, 255, -1)
    return np.dstack([face, cv2.resize(alpha, size, interpolation=cv2.INTER_AREA)])


def _on_wood(chance: np.random.Generator, flat: Pixels, edge: int) -> Pixels:
    """The sheet on a wooden table."""
    rows, cols = flat.shape[0] + 2 * edge, flat.shape[1] + 2 * edge
    grain = cv2.resize(chance.normal(0, 1, (rows // 3 + 1, cols // 60 + 2)), (cols, rows))
    table = np.clip(np.array([150.0, 105.0, 66.0]) + 18 * grain[..., None], 0, 255).astype(np.uint8)
    table[edge : edge + flat.shape[0], edge : edge + flat.shape[1]] = flat
    return table
