"""The report's page in a real browser: stepping, findings, filters, keys, links, dark, small screens, accessibility."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from browser import screenshot
from korean_battles_play import write
from written_log import Writer

from referee.check import Checked, check
from referee.report.html import write_report

if TYPE_CHECKING:
    from playwright.sync_api import Page

UNITS = {"5/1M": "0710", "7/1M": "0709", "1/1M": "0907", "59/1": "0912", "59/2": "0911", "58/1": "1111"}


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    folder = tmp_path_factory.mktemp("viewer")
    write(folder / "chosin.vmod", "chosin-few")
    writer = Writer(folder, UNITS).say("@phase turn 1 Chinese movement").move("59/1", "0913").move("58/1", "1101")
    writer.move("59/2", "0913").say("@phase turn 1 Chinese combat").flip("5/1M", "1", "2").say("@attack 59/1 -> 0907")
    return check([writer.write(folder / "game.vlog")])[0]


@pytest.fixture(scope="module")
def address(checked: Checked, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "game.html"
    write_report([checked], path)
    return path.as_uri()


@pytest.fixture
def page(window: Page, address: str) -> Page:
    window.goto(address)
    return window


def spot(page: Page, name: str) -> tuple[float, float]:
    """Where a counter is on the map, in the map's own pixels."""
    moved: Any = page.locator(".piece", has_text=name).first.evaluate("node => node.style.transform")
    x, y = re.findall(r"(-?[\d.]+)px", moved)
    return float(x), float(y)


def first_illegal(checked: Checked) -> tuple[int, dict[str, Any]]:
    return next((n, f) for n, f in enumerate(checked.json["findings"], 1) if f["verdict"] == "illegal")


def test_it_opens_with_the_numbers_of_the_json(page: Page, checked: Checked) -> None:
    counted = checked.json["summary"]
    assert f"{counted['illegal']} illegal" in page.locator("#summary").inner_text()
    assert page.locator("#count").inner_text() == f"{len(checked.json['findings'])} findings"
    assert page.locator("#now").inner_text() == "the opening position"
    screenshot(page, "report")


def test_stepping_moves_the_counter_and_back(page: Page) -> None:
    start = spot(page, "59/1")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    assert "0912 -> 0913" in page.locator("#now").inner_text()
    assert spot(page, "59/1") != start
    page.keyboard.press("Home")
    assert spot(page, "59/1") == start
    page.keyboard.press("End")
    assert page.locator("#step").input_value() == "7"
    page.locator("#slider").fill("1")
    assert spot(page, "59/1") == start


def test_a_finding_shows_path_and_arithmetic(page: Page, checked: Checked) -> None:
    number, finding = first_illegal(checked)
    page.keyboard.press("Shift+ArrowRight")
    page.locator(f"#finding-{number - 1} > button").click()
    card = page.locator(f"#finding-{number - 1}")
    if card.locator(".more").count() == 0:  # it was the one that Shift+Right had opened
        card.locator("button").click()
    text = card.inner_text()
    assert finding["message"] in text
    assert f"rule {finding['rule']}" in text
    for hex in finding["evidence"].get("path", []):
        assert hex in text
    assert page.locator("#step").input_value() == str(finding["step"])
    assert page.locator("#world .way").count() == 1
    assert page.locator(".piece.accused").count() >= 1
    assert f"step={finding['step']}" in page.url
    screenshot(page, "report-finding")


def test_every_finding_is_the_one_of_the_json(page: Page, checked: Checked) -> None:
    page.locator("#order").select_option("step")
    shown = page.locator(".finding").all_inner_texts()
    assert len(shown) == len(checked.json["findings"])
    for text, finding in zip(shown, checked.json["findings"], strict=True):
        for part in (finding["message"], finding["check"], finding["rule"], finding["verdict"], str(finding["step"])):
            assert part in text


def test_filter_and_search(page: Page, checked: Checked) -> None:
    illegal = sum(finding["verdict"] == "illegal" for finding in checked.json["findings"])
    page.locator("#want-unsure").uncheck()
    assert page.locator(".finding").count() == illegal
    assert page.locator(".finding.unsure").count() == 0
    page.locator("#search").fill("no such word")
    assert page.locator("#count").inner_text() == "0 findings"
    page.locator("#search").fill("58/1")
    assert 0 < page.locator(".finding").count() <= illegal


def test_a_link_opens_at_its_step(window: Page, address: str, checked: Checked) -> None:
    number, finding = first_illegal(checked)
    window.goto(f"{address}#step={finding['step']}&finding={number}")
    assert window.locator("#step").input_value() == str(finding["step"])
    assert window.locator(f"#finding-{number - 1} .more").is_visible()
    window.goto(f"{address}#step=99999")
    assert window.locator("#step").input_value() == "7"


def test_lists(page: Page) -> None:
    page.locator("#tab-steps").click()
    assert page.locator("#steps summary").all_inner_texts()[0].startswith("turn 1, Chinese movement")
    page.keyboard.press("ArrowRight")  # on a tab the arrows choose the tab
    assert page.locator("#pane-chat").is_visible()
    page.locator("#chat li button").nth(1).click()
    assert page.locator("#step").input_value() == "5"
    page.locator("#tab-position").click()
    assert "0913" in page.locator("#position").inner_text()
    page.locator("#tab-steps").click()
    page.locator("#step-search").fill("58/1")
    assert page.locator("#steps .step").count() == 1


def test_a_stack_can_be_looked_into(page: Page) -> None:
    page.keyboard.press("End")
    page.locator(".piece", has_text="59/2").first.dispatch_event("click")
    assert page.locator("#stack").is_visible()
    assert page.locator("#stack-title").inner_text() == "0913"
    assert page.locator("#stack-list li").count() == 2
    page.keyboard.press("Escape")
    assert not page.locator("#stack").is_visible()


def test_zoom_and_play(page: Page) -> None:
    before = page.locator("#world").evaluate("node => node.style.transform")
    page.keyboard.press("+")
    assert page.locator("#world").evaluate("node => node.style.transform") != before
    page.locator("#speed").select_option("200")
    page.locator("#play").click()
    page.locator("#now", has_text="@attack").wait_for()
    page.locator("#play", has_text="Play").wait_for()
    assert page.locator("#step").input_value() == "7"


def test_dark(page: Page) -> None:
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("#theme").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    screenshot(page, "report-dark")


def test_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#next-finding").click()
    assert page.locator(".finding .more").count() == 1
    screenshot(page, "report-phone")


def test_printing_shows_all_findings(page: Page, checked: Checked) -> None:
    page.emulate_media(media="print")
    assert page.locator(".finding").count() == len(checked.json["findings"])
    assert not page.locator("#controls").is_visible()


@pytest.mark.parametrize("dark", [False, True])
def test_accessibility(page: Page, dark: bool) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    if dark:
        page.locator("#theme").click()
    for tab in ("findings", "steps", "chat", "position"):
        page.locator(f"#tab-{tab}").click()
        page.keyboard.press("End")
        found = axe.Axe().run(page).response["violations"]
        bad = [each for each in found if each["impact"] in ("serious", "critical")]
        assert not [(each["id"], each["nodes"][0]["html"]) for each in bad]


WHOLE = """() => {
  const box = one => document.querySelector(one).getBoundingClientRect();
  const [stage, board] = [box("#stage"), box(".board:last-of-type")];
  const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
  const [[x, y], [u, v]] = [middle(stage), middle(board)];
  return [x - u, y - v, board.width / stage.width, board.height / stage.height];
}"""


def test_the_whole_map_stays_whole_when_the_window_changes(page: Page) -> None:
    for size in ((1400, 900), (900, 1000), (1600, 600)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_timeout(100)
        off_x, off_y, wide, high = page.evaluate(WHOLE)
        assert abs(off_x) < 40
        assert abs(off_y) < 40
        assert 0.85 < max(wide, high) < 1.02
    page.locator("#zoom-in").click()
    before = page.evaluate("stage.scale")
    page.set_viewport_size({"width": 1000, "height": 700})
    page.wait_for_timeout(100)
    assert page.evaluate("stage.scale") == before  # somebody looks at something: only the middle is kept


def test_paper_shows_the_whole_map_and_the_sums(page: Page) -> None:
    page.locator("#theme").click()
    before = page.evaluate("[stage.x, stage.y, stage.scale]")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    off_x, off_y, wide, high = page.evaluate(WHOLE)
    assert (abs(off_x) < 40, abs(off_y) < 40, 0.85 < max(wide, high) < 1.02) == (True, True, True)
    assert page.locator(".finding.illegal .more").count() == page.locator(".finding.illegal").count() > 0
    assert page.locator("html[data-theme=light]").count() == 1
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.wait_for_timeout(100)
    assert page.evaluate("[stage.x, stage.y, stage.scale]") == before
    assert page.locator("html[data-theme=dark]").count() == 1
    assert page.locator(".finding .more").count() == 0
