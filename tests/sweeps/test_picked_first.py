"""Sweeps whose settings are all equal: how often a comparison that picks the best from the data reports a winner."""

from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.figure import Figure

from pigevo.core.intervals import SHARE
from pigevo.sweeps import comparison, statistics
from pigevo.sweeps.comparison import compare_settings
from pigevo.sweeps.report import Report
from pigevo.sweeps.statistics import compare_pairs, rank_settings

NO_FIGURE = Figure()

ALL_DONE = {"attainable": (0.0, 1.0), "without_runs": {}, "left_out": ""}


@pytest.fixture(autouse=True)
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
    sweep = SimpleNamespace(
        by_seed=lambda metric: values, by_setting=values, searches=(), digests={}, finished=(), **ALL_DONE
    )
    found = compare_settings(sweep)
    ranking = rank_settings({name: [*figures.values()] for name, figures in values.items()}, SHARE)
    return found, Report(sweep, "champion", ranking, [], {}, found, {}, NO_FIGURE).first


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


@pytest.mark.parametrize(("settings", "times"), [(50, 100), (100, 60)])
def test_of_many_equal_settings_the_best_is_called_better_in_one_sweep_of_twenty_at_most(settings, times):
    """Corrected for the comparisons with the best alone these were .13 and .19."""
    assert winners_among_equals(settings, 30, times) <= at_most(0.05, times)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [10, 30])
@pytest.mark.parametrize(("settings", "times"), [(2, 1000), (6, 1000), (12, 1000), (24, 1000), (50, 400), (100, 300)])
def test_of_equal_settings_one_sweep_of_twenty_at_most_reports_a_winner(settings, times, seeds):
    """The tolerance is that of p = .001: 71 of 1,000 sweeps, 33 of 400, or 27 of 300."""
    assert winners_among_equals(settings, seeds, times) <= at_most(0.05, times)


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
