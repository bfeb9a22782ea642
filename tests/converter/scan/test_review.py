"""The review page in a real browser: look, zoom, correct, take back, download, save."""

from __future__ import annotations

import os
import threading
import time
import urllib.error
import urllib.request
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from browser import Browser, browser

from converter.drawing import draw_map
from converter.scan.overlay import draw_overlay
from converter.scan.picture import Picture
from converter.scan.review import review_page
from converter.scan.serving import make_server
from converter.scenario import MapFile, Source, map_text, read_map, read_map_text

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def sheet() -> tuple[MapFile, Picture]:
    """The practice map as if read off a scan, a few of its hexes in doubt."""
    it = read_map(ROOT / "maps" / "practice" / "peninsula.yaml")
    drawing = draw_map(it, "relief", hex_height=48)
    scan = Source("scan", "peninsula.png", 0.97)
    terrains = tuple(
        replace(entry, source=replace(scan, confidence=0.42) if entry.kinds == ("marsh",) else scan)
        for entry in drawing.map.terrains
    )
    return replace(drawing.map, terrains=terrains), Picture(drawing.picture, "peninsula.png")


def place(window: Browser, number: str, other: str | None = None) -> tuple[float, float]:
    """Where a hex's middle, or the middle of the side between two, is on the screen."""
    script = """
    const find = n => data.hexes.find(hex => hex.number === n);
    const one = find(arguments[0]), two = find(arguments[1] || arguments[0]);
    return [(one.x + two.x) / 2 * view.scale + view.x, (one.y + two.y) / 2 * view.scale + view.y];"""
    x, y = window.run(script, number, other)
    return x, y


def ready(window: Browser) -> None:
    """Wait until the scan is there."""
    for _ in range(100):
        if window.run("return document.body.dataset.ready === 'yes'"):
            return
        time.sleep(0.1)
    raise AssertionError("the scan never came")


def choose(window: Browser, mode: str, kind: str) -> None:
    """Pick what a click does."""
    window.press(f"#mode-{mode}")
    window.run("document.getElementById('kind').value = arguments[0]", kind)


def correct(window: Browser) -> None:
    """One hex, one hexside, one road."""
    choose(window, "hex", "woods")
    window.click_at(*place(window, "1620"))
    choose(window, "side", "river")
    window.click_at(*place(window, "1620", "1621"))
    choose(window, "link", "road")
    window.click_at(*place(window, "1621", "1622"))


def changed(before: MapFile, after: MapFile) -> dict[str, object]:
    """Everything in which two maps differ, hex by hex and side by side."""
    grid = before.grid
    sides = [(one, other) for one in grid.numbers for other in grid.neighbours(one) if one < other]
    found: dict[str, object] = {}
    found |= {n: after.terrain(n) for n in grid.numbers if before.terrain(n) != after.terrain(n)}
    found |= {n: after.kinds_at(n) for n in grid.numbers if before.kinds_at(n) != after.kinds_at(n)}
    for name in ("hexside_features", "links"):
        for pair in sides:
            if getattr(before, name)(*pair) != getattr(after, name)(*pair):
                found[f"{name} {'/'.join(pair)}"] = set(getattr(after, name)(*pair))
    return found


EXPECTED = {"1620": "woods", "hexside_features 1620/1621": {"river"}, "links 1621/1622": set()}


def test_corrections_are_exactly_what_is_downloaded(sheet: tuple[MapFile, Picture], tmp_path: Path) -> None:
    it, scan = sheet
    assert it.terrain("1620") == "clear"
    assert it.links("1621", "1622") == {"road"}
    (tmp_path / "review.html").write_text(review_page(it, scan), encoding="utf-8")
    with browser(tmp_path) as window:
        window.open((tmp_path / "review.html").as_uri())
        ready(window)
        first = window.run("return document.querySelector('#list li b').textContent")
        assert first.endswith("marsh")  # the least sure comes first
        scale = window.run("return view.scale")
        x, y = place(window, "1620")
        for _ in range(4):
            window.scroll(x, y, -300)
        assert window.run("return view.scale") > 2 * scale
        assert place(window, "1620") == pytest.approx((x, y), abs=6)  # zoomed about the mouse
        correct(window)
        choose(window, "hex", "mountain")
        window.click_at(*place(window, "1621"))
        window.press("#undo")
        if folder := os.environ.get("HEXREF_SCREENSHOTS"):
            (Path(folder) / "review.png").write_bytes(window.screenshot())
        window.press("#download")
        file = tmp_path / "map.yaml"
        for _ in range(100):
            if file.exists():
                break
            time.sleep(0.1)
    after = read_map(file)
    assert changed(it, after) == EXPECTED
    assert after.terrain_source("1620") == Source("person", "reviewed on the scan")
    assert replace(after, terrains=(), hexsides=(), all_links=()) == replace(it, terrains=(), hexsides=(), all_links=())
    assert sum(len(list(pairwise(link.path))) for link in after.all_links) == \
        sum(len(list(pairwise(link.path))) for link in it.all_links) - 1  # fmt: skip


def test_served_page_saves_to_disk(sheet: tuple[MapFile, Picture], tmp_path: Path) -> None:
    it, scan = sheet
    target = tmp_path / "map.yaml"
    server, address = make_server(review_page(it, scan, served=True), target)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        with browser(tmp_path) as window:
            window.open(address)
            ready(window)
            correct(window)
            window.press("#save")
            for _ in range(100):
                if "saved" in window.run("return document.getElementById('said').textContent"):
                    break
                time.sleep(0.1)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert changed(it, read_map(target)) == EXPECTED


def post(address: str, body: str, host: str | None = None) -> tuple[int, str]:
    request = urllib.request.Request(address, body.encode(), {"Host": host} if host else {})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_server_keeps_to_itself(tmp_path: Path) -> None:
    good = map_text(read_map_text("version: 1\nname: x\ngrid: {columns: 2, rows: 2}\n"))
    target = tmp_path / "map.yaml"
    server, address = make_server("<p>page", target)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        root = address.split("/", 3)[:3]
        assert server.server_address[0] == "127.0.0.1"
        assert post("/".join(root) + "/save", good)[0] == 404
        assert post(address + "save", good, host="evil.example")[0] == 404
        status, said = post(address + "save", "version: 1\nname: 7")
        assert (status, "map.yaml:" in said) == (400, True)
        assert not target.exists()
        assert post(address + "save", good) == (200, "saved")
        assert target.read_text() == good
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_map_text_cannot_break_out_of_the_page(sheet: tuple[MapFile, Picture]) -> None:
    it, scan = sheet
    page = review_page(replace(it, title="</script><script>alert(1)</script>"), scan)
    assert page.count("</script>") == 2
    assert "<script>alert" not in page


def test_overlay_has_the_scan_under_it(sheet: tuple[MapFile, Picture]) -> None:
    it, scan = sheet
    overlay = draw_overlay(it, scan)
    assert overlay.shape == scan.pixels.shape
    assert 5 < abs(overlay.astype(int) - scan.pixels).mean() < 60
