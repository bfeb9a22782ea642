"""Scanned sheets cut: our own sheets, drawn, worn and cut again, so that every counter's true place is known."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from cli import main
from converter.counters import draw, theme_of
from converter.counters.pages import INCH, Page, Paper, pages
from converter.counters.pieces import unit_pieces
from converter.counters.pixels import page_image
from converter.errors import BadInput
from converter.scan.degrade import Scan, Wear, degrade
from converter.scan.picture import Picture, read_picture
from converter.scan.sheet.alike import is_blank, same_as
from converter.scan.sheet.blocks import Block
from converter.scan.sheet.config import read_config
from converter.scan.sheet.cut import CutOptions, cut_sheet
from converter.scan.sheet.doubts import doubts
from converter.scan.sheet.find import find_counters, listed
from converter.scan.sheet.naming import read_names
from converter.scenario import Face, Side, Source, Unit, UnitsFile, write_units

SOURCE = Source("person", "a test")
TYPES = (
    "infantry", "armor", "artillery", "mechanized-infantry", "marine-infantry", "airborne-infantry", "engineer",
    "reconnaissance", "headquarters", "supply", "anti-tank", "air-defense", "mortar", "cavalry",
)  # fmt: skip
SIZES = ("company", "battalion", "regiment", "brigade", "division")
Array = NDArray[np.float64]


def army(count: int) -> UnitsFile:
    """So many different counters of five nations, in rows of 14."""
    nations = (("UN", "US"), ("UN", "ROK"), ("UN", "CW"), ("NK", "NK"), ("Chinese", "Chinese"))
    units = []
    for i in range(count):
        side, nation = nations[i * 5 // count]
        attack, defense, move = 1 + i * 7 % 11, 1 + i * 5 % 9, 3 + i % 6
        units.append(
            Unit(f"{i + 1}/{nation}", side, SOURCE, nation=nation, type=TYPES[i % 14], size=SIZES[i // 14 % 5], steps=2,
                 front=Face((("attack", attack), ("defense", defense), ("move", move))),
                 back=Face((("attack", attack // 2), ("defense", defense // 2 + 1), ("move", move))))
        )  # fmt: skip
    return UnitsFile(tuple(units), "korean-battles", None, (Side("UN"), Side("NK"), Side("Chinese")))


def scanned(page: Page, dpi: int, wear: Wear) -> Scan:
    return degrade(np.asarray(page_image(page, dpi)), wear)


def true_corners(page: Page, dpi: int, scan: Scan) -> Array:
    """Where each counter of a printed page is on its scan."""
    found = []
    for placed in page.placed:
        x, y, s = (value / INCH * dpi for value in (placed.x, placed.y, placed.size))
        square = np.array([[[x, y], [x + s, y], [x + s, y + s], [x, y + s]]]) - 0.5
        found.append(cv2.perspectiveTransform(square, scan.matrix)[0])
    return np.array(found)


def worst_error(page: Page, dpi: int, scan: Scan) -> float:
    """The largest distance of a found corner from its true place, as a share of a counter; all must be found."""
    found = find_counters(Picture(scan.picture)).cells
    true = true_corners(page, dpi, scan)
    assert len(found) == len(true)
    side = float(np.hypot(*(true[0, 1] - true[0, 0])))
    return max(float(np.hypot(*(cell.corners - place).T).max()) for cell, place in zip(found, true, strict=True)) / side


def similarity(one: Image.Image, other: Image.Image) -> float:
    """Structural similarity (Wang and others 2004) of two pictures in grey."""
    a, b = (np.asarray(image.convert("L"), np.float64) for image in (one, other))

    def soft(values: Array) -> Array:
        return np.asarray(cv2.GaussianBlur(values, (11, 11), 1.5), np.float64)

    ma, mb = soft(a), soft(b)
    va, vb, both = soft(a * a) - ma * ma, soft(b * b) - mb * mb, soft(a * b) - ma * mb
    return float(
        (((2 * ma * mb + 6.5025) * (2 * both + 58.5225)) / ((ma**2 + mb**2 + 6.5025) * (va + vb + 58.5225))).mean()
    )


@pytest.mark.parametrize("rotation", [2, -2])
def test_a_worn_sheet_of_280_is_cut_into_its_280_counters(tmp_path: Path, rotation: int) -> None:
    """300 dpi, turned by 2 degrees, noise, JPEG: each like its source (similarity above 0.9), with its own back."""
    units = army(280)
    front, back = pages(unit_pieces(units), Paper(), "280")
    pictures = [Picture(scanned(page, 300, Wear(rotation=rotation, noise=6, jpeg=80, seed=i)).picture)
                for i, page in enumerate((front, back))]  # fmt: skip
    write_units(units, tmp_path / "units.yaml")
    told = cut_sheet(pictures[0], pictures[1], CutOptions(names=tmp_path / "units.yaml"))
    assert [cut.name for cut in told.cuts] == [unit.id for unit in units.units]
    assert all(cut.first == i and not cut.blank for i, cut in enumerate(told.cuts))
    assert not told.doubts
    theme = replace(theme_of(units), corners=0.0)
    for unit, cut in zip(units.units, told.cuts, strict=True):
        assert similarity(cut.front, draw(unit, theme, cut.front.width).resize(cut.front.size)) > 0.9, unit.id
        assert cut.back is not None
        assert similarity(cut.back, draw(unit, theme, cut.back.width, "back").resize(cut.back.size)) > 0.9, unit.id


@pytest.mark.parametrize(
    ("dpi", "gutter", "wear", "most"),
    [
        (150, 0.0, Wear(), 0.025),
        (150, 0.0, Wear(rotation=-2.5, noise=3, jpeg=85, light=0.3), 0.025),
        (150, 2.0, Wear(rotation=1, noise=3, jpeg=85, light=0.3, seed=3), 0.025),
        (150, 1.0, Wear(rotation=3, noise=3, jpeg=85), 0.06),  # six pixels of gutter: as narrow as can be seen
    ],
)
def test_places_are_found_within_a_few_hundredths_of_a_counter(
    dpi: int, gutter: float, wear: Wear, most: float
) -> None:
    page = pages(unit_pieces(army(130)), Paper(gutter=gutter, margin=12), "p")[0]
    assert worst_error(page, dpi, scanned(page, dpi, wear)) < most


def pasted(
    background: tuple[int, int, int], blocks: list[tuple[int, int, int, int, int, int]], radius: float
) -> Image.Image:
    """Blocks (x, y, columns, rows, side, gutter) of drawn counters on a coloured ground."""
    units = army(200)
    theme = replace(theme_of(units), corners=radius)
    sheet = Image.new("RGB", (900, 900), background)
    number = 0
    for x, y, columns, rows, side, gutter in blocks:
        for row in range(rows):
            for column in range(columns):
                counter = draw(units.units[number % 200], theme, side)
                sheet.paste(counter, (x + column * (side + gutter), y + row * (side + gutter)), counter)
                number += 1
    return sheet


@pytest.mark.parametrize("background", [(90, 120, 160), (255, 255, 255), (20, 20, 20), (200, 60, 50)])
def test_blocks_of_different_counters_on_any_ground(background: tuple[int, int, int]) -> None:
    blocks = [(40, 50, 6, 4, 60, 0), (460, 50, 6, 4, 60, 0), (40, 350, 4, 5, 80, 0), (420, 350, 5, 5, 70, 14)]
    found = find_counters(Picture(np.asarray(pasted(background, blocks, 0.0))))
    assert sorted((b.columns, b.rows) for b in found.blocks) == [(4, 5), (5, 5), (6, 4), (6, 4)]
    assert [(b.columns, b.rows) for b in found.blocks][:2] == [(6, 4), (6, 4)]
    assert found.cells[0].corners[0] == pytest.approx([39.5, 49.5], abs=1)


def test_round_corners_become_transparent_and_square_ones_stay() -> None:
    for radius, expected in ((12.0, 0.12), (0.0, 0.0)):
        sheet = pasted((90, 120, 160), [(40, 40, 6, 6, 100, 12)], radius)
        told = cut_sheet(Picture(np.asarray(sheet)), None, CutOptions())
        assert told.radius == pytest.approx(expected, abs=0.05)
        alpha = np.asarray(told.cuts[0].front)[..., 3]
        assert (alpha[0, 0] == 0) == (radius > 0)
        assert alpha[50, 50] == 255


def test_a_short_last_row_is_no_reason_to_invent_counters() -> None:
    page = pages(unit_pieces(army(60)), Paper(), "p")[0]
    found = find_counters(Picture(np.asarray(page_image(page, 100))))
    assert (len(found.cells), found.cells[-1].row, found.cells[-1].column) == (60, 5, 4)


@pytest.mark.parametrize("turn", ["mirrored", "same", "upside", "turned"])
def test_backs_find_their_fronts_by_colour_however_the_sheet_was_turned(turn: str) -> None:
    """Counters in colours without order: the way the sheet lay is told by them."""
    chance = np.random.default_rng(7)
    front = np.full((500, 620, 3), 250, np.uint8)
    back = front.copy()
    flips = {"mirrored": (-1, 1), "same": (1, 1), "upside": (1, -1), "turned": (-1, -1)}[turn]
    for row in range(4):
        for column in range(5):
            colour = chance.integers(20, 220, 3)
            behind = (column if flips[0] == 1 else 4 - column, row if flips[1] == 1 else 3 - row)
            for sheet, (across, down) in ((front, (column, row)), (back, behind)):
                x, y = 40 + across * 110, 30 + down * 110
                sheet[y : y + 100, x : x + 100] = colour
                sheet[y + 40 : y + 60, x + 20 : x + 30 + 4 * (row * 5 + column) // 2] = 255 - colour
    told = cut_sheet(Picture(front), Picture(back), CutOptions())
    assert told.pairs is not None
    assert (told.pairs.turn, told.pairs.sure) == (turn, True)
    for cut in told.cuts:
        assert cut.back is not None
        assert np.abs(np.asarray(cut.front, int)[10, 10] - np.asarray(cut.back, int)[10, 10]).max() < 25


def test_the_same_counters_are_told_and_a_digit_makes_a_difference() -> None:
    units = army(30)
    theme = theme_of(units)
    one = units.units[3]
    other = replace(one, front=Face((*one.front.factors[:2], ("move", 9))))
    chance = np.random.default_rng(1)

    def worn(unit: Unit, light: float) -> Image.Image:
        pixels = np.asarray(draw(unit, theme, 120).convert("RGB"), np.float64) * light
        return Image.fromarray(np.clip(pixels + chance.normal(0, 5, pixels.shape), 0, 255).astype(np.uint8))

    third = units.units[9]
    seen = [worn(one, 1.0), worn(other, 1.0), worn(one, 0.9), worn(third, 1.0), worn(other, 0.85)]
    assert same_as(seen) == [0, 1, 0, 3, 1]


def test_blanks_are_told() -> None:
    units = army(14)
    plain = draw(replace(units.units[0], steps=1, back=None), theme_of(units), 80, "back")
    assert is_blank(plain)
    assert not is_blank(draw(units.units[0], theme_of(units), 80))


def test_the_token_sheet_of_a_real_module_is_cut_right(shared: Path) -> None:
    """41 tokens a row, 50 full rows and one of 19, each 51 pixels with its frame."""
    picture = read_picture(shared / "corpus" / "sheets" / "longest-day-tokens.png")
    found = find_counters(picture)
    assert [(block.columns, block.rows) for block in found.blocks] == [(41, 51)]
    assert len(found.cells) == 50 * 41 + 19
    for cell in found.cells:
        true = np.array([(cell.column - 0.5) * 51 - 0.5, (cell.row - 0.5) * 51 + 1.5])
        assert np.abs(cell.middle - true).max() < 2.5, cell.place


@pytest.mark.parametrize("what", ["noise", "plain", "one picture", "stripes", "one pixel"])
def test_a_picture_without_counters_is_refused(what: str) -> None:
    chance = np.random.default_rng(3)
    pixels = np.full((600, 700, 3), 200, np.uint8)
    if what == "noise":
        pixels = chance.integers(0, 255, (600, 700, 3)).astype(np.uint8)
    elif what == "one picture":
        pixels[100:400, 100:500] = cv2.resize(chance.integers(0, 255, (5, 6, 3)).astype(np.uint8), (400, 300))
    elif what == "stripes":
        pixels[::50] = 0
    elif what == "one pixel":
        pixels = pixels[:1, :1]
    with pytest.raises(BadInput, match="no counters found"):
        find_counters(Picture(pixels, "x.png"))


def test_a_doubt_is_printed_and_stands_on_the_contact_page_and_in_sheet_yaml(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "only 4 counters were found"
    pasted((90, 120, 160), [(40, 40, 2, 2, 100, 12)], 0.0).save(tmp_path / "scan.png")
    assert cut(tmp_path / "scan.png", tmp_path / "out") == 0
    assert f"in doubt: {said}; look at check/overlay.png" in capsys.readouterr().out
    assert said in (tmp_path / "out" / "check" / "contact.html").read_text(encoding="utf-8")
    config = tmp_path / "out" / "sheet.yaml"
    assert said in config.read_text(encoding="utf-8")
    assert cut(tmp_path / "scan.png", tmp_path / "again", "--config", str(config)) == 0
    assert "in doubt" not in capsys.readouterr().out  # a person has looked at these blocks


@pytest.mark.parametrize(
    ("corners", "columns", "rows", "gutter", "said"),
    [
        ((40, 50, 620, 510), 5, 4, 0.2, None),
        ((40, 50, 620, 510), 7, 5, 0.2, "edges are not seen"),
        ((30, 40, 630, 520), 5, 4, 0.0, "a gutter seems to run"),
        ((40, 50, 620, 390), 5, 3, 0.2, "stand below block 1"),
        ((40, 50, 260, 270), 2, 2, 0.2, "only 4 counters"),
        ((40, 50, 260, 270), 2, 2, 0.2, "much that is printed lies beside"),
    ],
)
def test_places_that_do_not_fit_the_scan_are_doubted(
    corners: tuple[int, int, int, int], columns: int, rows: int, gutter: float, said: str | None
) -> None:
    """Five by four counters of 100 pixels with gutters of 20: the right block, and wrong ones."""
    picture = Picture(np.asarray(pasted((90, 120, 160), [(40, 50, 5, 4, 100, 20)], 0.0)))
    left, top, right, bottom = corners
    ends = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64) - 0.5
    found = listed([(Block(ends, columns, rows, gutter, gutter), np.ones((rows, columns), bool))])
    told = list(doubts(picture, found))
    assert not told if said is None else any(said in doubt for doubt in told), told


# Names and the sheet.yaml


def test_names_come_from_text_tables_and_units(tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_text("# the sheet\n5/1M\n\n제1사단\n", encoding="utf-8")
    (tmp_path / "n.csv").write_text("count,name\n2,Mine\n1,Fort\n", encoding="utf-8")
    units = army(2)
    write_units(replace(units, units=(replace(units.units[0], count=2), units.units[1])), tmp_path / "units.yaml")
    assert read_names(tmp_path / "n.txt") == ["5/1M", "제1사단"]
    assert read_names(tmp_path / "n.csv") == ["Mine", "Mine", "Fort"]
    assert read_names(tmp_path / "units.yaml") == ["1/US", "1/US", "2/CW"]


@pytest.fixture(scope="module")
def small_sheet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sheet") / "scan.png"
    pasted((90, 120, 160), [(40, 40, 4, 3, 100, 12)], 8.0).save(path)
    return path


def cut(sheet: Path, out: Path, *more: str) -> int:
    return main(["counters", "cut", str(sheet), "-o", str(out), "-q", *more])


def test_the_command_writes_counters_and_what_is_needed_to_check_them(small_sheet: Path, tmp_path: Path) -> None:
    assert cut(small_sheet, tmp_path / "out") == 0
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [
        *(f"b1r{row:02}c{column:02}.png" for row in (1, 2, 3) for column in (1, 2, 3, 4)),
        "check",
        "sheet.yaml",
    ]
    assert sorted(path.name for path in (tmp_path / "out" / "check").iterdir()) == [
        "contact.html", "contact.png", "overlay.png",
    ]  # fmt: skip
    assert main(["counters", "sheet", str(tmp_path / "out"), "-o", str(tmp_path / "again.pdf"), "-q"]) == 0


def test_a_corrected_sheet_yaml_holds(small_sheet: Path, tmp_path: Path) -> None:
    assert cut(small_sheet, tmp_path / "out") == 0
    config = tmp_path / "out" / "sheet.yaml"
    told = read_config(config)
    assert told.found is not None
    assert len(told.found.cells) == 12
    text = (
        config.read_text(encoding="utf-8")
        .replace("corners: 0.0", "corners: 0.25")
        .replace("b1r01c02: b1r01c02", "b1r01c02: Second")
    )
    config.write_text(text + "skip: [b1r01c01]\n", encoding="utf-8")
    assert "b1r01c01: b1r01c01" in text
    config.write_text(config.read_text(encoding="utf-8").replace("  b1r01c01: b1r01c01\n", ""), encoding="utf-8")
    assert cut(small_sheet, tmp_path / "again", "--config", str(config)) == 0
    assert (tmp_path / "again" / "Second.png").exists()
    assert not (tmp_path / "again" / "b1r01c01.png").exists()


@pytest.mark.parametrize(
    ("yaml", "said"),
    [
        ("version: 1\nblocks: [{corners: [[0, 0], [1, 0]], columns: 1, rows: 1}]\n", "expected a list of 4, found 2"),
        ("version: 1\nblocks: [{corners: [[0, 0], [0, 9], [9, 9], [9, 0]], columns: 1, rows: 1}]\n", "do not go round"),
        ("version: 1\nblocks: [{corners: [[0, 0], [9, 0], [9, 9], [0, 9]], columns: 0, rows: 1}]\n", "at least 1"),
        ("version: 1\nskip: [b9r01c01]\n", "there is no counter at b9r01c01"),
        ("version: 1\nnames: {b9r01c01: x}\n", "there is no counter at b9r01c01"),
    ],
)
def test_a_wrong_sheet_yaml_is_told(
    small_sheet: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], yaml: str, said: str
) -> None:
    (tmp_path / "sheet.yaml").write_text(yaml, encoding="utf-8")
    assert cut(small_sheet, tmp_path / "out", "--config", str(tmp_path / "sheet.yaml")) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_names_that_do_not_fit_the_sheet_are_told(
    small_sheet: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "n.txt").write_text("a\nb\n")
    assert cut(small_sheet, tmp_path / "out", "--names", str(tmp_path / "n.txt")) == 2
    assert "2 names for a sheet of 12 counters, 12 of them different" in capsys.readouterr().err


has_ocr = all(importlib.util.find_spec(name) for name in ("rapidocr", "onnxruntime"))


@pytest.mark.skipif(not has_ocr, reason="no OCR package here (pip install 'hexref[ocr]')")
def test_names_are_read_off_the_counters(tmp_path: Path) -> None:
    """A worn scan, each counter with its own factors: at least nine in ten are read without a mistake."""
    units = army(28).units
    page = pages(unit_pieces(army(28)), Paper(), "p", backs=False)[0]
    scan = scanned(page, 300, Wear(rotation=1.5, noise=4, jpeg=80, seed=11))
    told = cut_sheet(Picture(scan.picture), None, CutOptions(ocr=True))
    assert len(told.cuts) == 28
    factors = ["-".join(str(value) for _, value in unit.front.factors) for unit in units]
    read = [wanted in cut.name.split() for wanted, cut in zip(factors, told.cuts, strict=True)]
    assert sum(read) >= 26, [(wanted, cut.name) for wanted, cut in zip(factors, told.cuts, strict=True)]


def test_without_an_ocr_package_the_way_to_get_it_is_told(
    small_sheet: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)  # as if it were not there
    assert cut(small_sheet, tmp_path / "out", "--ocr") == 2
    assert "pip install 'hexref[ocr]'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_broken_scan_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "scan.png").write_bytes(b"not a picture")
    assert cut(tmp_path / "scan.png", tmp_path / "out") == 2
    assert "not an image" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_counters_of_another_name_are_others_however_alike(tmp_path: Path) -> None:
    """Both sides have a +1 marker that looks the same: a list that names each of them is believed."""
    one = army(14).units[0]
    alike = replace(army(14), units=tuple(replace(one, id=f"{i}", designation="+1") for i in range(28)))
    front, _ = pages(unit_pieces(alike), Paper(gutter=2), "28")
    picture = Picture(scanned(front, 150, Wear(seed=1)).picture)
    names = tmp_path / "n.txt"
    names.write_text("\n".join(["NK +1", "UN +1"] * 14), encoding="utf-8")
    assert cut_sheet(picture, None, CutOptions()).cuts[1].first == 0
    cuts = cut_sheet(picture, None, CutOptions(names=names)).cuts
    assert [cut.first for cut in cuts[:4]] == [0, 1, 0, 1]
    assert all(cut.name == cuts[cut.first].name for cut in cuts)
