import os
import shutil
import threading
from pathlib import Path

import pytest

from pigevo.web.serve import PageServer
from pigevo.web.site import page_files
from tests.web.browser import NEEDED, Page


@pytest.fixture(scope="package")
def window(tmp_path_factory):
    """A browser, with a server of the page; its pictures go to $PIGEVO_PICTURES, if that is set."""
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        pytest.fail(NEEDED, pytrace=False)
    folder = Path(os.environ.get("PIGEVO_PICTURES") or tmp_path_factory.mktemp("pictures"))
    folder.mkdir(parents=True, exist_ok=True)
    with PageServer(page_files()) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        page = Page(server.address, folder)
        yield page
        page.close()
        server.shutdown()
        thread.join()


@pytest.fixture
def page(window):
    """The browser in which nothing is open; afterwards nobody else was asked for anything, and nothing was complained of."""
    window.be_a_desktop()
    window.complaints(), window.asked()
    yield window
    assert window.complaints() == []
    asked = window.asked()
    assert asked
    assert {url for url in asked if not url.startswith((window.address, "data:", "blob:", "about:"))} == set()
