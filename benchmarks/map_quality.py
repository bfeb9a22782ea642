"""How well a map is read: the practice map printed in every style, clean and worn, read with a short legend.

    python benchmarks/map_quality.py [--legend FILE | --seeds N --from-seed N] [--examples N]
                                     [--others N --from-map N] [STYLE ...]

Terrain is the share of hexes whose map.yaml entry is right; links and hexsides are F1 over every kind of them together.
`rest` counts only what the legend does not show as an example, and it is what the limits are held against. `--seeds`
picks so many legends, the first of them `--from-seed`; `--legend` takes the one in a file instead. `--examples` sets
how many examples of each sign they show, `--others` reads so many maps drawn by chance in colours by chance instead.
The reader gets the picture, the legend and where two hexes are, nothing else.
Exits with 1 where a limit is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "converter" / "scan")]

from map_marks import Marks, mark  # noqa: E402
from other_map import other_map, other_style  # noqa: E402
from practice_legend import EXAMPLES, legend_of  # noqa: E402

from converter.drawing import STYLES, Drawing, draw_map  # noqa: E402
from converter.scan.degrade import USED, Wear, degrade  # noqa: E402
from converter.scan.lattice import find_lattice  # noqa: E402
from converter.scan.legend import read_legend  # noqa: E402
from converter.scan.numbers import Sighting  # noqa: E402
from converter.scan.picture import Picture  # noqa: E402
from converter.scan.whole_map import read_whole_map  # noqa: E402
from converter.scenario import MapFile, read_map  # noqa: E402

WEARS = {
    "clean": Wear(),
    "turned 3": Wear(rotation=3, jpeg=40, noise=8, folds=4, seed=3),
    "turned -2": Wear(rotation=-2, perspective=0.006, light=0.35, folds=4, noise=8, blur=0.6, jpeg=40, seed=5),
    "cup": USED,
    "small": Wear(rotation=1, scale=0.6, noise=6, folds=2, jpeg=60, seed=12),
}
CLEAN, WORN = (0.99, 0.97, 0.97), (0.96, 0.92, 0.92)


def sheets(styles: list[str], others: range) -> Iterator[tuple[str, MapFile, Drawing]]:
    """What is printed: the practice map in these styles, or maps by chance."""
    for seed in others:
        truth = other_map(seed)
        yield f"other {seed}", truth, draw_map(truth, other_style(seed), hex_height=64)
    if not len(others):
        truth = read_map(ROOT / "maps" / "practice" / "peninsula.yaml")
        for style in styles or STYLES:
            yield style, truth, draw_map(truth, style, hex_height=64)


def main(arguments: list[str]) -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    options.add_argument("--seeds", type=int, default=1)
    options.add_argument("--from-seed", type=int, default=0)
    options.add_argument("--legend", type=Path)
    options.add_argument("--examples", type=int, default=EXAMPLES)
    options.add_argument("--others", type=int, default=0)
    options.add_argument("--from-map", type=int, default=0)
    options.add_argument("styles", nargs="*")
    args = options.parse_args(arguments)
    missed = 0
    print(f"{'style':11} {'wear':10} {'terrain':>8} {'rest':>7} {'links':>7} {'rest':>7} {'sides':>7} {'rest':>7}"
          f" {'border':>7} {'places':>7} {'seconds':>8}")  # fmt: skip
    others = range(args.from_map, args.from_map + args.others)
    for style, truth, drawing in sheets(args.styles, others):
        layout = drawing.map.layout
        assert layout is not None
        for name, wear in WEARS.items():
            worn = degrade(drawing.picture, wear)
            picture = Picture(worn.picture, f"{style}.png")
            numbers = (truth.grid.numbers[0], truth.grid.numbers[-1])
            seen = [Sighting(number, *worn.place(*layout.centre(truth.grid.hex(number))), given=True)
                    for number in numbers]  # fmt: skip
            marks, seconds = [], []
            for seed in range(args.from_seed, args.from_seed + (1 if args.legend else args.seeds)):
                start = time.process_time()
                legend = read_legend(args.legend) if args.legend else legend_of(truth, seed, args.examples)
                lattice = find_lattice(picture)
                whole = read_whole_map(picture, lattice, seen, legend, lambda _: None)
                seconds.append(time.process_time() - start)
                marks.append(mark(whole.map, truth, legend))
            row = Marks(*np.mean([one.values for one in marks], 0).tolist())
            limits = CLEAN if name == "clean" else WORN
            got = (row.terrain_rest, row.links_rest, row.hexsides_rest)
            short = any(value < least for value, least in zip(got, limits, strict=True))
            missed += short
            values: Iterable[float] = row.values
            print(f"{style:11} {name:10} " + " ".join(f"{v:7.4f}" for v in values)
                  + f" {np.mean(seconds):8.1f}{'  short' if short else ''}", flush=True)  # fmt: skip
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
