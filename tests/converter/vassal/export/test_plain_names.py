"""Names that VASSAL cannot hold as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from converter.errors import BadInput
from converter.hexgrid import Grid
from converter.importing import import_file
from converter.scenario import Cup, MapFile, Placement, PlayFile, ScenarioFolder, SetupFile, Source, Unit, UnitsFile
from converter.vassal.export.plain_names import plain_names
from converter.vassal.export.plan import build_module
from converter.vassal.module import read_module

SOURCE = Source("person", "a test")


def scenario(*ids: str, side: str = "Red") -> ScenarioFolder:
    units = tuple(Unit(id, side, SOURCE) for id in ids)
    places = tuple(Placement(id, SOURCE, hex="0101") for id in ids)
    return ScenarioFolder(
        MapFile("map", Grid(3, 3)),
        units=UnitsFile(units),
        setup=SetupFile(places, scenario="one", sides=(side,)),
        play=PlayFile(cups=(Cup("A\tcup", ((ids[0], 2),)),)),
    )


def test_control_characters_are_spaces_in_the_module_and_kept_in_the_folder(tmp_path: Path) -> None:
    told = scenario("1st\tInf", "2nd\nInf", side=" Red ")
    build_module(told, tmp_path / "m.vmod", lambda name: b"")
    module = read_module(tmp_path / "m.vmod")
    assert [slot.name for slot in module.palettes[0].slots] == ["1st Inf", "2nd Inf"]
    assert module.sides == ("Red",)
    assert import_file(tmp_path / "m.vmod").scenario == told


def test_plain_names_stay_the_very_same() -> None:
    told = scenario("1/7", "강원 3사단")
    made = plain_names(told)
    assert made.map is told.map
    assert made.units == told.units


def test_what_cannot_be_told_apart_is_refused(tmp_path: Path) -> None:
    for told, words in ((scenario("a\tb", "a b"), "two units are called 'a b'"), (scenario("a", side=" "), "side ' '")):
        with pytest.raises(BadInput, match=words):
            build_module(told, tmp_path / "m.vmod", lambda name: b"")
    assert not list(tmp_path.iterdir())
