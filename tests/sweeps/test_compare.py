"""Comparisons of settings and sweeps: their statistics, by hand and by simulation, and the sentences made of them."""

import dataclasses
import itertools
import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from scipy import stats

import pigevo
from pigevo.cli import main
from pigevo.core.intervals import SHARE, mean_interval, mean_p
from pigevo.errors import InputError
from pigevo.experiments.common.group import Question, answers, as_markdown
from pigevo.figures.ranks import mean_ranks
from pigevo.runs.load import Run
from pigevo.storage.records import with_checksum
from pigevo.sweeps import comparison, statistics
from pigevo.sweeps.comparison import QUICK, Budget, Comparison, budget_of, compare, compare_settings, difference
from pigevo.sweeps.load import Sweep
from pigevo.sweeps.report import Report, _shown, ranking_of, report, verdicts
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
from pigevo.web.report.sweep import _figures
from tests.small import done_here, resealed, two_rates
from tests.user_code.functions import write


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


NO_FIGURE = Figure()
ALL_DONE = {"attainable": (0.0, 1.0), "without_runs": {}, "left_out": "", "finished": ()}


@pytest.fixture
def _comparisons_alone(monkeypatch):
    """Without budgets, numbers of wanted seeds and figures of ranks, which take most of the time and decide nothing."""
    monkeypatch.setattr(comparison, "_spent", lambda sweep: {})
    monkeypatch.setattr(comparison, "is_quick", lambda sweep: False)
    monkeypatch.setattr(statistics, "seeds_wanted", lambda *_: (None, None, None))
    monkeypatch.setattr(statistics, "signed_ranks_p", lambda _: 1.0)
    monkeypatch.setattr(statistics, "chance_of_larger", lambda *_: 0.5)


def settings_of(rng, means, seeds):
    """Figures of settings with these means, by setting and seed."""
    return {f"x={n}": dict(enumerate(rng.normal(mean, 0.05, seeds))) for n, mean in enumerate(means)}


def reported(values):
    """The comparisons of a sweep with these figures, and the settings that its report calls first."""
    sweep = SimpleNamespace(by_seed=lambda metric: values, by_setting=values, searches=(), digests={}, **ALL_DONE)
    found = compare_settings(sweep)
    ranking = rank_settings({name: [*figures.values()] for name, figures in values.items()}, SHARE)
    return found, Report(sweep, "champion", ranking, [], {}, found, {}, NO_FIGURE).first


@pytest.fixture
def _without_budgets(monkeypatch):
    monkeypatch.setattr(comparison, "_spent", lambda sweep: {})
    monkeypatch.setattr(comparison, "is_quick", lambda sweep: False)


@pytest.mark.usefixtures("_without_budgets")
def test_figures_that_are_equal_up_to_rounding_are_equal():
    """Means of equal populations differ in the last bit, and seven of ten equal settings were called better."""
    rng = np.random.default_rng(0)
    for seeds in (5, 6, 10, 20):
        values = {
            name: dict(enumerate(0.5 + rng.integers(-2, 3, seeds) * 1.1e-16 / 2)) for name in ("x=1", "x=2", "x=3")
        }
        found, first = reported(values)
        assert len(first) == 3
        for pair in found.compared:
            assert pair.better is None
            assert (pair.p, pair.wins, pair.a12, pair.wilcoxon) == (1.0, 0.5, 0.5, 1.0)
        ranks = mean_ranks({name: [*by_seed.values()] for name, by_seed in values.items()})
        assert ranks.ranks.tolist() == [2.0, 2.0, 2.0]


@pytest.mark.usefixtures("_without_budgets")
def test_no_setting_is_first_than_which_another_is_better():
    """With the best seeds of one setting alone its mean is the largest, though it is worse with every one of them."""
    rng = np.random.default_rng(3)
    luck = np.sort(rng.normal(0, 0.05, 30))[::-1]
    values = {"x=1": dict(enumerate(0.4 + luck[:9])), "x=2": dict(enumerate(0.43 + luck + rng.normal(0, 0.001, 30)))}
    found, first = reported(values)
    assert np.mean([*values["x=1"].values()]) > np.mean([*values["x=2"].values()])
    assert [pair.better for pair in found.compared] == ["x=2"]
    assert first == ["x=2"]


def at_most(share, times):
    """The largest number of cases that has a p-value above .001 if the share is the stated one."""
    return times * (share + 3.1 * (share * (1 - share) / times) ** 0.5)


def winners_among_equals(settings, seeds, times):
    """The number of sweeps of equal settings in which any comparison has a better one."""
    rng, winners = np.random.default_rng(42), 0
    for _ in range(times):
        found, first = reported(settings_of(rng, [0.5] * settings, seeds))
        better = any(one.better for one in found.compared)
        if settings > 2:  # of two, the better one is first
            assert len(first) > 1
        assert better or len(first) == settings
        winners += better
    return winners


@pytest.mark.usefixtures("_comparisons_alone")
@pytest.mark.parametrize(("settings", "times"), [(50, 100), (100, 60)])
def test_of_many_equal_settings_the_best_is_called_better_in_one_sweep_of_twenty_at_most(settings, times):
    """Corrected for the comparisons with the best alone these were .13 and .19."""
    assert winners_among_equals(settings, 30, times) <= at_most(0.05, times)


@pytest.mark.usefixtures("_comparisons_alone")
@pytest.mark.slow
@pytest.mark.parametrize("seeds", [10, 30])
@pytest.mark.parametrize(("settings", "times"), [(2, 1000), (6, 1000), (12, 1000), (24, 1000), (50, 400), (100, 300)])
def test_of_equal_settings_one_sweep_of_twenty_at_most_reports_a_winner(settings, times, seeds):
    """The tolerance is that of p = .001: 71 of 1,000 sweeps, 33 of 400, or 27 of 300."""
    assert winners_among_equals(settings, seeds, times) <= at_most(0.05, times)


@pytest.mark.usefixtures("_comparisons_alone")
@pytest.mark.parametrize(("equal", "settings"), [(2, 6), (4, 12), (10, 24), (20, 24)])
def test_of_settings_that_are_equally_good_few_reports_leave_one_out(equal, settings):
    """The others are far behind: a correction for false discoveries alone would leave out one in .16 to .20."""
    rng, wrong, times = np.random.default_rng(7), 0, 200
    means = [0.5] * equal + [0.3 - 0.02 * n for n in range(settings - equal)]
    for _ in range(times):
        _, first = reported(settings_of(rng, means, 30))
        wrong += len(first) < equal
        assert set(first) <= {f"x={n}" for n in range(equal)}
    assert wrong <= at_most(0.05, times)


@pytest.mark.usefixtures("_comparisons_alone")
def test_pairs_that_were_picked_are_corrected_for_all_and_say_so():
    values = settings_of(np.random.default_rng(3), [0.5] * 4 + [0.45] * 8, 30)
    found, _ = reported(values)
    assert found.picked_from == 66
    assert len(found.compared) == 11
    assert "both corrected for all 66 pairs, since the best was found by the same seeds (Bonferroni)" in str(found)
    for one in found.compared:
        (alone,) = compare_pairs(values, [(one.a, one.b)], SHARE)
        assert one.corrected == pytest.approx(min(1, 66 * alone.p))
        assert (one.better is not None) == (one.corrected <= 0.05)
    named = compare_settings(
        SimpleNamespace(by_seed=lambda metric: values, by_setting=values, digests={}, **ALL_DONE), ["x=3"]
    )
    assert named.picked_from is None  # it was named, and not picked from the data


SPREAD = (0.01, -0.012, 0.002)  # of three seeds
LUCK = (0.2, -0.2, 0.0)  # in which settings differ by so much that nothing is settled


def report_of(figures, key="mutation"):
    """The report of settings with these figures of three seeds each."""
    values = {f"{key}={name}": dict(enumerate(seeds)) for name, seeds in figures.items()}
    ranking = rank_settings({name: [*seeds.values()] for name, seeds in values.items()}, SHARE)
    names = [ranked.setting for ranked in ranking]
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    compared = Comparison("champion", {}, compare_pairs(values, pairs, SHARE))
    sweep = SimpleNamespace(searches=(), digests={}, finished=(), runs={})
    return Report(sweep, "champion", ranking, [], {}, compared, {}, NO_FIGURE)


@pytest.mark.usefixtures("_without_budgets")
def test_settings_without_a_common_seed_are_named():
    values = {"x=0": {0: 0.1, 1: 0.2, 2: 0.3}, "x=1": {0: 0.2, 1: 0.4, 2: 0.4}, "x=2": {3: 0.2, 4: 0.1}}
    sweep = SimpleNamespace(by_seed=lambda metric: values, by_setting=values, searches=(), digests={}, **ALL_DONE)
    found = compare_settings(sweep)
    assert {(pair.a, pair.b) for pair in found.compared} == {("x=1", "x=0")}
    assert found.unpaired == "x=1 and x=2; x=0 and x=2: not compared, since they have no seed in common"
    assert found.unpaired in str(found)
    assert not compare_settings(sweep, ["x=0", "x=1"]).unpaired


def test_no_number_of_seeds_is_explained_where_none_is_given():
    values = {"x=0": {0: 0.1}, "x=1": {0: 0.2}}
    alone = Comparison("champion", {}, compare_pairs(values, [("x=0", "x=1")], SHARE))
    assert "these seeds do not tell how many would settle it" in str(alone)
    assert "So many seeds" not in str(alone)


def around(mean, spread=SPREAD):
    return [mean + part for part in spread]


THREE = {"0.001": around(0.45), "0.005": around(0.369, LUCK), "0.01": around(0.2, SPREAD[::-1])}


def test_what_is_shown_stands_before_what_is_open():
    shown, still_open, *_ = verdicts(report_of(THREE))
    assert shown == "mutation=0.001 is better than 0.01."
    assert still_open == (
        "Between 0.001 and 0.005 (+8.1 percentage points), and between 0.005 and 0.01, nothing is settled with 3 seeds."
    )


def test_a_difference_between_others_than_the_best_is_no_secret():
    """The largest mean is uncertain, the second is better than the third."""
    shown, still_open, *_ = verdicts(
        report_of({"0.1": around(0.5, LUCK), "0.2": around(0.45), "0.3": around(0.2, SPREAD[::-1])})
    )
    assert shown == "mutation=0.2 is better than 0.3."
    assert still_open == "Between 0.1 and each of 0.2 and 0.3 nothing is settled with 3 seeds."


def test_many_settings_make_short_sentences():
    figures = {f"0.{n}": around(0.9 - 0.14 * n, LUCK if n in (2, 4) else SPREAD[:: 1 - 2 * (n % 2)]) for n in range(6)}
    report = report_of(figures)
    shown, still_open, *_ = verdicts(report)
    assert len(shown) < 200
    assert len(still_open) < 200
    assert "other pairs are settled" in shown or "better than" in shown
    assert "other pairs" in still_open


@pytest.mark.parametrize("spread", [SPREAD, LUCK])
def test_where_all_is_settled_or_nothing(spread):
    first, *_ = verdicts(report_of({"0.1": around(0.8), "0.2": around(0.5, spread[::-1])}))
    assert first == (
        "Of the settings, mutation=0.1 is best: better than every other, with 3 seeds."
        if spread == SPREAD
        else "With 3 seeds, no difference between these 2 settings is shown."
    )
    assert bool(_shown(report_of({"0.1": around(0.8), "0.2": around(0.5, spread[::-1])}))) == (spread == SPREAD)


@pytest.mark.parametrize("metric", ["champion", "last_mean"])
def test_an_interval_ends_at_what_the_optimum_wins(metric):
    """Of a sweep whose champions are good with one seed and bad with the other."""
    runs = {seed: SimpleNamespace(optimum=0.5) for seed in range(3)}
    sweep = Sweep(Path(), (), ())
    vars(sweep).update(runs=runs, by_seed=lambda _: {"a": {0: 0.1, 1: 0.45, 2: 0.48}, "b": {0: 0.44, 1: 0.45, 2: 0.46}})
    few, narrow = ranking_of(sweep, metric)[::-1]
    assert (few.low, few.high) == (None, None)  # 0 to 0.5 is all that is possible
    assert narrow.high < 0.5
    vars(sweep)["by_seed"] = lambda _: {"a": {0: 0.44, 1: 0.47, 2: 0.48}}
    assert ranking_of(sweep, metric)[0].high == 0.5


def test_the_figure_says_what_is_not_settled():
    title, _, note = next(_figures(report_of(THREE)))
    assert (title, note) == ("largest mean of a setting", "mutation=0.001, not settled beside 0.005")


def test_two_settings_by_seed_from_the_command_and_from_python(sweep, capsys):
    loaded = pigevo.load_sweep(sweep)
    results = loaded.results()
    a, b = (results["champion"][results["setting"] == f"mutation={rate}"] for rate in ("0", "0.3"))
    made = pigevo.compare(loaded, "mutation=0", "mutation=0.3")
    (pair,) = made.compared
    assert (pair.a, pair.b, pair.seeds) == ("mutation=0", "mutation=0.3", 4)
    assert pair.difference == pytest.approx((a - b).mean())
    assert pair.effect == pytest.approx((a - b).mean() / (a - b).std(ddof=1))
    (alone,) = compare(str(sweep)).compared
    assert abs(alone.difference) == pytest.approx(abs(pair.difference))
    assert main(["compare", str(sweep), "mutation=0", "mutation=0.3"]) == 0
    output = capsys.readouterr().out
    assert output == f"{made}\n"
    assert "mutation=0  against  mutation=0.3" in output
    assert "of 4 seeds" in output
    assert [pair.difference for pair in pigevo.compare(loaded, loaded).compared] == [0, 0]
    for wrong, message in (((loaded, "mutation=0"), "must be a setting"), (("a", "b", "c"), "at most two settings")):
        with pytest.raises(InputError, match=message):
            pigevo.compare(loaded, *wrong)


def test_a_comparison_says_that_runs_are_quick_ones(sweep, capsys):
    record = json.loads((sweep / "sweep.json").read_text())
    for debug in ("none", "fast"):
        record["runs"][0]["config"]["debug"] = debug
        for run in record["runs"][1:]:
            run["config"]["debug"] = "none"
        entries = {name: record[name] for name in ("name", "overrides", "swept", "runs")}
        (sweep / "sweep.json").write_bytes(with_checksum(entries))
        assert main(["compare", str(sweep)]) == 0
        assert ("Runs of debug=fast are among them" in capsys.readouterr().out) == (debug == "fast")


def test_settings_with_identical_runs_are_said_to_be_so(tmp_path, monkeypatch):
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda *_: None)
    never = write(tmp_path / "ops.py", "def same(genomes, context):\n    return genomes.copy()\n")
    sweep = pigevo.load_sweep(two_rates(tmp_path, 3, f"mutator={never}:same"))
    made = pigevo.compare(sweep)
    assert [(pair.identical, pair.wanted_seeds) for pair in made.compared] == [(True, 0)]
    assert "the runs of both are identical, seed by seed: what differs between the settings changed" in str(made)
    assert "open:" not in str(made)
    identical = "The runs of these 2 settings are identical, seed by seed: what differs between them changed nothing."
    assert verdicts(report(sweep))[-2:] == [identical, QUICK]
    third = replace(
        sweep, members=(*sweep.members, *(replace(m, setting="x=1", seed=m.seed + 1) for m in sweep.members))
    )
    words = " ".join(verdicts(report(third)))
    assert "The runs of mutation=0 and 0.3 are identical, seed by seed" in words
    assert not any(pair.identical for pair in pigevo.compare(third, "x=1").compared)


def test_runs_are_identical_with_their_common_seeds_where_others_failed(tmp_path, monkeypatch):
    """What differs may decide which runs failed; and that two settings agree with a third's seeds says little."""
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda *_: None)
    never = write(tmp_path / "ops.py", "def same(genomes, context):\n    return genomes.copy()\n")
    sweep = pigevo.load_sweep(two_rates(tmp_path, 3, f"mutator={never}:same"))
    first, second = sweep.settings

    def verdicts_of(*members):
        return verdicts(report(replace(sweep, members=members)))

    of_first = [member for member in sweep.members if member.setting == first]
    some = [member for member in sweep.members if member.setting == second][:2]
    alike = "With the seeds that they have in common, the runs of these 2 settings are identical."
    assert verdicts_of(*of_first, *some)[-2:] == [alike, QUICK]
    best, two, three = sorted(of_first, key=lambda member: -sweep.runs[member].result["champion"]["overall"])
    swapped = [replace(best, setting="x=1"), replace(three, setting="x=1", seed=two.seed)]
    few = [replace(best, setting="x=2")]  # first in the ranking; it agrees with both, but they do not with each other
    words = " ".join(verdicts_of(*few, *of_first, *swapped))
    assert "identical" in words
    assert "these 3 settings are identical" not in words


def test_seeds_with_equal_figures_are_said_to_count_half():
    values = {"x=1": {0: 0.5, 1: 0.5, 2: 0.5, 3: 0.4}, "x=2": {0: 0.5, 1: 0.5, 2: 0.3, 3: 0.5}}
    (pair,) = compare_pairs(values, [("x=1", "x=2")])
    assert (pair.wins, pair.ties) == (0.5, 2)
    assert "better with 50 % of 4 seeds (2 equal, counting half), p = " in str(Comparison("champion", {}, [pair]))
    (pair,) = compare_pairs({name: {0: by_seed[2]} for name, by_seed in values.items()}, [("x=1", "x=2")])
    assert "better with 100 % of 1 seed, p = " in str(Comparison("champion", {}, [pair]))


def test_what_is_compared_with_what(sweep):
    loaded = pigevo.load_sweep(sweep)

    def pairs(names, *chosen):
        """Of the sweep as if it had had these settings, each with one seed."""
        members = [replace(member, setting=name, seed=1) for member, name in zip(loaded.members, names, strict=False)]
        runs = dict(zip(members, loaded.runs.values(), strict=False))
        made = replace(loaded, members=tuple(members))
        made.__dict__["runs"] = runs
        found = pigevo.compare(made, *chosen)
        assert found.picked_from == (None if chosen or len(members) <= 6 else 21)
        return {(pair.a, pair.b) for pair in found.compared}

    a, b, c = names = "x=1", "x=2", "x=3"
    assert {frozenset(pair) for pair in pairs(names)} == {frozenset((a, b)), frozenset((a, c)), frozenset((b, c))}
    assert pairs(names, b) == {(b, a), (b, c)}
    assert pairs(names, c, a) == {(c, a)}
    assert len(pairs(f"x={n}" for n in range(7))) == 6  # of many each is compared with one alone
    assert pairs(["sizes=[2,1],rate=0", b], "sizes=[2,1],rate=0") == {("sizes=[2,1],rate=0", b)}


def test_runs_that_have_not_finished_are_not_hidden(sweep):
    loaded = pigevo.load_sweep(sweep)

    def without(*lost, state="failed"):
        """The sweep as if runs of a setting with these seeds had not finished."""
        members = [
            replace(member, state=state) if (member.setting, member.seed) in lost else member
            for member in loaded.members
        ]
        return replace(loaded, members=tuple(members))

    missing = compare(without(("mutation=0.3", 1), state="missing"))
    assert missing.compared[0].seeds == 3
    assert "7 of 8 runs have finished (1 missing); the others are left out" in str(missing)
    assert not compare(loaded).left_out
    failed = without(*(("mutation=0.3", seed) for seed in range(4)))
    for words in ((), ("mutation=0.3",), ("mutation=0.3", "mutation=0")):
        with pytest.raises(InputError, match=r"mutation=0\.3 has no finished run \(4 failed\)"):
            compare(failed, *words)
    assert "4 of 8 runs have finished (4 failed)" in failed.left_out
    two = compare(loaded, without(("mutation=0", 2)))
    assert two.left_out == ("B: 7 of 8 runs have finished (1 failed); the others are left out",)


def test_two_sweeps(sweep, capsys, tmp_path):
    """Each half of the sweep as a sweep of its own."""
    record = json.loads((sweep / "sweep.json").read_text())
    halves = {}
    for rate in (0.0, 0.3):
        halves[rate] = sweep.parent / f"half{rate}"
        halves[rate].mkdir()
        runs = [run for run in record["runs"] if run["config"]["mutation"] == rate]
        entries = {name: record[name] for name in ("name", "overrides", "swept")}
        (halves[rate] / "sweep.json").write_bytes(with_checksum({**entries, "runs": runs}))
    assert main(["compare", *map(str, halves.values()), "--json"]) == 0
    comparison = json.loads(capsys.readouterr().out)
    assert comparison["A"].endswith("(mutation=0)")
    (pair,) = comparison["compared"]
    assert (pair["a"], pair["b"]) == ("A", "B")
    assert pair["difference"] == pytest.approx(compare(str(sweep), "mutation=0", "mutation=0.3").compared[0].difference)


def test_what_cannot_be_compared_is_refused_with_what_would_be_right(sweep):
    loaded = pigevo.load_sweep(sweep)

    def changed(rates, first_seed=0):
        """Two seeds of each rate of the sweep under other rates and seeds."""
        members = []
        for rate, other in rates.items():
            for seed, member in enumerate([m for m in loaded.members if m.values["mutation"] == rate][:2], first_seed):
                values = {**member.values, "mutation": other, "seed": seed}
                members.append(replace(member, values=values, setting=f"mutation={other}", seed=seed))
        return replace(loaded, members=tuple(members))

    both = changed({0: 0, 0.3: 0.3})
    with pytest.raises(InputError, match=r"no setting in common: `pigevo report .*give all values to one sweep"):
        compare(both, changed({0: 0.1, 0.3: 0.2}))
    for later in (changed({0: 0, 0.3: 0.3}, 7), changed({0: 0, 0.3: 0.1}, 7)):
        with pytest.raises(InputError, match=r"no seed in common.*run them with the same seeds"):
            compare(both, later)
    with pytest.raises(InputError, match=r"has one setting: .*name a second sweep"):
        compare(changed({0: 0}))


def test_two_sweeps_are_labelled_by_all_settings_in_which_they_differ(sweep):
    loaded = pigevo.load_sweep(sweep)

    def changed(rate, **settings):
        """The runs of one mutation rate, as if they had had other settings too."""
        members = [member for member in loaded.members if member.values["mutation"] == rate]
        made = tuple(replace(member, values={**member.values, **settings}) for member in members)
        return replace(loaded, members=made)

    def labels(*sweeps):
        made = pigevo.compare(*sweeps)
        assert [(pair.a, pair.b) for pair in made.compared] == [("A", "B")]
        return [made.names[name].partition(" ")[2] for name in "AB"]

    fitness = loaded.members[0].values["fitness"]
    exact = {"name": "exact"}
    assert labels(changed(0), changed(0.3)) == ["(mutation=0)", "(mutation=0.3)"]
    assert labels(changed(0), changed(0.3, generations=7, workers=3)) == [
        "(generations=6,mutation=0)",
        "(generations=7,mutation=0.3)",
    ]
    assert labels(changed(0, experiment="mine"), changed(0.3, fitness=exact)) == [
        f"(experiment=mine,fitness=games,fitness.games={fitness['games']},fitness.paired=false,mutation=0)",
        "(experiment=null,fitness=exact,mutation=0.3)",
    ]
    assert labels(changed(0), changed(0)) == ["", ""]
    later = tuple(replace(member, values={**member.values, "generations": 7}) for member in loaded.members)
    made = pigevo.compare(loaded, replace(loaded, members=later))  # what varies inside a sweep labels none
    assert [made.names[name].partition(" ")[2] for name in "AB"] == ["(generations=6)", "(generations=7)"]
    assert {(pair.a, pair.b) for pair in made.compared} == {
        (f"A: mutation={rate}", f"B: mutation={rate}") for rate in ("0", "0.3")
    }


def text_of(*differences):
    values = {"a": dict(enumerate(0.5 + np.array(differences))), "b": dict.fromkeys(range(len(differences)), 0.5)}
    return str(Comparison("champion", {}, compare_pairs(values, [("a", "b")], SHARE)))


def test_an_interval_stays_within_what_a_difference_can_be():
    """Three seeds, one far astray: Student's interval alone would be -0.5652 to +1.2319."""
    assert "(-0.5652 to +1.0000)" in text_of(0.1, 0.15, 0.75)
    assert "(undetermined)" in text_of(-0.5, 0.01, 0.5)
    assert "(undetermined)" in text_of(0.2)


@pytest.mark.parametrize("effect", [0.02, 0.2, 0.9, 1.2])
def test_an_open_comparison_says_how_many_seeds_it_needs_in_all(effect):
    line = text_of(*(effect * 0.01 + 0.01 * np.array([-1, 0, 1, -0.5])))
    assert "open, not settled: " in line
    assert re.search(r"seeds in all would be needed to tell, perhaps [\d,]+|: take twice as many\n", line)
    assert "tell with a chance of 80 %" in line


def test_rank_statistics_are_printed():
    assert "by ranks: A12 1.00, Wilcoxon p = 0.25" in text_of(0.01, 0.05, 0.2)
    assert "Holm" not in text_of(0.01, 0.05, 0.2)


def test_that_all_seeds_agree_and_it_is_open_is_explained():
    assert "all 3 seeds have the same sign, which chance alone gives in 1 of 4 cases" in text_of(0.01, 0.05, 0.2)
    assert "same sign" not in text_of(0.01, 0.05, -0.2)
    assert "both seeds have the same sign, which chance alone gives in 1 of 2 cases" in text_of(0.01, 0.05)
    assert "a is better" in text_of(0.066, 0.079, 0.084, 0.092, 0.101)
    values = {"a": dict.fromkeys(range(3), 0.3), "b": {0: 0.34, 1: 0.35, 2: 0.355}}
    values |= {name: {0: 0.3, 1: at, 2: 0.6 - at} for name, at in (("c", 0.31), ("d", 0.32), ("e", 0.33))}
    pairs = [("a", name) for name in "bcde"]
    text = " ".join(str(Comparison("champion", {}, compare_pairs(values, pairs, SHARE))).split())
    assert text.count("by Holm") == 4
    assert "would settle this comparison alone; among so many it does not" in text


WAVES = Budget(300, 6020, 319_000, (("20", 100), ("10", 200), ("5", 300)))
SINGLE = Budget(300, 6020, 319_000, (("20", 300),))


@pytest.mark.parametrize(
    ("a", "b", "text"),
    [
        (WAVES, WAVES, ""),
        (SINGLE, Budget(200, 4020, 219_000, (("20", 200),)), "generations 300 and 200; strategies 6,020 and 4,020; games 319,000 and 219,000"),
        (WAVES, SINGLE, "cubes of 20 to generation 100, of 10 to generation 200, of 5 to generation 300, and of 20 to generation 300"),
        (SINGLE, Budget(300, 6020, 0, (("20", 300),)), "games 319,000 and 0"),
    ],
)  # fmt: skip
def test_in_what_budgets_differ(a, b, text):
    assert difference(a, b) == text


def run(evaluations=80, games=700):
    columns = {"generation": [0, 5, 10], "wave": [1, 1, 2], "cube_size": ["4", "4", "2"],
               "evaluations": [10, 40, evaluations], "games": [0, 250, 500]}  # fmt: skip
    result = {"generations": 10, "evaluations": evaluations, "games": games}
    return Run(result, {name: np.array(column) for name, column in columns.items()})


def test_the_budget_is_that_of_the_median_run():
    assert budget_of([run(70), run(80, 900), run(100)]) == Budget(10, 80, 700, (("4", 5), ("2", 10)))
    assert budget_of([run()], 5) == Budget(5, 40, 250, (("4", 5),))
    assert budget_of([run()], 2.5) == Budget(2.5, 25, 125, (("4", 0),))


def test_compare_names_the_budgets(sweep, finished_sweep, capsys):
    """One setting of the copy played ten times the games."""
    games = pigevo.load_sweep(sweep).members[0].load().result["games"]
    for member in pigevo.load_sweep(sweep).members:
        if member.setting == "mutation=0":
            resealed(member.folder, games=10 * games)
    main(["compare", str(sweep), "mutation=0", "mutation=0.3"])
    budgets = f"games {10 * games:,} and {games:,}"
    assert f"their budgets differ: {budgets}" in capsys.readouterr().out
    assert [pair.budgets for pair in compare(str(finished_sweep)).compared] == [""]
    pairs = {pair.a: pair.budgets for pair in compare(str(sweep), str(finished_sweep)).compared}
    assert pairs["A: mutation=0"] == budgets


def test_so_do_the_tables_of_studies():
    a, b = ({seed: value + seed / 1000 for seed in range(10)} for value in (0.3, 0.1))
    b[3] += 0.001
    answered = answers([Question("new", "old", a, b, SINGLE, WAVES), Question("new", "old", a, b)])
    assert answered[0].budgets.startswith("cubes of 20")
    lines = as_markdown(answered).splitlines()
    assert lines[2].endswith(f"| A ({answered[0].budgets}) |")
    assert lines[3].endswith("| A |")


def test_a_setting_is_also_named_by_the_choice_that_was_typed(tmp_path, monkeypatch):
    monkeypatch.setattr("pigevo.sweeps.run_sweep.run_jobs", lambda jobs, _, **options: done_here(jobs, **options))
    crossovers = ["agree_or_random", "two_point", "one_point"]
    sweep = pigevo.sweep(
        "debug=fast", "game.target=9", "baseline=none", crossover=crossovers, seed=range(2), outputs=tmp_path
    )
    (pair,) = pigevo.compare(sweep, "crossover=two_point", "crossover=agree_or_random").compared
    assert sweep.words[pair.a]["crossover.points"] == "2"
    with pytest.raises(InputError, match=r"did you mean"):
        pigevo.compare(sweep, "crossover=three_point")


def test_a_random_search_has_a_budget_of_strategies_alone():
    search = comparison.Budget(np.nan, 420.0, np.nan, ())
    runs = comparison.Budget(20.0, 420.0, 1000.0, (("10", 20),))
    assert comparison.difference(search, runs) == comparison.difference(runs, search) == ""
    more = dataclasses.replace(runs, strategies=2100.0)
    assert comparison.difference(search, more) == "strategies 420 and 2,100"
