"""Mistakes that someone makes who writes a file by hand: each is told so that it can be mended."""

from __future__ import annotations

import pytest

from converter.errors import BadInput, refuse
from converter.scenario.folder import problems_in
from converter.scenario.yaml_reading import read_text

GRID = "version: 1\nname: x\ngrid: {columns: 4, rows: 3}\n"
ME = "source: {person: me}"
UNITS = "version: 1\nunits:\n"
SETUP = "version: 1\nplacements:\n"
KINDS = "a word in small letters, or a list of those it may be"


def terrain(kind: str, hexes: str, source: str = ME) -> str:
    return f"{GRID}terrain:\n- kind: {kind}\n  hexes: {hexes}\n  {source}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "map.yaml:1: expected a mapping, found nothing"),
        ("- x", "map.yaml:1: expected a mapping, found a list"),
        ("name: x\n", "map.yaml:1: 'version' is missing (and 1 more)"),
        (GRID.replace("version: 1", "version: 2"), "map.yaml:1: version: expected 1, found 2"),
        (GRID.replace("rows: 3", "rows: many"), 'map.yaml:3: grid, rows: expected a whole number, found "many"'),
        (GRID + "terrian: []", "map.yaml:4: terrian: 'terrian' is not known here; did you mean 'terrain'?"),
        (GRID + "x: []", "map.yaml:4: x: 'x' is not known here; expected one of version, name, title,"),
        (GRID + "terrain:\n", "map.yaml:4: terrain: expected a list, found nothing"),
        (terrain("clear", "[0101]"), "map.yaml:6: terrain 1, hexes 1: expected a hex number, in quotes, found 101"),
        (terrain("clear", "'0101'"), 'hexes: expected a list of hexes such as ["0101", "0301..0305"], found "0101"'),
        (terrain("Clear", "['0101']"), f'map.yaml:5: terrain 1, kind: expected {KINDS}, found "Clear"'),
        (terrain("clear", "['0109']"), "map.yaml:6: hex '0109' is not on the grid; expected 0101 to 0403"),
        (
            terrain("clear", "['0101']", "source: me"),
            'map.yaml:7: terrain 1, source: expected a source such as {rule: "18.0"} or {person: Anna}, found "me"',
        ),
        (terrain("clear", "['0101']", "note: x"), "map.yaml:5: terrain 1: 'source' is missing"),
        (terrain("clear", "['0101']", "source: {rule: 18.0}"), "source, rule: expected text, in quotes, found 18.0"),
        (
            GRID + f"hexsides: [{{kind: river, between: ['0101', '0102'], {ME}}}]",
            'hexsides 1, between 1: expected two hexes such as ["0101", "0102"], found "0101"',
        ),
        (GRID + f"links: [{{kind: road, {ME}}}]", "map.yaml:4: links 1: expected exactly one of path, route"),
        (GRID + f"links: [{{kind: road, path: ['0101', '0303'], {ME}}}]", "0101 and 0303 do not touch"),
        (GRID + "picture: {width: 9, height: 9}", "map.yaml:4: picture: 'dx' is missing (and 3 more)"),
        (GRID + "\tname: y", "map.yaml:4: not YAML: a tab; YAML is indented with spaces"),
        (GRID + "title: Korea: the war", "map.yaml:4: not YAML: a second ': ' where none can be"),
        (GRID + "name: y", "map.yaml:4: 'name' is given twice"),
        (GRID + "notes: &a []", "map.yaml:4: an anchor ('&')"),
    ],
)
def test_map(text: str, said: str) -> None:
    assert said in _told("map", text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (UNITS + f"- {{id: 12, side: Red, {ME}}}", "units.yaml:3: units 1, id: expected text, in quotes, found 12"),
        (UNITS + f"- {{side: Red, {ME}}}", "units.yaml:3: units 1: 'id' is missing"),
        (UNITS + f"- {{id: a, side: Red, front: {{attack: 5}}, {ME}}}", "expected one of factors, text, image"),
        (UNITS + f"- {{id: a, side: Red, {ME}}}\n" * 2, "units.yaml:4: "),
        ("version: 1\nsides: [{name: B, colour: blue}]\nunits: []", "colour: expected a colour like #1a2b3c, found"),
        (f"version: 1\nsides: [{{name: B}}]\nunits: [{{id: a, side: R, {ME}}}]", "side 'R' is not listed"),
    ],
)
def test_units(text: str, said: str) -> None:
    assert said in _told("units", text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SETUP + f"- {{unit: a, hex: 0101, {ME}}}", "placements 1, hex: expected a hex number, in quotes, found 101"),
        (SETUP + f"- {{unit: a, {ME}}}", "setup.yaml:3: placements 1: expected exactly one of hex, hexes,"),
        (SETUP + f"- {{unit: a, hex: '0101', face: up, {ME}}}", 'face: expected one of front, back, found "up"'),
        (SETUP + f"- {{unit: a, hex: '0101', action: arrive, {ME}}}", "expected one of set-up,"),
        (SETUP + f"- {{unit: a, hex: '0101', action: withdrawal, {ME}}}", "a withdrawal needs its 'turn'"),
        ("version: 1\nplacements: none", 'setup.yaml:2: placements: expected a list, found "none"'),
    ],
)
def test_setup(text: str, said: str) -> None:
    assert said in _told("setup", text)


def _told(kind: str, text: str) -> str:
    with pytest.raises(BadInput) as told:
        refuse(problems_in(read_text(text, f"{kind}.yaml"), kind))
    return str(told.value)
