"""How well a map is read: the practice map printed in every style, clean and worn, read with a short legend.

    python benchmarks/map_quality.py [--seeds N] [STYLE ...]

Terrain is the share of hexes whose map.yaml entry is right; links and hexsides are F1 over every kind of them together.
`rest` counts only what the legend does not show as an example. Exits with 1 where a limit is missed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "converter" / "scan")]

from map_marks import Marks, mark  # noqa: E402
from practice_legend import legend_of  # noqa: E402

from converter.drawing import STYLES, draw_map  # noqa: E402
from converter.scan.degrade import USED, Wear, degrade  # noqa: E402
from converter.scan.lattice import find_lattice  # noqa: E402
from converter.scan.numbers import Sighting  # noqa: E402
from converter.scan.picture import Picture  # noqa: E402
from converter.scan.whole_map import read_whole_map  # noqa: E402
from converter.scenario import read_map  # noqa: E402

WEARS = {
    "clean": Wear(),
    "turned 3": Wear(rotation=3, jpeg=40, noise=8, folds=4, seed=3),
    "turned -2": Wear(rotation=-2, perspective=0.006, light=0.35, folds=4, noise=8, blur=0.6, jpeg=40, seed=5),
    "cup": USED,
}
LIMITS = {"clean": (0.99, 0.97, 0.97), "turned 3": (0.96, 0.92, 0.92), "turned -2": (0.96, 0.92, 0.92)}


def main(arguments: list[str]) -> int:
    seeds = 1
    if arguments[:1] == ["--seeds"]:
        seeds, arguments = int(arguments[1]), arguments[2:]
    truth = read_map(ROOT / "maps" / "practice" / "peninsula.yaml")
    missed = 0
    print(f"{'style':11} {'wear':10} {'terrain':>8} {'rest':>7} {'links':>7} {'rest':>7} {'sides':>7} {'rest':>7}"
          f" {'border':>7} {'places':>7} {'seconds':>8}")  # fmt: skip
    for style in arguments or STYLES:
        drawing = draw_map(truth, style, hex_height=64)
        layout = drawing.map.layout
        assert layout is not None
        for name, wear in WEARS.items():
            worn = degrade(drawing.picture, wear)
            picture = Picture(worn.picture, f"{style}.png")
            hexes = [truth.grid.hex(number) for number in ("0101", "3428")]
            seen = [Sighting(number, *worn.place(*layout.centre(hex)), given=True)
                    for number, hex in zip(("0101", "3428"), hexes, strict=True)]  # fmt: skip
            marks, seconds = [], []
            for seed in range(seeds):
                start = time.perf_counter()
                legend = legend_of(truth, seed)
                lattice = find_lattice(picture)
                whole = read_whole_map(picture, lattice, seen, legend, lambda _: None)
                seconds.append(time.perf_counter() - start)
                marks.append(mark(whole.map, truth, legend))
            row = Marks(*np.mean([one.values for one in marks], 0).tolist())
            limits = LIMITS.get(name)
            short = bool(limits) and any(got < least for got, least in zip(
                (row.terrain, row.links, row.hexsides), limits or (), strict=False))  # fmt: skip
            missed += short
            numbers: Iterable[float] = row.values
            print(f"{style:11} {name:10} " + " ".join(f"{v:7.4f}" for v in numbers)
                  + f" {np.mean(seconds):8.1f}{'  short' if short else ''}", flush=True)  # fmt: skip
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
