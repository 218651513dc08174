"""The server of the page: its files from memory to this machine, and nothing else to anybody."""

import http.client
import socket
import threading

import pytest

from pigevo.web.html import HEADERS
from pigevo.web.serve import PageServer

FILES = {
    "index.html": b"<p>hello", "js/main.js": b"1", "data/a.bits": b"\x00\x01", "style.css": b"", "data/i.json": b"{}",
}  # fmt: skip


@pytest.fixture
def server():
    with PageServer(FILES) as page_server:
        thread = threading.Thread(target=page_server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield page_server
        page_server.shutdown()
        thread.join()


def ask(server, path="/", method="GET", host=None):
    """The answer to a request, and its body."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    connection.putrequest(method, path, skip_host=True)
    if host is not False:
        connection.putheader("Host", host or f"127.0.0.1:{server.server_port}")
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


TYPES = {
    "/": ("index.html", "text/html; charset=utf-8"), "/index.html": ("index.html", "text/html; charset=utf-8"),
    "/?seed=3": ("index.html", "text/html; charset=utf-8"), "/js/main.js": ("js/main.js", "text/javascript; charset=utf-8"),
    "/js%2Fmain.js": ("js/main.js", "text/javascript; charset=utf-8"), "/style.css": ("style.css", "text/css; charset=utf-8"),
    "/data/i.json": ("data/i.json", "application/json"), "/data/a.bits": ("data/a.bits", "application/octet-stream"),
}  # fmt: skip


@pytest.mark.parametrize("path", TYPES)
def test_files_with_their_types_and_headers(server, path):
    answer, body = ask(server, path)
    name, kind = TYPES[path]
    assert (answer.status, answer.getheader("Content-Type"), body) == (200, kind, FILES[name])
    assert {name: answer.getheader(name) for name in HEADERS} == HEADERS
    assert "frame-ancestors 'none'" in answer.getheader("Content-Security-Policy")
    assert "Python" not in answer.getheader("Server")


def test_a_head_has_no_body(server):
    answer, body = ask(server, "/", "HEAD")
    assert (answer.status, answer.getheader("Content-Length"), body) == (200, str(len(FILES["index.html"])), b"")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "GETS"])
def test_other_methods_are_refused(server, method):
    answer, _ = ask(server, "/", method)
    assert answer.status == 501
    assert answer.getheader("Content-Security-Policy")


@pytest.mark.parametrize(
    "path",
    ["/../etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd", "/js", "/js/", "/data/", "/.lock", "/index.html/", "/%00",
     "/C:/x", "/js/../index.html", "/\\index.html", "http://[", "/" + "a" * 5000],
)  # fmt: skip
def test_no_other_path_leads_anywhere(server, path):
    answer, body = ask(server, path)
    assert (answer.status, body) == (404, b"There is no such file.\n")
    assert answer.getheader("Content-Security-Policy")


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", " ", "[::1]", "0.0.0.0", False]
)
def test_a_name_that_was_pointed_here_is_refused(server, host):
    answer, body = ask(server, "/", host=host)
    assert (answer.status, b"hello" in body) == (421, False)
    assert {ask(server, "/", host=own)[0].status for own in ("localhost", "LOCALHOST:1234", "127.0.0.1")} == {200}


def test_only_this_machine_can_reach_it(server):
    assert server.server_address[0] == "127.0.0.1"
    assert server.address == f"http://127.0.0.1:{server.server_port}/"


def test_a_client_that_goes_away_or_talks_nonsense_does_no_harm(server, capfd):
    whole = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    for words in (b"", b"GET", b"\x00\xff\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", whole):
        with socket.create_connection(("127.0.0.1", server.server_port), timeout=60) as connection:
            connection.sendall(words)
    assert ask(server)[0].status == 200
    assert capfd.readouterr() == ("", "")
