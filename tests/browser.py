"""A real browser for tests: Debian's Chromium without a window, driven by Playwright.

A test asks for the fixture `window`: a fresh page, which fails the test if anything on it went wrong, was written to
the console as an error, or asked for an address beyond this machine. Where there is no Chromium the test is skipped,
unless HEXREF_REQUIRE_BROWSER is set.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync", "--no-first-run"]
SIZE = (1400, 900)
NEAR = ("file:", "data:", "blob:", "about:", "http://127.0.0.1:")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser, started once."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _without("no Playwright here (it comes with hexref[test])")
    program = shutil.which("chromium") or _without("no Chromium here (on Debian: apt install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


def _without(reason: str) -> NoReturn:
    if os.environ.get("HEXREF_REQUIRE_BROWSER"):
        pytest.fail(f"HEXREF_REQUIRE_BROWSER is set, but: {reason}")
    pytest.skip(reason)


@pytest.fixture
def window(chromium: Browser) -> Iterator[Page]:
    """A fresh page; at the end of the test nothing may have gone wrong on it."""
    context = chromium.new_context(viewport={"width": SIZE[0], "height": SIZE[1]}, accept_downloads=True)
    context.set_default_timeout(20_000)
    page = context.new_page()
    troubles: list[str] = []

    def console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            troubles.append(f"console: {message.text}")

    def crash(error: Error) -> None:
        troubles.append(f"script: {error}")

    def request(request: Request) -> None:
        if not request.url.startswith(NEAR):
            troubles.append(f"asked for {request.url}")

    page.on("console", console)
    page.on("pageerror", crash)
    page.on("request", request)
    yield page
    context.close()
    assert not troubles, troubles


def screenshot(page: Page, name: str) -> None:
    """Keep a picture of the page as NAME.png where HEXREF_SCREENSHOTS names a folder: for the eye, and for docs."""
    if folder := os.environ.get("HEXREF_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png")
