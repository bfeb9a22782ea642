"""Yalu as a scenario folder, made from the lists that the referee judges by (data/yalu)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from converter.scenario import ScenarioFolder, Source, read_map
from converter.scenario.play_file import Dice, Level, PlayFile
from converter.scenario.setup_file import Placement, SetupFile
from converter.scenario.units_file import Face, Side, Unit, UnitsFile
from converter.scenario.yaml_reading import read_file

GAME = "yalu"
CALL_OUTS = (
    *("phase", "attack", "hwa", "defend", "fire", "bugfire", "odds", "result", "cancel"),
    *("infiltrate", "surprise", "regroup", "isolation", "evacuate", "drop", "hunt", "ambush", "weatherroll"),
)
ODDS = tuple(f"1-{n}" for n in range(6, 1, -1)) + tuple(f"{n}-1" for n in range(1, 9))
NEVER_NEUTRALIZED = ("naval", "air", "artillery", "tank", "guerrilla")  # 12.1.6, 16.1
EXAMPLE = "as in the example of play; the side's own choice"


def scenario(data: Path, maps: Path, id: str) -> ScenarioFolder:
    """An edition by its id."""
    edition = read_file(data / "scenarios" / f"{id}.yaml").data
    rules, lists, tables = (read_file(data / f"{name}.yaml").data for name in ("rules", "units", "tables"))
    sheet = read_map(maps / f"{edition['map']}.yaml")
    sides = (edition["first_player"], edition["second_player"])
    units = {unit.id: unit for unit in _units(lists)}
    for line in edition["setup"]:
        units.setdefault(line["id"], _listed(line, lists, Source("rule", str(edition["rule"]))))
    deluxe = bool(edition["rules"]["morale_phase"])
    for unit in (*_others(lists), *_markers(lists, id)):
        units.setdefault(unit.id, unit)
    turns = _turns(edition, rules)
    setup = SetupFile(
        tuple(_placement(line) for line in edition["setup"] if line.get("hex", line.get("example")) in sheet.grid),
        GAME,
        id,
        edition["title"],
        edition["map"],
        len(turns),
        sides,
    )
    file = UnitsFile(tuple(units.values()), GAME, "Yalu", tuple(map(Side, sides)))
    order = [(side, phase) for side, phase in rules["order"] if deluxe or (side, phase) != (sides[0], "morale")]  # C5
    phases = tuple(_phase(side, phase) for side, phase in order)
    tracker = (Level("Turn", turns, levels=(Level("Phase", phases),)),)
    verbs = (*CALL_OUTS, "ridgway") if edition["rules"]["ridgway"] else CALL_OUTS
    results = tuple(tables["results"])  # 10.3.1
    play = PlayFile(GAME, tracker, (Dice("1d6"), Dice("2d6", 2)), call_outs=verbs, odds=ODDS, results=results)
    return ScenarioFolder(sheet, units=file, setup=setup, play=play)


def _units(lists: Mapping[str, Any]) -> Iterator[Unit]:
    """The order of battle as far as the text has it: Chinese armies, units with known factors, breakdown regiments."""
    for army, told in lists["armies"].items():
        why = "an article's table" if told.get("inferred") else None
        for number in told["divisions"]:
            front = Face((("combat", told.get("factor")),))
            source = Source("rule", "24.0", inferred=why)
            yield Unit(
                f"PVA {number}",
                "Communist",
                source,
                nation="PVA",
                size="division",
                type="infantry",
                formation=f"{army} Army",
                front=front,
            )
    for line in lists["known"]:
        yield _listed(line, lists, Source("rule", "24.0; 25.0"))
    for division, regiments in lists["divisions"].items():
        for number in regiments:
            source = Source("rule", "9.3.3.1", inferred="an article's list; the Breakdown Chart decides")
            yield Unit(
                f"{number}/{division.removeprefix('US ')}",
                "UN",
                source,
                nation="US",
                size="regiment",
                formation=division,
            )


def _others(lists: Mapping[str, Any]) -> Iterator[Unit]:
    """Ships, aircraft, supports, garrisons, guerrillas and conscripts; several alike bear numbers."""
    for line in lists["others"]:
        source = Source("rule", line["rule"], inferred=line.get("inferred"))
        front = Face((("support", line["support"]),) if "support" in line else ())
        unit = Unit(line["id"], line["side"], source, nation=line.get("nation"), type=line["type"], front=front)
        faces = 1 if line["type"] in NEVER_NEUTRALIZED else 2
        for number in range(1, line.get("numbered", 1) + 1):
            name = f"{unit.id} {number}" if "numbered" in line else unit.id
            yield replace(unit, id=name, steps=faces)


def _markers(lists: Mapping[str, Any], edition: str) -> Iterator[Unit]:
    """What is laid on units and hexes."""
    for line in lists["markers"]:
        if line.get("edition", edition) == edition:
            source = Source("rule", line["rule"], inferred="the number")
            kind = "-".join(re.findall(r"[a-z]+|[0-9]+", line["id"].lower()))
            yield Unit(
                line["id"],
                "Communist" if "Communist" in line["id"] else "UN",
                source,
                kind="marker",
                type=kind,
                count=line["count"],
            )


def _listed(line: Mapping[str, Any], lists: Mapping[str, Any], source: Source) -> Unit:
    nation = line["nation"]
    side = lists["nations"][nation]
    factors: list[tuple[str, int | None]] = [("combat", line.get("factor"))]
    size = line.get("size")
    if nation == "NKPA":
        factors = [("combat", lists["nkpa"]["factor"]), ("move", lists["nkpa"]["move"])]
        size = size or "division"
    return Unit(line["id"], side, source, nation=nation, size=size, front=Face(tuple(factors)))


def _placement(line: Mapping[str, Any]) -> Placement:
    source = Source("rule", "24.0")
    if "hex" in line:
        return Placement(line["id"], source, hex=line["hex"])
    return Placement(line["id"], source, hex=line["example"], note=EXAMPLE)


def _turns(edition: Mapping[str, Any], rules: Mapping[str, Any]) -> tuple[str, ...]:
    """The game turns by name, from the first to the last.

    >>> _turns({"first_turn": "Nov IV", "last_turn": "Dec II"}, {"months": ["Nov", "Dec"], "weeks": ["I", "II", "IV"]})
    ('Nov IV', 'Dec I', 'Dec II')
    """
    every = [f"{month} {week}" for month in rules["months"] for week in rules["weeks"]]
    return tuple(every[every.index(edition["first_turn"]) : every.index(edition["last_turn"]) + 1])


def _phase(side: str | None, phase: str) -> str:
    words = phase.replace("-", " ").title()
    return f"{side} {words}" if side else words
