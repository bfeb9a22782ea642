"""The review page in a real browser: look, zoom, move, correct, take back, download."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import screenshot
from review_page import Sheet, changed, hex_at, large_sheet, open_page, reviewed, side_at

from converter.drawing import draw_map
from converter.scan.colours import colours
from converter.scan.overlay import draw_overlay
from converter.scan.picture import Picture
from converter.scan.review import review_page
from converter.scenario import MapFile, Source, map_text, read_map, read_map_text

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[3]
OWN = Source("person", "reviewed on the scan")


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    """The practice map as if read off a scan, its marshes in doubt."""
    return reviewed()


def choose(window: Page, mode: str, point: tuple[float, float], kind: str) -> None:
    """Click a place on the map and then what it is."""
    window.click(f"#mode-{mode}")
    window.mouse.click(*point)
    window.click(f"#kinds [data-kind={kind}]")


def downloaded(window: Page, folder: Path) -> MapFile:
    """The map that the page gives."""
    with window.expect_download() as waiting:
        window.click("#download")
    file = folder / waiting.value.suggested_filename
    waiting.value.save_as(file)
    assert file.name == "map.yaml"
    it = read_map(file)
    assert file.read_text(encoding="utf-8") == map_text(it)  # letter for letter as hexref writes it
    return it


def test_corrections_are_exactly_what_is_downloaded(window: Page, sheet: Sheet, tmp_path: Path) -> None:
    it, scan = sheet
    assert it.terrain("1620") == "clear"
    assert it.links("1621", "1622") == {"road"}
    assert it.links("1620", "1720") == frozenset()
    open_page(window, it, scan, tmp_path)
    assert downloaded(window, tmp_path) == it  # nothing done, nothing changed
    choose(window, "hex", hex_at(window, "1620"), "woods")
    choose(window, "side", side_at(window, "1620", "1621"), "river")
    choose(window, "link", side_at(window, "1621", "1622"), "road")  # there is one: it goes
    choose(window, "link", side_at(window, "1620", "1720"), "trail")
    choose(window, "hex", hex_at(window, "1621"), "mountain")
    window.click("#undo")
    assert "4 corrections, not saved yet" in window.inner_text("#summary")
    screenshot(window, "corrected")
    after = downloaded(window, tmp_path)
    assert changed(it, after) == {
        "1620": "woods",
        "hexside_features 1620/1621": {"river"},
        "links 1621/1622": set(),
        "links 1620/1720": {"trail"},
    }
    assert after.terrain_source("1620") == OWN
    assert replace(after, terrains=(), hexsides=(), all_links=()) == replace(it, terrains=(), hexsides=(), all_links=())
    assert [e for e in after.hexsides if e.source != OWN] == list(it.hexsides)
    assert _steps(after) == _steps(it) - 1 + 1
    assert "4 corrections, saved" in window.inner_text("#summary")


def _steps(it: MapFile) -> int:
    return sum(len(list(pairwise(link.path))) for link in it.all_links)


def test_zoom_and_move(window: Page, sheet: Sheet, tmp_path: Path) -> None:
    open_page(window, *sheet, tmp_path)
    screenshot(window, "whole")
    scale = window.evaluate("view.scale")
    x, y = hex_at(window, "1620")
    started = x, y
    window.mouse.move(x, y)
    for _ in range(4):
        window.mouse.wheel(0, -300)
    window.wait_for_function(f"view.scale > {5.9 * scale}")
    x, y = hex_at(window, "1620")
    assert (x, y) == pytest.approx(started, abs=4)  # about the mouse, to a pixel of the smaller view
    window.mouse.move(x, y)
    window.mouse.down()
    window.mouse.move(x + 50, y + 20)
    window.mouse.move(x + 120, y + 40)
    window.mouse.up()
    assert hex_at(window, "1620") == pytest.approx((x + 120, y + 40), abs=1)
    assert window.evaluate("corrections.done.length") == 0  # dragging corrects nothing
    assert window.evaluate("chosen") is None
    window.click("#zoom-all")
    assert window.evaluate("view.scale") == pytest.approx(scale)
    for button, larger in (("#zoom-in", True), ("#zoom-out", False)):
        before = window.evaluate("view.scale")
        window.click(button)
        assert (window.evaluate("view.scale") > before) is larger


def test_the_least_sure_comes_first_and_is_worked_off_by_keys(window: Page, sheet: Sheet, tmp_path: Path) -> None:
    it, scan = sheet
    marshes = [number for entry in it.terrains if entry.kinds == ("marsh",) for number in entry.hexes]
    open_page(window, it, scan, tmp_path)
    rows = window.locator("#list li").all_inner_texts()
    assert [" ".join(row.split()) for row in rows[: len(marshes)]] == [f"{n} marsh 42%" for n in sorted(marshes)]
    assert window.inner_text("#doubts").startswith(f"{len(marshes)} doubts")
    window.click("#list li button >> nth=0")
    assert window.inner_text("#card b") == f"Hex {marshes[0]}"
    window.focus("#map")
    window.keyboard.press("Enter")  # right as it is
    assert window.inner_text("#card b") == f"Hex {marshes[1]}"
    window.keyboard.press("2")  # it is the second kind
    second = window.locator("#kinds [data-kind]").nth(1).get_attribute("data-kind")
    assert window.inner_text("#card span") == f"{second} (you say so)"
    window.keyboard.press("n")
    assert window.inner_text("#card b") == f"Hex {marshes[2]}"
    screenshot(window, "doubts")
    window.keyboard.press("3")
    window.keyboard.press("Control+z")
    window.keyboard.press("Control+y")
    window.keyboard.press("Control+z")
    assert window.inner_text("#doubts").startswith(f"{len(marshes) - 2} doubts")
    with window.expect_download() as waiting:
        window.keyboard.press("Control+s")
    waiting.value.save_as(tmp_path / "map.yaml")
    after = read_map(tmp_path / "map.yaml")
    assert changed(it, after) == {marshes[1]: second}
    assert [after.terrain_source(n) == OWN for n in marshes[:3]] == [True, True, False]


def test_arrows_walk_from_hex_to_hex(window: Page, sheet: Sheet, tmp_path: Path) -> None:
    open_page(window, *sheet, tmp_path)
    window.mouse.click(*hex_at(window, "1010"))
    for key, card in (("ArrowDown", "Hex 1011"), ("ArrowDown", "Hex 1012"), ("ArrowUp", "Hex 1011")):
        window.keyboard.press(key)
        assert window.inner_text("#card b") == card
    window.keyboard.press("ArrowRight")
    assert window.inner_text("#card b") in ("Hex 1111", "Hex 1112")
    window.keyboard.press("s")
    assert window.get_attribute("#mode-side", "aria-pressed") == "true"
    window.mouse.click(*side_at(window, "1010", "1011"))
    assert window.inner_text("#card b") == "Hexside 1010/1011"
    window.keyboard.press("ArrowDown")
    assert window.inner_text("#card b") != "Hexside 1010/1011"
    window.keyboard.press("Escape")
    assert window.inner_text("#card b") == "Click the map or a doubt below"


def test_painting_sets_one_kind_with_each_click(window: Page, sheet: Sheet, tmp_path: Path) -> None:
    it, scan = sheet
    open_page(window, it, scan, tmp_path)
    window.check("#brush")
    window.click("#kinds [data-kind=marsh]")
    for number in ("1620", "1621"):
        window.mouse.click(*hex_at(window, number))
    window.click("#mode-place")
    window.click("#kinds [data-kind=town]")
    window.mouse.click(*hex_at(window, "1621"))
    after = downloaded(window, tmp_path)
    assert changed(it, after) == {"1620": "marsh", "1621": {"town"} | it.kinds_at("1621")}
    assert after.terrain("1621") == "marsh"


def test_another_kind_can_be_named(window: Page, sheet: Sheet, tmp_path: Path) -> None:
    it, scan = sheet
    open_page(window, it, scan, tmp_path)
    answers = iter(["Rice Paddy", "rice-paddy"])
    window.on("dialog", lambda dialog: dialog.accept(next(answers)))
    window.mouse.click(*hex_at(window, "1620"))
    window.click("text=other…")
    assert "is no such word" in window.inner_text("#said")
    window.click("text=other…")
    assert changed(it, downloaded(window, tmp_path)) == {"1620": "rice-paddy"}


def test_a_map_of_every_source_and_spelling_comes_back_whole(window: Page, tmp_path: Path) -> None:
    it = replace(
        read_map_text(
            """
version: 1
name: odd
title: "</script><b>\\"Odd\\" — 대구\\u200b\\n"
grid: {columns: 6, rows: 5, half: ["0101"], source: {person: "yes"}, note: "x: y"}
picture: {width: 420, height: 420, dx: 60.0, dy: 69.3, x0: 50, y0: 50, confidence: 1}
complete: [links]
default_terrain: {kind: clear, source: {person: me}}
terrain:
  - {kind: [rough, woods], source: {rule: "24.0", inferred: "it's so: #1"}, hexes: ["0101..0104", "0301"], note: "a, b"}
  - {kind: unknown, source: {scan: "no", confidence: 0.31}, hexes: ["0302"]}
hexsides: [{kind: river, name: "Nam, gang", source: {module: a.vmod}, between: [["0203", "0303"], ["0203", "0204"]]}]
links:
  - {kind: rail, source: {rule: "5.5"}, route: ["0101", "0605"]}
  - {kind: road, source: {scan: x.png, confidence: 1.0}, path: ["0101", "0102", "0103", "0104", "0105"]}
places:
  - {name: Old Town, kinds: [city, port], hexes: ["0302", "0303"], source: {rule: "43.0"}}
  - {kinds: [supply-source], side: Red, hexes: ["0505"], source: {rule: "20.5"}, note: printed as a star}
regions: [{name: The North, kind: country, source: {rule: "1.1"}, hexes: ["0601..0605"]}]
lines: [{name: Front, kind: front, source: {rule: "1"}, between: [["0303", "0302"]]}]
boxes: [{name: Sea, kind: sea, leads_to: ["0101"], outline: [[4, 1], [4.5, 1], [4, 9]], source: {rule: "1"}}]
notes: [{text: A road runs south., source: {rule: "24.0"}}]
"""
        )
    )
    scan = Picture(draw_map(replace(it, title=None), "flat", hex_height=69.3).picture[:420, :420].copy(), "odd")
    open_page(window, it, scan, tmp_path)
    assert downloaded(window, tmp_path) == it
    choose(window, "place", hex_at(window, "0303"), "port")
    choose(window, "link", side_at(window, "0102", "0103"), "road")
    choose(window, "hex", hex_at(window, "0105"), "clear")
    after = downloaded(window, tmp_path)
    assert changed(it, after) == {"0303": {"city"}, "links 0102/0103": set()}
    assert after.place("Old Town") == replace(it.places[0], hexes=("0302",))
    assert [link.path for link in after.all_links[1:]] == [("0101", "0102"), ("0103", "0104", "0105")]


def test_a_scan_of_8000_by_5000_pixels(window: Page, tmp_path: Path) -> None:
    it, scan = large_sheet()
    assert len(it.grid) == 12_000
    open_page(window, it, scan, tmp_path)
    assert (tmp_path / "review.html").stat().st_size < 60_000_000
    window.mouse.click(*hex_at(window, "07540"))
    window.keyboard.press("Control+z")  # nothing to take back
    assert window.inner_text("#card b") == "Hex 07540"
    spot = hex_at(window, "07540")
    window.mouse.move(*spot)
    for _ in range(12):
        window.mouse.wheel(0, -300)
    window.wait_for_function("view.scale > 3 && scan.loaded.size > 1")
    window.wait_for_function("[...scan.loaded.values()].every(image => image.complete)")
    # only what was seen on the way is unpacked, not the forty tiles in full and fifteen of the coarser ones
    assert window.evaluate("scan.loaded.size") < 25
    kind = "woods" if it.terrain("07540") != "woods" else "clear"
    window.click(f"#kinds [data-kind={kind}]")
    assert changed(it, downloaded(window, tmp_path)) == {"07540": kind}


def test_map_text_cannot_break_out_of_the_page(sheet: Sheet) -> None:
    it, scan = sheet
    page = review_page(replace(it, title="</script><script>alert(1)</script> __DATA__"), scan)
    assert page.count("</script>") == 3
    assert "<script>alert" not in page
    assert not re.search(r"https?://(?!127)", page.replace("http://www.w3.org", ""))


def test_overlay_has_the_scan_under_it(sheet: Sheet) -> None:
    it, scan = sheet
    overlay = draw_overlay(it, scan)
    assert overlay.shape == scan.pixels.shape
    assert 5 < abs(overlay.astype(int) - scan.pixels).mean() < 60


def test_every_kind_has_a_colour_of_its_own() -> None:
    kinds = ["river", "major-river", "minor-river", "road", "rail", "sea", "lake", "hill", "mountain", "zip-line", "x"]
    assert len(set(colours(kinds).values())) == len(kinds) + 1
