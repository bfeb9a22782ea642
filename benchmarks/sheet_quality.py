"""How well counter sheets are cut: random drawn and worn ones, with the true corners of every counter known.

    python benchmarks/sheet_quality.py [--sheets 100] [--first 5000]

A sheet is right if every counter is found, none is invented, and no corner is off by more than a twentieth of a
counter's side. Keep seeds below 1000 for looking at while the finder is changed, and the others for measuring it.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from drawn_sheets import Points, Sheet, random_sheet  # noqa: E402

from converter.errors import BadInput  # noqa: E402
from converter.scan.picture import Picture  # noqa: E402
from converter.scan.sheet.blocks import Found  # noqa: E402
from converter.scan.sheet.doubts import doubts  # noqa: E402
from converter.scan.sheet.find import find_counters  # noqa: E402

_OFF = 0.05
VERDICTS = ("right", "right in doubt", "refused", "wrong in doubt", "wrong")


def faults(found: Found, true: Points) -> str:
    """What is wrong with what was found; nothing where it is right."""
    middles = np.array([cell.middle for cell in found.cells])
    missing, errors = 0, []
    taken: set[int] = set()
    for corners in true:
        side = float(np.hypot(*(corners[1] - corners[0])))
        away = np.hypot(*(middles - corners.mean(axis=0)).T)
        near = int(away.argmin())
        if away[near] > 0.3 * side or near in taken:
            missing += 1
            continue
        taken.add(near)
        errors.append(float(np.hypot(*(found.cells[near].corners - corners).T).max()) / side)
    invented = len(found.cells) - len(taken)
    worst = max(errors, default=0.0)
    told = [f"{missing} missing"] if missing else []
    told += [f"{invented} invented"] if invented else []
    told += [f"off by {100 * worst:.0f} %"] if worst > _OFF else []
    return ", ".join(told)


def judged(sheet: Sheet) -> tuple[str, str]:
    """right, refused or wrong, with or without a doubt, and what is wrong."""
    picture = Picture(sheet.picture)
    try:
        found = find_counters(picture)
    except BadInput:
        return "refused", ""
    told = faults(found, sheet.corners)
    doubted = " in doubt" if any(doubts(picture, found)) else ""
    return f"{'wrong' if told else 'right'}{doubted}", told


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    options.add_argument("--sheets", type=int, default=100, help="how many")
    options.add_argument("--first", type=int, default=5000, help="seed of the first")
    args = options.parse_args()
    counts: dict[str, dict[str, int]] = {}
    spent = 0.0
    for seed in range(args.first, args.first + args.sheets):
        sheet = random_sheet(seed)
        before = time.process_time()
        verdict, told = judged(sheet)
        spent += time.process_time() - before
        for name in ("all", sheet.art, f"{sheet.dpi} dpi"):
            group = counts.setdefault(name, {})
            group[verdict] = group.get(verdict, 0) + 1
        if verdict != "right":
            print(f"  seed {seed}: {verdict}: {told} ({sheet.told})", flush=True)
    for name, group in sorted(counts.items()):
        print(f"{name:12} " + "  ".join(f"{told} {group.get(told, 0):3}" for told in VERDICTS))
    print(f"{spent / args.sheets:.2f} s of processor time a sheet")


if __name__ == "__main__":
    main()
