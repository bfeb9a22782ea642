"""The whole chain on material of our own: scan, scenario folder, counters, module, a log by VASSAL, the report."""

from __future__ import annotations

import contextlib
import io
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PIL import Image

from converter.counters.command import SheetOptions, run_sheet
from converter.drawing import draw_map
from converter.errors import BadInput
from converter.games import scenario_of
from converter.scan.command import MapOptions, run_map
from converter.scan.degrade import USED, degrade
from converter.scenario import read_map, write_play, write_setup, write_units
from converter.vassal.export.command import run_build
from referee.check import Checked, check
from referee.report.html import write_report
from referee.report.text import report

ROOT = Path(__file__).resolve().parents[1]
PRACTICE = ROOT / "maps" / "practice" / "peninsula.yaml"
MATERIAL = ROOT / "data" / "demo"
SCENARIO = "korean-battles/practice"
STYLE, HEX_HEIGHT = "relief", 56
LEGEND = PRACTICE.parent / "scan" / "legend.yaml"
FIRST_HEX = "0101=66,55"  # where the first hex is on the scan, as a person would point at it

Say = Callable[[str], None]


def run(folder: Path, say: Say) -> None:
    """Make every piece of the chain in a folder and say where each is and what to look at."""
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(folder / "3-scenario")
    folder.mkdir(parents=True, exist_ok=True)
    scan = print_and_scan(folder, say)
    scenario = read_the_scan(scan, folder / "3-scenario", say)
    module = make_counters_and_module(scenario, folder, say)
    judge_the_log(module, folder, say)


def print_and_scan(folder: Path, say: Say) -> Path:
    """The practice map as it is printed, and a used sheet of it on the scanner."""
    drawing = draw_map(read_map(PRACTICE), STYLE, hex_height=HEX_HEIGHT)
    printed, scan = folder / "1-map.png", folder / "2-scan.jpg"
    Image.fromarray(drawing.picture).save(printed)
    say(f"{printed}: the practice map, printed from {PRACTICE.name}")
    Image.fromarray(degrade(drawing.picture, USED).picture).save(scan, quality=85)
    say(f"{scan}: the same sheet folded, stained, turned and scanned")
    return scan


def read_the_scan(scan: Path, scenario: Path, say: Say) -> Path:
    """The scan becomes a scenario folder: its hexes, terrain and roads found by eight examples of each sign."""
    options = MapOptions(image=scan, out=scenario, config=LEGEND, at=[FIRST_HEX])
    _quietly(lambda: run_map(options, lambda _: None))
    truth, found = read_map(PRACTICE), read_map(scenario / "map.yaml")
    right = sum(found.terrain(hex) == truth.terrain(hex) for hex in truth.grid.numbers)
    say(
        f"{scenario / 'map.yaml'}: read off the scan with a legend of examples; the terrain of {right} of "
        f"{len(truth.grid)} hexes is right"
    )
    say(f"{scenario / 'review.html'}: open it in a browser to see and correct what was found, doubtful hexes first")
    battle = scenario_of(SCENARIO)
    assert battle.units is not None
    assert battle.setup is not None
    assert battle.play is not None
    write_units(battle.units, scenario / "units.yaml")
    write_setup(replace(battle.setup, map=found.name), scenario / "setup.yaml")
    write_play(battle.play, scenario / "play.yaml")
    say(f"{scenario}: with units.yaml and setup.yaml of a small battle it is a whole scenario folder")
    return scenario


def make_counters_and_module(scenario: Path, folder: Path, say: Say) -> Path:
    """What comes out of a scenario folder: paper and a module."""
    sheet = folder / "4-counters.pdf"
    _quietly(lambda: run_sheet(SheetOptions(scenario / "units.yaml", sheet), lambda _: None))
    say(f"{sheet}: its counters, fronts and backs, to print on both sides of a sheet")
    module = folder / "5-practice.vmod"
    run_build(str(scenario), module)
    say(f"{module}: the module, with the scan as its board; VASSAL 3.5 or later opens it")
    return module


def judge_the_log(module: Path, folder: Path, say: Say) -> Checked:
    """A game that was played in that module with the real VASSAL, judged."""
    log, charts = folder / "6-practice.vlog", folder / "6-charts.yaml"
    page, text = folder / "7-report.html", folder / "7-report.txt"
    for name, target in (("practice.vlog", log), ("charts.yaml", charts)):
        try:
            shutil.copyfile(MATERIAL / name, target)
        except OSError as error:
            raise BadInput(f"{target}: can't be written ({error.strerror})") from None
    say(f"{log}: a game that VASSAL itself logged in this module: honest play, and a dozen mistakes")
    say(f"{charts}: the map's terrain key, which no log tells")
    (told,) = check([log], SCENARIO, module=module, charts=charts)
    text.write_text(report(told.log, told.findings, told.judged, told.problems) + "\n", encoding="utf-8")
    write_report([told], page)
    counted = told.json["summary"]
    say(f"{text}: the referee's report: {counted['judged']} acts judged, {counted['illegal']} illegal")
    say(f"{page}: the same to step through in a browser; press Shift+Right to go from finding to finding")
    return told


def _quietly(command: Callable[[], int]) -> None:
    """Run a command without what it would print; the demo says it in its own words."""
    with contextlib.redirect_stdout(io.StringIO()):
        command()
