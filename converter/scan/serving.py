"""`hexref map --serve`: the review page from this machine to this machine, saving straight to map.yaml."""

from __future__ import annotations

import errno
import hmac
import secrets
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from converter.errors import BadInput
from converter.scenario import MapFile, read_map, read_map_text, write_map

LARGEST = 16_000_000
Pages = Callable[[MapFile], str]


def make_server(
    page: Pages, target: Path, port: int = 0, saved: Callable[[MapFile], None] | None = None
) -> tuple[ThreadingHTTPServer, str]:
    """A server on the loopback address, and the one address it answers to: it holds a token nobody can guess.

    `page` makes the page of the map as it is on disk now; `saved` hears of each map that was written there.
    """
    token = secrets.token_urlsafe(24)

    class Handler(BaseHTTPRequestHandler):
        server: ThreadingHTTPServer
        server_version, sys_version = "hexref", ""
        timeout = 60

        def _known(self, path: str) -> bool:
            """The right address, asked for under our own name and by our own page."""
            hosts = [f"{name}:{self.server.server_port}" for name in ("127.0.0.1", "localhost")]
            fits = hmac.compare_digest(self.path.encode("utf-8", "replace"), f"/{token}/{path}".encode())
            origin = self.headers.get("Origin")
            own = origin is None or origin in [f"http://{host}" for host in hosts]
            return fits and own and self.headers.get("Host") in hosts

        def _answer(self, status: HTTPStatus, text: str, kind: str = "text/plain") -> None:
            body = text.encode("utf-8")
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("Referrer-Policy", "no-referrer")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            if not self._known(""):
                self._answer(HTTPStatus.NOT_FOUND, "nothing here")
                return
            try:
                self._answer(HTTPStatus.OK, page(read_map(target)), "text/html")
            except BadInput as problem:
                self._answer(HTTPStatus.INTERNAL_SERVER_ERROR, str(problem))

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if not self._known("save"):
                self._refuse(HTTPStatus.NOT_FOUND, "nothing here")
            elif not (length.isascii() and length.isdigit()) or int(length) > LARGEST:
                self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too large for a map.yaml")
            else:
                self._save(self.rfile.read(int(length)))

        def _refuse(self, status: HTTPStatus, text: str) -> None:
            """Answer without reading what was sent; the connection ends with it."""
            self.close_connection = True
            self._answer(status, text)

        def _save(self, body: bytes) -> None:
            try:
                it = read_map_text(body.decode("utf-8"), target.name)
                write_map(it, target)
                if saved:
                    saved(it)
            except (BadInput, UnicodeDecodeError) as problem:
                self._answer(HTTPStatus.BAD_REQUEST, str(problem))
            except OSError as problem:
                self._answer(HTTPStatus.INTERNAL_SERVER_ERROR, f"{target}: {problem.strerror or problem}")
            else:
                self._answer(HTTPStatus.OK, "saved")

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: the token is in the address."""

    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    except OSError as problem:
        busy = problem.errno == errno.EADDRINUSE
        why = "another program uses it" if busy else problem.strerror or problem
        raise BadInput(f"--port {port}: {why}; give another, or leave it out for any free one") from None
    return server, f"http://127.0.0.1:{server.server_port}/{token}/"


def serve(server: ThreadingHTTPServer) -> None:
    """Serve until interrupted."""
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return
