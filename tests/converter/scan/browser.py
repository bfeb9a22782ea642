"""A real browser for tests: headless Chromium, driven through ChromeDriver's own protocol."""

from __future__ import annotations

import base64
import contextlib
import json
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1400,900"]
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """One window."""

    def __init__(self, driver: str, profile: Path) -> None:
        self.driver = driver
        options = {
            "binary": shutil.which("chromium"),
            "args": [*FLAGS, f"--user-data-dir={profile / 'profile'}"],
            "prefs": {"download.default_directory": str(profile), "download.prompt_for_download": False},
        }
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}
        self.session = self._send("POST", "/session", wanted)["sessionId"]

    def _send(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.driver + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        return self._send(method, f"/session/{self.session}{path}", body)

    def open(self, address: str) -> None:
        self.ask("POST", "/url", {"url": address})

    def run(self, script: str, *values: Any) -> Any:
        """Run JavaScript in the page; what it returns comes back."""
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(values)})

    def press(self, selector: str) -> None:
        """Click an element."""
        found = self.ask("POST", "/element", {"using": "css selector", "value": selector})
        self.ask("POST", f"/element/{found[_ELEMENT]}/click")

    def mouse(self, *steps: dict[str, Any]) -> None:
        """Move and press the mouse."""
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": list(steps)}
        self.ask("POST", "/actions", {"actions": [pointer]})

    def click_at(self, x: float, y: float) -> None:
        move = {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}
        self.mouse(move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    def scroll(self, x: float, y: float, delta: int) -> None:
        turn = {"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": delta, "duration": 0}
        self.ask("POST", "/actions", {"actions": [{"type": "wheel", "id": "wheel", "actions": [turn]}]})

    def screenshot(self) -> bytes:
        return base64.b64decode(self.ask("GET", "/screenshot"))

    def close(self) -> None:
        self._send("DELETE", f"/session/{self.session}")


@contextlib.contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A fresh browser that downloads into `folder`; the test is skipped where there is none on this machine."""
    program = shutil.which("chromedriver")
    if not program or not shutil.which("chromium"):
        pytest.skip("no Chromium and ChromeDriver here (Debian: chromium chromium-driver)")
    command = [program, "--port=0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as driver:
        assert driver.stdout is not None
        try:
            said = next(line for line in driver.stdout if "port " in line and "successfully" in line)
            port = int(said.split("port ")[1].split(".")[0].split()[0])
            window = Browser(f"http://127.0.0.1:{port}", folder)
            try:
                yield window
            finally:
                window.close()
        finally:
            driver.terminate()
