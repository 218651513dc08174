"""Entrants of a tournament that cheat: what they write, read, kill and leave behind changes nothing for the others."""

import os
import re
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest

import pigevo
from pigevo.cli.commands.tournament import describe_tournament
from pigevo.compiled import cache
from pigevo.tournaments.entries import read_entries
from pigevo.workers import sandbox
from tests.small import end, is_alive, marked

GAME = pigevo.Pig(target=9)
needs_sandbox = pytest.mark.skipif(sandbox.sandbox_gaps() != "", reason="this system has no whole sandbox")
HONEST = "def rule(i, j, k):\n    return k < 4\n"

CHEATS = """
    import os, signal, tempfile
    from pathlib import Path

    def _reward(number):
        done = []
        def attempt(action):
            try:
                done.append(f"done: {{action()}}")
            except OSError as error:
                done.append(type(error).__name__)
        attempt(lambda: Path(__file__).with_name("honest.py").write_text("def rule(i, j, k):\\n    return False\\n"))
        attempt(lambda: Path(__file__).with_name("helper.py").write_text("HOLD = 1"))
        attempt(lambda: Path({others!r}, "planted").write_text(""))
        attempt(lambda: Path({cache!r}, "one.kernel").write_text("poisoned"))
        attempt(lambda: Path({cache!r}, "planted").write_text(""))
        attempt(lambda: os.kill({driver}, signal.SIGURG))
        raise RuntimeError(done)

    def rule(i, j, k):
        return _reward(k)
"""

DETACHED = """
    import subprocess, sys
    _CODE = "import os, time\\nif os.fork(): os._exit(0)\\nos.setsid()\\ntime.sleep(600)"
    subprocess.Popen([sys.executable, "-c", _CODE, {mark!r}], start_new_session=True, env={{}}).wait()
    def rule(i, j, k):
        return k < 3
"""

WITH_HELPERS = """
    import shutil, subprocess, tempfile
    from pathlib import Path
    import numba
    import numpy as np
    from helper import HOLD

    @numba.njit(cache=True)
    def _total(values):
        total = 0.0
        for value in values:
            total += value
        return total

    _table = np.loadtxt(Path(__file__).with_name("data.txt"))
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy2(__file__, folder)
        assert subprocess.run(["ls", folder], capture_output=True, text=True).stdout
    _hold = _total(_table) + HOLD

    def best(game):
        import pigevo
        assert _hold == 5
        from pigevo.compiled.cache import kernels_folder
        assert str(kernels_folder()) == {kernels!r}  # it need not compile again
        return pigevo.optimal(game).strategy
"""


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(name, text):
    Path("class").mkdir(exist_ok=True)
    Path("class", name).write_text(textwrap.dedent(text))


@needs_sandbox
def test_an_entrant_writes_nothing_of_the_others_and_reaches_no_process(tmp_path, monkeypatch):
    monkeypatch.setattr(cache.numba_settings, "CACHE_DIR", str(tmp_path / "kernels"))
    kernel = Path(cache.kernels_folder(), "one.kernel")
    kernel.write_text("compiled")
    with sandbox.private_folder() as others:
        write("cheats.py", CHEATS.format(others=others, cache=str(kernel.parent), driver=os.getpid()))
        write("honest.py", HONEST)
        write("helper.py", "HOLD = 2\n_X = 1\n")
        entries = read_entries(["class/cheats.py", "class/honest.py"], GAME, workers=1)
        assert os.listdir(others) == []
    assert re.findall(r"PermissionError|done: [^']*", entries.failed[0][1]) == 6 * ["PermissionError"]
    assert (entries.names, entries.strategies) == (("honest.py",), (pigevo.hold_at(GAME, 4),))
    assert Path("class/honest.py").read_text() == HONEST
    assert (os.listdir("kernels"), kernel.read_text()) == (["one.kernel"], "compiled")
    assert entries.sandbox_gaps == ""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it is not found")
def test_a_process_that_hides_ends_with_its_entrant(tmp_path):
    mark = f"hidden-{tmp_path.name}"
    write("leaves.py", DETACHED.format(mark=mark))
    try:
        assert read_entries(["class/leaves.py"], GAME).strategies == (pigevo.hold_at(GAME, 3),)
        assert not any(map(is_alive, marked(mark)))
    finally:
        end(marked(mark))


def test_honest_entrants_use_compilers_data_programs_and_temporary_files(tmp_path, monkeypatch):
    Path("temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    write("honest.py", WITH_HELPERS.format(kernels=str(cache.kernels_folder())))
    write("helper.py", "HOLD = 2\n")
    write("data.txt", "1\n2\n")
    entries = read_entries(["class/honest.py"], GAME)
    assert entries.failed == ()
    assert entries.strategies == (pigevo.optimal(GAME).strategy,)
    assert os.listdir("temporary") == []


def test_a_tournament_says_where_there_is_no_sandbox(monkeypatch):
    write("honest.py", HONEST)
    monkeypatch.setattr(sandbox, "landlock_version", lambda: 0)
    told = "sandbox        none on this system: the code of entrants ran with your rights, and could write your files"
    played = pigevo.tournament(["class/honest.py", "hold_at:3"], game=GAME)
    assert told in describe_tournament(played)
    assert played.as_json["sandbox_gaps"].startswith("none on this system")
    assert "Sandbox: none on this system" in played._repr_html_()
    without_code = pigevo.tournament(["hold_at:4", "hold_at:3"], game=GAME)
    assert "sandbox" not in describe_tournament(without_code)
