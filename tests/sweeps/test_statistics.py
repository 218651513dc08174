"""Intervals, tests and corrections against values by hand, by brute force and by simulation."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pigevo.core.intervals import mean_interval, mean_p
from pigevo.sweeps.statistics import (
    chance_of_larger,
    compare_pairs,
    effect_interval,
    holm,
    rank_settings,
    seeds_for,
    seeds_wanted,
    signed_ranks_p,
)


def skewed(law, rng, n):
    return {"normal": rng.normal, "exponential": rng.exponential, "lognormal": rng.lognormal}[law](size=n)


@settings(deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 12), st.sampled_from(["normal", "exponential", "lognormal"]))
def test_the_interval_and_the_verdict_always_agree(seed, pairs, law):
    rng = np.random.default_rng(seed)
    values = {"base": dict.fromkeys(range(14), 0.0)}
    for number in range(pairs):
        size, shift = rng.integers(2, 15), rng.choice([0.0, 0.5, 2.0, 10.0])
        values[str(number)] = dict(enumerate(skewed(law, rng, size) * rng.choice([-1, 1]) + shift))
    values["alike"] = dict.fromkeys(range(int(rng.integers(2, 15))), float(rng.choice([0.0, 1.0])))
    compared = compare_pairs(values, [(name, "base") for name in values if name != "base"])
    for pair in compared:
        left_out = pair.low is not None and not pair.low <= 0 <= pair.high
        assert left_out == (pair.corrected <= 0.05)
        assert pair.better == ((pair.a if pair.difference > 0 else pair.b) if left_out else None)
        assert (pair.wanted_seeds == 0) == left_out


def test_intervals_read_together_are_wider():
    rng = np.random.default_rng(1)
    values = {str(n): rng.normal(size=8).tolist() for n in range(10)}
    alone = rank_settings({"0": values["0"]})[0]
    among = next(ranked for ranked in rank_settings(values) if ranked.setting == "0")
    assert (alone.low, alone.high) == mean_interval(np.array(values["0"]))
    assert (among.low, among.high) == mean_interval(np.array(values["0"]), 1 - 0.05 / 10)
    assert among.low < alone.low < alone.high < among.high
    by_seed = {name: dict(enumerate(figures)) for name, figures in values.items()}
    (single,), many = (
        compare_pairs(by_seed, pairs) for pairs in ([("0", "1")], list(itertools.combinations(values, 2)))
    )
    assert many[0].low < single.low < single.high < many[0].high


@pytest.mark.long
@pytest.mark.parametrize("seeds", [6, 8, 12])
@pytest.mark.parametrize("law", ["normal", "exponential", "lognormal"])
def test_among_settings_that_are_the_same_few_sweeps_call_any_better(law, seeds):
    """Differences of two settings of one law are symmetric, however skewed it is."""
    rng, wrong = np.random.default_rng(6), 0
    for _ in range(1000):
        values = {str(n): dict(enumerate(skewed(law, rng, seeds))) for n in range(4)}
        compared = compare_pairs(values, list(itertools.combinations(values, 2)))
        wrong += any(pair.better for pair in compared)
    assert wrong / 1000 <= 0.05


@pytest.mark.parametrize("alpha", [0.05, 0.0005])
@pytest.mark.parametrize("effect", [0.5, 0.8, -1.5])
def test_so_many_seeds_have_a_power_of_80_percent(effect, alpha):
    wanted = seeds_for(effect, alpha)
    if alpha == 0.05:
        assert wanted == {0.5: 34, 0.8: 15, -1.5: 6}[effect]
    powers = {}
    for n in (wanted, wanted - 2):
        samples = np.random.default_rng(8).normal(effect, 1, (2500, n))
        powers[n] = np.mean([mean_p(sample) <= alpha for sample in samples])
    luck = 3.3 * (0.8 * 0.2 / 2500) ** 0.5  # p < 0.001
    assert powers[wanted] >= 0.8 - luck
    assert powers[wanted - 2] <= 0.8 + luck


def test_the_range_of_seeds_is_that_of_the_effect():
    """Three seeds know next to nothing of an effect: "about 15" may be 5, or without end."""
    assert seeds_wanted(0.8, 0.05, 3) == seeds_wanted(-0.8, 0.05, 3) == (15, 6, None)
    about, fewest, most = seeds_wanted(0.45, 0.05, 30)
    assert fewest < about < most
    assert seeds_wanted(None, 0.05, 5) == (None, None, None)
    assert seeds_wanted(0.0, 0.05, 5)[0] is None


@pytest.mark.parametrize(("effect", "n"), [(0.8, 3), (-0.3, 10), (0.0, 5), (2.0, 4)])
def test_the_interval_of_an_effect_is_that_of_the_noncentral_t_law(effect, n):
    low, high = effect_interval(effect, n)
    shares = [stats.nct.cdf(effect * n**0.5, n - 1, end * n**0.5) for end in (low, high)]
    assert shares == pytest.approx([0.9, 0.1], abs=2e-3)


@pytest.mark.parametrize("effect", [350.0, 1e9])
def test_effects_beyond_all_measure_have_an_interval(effect):
    low, high = effect_interval(effect, 2)
    assert 0 < low < effect < high


@pytest.mark.long
@pytest.mark.parametrize("n", [3, 10])
def test_four_ranges_in_five_hold_the_effect(n):
    rng = np.random.default_rng(7)
    held = []
    for _ in range(2000):
        x = rng.normal(0.6, 1, n)
        low, high = effect_interval(x.mean() / x.std(ddof=1), n)
        held.append(low <= 0.6 <= high)
    assert np.mean(held) == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("effect", [0.0, 1e-4, None])
def test_what_no_number_of_seeds_would_settle(effect):
    assert seeds_for(effect, 0.05) is None


def test_pairs_by_hand():
    rng = np.random.default_rng(2)
    noise = rng.normal(size=20)
    values = {
        "low": {s: noise[s] for s in range(20)},
        "high": {s: noise[s] + 1 + 0.1 * rng.normal() for s in range(5, 20)},
        "same": {s: noise[s] + 0.1 * rng.normal() for s in range(20)},
    }
    compared = compare_pairs(values, [("low", "high"), ("low", "same"), ("high", "same")])
    low_high, low_same, high_same = compared
    assert low_high.seeds == 15
    assert low_high.better == "high"
    assert low_high.difference == pytest.approx(-1, abs=0.1)
    assert low_high.low <= low_high.difference <= low_high.high < 0
    assert low_high.wins == 0.0
    assert low_high.effect < -5
    assert low_high.wanted_seeds == 0
    assert high_same.better == "high"
    assert low_same.better is None
    assert low_same.wanted_seeds is None or low_same.wanted_seeds > 0
    ordered = sorted(c.p for c in compared)
    harmonic = 1 + 1 / 2 + 1 / 3
    raised = [p * 3 * harmonic / (n + 1) for n, p in enumerate(ordered)]
    by_hand = [min(1, *raised[n:]) if n < 2 else min(1, raised[2]) for n in range(3)]
    assert sorted(c.corrected for c in compared) == pytest.approx(by_hand)


def test_under_no_difference_few_are_called_better():
    rng = np.random.default_rng(3)
    values = {str(n): dict(enumerate(rng.normal(size=10))) for n in range(9)}
    compared = compare_pairs(values, list(itertools.combinations(values, 2)))
    assert len(compared) == 36
    assert sum(c.better is not None for c in compared) <= 1


def test_the_ranking():
    ranked = rank_settings({"a": [1.0, 2.0, 3.0], "b": [5.0], "c": [2.0, 2.0]})
    assert [place.setting for place in ranked] == ["b", "a", "c"]
    assert (ranked[0].low, ranked[0].runs) == (None, 1)
    assert ranked[1].mean == 2.0
    assert ranked[1].sd == 1.0
    assert (ranked[1].low, ranked[1].high) == mean_interval(np.array([1.0, 2.0, 3.0]), 1 - 0.05 / 3)
    assert (ranked[2].low, ranked[2].high) == (None, None)  # two that are alike may be so by chance


@pytest.mark.parametrize("n", [1, 2, 5, 12, 40])
def test_signed_ranks_without_ties_are_those_of_scipy(n):
    sample = np.random.default_rng(n).normal(0.3, 1, n)
    assert signed_ranks_p(sample) == pytest.approx(stats.wilcoxon(sample, method="exact").pvalue)


def test_signed_ranks_with_ties_and_zeros_are_the_share_of_all_signs():
    """Zeros are left out; 1, 1, 2, 2, 2, 3 have the ranks 1.5, 1.5, 4, 4, 4, 6."""
    sample, ranks = np.array([1.0, 0.0, -1.0, 2.0, 2.0, 2.0, 0.0, 3.0]), np.array([1.5, 1.5, 4, 4, 4, 6])
    sums = np.array([signs @ ranks for signs in np.array(list(itertools.product([0, 1], repeat=6)))])
    assert signed_ranks_p(sample) == signed_ranks_p(-sample) == pytest.approx(2 * (sums <= 1.5).mean())
    assert signed_ranks_p(np.zeros(4)) == 1.0
    assert signed_ranks_p(np.array([1.0, -1.0])) == 1.0


def test_signed_ranks_of_many_are_nearly_normal():
    sample = np.random.default_rng(4).normal(0.1, 1, 201)
    for n, tolerance in ((200, 0.02), (201, 1e-9)):
        expected = stats.wilcoxon(sample[:n], method="approx").pvalue
        assert signed_ranks_p(sample[:n]) == pytest.approx(expected, rel=tolerance)


def test_the_chance_of_the_larger_and_holm_by_hand():
    assert chance_of_larger(np.array([1.0, 2.0, 3.0]), np.array([2.0, 0.0])) == (1 + 1.5 + 2) / 6
    assert holm(np.array([0.04, 0.01, 0.03]), 3).tolist() == pytest.approx([0.06, 0.03, 0.06])
    assert holm(np.array([0.04, 0.001]), 10).tolist() == pytest.approx([0.36, 0.01])


def test_rank_statistics_stand_beside_those_of_means():
    rng = np.random.default_rng(5)
    values = {name: dict(enumerate(rng.normal(mean, 1, 12))) for name, mean in (("a", 1), ("b", 0), ("c", 0))}
    compared = compare_pairs(values, [("a", "b"), ("a", "c"), ("b", "c")])
    for one in compared:
        a, b = (np.array([*values[name].values()]) for name in (one.a, one.b))
        assert one.a12 == stats.mannwhitneyu(a, b).statistic / 144
        assert one.wilcoxon == pytest.approx(stats.wilcoxon(a, b, method="exact").pvalue)
    assert [one.holm for one in compared] == holm(np.array([one.wilcoxon for one in compared]), 3).tolist()
    picked = compare_pairs(values, [("a", "b"), ("a", "c")], picked_from=3)
    assert [one.holm for one in picked] == holm(np.array([one.wilcoxon for one in picked]), 3).tolist()
