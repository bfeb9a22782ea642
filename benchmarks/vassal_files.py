"""How fast logs are read and replayed, as ratios to the bare limit and to a peer, all measured in one run.

    python benchmarks/vassal_files.py [LOG] [--peer PYTHON]

(a) bare: unzip, unhex, XOR, decode, split at ESC; (b) every command and every trait chain decoded; (c) the whole log
replayed into events; (d) pywargame's reader, run by a Python (3.12 or later) that has pywargame installed.
Without LOG the largest log beside the project is taken, or one made for the purpose.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from converter.vassal import commands, pieces  # noqa: E402
from converter.vassal.commands import AddPiece, ChangePiece, MovePiece, Spot  # noqa: E402
from converter.vassal.compose import opening, step  # noqa: E402
from converter.vassal.metadata import Metadata  # noqa: E402
from converter.vassal.savegame import new_game, read_game, write_game  # noqa: E402
from converter.vassal.stream import Stream  # noqa: E402
from referee.table.replay import open_replay  # noqa: E402

ROUNDS = 15

PEER = """
import sys, time
from pywargame.vassal.save import SaveIO
for path in map(str.strip, sys.stdin):
    start = time.perf_counter()
    SaveIO.readSave(path, alsometa=False)
    print("took", time.perf_counter() - start, flush=True)
"""


def text_size(log: Path) -> int:
    """How much a log unpacks to."""
    with zipfile.ZipFile(log) as archive:
        return archive.getinfo("savedGame").file_size


def bare(log: Path) -> list[str]:
    """The least that any reader must do."""
    with zipfile.ZipFile(log) as archive:
        data = archive.read("savedGame")
    key = int(data[5:7], 16)
    table = bytes(byte ^ key for byte in range(256))
    return bytes.fromhex(data[7:].decode("ascii")).translate(table).decode("utf-8").split("\x1b")


def decode(log: Path) -> int:
    """Every command typed, every piece's chains cut into traits."""
    found = [commands.parse(text) for element in read_game(log).stream.elements for text in element.heads()]
    for command in found:
        if type(command) is AddPiece:
            pieces.type_links(command.type)
            pieces.unroll(command.state)
        elif type(command) is ChangePiece:
            pieces.unroll(command.new)
            pieces.unroll(command.old or "")
    return len(found)


def replay(log: Path) -> int:
    """The opening position and every step, told as events."""
    return sum(len(step.events) for step in open_replay(log).steps())


def timed(work: Callable[[Path], object]) -> Callable[[Path], float]:
    """Seconds that one go takes."""

    def run(log: Path) -> float:
        start = time.perf_counter()
        work(log)
        return time.perf_counter() - start

    return run


@contextmanager
def peer(python: str) -> Iterator[Callable[[Path], float]]:
    """Seconds that one go of pywargame takes, measured in its own process; its other output is passed over."""
    with subprocess.Popen([python, "-c", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        asks, answers = process.stdin, process.stdout
        assert asks
        assert answers

        def run(log: Path) -> float:
            print(log, file=asks, flush=True)
            line = next(line for line in answers if line.startswith("took "))
            return float(line.split()[1])

        yield run
        asks.close()


def best(work: list[Callable[[Path], float]], log: Path) -> list[float]:
    """The best time of each, the rounds interleaved so that a busy moment hits all alike."""
    rounds = [[run(log) for run in work] for _ in range(ROUNDS)]
    return [min(times) for times in zip(*rounds, strict=True)]


def peak_memory(log: Path) -> float:
    """Peak bytes of a full replay for each byte of the decoded text."""
    size = len(read_game(log).hidden.text.encode())
    tracemalloc.start()
    replay(log)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / size


def made_log(path: Path, counters: int = 2500, steps: int = 1200) -> Path:
    """A log like the real ones: thousands of counters with ten traits each, moved and marked."""
    links = ["delete;Delete;68,130;", "clone;Clone;67,130;", "markmoved;;0;0;Moved;77,130;", "mark;Side", "mark;Size"]
    type_text = pieces.roll([*links, *links, "piece;;;inf.png;1st Inf"])

    def state(place: str, moved: str) -> str:
        return pieces.roll(["", "", moved, "Red", "4-3-6", "", "", "false", "Red", "4-3-6", place])

    adds, moves = [], []
    for n in range(counters):
        key, x, y = str(10**12 + n), n % 90 * 60, n // 90 * 70
        place = f"Main Map;{x};{y};1;0"
        adds.append(AddPiece(key, type_text, state(place, "false")))
        if n < steps:
            marked = ChangePiece(key, state(place, "true"), state(place, "false"))
            move = MovePiece(key, Spot("Main Map", x + 30, y + 35, None), Spot("Main Map", x, y, None), "someone")
            moves.append(step([marked, move, commands.Chat(f"* 1st Inf moves {n} &rarr; {n + 1} *")]))
    write_game(path, new_game(Stream([*opening(adds), *moves]), Metadata(name="Made"), "3.6.0"))
    return path


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("log", nargs="?", type=Path)
    options.add_argument("--peer", metavar="PYTHON", help="a Python 3.12+ with pywargame")
    args = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = sorted((ROOT.parent / "shared/corpus/logs").rglob("*log"), key=text_size)
        log = args.log or (found[-1] if found else made_log(Path(folder) / "made.vlog"))
        ours = [timed(bare), timed(decode), timed(replay)]
        if args.peer:
            with peer(args.peer) as theirs:
                a, b, c, d = best([*ours, theirs], log)
        else:
            a, b, c = best(ours, log)
        print(f"{log.name}: {log.stat().st_size:,} bytes, {len(bare(log)):,} commands")
        print(f"(a) bare    {a * 1000:8.1f} ms")
        print(f"(b) decode  {b * 1000:8.1f} ms = {b / a:5.1f} x (a)   goal 5")
        print(f"(c) replay  {c * 1000:8.1f} ms = {c / a:5.1f} x (a)   goal 15")
        if args.peer:
            print(f"(d) peer    {d * 1000:8.1f} ms = {d / c:5.1f} x (c)   goal 8")
        print(f"peak memory of (c): {peak_memory(log):.1f} x the decoded text   goal 12")


if __name__ == "__main__":
    main()
