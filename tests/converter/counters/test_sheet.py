"""Sheets of counters, measured on the printed page: places, sizes, order, backs that meet their fronts."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray
from PIL import Image

from cli import main
from converter.counters import Theme, draw, theme_of
from converter.counters.lettering import CAPITALS, width
from converter.counters.pages import INCH, Note, Page, Paper, offset_test, pages
from converter.counters.pdf import as_pdf
from converter.counters.pieces import entries, folder_pieces, unit_pieces
from converter.counters.pixels import page_image
from converter.errors import BadInput
from converter.scenario import Placement, SetupFile, Source, Unit, UnitsFile, write_units

Pixels = NDArray[np.uint8]
DPI = 300
SOURCE = Source("person", "a test")


def rendered(data: bytes, page: int) -> Pixels:
    """A page of a PDF as another program prints it."""
    pdf = pypdfium2.PdfDocument(data)
    return np.asarray(pdf[page].render(scale=DPI / 72).to_pil().convert("RGB"))


def patch(pixels: Pixels, x: float, y: float, size: float) -> Pixels:
    """What is printed in a square, given in millimetres."""
    left, top, side = (round(value / INCH * DPI) for value in (x, y, size))
    return pixels[top : top + side, left : left + side]


@pytest.fixture
def sheet(units: UnitsFile) -> list[Page]:
    return pages(unit_pieces(units), Paper(), "test")


@pytest.mark.parametrize(("paper", "width", "height"), [("a4", 210, 297), ("letter", 215.9, 279.4)])
def test_the_pdf_has_the_papers_size(units: UnitsFile, paper: str, width: float, height: float) -> None:
    pdf = pypdfium2.PdfDocument(as_pdf(pages(unit_pieces(units), Paper(paper)), "test"))
    assert [round(side / 72 * INCH, 2) for side in pdf[0].get_size()] == [width, height]


def test_counts_are_printed(sheet: list[Page], units: UnitsFile) -> None:
    names = [placed.name for placed in sheet[0].placed]
    assert [names.count(unit.id) for unit in units.units] == [1, 1, 1, 1, 4]


def test_words_are_text_at_their_exact_place(sheet: list[Page]) -> None:
    """The factors of neighbours stand one counter apart, to a hundredth of a millimetre."""
    page = pypdfium2.PdfDocument(as_pdf(sheet, "test"))[0]
    text = page.get_textpage()
    said = text.get_text_range()
    for words in ("5/1M", "8-7-5", "0-2-4", "Turn", "+3", "print at 100 %"):
        assert words in said
    dashes = [text.get_charbox(i) for i, letter in enumerate(said) if letter == "-"][:4]
    across = [(left + right) / 2 / 72 * INCH for left, _, right, _ in dashes]
    assert across[2] - across[0] == pytest.approx(INCH / 2, abs=0.01)
    assert across[3] - across[1] == pytest.approx(INCH / 2, abs=0.01)


def test_counters_are_printed_to_scale(sheet: list[Page], units: UnitsFile) -> None:
    """On the rendered page the ground of a counter begins and ends where it should, within half a pixel."""
    pixels = rendered(as_pdf(sheet, "test"), 0)
    first = sheet[0].placed[0]
    row = round((first.y + first.size * 0.3) / INCH * DPI)
    inked = np.nonzero(pixels[row].min(axis=1) < 250)[0]
    inside = inked[(inked > first.x / INCH * DPI - 8)]
    assert inside.min() == pytest.approx(first.x / INCH * DPI, abs=1)
    right = sheet[0].placed[7]
    assert inside[inside < (right.x + right.size) / INCH * DPI + 8].max() == pytest.approx(
        (right.x + right.size) / INCH * DPI, abs=1
    )


def test_pdf_and_png_show_the_same(sheet: list[Page]) -> None:
    printed, drawn = rendered(as_pdf(sheet, "test"), 0), np.asarray(page_image(sheet[0], DPI))
    for placed in sheet[0].placed:
        one, other = (patch(pixels, placed.x, placed.y, placed.size).astype(int) for pixels in (printed, drawn))
        assert np.abs(one - other).mean() < 6


def test_every_counter_is_the_drawn_one(sheet: list[Page], units: UnitsFile) -> None:
    drawn = np.asarray(page_image(sheet[0], DPI))
    theme = replace(theme_of(units), corners=0.0)
    for placed in sheet[0].placed:
        unit = units.unit(placed.name)
        assert unit is not None
        alone = np.asarray(draw(unit, theme, 150).convert("RGB")).astype(int)
        found = np.asarray(Image.fromarray(patch(drawn, placed.x, placed.y, placed.size)).resize((150, 150))).astype(
            int
        )
        assert np.abs(alone - found).mean() < 8, placed.name


@pytest.mark.parametrize("flip", ["long", "short"])
def test_backs_lie_behind_their_fronts(units: UnitsFile, flip: str) -> None:
    paper = Paper(flip="long" if flip == "long" else "short", gutter=1.5)
    front, back = pages(unit_pieces(units), paper)
    for one, other in zip(front.placed, back.placed, strict=True):
        if flip == "long":
            assert (paper.width - other.x - other.size, other.y) == pytest.approx((one.x, one.y))
        else:
            assert (other.x, paper.height - other.y - other.size) == pytest.approx((one.x, one.y))
        assert one.name == other.name


@pytest.mark.parametrize("flip", ["long", "short"])
def test_a_shift_makes_up_for_the_printer(flip: str) -> None:
    """A printer that puts backs where they are seen 1 mm right and 2 mm down: with --shift 1,2 the cross is at 0,0."""
    paper = Paper(flip="long" if flip == "long" else "short", shift_x=1, shift_y=2)
    back = offset_test(paper)[1]
    across, down = back.lines[1].x1 - paper.width / 2, back.lines[0].y1 - paper.height / 2
    off = (-1.0, 2.0) if flip == "long" else (1.0, -2.0)  # in the back page's own directions
    assert (across + off[0], down + off[1]) == pytest.approx((0, 0))


def test_crop_marks_stand_at_every_edge_and_touch_no_counter(units: UnitsFile) -> None:
    front = pages(unit_pieces(units), Paper(gutter=2))[0]
    marks = {round(line.x1, 4) for line in front.lines if line.x1 == line.x2}
    for placed in front.placed:
        assert {round(placed.x, 4), round(placed.x + placed.size, 4)} <= marks
    for line in front.lines:
        for placed in front.placed:
            assert not (
                placed.x < max(line.x1, line.x2)
                and min(line.x1, line.x2) < placed.x + placed.size
                and placed.y < max(line.y1, line.y2)
                and min(line.y1, line.y2) < placed.y + placed.size
            )


def room_of(note: Note) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of small print."""
    wide = width(note.text) * note.height
    left = note.x - wide * {"left": 0.0, "middle": 0.5, "right": 1.0}[note.anchor]
    return left, note.y - CAPITALS * note.height, left + wide, note.y


def meet(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("flip", ["long", "short"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("size", [12.7, 13.8, 19.5, 259.3 / 16])
def test_small_print_touches_nothing(marines: Unit, paper: str, flip: str, size: float) -> None:
    sheet = Paper(paper, size, flip="long" if flip == "long" else "short")
    plenty = UnitsFile((replace(marines, count=sheet.columns * sheet.rows),))
    told = [*pages(unit_pieces(plenty), sheet), *offset_test(sheet)]
    assert len(told) == 4
    for page in told:
        rooms = [room_of(note) for note in page.notes]
        lines = [(min(it.x1, it.x2), min(it.y1, it.y2), max(it.x1, it.x2), max(it.y1, it.y2)) for it in page.lines]
        counters = [(it.x, it.y, it.x + it.size, it.y + it.size) for it in page.placed]
        for i, room in enumerate(rooms):
            assert not [line for line in lines if meet(room, line)], page.notes[i]
            assert not [other for other in [*rooms[:i], *counters] if meet(room, other)], page.notes[i]
            assert min(room[0], room[1], page.width - room[2], page.height - room[3]) > 4


@pytest.mark.parametrize(("paper", "columns", "rows"), [("a4", 14, 21), ("letter", 15, 20)])
def test_half_inch_counters_fill_the_paper(marines: Unit, paper: str, columns: int, rows: int) -> None:
    plenty = UnitsFile((replace(marines, count=columns * rows + 1),))
    told = pages(unit_pieces(plenty), Paper(paper))
    assert [len(page.placed) for page in told] == [columns * rows, columns * rows, 1, 1]
    lowest = max(placed.y + placed.size for placed in told[0].placed)
    assert lowest <= Paper(paper).height - 10 + 1e-6


def test_no_backs_no_back_pages(units: UnitsFile) -> None:
    assert [page.name for page in pages(unit_pieces(units), Paper(), backs=False)] == ["1-front"]


def test_pictures_of_a_folder_become_a_sheet(tmp_path: Path, units: UnitsFile) -> None:
    for unit in units.units[:2]:
        draw(unit, theme_of(units), 80).save(tmp_path / f"{unit.id.replace('/', '-')}.png")
    draw(units.units[0], theme_of(units), 80, "back").save(tmp_path / "5-1M-back.png")
    Image.new("RGB", (120, 40), "red").save(tmp_path / "ship.jpg")
    pieces = folder_pieces(tmp_path, {"ship": 3})
    assert [(p.name, p.count, p.back is not None) for p in pieces] == [
        ("5-1M", 1, True), ("HQ 1C", 1, False), ("ship", 3, False)
    ]  # fmt: skip
    sheet = pages(pieces, Paper())
    pixels = rendered(as_pdf(sheet, "test"), 0)
    ship = sheet[0].placed[-1]
    square = patch(pixels, ship.x, ship.y, ship.size)
    assert square[75, 75].tolist() == pytest.approx([254, 0, 0], abs=2)
    assert square[15, 75].tolist() == [255, 255, 255]


def test_arrivals_come_from_the_set_up() -> None:
    def at(unit: str, **more: object) -> Placement:
        return Placement(unit, SOURCE, **more)  # type: ignore[arg-type]

    setup = SetupFile((
        at("a", hex="0101"), at("b", action="reinforcement", turn=3), at("c", hex="0101"), at("c", hex="0102"),
    ))  # fmt: skip
    assert entries(setup) == {"a": "0101", "b": "T3"}


# The commands


def written(tmp_path: Path, units: UnitsFile) -> str:
    write_units(units, tmp_path / "units.yaml")
    return str(tmp_path / "units.yaml")


def test_draw_writes_a_picture_a_face(tmp_path: Path, units: UnitsFile) -> None:
    assert main(["counters", "draw", written(tmp_path, units), "-o", str(tmp_path / "out"), "--size", "60", "-q"]) == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "105-back.png", "105.png", "5-1M-back.png", "5-1M.png", "HQ 1C.png", "plus-3.png", "turn.png",
    ]  # fmt: skip


def test_sheet_writes_pdf_and_png(tmp_path: Path, units: UnitsFile) -> None:
    source = written(tmp_path, units)
    assert main(["counters", "sheet", source, "-o", str(tmp_path / "s.pdf"), "-q", "--test-page"]) == 0
    assert len(pypdfium2.PdfDocument(tmp_path / "s.pdf")) == 4
    assert main(["counters", "sheet", str(tmp_path), "-o", str(tmp_path / "s.png"), "-q", "--size", "15mm"]) == 0
    with Image.open(tmp_path / "s-1-front.png") as page:
        assert page.size == (2480, 3508)
        assert page.info["dpi"] == pytest.approx((300, 300), abs=0.01)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--paper", "a9"], "no paper 'a9'; expected one of a4, letter"),
        (["--size", "huge"], "'huge' is no length; expected one like 12.7mm, 0.5in or 1/2in"),
        (["--size", "1mm"], "a counter of 1 mm; expected 4 to 120 mm"),
        (["--margin", "140mm"], "no counter of 12.7 mm fits on a4 with margins of 140 mm"),
        (["--shift", "1"], "--shift 1: expected two lengths, like 0.5mm,-1mm"),
        (["--count", "nobody=2"], "--count nobody: there is no counter of that name"),
        (["--dpi", "9"], "--dpi 9: expected 50 to 1200"),
        (["-o", "sheet.doc"], "sheet.doc: expected a name that ends in .pdf or .png"),
    ],
)
def test_wrong_calls_are_told_in_one_line(
    tmp_path: Path, units: UnitsFile, capsys: pytest.CaptureFixture[str], more: list[str], said: str
) -> None:
    call = ["counters", "sheet", written(tmp_path, units), "-q", "-o", str(tmp_path / "s.pdf"), *more]
    assert main(call) == 2
    assert capsys.readouterr().err == f"hexref: {said}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["units.yaml"]


def test_a_missing_picture_is_named(tmp_path: Path, units: UnitsFile, capsys: pytest.CaptureFixture[str]) -> None:
    lost = replace(units.units[0], front=replace(units.units[0].front, image="images/lost.png"))
    source = written(tmp_path, replace(units, units=(lost,)))
    assert main(["counters", "sheet", source, "-q", "-o", str(tmp_path / "s.pdf")]) == 2
    assert "lost.png: there is no such picture" in capsys.readouterr().err
    assert not (tmp_path / "s.pdf").exists()
    assert main(["counters", "draw", source, "-q", "-o", str(tmp_path / "new/drawn")]) == 2
    assert not (tmp_path / "new").exists()


def test_a_folder_of_the_sheets_name_is_named(
    tmp_path: Path, units: UnitsFile, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "s.pdf").mkdir()
    assert main(["counters", "sheet", written(tmp_path, units), "-q", "-o", str(tmp_path / "s.pdf")]) == 2
    assert "s.pdf: " in capsys.readouterr().err


def test_an_empty_folder_and_a_broken_picture_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no pictures"):
        folder_pieces(tmp_path)
    (tmp_path / "bad.png").write_bytes(b"\x89PNG not really")
    with pytest.raises(BadInput, match="not a picture that can be read"):
        folder_pieces(tmp_path)


def test_names_of_all_kinds_make_files(tmp_path: Path, units: UnitsFile) -> None:
    names = ["5/1M", "5:1M", "CON", "제1사단", "🙂", 'a"b', "../x"]
    many = replace(units, units=tuple(replace(units.units[1], id=name) for name in names))
    assert main(["counters", "draw", written(tmp_path, many), "-o", str(tmp_path / "out"), "-q"]) == 0
    assert len(list((tmp_path / "out").iterdir())) == len(names)


def test_a_theme_changes_the_look(units: UnitsFile) -> None:
    plain, red = (unit_pieces(units, theme)[0].front for theme in (None, Theme(sides={"UN": {"colour": "#ff0000"}})))
    assert plain.items[0] != red.items[0]


@pytest.mark.parametrize("game", ["korean-battles", "yalu", "chosin", "forgotten-war", "fire-and-ice"])
def test_every_games_own_list_makes_a_sheet(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = Path(__file__).parents[3] / "data" / game / "units.yaml"
    assert main(["counters", "sheet", "-q", str(listed), "-o", str(tmp_path / "sheet.pdf")]) == 0
    counted = re.search(r"(\d+) counters", capsys.readouterr().out)
    assert counted is not None
    assert int(counted[1]) >= 79
