"""Intervals, tests and corrections against values by hand, by brute force and by simulation."""

import itertools

import numpy as np
import pytest

from pigevo.sweeps.statistics import compare_pairs, mean_interval, rank, seeds_for, sign_flip


@pytest.mark.parametrize("seed", range(6))
def test_the_p_value_is_that_of_all_sign_flips(seed):
    found = np.random.default_rng(seed).normal(0.5, 1, size=8)
    means = [np.mean(found * signs) for signs in itertools.product((1, -1), repeat=8)]
    brute = np.mean([abs(mean) >= abs(found.mean()) - 1e-12 for mean in means])
    assert sign_flip(found) == pytest.approx(brute)


def test_no_difference_is_no_difference():
    assert sign_flip(np.zeros(5)) == 1.0
    assert mean_interval(np.full(5, 0.25)) == (0.25, 0.25)
    assert mean_interval(np.array([0.25])) == (None, None)


def test_intervals_cover_the_mean_as_often_as_they_say():
    rng = np.random.default_rng(1)
    inside = 0
    for _ in range(120):
        low, high = mean_interval(rng.normal(3, 1, size=30))
        inside += low <= 3 <= high
    assert 105 <= inside <= 120  # of 120 at 93 to 95 %: outside with p < 0.01


@pytest.mark.parametrize(("effect", "pairs"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_seeds_for_a_power_of_eighty_percent(effect, pairs):
    """The sample sizes of a paired t-test at 5 % in Cohen's tables and G*Power."""
    assert seeds_for(effect, 0.05, have=5) == pairs - 5
    assert seeds_for(-effect, 0.05, have=5) == pairs - 5


@pytest.mark.parametrize("effect", [3.0, 30.0, 3000.0])
def test_so_many_seeds_that_flipped_signs_can_settle_it(effect):
    """With n seeds no p-value of the sign flips is below 2 / 2^n: five can never be enough at 5 %."""
    assert seeds_for(effect, 0.05, have=2) == 6 - 2
    differences = np.full(6, effect)
    assert sign_flip(differences) <= 0.05 < sign_flip(differences[:5])


def test_what_no_number_of_seeds_would_settle():
    assert seeds_for(0.0, 0.05, 10) is None
    assert seeds_for(1e-4, 0.05, 10) is None
    assert seeds_for(None, 0.05, 10) is None


def test_pairs_by_hand():
    rng = np.random.default_rng(2)
    noise = rng.normal(size=20)
    values = {
        "low": {s: noise[s] for s in range(20)},
        "high": {s: noise[s] + 1 + 0.1 * rng.normal() for s in range(5, 20)},
        "same": {s: noise[s] + 0.1 * rng.normal() for s in range(20)},
    }
    found = compare_pairs(values, [("low", "high"), ("low", "same"), ("high", "same")])
    low_high, low_same, high_same = found
    assert low_high.seeds == 15
    assert low_high.better == "high"
    assert low_high.difference == pytest.approx(-1, abs=0.1)
    assert low_high.low <= low_high.difference <= low_high.high < 0
    assert low_high.wins == 0.0
    assert low_high.effect < -5
    assert low_high.more_seeds == 0
    assert high_same.better == "high"
    assert low_same.better is None
    assert low_same.more_seeds is None or low_same.more_seeds > 0
    ordered = sorted(c.p for c in found)
    harmonic = 1 + 1 / 2 + 1 / 3
    raised = [p * 3 * harmonic / (n + 1) for n, p in enumerate(ordered)]
    by_hand = [min(1, *raised[n:]) if n < 2 else min(1, raised[2]) for n in range(3)]
    assert sorted(c.corrected for c in found) == pytest.approx(by_hand)


def test_under_no_difference_few_are_called_better():
    rng = np.random.default_rng(3)
    values = {str(n): dict(enumerate(rng.normal(size=10))) for n in range(9)}
    found = compare_pairs(values, list(itertools.combinations(values, 2)))
    assert len(found) == 36
    assert sum(c.better is not None for c in found) <= 1


def test_the_ranking():
    ranked = rank({"a": [1.0, 2.0, 3.0], "b": [5.0], "c": [2.0, 2.0]})
    assert [one.setting for one in ranked] == ["b", "a", "c"]
    assert (ranked[0].low, ranked[0].runs) == (None, 1)
    assert ranked[1].mean == 2.0
    assert ranked[1].sd == 1.0
    assert 1.0 <= ranked[1].low < 2 < ranked[1].high <= 3.0
    assert (ranked[2].low, ranked[2].high) == (2.0, 2.0)
