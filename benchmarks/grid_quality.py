"""How well grids are found: drawn ones with known truth, pictures without any, and real boards where they are at hand.

    python benchmarks/grid_quality.py [--drawn 200] [--first 9000] [--gridless 4]

Boards are read from `shared/corpus/boards` beside the project, as their authors calibrated them, and once more after
each of several kinds of wear. Errors are RMS distances of hex centres in hex spacings (dx).
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "converter" / "scan")]

import gridless  # noqa: E402
from drawn_art import Image, wear  # noqa: E402
from drawn_grids import Points, Truth, draw, error, random_recipe  # noqa: E402

from converter.scan.lattice import Lattice, NoGrid, find_lattice  # noqa: E402
from converter.scan.picture import Picture, read_picture  # noqa: E402

FRESH = 50  # pictures without a grid from here on were not looked at while the limits were set
BOARDS = ROOT.parent / "shared" / "corpus" / "boards"


def find(pixels: Image) -> Lattice | None:
    try:
        return find_lattice(Picture(pixels))
    except NoGrid:
        return None


def off(found: Lattice | None, true: Points, spacing: float, pixels: Image) -> float:
    """The error; infinite for a refusal."""
    h, w = pixels.shape[:2]
    return np.inf if found is None else error(true, found.centres(w, h), spacing, w, h)


def table(name: str, errors: list[float]) -> None:
    e = np.array(errors)
    got = e[np.isfinite(e)]
    shares = "  ".join(f"<{100 * level:g}%: {100 * (e < level).mean():5.1f}%" for level in (0.005, 0.03, 0.05, 0.1))
    median = f"{np.median(got):.5f}" if len(got) else "-"
    failed = f"refused {len(e) - len(got):2}  wrong {(got > 0.1).sum():2}"
    print(f"{name:36} n {len(e):3}  {shares}  {failed}  median {median}", flush=True)


def drawn(count: int, first: int) -> None:
    groups: dict[str, list[float]] = {}
    for seed in range(first, first + count):
        recipe = random_recipe(seed)
        pixels, truth = draw(recipe)
        e = off(find(pixels), truth.centres(recipe.width, recipe.height), recipe.dx, pixels)
        part = recipe.cover != (0.0, 0.0, 1.0, 1.0)
        for name in ("all", recipe.marks, recipe.marks + (" on part of the sheet" if part else " on all of it")):
            groups.setdefault(name, []).append(e)
        if e > 0.005:
            what = "refused" if np.isinf(e) else f"error {e:.4f}"
            print(f"  seed {seed}: {what}: {recipe.marks}, {recipe.art}, {recipe.dy:.0f} px, ink {recipe.opacity:.2f}")
    for name, errors in sorted(groups.items()):
        table(f"drawn: {name}", errors)


def no_grids(rounds: int) -> None:
    wrong = 0
    for seed in range(FRESH, FRESH + rounds):
        for name in gridless.PICTURES:
            found = find(gridless.picture(name, seed))
            if found is not None:
                wrong += 1
                print(f"  seen where there is none: {name} (seed {seed}), confidence {found.confidence:.2f}")
    print(f"without a grid: {rounds * len(gridless.PICTURES)} pictures, {wrong} answered with a grid")


Warp = npt.NDArray[np.float64]


def moved(pixels: Image, warp: Warp) -> Image:
    h, w = pixels.shape[:2]
    size = (w, h) if warp[2, 2] == 1 and abs(warp[0, 0] - 1) < 0.1 else (int(w * warp[0, 0]), int(h * warp[1, 1]))
    how = cv2.INTER_AREA if size[0] < w else cv2.INTER_CUBIC
    return np.asarray(cv2.warpPerspective(pixels, warp, size, flags=how, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def scaled(factor: float) -> Warp:
    return np.array([[factor, 0, (factor - 1) / 2], [0, factor, (factor - 1) / 2], [0, 0, 1]])


def turned(w: int, h: int, degrees: float) -> Warp:
    return np.vstack([cv2.getRotationMatrix2D((w / 2, h / 2), -degrees, 1), [0, 0, 1]])


def tilted(w: int, h: int, share: float) -> Warp:
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    shifts = np.array([[1, 0.5], [-0.3, 1], [-0.6, -0.2], [0.2, -1]]) * share * [w, h]
    return np.asarray(cv2.getPerspectiveTransform(corners, corners + shifts.astype(np.float32)), np.float64)


WEAR: dict[str, Callable[[Image, np.random.Generator], tuple[Image, Warp]]] = {
    "as they are": lambda p, r: (p, np.eye(3)),
    "JPEG 40": lambda p, r: (wear(r, p, 0, 0, 40), np.eye(3)),
    "grain 40": lambda p, r: (wear(r, p, 0, 40, None), np.eye(3)),
    "uneven light": lambda p, r: (
        (p * np.linspace(0.45, 1, p.shape[1])[None, :, None]).astype(np.uint8), np.eye(3)),
    "turned 2 degrees": lambda p, r: (moved(p, m := turned(p.shape[1], p.shape[0], 2)), m),
    "tilted 3 %": lambda p, r: (moved(p, m := tilted(p.shape[1], p.shape[0], 0.03)), m),
    "half size": lambda p, r: (moved(cv2.blur(p, (2, 2)), m := scaled(0.5)), m),
}  # fmt: skip


def boards() -> None:
    with (BOARDS / "boards.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for name, work in WEAR.items():
        errors = []
        for k, row in enumerate(rows):
            if row["group"] == "Dreadball":
                continue
            numbers = (float(row[key]) for key in ("dx", "dy", "x0", "y0"))
            pixels = read_picture(BOARDS / row["image"]).pixels
            worn, warp = work(pixels, np.random.default_rng(k))
            truth = Truth(*numbers, sideways=row["sideways"] == "true", rotation=0.0, matrix=warp)
            spacing = truth.dx * abs(np.linalg.det(warp[:2, :2])) ** 0.5
            e = off(find(worn), truth.centres(worn.shape[1], worn.shape[0]), spacing, worn)
            errors.append(e)
            if e > 0.05:
                print(f"  {row['image']}, {name}: {'refused' if np.isinf(e) else f'{e:.3f}'}")
        table(f"boards: {name}", errors)


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    options.add_argument("--drawn", type=int, default=200, help="how many drawn grids")
    options.add_argument("--first", type=int, default=9000, help="seed of the first")
    options.add_argument("--gridless", type=int, default=4, help="how many rounds of pictures without a grid")
    args = options.parse_args()
    drawn(args.drawn, args.first)
    no_grids(args.gridless)
    if (BOARDS / "boards.csv").is_file():
        boards()


if __name__ == "__main__":
    main()
