"""`pigevo page`, as it is called."""

import json
import signal
import subprocess
import sys
import urllib.request

import pytest

from pigevo.web.serve import PageServer
from tests.small import environment_of_a_process, one_small_game, without_champions


@pytest.fixture(autouse=True)
def small(monkeypatch):
    one_small_game(monkeypatch)


SOLVED = "pigevo: every game of the page is solved, which takes about half a minute\n"


@pytest.fixture
def serving(tmp_path):
    """Start `pigevo page` with words; it is ended after the test."""
    started = []

    def start(*words):
        process = subprocess.Popen(
            [sys.executable, "-m", "pigevo", "page", *words], cwd=tmp_path, env=environment_of_a_process(),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_it_serves_until_ctrl_c(serving):
    process = serving("--port", "0")
    line = process.stdout.readline()
    address = line.removeprefix("The page is at ").partition(", for this machine alone; Ctrl-C ends it.")[0]
    with urllib.request.urlopen(address) as answer:
        assert b"<title>Pig</title>" in answer.read()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=600) == 0
    assert process.stderr.read().strip() == "The page has ended."


def test_the_address_as_json(pigevo, monkeypatch):
    monkeypatch.setattr("pigevo.web.site.page_files", lambda *_: {})
    monkeypatch.setattr(PageServer, "serve_forever", lambda _: None)
    record = json.loads(pigevo("page --port 0 --json").out)
    assert record["address"] == f"http://127.0.0.1:{record['port']}/"


def test_a_port_in_use(pigevo):
    with PageServer({}) as other:
        output = pigevo(["page", "--port", str(other.server_port)])
    assert (output.status, output.out) == (2, "")
    assert f"port {other.server_port} cannot be listened at: it is in use; choose another" in output.err


def test_writing_it(pigevo, tmp_path):
    output = pigevo("page --to mine")
    assert output.status == 0
    assert "python -m http.server --directory mine" in output.out
    assert (tmp_path / "mine" / "index.html").is_file()
    record = json.loads(pigevo("page --to mine --json").out)
    files = [path for path in (tmp_path / "mine").rglob("*") if path.is_file() and path.name != ".lock"]
    assert record == {"folder": "mine", "files": len(files), "bytes": sum(path.stat().st_size for path in files)}


def test_a_folder_of_others(pigevo, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("")
    output = pigevo("page --to mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.tex"]
    assert (output.status, "mine is not empty (thesis.tex) and not the folder of a page" in output.err) == (2, True)


def test_own_runs_are_written_with_the_page(pigevo, finished, tmp_path):
    output = pigevo(f"page --to site --run {finished}")
    assert (output.status, output.err) == (0, SOLVED)
    listed = json.loads((tmp_path / "site/data/films/index.json").read_text())
    assert listed[0] == {"file": "run-1.json", "title": finished.name}
    film = json.loads((tmp_path / "site/data/films/run-1.json").read_text())
    assert [frame["generation"] for frame in film["frames"]] == film["curve"]["generation"]
    without_champions(finished)
    output = pigevo(f"page --to site --run {finished}")
    assert output.status == 0
    assert "pigevo: for the films generations are made again, which took the runs " in output.err
