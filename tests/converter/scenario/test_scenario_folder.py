"""A whole scenario folder: units and set-up too, and the loose ends between the files."""

from __future__ import annotations

from pathlib import Path

import pytest

from converter.errors import BadInput
from converter.scenario import folder_problems, read_folder, write_folder

MAP = """\
version: 1
name: ridge
grid: {columns: 5, rows: 5}
regions: [{name: Camp, kind: set-up, hexes: ["0101"], source: {rule: "3.1"}}]
boxes: [{name: Japan, kind: holding, source: {rule: "3.2"}}]
"""
UNITS = """\
version: 1
game: practice
sides:
  - {name: Blue, colour: "#3355aa", ink: "#ffffff"}
  - {name: Red}
units:
  - id: 1/7
    name: 1st Battalion, 7th Infantry
    side: Blue
    type: infantry
    class: leg
    size: battalion
    formation: 7th Infantry
    steps: 2
    front: {factors: {attack: 5, defense: 6, move: 4}, image: images/1-7.png}
    back: {factors: {attack: 2, defense: 3, move: null}}
    extra: {morale: A, elite: true}
    source: {rule: "27.0"}
  - {id: dummy, side: Red, kind: marker, count: 6, source: {module: ridge.vmod}}
"""
SETUP = """\
version: 1
game: practice
scenario: dawn
map: ridge
turns: 8
sides: [Red, Blue]
placements:
  - {unit: 1/7, hex: "0203", source: {rule: "27.1"}}
  - {unit: 1/7, action: reinforcement, turn: 3, hexes: ["0101", "0102"], face: back, source: {rule: "27.2"}}
  - {unit: dummy, count: 2, near: "0303", within: 2, source: {rule: "27.3"}}
  - {unit: dummy, region: Camp, source: {rule: "27.4"}}
  - {unit: 1/7, action: withdrawal, turn: 5, box: Japan, source: {rule: "27.5"}, note: by sea}
notes: [{text: Red sets up last., source: {rule: "27.0"}}]
"""


def folder(path: Path, units: str = UNITS, setup: str = SETUP) -> Path:
    for name, text in (("map.yaml", MAP), ("units.yaml", units), ("setup.yaml", setup)):
        (path / name).write_text(text, encoding="utf-8")
    return path


def test_a_folder_is_read_and_written_back_the_same(tmp_path: Path) -> None:
    ridge = read_folder(folder(tmp_path))
    assert ridge.units is not None
    assert ridge.setup is not None
    battalion = ridge.units.unit("1/7")
    assert battalion is not None
    assert battalion.front.factor("attack") == 5
    assert battalion.back is not None
    assert battalion.back.factor("move") is None
    assert ridge.units.unit("2/7") is None
    assert ridge.setup.placements[1].hexes == ("0101", "0102")
    write_folder(ridge, tmp_path / "copy")
    assert read_folder(tmp_path / "copy") == ridge
    text = (tmp_path / "copy" / "units.yaml").read_text(encoding="utf-8")
    write_folder(read_folder(tmp_path / "copy"), tmp_path / "copy")
    assert (tmp_path / "copy" / "units.yaml").read_text(encoding="utf-8") == text
    assert sorted(path.name for path in (tmp_path / "copy").iterdir()) == ["map.yaml", "setup.yaml", "units.yaml"]


def test_a_second_map_is_a_file_of_its_own(tmp_path: Path) -> None:
    folder(tmp_path)
    (tmp_path / "map-annex.yaml").write_text(MAP.replace("ridge", "annex"), encoding="utf-8")
    ridge = read_folder(tmp_path)
    assert [sheet.name for sheet in ridge.maps] == ["ridge", "annex"]
    write_folder(ridge, tmp_path / "copy")
    assert read_folder(tmp_path / "copy") == ridge


def test_a_map_alone_is_a_folder_too(tmp_path: Path) -> None:
    (tmp_path / "map.yaml").write_text(MAP, encoding="utf-8")
    assert read_folder(tmp_path).units is None


@pytest.mark.parametrize(
    ("old", "new", "where", "what"),
    [
        ("id: dummy", "id: 1/7", "units.yaml:19", "the id '1/7' is used twice"),
        ("side: Red, kind", "side: Green, kind", "units.yaml:19", "side 'Green' is not listed"),
        ("steps: 2", "steps: two", "units.yaml:14", "expected a whole number"),
        ('"#3355aa"', "blue", "units.yaml:4", "a colour like #1a2b3c"),
        ("unit: dummy, region", "unit: decoy, region", "setup.yaml:11", "unit 'decoy' is not in units.yaml"),
        ('hex: "0203"', 'hex: "0903"', "setup.yaml:8", "hex '0903' is on no map"),
        ("region: Camp", "region: Tent", "setup.yaml:11", "region 'Tent' is on no map"),
        ("box: Japan", "box: Moon", "setup.yaml:12", "box 'Moon' is on no map"),
        ("turn: 5", "turn: 9", "setup.yaml:12", "turn 9 is after the last turn, 8"),
        ("turn: 3, ", "", "setup.yaml:9", "needs its 'turn'"),
        ('hex: "0203"', 'hex: "0203", box: Japan', "setup.yaml:8", "exactly one of hex, hexes, near and within"),
    ],
)
def test_loose_ends_and_mistakes(tmp_path: Path, old: str, new: str, where: str, what: str) -> None:
    assert old in UNITS + SETUP
    found = folder_problems(folder(tmp_path, UNITS.replace(old, new, 1), SETUP.replace(old, new, 1)))
    assert [(Path(problem.where).name, what in problem.what) for problem in found] == [(where, True)]


def test_no_folder_and_no_map(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such folder"):
        read_folder(tmp_path / "none")
    with pytest.raises(BadInput, match=r"no map\.yaml"):
        read_folder(tmp_path)
    (tmp_path / "map.yaml").write_text("a: [", encoding="utf-8")
    with pytest.raises(BadInput, match=r"map\.yaml:1: not YAML"):
        read_folder(tmp_path)
