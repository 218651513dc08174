"""The machine's memory, threads and bounded cache, and what is told of work that goes on: bars and seconds by phase."""

import io
import os
import subprocess
import sys
import threading
import time
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest

import pigevo
from pigevo.core import machine, progress_bar
from pigevo.core.machine import CHUNK, MOST_BYTES, available_cores, byte_lru_cache, map_threads
from pigevo.core.phase_clock import Compilations, PhaseClock
from pigevo.core.progress_bar import ProgressBar
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.operators import Context
from pigevo.exact import evaluate, optimal
from pigevo.games import Pig
from pigevo.simulation import match
from pigevo.strategies import random_strategy
from tests.evolution.conftest import context_of, tables_of
from tests.small import environment_of_a_process

GB = 10**9


@pytest.fixture
def system(tmp_path, monkeypatch):
    """A system of files: each is written by its path, as in `/proc` and `/sys/fs/cgroup`."""
    monkeypatch.setattr(machine, "_PROC", tmp_path / "proc")
    monkeypatch.setattr(machine, "_CGROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(machine, "_of_limits", lambda: iter(()))

    def write(path, text):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    write("proc/meminfo", "MemTotal: 9000000 kB\nMemAvailable: 8000000 kB\nSwapFree: 0 kB\n")
    return write


def test_available_memory_is_that_of_the_system(system):
    assert machine.available_memory() == 8_000_000 * 1024


def test_a_container_may_take_less(system):
    system("proc/self/cgroup", "0::/job/part\n")
    system("cgroup/job/part/memory.max", "max\n")
    system("cgroup/job/part/memory.current", "5\n")
    system("cgroup/job/memory.max", f"{3 * GB}\n")
    system("cgroup/job/memory.current", f"{2 * GB}\n")
    system("cgroup/job/memory.stat", f"anon 7\ninactive_file {GB // 2}\n")
    assert machine.available_memory() == 3 * GB - 2 * GB + GB // 2


def test_a_container_of_the_first_kind_of_groups_may_take_less(system):
    system("proc/self/cgroup", "5:cpu:/a\n4:cpuset,memory:/a\n")
    system("cgroup/memory/a/memory.limit_in_bytes", f"{4 * GB}")
    system("cgroup/memory/a/memory.usage_in_bytes", f"{GB}")
    system("cgroup/memory/a/memory.stat", f"total_inactive_file {GB}")
    assert machine.available_memory() == 4 * GB


@pytest.mark.parametrize("text", ["", "MemAvailable: many kB", "MemAvailable:", "\x00\xff"])
def test_unreadable_figures_are_passed_over(system, monkeypatch, text):
    system("proc/meminfo", text)
    system("proc/self/cgroup", "nonsense\n0::\n::::\n")
    monkeypatch.setattr(machine.os, "sysconf", lambda name: (_ for _ in ()).throw(ValueError))
    assert machine.available_memory() is None
    machine.require_memory(10**18, "anything")


def test_more_than_there_is_is_refused_in_a_sentence(system):
    machine.require_memory(8_000_000 * 1024, "it")
    with pytest.raises(InputError) as refused:
        machine.require_memory(8_000_000 * 1024 + 1, "a run", "choose less")
    assert str(refused.value) == "a run needs about 8.2 GB of memory, and there is 8.2 GB: choose less."


def test_a_limit_of_the_shell_counts():
    """`ulimit -v`, in a process of its own."""
    code = (
        "import resource; from pigevo.core.machine import available_memory;"
        "resource.setrlimit(resource.RLIMIT_AS, (3 * 10**9,) * 2); print(available_memory())"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment_of_a_process()
    )
    assert 0 < int(process.stdout) < 3 * GB


@pytest.fixture
def squares():
    """A function whose cache holds 100 bytes of results, and the arguments that it was called with."""
    calls = []

    @byte_lru_cache(lambda arguments, result: result, most=100)
    def square(number):
        calls.append(number)
        return number * number

    return square, calls


def test_results_are_computed_once_and_those_used_longest_ago_make_room(squares):
    square, calls = squares
    for number in (7, 6, 7, 5, 4):  # beside the last there would be 36, 49 and 25 bytes
        assert square(number) == number * number
    assert square.bytes_of_others == 49 + 25
    assert square(7) == 49
    assert calls == [7, 6, 5, 4]
    assert square(6) == 36
    assert calls == [7, 6, 5, 4, 6]


def test_an_argument_by_name_is_the_same_argument(squares):
    square, calls = squares
    assert square(number=7) == square(7) == square(number=7) == 49
    assert calls == [7]
    with pytest.raises(TypeError, match="missing a required argument: 'number'"):
        square(numbers=7)


def test_the_last_one_stays_whatever_its_size(squares):
    square, calls = squares
    assert [square(50), square(50)] == [2500, 2500]
    assert calls == [50]
    square(1)
    assert len(square) == 1
    square.clear()
    assert len(square) == 0


def test_the_bound_holds_with_several_threads(squares):
    square, _ = squares
    threads = [threading.Thread(target=lambda: [square(n) for n in range(10)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert square.bytes_of_others <= 100


def test_optima_have_a_bound():
    optimal.__wrapped__.clear()
    for target in range(40, 90):
        optimal(Pig(target=target))
    assert optimal.__wrapped__.bytes_of_others <= MOST_BYTES
    assert optimal.__wrapped__.bytes_of_others > 0
    assert optimal(Pig(target=89)) is optimal(Pig(target=89))


@pytest.mark.slow
def test_past_champions_take_no_more_than_a_run_says_it_needs():
    from pigevo.evolution.fitness import archive

    game, fitness = Pig(target=100), archive.Archive(size=8, race=True)
    members = tables_of([random_strategy(game, seed=seed) for seed in (100, 101)])
    bits = [np.packbits(random_strategy(game, seed=seed).table) for seed in range(40)]
    archive.prepared(game, bits[0].tobytes())
    tracemalloc.start()
    try:
        for champion in bits:
            state = {"archive": champion[None]}
            fitness(members, context_of(game, Draw(1, "dice", 0), pairs=np.array([[0, 1]]), state=state, fresh=1))
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 10**6 < taken < fitness.bytes_beside(game, size=2, pairs=1)


WAIT = 30.0
"""Seconds to wait until all threads work at the same time."""


@pytest.fixture
def _four_cores(monkeypatch):
    """As many threads may work as tests of threads need, whatever the machine has."""
    monkeypatch.setattr("pigevo.core.machine.available_cores", lambda: 4)


class Counted:
    """Counts the threads that call it, and the largest number at one time."""

    def __init__(self, together):
        self.together = together
        self.lock = threading.Lock()
        self.inside = self.most = 0
        self.threads = set()

    def __call__(self, item):
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
            self.threads.add(threading.get_ident())
        until = time.monotonic() + WAIT
        while self.most < self.together and time.monotonic() < until:  # until all that should work do
            time.sleep(0.001)
        time.sleep(0.002)  # so that one thread too many would be seen
        with self.lock:
            self.inside -= 1
        return item * item


@pytest.mark.usefixtures("_four_cores")
@pytest.mark.parametrize(
    ("items", "workers", "threads"), [(40, 1, 1), (40, 2, 2), (40, 4, 4), (40, 9, 4), (2, 4, 2), (1, 4, 1), (0, 4, 0)]
)
def test_as_many_threads_work_as_there_are_workers_cores_and_items(items, workers, threads):
    counted = Counted(threads)
    assert map_threads(counted, range(items), workers) == [item * item for item in range(items)]
    assert counted.most == len(counted.threads) == threads
    if threads == 1:
        assert counted.threads == {threading.get_ident()}  # no thread beside the caller


@pytest.mark.usefixtures("_four_cores")
@pytest.mark.parametrize("workers", [1, 4])
def test_done_is_called_in_order_and_by_the_caller(workers):
    items = list(range(24))
    calls = []

    def slow_at_first(item):
        time.sleep(0.02 if item < 4 else 0.0)
        return -item

    def done(item):
        calls.append((item, threading.get_ident()))

    assert map_threads(slow_at_first, items, workers, done) == [-item for item in items]
    assert calls == [(item, threading.get_ident()) for item in items]


@pytest.mark.usefixtures("_four_cores")
@pytest.mark.parametrize("workers", [1, 4])
def test_done_is_called_while_the_work_goes_on(workers):
    """An item of the first stretch is handed over before the last one is worked on."""
    items = list(range(8 * 4 * 2 * CHUNK))
    results, seen, caller = [], [], threading.get_ident()

    def work(item):
        if item % CHUNK == 0:
            time.sleep(0.001)  # so that every thread works
        if item == items[-1]:
            until = time.monotonic() + WAIT
            while not results and threading.get_ident() != caller and time.monotonic() < until:
                time.sleep(0.001)
            seen.append(len(results))
        return item

    map_threads(work, items, workers, results.append)
    assert seen[0] > 0
    assert results == items


@pytest.mark.usefixtures("_four_cores")
def test_an_error_reaches_the_caller():
    def fail(item):
        if item == 7:
            raise ZeroDivisionError
        return item

    with pytest.raises(ZeroDivisionError):
        map_threads(fail, list(range(20)), 3)


@pytest.mark.usefixtures("_four_cores")
@pytest.mark.parametrize("slow", [0, 1])
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_the_error_is_that_of_the_first_item_whichever_comes_first(slow, workers):
    def fail(item):
        time.sleep(0.05 if item == slow else 0.0)
        raise ValueError(item)

    with pytest.raises(ValueError, match="0"):
        map_threads(fail, [0, 1, 2, 3], workers)


@pytest.mark.usefixtures("_four_cores")
def test_an_interruption_comes_before_an_error():
    def fail(item):
        if threading.get_ident() == caller:
            time.sleep(0.05)
            raise KeyboardInterrupt
        raise ValueError(item)

    caller = threading.get_ident()
    with pytest.raises(KeyboardInterrupt):
        map_threads(fail, [0, 1, 2, 3], 2)


@pytest.mark.usefixtures("_four_cores")
def test_after_an_interruption_of_the_caller_nobody_begins_anything_and_all_have_ended():
    begun, before = [], threading.active_count()

    def work(n):
        begun.append(n)
        time.sleep(0.002)

    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        map_threads(work, range(400), 2, interrupt)
    assert threading.active_count() == before
    assert len(begun) < 200


@pytest.mark.usefixtures("_four_cores")
def test_an_exit_in_another_thread_is_not_lost():
    def leave(item):
        if threading.get_ident() != caller:
            raise SystemExit(3)
        time.sleep(0.01)
        return item

    caller = threading.get_ident()
    with pytest.raises(SystemExit):
        map_threads(leave, list(range(40)), 2)


@pytest.mark.usefixtures("_four_cores")
@pytest.mark.parametrize("in_caller", [True, False])
def test_after_an_error_in_one_thread_no_other_begins_anything(in_caller):
    begun, caller = [], threading.get_ident()

    def fail(item):
        begun.append(item)
        time.sleep(0.005)
        if (threading.get_ident() == caller) is in_caller:
            raise KeyboardInterrupt
        return item

    with pytest.raises(KeyboardInterrupt):
        map_threads(fail, list(range(400)), 2)
    assert len(begun) < 100


@pytest.mark.usefixtures("_four_cores")
def test_all_cores_work_unless_workers_are_given(monkeypatch):
    """In a match, a matrix, and a fitness by hand; in a run the settings decide."""
    workers, game = [], pigevo.Pig(target=5)
    for module in (match, evaluate):
        monkeypatch.setattr(module, "available_cores", lambda: 7)
        monkeypatch.setattr(module, "map_threads", lambda *given: workers.append(given[2]) or map_threads(*given))
    both = [pigevo.hold_at(game, 2), pigevo.hold_at(game, 3)]
    pigevo.play_match(*both, games=10)
    pigevo.play_match(*both, games=10, workers=2)
    assert workers == [7, 2]
    workers.clear()
    assert (pigevo.win_matrix(both) == pigevo.win_matrix(both, workers=2)).all()
    assert [workers.count(7), workers.count(2)] == [1, 1]
    assert Context(Draw(1, "dice"), pigevo.CubeGrid(game, 1)).workers == available_cores()


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress_bar, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


@pytest.mark.parametrize("by_iteration", [False, True])
def test_a_bar_without_a_terminal_says_a_line_a_minute(clock, capsys, by_iteration):
    options = {"desc": "sweep: 0 of 9 runs", "total": 30, "disable": None, "file": io.StringIO()}
    if by_iteration:
        for _ in ProgressBar(range(30), **options):
            clock[0] += 25
    else:
        bar = ProgressBar(**options)
        for _ in range(30):
            clock[0] += 25
            bar.update()
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10  # at the first step after each minute: every 75 s
    assert lines[0] == "sweep: 0 of 9 runs: 10 % after about 75 seconds, about 11 minutes to go"


def test_a_terminal_that_does_not_tell_its_size_shows_a_bar_at_once():
    pty = pytest.importorskip("pty")
    reading, terminal = pty.openpty()  # of 0 lines and 0 columns
    with (
        os.fdopen(reading, "rb", buffering=0) as screen,
        open(terminal, "w") as file,
        ProgressBar(total=3, desc="reading 3 files", disable=None, file=file),
    ):
        assert b"reading 3 files:   0%" in screen.read(500)


def test_what_was_done_before_is_no_part_of_the_speed(clock, capsys):
    bar = ProgressBar(initial=50, total=100, disable=None, file=io.StringIO())
    clock[0] = 120
    bar.update(10)
    assert capsys.readouterr().err.splitlines() == ["60 % after about 2 minutes, about 8 minutes to go"]


def test_a_bar_that_is_not_wanted_says_nothing(clock, capsys):
    bar = ProgressBar(total=100, disable=True)
    clock[0] = 120
    bar.update(10)
    assert not capsys.readouterr().err


def test_phases_add_up_and_one_inside_another_belongs_to_the_outer_one():
    clock = PhaseClock()
    with clock("play"):
        time.sleep(0.01)
    with clock("select"), clock("play"):
        time.sleep(0.01)
    assert min(clock.seconds["play"], clock.seconds["select"]) >= 0.01
    clock.begin({"vary": 3.0, "play": 1.0}, time.perf_counter() - 2)
    begun = time.perf_counter()
    with clock("play"):
        time.sleep(0.01)
    time.sleep(0.02)
    parts = clock.parts()
    assert (parts["vary"], parts["select"]) == (3, 0)
    assert parts["play"] >= 1.01
    assert parts["start"] == pytest.approx(2, abs=0.01)
    assert parts["rest"] >= 0.02
    assert sum(parts.values()) == pytest.approx(6 + time.perf_counter() - begun, abs=0.01)


def test_compilation_is_a_part_of_its_own_and_of_no_other(monkeypatch):
    monkeypatch.setattr("pigevo.core.phase_clock.COMPILATIONS", compilations := Compilations())
    clock = PhaseClock()
    with clock("play"):
        compilations.begin()
        compilations.begin()
        time.sleep(0.05)
        compilations.end()
        time.sleep(0.05)
        compilations.end()
        time.sleep(0.01)
    parts = clock.parts()
    assert parts["compile"] >= 0.1
    assert 0.01 <= parts["play"] < 0.1


def test_an_error_ends_a_phase():
    clock = PhaseClock()
    with pytest.raises(ValueError), clock("play"):
        raise ValueError
    with clock("select"):
        pass
    assert list(clock.seconds) == ["play", "select"]


@pytest.mark.parametrize("is_closed", [False, True])
def test_without_standard_error_there_is_no_bar(capsys, monkeypatch, is_closed):
    stream = io.StringIO() if is_closed else None  # a program without a console has none
    if stream:
        stream.close()
    monkeypatch.setattr("sys.stderr", stream)
    with ProgressBar(total=3, disable=None) as bar:
        bar.update()
    assert list(ProgressBar(range(3), disable=None)) == [0, 1, 2]
    assert not capsys.readouterr().out
