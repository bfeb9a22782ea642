"""`hexref map --serve`: straight to disk, and to nobody but this machine's own page."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from browser import screenshot
from review_page import ROOT, Sheet, changed, hex_at, ready, reviewed, side_at

from converter.errors import BadInput
from converter.scan.serving import LARGEST, make_server
from converter.scan.writing import Target, write_result
from converter.scenario import map_text, read_map, read_map_text

if TYPE_CHECKING:
    from playwright.sync_api import Page

GOOD = map_text(read_map_text("version: 1\nname: x\ngrid: {columns: 2, rows: 2}\n"))
OFF_THE_GRID = 'terrain: [{kind: clear, hexes: ["0909"], source: {person: x}}]\n'


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    return reviewed()


@contextlib.contextmanager
def serving(target: Path, page: str = "<p>page") -> Iterator[str]:
    """The address of a running server."""
    server, address = make_server(lambda it: f"{page} {it.name}", target)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield address
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def ask(address: str, body: bytes | None = None, method: str = "", **headers: str) -> tuple[int, str]:
    """Ask as any program could, with whatever headers it likes."""
    place = urlsplit(address)
    connection = http.client.HTTPConnection("127.0.0.1", place.port or 0, timeout=10)
    try:
        connection.putrequest(method or ("GET" if body is None else "POST"), place.path, skip_host=True)
        for name, value in ({"Host": place.netloc} | headers).items():
            connection.putheader(name.replace("_", "-"), value)
        if body is not None and "Content_Length" not in headers:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def test_the_page_saves_to_disk(window: Page, sheet: Sheet, tmp_path: Path) -> None:
    it, scan = sheet
    written = write_result(it, scan, Target(tmp_path))
    it, target = written.map, tmp_path / "map.yaml"
    server, address = make_server(lambda now: written.page(now, served=True), target, 0, written.keep_page)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        window.goto(address)
        ready(window)
        window.mouse.click(*hex_at(window, "1620"))
        window.click("#kinds [data-kind=woods]")
        window.click("#save")
        window.wait_for_selector("text=map.yaml saved")
        assert changed(it, read_map(target)) == {"1620": "woods"}
        window.reload()  # what is saved is what is shown
        ready(window)
        assert window.inner_text("#summary").endswith("no corrections yet")
        window.click("#mode-side")
        window.mouse.click(*side_at(window, "1620", "1621"))
        window.click("#kinds [data-kind=river]")
        window.click("#save")
        window.wait_for_selector("text=map.yaml saved")
        screenshot(window, "served")
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert changed(it, read_map(target)) == {"1620": "woods", "hexside_features 1620/1621": {"river"}}
    window.goto((tmp_path / "review.html").as_uri())  # the page on disk is up to date as well
    ready(window)
    window.mouse.click(*hex_at(window, "1620"))
    assert window.inner_text("#card span") == "woods (you say so)"


def test_only_our_own_page_is_answered(tmp_path: Path) -> None:
    target = tmp_path / "map.yaml"
    target.write_text(GOOD, encoding="utf-8")
    other = GOOD.replace("name: x", "name: y").encode()
    with serving(target) as address:
        port, save = urlsplit(address).port, address + "save"
        root = f"http://127.0.0.1:{port}/"
        assert ask(address) == (200, "<p>page x")
        assert ask(root)[0] == ask(root + "save", other)[0] == ask(root + "wrong/save", other)[0] == 404
        assert ask(address + "../etc/passwd")[0] == ask(address + "x")[0] == 404
        for headers in (
            {"Host": "evil.example"},
            {"Host": f"evil.example:{port}"},
            {"Host": "127.0.0.1"},
            {"Origin": "https://evil.example"},
            {"Origin": "null"},
            {"Origin": f"https://127.0.0.1:{port}"},
        ):
            assert ask(save, other, **headers)[0] == 404, headers
            assert ask(address, **headers)[0] == 404, headers
        assert ask(save, b"", Content_Length=str(LARGEST + 1))[0] == 413
        assert ask(save, b"", Content_Length="-5")[0] == 413
        assert ask(save, other, method="PUT")[0] == 501
        assert target.read_text(encoding="utf-8") == GOOD
        assert ask(save, other, Origin=f"http://localhost:{port}", Host=f"localhost:{port}") == (200, "saved")
        assert ask(address) == (200, "<p>page y")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (GOOD.replace("name: x", "name: 7").encode(), "map.yaml:2: name: expected text"),
        (b"not a map", "map.yaml:1:"),
        (b"{", "map.yaml:1: not YAML"),
        (b"\xff\xfe", "utf-8"),
        (b"", "map.yaml:1:"),
        ((GOOD + OFF_THE_GRID).encode(), "'0909' is not on the grid"),
    ],
)
def test_a_bad_map_is_not_written(tmp_path: Path, body: bytes, said: str) -> None:
    target = tmp_path / "map.yaml"
    target.write_text(GOOD, encoding="utf-8")
    with serving(target) as address:
        status, answer = ask(address + "save", body)
    assert (status, said in answer) == (400, True), answer
    assert target.read_text(encoding="utf-8") == GOOD
    assert [file.name for file in tmp_path.iterdir()] == ["map.yaml"]


def test_a_map_spoilt_on_disk_is_told(tmp_path: Path) -> None:
    (tmp_path / "map.yaml").write_text("nonsense", encoding="utf-8")
    with serving(tmp_path / "map.yaml") as address:
        status, answer = ask(address)
    assert (status, "map.yaml:1:" in answer) == (500, True)


def test_a_busy_port_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BadInput, match=rf"--port {port}: another program uses it; give another"):
            make_server(lambda it: "", tmp_path / "map.yaml", port)


def test_only_the_loopback_address_listens(tmp_path: Path) -> None:
    server, address = make_server(lambda it: "", tmp_path / "map.yaml")
    with server:
        assert server.server_address[0] == "127.0.0.1"
        assert address.startswith("http://127.0.0.1:")


@pytest.mark.skipif(os.name == "nt", reason="needs Ctrl+C as a signal")
def test_the_command_serves_until_interrupted(sheet: Sheet, tmp_path: Path) -> None:
    it, scan = sheet
    written = write_result(it, scan, Target(tmp_path))
    command = [sys.executable, str(ROOT / "cli.py"), "map", "--quiet", "--from", str(tmp_path), "--serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if "review it at" in line:
                break
        found = re.search(r"http://127\.0\.0\.1:\d+/\S+/", said)
        assert found, said
        status, page = ask(found[0])
        assert (status, "<canvas" in page) == (200, True)
        body = map_text(written.map).replace("name: peninsula", "name: mine")
        assert ask(found[0] + "save", body.encode()) == (200, "saved")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, "")
    assert read_map(tmp_path / "map.yaml").name == "mine"
