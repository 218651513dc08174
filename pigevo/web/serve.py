"""A server for the page on the loopback address: only files from memory."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePosixPath
from urllib.parse import unquote

from pigevo.core.text import reason
from pigevo.errors import InputError
from pigevo.web.html import HEADERS

HOST = "127.0.0.1"
NAMES = {HOST, "localhost"}
"""The allowed names of this host in requests: any other name comes from a foreign page that points here."""

REQUEST_SECONDS = 30.0  # seconds that a client may take for its request

TYPES = {
    ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
    ".json": "application/json", ".txt": "text/plain; charset=utf-8",
}  # fmt: skip
OTHER = "application/octet-stream"


class PageServer(ThreadingHTTPServer):
    """Serves files by name with `/` between folders; files computed on demand are waited for. Port 0 is any."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, files: Mapping[str, bytes], port: int = 0) -> None:
        self.files = files
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as error:
            why = "it is in use" if error.errno == errno.EADDRINUSE else reason(error)
            raise InputError(f"port {port} cannot be used: {why}; choose another, or --port 0 for any.") from error

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.server_port}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """Do nothing: a browser that disconnects is no error."""


class _Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD; every other method is refused by the library."""

    server: PageServer
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "pigevo", ""
    timeout = REQUEST_SECONDS

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, with_body: bool) -> None:
        name = unquote(self.path.partition("?")[0]).removeprefix("/") or "index.html"
        if _host(self.headers.get("Host", "")) not in NAMES:
            self._send(HTTPStatus.MISDIRECTED_REQUEST, b"This is a page of the loopback address.\n", ".txt", with_body)
        elif name in self.server.files:
            self._send(HTTPStatus.OK, self.server.files[name], PurePosixPath(name).suffix, with_body)
        else:
            self._send(HTTPStatus.NOT_FOUND, b"There is no such file.\n", ".txt", with_body)

    def _send(self, status: HTTPStatus, body: bytes, suffix: str, with_body: bool) -> None:
        self.send_response(status)
        self.send_header("Content-Type", TYPES.get(suffix, OTHER))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def end_headers(self) -> None:
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """No request is logged."""


def _host(header: str) -> str:
    return header.rpartition(":")[0].lower() if ":" in header else header.lower()
