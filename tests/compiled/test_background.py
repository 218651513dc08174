"""Kernels that another process compiles: the same ones, once, and nobody waits in vain."""

import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest

from pigevo.compiled import cache
from tests.small import environment_of_a_process

EXACT = "import pigevo; pigevo.win_probability(pigevo.hold_at(g := pigevo.Pig(9), 3), pigevo.optimal(g).strategy)"
TASKS = {
    ("exact", "TASK"): EXACT,
    ("exact", "OPTIMUM"): EXACT,
    ("three_player", "TASK"): "from pigevo import three_player as t; t.solve(t.Game(3)).exploitability()",
}
COUNT = """
from numba.core import event
from pigevo.compiled.kernel import cache_folder
class Heard(event.Listener):
    def on_start(self, event): compiled.append(event.data["dispatcher"].py_func.__qualname__)
    def on_end(self, event): pass
compiled = []
event.register("numba:compile", Heard())
{}
print(*compiled)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("room", "name"), TASKS)
def test_what_was_compiled_ahead_is_what_is_needed(room, name, tmp_path):
    """The other process leaves kernels of just the types that the first call has: none of them is compiled again."""
    task = getattr(import_module(f"pigevo.{room}.warm_up"), name)
    environment = environment_of_a_process() | {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")}

    def python(code):
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)

    for word in task:
        python(f"from pigevo.compiled.cache import call; call({word!r})")
    compiled = python(COUNT.format(TASKS[room, name])).stdout.split()
    for kernels in task.values():
        for kernel in kernels:
            assert list((tmp_path / "kernels").glob(f"*/{kernel}-*.kernel"))
            assert kernel.split(".")[-1] not in compiled


@pytest.fixture
def begun(monkeypatch):
    """The processes that are begun, which sleep."""
    begun = []

    def sleep(words, **_):
        begun.append(words)
        return subprocess_popen([sys.executable, "-c", "import time; time.sleep(60)"])

    subprocess_popen = subprocess.Popen
    monkeypatch.setattr(cache.subprocess, "Popen", sleep)
    monkeypatch.setattr(cache, "available_cores", lambda: 2)
    monkeypatch.setattr(cache, "_busy", {})
    yield begun
    for process in cache._busy.values():
        process.kill()
        process.wait()


def test_only_what_the_cache_lacks_is_asked_for(begun, tmp_path):
    (tmp_path / "a.first-1.kernel").touch()
    cache.compile_ahead(tmp_path, {"a:one": ["a.first"], "b:two": ["b.second"]})
    cache.compile_ahead(tmp_path, {"a:one": ["a.first"]})
    cache.compile_ahead(None, {"b:two": ["b.second"]})
    (words,) = begun
    assert words[-1] == "b:two"
    assert "a:one" not in words
    assert Path(words[-2], "pigevo", "compiled/cache.py").exists()


def test_one_core_compiles_by_itself(begun, tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "available_cores", lambda: 1)
    cache.compile_ahead(tmp_path, {"b:two": ["b.second"]})
    assert begun == []


def test_a_kernel_is_waited_for_until_it_is_there_or_its_process_has_ended(begun, tmp_path, monkeypatch):
    cache.compile_ahead(tmp_path, {"b:two": ["b.second", "b.third", "b.fourth"]})
    process, looks = cache._busy["b.second"], iter([False, False, True])
    cache.wait_for("b.second", lambda: next(looks))
    assert next(looks, None) is None
    assert process.poll() is None
    monkeypatch.setattr(cache, "LONGEST", 0.05)
    begin = time.monotonic()
    cache.wait_for("b.third", lambda: False)
    assert time.monotonic() - begin >= 0.05
    monkeypatch.setattr(cache, "LONGEST", 60.0)
    process.kill()
    cache.wait_for("b.fourth", lambda: False)
    cache.wait_for("unknown", lambda: False)
    assert process.poll() is not None
