"""The page without its server, after a first visit."""

import contextlib
import os
import re
import shutil
import subprocess
import sys

import pytest

from pigevo.web.site import STATIC, page_files, write_site
from tests.small import one_small_game
from tests.web.test_page_frame import TABS
from tests.web.test_page_play import play, state

pytestmark = pytest.mark.page
STORED = """
const done = arguments[0];
caches.open("pigevo page /").then((cache) => cache.keys()).then((keys) => done(keys.map(({ url }) => url)), (error) => done([String(error)]));
"""


@contextlib.contextmanager
def served(folder, port=0):
    """A server of a folder, which knows nothing of pigevo; its port."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(folder)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        yield int(process.stdout.readline().split(" port ")[1].split()[0])
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def site(window, tmp_path, monkeypatch):
    """A folder with the page; the browser looks at something else afterwards."""
    one_small_game(monkeypatch)
    write_site(tmp_path / "site")
    yield tmp_path / "site"
    window.driver.get("about:blank")
    window.complaints(), window.requested()


def stored(window):
    """The addresses under which files are stored."""
    return window.driver.execute_async_script(STORED)


def listed(address):
    """The addresses under which the files of the page of today are to be stored at once."""
    worker = page_files()["service_worker.js"].decode()
    files = re.search(r"const FILES = (\{.*?\});", worker, re.DOTALL)[1]
    return {f"{address}{name}?{digest}" for name, digest in re.findall(r'"([^"]+)": "(\w+)"', files)}


def visit(window, site, port=0):
    """Open the page until all of it is stored, and stop its server; its port."""
    with served(site, port) as own_port:
        address = f"http://127.0.0.1:{own_port}/"
        window.driver.get(address)
        window.wait(lambda: set(stored(window)) == listed(address), "the files that are to be stored")
        window.wait(lambda: window.run("return Boolean(navigator.serviceWorker.controller)"), "the worker")
        window.driver.get("about:blank")
    return own_port


def test_the_page_works_when_its_server_has_stopped(window, site):
    address = f"http://127.0.0.1:{visit(window, site)}/"
    window.complaints()
    window.driver.get(f"{address}?seed=7&first=you&pace=0")
    window.driver.refresh()
    window.wait(lambda: state(window) == "asked", "the first move")
    play(window)
    window.first(".review")
    for tab in TABS:
        window.driver.get(f"{address}#{tab}")
        script = "const tab = document.getElementById(arguments[0]); return !tab.querySelector('.loading') && tab.innerText !== ''"
        window.wait(lambda tab=tab: window.run(script, tab), tab)
        assert window.all(".trouble") == []
    assert {url for url in window.requested() if url.startswith("http") and not url.startswith(address)} == set()


def test_a_game_that_was_solved_for_the_page_is_there_again(window, site):
    with served(site, visit(window, site)) as port:
        address = f"http://127.0.0.1:{port}/?game=piglet&first=you&pace=0"
        window.driver.get(address)
        window.wait(lambda: state(window) == "asked", "the game")
        window.driver.get("about:blank")
    window.driver.get(address)
    window.wait(lambda: state(window) == "asked", "the game")
    assert sum("/data/games/piglet/" in url for url in stored(window)) == 1


def test_a_new_version_replaces_the_old_one(window, site, tmp_path, monkeypatch):
    port = visit(window, site)
    shutil.copytree(str(STATIC), tmp_path / "static")
    (tmp_path / "static" / "style.css").write_text("body { background: rgb(1, 2, 3); }")
    (tmp_path / "static" / "js" / "canvas.js").unlink()
    monkeypatch.setattr("pigevo.web.site.STATIC", tmp_path / "static")
    write_site(site)
    visit(window, site, port)  # only the files of the new version are stored
    window.driver.get(f"http://127.0.0.1:{port}/")
    window.wait(lambda: window.all(".choices button"))
    assert window.run("return getComputedStyle(document.body).backgroundColor") == "rgb(1, 2, 3)"


REGISTERED = "navigator.serviceWorker.getRegistrations().then((all) => arguments[0](all.length))"


def test_another_program_at_the_same_port_is_shown_and_the_worker_leaves(window, site, tmp_path):
    for file in site.rglob("*"):
        os.utime(file, (0, 0))  # browsers take what has not changed for years from their own cache for days
    port = visit(window, site)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "style.css").write_text("p { color: rgb(1, 2, 3); }")
    text = "<!doctype html><link rel='stylesheet' href='style.css'><p id='hello'>of somebody else</p>"
    (tmp_path / "other" / "index.html").write_text(text)
    with served(tmp_path / "other", port):
        window.driver.get(f"http://127.0.0.1:{port}/")
        assert window.text("#hello") == "of somebody else"
        assert window.run("return getComputedStyle(document.querySelector('p')).color") == "rgb(1, 2, 3)"
        window.wait(lambda: window.driver.execute_async_script(REGISTERED) == 0, "the worker to leave")
        assert window.driver.execute_async_script("caches.keys().then(arguments[0])") == []
