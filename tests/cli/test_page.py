"""`pigevo page`, as it is called."""

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from pigevo.web.serve import PageServer
from tests.small import environment_of_a_process, one_small_game, without_champions


@pytest.fixture(autouse=True)
def small(monkeypatch):
    one_small_game(monkeypatch)


COMPUTED = "pigevo: the strategies of the page are computed, which takes a few seconds, and longer at the first start\n"
SOLVED = "pigevo: every game of the page is solved, which takes about half a minute\n"


def test_it_serves_until_ctrl_c(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "pigevo", "page", "--port", "0"], cwd=tmp_path, env=environment_of_a_process(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        line = process.stdout.readline()
        address = line.removeprefix("The page is at ").partition(", for this machine alone; Ctrl-C ends it.")[0]
        with urllib.request.urlopen(address) as answer:
            assert b"<title>Pig</title>" in answer.read()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=600) == 0
        assert process.stderr.read() == f"{COMPUTED}\nThe page has ended.\n"
    finally:
        process.kill()
        process.communicate()


def test_the_address_as_json(record_of, monkeypatch):
    monkeypatch.setattr("pigevo.web.site.page_files", lambda *_: {})
    monkeypatch.setattr(PageServer, "serve_forever", lambda _: None)
    record = record_of("page --port 0")
    assert record["address"] == f"http://127.0.0.1:{record['port']}/"


def test_writing_it(answer, record_of):
    assert "python -m http.server --directory mine" in answer("page --to mine")
    assert Path("mine/index.html").is_file()
    files = [path for path in Path("mine").rglob("*") if path.is_file() and path.name != ".lock"]
    sizes = sum(path.stat().st_size for path in files)
    assert record_of("page --to mine") == {"folder": "mine", "files": len(files), "bytes": sizes}


def test_a_folder_of_others_is_refused_and_untouched(refused):
    Path("mine").mkdir()
    Path("mine/thesis.tex").write_text("")
    refused("page --to mine", "mine must be new or empty, but has other files (thesis.tex): name another folder.")
    assert [path.name for path in Path("mine").iterdir()] == ["thesis.tex"]


def test_own_runs_are_written_with_the_page(pigevo, finished):
    output = pigevo(f"page --to site --run {finished}")
    assert (output.status, output.err) == (0, SOLVED)
    films = Path("site/data/films")
    assert json.loads((films / "index.json").read_text())[0] == {"file": "run-1.json", "title": finished.name}
    film = json.loads((films / "run-1.json").read_text())
    assert [frame["generation"] for frame in film["frames"]] == film["curve"]["generation"]
    without_champions(finished)
    output = pigevo(f"page --to site --run {finished}")
    assert output.status == 0
    assert "pigevo: generations are made again for the films, which took the runs " in output.err
