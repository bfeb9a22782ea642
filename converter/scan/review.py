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

from converter.scan.picture import Picture, Pixels
from converter.scenario import MapFile
from converter.scenario.map_codec import encode_map

MOST_PIXELS = 42_000_000
"""Larger scans are shown reduced; browsers draw no larger pictures."""
QUALITY = 80
_HERE = Path(__file__).parent


def review_page(it: MapFile, scan: Picture, *, served: bool = False) -> str:
    """The page; `scan` is the straightened picture that `it.picture` is about."""
    script = (_HERE / "review.js").read_text(encoding="utf-8")
    page = (_HERE / "review.html").read_text(encoding="utf-8")
    data = json.dumps(_data(it, scan, served), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    title = html.escape(f"{it.title or it.name}: review")
    # "<" never stands in the data as such, so that no text of the map can end the script.
    parts = {"__TITLE__": title, "__SCRIPT__": script, "__DATA__": data}
    return re.sub("|".join(parts), lambda found: parts[found[0]], page)


def _data(it: MapFile, scan: Picture, served: bool) -> dict[str, Any]:
    layout, grid = it.layout, it.grid
    if layout is None:
        raise ValueError("a map without a picture cannot be reviewed")
    first = grid.hexes[0]
    x, y = layout.centre(first)
    numbers = grid.numbers
    sides = []
    for i, number in enumerate(numbers):
        for j in grid.index.neighbours[i]:
            if i < j:
                side = grid.lattice.hexside(grid.hexes[i], grid.hexes[j])
                sides.append({"pair": [number, numbers[j]], "ends": [_round(end) for end in layout.side_ends(side)]})
    return {
        "map": _spelled_out(it),
        "hexes": [
            {"number": number, "column": hex.col, "x": round(cx, 1), "y": round(cy, 1)}
            for number, hex in zip(numbers, grid.hexes, strict=True)
            for cx, cy in (layout.centre(hex),)
        ],
        "sides": sides,
        "corners": [_round((cx - x, cy - y)) for cx, cy in layout.corners(first)],
        "unit": layout.dy,
        "width": scan.width,
        "height": scan.height,
        "kinds": _kinds(it),
        "served": served,
        "scan": "data:image/jpeg;base64," + base64.b64encode(jpeg(scan.pixels, MOST_PIXELS)).decode("ascii"),
    }


def _spelled_out(it: MapFile) -> dict[str, Any]:
    """The data of map.yaml, its runs of hexes written out."""
    data = encode_map(it)
    lists = {"terrain": [entry.hexes for entry in it.terrains], "places": [place.hexes for place in it.places]}
    for section, hexes in lists.items():
        for told, all_of_it in zip(data.get(section, ()), hexes, strict=True):
            told["hexes"] = list(all_of_it)
    return data


def _kinds(it: MapFile) -> dict[str, list[str]]:
    terrain = {kind for entry in it.terrains for kind in entry.kinds} | {"clear", "unknown"}
    hexsides = {entry.kind for entry in it.hexsides} | {"river", "none"}
    links = {entry.kind for entry in it.all_links} | {"road"}
    places = {kind for entry in it.places for kind in entry.kinds} | {"town"}
    named = {"terrain": terrain, "hexsides": hexsides, "links": links, "places": places}
    return {section: sorted(kinds) for section, kinds in named.items()}


def _round(point: tuple[float, float]) -> list[float]:
    return [round(point[0], 1), round(point[1], 1)]


def jpeg(pixels: Pixels, most: int, quality: int = QUALITY) -> bytes:
    """A picture as JPEG, reduced where it has more than `most` pixels."""
    scale = (most / (pixels.shape[0] * pixels.shape[1])) ** 0.5
    if scale < 1:
        pixels = np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    done, packed = cv2.imencode(".jpg", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise RuntimeError("the picture could not be packed")
    return packed.tobytes()


def named_picture(it: MapFile, image: str) -> MapFile:
    """The map with the name of its picture."""
    return replace(it, picture=replace(it.picture, image=image)) if it.picture else it
