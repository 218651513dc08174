"""Kernels that a second process compiles: just those that are needed, once, and nobody waits in vain."""

import subprocess
import sys
import time

import pytest

from pigevo.compiled import cache
from pigevo.exact.solve import OPTIMUM, WIN
from pigevo.three_player.evaluation import CERTIFICATE
from tests.small import environment_of_a_process

EXACT = "import pigevo as p; p.win_probability(p.hold_at(g := p.Pig(9), 3), p.optimal(g).strategy)"
THREE = "from pigevo import three_player as t; t.solve(t.Game(3)).exploitability()"
COMPILED = """
from numba.core import event
class Heard(event.Listener):
    def on_start(self, event):
        function = event.data["dispatcher"].py_func
        compiled.append(function.__module__ + "." + function.__qualname__)
    def on_end(self, event): pass
compiled = []
event.register("numba:compile", Heard())
{}
print(*compiled)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("calls", "work"), [(WIN | OPTIMUM, EXACT), (CERTIFICATE, THREE)])
def test_what_was_compiled_ahead_is_what_is_needed(calls, work, tmp_path):
    """The second process leaves kernels of just the types of the first call: none of them is compiled again."""

    def compiled(cache_folder):
        environment = environment_of_a_process() | {"NUMBA_CACHE_DIR": str(tmp_path / cache_folder)}
        done = subprocess.run(
            [sys.executable, "-c", COMPILED.format(work)], capture_output=True, text=True, check=True, env=environment
        )
        return set(done.stdout.split())

    words = [sys.executable, "-c", cache._COMPILE, "", *calls.values()]
    subprocess.run(words, check=True, env=environment_of_a_process() | {"NUMBA_CACHE_DIR": str(tmp_path / "ahead")})
    assert compiled("ahead") & set(calls) == set()
    assert compiled("none") & set(calls)


@pytest.fixture
def begun(tmp_path, monkeypatch):
    """The processes that are begun, which sleep; the machine has two cores, and the cache lies in `tmp_path`."""
    begun, real = [], subprocess.Popen

    def sleep(words, **_):
        begun.append((words, real([sys.executable, "-c", "import time; time.sleep(60)"])))
        return begun[-1][1]

    monkeypatch.setattr(cache.subprocess, "Popen", sleep)
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(cache, "available_cores", lambda: 2)
    monkeypatch.setattr(cache, "_compiling", {})
    yield begun
    for _, process in begun:
        process.kill()
        process.wait()


def test_only_what_the_cache_lacks_is_compiled_and_only_where_a_core_is_free(begun, tmp_path, monkeypatch):
    (tmp_path / "a.first-1.kernel").touch()
    cache.compile_ahead({"a.first": "a:one"})
    assert begun == []
    cache.compile_ahead({"a.first": "a:one", "b.second": "b:two"})
    ((words, _),) = begun
    assert "b:two" in words
    assert "a:one" not in words
    monkeypatch.setattr(cache, "available_cores", lambda: 1)
    cache.compile_ahead({"c.third": "c:three"})
    assert len(begun) == 1


def test_a_kernel_is_waited_for_until_it_is_there_or_its_process_has_ended(begun, tmp_path, monkeypatch):
    cache.compile_ahead({"b.second": "b:two"})
    ((_, process),) = begun
    monkeypatch.setattr(cache, "LONGEST_WAIT", 0.3)
    begin = time.monotonic()
    cache._wait_for("b.second", tmp_path / "b.second-1.kernel")
    assert time.monotonic() - begin >= 0.3
    monkeypatch.setattr(cache, "LONGEST_WAIT", 3600.0)
    cache._wait_for("b.second", tmp_path)  # it is there
    process.kill()
    cache._wait_for("b.second", tmp_path / "b.second-1.kernel")
    cache._wait_for("unknown", tmp_path / "unknown-1.kernel")
