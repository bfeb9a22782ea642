"""A board without a picture: our own drawing of what the referee knows lies under the hexes."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from korean_battles_play import write
from PIL import Image
from written_log import Writer

from converter.vassal.grids import BoardLayout
from referee.check import Checked, check
from referee.report.html.own_map import OwnMap, own_map
from referee.report.html.page import html_report
from referee.table.replay import open_replay

UNITS = {"5/1M": "0710", "7/1M": "0709", "1/1M": "0907", "59/1": "0912", "59/2": "0911", "58/1": "1111"}
GROUND = """
version: 1
name: mine
grid: {columns: 19, rows: 18}
default_terrain: {kind: clear, source: {person: a test}}
terrain: [{kind: lake, source: {person: a test}, hexes: ["0305", "1510"]}]
"""


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    folder = tmp_path_factory.mktemp("own")
    write(folder / "chosin.vmod", "chosin-few")
    (folder / "map.yaml").write_text(GROUND, encoding="utf-8")
    log = Writer(folder, UNITS).move("59/1", "0913").write(folder / "game.vlog")
    return check([log], map=folder / "map.yaml")[0]


@pytest.fixture(scope="module")
def layout(checked: Checked) -> BoardLayout:
    replay = open_replay(checked.log, checked.module)
    found = replay.layout.boards_of(checked_map(checked))
    assert found is not None
    return found


def checked_map(checked: Checked) -> str:
    replay = open_replay(checked.log, checked.module)
    return next(counter.map.name for counter in replay.game.counters.values() if counter.map is not None)


def drawn(checked: Checked, layout: BoardLayout) -> OwnMap:
    assert checked.ground is not None
    own = own_map(checked.ground, layout)
    assert own is not None
    return own


def colour_at(own: OwnMap, point: tuple[int, int]) -> tuple[int, ...]:
    """The colour under a pixel of the board, a little beside the middle of the hex."""
    a, b, c, d, e, f = own.matrix
    x, y = np.linalg.solve([[a, c], [b, d]], [point[0] - e, point[1] - f])
    spot = Image.open(io.BytesIO(own.picture)).crop((int(x) - 6, int(y) + 4, int(x) + 6, int(y) + 10))
    return tuple(int(value) for value in np.asarray(spot).mean(axis=(0, 1)))


def test_each_hex_lies_under_its_own_number(checked: Checked, layout: BoardLayout) -> None:
    own = drawn(checked, layout)
    blue = {
        number
        for number, x, y in own.hexes
        if (colour := colour_at(own, (x, y)))[2] > colour[0] + 20  # water is bluer than any land
    }
    assert blue == {"0305", "1510"}


def test_the_page_has_it_where_the_module_has_no_picture(checked: Checked) -> None:
    page = html_report([checked])
    assert '"picture":"own map","matrix":[' in page
    assert '"own map":"data:image/jpeg;base64,' in page
    assert '"own map"' not in html_report([replace(checked, ground=None)])


def test_a_board_with_other_hexes_gets_no_drawing(checked: Checked, layout: BoardLayout) -> None:
    assert checked.ground is not None
    other = replace(checked.ground.grid, columns=60, rows=60)
    assert own_map(replace(checked.ground, grid=other), layout) is None
    turned = replace(checked.ground.grid, sideways=not checked.ground.grid.sideways)
    assert own_map(replace(checked.ground, grid=turned), layout) is None


def test_the_file_is_not_large(checked: Checked, layout: BoardLayout, tmp_path: Path) -> None:
    assert len(drawn(checked, layout).picture) < 400_000
