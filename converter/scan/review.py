"""review.html: one page without any network, with the scan and everything found on it, to check and correct."""

from __future__ import annotations

import base64
import html
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from converter.scan.colours import colours, dashed
from converter.scan.picture import Picture, Pixels
from converter.scenario import MapFile, map_text
from converter.scenario.map_codec import encode_map

TILE = 1024
"""The page holds the scan in square tiles of this many pixels, so that a browser unpacks only those it shows."""
QUALITY = 80
_HERE = Path(__file__).parent / "review_page"
_SCRIPTS = ("yaml.js", "corrections.js", "drawing.js", "page.js")
_CORRECTED: dict[str, Any] = {"terrains": (), "hexsides": (), "all_links": (), "places": ()}
_AFTER: dict[str, Any] = {"regions": (), "lines": (), "boxes": (), "notes": ()}


def review_page(it: MapFile, scan: Picture, *, served: bool = False) -> str:
    """The page; `scan` is the straightened picture that `it.picture` is about."""
    return page_with(it, scan_data(scan), scan.width, scan.height, served=served)


def page_with(it: MapFile, tiles: str, width: int, height: int, *, served: bool = False) -> str:
    """The page with a scan that `scan_data` has packed, which takes longer than all the rest."""
    parts = {
        "__TITLE__": html.escape(f"{it.title or it.name}: review"),
        "__STYLE__": _read("page.css"),
        "__SCRIPT__": "\n".join(map(_read, _SCRIPTS)),
        "__DATA__": _json(_data(it, width, height, served)),
        "__SCAN__": tiles,
    }
    return re.sub("|".join(parts), lambda found: parts[found[0]], _read("page.html"))


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _json(data: Any) -> str:
    """Without any "<", so that no text of the map can end the script."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _data(it: MapFile, width: int, height: int, served: bool) -> dict[str, Any]:
    layout, grid = it.layout, it.grid
    if layout is None:
        raise ValueError("a map without a picture cannot be reviewed")
    first = grid.hexes[0]
    x, y = layout.centre(first)
    sides = []
    for i, hex in enumerate(grid.hexes):
        for j in grid.index.neighbours[i]:
            if i < j:
                one, other = layout.side_ends(grid.lattice.hexside(hex, grid.hexes[j]))
                sides.append([i, j, *_round(one), *_round(other)])
    kinds = _kinds(it)
    head, tail = _text_around(it)
    return {
        "map": _spelled_out(it),
        "head": head,
        "tail": tail,
        "hexes": [
            [number, hex.col, hex.row, *_round(layout.centre(hex))]
            for number, hex in zip(grid.numbers, grid.hexes, strict=True)
        ],
        "sides": sides,
        "corners": [_round((cx - x, cy - y)) for cx, cy in layout.corners(first)],
        "unit": layout.dy,
        "step": [layout.dy, layout.dx] if layout.sideways else [layout.dx, layout.dy],
        "width": width,
        "height": height,
        "kinds": kinds,
        "usual": it.default_terrain[0] if it.default_terrain else None,
        "colours": colours(kind for section in kinds.values() for kind in section),
        "dashed": dashed(kind for section in kinds.values() for kind in section),
        "served": served,
    }


def _text_around(it: MapFile) -> tuple[str, str]:
    """The text of map.yaml before and after the sections that the page corrects."""
    head = map_text(replace(it, **_CORRECTED, **_AFTER))
    return head, map_text(replace(it, **_CORRECTED)).removeprefix(head)


def _spelled_out(it: MapFile) -> dict[str, Any]:
    """The sections that the page corrects, their runs of hexes written out."""
    data = encode_map(it)
    lists = {"terrain": [entry.hexes for entry in it.terrains], "places": [place.hexes for place in it.places]}
    for section, hexes in lists.items():
        for told, all_of_it in zip(data.get(section, ()), hexes, strict=True):
            told["hexes"] = list(all_of_it)
    return {section: data.get(section, []) for section in ("terrain", "hexsides", "links", "places")}


def _kinds(it: MapFile) -> dict[str, list[str]]:
    """What can be chosen, the most frequent first, for the first nine have a key of their own."""
    terrain = [kind for entry in it.terrains for kind in entry.kinds for _ in entry.hexes]
    hexsides = [entry.kind for entry in it.hexsides for _ in entry.between]
    links = [entry.kind for entry in it.all_links for _ in entry.path]
    places = [kind for entry in it.places for kind in entry.kinds]
    usual = it.default_terrain[0] if it.default_terrain else "clear"
    return {
        "terrain": _by_use(terrain, usual, "unknown"),
        "hexsides": _by_use(hexsides, "river", "none"),
        "links": _by_use(links, "road"),
        "places": _by_use(places, "town"),
    }


def _by_use(used: list[str], *always: str) -> list[str]:
    return sorted({*used, *always}, key=lambda kind: (kind in ("unknown", "none"), -used.count(kind), kind))


def _round(point: tuple[float, float]) -> list[float]:
    return [round(point[0], 1), round(point[1], 1)]


def scan_data(scan: Picture) -> str:
    """The scan as tiles of JPEG: in full, at half the size, and so on until one tile holds it."""
    levels, pixels, scale = [], scan.pixels, 1.0
    while True:
        height, width = pixels.shape[:2]
        levels.append({
            "scale": scale,
            "tile": TILE,
            "across": -(-width // TILE),
            "tiles": [
                base64.b64encode(jpeg(pixels[top : top + TILE, left : left + TILE])).decode("ascii")
                for top in range(0, height, TILE)
                for left in range(0, width, TILE)
            ],
        })  # fmt: skip
        if max(width, height) <= TILE:
            return _json(levels)
        scale /= 2
        size = (max(1, round(scan.width * scale)), max(1, round(scan.height * scale)))
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def jpeg(pixels: Pixels, quality: int = QUALITY) -> bytes:
    """A picture as JPEG."""
    done, packed = cv2.imencode(".jpg", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise RuntimeError("the picture could not be packed")
    return packed.tobytes()


def named_picture(it: MapFile, image: str) -> MapFile:
    """The map with the name of its picture."""
    return replace(it, picture=replace(it.picture, image=image)) if it.picture else it
