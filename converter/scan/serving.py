"""`hexref map --serve`: the review page from this machine to this machine, saving straight to map.yaml."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from converter.errors import BadInput
from converter.scenario import read_map_text, write_map

LARGEST = 16_000_000


def make_server(page: str, target: Path) -> tuple[ThreadingHTTPServer, str]:
    """A server on the loopback address, and the one address it answers to: it holds a token nobody can guess."""
    token = secrets.token_urlsafe(24)
    document = page.encode("utf-8")

    class Handler(BaseHTTPRequestHandler):
        server: ThreadingHTTPServer

        server_version, sys_version = "hexref", ""

        def _known(self, path: str) -> bool:
            port = self.server.server_port
            hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
            fits = hmac.compare_digest(self.path.encode("utf-8", "replace"), f"/{token}/{path}".encode())
            return fits and self.headers.get("Host") in hosts

        def _answer(self, status: HTTPStatus, text: bytes, kind: str = "text/plain") -> None:
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(text)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("Referrer-Policy", "no-referrer")
            self.end_headers()
            self.wfile.write(text)

        def do_GET(self) -> None:
            if self._known(""):
                self._answer(HTTPStatus.OK, document, "text/html")
            else:
                self._answer(HTTPStatus.NOT_FOUND, b"nothing here")

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if not self._known("save"):
                self._answer(HTTPStatus.NOT_FOUND, b"nothing here")
            elif not length.isdigit() or int(length) > LARGEST:
                self._answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, b"too large for a map.yaml")
            else:
                self._save(self.rfile.read(int(length)))

        def _save(self, body: bytes) -> None:
            try:
                write_map(read_map_text(body.decode("utf-8"), target.name), target)
            except (BadInput, UnicodeDecodeError) as problem:
                self._answer(HTTPStatus.BAD_REQUEST, str(problem).encode("utf-8"))
            except OSError as problem:
                self._answer(HTTPStatus.INTERNAL_SERVER_ERROR, str(problem.strerror).encode("utf-8"))
            else:
                self._answer(HTTPStatus.OK, b"saved")

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: the token is in the address."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    return server, f"http://127.0.0.1:{server.server_port}/{token}/"


def serve(page: str, target: Path, progress: Callable[[str], None]) -> None:
    """Serve until interrupted."""
    server, address = make_server(page, target)
    with server:
        progress(f"review the map at {address} (Ctrl+C ends)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            progress("ended")
