"""The real VASSAL engine for tests. A start costs seconds, so a session shares one process for each module."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from engine import Engine, why_not

AT_ONCE = 3  # processes kept; each is a Java machine of its own

EngineFor = Callable[..., Engine]


@pytest.fixture(scope="session")
def engine_for() -> Iterator[EngineFor]:
    """`engine_for(module, **open_options)`: an engine that has the module open, the same one each time it is asked."""
    if reason := why_not():
        if os.environ.get("HEXREF_REQUIRE_ENGINE") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    running: dict[str, Engine] = {}

    def start(module: str | Path, **options: Any) -> Engine:
        key = repr((Path(module).resolve(), sorted(options.items())))
        engine = running.pop(key, None)
        if engine is None or not engine.alive:
            while len(running) >= AT_ONCE:
                running.pop(next(iter(running))).close()
            engine = Engine(module, **options)
        running[key] = engine  # the last in the dictionary is the last used
        return engine

    yield start
    for engine in running.values():
        engine.close()


@pytest.fixture(scope="session")
def any_engine(engine_for: EngineFor, tiny_module: Path) -> Engine:
    """An engine with a small module open, for what is not about the module: grids, codecs."""
    return engine_for(tiny_module, side="Red", user="Ann", seed=1)


@pytest.fixture(scope="session")
def tiny_module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A module of one map with numbered hexes, one counter on each side and a die: enough for a game of a few moves."""
    path = tmp_path_factory.mktemp("module") / "tiny.vmod"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("buildFile.xml", BUILD_FILE)
        archive.writestr("moduledata", MODULE_DATA)
    return path


MODULE_DATA = """<?xml version="1.0" encoding="UTF-8"?>
<data version="1">
  <version>1.0</version><VassalVersion>3.5.8</VassalVersion><name>Tiny</name><description>for tests</description>
</data>
"""

BUILD_FILE = """<?xml version="1.0" encoding="UTF-8"?>
<VASSAL.build.GameModule name="Tiny" version="1.0" VassalVersion="3.5.8" description="for tests" nextPieceSlotId="3">
  <VASSAL.build.module.BasicCommandEncoder/>
  <VASSAL.build.module.Documentation/>
  <VASSAL.build.module.PlayerRoster buttonText="Retire" buttonToolTip="">
    <entry>Red</entry><entry>Blue</entry>
  </VASSAL.build.module.PlayerRoster>
  <VASSAL.build.module.GlobalOptions autoReport="Always" centerOnMove="Never"/>
  <VASSAL.build.module.PrototypesContainer/>
  <VASSAL.build.module.Map mapName="Main Map" markMoved="Always" launch="false">
    <VASSAL.build.module.map.BoardPicker slotHeight="125" slotScale="0.2" slotWidth="350" title="Boards">
      <VASSAL.build.module.map.boardPicker.Board name="Board" image="" width="900" height="700">
        <VASSAL.build.module.map.boardPicker.board.HexGrid dx="62.35" dy="72.0" x0="50" y0="40" snapTo="true">
          <VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering first="H" sep="" hType="N" vType="N"
            hLeading="1" vLeading="1" hOff="1" vOff="1" stagger="true"/>
        </VASSAL.build.module.map.boardPicker.board.HexGrid>
      </VASSAL.build.module.map.boardPicker.Board>
      <setup>Main MapBoardPicker\tBoard\t0\t0</setup>
    </VASSAL.build.module.map.BoardPicker>
    <VASSAL.build.module.map.StackMetrics/>
    <VASSAL.build.module.map.ForwardToChatter/>
    <VASSAL.build.module.map.ForwardToKeyBuffer/>
    <VASSAL.build.module.map.PieceMover/>
    <VASSAL.build.module.map.KeyBufferer/>
    <VASSAL.build.module.map.SelectionHighlighters/>
  </VASSAL.build.module.Map>
  <VASSAL.build.module.PieceWindow defaultWidth="0" entryName="Counters" text="Counters">
    <VASSAL.build.widget.ListWidget entryName="All" height="100" width="100" scale="1.0" divider="50">
      <VASSAL.build.widget.PieceSlot entryName="Red 1" gpid="1" height="48" width="48"
        >+/null/mark;Side\tpiece;;;;Red 1/Red\tnull;0;0;1;0</VASSAL.build.widget.PieceSlot>
      <VASSAL.build.widget.PieceSlot entryName="Blue 1" gpid="2" height="48" width="48"
        >+/null/mark;Side\tpiece;;;;Blue 1/Blue\tnull;0;0;2;0</VASSAL.build.widget.PieceSlot>
    </VASSAL.build.widget.ListWidget>
  </VASSAL.build.module.PieceWindow>
  <VASSAL.build.module.DiceButton name="2d6" text="2d6" nDice="2" nSides="6" reportTotal="false"
    reportFormat="$name$ = $result$"/>
  <VASSAL.build.module.Chatter/>
  <VASSAL.build.module.KeyNamer/>
</VASSAL.build.GameModule>
"""
