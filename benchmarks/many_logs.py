#!/usr/bin/env python3
"""Many logs: one process against two, and a Dask cluster of two workers on this machine, over the same 2,000 logs.

    python3 benchmarks/many_logs.py [--logs N] [--cluster] [--json]

Told: how much faster two processes are than one, whether the answers are the same to the byte, and the peak memory of
the process that hands the work out after a tenth of the logs and after all of them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "conformance" / "engine")]

from korean_battles_play import write  # noqa: E402
from written_log import Writer  # noqa: E402

UNITS = {"5/1M": "0710", "7/1M": "0709", "1/1M": "0907", "59/1": "0912", "59/2": "0911", "58/1": "1111"}


def write_logs(folder: Path, count: int, moves: int = 60) -> None:
    """Games of one log each, in which six units wander about."""
    write(folder / "chosin.vmod", "chosin-few")
    layout = Writer(folder, UNITS).layout
    hexes = [f"{x:02}{y:02}" for x in range(1, 19) for y in range(1, 18) if layout.point(f"{x:02}{y:02}")]
    for number in range(count):
        rng = random.Random(number)
        writer = Writer(folder, {name: rng.choice(hexes) for name in UNITS})
        for _ in range(moves):
            writer.move(rng.choice(list(UNITS)), rng.choice(hexes))
        writer.write(folder / f"game {number}.vlog")


def run(folder: Path, results: Path, *more: str) -> dict[str, object]:
    """`hexref check` over the folder: how long it took, a digest of its lines, the most memory it had."""
    code = (
        "import json, re, sys, cli; code = cli.main(sys.argv[1:]);"
        "peak = re.search(r'VmHWM:\\s*(\\d+)', open('/proc/self/status').read());"
        "print(json.dumps([code, int(peak[1]) / 1024 if peak else 0]), file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, "check", str(folder), "--results", str(results), "--json", "--quiet", *more]
    begun = time.perf_counter()
    done = subprocess.run(command, capture_output=True, cwd=ROOT, check=True)
    took = time.perf_counter() - begun
    code_, memory = json.loads(done.stderr.splitlines()[-1])
    assert code_ in (0, 1), done.stderr
    return {"seconds": took, "lines": hashlib.sha256(done.stdout).hexdigest(), "megabytes": round(memory)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--logs", type=int, default=2_000)
    parser.add_argument("--cluster", action="store_true", help="also with a Dask cluster of two workers")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, small = Path(name) / "logs", Path(name) / "few"
        folder.mkdir()
        small.mkdir()
        write_logs(folder, args.logs)
        write_logs(small, max(1, args.logs // 10))
        few = run(small, Path(name) / "0.sqlite", "--jobs", "2")
        one = run(folder, Path(name) / "1.sqlite", "--jobs", "1")
        two = run(folder, Path(name) / "2.sqlite", "--jobs", "2")
        told = {
            "logs": args.logs,
            "two processes against one": round(float(str(one["seconds"])) / float(str(two["seconds"])), 2),
            "same lines": one["lines"] == two["lines"],
            "megabytes after a tenth, after all": [few["megabytes"], two["megabytes"]],
        }
        if args.cluster:
            from distributed import LocalCluster

            with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
                far = run(folder, Path(name) / "3.sqlite", "--cluster", cluster.scheduler_address)
            told["same lines from the cluster"] = far["lines"] == one["lines"]
    print(json.dumps(told) if args.json else "\n".join(f"{key}: {value}" for key, value in told.items()))


if __name__ == "__main__":
    main()
