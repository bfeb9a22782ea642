#!/usr/bin/env python3
"""The report's page in Chromium: a game of 5,000 steps and 500 counters, against a blank page of the same bytes.

    python3 benchmarks/report_page.py [--steps N] [--counters N] [--json]

Needs Chromium and Playwright (hexref[test]). The time until map and counters stand on the screen is told as a ratio to
a page that holds the same bytes and does nothing with them; stepping as the middle time of a step in screen frames
(1/60 s).
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Page, sync_playwright  # noqa: E402

from converter.hexgrid import Grid  # noqa: E402
from converter.vassal.commands import AddPiece, Boards, Chat, MovePiece, Player, Spot  # noqa: E402
from converter.vassal.compose import opening, step  # noqa: E402
from converter.vassal.grids import HexGrid, Numbering  # noqa: E402
from converter.vassal.metadata import Metadata  # noqa: E402
from converter.vassal.module import read_module  # noqa: E402
from converter.vassal.new_module import VASSAL_VERSION, BoardPlan, MapPlan, ModulePlan, write_module  # noqa: E402
from converter.vassal.pieces import roll  # noqa: E402
from converter.vassal.savegame import new_game, write_game  # noqa: E402
from converter.vassal.stream import Stream  # noqa: E402
from converter.vassal.traits import write_type  # noqa: E402
from referee.check import check  # noqa: E402
from referee.report.html import write_report  # noqa: E402

COLUMNS, ROWS, MAIN, FRAME = 60, 50, "Main Map", 1000 / 60
MARKS = ("Side", "Nation", "Size", "Class", "Attack", "Defense", "Move")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
PAINTED = """async () => {
    for (;;) {
        const [paint] = performance.getEntriesByName("first-contentful-paint");
        const [loaded] = performance.getEntriesByType("navigation");
        if (paint && loaded.loadEventEnd) return Math.max(paint.startTime, loaded.loadEventEnd);
        await new Promise(requestAnimationFrame);
    }
}"""


def write_page(folder: Path, steps: int, counters: int) -> Path:
    """A wandering game, judged and written as a page."""
    rng = random.Random(steps)
    grid = HexGrid(dx=54, dy=62, x0=40, y0=40, numbering=Numbering(stagger=False))
    board = BoardPlan("Board", (54 * (COLUMNS + 1), 62 * (ROWS + 1)), grid=grid)
    module = folder / "large.vmod"
    write_module(module, ModulePlan("Large", sides=("UN", "NK"), maps=(MapPlan(MAIN, (board,)),)))
    layout = read_module(module).maps[0].layout()
    sheet = Grid(COLUMNS, ROWS)
    hexes = rng.choices(sheet.numbers, k=counters)
    pieces = []
    for number, hex in enumerate(hexes):
        side = "UN" if number % 2 else "NK"
        kind = roll([write_type("mark", names=MARKS), f"piece;;;;{number}/9"])
        x, y = layout.point(hex) or (0, 0)
        state = roll([f"{side},{side},regiment,leg,3,3,4", f"{MAIN};{x};{y};;0"])
        pieces.append(AddPiece(str(1000 + number), kind, state))
    elements = opening(pieces, [Player("x", "Ann", "UN"), Boards(MAIN, (("Board", 0, 0, False),))])
    for number in range(steps):
        if number % 5 == 4:
            elements.append(step([Chat(f"&lt;Ann&gt; - we fire at {rng.choice(sheet.numbers)}, two to one")]))
            continue
        mover = rng.randrange(counters)
        goal = rng.choice(sheet.within(hexes[mover], 12 if rng.random() < 0.02 else 3))
        here, there = (Spot(MAIN, *(layout.point(hex) or (0, 0)), None) for hex in (hexes[mover], goal))
        elements.append(step([MovePiece(str(1000 + mover), there, here, "x")]))
        hexes[mover] = goal
    log = folder / "large.vlog"
    write_game(log, new_game(Stream(elements), Metadata(name="Large", version="1.0"), VASSAL_VERSION))
    bind = folder / "bind.yaml"
    bound = "game: korean-battles\nscenario: pusan\nunits: {'1/9': {unit: '1/9', side: UN}}\n"
    bind.write_text(bound, encoding="utf-8")
    page = folder / "large.html"
    write_report(check([log], "korean-battles/pusan", module=module, bind=bind), page)
    return page


def measure(page: Page, target: Path, blank: Path, rounds: int = 5) -> dict[str, Any]:
    """When each page stands on the screen, and how long steps take."""

    def painted(path: Path) -> float:
        page.goto("about:blank")
        page.goto(path.as_uri())
        return float(page.evaluate(PAINTED))

    paints = [(painted(target), painted(blank)) for _ in range(rounds)]
    painted(target)
    took = page.evaluate(
        """async () => {
            const times = [];
            for (let n = 0; n < 200; n++) {
                const begun = performance.now();
                go(step + 1);
                document.getElementById("world").getBoundingClientRect();
                times.push(performance.now() - begun);
                if (n % 20 === 0) await new Promise(requestAnimationFrame);
            }
            const begun = performance.now();
            go(0); go(reel.rows.length);
            return [times, performance.now() - begun];
        }"""
    )
    ours, bare = (statistics.median(pair[at] for pair in paints) for at in (0, 1))
    return {
        "megabytes": round(target.stat().st_size / 1e6, 2),
        "on screen": round(ours),
        "blank page": round(bare),
        "ratio": round(ours / bare, 2),
        "step in frames": round(statistics.median(took[0]) / FRAME, 2),
        "jump to the end in frames": round(took[1] / FRAME, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=5_000)
    parser.add_argument("--counters", type=int, default=500)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        target = write_page(folder, args.steps, args.counters)
        blank = folder / "blank.html"
        text = "x" * (target.stat().st_size - 120)
        held = f'<!doctype html><title>blank</title><p>.<script type="text/plain">{text}</script>'
        blank.write_text(held, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        told = measure(browser.new_page(viewport={"width": 1400, "height": 900}), target, blank)
        browser.close()
    print(json.dumps(told) if args.json else "\n".join(f"{key}: {value}" for key, value in told.items()))


if __name__ == "__main__":
    main()
