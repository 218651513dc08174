"""Work on threads: as many as workers, and the same results in the same order."""

import threading
import time

import pytest

import pigevo
from pigevo.core.threads import STRETCH, available_cores, map_threads
from pigevo.dice import Draw
from pigevo.evolution.operators import Context
from pigevo.exact import evaluate
from pigevo.simulation import match

WAIT = 30.0
"""Seconds to wait until all threads work at the same time."""


@pytest.fixture(autouse=True)
def _cores(monkeypatch):
    monkeypatch.setattr("pigevo.core.threads.available_cores", lambda: 4)


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


@pytest.mark.parametrize(
    ("items", "workers", "threads"), [(40, 1, 1), (40, 2, 2), (40, 4, 4), (40, 9, 4), (2, 4, 2), (1, 4, 1), (0, 4, 0)]
)
def test_as_many_threads_work_as_there_are_workers_cores_and_items(items, workers, threads):
    counted = Counted(threads)
    assert map_threads(counted, range(items), workers) == [item * item for item in range(items)]
    assert counted.most == len(counted.threads) == threads
    if threads == 1:
        assert counted.threads == {threading.get_ident()}  # no thread beside the caller


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


@pytest.mark.parametrize("workers", [1, 4])
def test_done_is_called_while_the_work_goes_on(workers):
    """An item of the first stretch is handed over before the last one is worked on."""
    items = list(range(8 * 4 * 2 * STRETCH))
    results, seen = [], []

    def work(item):
        if item == items[-1]:
            until = time.monotonic() + WAIT
            while not results and time.monotonic() < until:
                time.sleep(0.001)
            seen.append(len(results))
        return item

    map_threads(work, items, workers, results.append)
    assert seen[0] > 0
    assert results == items


def test_an_error_reaches_the_caller():
    def fail(item):
        if item == 7:
            raise ZeroDivisionError
        return item

    with pytest.raises(ZeroDivisionError):
        map_threads(fail, list(range(20)), 3)


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
