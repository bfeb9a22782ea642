"""Modules of strangers, imported and built again, and names of every kind, in the real engine."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from engine import Engine

from converter.hexgrid import Grid
from converter.importing import run_import
from converter.scenario import (
    Dice,
    Face,
    Level,
    MapFile,
    Placement,
    PlayFile,
    ScenarioFolder,
    SetupFile,
    Source,
    Unit,
    UnitsFile,
    read_folder,
)
from converter.vassal.export.command import run_build
from converter.vassal.export.plan import build_module

EngineFor = Callable[..., Engine]
OPEN = {"user": "Ann", "password": "annpw", "seed": 1}
ODD_NAMES = (" ends ", "1/7 Inf", 'Kim\'s "A"', "강원 3사단", "😀 tank", "a;b,c\\d", "$Phase$ {x}", "<b>&amp;", "100%")


def standing(engine: Engine) -> Counter[tuple[str, int, int]]:
    """Who stands where on the first map."""
    state = engine("dump")["state"]
    first = state["maps"][0]["name"]
    return Counter(
        (piece["properties"]["BasicName"], piece["x"], piece["y"]) for piece in state["pieces"] if piece["map"] == first
    )


def test_kassala_is_the_same_game_again(shared: Path, tmp_path: Path, engine_for: EngineFor) -> None:
    folder = shared / "corpus/modules/kassala"
    original = tmp_path / "kassala.vmod"
    with zipfile.ZipFile(original, "w") as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, str(file.relative_to(folder)))
    run_import(folder, tmp_path / "folder")
    run_build(str(tmp_path / "folder"), tmp_path / "again.vmod")
    before = engine_for(original, **OPEN)
    before("setup", name="Default Setup")
    expected = standing(before)
    after = engine_for(tmp_path / "again.vmod", **OPEN)
    assert after.opened["dialogs"] == []
    assert sum(expected.values()) == 23
    for name in ("Default Setup", "At start"):
        assert after("setup", name=name)["dialogs"] == []
        found = standing(after)
        assert found.keys() == expected.keys() or all(_near(one, expected) for one in found)
        assert sum(found.values()) == 23


def _near(one: tuple[str, int, int], expected: Counter[tuple[str, int, int]]) -> bool:
    """Within a few pixels: a hex without a number is told by its middle."""
    return any(name == one[0] and abs(x - one[1]) + abs(y - one[2]) <= 4 for name, x, y in expected)


@pytest.mark.parametrize(
    "name",
    [
        "hex-template.vmod",
        "longest-day",
        "predefined-setups.vmod",
        "republic-of-rome.vmod",
        "tour.mod",
        "xwing-test.vmod",
    ],
)
def test_others_open_again_without_a_dialog(name: str, shared: Path, tmp_path: Path, engine_for: EngineFor) -> None:
    run_import(shared / "corpus/modules" / name, tmp_path / "folder")
    run_build(str(tmp_path / "folder"), tmp_path / "again.vmod")
    engine = engine_for(tmp_path / "again.vmod", **OPEN)
    assert engine.opened["dialogs"] == []
    read = read_folder(tmp_path / "folder")
    units = read.units.units if read.units else ()
    slots = [part for part in engine("components")["components"] if part["class"].endswith("PieceSlot")]
    assert sorted(slot["name"] for slot in slots) == sorted(unit.id for unit in units)
    for setup in read.setups:
        assert engine("setup", name=setup.title)["dialogs"] == []
        pieces = engine("dump")["state"]["pieces"]
        cups = sum(count for cup in (read.play.cups if read.play else ()) for _, count in cup.units)
        assert len(pieces) == sum(place.count for place in setup.placements) + cups


def test_a_save_with_decks_is_a_module_with_them(shared: Path, tmp_path: Path, engine_for: EngineFor) -> None:
    run_import(shared / "corpus/saves/ccn-wertingen.vsav", tmp_path / "folder")
    run_build(str(tmp_path / "folder"), tmp_path / "again.vmod")
    engine = engine_for(tmp_path / "again.vmod", **OPEN)
    assert engine.opened["dialogs"] == []
    assert engine("setup", name="ccn-wertingen")["dialogs"] == []
    read = read_folder(tmp_path / "folder")
    assert read.play
    told = {(cup.name, unit): count for cup in read.play.cups for unit, count in cup.units}
    held = [piece["properties"] for piece in engine("dump")["state"]["pieces"]]
    assert Counter((it["DeckName"], it["UnitId"]) for it in held if it.get("DeckName")) == told
    assert sum(told.values()) == 210


def test_names_of_every_kind(tmp_path: Path, engine_for: EngineFor) -> None:
    source = Source("person", "a test")
    face = Face((("attack", 1), ("defense", 2), ("move", 3)))
    units = tuple(Unit(name, "Red / 'A'", source, steps=2, front=face) for name in ODD_NAMES)
    places = tuple(Placement(name, source, hex=f"0{i}01", face="back") for i, name in enumerate(ODD_NAMES, 1))
    places = (*places[:-1], replace(places[-1], hex="0203", map="hills"))
    title = 'Odd "names": 강 / 😀'
    scenario = ScenarioFolder(
        MapFile("map", Grid(10, 3), title=title),
        (MapFile("hills", Grid(4, 4), title="D/7"),),  # as a command of VASSAL's begins
        units=UnitsFile(units, title=title),
        setup=SetupFile(places, "practice", "odd", title, "map", None, ("Red / 'A'", "Blue")),
        play=PlayFile(None, (Level("Turn", levels=(Level("Phase", ODD_NAMES),)),), (Dice("2d6 강", 2),)),
    )
    build_module(scenario, tmp_path / "odd.vmod", lambda name: b"")
    engine = engine_for(tmp_path / "odd.vmod", side="Red / 'A'", **OPEN)
    assert engine.opened["dialogs"] == []
    assert engine("setup", name=title)["dialogs"] == []
    found: dict[str, Any] = {piece["properties"]["UnitId"]: piece for piece in engine("dump")["state"]["pieces"]}
    assert set(found) == set(ODD_NAMES)
    for place in places:
        piece = found[place.unit]["properties"]
        assert (piece["BasicName"], piece["LocationName"], piece["Step_Level"]) == (place.unit, place.hex, "2")
