"""A report in a browser: its script runs although the page forbids all others, and nothing is refused."""

import shutil
import subprocess

import pytest

from pigevo.cli import main
from pigevo.runs import run
from tests.small import small_settings
from tests.web.page import Page

pytestmark = pytest.mark.page


@pytest.fixture
def opened(tmp_path):
    """Open a file as a browser does: the elements that are there then, and what it complains of."""
    browser = shutil.which("chromium")
    if browser is None:
        pytest.fail("this test needs Chromium: apt-get install chromium", pytrace=False)
    options = (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--enable-logging=stderr",
    )

    def call(path):
        words = [browser, *options, f"--user-data-dir={tmp_path / 'browser'}", "--dump-dom", path.as_uri()]
        done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=True)
        return Page(done.stdout), [line for line in done.stderr.splitlines() if "CONSOLE" in line]

    return call


def test_the_film_is_moved_by_its_slider(tmp_path, opened, capsys):
    run(small_settings(), tmp_path / "run")
    assert main(["report", str(tmp_path / "run")]) == 0
    page, complaints = opened(tmp_path / "run" / "report.html")
    assert complaints == []
    assert len(page.all("div", class_="film live")) == 1
    (slider,) = page.all("div", class_="slider")
    assert "@hidden" not in slider
    (last,) = [one for one in page.all("figure") if "on" in (one.get("@class") or "").split()]
    (moved,) = page.all("input", type="range")
    assert last["text"] == moved["@aria-valuetext"]
    assert last["text"].startswith("generation 6:")
