"""A cache of results with a bound on their bytes."""

import threading
import tracemalloc

import numpy as np
import pytest

from pigevo.core.byte_lru_cache import MOST_BYTES, byte_lru_cache
from pigevo.dice import Draw
from pigevo.exact import optimal
from pigevo.games import Pig
from pigevo.strategies import random_strategy
from tests.evolution.helpers import context_of, tables_of


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
    optimal.clear()
    for target in range(40, 90):
        optimal(Pig(target=target))
    assert optimal.bytes_of_others <= MOST_BYTES
    assert optimal.bytes_of_others > 0
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
