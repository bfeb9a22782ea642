"""`hexref map` from end to end: what it writes, what it keeps, and one clear line where the input is bad."""

from __future__ import annotations

import io
import json
import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from small_map import LEGEND, VALLEY, at, put, valley

import cli
from converter.scan.found import Lattice
from converter.scenario import Source, read_folder, read_map, write_map

ROOT = Path(__file__).resolve().parents[3]
Capture = pytest.CaptureFixture[str]


def refused(capsys: Capture, *args: object) -> str:
    """The one line that a bad call or file gets."""
    assert cli.main(["map", "--quiet", *map(str, args)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1, err
    assert "Traceback" not in err
    return err


def done(capsys: Capture, *args: object) -> str:
    assert cli.main(["map", "--quiet", *map(str, args)]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def bomb(path: Path, width: int = 60_000, height: int = 60_000) -> None:
    """A PNG whose header promises more than its few bytes hold."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(b"\0" * 100)), (b"IEND", b"")]
    data = b"".join(struct.pack(">I", len(b)) + k + b + struct.pack(">I", zlib.crc32(k + b)) for k, b in chunks)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + data)


def cut_off(path: Path, format: str) -> None:
    whole = io.BytesIO()
    Image.fromarray(valley().picture).save(whole, format)
    path.write_bytes(whole.getvalue()[: len(whole.getvalue()) // 2])


BAD_IMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "text.png": (lambda path: path.write_text("hello"), "not an image"),
    "empty.png": (lambda path: path.write_bytes(b""), "not an image"),
    "map.pdf": (lambda path: path.write_bytes(b"%PDF-1.7\n"), "a PDF; save the page as PNG or JPEG first"),
    "photo.heic": (lambda path: path.write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0"), "save it as JPEG first"),
    "pixel.png": (lambda path: Image.new("RGB", (1, 1)).save(path), "1 x 1 pixels is too small"),
    "thread.png": (lambda path: Image.new("RGB", (1, 4000)).save(path), "1 x 4000 pixels is too small"),
    "white.png": (lambda path: Image.new("1", (300, 300), 1).save(path), "no hex grid found"),
    "bomb.png": (bomb, "too large"),
    "wide.png": (lambda path: bomb(path, 40_000, 100), "too large"),
    "cut.png": (lambda path: cut_off(path, "PNG"), "the image is damaged"),
    "cut.jpg": (lambda path: cut_off(path, "JPEG"), "the image is damaged"),
    "broken.tif": (lambda path: path.write_bytes(b"II*\0\xff\xff\xff\xff"), "not an image"),
    "folder.png": (lambda path: path.mkdir(), "not a file"),
    "nowhere.png": (lambda path: None, "there is no such file"),
}


@pytest.mark.parametrize("name", BAD_IMAGES)
def test_a_bad_image_is_told_in_one_line(tmp_path: Path, capsys: Capture, name: str) -> None:
    make, said = BAD_IMAGES[name]
    make(tmp_path / name)
    assert said in refused(capsys, tmp_path / name, "-o", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_no_grid_tells_a_way_on(tmp_path: Path, capsys: Capture) -> None:
    chance = np.random.default_rng(1)
    Image.fromarray(chance.integers(0, 255, (300, 400, 3), dtype=np.uint8)).save(tmp_path / "noise.png")
    assert "point at two or three far apart: --at 0101=" in refused(capsys, tmp_path / "noise.png", "--grid-only")


def saved_as(mode: str, path: Path) -> None:
    """The print in another kind of image file."""
    sheet = Image.fromarray(valley().picture)
    if mode == "animated":
        sheet.save(path, save_all=True, append_images=[Image.new("RGB", sheet.size)], duration=100)
    elif mode == "16-bit":
        Image.fromarray(np.asarray(sheet.convert("L")).astype(np.uint16) * 257).save(path)
    elif mode == "turned":
        exif = Image.Exif()
        exif[0x0112] = 6
        sheet.rotate(90, expand=True).save(path, exif=exif, quality=95)
    elif mode == "clear palette":
        sheet.quantize(64).save(path, transparency=63)
    else:
        sheet.convert(mode).save(path)


@pytest.mark.parametrize(
    ("mode", "name"),
    [
        ("RGBA", "x.png"), ("LA", "x.png"), ("L", "x.png"), ("P", "x.png"), ("1", "x.tif"), ("CMYK", "x.tif"),
        ("16-bit", "x.png"), ("animated", "x.gif"), ("animated", "x.webp"), ("clear palette", "x.png"),
        ("turned", "x.jpg"),
    ],
)  # fmt: skip
def test_every_kind_of_image_gives_the_same_grid(tmp_path: Path, capsys: Capture, mode: str, name: str) -> None:
    saved_as(mode, tmp_path / name)
    found = json.loads(done(capsys, tmp_path / name, "--grid-only", "--json"))
    it = valley().map
    assert it.picture is not None
    assert it.layout is not None
    assert (found["dx"], found["dy"]) == pytest.approx((it.picture.dx, it.picture.dy), rel=0.005)
    lattice = Lattice(*(found[key] for key in ("dx", "dy", "x0", "y0", "sideways", "rotation")))
    centres = lattice.centres(it.picture.width, it.picture.height)
    for number in ("0101", "1205", "0809"):  # the same pixels, as a viewer shows the picture
        assert np.hypot(*(centres - it.layout.centre(it.grid.hex(number))).T).min() < 0.7


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the command makes of the small map."""
    folder = tmp_path_factory.mktemp("scanned")
    image, config = put(folder)
    call = ["map", "-q", str(image), "--config", str(config), *at("0101"), "-o", str(folder / "out")]
    assert cli.main(call) == 0
    return folder / "out"


def test_a_whole_map(scanned: Path) -> None:
    it, truth = read_folder(scanned).map, valley().map
    assert sorted(path.name for path in scanned.iterdir()) == ["images", "map.yaml", "overlay.png", "review.html"]
    assert it.grid.numbers == truth.grid.numbers
    wrong = [n for n in it.grid.numbers if it.terrain(n) != truth.terrain(n)]
    assert len(wrong) <= 2, wrong
    assert it.picture is not None
    with Image.open(scanned / str(it.picture.image)) as picture:
        assert picture.size == (it.picture.width, it.picture.height)
    x, y = it.layout.centre(it.grid.hex("0101")) if it.layout else (0, 0)
    assert it.hex_at(x, y) == "0101"


def test_a_hex_of_the_call_goes_before_the_same_hex_of_the_legend(tmp_path: Path, capsys: Capture) -> None:
    image, config = put(tmp_path, LEGEND.replace("rows: 9", 'rows: 9, at: {"0101": [300, 300]}'))
    done(capsys, image, "--config", config, *at("0101"), "-o", tmp_path / "out")
    assert read_map(tmp_path / "out" / "map.yaml").terrain("0102") == "sea"


def test_from_goes_on_and_keeps_what_others_say(scanned: Path, tmp_path: Path, capsys: Capture) -> None:
    """As on a module's board: grid and picture are known, some facts too; the legend tells the rest."""
    it = read_map(scanned / "map.yaml")
    us, rule = Source("person", "us"), Source("rule", "3.1")
    kept = (
        replace(it.terrains[0], kinds=("marsh",), hexes=("0505",), source=us),
        replace(it.terrains[0], kinds=("swamp",), hexes=("0604",), source=rule),
    )
    nothing = replace(it.hexsides[0], kind="none", between=(("0506", "0606"),), source=us)
    board = replace(it, name="board", terrains=kept, hexsides=(nothing,), all_links=(), notes=())
    (tmp_path / "images").mkdir()
    Image.fromarray(valley().picture).save(tmp_path / "images" / "board.png")
    assert it.picture is not None
    board = replace(board, picture=replace(it.picture, image="images/board.png"))
    write_map(board, tmp_path / "map.yaml")
    (tmp_path / "legend.yaml").write_text(LEGEND, encoding="utf-8")
    before = (tmp_path / "images" / "board.png").read_bytes()
    told = json.loads(done(capsys, "--from", tmp_path, "--config", tmp_path / "legend.yaml", "--json"))
    assert told["hexes"] == 108
    after = read_folder(tmp_path).map
    assert (after.name, after.picture, after.grid) == ("board", board.picture, board.grid)
    assert (after.terrain("0505"), after.terrain("0604"), after.terrain("0102")) == ("marsh", "swamp", "sea")
    assert after.terrain_source("0505") == us
    assert after.hexside_features("0506", "0606") == frozenset()  # a person says that nothing is there
    assert after.hexside_features("0505", "0605") == {"river"}
    assert after.links("0608", "0708") == {"road"}
    assert sorted(path.name for path in (tmp_path / "images").iterdir()) == ["board.png"]
    assert (tmp_path / "images" / "board.png").read_bytes() == before
    again = (tmp_path / "map.yaml").read_text(encoding="utf-8")
    done(capsys, "--from", tmp_path, "--config", tmp_path / "legend.yaml")  # a second time changes nothing
    assert (tmp_path / "map.yaml").read_text(encoding="utf-8") == again
    done(capsys, "--from", tmp_path)  # and without a legend it stays as it is
    assert (tmp_path / "map.yaml").read_text(encoding="utf-8") == again
    elsewhere = tmp_path / "elsewhere"
    done(capsys, "--from", tmp_path, "-o", elsewhere)
    moved = read_folder(elsewhere).map
    assert (moved.terrains, moved.all_links) == (after.terrains, after.all_links)
    assert (elsewhere / "images" / "map.jpg").exists()


def test_from_takes_one_of_several_maps(scanned: Path, tmp_path: Path, capsys: Capture) -> None:
    it = read_map(scanned / "map.yaml")
    assert it.picture is not None
    (tmp_path / "images").mkdir()
    Image.fromarray(valley().picture).save(tmp_path / "images" / "north.png")
    write_map(replace(it, picture=replace(it.picture, image="images/north.png")), tmp_path / "map-north.yaml")
    assert "review-north.html" in done(capsys, "--from", tmp_path / "map-north.yaml")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "images", "map-north.yaml", "overlay-north.png", "review-north.html",
    ]  # fmt: skip


def test_a_persons_work_is_not_overwritten(scanned: Path, tmp_path: Path, capsys: Capture) -> None:
    image, config = put(tmp_path)
    it = read_map(scanned / "map.yaml")
    corrected = replace(it.terrains[0], hexes=it.terrains[0].hexes[:1], source=Source("person", "me"))
    write_map(replace(it, terrains=(corrected,)), tmp_path / "out" / "map.yaml")
    said = refused(capsys, image, "--config", config, "-o", tmp_path / "out")
    assert "a person made 1 of its entries" in said
    assert f"--from {tmp_path / 'out'}" in said
    (tmp_path / "out" / "map.yaml").write_text("my notes", encoding="utf-8")
    assert "not a map that hexref wrote" in refused(capsys, image, "-o", tmp_path / "out")
    assert (tmp_path / "out" / "map.yaml").read_text(encoding="utf-8") == "my notes"


BAD_LEGENDS = {
    "off the map": (LEGEND.replace('"0102"', '"9901"'), "legend.yaml:5: hex '9901' is not on the map"),
    "unknown key": (LEGEND + "colour: red\n", "legend.yaml:11: colour: 'colour' is not known here; expected one of"),
    "unknown key within": (LEGEND.replace("sea: {hexes", "sea: {hex"), "legend.yaml:5: terrain, sea, hex: 'hex' is"),
    "empty file": ("", "legend.yaml:1: expected a mapping, found nothing"),
    "empty": ("version: 1\nterrain: {}\n", "legend.yaml:1: the legend is empty"),
    "no example": (LEGEND.replace('{hexes: ["0702", "0803", "0905", "1102"]}', "{}"), "woods has no example"),
    "no quotes": (LEGEND.replace('"0102"', "0102"), "terrain, sea, hexes 1: expected a hex number, in quotes, found"),
    "another version": (LEGEND.replace("version: 1", "version: 9"), "legend.yaml:1: version: expected 1, found 9"),
    "roads that jump": (LEGEND.replace('"0708", "0807"', '"0708", "1201"'), "0708 and 1201 do not touch"),
    "lines alone": ("version: 1\ngrid: {}\nlines: {road: {across: [[A1, A2]]}}\n", "'terrain' is missing"),
    "too many columns": (LEGEND.replace("columns: 12", "columns: 300"), "300 columns and 9 rows do not fit on the"),
    "bad format": (LEGEND.replace("rows: 9", 'rows: 9, format: "{x}"'), "legend.yaml:3: number format '{x}' needs"),
    "a point off the map": (LEGEND.replace("woods: {", "woods: {points: [[9999, 3]], "), "at pixel 9999,3"),
    "absent off the map": (LEGEND.replace("rows: 9", 'rows: 9, absent: ["7777"]'), "legend.yaml:3: hex '7777'"),
    "not YAML": ("{", "legend.yaml:1: not YAML"),
    "not text": ("\0", "not YAML"),
}


@pytest.mark.parametrize("name", BAD_LEGENDS)
def test_a_bad_legend_is_told_with_its_line(tmp_path: Path, capsys: Capture, name: str) -> None:
    text, said = BAD_LEGENDS[name]
    image, config = put(tmp_path, text)
    assert said in refused(capsys, image, "--config", config, *at("0101"), "-o", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_bad_call_is_told(tmp_path: Path, capsys: Capture) -> None:
    image, _ = put(tmp_path)
    (tmp_path / "file").write_text("x")
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "map.yaml").write_text(VALLEY, encoding="utf-8")
    for call, said in (
        ([image], "-o DIR is needed"),
        ([], "-o DIR is needed"),
        (["-o", tmp_path / "out"], "an image is needed"),
        ([image, "-o", tmp_path / "file"], "not a folder"),
        ([image, "-o", tmp_path / "file" / "deep"], "not a folder"),
        ([image, "-o", tmp_path / "out", "--at", "0101"], "--at 0101: wanted is a hex number and its middle"),
        ([image, "-o", tmp_path / "out", "--at", "0101=1,2,3"], "--at 0101=1,2,3: wanted is"),
        ([image, "-o", tmp_path / "out", "--at", "?=1,2"], "cannot tell column from row"),
        ([image, "-o", tmp_path / "out", *at("0101"), "--at", "0101=300,300"], "at least two different hexes"),
        ([image, "-o", tmp_path / "out", "--config", tmp_path / "none.yaml"], "none.yaml: No such file"),
        (["--from", tmp_path / "none"], "there is no such folder"),
        (["--from", tmp_path], "there is no map.yaml in this folder"),
        (["--from", tmp_path / "bare"], "no 'picture' tells where the grid lies"),
        ([image, "--grid-only", "--serve"], "leave --grid-only out"),
        ([image, "--rectify", tmp_path / "flat.xyz"], "flat.xyz: cannot be written"),
        ([image, "--rectify", tmp_path / "none" / "flat.png"], "No such file or directory"),
    ):
        assert said in refused(capsys, *call), call
    assert not (tmp_path / "out").exists()


def test_a_folder_that_may_not_be_written_to(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    image, _ = put(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # the tests may run as root, whom nothing holds back
    assert f"{tmp_path}: may not be written to" in refused(capsys, image, "-o", tmp_path / "locked")


def test_a_file_in_the_way_of_the_result(tmp_path: Path, capsys: Capture) -> None:
    image, _ = put(tmp_path)
    (tmp_path / "out" / "review.html").mkdir(parents=True)
    assert "review.html: a folder is in the way" in refused(capsys, image, *at("0101"), "-o", tmp_path / "out")
    assert not (tmp_path / "out" / "map.yaml").exists()


def test_a_port_is_a_number(tmp_path: Path) -> None:
    call = [sys.executable, str(ROOT / "cli.py"), "map", "x.png", "--serve", "--port", "70000"]
    told = subprocess.run(call, capture_output=True, text=True)
    assert (told.returncode, told.stderr.count("\n")) == (2, 1)
    assert "'70000' is no port; expected 0 to 65535" in told.stderr
