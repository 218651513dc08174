"""Intervals of a mean: by hand, by brute force, and how often they hold it."""

import itertools

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from pigevo.intervals import mean_interval, mean_p, share_interval

LAWS = {
    "normal": (lambda rng, shape: rng.normal(3, 1, shape), 3.0),
    "uniform": (lambda rng, shape: rng.uniform(size=shape), 0.5),
    "exponential": (lambda rng, shape: rng.exponential(size=shape), 1.0),
    "lognormal": (lambda rng, shape: rng.lognormal(size=shape), np.exp(0.5)),
    "two exponentials": (lambda rng, shape: rng.exponential(size=shape) - rng.exponential(size=shape), 0.0),
}
# The least share of samples in which the 95 % interval shall hold the mean.
LEAST = {
    "normal": {3: 0.95, 5: 0.95, 10: 0.95, 30: 0.945},
    "uniform": {3: 0.92, 5: 0.945, 10: 0.95, 30: 0.95},
    "exponential": {3: 0.915, 5: 0.925, 10: 0.935, 30: 0.945},
    "lognormal": {3: 0.875, 5: 0.885, 10: 0.905, 30: 0.93},
    "two exponentials": {3: 0.95, 5: 0.95, 10: 0.945, 30: 0.94},
}


def held(law, n, samples, seed=1):
    draw, mean = LAWS[law]
    ends = [mean_interval(x) for x in draw(np.random.default_rng(seed), (samples, n))]
    return np.mean([low <= mean <= high for low, high in ends])


@pytest.mark.parametrize("n", [3, 5, 10, 30])
@pytest.mark.parametrize("law", LAWS)
def test_intervals_hold_the_mean_about_as_often_as_they_say(law, n):
    samples = 600
    luck = 3.5 * (0.95 * 0.05 / samples) ** 0.5  # p < 0.001
    assert held(law, n, samples) >= LEAST[law][n] - luck


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 5, 10, 30])
@pytest.mark.parametrize("law", LAWS)
def test_intervals_hold_the_mean_as_often_as_the_table_says(law, n):
    assert held(law, n, 20_000, seed=2) >= LEAST[law][n]


@pytest.mark.slow
@pytest.mark.parametrize("n", [6, 8, 10, 12])
@pytest.mark.parametrize(
    ("law", "most"), [("normal", 0.05), ("two exponentials", 0.05), ("exponential", 0.07), ("lognormal", 0.105)]
)
def test_few_true_equalities_are_called_different(law, most, n):
    """Flipped signs call up to .10 of the exponential and .16 of the lognormal ones different."""
    draw, mean = LAWS[law]
    samples = draw(np.random.default_rng(3), (20_000, n)) - mean
    assert np.mean([mean_p(x) <= 0.05 for x in samples]) <= most


def test_values_without_skewness_have_students_interval_at_least():
    values = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    found = stats.ttest_1samp(values, 0)
    assert mean_interval(values) == pytest.approx(tuple(found.confidence_interval(0.95)))
    assert mean_p(values) == pytest.approx(found.pvalue)


def test_the_farther_end_is_that_of_the_long_tail():
    values = np.random.default_rng(4).exponential(size=12)
    student = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    low, high = mean_interval(values)
    assert low == pytest.approx(student.low)
    assert high > student.high
    mirrored = mean_interval(-values)
    assert mirrored == pytest.approx((-high, -low))


def test_the_transformation_is_undone_by_its_inverse():
    from pigevo.intervals import _bent

    for a in (-0.4, -1e-3, 1e-9, 1e-3, 0.3):
        for g in (-20.0, -2.0, 0.0, 2.0, 20.0):
            t = _bent(g, a)
            assert t + a * t**2 + a**2 * t**3 / 3 + a / 2 == pytest.approx(g, abs=1e-6)


@given(
    st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=2, max_size=12),
    st.sampled_from([0.5, 0.9, 0.95, 0.99, 0.9999]),
)
def test_the_interval_leaves_nothing_out_exactly_where_the_test_rejects_it(values, level):
    low, high = mean_interval(np.array(values), level)
    p = mean_p(np.array(values))
    if abs(p - (1 - level)) > 1e-9:
        assert (low is not None and (low > 0 or high < 0)) == (p < 1 - level)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=12))
@example([0.0, 0.0, 3e-125])
def test_the_mean_lies_inside_and_a_wider_level_is_wider(values):
    found = [mean_interval(np.array(values), level) for level in (0.8, 0.95, 0.999)]
    kept = [ends for ends in found if ends[0] is not None]
    for low, high in kept:
        assert low <= np.mean(values) + 1e-12
        assert high >= np.mean(values) - 1e-12
    for (low, high), (lower, higher) in itertools.pairwise(kept):
        assert lower <= low + 1e-12
        assert higher >= high - 1e-12


def test_what_cannot_be_said():
    assert mean_interval(np.array([0.25])) == (None, None)
    assert mean_p(np.array([0.25])) == 1.0
    assert mean_p(np.zeros(5)) == 1.0
    for n in (2, 5):  # so few that are alike may be so by chance
        assert mean_interval(np.full(n, 0.25)) == (None, None)
        assert mean_p(np.full(n, 0.25)) == 2.0 ** (1 - n)
    assert mean_interval(np.full(6, 0.25)) == (0.25, 0.25)


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9, 0.967])
def test_intervals_of_a_share_hold_it_at_least_as_often_as_they_say(share):
    n = 30
    chances = stats.binom.pmf(np.arange(n + 1), n, share)
    ends = [share_interval(k, n) for k in range(n + 1)]
    held = sum(chance for chance, (low, high) in zip(chances, ends, strict=True) if low <= share <= high)
    assert 0.95 <= held <= 0.995
    assert ends[0][0] == 0
    assert ends[n][1] == 1
