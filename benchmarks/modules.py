"""How fast modules are built and imported, as ratios to the least that any program must do, measured in one run.

    python benchmarks/modules.py [MODULE]

(a) zipping the entries of a module of 300 counters with pictures of their own; (b) building it from its folder;
(c) the same with counters that hexref draws; (d) parsing a module's build file with lxml; (e) importing the module, as
the command does, into a new folder with all its pictures; (f) of that, reading it without writing anything; (g) writing
the files of such a folder again and nothing else, which no import can be quicker than. What an earlier round remembered
is forgotten before each of (e) and (f). Times are of the processor, the system's part included: a disk that others keep
busy would drown the rest.
Without MODULE the one beside the project with the largest build file is taken, or the one of (b).
"""

from __future__ import annotations

import argparse
import functools
import gc
import io
import os
import random
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from lxml import etree
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from converter.hexgrid import Grid  # noqa: E402
from converter.importing import import_file, run_import  # noqa: E402
from converter.scenario import (  # noqa: E402
    Face,
    MapFile,
    Picture,
    Placement,
    ScenarioFolder,
    SetupFile,
    Source,
    Unit,
    UnitsFile,
    write_folder,
)
from converter.vassal.archive import open_archive  # noqa: E402
from converter.vassal.export.command import run_build  # noqa: E402

COUNTERS, ROUNDS, IMPORTS = 300, 3, 15
SOURCE = Source("person", "a benchmark")


def make_folder(path: Path, own_pictures: bool) -> None:
    """A scenario of 300 counters on a map with a picture."""
    chance = random.Random(1)
    (path / "images").mkdir(parents=True)
    grid = Grid(40, 30)
    board = Image.effect_noise((2400, 2200), 40).convert("RGB")
    board.save(path / "images/map.png")
    units = []
    for i in range(COUNTERS):
        front = Face((("attack", chance.randrange(9)), ("defense", chance.randrange(9)), ("move", 4)))
        back = replace(front)
        if own_pictures:
            for name in ("front", "back"):
                Image.effect_noise((75, 75), 60).convert("RGB").save(path / f"images/{i}-{name}.png")
            front = replace(front, image=f"images/{i}-front.png")
            back = replace(back, image=f"images/{i}-back.png")
        units.append(Unit(f"unit {i}", "Red" if i % 2 else "Blue", SOURCE, type="infantry", front=front, back=back))
    places = tuple(Placement(unit.id, SOURCE, hex=chance.choice(grid.numbers)) for unit in units)
    sheet = MapFile("map", grid, picture=Picture(2400, 2200, 58.0, 67.0, 40.0, 40.0, image="images/map.png"))
    write_folder(ScenarioFolder(sheet, (), UnitsFile(tuple(units)), SetupFile(places)), path)


def zip_again(module: Path) -> Callable[[], object]:
    """Zipping the same entries."""
    with zipfile.ZipFile(module) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}

    def run() -> None:
        with zipfile.ZipFile(io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in entries.items():
                archive.writestr(name, data)

    return run


def best(run: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The least of some rounds, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def forget() -> None:
    """Empty every memory of the converter, so that a round is as slow as the first."""
    for thing in gc.get_objects():
        if isinstance(thing, functools._lru_cache_wrapper) and str(thing.__module__).startswith("converter"):
            thing.cache_clear()
    gc.collect()


def write_bare(files: dict[str, bytes], folder: Path) -> None:
    """Write files and do nothing else."""
    (folder / "images").mkdir(parents=True)
    for name, data in files.items():
        file = os.open(f"{folder}/{name}", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        os.write(file, data)
        os.close(file)


def import_times(module: Path, text: bytes, where: Path) -> tuple[float, float, float, float]:
    """Seconds for lxml, the whole import, reading alone and bare writing; turn by turn, the best of each."""
    parsed, whole, read, bare = [], [], [], []
    for turn in range(IMPORTS):
        parsed.append(best(lambda: etree.fromstring(text), 1))
        forget()
        folder = where / f"import-{turn}"
        whole.append(best(lambda: run_import(module, folder), 1))  # noqa: B023
        forget()
        read.append(best(lambda: import_file(module), 1))
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        bare.append(best(lambda: write_bare(files, where / f"bare-{turn}"), 1))  # noqa: B023
    return min(parsed), min(whole), min(read), min(bare)


def largest() -> Path | None:
    """The module beside the project with the largest build file."""
    found: list[tuple[int, Path]] = []
    for path in (ROOT.parent / "shared/corpus/modules").glob("*"):
        with open_archive(path) as archive:
            found.append((len(archive.read(archive.build_file_name() or "")), path))
    return max(found)[1] if found else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("module", nargs="?", type=Path)
    given = parser.parse_args().module
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        make_folder(where / "own", True)
        make_folder(where / "drawn", False)
        built = where / "own.vmod"
        build = best(lambda: run_build(str(where / "own"), built))
        drawn = best(lambda: run_build(str(where / "drawn"), where / "drawn.vmod"))
        zipped = best(zip_again(built))
        print(f"(a) zipping {COUNTERS} counters with pictures  {zipped * 1000:8.0f} ms")
        print(f"(b) building that module                {build * 1000:8.0f} ms  {build / zipped:6.1f} x (a)")
        print(f"(c) building with drawn counters        {drawn * 1000:8.0f} ms  {drawn / zipped:6.1f} x (a)")
        module = given or largest() or built
        with open_archive(module) as archive:
            text = archive.read(archive.build_file_name() or "")
        parsed, whole, read, bare = import_times(module, text, where)
        print(f"(d) lxml on {module.name}, {len(text) >> 10} KiB  {parsed * 1000:8.1f} ms")
        print(f"(e) importing it                        {whole * 1000:8.1f} ms  {whole / parsed:6.1f} x (d)")
        print(f"(f) of that, without writing            {read * 1000:8.1f} ms  {read / parsed:6.1f} x (d)")
        print(f"(g) writing the same files, bare        {bare * 1000:8.1f} ms  {bare / parsed:6.1f} x (d)")


if __name__ == "__main__":
    main()
