#!/usr/bin/env python3
"""How fast the referee judges: logs of 1,000 to 16,000 moves, and what of it is reading, replaying and judging.

    python3 benchmarks/referee.py [--json]

- `silent`: 3,000 hexes of clear ground, nobody says a word; `rough`: the same log on mixed terrain, where a way must
  often be searched;
- `spoken`: 3,000 hexes of mixed terrain with roads and rivers, every phase and attack called out;
- `hexref check`: the command as a user calls it, in a process of its own, Python's start included, on the game's map.

The goal is 2,000 moves a second where bare Python does ten million simple loop turns a second. A simple loop turn is
`for number in range(n): total += number` inside a function; `while turns < n: turns += 1` as the lines of a script,
outside of any function, which Python runs less than half as fast, is told beside it (`by script`). Loop turns are timed
before and after; the faster time counts.
All times are of the processor, from the first byte of the module to the last finding; `judging` is the part after the
log was replayed. Each run is the best of a few; Python keeps its compiled files between them, as it does by default.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[0:1] = [str(HERE.parent), str(HERE)]
sys.modules.pop("referee", None)

import yaml  # noqa: E402, F401  (loaded like all the rest before the clock starts; the command's time has it in)
from referee_logs import CLEAR, GAMES, Game, mixed_map, write_log  # noqa: E402

from converter.scenario import read_map_text  # noqa: E402
from referee.games import log_game  # noqa: E402
from referee.logs.judging import judge_log, open_log  # noqa: E402
from referee.rules.board import ticks  # noqa: E402
from referee.table.binding import pieces_of  # noqa: E402
from referee.table.replay import open_replay  # noqa: E402

LOOPS, GOAL, RUNS = 10_000_000, 2_000, 3
LENGTHS = (1_000, 4_000, 16_000)
COSTS = {"hill": 2, "mountain": 3, "town": 1, "city": 1, "minor-river": 1, "river": 1}


SCRIPT = compile("turns = 0\nwhile turns < LOOPS:\n    turns += 1\n", "simple loop", "exec")


def loop_turns() -> tuple[float, float]:
    """Turns a second of a `for` loop with an addition inside a function, and of a plain loop in a script."""
    begun = time.process_time()
    total = 0
    for number in range(LOOPS):
        total += number
    inside = time.process_time()
    exec(SCRIPT, {"LOOPS": LOOPS})
    return LOOPS / (inside - begun), LOOPS / (time.process_time() - inside)


def judge(game: Game, module: Path, log: Path, terrain: Path) -> dict[str, Any]:
    """Read, replay and judge a log in this process."""
    logs = log_game(game.id)
    begun = time.process_time()
    replay = open_replay(log, module)
    sheet = read_map_text(terrain.read_text("utf-8"))
    charts = logs.read_charts(None, logs.scenario(game.scenario))
    charts.costs.update({kind: ticks(points) for kind, points in COSTS.items()})
    court = open_log(logs, game.scenario, pieces_of(replay), sheet, charts)
    opened = time.process_time()
    steps = list(replay.steps())
    replayed = time.process_time()
    judged = judge_log(logs, court, steps)
    ended = time.process_time()
    return {
        "acts": judged.judged,
        "illegal": sum(finding.verdict == "illegal" for finding in judged.findings),
        "unsure": sum(finding.verdict == "unsure" for finding in judged.findings),
        "seconds": ended - begun,
        "opening": opened - begun,
        "replaying": replayed - opened,
        "judging": ended - replayed,
        "peak_mb": peak_memory(),
    }


def peak_memory() -> float:
    """Megabytes that this process had at most; Linux counts those of the process that started it in `ru_maxrss`."""
    status = Path("/proc/self/status")
    told = re.search(r"VmHWM:\s*(\d+)", status.read_text("utf-8")) if status.exists() else None
    return int(told[1]) / 1024 if told else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def best(command: list[str], compiled: Path, read: bool) -> dict[str, Any]:
    """The fastest of a few runs of a command; a whole process where its own report is not read."""
    found: list[dict[str, Any]] = []
    keeping = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    keeping["PYTHONPYCACHEPREFIX"] = str(compiled)
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True, env=keeping)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 1):
            raise SystemExit(done.stderr)
        told = json.loads(done.stdout)
        if not read:
            took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            told = {**told["summary"], "seconds": took}
        found.append(told)
    return min(found, key=lambda one: float(one["seconds"]))


def runs(folder: Path, game: Game) -> list[dict[str, Any]]:
    """Judge logs of growing length, each in a process of its own."""
    told = []
    (folder / "clear.yaml").write_text(CLEAR, "utf-8")
    (folder / "mixed.yaml").write_text(mixed_map(game), "utf-8")
    kinds = (("silent", "silent", "clear"), ("rough", "silent", "mixed"), ("spoken", "spoken", "mixed"))
    for name, style, ground in (*kinds, ("hexref check", "listed", "")):
        for moves in LENGTHS:
            module, log = write_log(folder, game, moves, style)
            if not ground:
                command = [sys.executable, str(HERE.parent / "cli.py"), "check", str(log), "--json", "--quiet"]
                command += ["--game", f"{game.id}/{game.scenario}", "--module", str(module)]
            else:
                terrain = str(folder / f"{ground}.yaml")
                command = [sys.executable, __file__, "--one", game.id, str(module), str(log), terrain]
            run = {"game": game.id, "run": name, "moves": moves}
            told.append({**run, **best(command, folder / "compiled", read=bool(ground))})
    return told


def main() -> None:
    """Judge, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--game", choices=GAMES, help="only this game")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(judge(GAMES[args.one[0]], *map(Path, args.one[1:]))))
        return
    before = loop_turns()
    with tempfile.TemporaryDirectory() as folder:
        told = [run for id, game in GAMES.items() if args.game in (None, id) for run in runs(Path(folder), game)]
    turns, script = map(max, zip(before, loop_turns(), strict=True))
    goal = turns / 10_000_000 * GOAL
    for run in told:
        run["of_the_goal"] = run["moves"] / run["seconds"] / goal
        run["of_the_goal_by_script"] = run["of_the_goal"] * turns / script
        if "judging" in run:
            run["judging_of_the_goal"] = run["moves"] / run["judging"] / goal
    if args.json:
        speeds = {"loop_turns_per_second": round(turns), "in_a_script": round(script), "goal": round(goal)}
        print(json.dumps({**speeds, "runs": told}))
        return
    print(
        f"bare Python: {turns / 1e6:.1f} million simple loop turns a second inside a function ({script / 1e6:.1f} "
        f"million in a script); the goal is {goal:.0f} moves a second ({script / 10_000_000 * GOAL:.0f} by script)"
    )
    for run in told:
        line = f"{run['game']:>14} {run['run']:>12} {run['moves']:>6} moves: {run['seconds']:6.3f} s, "
        line += f"{run['of_the_goal']:.2f} of goal ({run['of_the_goal_by_script']:.2f} by script)"
        if "judging" in run:
            line += f"; judging alone {run['judging_of_the_goal']:.2f}; peak {run['peak_mb']:.0f} MB"
        print(line + f"; {run['illegal']} illegal, {run['unsure']} unsure")


if __name__ == "__main__":
    main()
