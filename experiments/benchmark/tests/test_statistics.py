"""Running times, areas, hits and intervals, by hand and against plain Python."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from pigevo.core.intervals import mean_interval
from pigevo.dice import Draw
from pigevo.experiments.benchmark.command import describe
from pigevo.experiments.benchmark.instances import instance
from pigevo.experiments.benchmark.results import Early, Results
from pigevo.experiments.benchmark.statistics import (
    TARGETS,
    area,
    bounded_interval,
    hits,
    ratio_interval,
    resampled,
    running_time,
    running_times,
)
from pigevo.experiments.benchmark.trial import Trial

PLACE = instance("t9")


def trial(spent, loss, budget=1000, seed=0, exploitability=None):
    loss = np.array(loss, dtype=float)
    exploitability = 2 * loss if exploitability is None else np.array(exploitability)
    return Trial("a", PLACE.name, seed, budget, np.array(spent), loss, exploitability, np.zeros(3, np.uint8))


def results_of(place=PLACE, **trials):
    """The results of algorithms on one instance."""
    return Results({name: {place.name: of} for name, of in trials.items()}, {place.name: place})


def test_a_target_is_hit_when_the_champion_first_comes_to_it():
    champion = trial([0, 10, 100, 1000], [0.3, 0.05, 0.2, 0.01])
    expected = [1, 10, 10, 1000, 1000, np.inf]
    assert hits([champion], "loss", [0.5, 0.2, 0.05, 0.049, 0.01, 0.001]).tolist() == [expected]
    assert hits([champion], "exploitability", [0.1]).tolist() == [[10]]
    near = trial([0, 1, 10], [0.4, 0.4, 0.035])
    assert hits([near], "loss", [0.005, 0.004], zero=0.03).tolist() == [[10, np.inf]]


def test_expected_running_time_counts_what_failed():
    """Two of three hit, after 10 and 30; the third ended at 200: (10 + 30 + 200) / 2."""
    hit = np.array([[10.0], [np.inf], [30.0]])
    assert running_time(hit, np.array([500.0, 200.0, 400.0])).tolist() == [120]
    assert running_time(np.full((2, 1), np.inf), np.array([5.0, 5.0])).tolist() == [np.inf]


def test_running_times_have_intervals_which_may_be_infinite():
    trials = [trial([0, n, 1000], [0.3, 0.04, 0.04], seed=n) for n in range(10, 40)]
    time, low, high = running_times(trials, "loss", [0.05, 0.01])
    assert time[0] == np.mean(range(10, 40))
    assert (low[0], high[0]) == pytest.approx(mean_interval(np.arange(10.0, 40.0)))
    assert (time[1], low[1], high[1]) == (np.inf, np.inf, np.inf)
    trials = [trial([0, 10, 1000], [0.3, 0.04 if seed == 0 else 0.3, 0.3], seed=seed) for seed in range(3)]
    time, low, high = running_times(trials, "loss", [0.05])
    assert time[0] == 2010
    assert low[0] < time[0] < high[0] == np.inf


@pytest.mark.parametrize(
    ("champions", "budget", "cost", "zero", "expected"),
    [
        (trial([0, 1], [0.0, 0.0]), 1000, 1, 0, 1),
        (trial([0, 1000], [0.5, 0.5]), 1000, 1, 0, 0),
        (trial([0, 10, 1000], [0.5, 0.0, 0.0]), 100, 1, 0, 1 / 2),  # held from the geometric middle of the budget on
        (trial([0, 1, 1000], [0.5, TARGETS[2], 0.5]), 1000, 1, 0, 3 / len(TARGETS)),
        (trial([0, 10, 100], [0.5, 0.0, 0.5]), 1000, 1, 0, 1 / 3),  # held by luck for a while
        (trial([0, 10], [0.5, 0.0]), 1000, 1, 0, 2 / 3),  # an algorithm that ended early keeps its champion
        (trial([0, 100], [0.0, 0.0]), 10_000, 100, 0, 1),  # nothing can be held before the first match
        (trial([0, 1], [0.4, 0.03]), 1000, 1, 0.03, 1),  # the best genome has all targets
        (trial([0, 1], [0.4, 0.02]), 1000, 1, 0.03, 1),
        (trial([0, 1], [0.4, 0.03]), 1000, 1, 0, 3 / len(TARGETS)),
    ],
)
def test_the_area_is_what_is_held_over_a_logarithmic_budget(champions, budget, cost, zero, expected):
    assert area([replace(champions, budget=budget)], "loss", cost, zero)[0] == pytest.approx(expected)


def test_the_area_agrees_with_a_sum_over_many_budgets():
    champions = trial([0, 7, 90, 200, 600], [0.3, 0.09, 0.003, 0.2, 0.0003])
    budgets = np.geomspace(1, 1000, 200_001)
    loss = champions.loss[np.searchsorted(champions.spent, budgets, side="right") - 1]
    assert area([champions], "loss", 1)[0] == pytest.approx((loss[:, None] <= np.array(TARGETS)).mean(), abs=1e-4)


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
def test_an_interval_of_equal_values_allows_for_unseen_ones(value):
    """If a share of 1 - 0.025^(1/n) differs, all n values are alike with a probability of 2.5 %."""
    low, high = bounded_interval(np.full(8, value), (0.0, 1.0))
    missed = 1 - 0.025 ** (1 / 8)
    assert (low, high) == pytest.approx((value * (1 - missed), value + missed * (1 - value)))
    assert high - low == pytest.approx(missed)
    assert bounded_interval(np.full(5, value), (0.0, 1.0)) == (None, None)


def test_the_interval_of_a_rare_failure_holds_the_mean():
    """An algorithm that fails in one trial of ten, with eight seeds: often no seed has failed."""
    held, failed = 0, Draw(0, "validation").uniforms(8 * 2000).reshape(-1, 8) < 0.1
    for seeds in failed:
        low, high = bounded_interval(np.where(seeds, 0.0, 1.0), (0.0, 1.0))
        held += low <= 0.9 <= high
    assert held / 2000 >= 0.95


def test_the_interval_of_a_ratio_holds_what_a_t_test_does_not_reject():
    spent, hit = np.array([3.0, 5.0, 9.0, 4.0, 7.0, 9.0, 9.0, 2.0]), np.array([1, 1, 0, 1, 1, 0, 1, 1], bool)
    low, high = ratio_interval(spent, hit)
    for end in (low, high):
        assert stats.ttest_1samp(spent - end * hit, 0).pvalue == pytest.approx(0.05)
    assert low < spent.mean() / hit.mean() < high
    assert np.isnan(ratio_interval(np.full(5, 3.0), np.ones(5, bool))).all()


def test_seeds_are_drawn_with_replacement_and_evenly():
    drawn = resampled(7)
    assert np.bincount(drawn.ravel(), minlength=7) == pytest.approx(np.full(7, 1000), abs=4.5 * 1000**0.5)
    assert (drawn == resampled(7)).all()
    assert len({tuple(row) for row in drawn}) > 990


def test_results_put_the_better_algorithm_first():
    better = [trial([0, 10, 1000], [0.3, 0.01, 0.001 * seed], seed=seed) for seed in range(3)]
    worse = [trial([0, 10, 1000], [0.3, 0.2, 0.1], seed=seed) for seed in range(3)]
    results = results_of(a=worse, b=better)
    assert [standing.algorithm for standing in results.standings] == ["b", "a"]
    assert results.standings[1].hit == pytest.approx(2 / len(TARGETS))
    first = results.endings[0]
    assert (first.algorithm, first.unit, first.spent) == ("b", "evaluations", 1000)
    assert (first.loss, first.exploitability) == pytest.approx((0.001, 0.002))
    assert (first.loss_low, first.loss_zero) == (None, 0)
    times = {(time.algorithm, time.by, time.target): time for time in results.times()}
    assert len(times) == 4 * len(TARGETS)
    assert (times["b", "loss", 0.01].time, times["b", "loss", 0.01].hit) == (10, 3)
    assert (times["a", "loss", 0.01].time, times["a", "loss", 0.01].high) == (None, None)


def test_no_figure_depends_on_who_else_takes_part():
    noise = [0.001, 0.02, 0.005, 0.03, 0.002, 0.01]
    mine = [trial([0, 10, 1000], [0.3, 0.02, end], seed=seed) for seed, end in enumerate(noise)]
    b, c = ([trial([0, 5, 1000], [0.3, 0.1, loss], seed=n) for n in range(6)] for loss in (0.0, 0.2))
    (alone,), beside = results_of(a=mine).standings, results_of(a=mine, b=b, c=c).standings
    assert alone in beside
    assert len(beside) == 3


@pytest.mark.parametrize("seeds", [1, 2, 5, 6, 20])
def test_few_seeds_have_no_interval(seeds):
    results = results_of(a=[trial([0, 10 + seed, 1000], [0.3, 0.02, 0.001], seed=seed) for seed in range(seeds)])
    (standing,), (end,), hit = results.standings, results.endings, next(time for time in results.times() if time.hit)
    bounds = (standing.area_low, standing.area_high, end.loss_low, end.loss_high)
    assert [bound is None for bound in bounds] == [seeds < 6] * 4
    assert [bound is None for bound in (hit.low, hit.high)] == [seeds < 20] * 2
    assert ("too few seeds" in describe(results)) == (seeds < 6)


@pytest.mark.parametrize("ends", [(0.4, 0.3, 0.35, 0.45, 0.2, 0.5), (0.49, 0.47, 0.48) * 2, (0.0, 0.002, 0.02) * 3])
def test_intervals_of_losses_and_exploitabilities_lie_within_their_range(ends):
    (ending,) = results_of(a=[trial([0, 9], [end, end], 9, seed, [end, end]) for seed, end in enumerate(ends)]).endings
    assert 0 <= ending.loss_low < ending.loss < ending.loss_high <= 0.5
    assert 0 <= ending.exploitability_low < ending.exploitability < ending.exploitability_high <= 0.5


def test_an_interval_of_all_possible_values_is_undetermined():
    losses = (0.0, 0.5, 0.0, 0.5, 0.0, 0.5)
    results = results_of(a=[trial([0, 1000], [0.3, loss], seed=seed) for seed, loss in enumerate(losses)])
    (end,) = results.endings
    assert (end.loss_low, end.loss_high, end.exploitability_low) == (None, None, None)
    assert describe(results).count("(undetermined)") == 2


def test_an_algorithm_that_is_optimal_for_fewer_pairs_than_genes_is_reported():
    """An algorithm that computes the optimum by itself cannot be recognised by what it loads."""
    place = instance("t9-d3-g10")
    genes = place.grid.genes
    results = results_of(
        place,
        early=[trial([0, 10, 9000], [0.3, 0.0005, 0.0]), trial([0, 50, 9000], [0.3, 0.0, 0.0], seed=1)],
        late=[trial([0, 10 * genes - 10, 10 * genes], [0.3, 0.002, 0.0])],
        at_once=[trial([0, 10, 9000], [0.0005, 0.0, 0.0])],
    )
    assert results.early == [Early("early", place.name, 2, 1, genes)]


def test_hits_count_by_the_share_of_their_own_budget():
    """So that evaluations and games can be in one picture."""
    games = instance("t9-g10")
    few = [trial([0, 10, 100], [0.5, 0.0, 0.0], budget=100, seed=seed) for seed in range(2)]
    many = [trial([0, 5000], [0.5, 0.05], budget=10_000, seed=seed) for seed in range(2)]
    results = Results({"a": {PLACE.name: few, games.name: many}}, {PLACE.name: PLACE, games.name: games})
    n = len(TARGETS)
    shares = results.shares("a", "loss")
    assert shares.shape == (2, 2 * n)
    assert shares[:, :n].ravel().tolist() == [0.1] * (2 * n)
    assert shares[0, n:].tolist() == [0.5] * 3 + [np.inf] * (n - 3)
    assert results.shares("a", "exploitability")[0, n:].tolist() == [0.5] * 2 + [np.inf] * (n - 2)
