"""A scanned sheet cut into counters: what was found, cut, paired, compared and named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from converter.errors import BadInput
from converter.scan.picture import Picture
from converter.scan.sheet.alike import is_blank, same_as, small
from converter.scan.sheet.blocks import Cell, Found
from converter.scan.sheet.config import SheetConfig
from converter.scan.sheet.crop import NOISY, cleaned, corner_radius, crop, crop_size, grain_of
from converter.scan.sheet.doubts import doubts
from converter.scan.sheet.find import find_counters
from converter.scan.sheet.naming import given, read_names, read_off
from converter.scan.sheet.pairing import Pairs, Turn, pair

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Cut:
    """One counter: its place, its front, its back; `first` is the number of the first that is the same."""

    cell: Cell
    front: Image.Image
    back: Image.Image | None
    first: int
    blank: bool
    name: str


@dataclass(frozen=True)
class CutSheet:
    """All counters of a sheet."""

    cuts: tuple[Cut, ...]
    found: Found
    back_found: Found | None = None
    pairs: Pairs | None = None
    radius: float = 0.0
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class CutOptions:
    """How to cut. `size` is the crops' longer side in pixels; None: as scanned."""

    size: int | None = None
    names: Path | None = None
    ocr: bool = False
    clean: bool = True
    turn: Turn | None = None
    config: SheetConfig = field(default_factory=SheetConfig)


def cut_sheet(
    front: Picture, back: Picture | None, options: CutOptions, progress: Progress = lambda _: None
) -> CutSheet:
    """Cut a sheet, and the scan of its backs where there is one."""
    config = options.config
    found = _without(config.found or find_counters(front, progress), config.skip)
    notes = [f"{len(found.cells)} counters in {len(found.blocks)} block{'s' if len(found.blocks) > 1 else ''}"]
    images, radius, grain = _crops(front, found, options, progress)
    doubted = [] if config.found else list(doubts(front, found))
    back_found, pairs = None, None
    backs: list[Image.Image | None] = [None] * len(images)
    if back:
        back_found = config.back_found or find_counters(back, progress)
        back_images, _, _ = _crops(back, back_found, options, progress, radius)
        doubted += [] if config.back_found else [f"backs: {doubt}" for doubt in doubts(back, back_found)]
        pairs = pair(
            found.cells, back_found.cells, _colours(images), _colours(back_images), options.turn or config.turn
        )
        backs = [None if j is None else back_images[j] for j in pairs.backs]
        notes += _said(pairs, len(found.cells))
    blank = [is_blank(image, grain) and (other is None or is_blank(other, grain))
             for image, other in zip(images, backs, strict=True)]  # fmt: skip
    progress("comparing")
    first = _first(images, backs)
    names = _names(found, images, first, options, progress)
    named: dict[tuple[int, str], int] = {}  # what has another name is another counter, however alike
    first = [named.setdefault(told, i) for i, told in enumerate(zip(first, names, strict=True))]
    cuts = [Cut(*told) for told in zip(found.cells, images, backs, first, blank, names, strict=True)]
    repeated = len(cuts) - len(set(first))
    notes += [f"{repeated} are the same as another"] if repeated else []
    notes += [f"{sum(blank)} are blank"] if any(blank) else []
    return CutSheet(tuple(cuts), found, back_found, pairs, radius, tuple(notes), tuple(doubted))


def _without(found: Found, skip: frozenset[str]) -> Found:
    unknown = sorted(skip - {cell.place for cell in found.cells})
    if unknown:
        raise BadInput(f"skip: there is no counter at {unknown[0]}")
    cells = tuple(cell for cell in found.cells if cell.place not in skip)
    if not cells:
        raise BadInput("every counter is to be skipped; nothing is left to cut")
    return Found(cells, found.blocks)


def _crops(
    picture: Picture, found: Found, options: CutOptions, progress: Progress, radius: float | None = None
) -> tuple[list[Image.Image], float, float]:
    """The counters of one scan, the radius of their corners and the scan's grain."""
    for cell in found.cells:
        x, y = cell.middle
        if not (0 <= x < picture.width and 0 <= y < picture.height):
            raise BadInput(f"{picture.name}: the counter at {cell.place} is outside the picture")
    progress(f"cutting {len(found.cells)} counters")
    images: list[Image.Image] = []
    told = radius if radius is not None else options.config.corners
    widest = 0.0
    for number, block in enumerate(found.blocks, 1):
        cells = [cell for cell in found.cells if cell.block == number]
        if not cells:
            continue
        size = crop_size(cells, options.size)
        rounding = told if told is not None else corner_radius(picture, block, cells)
        widest = max(widest, rounding)
        images += [crop(picture, cell, size, rounding) for cell in cells]
    grain = grain_of(images)
    if options.clean and grain > NOISY:
        images = [cleaned(image, grain) for image in images]
    return images, widest, grain


def _colours(images: list[Image.Image]) -> NDArray[np.float64]:
    """The ground colour of each counter: the median, which print hardly moves."""
    return np.array([np.median(small(image), axis=(0, 1)) for image in images], np.float64)


def _first(images: list[Image.Image], backs: list[Image.Image | None]) -> list[int]:
    """For each counter the first with the same front and the same back."""
    fronts = same_as(images)
    numbers = [i for i, back in enumerate(backs) if back is not None]
    behind = dict(zip(numbers, (numbers[j] for j in same_as([backs[i] for i in numbers])), strict=True))  # type: ignore[misc]
    seen: dict[tuple[int, int | None], int] = {}
    return [seen.setdefault((fronts[i], behind.get(i)), i) for i in range(len(images))]


def _names(
    found: Found, images: list[Image.Image], first: list[int], options: CutOptions, progress: Progress
) -> list[str]:
    names = [cell.place for cell in found.cells]
    if options.names:
        names = given(read_names(options.names), first, options.names)
    elif options.ocr:
        leaders = sorted(set(first))
        read = dict(zip(leaders, read_off([images[i] for i in leaders], progress), strict=True))
        names = [read[leader] or found.cells[leader].place for leader in first]
    else:
        names = [names[leader] for leader in first]
    by_place = options.config.names
    unknown = sorted(set(by_place) - {cell.place for cell in found.cells})
    if unknown:
        raise BadInput(f"names: there is no counter at {unknown[0]}")
    return [by_place.get(cell.place, name) for cell, name in zip(found.cells, names, strict=True)]


def _said(pairs: Pairs, fronts: int) -> list[str]:
    paired = sum(back is not None for back in pairs.backs)
    ways = {"mirrored": "left and right exchanged", "same": "as the fronts", "upside": "top and bottom exchanged",
            "turned": "turned by half"}  # fmt: skip
    said = [f"{paired} of {fronts} have a back; the backs lie {ways[pairs.turn]}"]
    if not pairs.sure:
        said.append("colours do not tell how the sheet was turned over: check the backs, or say --turn")
    return said
