"""The practice map under review, and where things are on the page; shared by the tests of review and of serving."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from converter.drawing import draw_map
from converter.hexgrid import Grid, Hex, Numbering
from converter.scan.picture import Picture
from converter.scan.review import review_page
from converter.scenario import HexsideFeature, MapFile, Source, Terrain, read_map
from converter.scenario import Picture as Placed

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[3]
Sheet = tuple[MapFile, Picture]


@cache
def reviewed(hex_height: float = 48) -> Sheet:
    """The practice map as if read off a scan, its marshes in doubt."""
    drawing = draw_map(read_map(ROOT / "maps" / "practice" / "peninsula.yaml"), "relief", hex_height=hex_height)
    scan = Source("scan", "peninsula.png", 0.97)
    it = drawing.map
    it = replace(
        it,
        terrains=tuple(
            replace(entry, source=replace(scan, confidence=0.42) if entry.kinds == ("marsh",) else scan)
            for entry in it.terrains
        ),
        hexsides=tuple(replace(entry, source=scan) for entry in it.hexsides),
        all_links=tuple(replace(entry, source=scan) for entry in it.all_links),
    )
    return it, Picture(drawing.picture, "peninsula.png")


def open_page(window: Page, it: MapFile, scan: Picture, folder: Path) -> None:
    """Open the page from a file and wait until the scan shows."""
    (folder / "review.html").write_text(review_page(it, scan), encoding="utf-8")
    window.goto((folder / "review.html").as_uri())
    ready(window)


def ready(window: Page) -> None:
    """Wait until the scan shows."""
    window.wait_for_selector("body[data-ready=yes]")


def hex_at(window: Page, number: str) -> tuple[float, float]:
    """Where a hex's middle is on the screen."""
    return _on_screen(window, "number => cells.get(number)", number)


def side_at(window: Page, one: str, other: str) -> tuple[float, float]:
    """Where the middle of the side between two hexes is on the screen."""
    return _on_screen(window, "pair => sides.get(corrections.key(pair))", [one, other])


def _on_screen(window: Page, find: str, value: object) -> tuple[float, float]:
    spot = window.evaluate(
        f"value => {{ const at = ({find})(value); return [at.x * view.scale + view.x, at.y * view.scale + view.y]; }}",
        value,
    )
    return spot[0], spot[1]


def changed(before: MapFile, after: MapFile) -> dict[str, object]:
    """Everything in which two maps differ, hex by hex and side by side."""
    grid = before.grid
    sides = [(one, other) for one in grid.numbers for other in grid.neighbours(one) if one < other]
    found: dict[str, object] = {}
    found |= {n: after.terrain(n) for n in grid.numbers if before.terrain(n) != after.terrain(n)}
    found |= {n: after.kinds_at(n) for n in grid.numbers if before.kinds_at(n) != after.kinds_at(n)}
    for name in ("hexside_features", "links"):
        for pair in sides:
            if getattr(before, name)(*pair) != getattr(after, name)(*pair):
                found[f"{name} {'/'.join(pair)}"] = set(getattr(after, name)(*pair))
    return found


def large_sheet(width: int = 8000, height: int = 5000) -> Sheet:
    """A map as large as they come: 12 000 hexes, their terrain the practice map's over and over."""
    it, scan = reviewed()
    down, across = -(-height // scan.height), -(-width // scan.width)
    pixels = np.tile(scan.pixels, (down, across, 1))[:height, :width]
    grid = Grid(150, 80, numbering=Numbering("{column:03}{row:02}"))
    small = it.grid
    kinds = {hex: it.terrain(number) or "clear" for number, hex in zip(small.numbers, small.hexes, strict=True)}
    found: dict[str, list[str]] = {}
    for number, hex in zip(grid.numbers, grid.hexes, strict=True):
        found.setdefault(kinds[Hex(hex.col % small.columns, hex.row % small.rows)], []).append(number)
    rivers = [(one, other) for one in grid.numbers[::4] for other in grid.neighbours(one)[:1]]
    source = Source("scan", "large.png", 0.9)
    return MapFile(
        "large",
        grid,
        picture=Placed(width, height, 52.8, 61.0, 40.0, 40.0),
        terrains=tuple(Terrain((kind,), tuple(hexes), source) for kind, hexes in found.items()),
        hexsides=(HexsideFeature("river", tuple(rivers), source),),
    ), Picture(pixels, "large.png")
