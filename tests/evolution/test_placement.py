"""How rare a figure is among random ones, against brute force."""

import numpy as np
import pytest
from scipy import stats

from pigevo.dice import Draw
from pigevo.evolution.placement import place

SAMPLE = Draw(1, "validation").uniforms(400)


@pytest.mark.parametrize("value", [0.0, 0.2, 0.9, 0.995])
def test_chance_is_the_share_of_the_sample_that_reaches_the_figure(value):
    found = place(value, SAMPLE, 50)
    assert found.reached == sum(x >= value for x in SAMPLE)
    assert found.chance == found.reached / 400
    assert (found.sample, found.tries, found.value) == (400, 50, value)
    assert found.largest == SAMPLE.max()


def test_a_figure_that_is_met_counts_as_reached():
    assert place(0.5, np.array([0.1, 0.5, 0.5, 0.4]), 1).reached == 2


@pytest.mark.parametrize("n", [1, 20, 300, 6000])
def test_a_figure_that_none_reaches_has_only_a_bound(n):
    found = place(2.0, Draw(2, "validation").uniforms(n), 10)
    assert (found.reached, found.chance, found.best_of_tries) == (0, 0.0, 0.0)
    assert found.bound == pytest.approx(1 - 0.05 ** (1 / n), rel=1e-9)
    assert found.best_of_tries_bound == pytest.approx(1 - (1 - found.bound) ** 10, rel=1e-9)


def test_the_bound_is_three_in_n():
    assert place(2.0, SAMPLE, 1).bound == pytest.approx(3 / 400, rel=0.01)


@pytest.mark.parametrize("value", [0.3, 0.9, 0.99])
def test_the_bound_is_the_chance_at_which_so_few_are_seen_once_in_twenty(value):
    found = place(value, SAMPLE, 1)
    assert stats.binom.cdf(found.reached, 400, found.bound) == pytest.approx(0.05, rel=1e-6)


def test_the_best_of_several_tries_is_one_minus_none_of_them():
    found = place(0.9, SAMPLE, 12)
    assert found.best_of_tries == pytest.approx(1 - (1 - found.chance) ** 12, rel=1e-12)
    groups = Draw(3, "validation").permutation(400 * 300) % 400
    best = SAMPLE[groups].reshape(-1, 12).max(axis=1)
    assert stats.binomtest(int((best >= 0.9).sum()), len(best), found.best_of_tries).pvalue > 1e-4


def test_a_figure_that_all_reach_is_sure():
    found = place(-1.0, SAMPLE, 5)
    assert (found.chance, found.bound, found.best_of_tries, found.best_of_tries_bound) == (1.0, 1.0, 1.0, 1.0)


def test_tiny_chances_of_many_tries_are_not_lost():
    found = place(2.0, Draw(2, "validation").uniforms(5000), 10**9)
    assert found.best_of_tries_bound == 1.0
    assert found.best_of_tries == 0.0


def test_the_tail_model_finds_a_known_tail():
    sample = -np.log1p(-Draw(7, "validation").uniforms(20_000))  # exponential
    for value in (4.0, 6.0, 9.0):
        assert np.log(place(value, sample, 1).tail_model) == pytest.approx(-value, abs=0.15 * value)


def test_the_tail_model_is_refused_where_it_has_no_ground():
    assert place(0.5, SAMPLE, 1).tail_model is None  # below its threshold
    assert place(2.0, SAMPLE[:150], 1).tail_model is None  # too few in the tail
    assert place(2.0, np.full(500, 0.3), 1).tail_model is None  # no tail


def test_any_shape_is_one_sample():
    assert place(0.9, SAMPLE.reshape(20, 20), 3) == place(0.9, SAMPLE, 3)


def test_words_tell_what_the_sample_can_say():
    assert str(place(2.0, SAMPLE, 9)) == f"none of 400 (the best of them {SAMPLE.max():.4f})"
    some = place(0.995, SAMPLE, 9)
    assert str(some) == f"{some.reached} of 400"


def test_a_record_is_plain_values():
    record = place(0.9, SAMPLE, 3).record()
    assert {type(v) for v in record.values()} <= {int, float, type(None)}
    assert record["reached"] == place(0.9, SAMPLE, 3).reached
