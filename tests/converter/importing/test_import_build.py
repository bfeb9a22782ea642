"""import(build(scenario)) = scenario: from the files a module keeps, and without them as far as VASSAL can hold it."""

from __future__ import annotations

import re
import shutil
import zipfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from converter.errors import BadInput
from converter.games import game_names, scenario_names, scenario_of
from converter.hexgrid import Grid, Lattice, Numbering
from converter.importing import import_file, run_import
from converter.scenario import (
    Box,
    Cup,
    Dice,
    Face,
    Level,
    MapFile,
    Placement,
    PlayFile,
    ScenarioFolder,
    SetupFile,
    Side,
    Source,
    Terrain,
    Unit,
    UnitsFile,
    read_folder,
    write_folder,
)
from converter.vassal.export import boards, faces
from converter.vassal.export.command import run_build
from converter.vassal.export.plain_names import plain_names
from converter.vassal.export.plan import build_module, turn_tracker
from converter.vassal.export.positions import spots_of

IDS = [f"{game}/{scenario}" for game in game_names() for scenario in scenario_names(game)]
SOURCE = Source("person", "a test")


def no_images(name: str) -> bytes:
    raise BadInput(f"{name}: none here")


def without_keepsake(module: Path) -> Path:
    """The same module as VASSAL alone would hold it."""
    bare = module.with_name(f"bare-{module.name}")
    with zipfile.ZipFile(module) as old, zipfile.ZipFile(bare, "w") as new:
        for name in old.namelist():
            if not name.startswith("hexref/"):
                new.writestr(name, old.read(name))
    return bare


@pytest.fixture(autouse=True)
def small_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards of small hexes, and one picture for all counters: drawn quickly."""
    monkeypatch.setattr(boards, "HEX_HEIGHT", 24.0)
    monkeypatch.setattr(faces, "draw", lambda *_: Image.new("RGB", (48, 48), "grey"))


@pytest.mark.parametrize("id", IDS)
def test_every_scenario_comes_back(id: str, tmp_path: Path) -> None:
    """From the kept files exactly; from the module alone as much as VASSAL can hold."""
    scenario = scenario_of(id)
    module = tmp_path / "game.vmod"
    build_module(scenario, module, no_images)
    assert import_file(module).scenario == scenario
    compare(import_file(without_keepsake(module)).scenario, scenario)


@pytest.mark.parametrize("id", IDS)
def test_every_scenario_is_a_sound_folder(id: str, tmp_path: Path) -> None:
    scenario = scenario_of(id)
    write_folder(scenario, tmp_path)
    assert read_folder(tmp_path) == scenario


def compare(read: ScenarioFolder, told: ScenarioFolder) -> None:
    numbers = set(told.map.grid.numbers)  # VASSAL's grid goes on over the margin
    assert numbers <= set(read.map.grid.numbers)
    assert all(set(read.map.neighbours(one)) & numbers == set(told.map.neighbours(one)) for one in numbers)
    assert told.units
    assert read.units
    assert sorted(key(unit) for unit in read.units.units) == sorted(key(unit) for unit in told.units.units)
    for one, other in zip(read.setups, told.setups, strict=True):
        assert not certain(other) - certain(one)  # where the data leaves a choice, the module has made one
        assert one.sides == other.sides or not other.sides
    assert told.play
    assert read.play
    assert read.play.dice == told.play.dice
    assert turn_tracker(read.play) == turn_tracker(told.play, told.setups)
    assert {cup.name: cup.units for cup in read.play.cups} == {cup.name: cup.units for cup in told.play.cups}
    for one, other in zip(read.setups, told.setups, strict=True):  # what is in a cup is nowhere else
        assert sum(place.count for place in one.placements) == len(spots_of(other, by_id(told), told.maps))


def by_id(told: ScenarioFolder) -> dict[str, Unit]:
    return {unit.id: unit for unit in told.units.units} if told.units else {}


def key(unit: Unit) -> tuple[object, ...]:
    factors = tuple((name, value) for name, value in unit.front.factors if value is not None)
    return unit.id, unit.side, unit.kind, unit.name or unit.id, str(unit.size), repr(factors)


def certain(setup: SetupFile) -> Counter[tuple[str, str, str]]:
    """Who stands in which hex at the start, where the set-up says it."""
    found: Counter[tuple[str, str, str]] = Counter()
    for place in setup.placements:
        if place.hex and place.action == "set-up":
            found[place.unit, place.hex, place.face] += place.count
    return found


ODD = (" lead", "trail ", "in  ner", "a/b", "..", "a\\b", "x\\", '"q"', "'q'", "강원 3사단", "😀", "aux.png")
ODD += ("a;b,c|d", "$x$ {y}", "a\tb", "a\nb", "\x00", "\x85", "\u2028", "\u202e", "\ufeff", "\xa0", "강" * 100, "1")
anything = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
words = st.one_of(anything, st.sampled_from(ODD)).filter(lambda name: plain(name).strip() != "")


def plain(name: str) -> str:
    """As a module can hold it."""
    return re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]+", " ", name)


def names(most: int, least: int = 0) -> st.SearchStrategy[list[str]]:
    """Different names, whatever VASSAL makes of control characters and spaces."""
    return st.lists(words, unique_by=lambda name: plain(name).strip(), min_size=least, max_size=most)


factor = st.one_of(st.none(), st.integers(0, 20))


@st.composite
def scenarios(draw: st.DrawFn) -> ScenarioFolder:
    form = draw(st.sampled_from(["{column:02}{row:02}", "{row}.{column:02}", "{column:A}{row}"]))
    numbering = Numbering(form, draw(st.integers(0, 9)), draw(st.integers(1, 9)))
    lattice = Lattice(draw(st.sampled_from(["down", "up"])))
    shape = draw(st.integers(2, 7)), draw(st.integers(2, 7))
    short = draw(st.sampled_from(["none", "first", "second"]))
    grid = Grid(*shape, lattice, numbering, draw(st.booleans()), short)
    rough = draw(st.lists(st.sampled_from(grid.numbers), unique=True, max_size=4))
    boxes = tuple(Box(name, "holding", SOURCE) for name in draw(names(2)))
    sheet = MapFile("sheet", grid, terrains=(Terrain(("rough",), tuple(rough), SOURCE),) if rough else (), boxes=boxes)
    sides = draw(names(3, 2))
    units = []
    for id in draw(names(6, 1)):
        front = Face(tuple((name, draw(factor)) for name in ("attack", "defense", "move")))
        steps = draw(st.sampled_from([1, 2, 3]))
        kind = draw(st.sampled_from(["unit", "unit", "marker"]))
        back = front if steps > 1 and draw(st.booleans()) else None
        units.append(Unit(id, draw(st.sampled_from(sides)), SOURCE, kind=kind, steps=steps, front=front, back=back))
    places = []
    for unit in units:
        face = draw(st.sampled_from(["front", "back"])) if (unit.steps or 1) > 1 else "front"
        number = draw(st.sampled_from(grid.numbers))
        arrives = draw(st.booleans())
        action, turn = ("reinforcement", draw(st.integers(1, 9))) if arrives else ("set-up", None)
        places.append(Placement(unit.id, SOURCE, action, turn=turn, hex=number, face=face))  # type: ignore[arg-type]
    phases = draw(names(4, 1))
    cups = (Cup("Draw", ((units[0].id, 2),)),) if draw(st.booleans()) else ()
    play = PlayFile(
        None,
        (Level("Turn", levels=(Level("Phase", tuple(phases)),)),),
        (Dice("2d6", 2), Dice("1d10", 1, 10, 1, True)),
        cups,
        call_outs=("attack", "phase"),
    )
    setup = SetupFile(tuple(places), "practice", "one", draw(words), "sheet", None, tuple(sides[:2]))
    return ScenarioFolder(
        sheet, (), UnitsFile(tuple(units), "practice", "Random", tuple(map(Side, sides))), setup, (), play
    )


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(scenario=scenarios())
def test_random_scenarios_come_back(scenario: ScenarioFolder, tmp_path: Path) -> None:
    module = tmp_path / "random.vmod"
    build_module(scenario, module, no_images)
    assert import_file(module).scenario == scenario
    read = import_file(without_keepsake(module)).scenario
    compare(read, plain_names(scenario))
    assert [setup.title for setup in read.setups] == [plain(setup.title or "") for setup in scenario.setups]
    folder = tmp_path / "folder"
    shutil.rmtree(folder, ignore_errors=True)
    run_import(without_keepsake(module), folder)
    assert read_folder(folder) == read


def test_a_changed_module_is_read_anew(tmp_path: Path) -> None:
    module, changed = tmp_path / "game.vmod", tmp_path / "changed.vmod"
    run_build("korean-battles/pusan", module)
    with zipfile.ZipFile(module) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            new.writestr(
                name, old.read(name).replace(b'name="1d6"', b'name="d6"') if name == "buildFile.xml" else old.read(name)
            )
    read = import_file(changed)
    assert read.scenario.play
    assert [die.name for die in read.scenario.play.dice] == ["d6"]
    assert any("changed since hexref built it" in line for line in read.notes.lines())


def test_pictures_come_back_under_their_names(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    scenario = scenario_of("korean-battles/inchon-seoul")
    assert scenario.units
    first = scenario.units.units[0]
    face = Face(first.front.factors, image="images/a/강.png")
    mine = replace(
        scenario, units=replace(scenario.units, units=(replace(first, front=face), *scenario.units.units[1:]))
    )
    write_folder(mine, folder)
    (folder / "images" / "a").mkdir(parents=True)
    Image.new("RGB", (40, 40), "green").save(folder / "images" / "a" / "강.png")
    run_build(str(folder), tmp_path / "mine.vmod")
    run_import(tmp_path / "mine.vmod", tmp_path / "again")
    assert read_folder(tmp_path / "again") == mine
    assert (tmp_path / "again/images/a/강.png").read_bytes() == (folder / "images/a/강.png").read_bytes()
