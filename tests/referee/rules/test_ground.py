"""The ground as a map file tells it."""

from __future__ import annotations

from converter.scenario import read_map_text
from referee.rules.ground import ground_of

MAP = """\
version: 1
name: x
grid: {columns: 3, rows: 2}
default_terrain: {kind: clear, source: {person: me}}
terrain:
- {kind: unknown, hexes: ["0101"], source: {person: me}}
- {kind: hill, hexes: ["0201"], source: {person: me}}
"""


def test_a_hex_said_to_be_unknown_is_not_the_default() -> None:
    ground = ground_of(read_map_text(MAP))
    assert [ground.terrain(hex) for hex in ("0101", "0201", "0301")] == [("unknown",), ("hill",), ("clear",)]
    assert not ground.is_known("0101")
    assert ground.is_known("0301")
