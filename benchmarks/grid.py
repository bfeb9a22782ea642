"""How long finding the grid takes, against one OpenCV Canny pass over the same picture, and how much memory.

    python benchmarks/grid.py

For 1 to 50 megapixels, with hexes and without: milliseconds a megapixel and the ratio to Canny. Then the peak memory of
a process that reads a 50-megapixel file and finds its grid. Exits with 1 where a limit is passed: 60 times Canny with
hexes (Canny itself is quicker where there are fewer lines, so without hexes it is the time that must not be longer).
"""

from __future__ import annotations

import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "converter" / "scan")]

from drawn_grids import Recipe, draw  # noqa: E402

from converter.scan.lattice import NoGrid, find_lattice  # noqa: E402
from converter.scan.picture import Picture  # noqa: E402

SIZES = (1, 2, 5, 10, 20, 50)
MOST_TIMES_CANNY = 60
MOST_MEGABYTES = 2000
MOST_WITHOUT = 1.1  # a tenth for the unsteadiness of clocks
# Sides that are whole numbers of columns (an even one) and rows, so that the tile goes on without a seam in the grid.
TILE = Recipe(7, width=2000, height=2030, dx=50, dy=58, x0=10, y0=20, opacity=0.6, thickness=1.4)
MEASURE_MEMORY = """
import resource, sys
from converter.scan.lattice import find_lattice
from converter.scan.picture import read_picture
print(find_lattice(read_picture(sys.argv[1])).as_json())
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def picture(megapixels: float, hexes: bool) -> Picture:
    """A map of that size, the tile laid side by side; without hexes, the same art with no ink for the grid."""
    tile, _ = draw(TILE if hexes else Recipe(**{**TILE.__dict__, "opacity": 0.0}))
    w = int(math.sqrt(megapixels * 1.3e6))
    h = int(megapixels * 1e6 / w)
    times = (-(-h // tile.shape[0]), -(-w // tile.shape[1]), 1)
    return Picture(np.ascontiguousarray(np.tile(tile, times)[:h, :w]), f"{megapixels} megapixels")


def fastest(works: list[Callable[[], object]], rounds: int) -> list[tuple[float, float]]:
    """Seconds by the clock and of processor of each work's fastest run. The works take turns, so that whatever else the
    machine does falls on all of them alike."""
    best = [(math.inf, math.inf)] * len(works)
    for _ in range(rounds):
        for k, work in enumerate(works):
            clock, busy = time.perf_counter(), time.process_time()
            work()
            took = time.perf_counter() - clock, time.process_time() - busy
            best[k] = min(best[k][0], took[0]), min(best[k][1], took[1])
    return best


def find(sheet: Picture) -> bool:
    try:
        find_lattice(sheet)
    except NoGrid:
        return False
    return True


def main() -> int:
    worst, slower = 0.0, 0.0
    print("        with hexes                           without hexes")
    print(" Mpx   ms/Mpx     cpu   canny   ratio |   ms/Mpx     cpu   canny  of with")
    for size in SIZES:
        hexes, bare = picture(size, True), picture(size, False)
        if not find(hexes) or find(bare):
            print(f"{size:4}: the answer is wrong")
            return 1
        works: list[Callable[[], object]] = []
        for sheet in (hexes, bare):
            grey = sheet.grey()
            works += [lambda sheet=sheet: find(sheet), lambda grey=grey: cv2.Canny(grey, 50, 150)]
        (one, one_cpu), (canny, _), (two, two_cpu), (bare_canny, _) = fastest(works, 15 if size <= 5 else 5)
        worst, slower = max(worst, one / canny), max(slower, two / one)
        ms = 1e3 / size
        print(f"{size:4} {one * ms:8.1f} {one_cpu * ms:7.1f} {canny * ms:7.2f} {one / canny:7.1f} |"
              f" {two * ms:8.1f} {two_cpu * ms:7.1f} {bare_canny * ms:7.2f} {two / one:8.2f}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.jpg"
        cv2.imwrite(str(path), picture(50, True).pixels[..., ::-1])
        command = [sys.executable, "-c", MEASURE_MEMORY, str(path)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    memory = float(done.stdout.split()[-1])
    print(f"peak memory for 50 Mpx from file to grid: {memory:.0f} MB (limit {MOST_MEGABYTES})")
    print(f"worst ratio to Canny with hexes: {worst:.1f} (limit {MOST_TIMES_CANNY})")
    print(f"without hexes against with: at most {slower:.2f} of the time (limit {MOST_WITHOUT})")
    return int(worst > MOST_TIMES_CANNY or memory > MOST_MEGABYTES or slower > MOST_WITHOUT)


if __name__ == "__main__":
    sys.exit(main())
