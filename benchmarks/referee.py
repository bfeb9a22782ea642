#!/usr/bin/env python3
"""How fast the referee judges: a log of 1,000 moves on a map of 3,000 hexes, and how time grows with the log.

    python3 benchmarks/referee.py [--json]

Speed is told as a ratio to bare Python loop turns timed in the same run, so that machines can be compared: the goal is
2,000 moves a second where Python does ten million loop turns a second. Times are of the processor, not of the clock.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from converter.hexgrid import Grid  # noqa: E402
from converter.scenario import read_map_text  # noqa: E402
from converter.vassal.commands import AddPiece, Boards, MovePiece, Player, Spot  # noqa: E402
from converter.vassal.compose import opening, step  # noqa: E402
from converter.vassal.grids import HexGrid, Numbering  # noqa: E402
from converter.vassal.metadata import Metadata  # noqa: E402
from converter.vassal.module import read_module  # noqa: E402
from converter.vassal.new_module import VASSAL_VERSION, BoardPlan, MapPlan, ModulePlan, write_module  # noqa: E402
from converter.vassal.pieces import roll  # noqa: E402
from converter.vassal.savegame import new_game, write_game  # noqa: E402
from converter.vassal.stream import Stream  # noqa: E402
from converter.vassal.traits import write_type  # noqa: E402
from referee.games.korean_battles.logs import LOGS  # noqa: E402
from referee.logs.judging import judge_log, open_log  # noqa: E402
from referee.table.binding import pieces_of  # noqa: E402
from referee.table.replay import open_replay  # noqa: E402

COLUMNS, ROWS, UNITS, LOOPS, GOAL = 60, 50, 120, 10_000_000, 2_000
MAIN = "Main Map"
TERRAIN = f"""
version: 1
name: large
grid: {{columns: {COLUMNS}, rows: {ROWS}}}
complete: [hexsides, links]
default_terrain: {{kind: clear, source: {{person: benchmark}}}}
"""
MARKS = ("Side", "Nation", "Size", "Class", "Attack", "Defense", "Move")


def loop_turns() -> float:
    """Bare loop turns a second, each with one addition."""
    begun = time.process_time()
    total = 0
    for number in range(LOOPS):
        total += number
    return LOOPS / (time.process_time() - begun)


def write_log(folder: Path, moves: int) -> tuple[Path, Path]:
    """A module with the map, and a log in which units of both sides wander about, one move in fifty is much too far."""
    rng = random.Random(moves)
    grid = HexGrid(dx=54, dy=62, x0=40, y0=40, numbering=Numbering(stagger=False))
    board = BoardPlan("Board", (54 * (COLUMNS + 1), 62 * (ROWS + 1)), grid=grid)
    module = folder / "large.vmod"
    write_module(module, ModulePlan("Large", sides=("UN", "NK"), maps=(MapPlan(MAIN, (board,)),)))
    layout = read_module(module).maps[0].layout()
    sheet = Grid(COLUMNS, ROWS)
    hexes = rng.sample(sheet.numbers, UNITS)
    pieces = []
    for number, hex in enumerate(hexes):
        side = "UN" if number % 2 else "NK"
        kind = roll([write_type("mark", names=MARKS), f"piece;;;;{number}/9"])
        x, y = layout.point(hex) or (0, 0)
        state = roll([f"{side},{side},regiment,leg,3,3,4", f"{MAIN};{x};{y};;0"])
        pieces.append(AddPiece(str(1000 + number), kind, state))
    elements = opening(pieces, [Player("x", "Ann", "UN"), Boards(MAIN, (("Board", 0, 0, False),))])
    for _ in range(moves):
        number = rng.randrange(UNITS)
        goal = rng.choice(sheet.within(hexes[number], 12 if rng.random() < 0.02 else 3))
        here, there = (Spot(MAIN, *(layout.point(hex) or (0, 0)), None) for hex in (hexes[number], goal))
        elements.append(step([MovePiece(str(1000 + number), there, here, "x")]))
        hexes[number] = goal
    log = folder / f"{moves}.vlog"
    write_game(log, new_game(Stream(elements), Metadata(name="Large", version="1.0"), VASSAL_VERSION))
    return module, log


def judge(module: Path, log: Path) -> dict[str, float]:
    """Read, replay and judge a log in this process."""
    begun = time.process_time()
    replay = open_replay(log, module)
    court = open_log(LOGS, "pusan", pieces_of(replay), read_map_text(TERRAIN))
    judged = judge_log(LOGS, court, list(replay.steps()))
    took = time.process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    illegal = sum(finding.verdict == "illegal" for finding in judged.findings)
    return {"moves": judged.judged, "seconds": round(took, 3), "illegal": illegal, "peak_mb": round(peak, 1)}


def main() -> None:
    """Judge logs of growing length, each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", nargs=2, type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(judge(*args.one)))
        return
    turns = loop_turns()
    told = []
    with tempfile.TemporaryDirectory() as folder:
        for moves in (1_000, 4_000, 16_000):
            module, log = write_log(Path(folder), moves)
            done = subprocess.run(
                [sys.executable, __file__, "--one", str(module), str(log)], check=True, capture_output=True, text=True
            )
            result = json.loads(done.stdout)
            result["moves_per_second"] = round(moves / result["seconds"])
            result["of_the_goal"] = round(moves / result["seconds"] / (turns / LOOPS * GOAL), 2)
            told.append(result)
    if args.json:
        print(json.dumps({"loop_turns_per_second": round(turns), "runs": told}))
        return
    print(f"bare Python: {turns / 1e6:.1f} million loop turns a second; goal {turns / LOOPS * GOAL:.0f} moves a second")
    for run in told:
        print(
            f"{run['moves']:>6} moves: {run['seconds']:.2f} s, {run['moves_per_second']} a second "
            f"({run['of_the_goal']} of the goal), {run['illegal']} illegal, peak {run['peak_mb']} MB"
        )


if __name__ == "__main__":
    main()
