"""New modules: what is written reads back, and holds what VASSAL needs. The engine itself is asked in conformance."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from converter.errors import BadInput
from converter.vassal.dice import DiceButton
from converter.vassal.grids import HexGrid, Numbering
from converter.vassal.module import Module, read_module
from converter.vassal.new_module import BoardPlan, CounterPlan, MapPlan, ModulePlan, build_tree, with_gpid, write_module
from converter.vassal.turn_tracker import TurnLevel, TurnTracker

PHASES = TurnLevel("list", "Phase", "Phase", entries=("Movement", "Combat, mutual"))
TRACKER = TurnTracker("TurnTracker0", "Turn", (TurnLevel("counter", "Turn", "TurnNo", start=3, levels=(PHASES,)),))


def board_picture() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (700, 500), "white").save(stream, "PNG")
    return stream.getvalue()


def plan() -> ModulePlan:
    grid = HexGrid(dx=62.35, dy=72.0, x0=50, y0=40, numbering=Numbering(sep="."))
    return ModulePlan(
        name="Mini & co",
        version="1.0",
        sides=("Red", "Blue"),
        maps=(
            MapPlan(
                "Main Map", (BoardPlan("West/1", (700, 500), "west.png", grid), BoardPlan("East", (300, 500))), (30, 20)
            ),
            MapPlan("Pool", (BoardPlan("Pool", (400, 300)),)),
        ),
        counters=(
            CounterPlan("1/2 Inf", "prototype;Unit\tpiece;;;;1/2 Inf", "\tnull;0;0;;0"),
            CounterPlan("Tank", "piece;;;;Tank", "", "Armour"),
        ),
        dice=(DiceButton("dice", "2d6"),),
        turn_tracker=TRACKER,
        prototypes={"Unit": "+/null/mark;Side\tpiece;;;;/Red\tnull;0;0;;0"},
        properties={"Weather": "Clear"},
        images={"west.png": board_picture()},
    )


@pytest.fixture(scope="module")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Module:
    path = tmp_path_factory.mktemp("new") / "mini.vmod"
    write_module(path, plan())
    return read_module(path)


def test_it_reads_back(mini: Module) -> None:
    assert not mini.problems
    assert (mini.name, mini.version, mini.vassal_version, mini.sides) == ("Mini & co", "1.0", "3.5.8", ("Red", "Blue"))
    assert mini.metadata is not None
    assert mini.metadata.name == mini.name
    main, pool = mini.maps
    assert (main.name, main.edge, pool.name) == ("Main Map", (30, 20), "Pool")
    assert [board.size for board in main.boards] == [(700, 500), (300, 500)]
    assert main.setup == (("West/1", 0, 0, False), ("East", 1, 0, False))
    assert mini.dice[0].parse("*** 2d6 = 1,1 *** <Ann>")
    assert mini.turn_trackers[0].levels == TRACKER.levels
    assert mini.properties[0].initial == "Clear"


def test_counters_get_their_ids(mini: Module) -> None:
    (palette,) = mini.palettes
    assert [(slot.name, slot.gpid, slot.type, slot.state) for slot in palette.slots] == [
        ("1/2 Inf", "1", "mark;Side\tpiece;;;;1/2 Inf", "Red\tnull;0;0;1;0"),
        ("Tank", "2", "piece;;;;Tank", "null;0;0;2;0"),
    ]
    assert with_gpid("null;5;6;9;1;key;", "3") == "null;5;6;3;1;key;"


def test_what_the_engine_needs_is_there() -> None:
    root = build_tree(plan())
    tags = [str(element.tag) for element in root.iter()]
    assert tags.index("VASSAL.build.module.BasicCommandEncoder") < tags.index("VASSAL.build.widget.PieceSlot")
    for part in ("PieceMover", "KeyBufferer", "StackMetrics", "StackExpander", "MenuDisplayer", "ForwardToKeyBuffer"):
        assert tags.count(f"VASSAL.build.module.map.{part}") == 2
    assert root.get("nextPieceSlotId") == "3"
    numbering = next(root.iter("{*}VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering"))
    assert (numbering.get("sep"), numbering.get("hOff"), numbering.get("stagger")) == (".", "1", "true")


def test_same_plan_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_module(tmp_path / name, plan())
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="Bell"):
        write_module(tmp_path / "m.vmod", ModulePlan("Bell\x07"))
    with pytest.raises(BadInput, match="cannot be used"):
        write_module(tmp_path / "m.vmod", ModulePlan("A", images={"images/..": b""}))
    with pytest.raises(BadInput, match="only plain dice"):
        write_module(tmp_path / "m.vmod", ModulePlan("A", dice=(DiceButton("symbols", "S"),)))
    assert not list(tmp_path.iterdir())
