"""What of a scan is counters and what is ground round them: scanner lid, paper, gutters, of whatever colour.

Ground is what can be reached from the edge of the picture without crossing a line or a change of colour. That needs
no idea of the ground's colour, and uneven light, which changes slowly, does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Floats = NDArray[np.float32]

_LEAST_EDGE, _MOST_EDGE = 3.5, 10.0  # what counts as a change of colour, in levels a pixel: between these, by the noise
_RIM = 0.6  # share of a sheet's rim that its paper must reach
_PANEL = 0.04  # share of the rim that each panel of a folded sheet reaches


@dataclass(frozen=True)
class Edges:
    """How strongly the colour changes at each pixel, across and down, in levels a pixel; `least` is above the noise."""

    across: Floats
    down: Floats
    least: float


def edges(pixels: Pixels, blur: float = 1.2) -> Edges:
    """The changes of colour, whichever of red, green and blue shows them most."""
    soft = cv2.GaussianBlur(pixels, (0, 0), blur)
    across = np.abs(cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8)).max(axis=2)
    down = np.abs(cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8)).max(axis=2)
    quiet = float(np.quantile(np.maximum(across, down)[::3, ::3], 0.2))
    return Edges(across, down, min(max(_LEAST_EDGE, 6 * quiet), _MOST_EDGE))


def foregrounds(pixels: Pixels) -> Iterator[Mask]:
    """Ideas of where the counters are, True there: on the bare lid, on a paper, on a folded paper.

    Which one holds is told by how well counters can be found in it.
    """
    seen = edges(pixels)
    strong = np.maximum(seen.across, seen.down) > seen.least
    passable = 1 - cv2.dilate(strong.astype(np.uint8), np.ones((3, 3), np.uint8))
    opened = cv2.morphologyEx(passable, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    regions = np.asarray(cv2.connectedComponents(opened, connectivity=4)[1], np.int32)
    border = np.concatenate([regions[0], regions[-1], regions[:, 0], regions[:, -1]])
    ground = _regions(regions, np.unique(border))
    yield _counters(ground)
    before = ground
    for panels in (1, 12):
        wider = ground
        for _ in range(2):  # the paper on the lid; a panel printed on the paper
            paper = _paper(wider, regions, panels)
            if paper is None:
                break
            wider = wider | paper
        if (wider != before).any():
            before = wider
            yield _counters(wider)


def _regions(regions: NDArray[np.int32], chosen: NDArray[np.int32]) -> Mask:
    wanted = np.zeros(int(regions.max()) + 1, bool)
    wanted[chosen] = True
    wanted[0] = False
    found: Mask = wanted[regions]
    return found


def _counters(ground: Mask) -> Mask:
    """What is not ground, without thin things: crop marks, creases. The edge's own width goes to the ground."""
    grown = cv2.dilate(ground.astype(np.uint8), np.ones((5, 5), np.uint8))
    thin = min(max(min(ground.shape) // 80, 9), 21)
    return np.asarray(cv2.morphologyEx(1 - grown, cv2.MORPH_OPEN, np.ones((thin, thin), np.uint8))).astype(bool)


def _paper(ground: Mask, regions: NDArray[np.int32], panels: int) -> Mask | None:
    """The paper that large patches lie on: at most so many regions that together reach most of the patch's rim."""
    count, patches, stats, _ = cv2.connectedComponentsWithStats((~ground).astype(np.uint8), connectivity=8)
    chosen: list[int] = []
    for patch in range(1, count):
        left, top, wide, high, _area = (int(value) for value in stats[patch])
        if wide * high < 0.12 * ground.size:
            continue
        box = np.s_[top : top + high, left : left + wide]
        inside = np.pad((patches[box] == patch).astype(np.uint8), 1)
        deep = max(6, min(wide, high) // 100)
        far = np.asarray(cv2.distanceTransform(cv2.morphologyEx(inside, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)),
                                               cv2.DIST_C, 3))[1:-1, 1:-1]  # fmt: skip
        rim = (far > deep) & (far <= 2 * deep)
        labels, sizes = np.unique(regions[box][rim], return_counts=True)
        shares = np.where(labels == 0, 0.0, sizes / max(int(rim.sum()), 1))
        best = np.argsort(-shares)[:panels]
        best = best[shares[best] > (_PANEL if panels > 1 else 0.0)]
        if shares[best].sum() > _RIM:
            chosen += [int(label) for label in labels[best]]
    return _regions(regions, np.array(chosen)) if chosen else None
