"""A finished sweep, and a browser with a server of the page."""

import os
import re
import shutil
import threading
from pathlib import Path

import pytest

from pigevo.sweeps import Job
from pigevo.sweeps.run_sweep import drive
from pigevo.web.serve import PageServer
from pigevo.web.site import page_files
from tests.small import done_here, small_settings
from tests.web.browser import NEEDED, Page


@pytest.fixture(scope="session")
def samples(tmp_path_factory):
    """Where baseline samples go; compiled kernels stay where they are."""
    from pigevo.compiled.cache import cache_folder

    cache_folder()  # found once for the process, before its place is changed
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def finished_sweep(tmp_path_factory, samples):
    """A finished sweep with waves, of two mutation rates with three seeds each, inside `outputs`: to read only."""
    home = tmp_path_factory.mktemp("made") / "outputs" / "sweeps"
    words = ("cubes=waves", "cubes.sizes=[6,4]", "cubes.generations=[3,3]", "baseline=random_search")
    jobs = [
        Job(small_settings(*words, f"mutation={rate}", f"seed={seed}"), home.parent / "default" / f"{rate}-{seed}")
        for rate in (0, 0.3)
        for seed in range(3)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(samples))
        return drive(jobs, [*words, "mutation=0,0.3", "seed=range(3)"], home, done_here)


@pytest.fixture(scope="package")
def window():
    """A browser, with a server of the page."""
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        pytest.fail(NEEDED, pytrace=False)
    with PageServer(page_files()) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        page = Page(server.address)
        yield page
        page.close()
        server.shutdown()
        thread.join()


@pytest.fixture
def page(window, request):
    """The browser in which nothing is open and nothing stored by another test; afterwards it has asked nobody else and complained of nothing.

    A picture of the page at the end of the test goes to $PIGEVO_PICTURES, if that is set.
    """
    window.be_a_desktop()
    window.forget()
    window.complaints(), window.requested()
    yield window
    if folder := os.environ.get("PIGEVO_PICTURES"):
        window.picture(Path(folder) / f"{re.sub('[^a-z0-9_]+', '-', request.node.name)}.png")
    assert window.complaints() == []
    addresses = window.requested()
    assert addresses
    own = (window.address, "data:", "blob:", "about:", "chrome:")
    assert [url for url in addresses if not url.startswith(own)] == []
