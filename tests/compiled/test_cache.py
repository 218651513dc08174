"""Compiled kernels on disk: used again where they are what was written, never believed where they are not, and compiled ahead."""

import os
import random
import shutil
import subprocess
import sys
import time

import numba
import numpy as np
import pytest
from numba.core.serialize import dumps

from pigevo.compiled import cache
from pigevo.compiled.cache import MARK, KernelCache, cache_folder, sealed_content, write_sealed
from pigevo.exact.solve import TURNS, VISITS, WIN
from pigevo.three_player.evaluation import CERTIFICATE
from tests.small import environment_of_a_process, posix


def twice(a):
    return 2 * a + 1


@pytest.fixture(autouse=True)
def _nothing_was_said(monkeypatch):
    monkeypatch.setattr(cache, "_has_warned", False)


@pytest.fixture
def fresh(tmp_path):
    """The kernel as a process finds it that has just begun: its compiled code is on disk or nowhere."""
    folder = tmp_path / "kernels"
    folder.mkdir()

    def made():
        compiled = numba.njit(twice)
        compiled._cache = KernelCache(twice, folder)
        return compiled

    return made


def called(compiled, argument=20):
    """Whether a call was served from the cache; what it gives is right in any case."""
    result = compiled(argument)
    assert np.array_equal(result, twice(argument))
    return sum(compiled.stats.cache_hits.values()) > 0


@pytest.fixture
def kernel_file(fresh, tmp_path):
    """The file of the compiled kernel."""
    assert not called(fresh())
    (path,) = (tmp_path / "kernels").iterdir()
    return path


def test_a_kernel_is_compiled_once_for_each_signature(fresh, kernel_file, tmp_path):
    assert called(fresh())
    assert not called(fresh(), 2.5)
    assert called(fresh(), 2.5)
    assert len(list((tmp_path / "kernels").iterdir())) == 2
    if os.name == "posix":
        assert kernel_file.stat().st_mode & 0o777 == 0o600


def test_a_cache_that_was_emptied_meanwhile_is_filled_again(fresh, kernel_file, caplog):
    compiled = fresh()
    kernel_file.unlink()
    kernel_file.parent.rmdir()
    assert not called(compiled)
    assert kernel_file.is_file()
    assert caplog.text == ""


def test_other_processors_have_files_of_their_own(fresh, kernel_file, monkeypatch):
    codegen = type(numba.njit(twice).targetctx.codegen())
    system, processor, features = codegen.magic_tuple(numba.njit(twice).targetctx.codegen())
    for other in (("another", processor, features), (system, "another", features), (system, processor, "+another")):
        with monkeypatch.context() as patch:
            patch.setattr(codegen, "magic_tuple", lambda _, other=other: other)
            assert not called(fresh())
    assert len(list(kernel_file.parent.iterdir())) == 4
    assert called(fresh())


def damages():
    """Names and functions of the bytes of a file."""
    yield "empty", lambda whole: b""
    yield "nothing but the mark", lambda whole: MARK
    yield "of another version", lambda whole: whole.replace(b"kernel 1", b"kernel 0")
    yield "longer", lambda whole: whole + b"\0"
    yield "foreign", lambda whole: b"\x93NUMPY" + bytes(1000)
    for seed in range(5):
        draw = random.Random(seed)
        yield f"cut {seed}", lambda whole, draw=draw: whole[: draw.randrange(len(whole))]
        yield f"changed {seed}", lambda whole, draw=draw: with_a_changed_bit(whole, draw)


def with_a_changed_bit(whole, draw):
    place = draw.randrange(len(whole))
    return whole[:place] + bytes([whole[place] ^ 1 << draw.randrange(8)]) + whole[place + 1 :]


def test_a_damaged_file_is_dropped_and_the_kernel_compiled(fresh, kernel_file):
    whole = kernel_file.read_bytes()
    for name, damage in damages():
        kernel_file.write_bytes(damage(whole))
        assert not called(fresh()), name
        assert called(fresh()), name
        assert sealed_content(kernel_file) is not None


class Trap:
    def __reduce__(self):
        return os.mkdir, ("sprung",)


@pytest.mark.parametrize("sealed", [False, True])
def test_nothing_is_unpickled_that_was_not_sealed_here(fresh, kernel_file, tmp_path, monkeypatch, sealed):
    monkeypatch.chdir(tmp_path)
    if sealed:  # that a seal is right says that nothing was damaged; who wrote it, the folder's owner and mode say
        write_sealed(kernel_file, dumps(Trap()))
    else:
        kernel_file.write_bytes(dumps(Trap()))
    assert not called(fresh())
    assert (tmp_path / "sprung").exists() == sealed


def test_a_file_of_another_kind_with_a_right_seal_is_dropped(fresh, kernel_file):
    for content in (b"", b"no pickle", dumps(3), dumps(("another signature", ())), dumps((1, 2, 3))):
        write_sealed(kernel_file, content)
        assert not called(fresh())
    assert called(fresh())


CALL = """\
import numpy as np, pigevo.evolution.gene_kernels as kernels
print(kernels.first_hold(np.zeros((2, 2), np.uint8), np.zeros((1, 2), int), 0, 0))
"""
LIMITED = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n{CALL}"


@posix
def test_a_disk_that_takes_no_more_refuses_no_command(tmp_path):
    """With a real limit of the operating system, on the size of any file."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED], capture_output=True, text=True, check=False,
        env=environment_of_a_process() | {"NUMBA_CACHE_DIR": str(tmp_path / "new"), "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "0\n")
    assert done.stderr.count("compiled kernels are not kept") == 1
    assert "File too large" in done.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.fixture
def chosen(tmp_path, monkeypatch):
    """The folder of `NUMBA_CACHE_DIR`."""
    monkeypatch.setattr(cache.numba_settings, "CACHE_DIR", str(tmp_path / "chosen"))
    return tmp_path / "chosen"


def cache_folder_now():
    """As a process that has just begun finds it."""
    return cache_folder.__wrapped__()


@posix
def test_builds_lie_in_folders_of_their_own_for_the_user_alone(chosen, monkeypatch):
    first = cache_folder_now()
    assert first.parent == chosen
    assert first.stat().st_mode & 0o777 == 0o700
    assert cache_folder_now() == first
    builds = {first}
    changes = [
        (cache.numba_settings, "BOUNDSCHECK", 1),
        (cache.numba_settings, "OPT", 0),
        (cache, "kernel_files", lambda: []),
    ]
    for place, name, value in changes:
        with monkeypatch.context() as patch:
            patch.setattr(place, name, value)
            builds.add(cache_folder_now())
    assert len(builds) == 4


@posix
@pytest.mark.parametrize("level", ["", "the build"])
@pytest.mark.parametrize(
    ("theirs", "part"), [("open", "other users can write to"), ("another user's", "another user"), ("a link", "")]
)
def test_a_folder_that_others_could_have_written_to_is_not_used(chosen, caplog, monkeypatch, level, theirs, part):
    place = cache_folder_now() if level else chosen
    place.mkdir(exist_ok=True, parents=True)
    if theirs == "open":
        place.chmod(0o777)
    elif theirs == "a link":
        real = place.rename(place.with_name("real"))
        real.chmod(0o777)
        place.symlink_to(real)
    else:
        other_user = os.geteuid() + 1
        monkeypatch.setattr("os.geteuid", lambda: other_user)
        if not level and os.stat("/").st_uid == place.stat().st_uid:
            pytest.skip("root's own folders are safe to all")
    assert cache_folder_now() is None
    assert cache_folder_now() is None
    (message,) = caplog.messages
    assert message.startswith("compiled kernels are not kept, so each process compiles them: ")
    assert part in message


@pytest.mark.slow
@posix
def test_planted_code_is_run_by_nobody_else(tmp_path):
    """A file of the right form in a folder of the right name, but open to others."""
    environment = environment_of_a_process() | {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")}

    def warnings_of_a_process():
        return subprocess.run(
            [sys.executable, "-c", CALL], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        ).stderr

    warnings_of_a_process()
    (build,) = (tmp_path / "kernels").iterdir()
    (path,) = build.iterdir()
    write_sealed(path, dumps(Trap()))
    build.chmod(0o777)
    assert "other users can write to" in warnings_of_a_process()
    assert not (tmp_path / "sprung").exists()
    build.chmod(0o700)
    warnings_of_a_process()
    assert (tmp_path / "sprung").exists()  # it was the folder's mode that kept it from being run


EXACT = "import pigevo as p; a = p.hold_at(p.Pig(9), 3); p.win_probability(a, a); p.reach(a, a)"
THREE = "from pigevo import three_player as t; t.solve(t.Game(3)).exploitability()"
COMPILED = """\
import sys
from numba.core import event
class Compilations(event.Listener):
    def on_start(self, event):
        function = event.data["dispatcher"].py_func
        names.append(function.__module__ + "." + function.__qualname__)
    def on_end(self, event): pass
names = []
event.register("numba:compile", Compilations())
{}
print(*names)
for call in sys.argv[1:]:
    module, name = call.rsplit(".", 1)
    if sum(getattr(sys.modules[module], name).compiled.stats.cache_hits.values()): print("loaded", call)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("calls", "work"), [(WIN | TURNS | VISITS, EXACT), (CERTIFICATE, THREE)])
def test_what_was_compiled_ahead_is_what_is_needed(calls, work, tmp_path):
    """The second process leaves kernels of just the types of the first call: they are loaded, and none is compiled again.

    Only what the work needs besides them is taken from the cache of these tests, if it is there.
    """
    environment = environment_of_a_process() | {"NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", cache._COMPILE_SCRIPT, "", *calls.values()], check=True, env=environment)
    (build,) = tmp_path.iterdir()
    kept = cache_folder()
    for other in kept.glob("*.kernel") if kept else ():
        if other.name.rpartition("-")[0] not in calls:
            shutil.copy(other, build)
    words = [sys.executable, "-c", COMPILED.format(work), *calls]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=environment)
    compiled, *loaded = done.stdout.splitlines()
    assert set(compiled.split()) & set(calls) == set()
    assert loaded == [f"loaded {name}" for name in calls]


CALLEE = "from pigevo.compiled.kernel import kernel\n@kernel()\ndef step(a): return a + {}\n"
CALLER = """\
from pigevo.compiled.kernel import kernel
from steps_kernel import step
@kernel()
def twice(a): return step(step(a))
print(twice(0))
"""


@pytest.mark.slow
def test_a_kernel_elsewhere_is_compiled_again_when_one_that_it_calls_has_changed(tmp_path):
    """As in a study: the files of both lie in one folder, outside the package."""
    # Python takes a module's bytecode for its source if both are of one second and the source is as long as before.
    environment = environment_of_a_process() | {
        "NUMBA_CACHE_DIR": str(tmp_path / "kernels"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    (tmp_path / "walk.py").write_text(CALLER)

    def printed_with(step):
        (tmp_path / "steps_kernel.py").write_text(CALLEE.format(step))
        words = [sys.executable, "walk.py"]
        done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        return int(done.stdout)

    assert [printed_with(step) for step in (1, 1, 5)] == [2, 2, 10]
    assert len(list((tmp_path / "kernels").rglob("*.twice-*.kernel"))) == 2


@pytest.fixture
def processes(tmp_path, monkeypatch):
    """The processes that are begun, which sleep; the machine has two cores, and the cache lies in `tmp_path`."""
    processes, popen = [], subprocess.Popen

    def sleep(words, **_):
        processes.append(popen([sys.executable, "-c", "import time; time.sleep(60)", *words]))
        return processes[-1]

    monkeypatch.setattr(cache.subprocess, "Popen", sleep)
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(cache, "available_cores", lambda: 2)
    monkeypatch.setattr(cache, "_compiling", {})
    yield processes
    for process in processes:
        process.kill()
        process.wait()


def test_only_what_the_cache_lacks_is_compiled_and_only_where_a_core_is_free(processes, tmp_path, monkeypatch):
    (tmp_path / "a.first-1.kernel").touch()
    cache.compile_ahead({"a.first": "a:one"})
    assert processes == []
    cache.compile_ahead({"a.first": "a:one", "b.second": "b:two"})
    (process,) = processes
    assert "b:two" in process.args
    assert "a:one" not in process.args
    monkeypatch.setattr(cache, "available_cores", lambda: 1)
    cache.compile_ahead({"c.third": "c:three"})
    assert len(processes) == 1


def test_a_kernel_is_waited_for_until_it_is_there_or_its_process_has_ended(processes, tmp_path, monkeypatch):
    cache.compile_ahead({"b.second": "b:two"})
    monkeypatch.setattr(cache, "LONGEST_WAIT", 0.3)
    begin = time.monotonic()
    cache._wait_for("b.second", tmp_path / "b.second-1.kernel")
    assert time.monotonic() - begin >= 0.3
    monkeypatch.setattr(cache, "LONGEST_WAIT", 3600.0)
    cache._wait_for("b.second", tmp_path)  # it is there
    processes[0].kill()
    cache._wait_for("b.second", tmp_path / "b.second-1.kernel")
    cache._wait_for("unknown", tmp_path / "unknown-1.kernel")
