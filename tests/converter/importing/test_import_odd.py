"""Odd modules and saves: each is a sound folder that builds again, and what could not be kept is told."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from odd_modules import (
    GRID,
    PICTURES,
    PNG,
    board,
    build_file,
    hex_grid,
    pack,
    part,
    save,
    setup,
    slot,
    zone,
    zoned,
)

from cli import main
from converter.importing import import_file, run_import
from converter.importing.command import REPORT
from converter.importing.pictures import LONGEST, fit_file_name
from converter.scenario import ScenarioFolder, read_folder
from converter.vassal.export.command import run_build

LONG = "x" * 300
INF = "+/1/piece;;;inf.png;Inf/Main;100;90;1;0"
ON_BOARD = "MainBoardPicker\tBoard\t0\t0"


def again(module: Path, *told: str) -> ScenarioFolder:
    """Import it, read the folder, build a module of it; the report tells these words."""
    folder = module.parent / "folder"
    run_import(module, folder)
    report = (folder / REPORT).read_text(encoding="utf-8")
    for words in told:
        assert words in report
    run_build(str(folder), module.parent / "again.vmod")
    return read_folder(folder)


@pytest.mark.parametrize("sides", [(), ("",), (LONG, "Blue"), ("Red", "Red"), ("강" * 120,), ("a\tb",)])
def test_sides_of_every_kind(sides: tuple[str, ...], tmp_path: Path) -> None:
    read = again(pack(tmp_path / "m.vmod", build_file(sides=sides)))
    assert read.units
    assert [side.name for side in read.units.sides][: len({*sides} - {""})] == [
        side[:100] for side in dict.fromkeys(sides) if side
    ]


@pytest.mark.parametrize(
    ("grid", "told"),
    [
        (hex_grid("0", "0"), "is no distance between"),
        (hex_grid("-5", "10"), "is no distance between"),
        (hex_grid("NaN", "Infinity"), "is not readable"),
        (hex_grid("50", "60", "99999999", "-99999999"), "numbered by column and row"),
        (hex_grid("90000", "90000"), "no hexes on the board"),
        (f'<{GRID}SquareGrid dx="0" dy="10" x0="0" y0="0"/>', "is no distance between"),
        (f'<{GRID}SquareGrid dx="20000" dy="10" x0="0" y0="0"/>', "too large or too far off"),
        (f'<{GRID}SquareGrid dx="20" dy="10" x0="0" y0="-200000"/>', "too large or too far off"),
        (f'<{GRID}RegionGrid><{GRID}Region name="{LONG}" originx="999999" originy="-9"/></{GRID}RegionGrid>', ""),
        (zoned(""), ""),
        (zoned(zone(path="")), "no area"),
        (zoned(zone(path="a,b;c")), "no area"),
        (zoned(zone() + zone() + zone(name="")), "no name of its own"),
        (zoned(zone(name=LONG) + zone(name=LONG + "y")), "no name of its own"),
        (zoned(zone(hex_grid("20", "20"), name="inner") + hex_grid("30", "30")), "its own grid is not kept"),
        (zoned(zone(zoned(zone(hex_grid("20", "20"))), name="outer")), "a zoned grid within a zone is not kept"),
        (zoned(zone(path="0,0;100,100;100,0;0,100")), ""),
    ],
)
def test_grids_of_every_kind(grid: str, told: str, tmp_path: Path) -> None:
    again(pack(tmp_path / "m.vmod", build_file(boards=board(grid=grid))), told)


@pytest.mark.parametrize(
    "boards",
    [
        board() + board(),
        board(name=""),
        board(name=LONG),
        board(image="none.png"),
        board(image="bad.png"),
        board(image=""),
        board(image="", more='width="-5" height="9"'),
        board(image="", more='width="2000000000" height="2000000000"'),
    ],
)
def test_boards_of_every_kind(boards: str, tmp_path: Path) -> None:
    again(pack(tmp_path / "m.vmod", build_file(boards=boards), {**PICTURES, "images/bad.png": b"no picture"}))


def test_hexes_too_small_to_build_have_numbers_of_their_own(tmp_path: Path) -> None:
    run_import(pack(tmp_path / "m.vmod", build_file(boards=board(grid=hex_grid("3", "3")))), tmp_path / "folder")
    assert read_folder(tmp_path / "folder").map.grid.numbers[:2] == ("001001", "001002")
    assert main(["build", str(tmp_path / "folder"), "-o", str(tmp_path / "again.vmod")]) == 2


def test_a_module_without_any_picture(tmp_path: Path) -> None:
    again(pack(tmp_path / "m.vmod", build_file(), {}), "size unknown", "pictures that are missing (1): 'inf.png'")


@pytest.mark.parametrize("name", [LONG, "a/b", "강 😀", " lead ", "CON", "", "\u202e", '"', "x" * 99 + "😀" * 9])
def test_counters_of_every_name(name: str, tmp_path: Path) -> None:
    read = again(pack(tmp_path / "m.vmod", build_file(slot(name) + slot(name, "none.png", "2"))))
    assert read.units
    assert len({unit.id for unit in read.units.units}) == 2


def test_markers_of_every_kind(tmp_path: Path) -> None:
    marks = {"Side": " ", "Formation": "F\nx", LONG: "a", LONG + "y": "b", "Factors": "a||b", "No\nte": "v" * 5000}
    read = again(pack(tmp_path / "m.vmod", build_file(slot(marks=marks))))
    assert read.units
    assert read.units.units[0].side == "Army"


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("aux.png", "_aux.png"),
        ("CON", "_CON"),
        ("nul.tar.gif", "_nul.tar.gif"),
        ("a:b?.png", "a_b_.png"),
        ("trail.", "trail._"),
        ("space ", "space _"),
        ("강.png", "강.png"),
        (".hidden", ".hidden"),
        (LONG + ".png", "x" * (LONGEST - 4) + ".png"),
        ("강" * 100 + ".png", "강" * 65 + ".png"),
    ],
)
def test_pictures_of_every_name(name: str, kept: str, tmp_path: Path) -> None:
    pack(tmp_path / "m.vmod", build_file(slot(image=name)), {"images/map.png": PNG, f"images/{name}": PNG})
    read = again(tmp_path / "m.vmod")
    assert read.units
    assert read.units.units[0].front.image == f"images/{kept}"
    assert (tmp_path / "folder/images" / kept).read_bytes() == PNG
    assert fit_file_name(kept) == kept


def test_pictures_that_some_disks_take_for_the_same(tmp_path: Path) -> None:
    names = ["A.png", "a.PNG", "é.png", "e\u0301.png"]
    slots = "".join(slot(str(i), name, str(i)) for i, name in enumerate(names))
    pack(tmp_path / "m.vmod", build_file(slots), {"images/map.png": PNG, **{f"images/{name}": PNG for name in names}})
    read = again(tmp_path / "m.vmod")
    assert read.units
    assert [unit.front.image for unit in read.units.units] == [
        "images/A.png", "images/2-a.PNG", "images/é.png", "images/2-e\u0301.png",
    ]  # fmt: skip


def test_what_is_no_picture_is_told(tmp_path: Path) -> None:
    pack(tmp_path / "m.vmod", build_file(), {"images/map.png": PNG, "images/inf.png": b"oops"})
    again(tmp_path / "m.vmod", "is no picture that can be shown (1): picture 'inf.png'")


def test_set_ups_of_one_name(tmp_path: Path) -> None:
    files = {**PICTURES, "a.vsav": save(INF, ON_BOARD), "bad.vsav": b"PK no zip"}
    titles = ["One", "One", "", LONG, LONG + "y", "At start"]
    setups = "".join(setup(title, "a.vsav") for title in titles) + setup("Bad", "bad.vsav") + setup("Gone", "no.vsav")
    read = again(
        pack(tmp_path / "m.vmod", build_file(more=setups), files),
        "bad.vsav: is not a VASSAL file",
        "its file 'no.vsav' is missing",
    )
    assert str(tmp_path) not in (tmp_path / "folder" / REPORT).read_text(encoding="utf-8")
    assert [setup.title for setup in read.setups] == [
        "One", "One (2)", "a-vsav", LONG[:200], f"{LONG[:192]} (2)", "At start",
    ]  # fmt: skip
    assert all([place.hex for place in setup.placements] == ["0302"] for setup in read.setups)


def test_dice_decks_and_charts_of_every_kind(tmp_path: Path) -> None:
    dice = [("d" * 200, "2", "6"), ("d" * 200 + "x", "2", "6"), ("many", "999999999", "6"), ("big", "2", "2000000000")]
    more = "".join(part("module.DiceButton", name=name, nDice=count, nSides=sides) for name, count, sides in dice)
    charts = "".join(part("widget.Chart", chartName=name, fileName="map.png") for name in (LONG, LONG + "y", ""))
    decks = "".join(
        part("module.map.DrawPile", slot(f"card {i}", gpid=f"c{i}"), name=name, x="5", y="5")
        for i, name in enumerate(("", "", LONG, LONG, "A", "A", "A (2)"))
    )
    text = build_file(in_map=decks, more=more + part("module.ChartWindow", charts, name="Charts"))
    read = again(pack(tmp_path / "m.vmod", text), "has no plain dice, or no name of its own (3)")
    assert read.play
    assert len(read.play.cups) == 7
    assert [die.name for die in read.play.dice] == ["d" * 100]


def test_a_save_in_the_module_that_names_nothing_known(tmp_path: Path) -> None:
    odd = [
        "+/1/piece;;;;/Main;x;y;;",
        "+/2//",
        "+/3/mark;a",
        "+/4/stack/Main;5",
        "+/6/piece;;;;Other/No Such Map;5;5;9;0",
    ]
    files = {**PICTURES, "a.vsav": save(*odd)}
    again(pack(tmp_path / "m.vmod", build_file(more=setup("A", "a.vsav")), files), "a piece of unknown kind")


@pytest.mark.parametrize("name", ["m.vmdx", "m.mod", "no ending"])
def test_endings_do_not_matter(name: str, tmp_path: Path) -> None:
    assert len(again(pack(tmp_path / name, build_file())).map.grid) == 40


def test_an_unpacked_folder(tmp_path: Path) -> None:
    pack(tmp_path / "m.vmod", build_file())
    with zipfile.ZipFile(tmp_path / "m.vmod") as archive:
        archive.extractall(tmp_path / "unpacked")
    assert again(tmp_path / "unpacked").units == import_file(tmp_path / "unpacked").scenario.units


def test_decks_of_a_save_are_cups(tmp_path: Path) -> None:
    """With what is in them, but not in which order."""
    deck = "+/9/deck;true;0,0,0;40;40;Always;Always;true;true;true;;;;Draw/Main;9;9;true;4,2,3"
    cards = [f"+/{i}/basicName;{name}\tpiece;;;;/\tMain;9;9;;0" for i, name in ((4, "King"), (2, "Ace"), (3, "Ace"))]
    path = tmp_path / "game.vsav"
    path.write_bytes(save(INF, *cards, deck))
    read = again(path, "its module is not at hand")
    assert read.play
    assert [(cup.name, cup.units) for cup in read.play.cups] == [("Draw", (("Ace", 2), ("King", 1)))]
    assert read.units
    assert [unit.id for unit in read.units.units] == ["Inf", "Ace", "King"]
    assert read.setup
    assert [(place.unit, place.point) for place in read.setup.placements] == [("Inf", (100, 90))]


def test_a_save_of_another_version_of_the_module(tmp_path: Path) -> None:
    module = pack(tmp_path / "m.vmod", build_file(name="New"))
    game = tmp_path / "game.vsav"
    game.write_bytes(save("+/1/piece;;;old.png;Inf/Main;100;90;;0", ON_BOARD))
    with zipfile.ZipFile(game, "a") as archive:
        archive.writestr("moduledata", "<data version='1'><version>1</version><name>Old</name></data>")
    read = import_file(game, module)
    assert read.scenario.units
    assert [unit.id for unit in read.scenario.units.units] == ["Inf"]
    assert "is the module it was played with; 'New' was given (1): 'Old'" in read.notes.lines()


def test_a_board_of_unknown_size_reaches_as_far_as_its_counters(tmp_path: Path) -> None:
    files = {"a.vsav": save("+/1/piece;;;;Inf/Main;5000;90;1;0", ON_BOARD)}
    read = again(pack(tmp_path / "m.vmod", build_file(more=setup("A", "a.vsav")), files))
    assert read.setup
    assert read.setup.placements[0].hex
    assert read.map.picture
    assert (read.map.picture.width, read.map.picture.height) == (5100, 2000)


@pytest.mark.parametrize("out", ["x" * 300, "file/in"])
def test_folders_that_cannot_be(out: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_bytes(b"")
    pack(tmp_path / "m.vmod", build_file())
    assert main(["import", str(tmp_path / "m.vmod"), "-o", str(tmp_path / out)]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert main(["build", "x" * 300, "-o", str(tmp_path / "m2.vmod")]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "m.vmod"]
