"""Running times, what was reached and held, and intervals, by hand and against plain Python."""

import numpy as np
import pytest
from scipy import stats

from pigevo.benchmark.instances import instance
from pigevo.benchmark.results import Early, Results
from pigevo.benchmark.statistics import (
    TARGETS,
    area,
    bounded_interval,
    hits,
    ratio_interval,
    resampled,
    running_time,
    running_times,
)
from pigevo.benchmark.trial import Trial
from pigevo.cli.commands.benchmark import describe
from pigevo.core.intervals import mean_interval
from pigevo.dice import Draw


def trial(spent, loss, budget=1000, seed=0, algorithm="a", place="t9-d6-c1-exact"):
    loss = np.array(loss, dtype=float)
    return Trial(algorithm, place, seed, budget, np.array(spent), loss, 2 * loss, np.zeros(3, np.uint8))


def test_a_target_is_hit_when_the_champion_first_comes_to_it():
    one = trial([0, 10, 100, 1000], [0.3, 0.05, 0.2, 0.01])
    found = hits([one], "loss", [0.5, 0.2, 0.05, 0.049, 0.01, 0.001])
    assert found.tolist() == [[1, 10, 10, 1000, 1000, np.inf]]
    assert hits([one], "exploitability", [0.1]).tolist() == [[10]]


def test_expected_running_time_counts_what_failed():
    """Two of three hit, after 10 and 30; the third ended at 200: (10 + 30 + 200) / 2."""
    hit = np.array([[10.0], [np.inf], [30.0]])
    assert running_time(hit, np.array([500.0, 200.0, 400.0])).tolist() == [120]
    assert running_time(np.full((2, 1), np.inf), np.array([5.0, 5.0])).tolist() == [np.inf]


def test_running_times_have_intervals_around_them():
    trials = [trial([0, n, 1000], [0.3, 0.04, 0.04], seed=n) for n in range(10, 40)]
    time, low, high = running_times(trials, "loss", [0.05, 0.01])
    assert time[0] == np.mean(range(10, 40))
    assert (low[0], high[0]) == pytest.approx(mean_interval(np.arange(10.0, 40.0)))
    assert (time[1], low[1], high[1]) == (np.inf, np.inf, np.inf)


def test_an_interval_may_end_nowhere():
    trials = [trial([0, 10, 1000], [0.3, 0.04 if seed == 0 else 0.3, 0.3], seed=seed) for seed in range(3)]
    time, low, high = running_times(trials, "loss", [0.05])
    assert time[0] == 2010
    assert low[0] < time[0] < high[0] == np.inf


def test_the_area_is_what_is_held_over_a_logarithmic_budget():
    """All at once is 1, none is 0, at the geometric middle of the budget a half."""
    all_at_once, none = trial([0, 1], [0.0, 0.0]), trial([0, 1000], [0.5, 0.5])
    middle = trial([0, 10, 1000], [0.5, 0.0, 0.0], budget=100)
    assert area([all_at_once, none, middle], "loss", 1) == pytest.approx([1, 0, 0.5])
    third = trial([0, 1, 1000], [0.5, TARGETS[2], 0.5])
    assert area([third], "loss", 1) == pytest.approx([3 / len(TARGETS)])


def test_a_target_counts_for_as_long_as_it_is_held():
    lucky = trial([0, 10, 100], [0.5, 0.0, 0.5])
    assert np.isfinite(hits([lucky], "loss")).all()
    assert area([lucky], "loss", 1)[0] == pytest.approx(1 / 3)
    stopped = trial([0, 10], [0.5, 0.0])  # an algorithm that has no more to ask keeps what it has
    assert area([stopped], "loss", 1)[0] == pytest.approx(2 / 3)


def test_the_area_agrees_with_a_sum_over_many_budgets():
    one = trial([0, 7, 90, 200, 600], [0.3, 0.09, 0.003, 0.2, 0.0003])
    budgets = np.geomspace(1, 1000, 200_001)
    last = np.searchsorted(one.spent, budgets, side="right") - 1
    now = one.loss[last]
    assert area([one], "loss", 1)[0] == pytest.approx((now[:, None] <= np.array(TARGETS)).mean(), abs=1e-4)


def test_what_costs_a_match_cannot_be_held_for_less():
    assert area([trial([0, 100], [0.0, 0.0], budget=10_000)], "loss", 100)[0] == pytest.approx(1)


def test_targets_are_counted_from_the_best_genome():
    """Who hands over the best genome after the first pair has an area of 1, and one that nears it hits targets."""
    perfect, near = trial([0, 1], [0.4, 0.03]), trial([0, 1, 10], [0.4, 0.4, 0.035])
    assert area([perfect], "loss", 1, zero=0.03)[0] == 1
    assert area([perfect], "loss", 1)[0] == pytest.approx(3 / len(TARGETS))
    assert hits([near], "loss", [0.005, 0.004], 0.03).tolist() == [[10, np.inf]]
    assert area([trial([0, 1], [0.4, 0.02])], "loss", 1, zero=0.03)[0] == 1  # better than the best that was known


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
def test_an_interval_of_values_that_are_alike_has_what_the_seeds_may_have_missed(value):
    """With a share of 1 - 0.025^(1/n) of others all n values are alike with a chance of 2.5 %."""
    low, high = bounded_interval(np.full(8, value), (0.0, 1.0))
    missed = 1 - 0.025 ** (1 / 8)
    assert (low, high) == pytest.approx((value * (1 - missed), value + missed * (1 - value)))
    assert high - low == pytest.approx(missed)
    assert bounded_interval(np.full(5, value), (0.0, 1.0)) == (None, None)


def test_the_interval_of_a_rare_failure_holds_the_mean():
    """An algorithm that fails in one trial of ten, with eight seeds: often no seed has failed."""
    held, failed = 0, Draw(0, "validation").uniforms(8 * 2000).reshape(-1, 8) < 0.1
    for one in failed:
        low, high = bounded_interval(np.where(one, 0.0, 1.0), (0.0, 1.0))
        held += low <= 0.9 <= high
    assert held / 2000 >= 0.95


def test_the_interval_of_a_ratio_is_that_of_the_mean_where_all_hit():
    spent = np.array([3.0, 5.0, 9.0, 4.0, 7.0])
    assert ratio_interval(spent, np.ones(5, bool)) == pytest.approx(mean_interval(spent))
    assert np.isnan(ratio_interval(np.full(5, 3.0), np.ones(5, bool))).all()
    assert ratio_interval(spent, np.zeros(5, bool)) == (np.inf, np.inf)


def test_the_interval_of_a_ratio_holds_what_a_t_test_does_not_tell_from_it():
    spent, hit = np.array([3.0, 5.0, 9.0, 4.0, 7.0, 9.0, 9.0, 2.0]), np.array([1, 1, 0, 1, 1, 0, 1, 1], bool)
    low, high = ratio_interval(spent, hit)
    for end in (low, high):
        assert stats.ttest_1samp(spent - end * hit, 0).pvalue == pytest.approx(0.05)
    assert low < spent.mean() / hit.mean() < high


def test_seeds_are_drawn_with_replacement_and_evenly():
    drawn = resampled(7)
    assert np.bincount(drawn.ravel(), minlength=7) == pytest.approx(np.full(7, 1000), abs=4.5 * 1000**0.5)
    assert (drawn == resampled(7)).all()
    assert len({tuple(row) for row in drawn}) > 990


def test_results_put_the_better_one_first_and_never_below_nothing():
    better = [trial([0, 10, 1000], [0.3, 0.01, 0.001 * seed], seed=seed, algorithm="b") for seed in range(3)]
    worse = [trial([0, 10, 1000], [0.3, 0.2, 0.1], seed=seed) for seed in range(3)]
    place = instance("t9")
    found = Results({"a": {place.name: worse}, "b": {place.name: better}}, {place.name: place})
    assert [one.algorithm for one in found.standings] == ["b", "a"]
    assert found.standings[1].hit == pytest.approx(2 / len(TARGETS))
    first = found.endings[0]
    assert (first.algorithm, first.unit, first.spent) == ("b", "evaluations", 1000)
    assert first.loss == pytest.approx(0.001)
    assert (first.loss_low, first.loss_zero) == (None, 0)
    assert first.exploitability == pytest.approx(0.002)
    times = {(one.algorithm, one.by, one.target): one for one in found.times()}
    assert len(times) == 4 * len(TARGETS)
    assert (times["b", "loss", 0.01].time, times["b", "loss", 0.01].hit) == (10, 3)
    assert (times["a", "loss", 0.01].time, times["a", "loss", 0.01].high) == (None, None)


def test_no_figure_depends_on_who_else_takes_part():
    place, noise = instance("t9"), [0.001, 0.02, 0.005, 0.03, 0.002, 0.01]
    mine = [trial([0, 10, 1000], [0.3, 0.02, end], seed=seed) for seed, end in enumerate(noise)]
    others = {name: {place.name: [trial([0, 5, 1000], [0.3, 0.1, loss], seed=n) for n in range(6)]}
              for name, loss in (("b", 0.0), ("c", 0.2))}  # fmt: skip
    alone = Results({"a": {place.name: mine}}, {place.name: place}).standings
    beside = Results({"a": {place.name: mine}} | others, {place.name: place}).standings
    assert alone[0] in beside
    assert len(beside) == 3


@pytest.mark.parametrize("seeds", [1, 2, 5, 6, 20])
def test_few_seeds_have_no_interval(seeds):
    of = [trial([0, 10 + seed, 1000], [0.3, 0.02, 0.001], seed=seed) for seed in range(seeds)]
    place = instance("t9")
    found = Results({"a": {place.name: of}}, {place.name: place})
    (one,), (end,), hit = found.standings, found.endings, next(time for time in found.times() if time.hit)
    assert [x is None for x in (one.area_low, one.area_high, end.loss_low, end.loss_high)] == [seeds < 6] * 4
    assert [x is None for x in (hit.low, hit.high)] == [seeds < 20] * 2
    assert ("too few seeds" in describe(found)) == (seeds < 6)


def test_two_perfect_seeds_are_no_certainty():
    """Of two seeds there is no interval, and of eight one that has room for a failure that they did not see."""
    place = instance("t9")
    for seeds in (2, 8):
        of = [trial([0, 1], [0.0, 0.0], seed=seed) for seed in range(seeds)]
        (one,) = Results({"a": {place.name: of}}, {place.name: place}).standings
        assert one.area == 1
        assert one.area_low is None if seeds == 2 else one.area_low < 0.7


@pytest.mark.parametrize("ends", [(0.4, 0.3, 0.35, 0.45, 0.2, 0.5), (0.49, 0.47, 0.48) * 2, (0.0, 0.002, 0.02) * 3])
def test_intervals_of_losses_and_exploitabilities_lie_within_their_range(ends):
    of = [Trial("a", "t9-d6-c1-exact", n, 9, np.array([0, 9]), *np.full((2, 2), end), np.zeros(3, np.uint8))
          for n, end in enumerate(ends)]  # fmt: skip
    place = instance("t9")
    (found,) = Results({"a": {place.name: of}}, {place.name: place}).endings
    assert 0 <= found.loss_low < found.loss < found.loss_high <= 0.5
    assert 0 <= found.exploitability_low < found.exploitability < found.exploitability_high <= 0.5


def test_who_is_as_good_as_the_optimum_for_fewer_pairs_than_genes_is_named():
    """An algorithm that computes the optimum by itself cannot be told by what it loads."""
    place = instance("t9-d3-g10")
    genes = place.grid.genes
    trials = {
        "early": [trial([0, 10, 9000], [0.3, 0.0005, 0.0]), trial([0, 50, 9000], [0.3, 0.0, 0.0], seed=1)],
        "late": [trial([0, 10 * genes - 10, 10 * genes], [0.3, 0.002, 0.0])],
        "at once": [trial([0, 10, 9000], [0.0005, 0.0, 0.0])],
    }
    found = Results({name: {place.name: of} for name, of in trials.items()}, {place.name: place})
    assert found.early == [Early("early", place.name, 2, 1, genes)]


def test_an_interval_stays_within_what_a_champion_can_lose():
    """Champions far apart: beyond a half there is no loss, and an interval of everything says nothing."""
    place = instance("t9")
    of = [trial([0, 1000], [0.3, loss], seed=seed) for seed, loss in enumerate((0.0, 0.5, 0.0, 0.5, 0.0, 0.5))]
    found = Results({"a": {place.name: of}}, {place.name: place})
    (end,) = found.endings
    assert (end.loss_low, end.loss_high, end.exploitability_low) == (None, None, None)
    assert describe(found).count("(undetermined)") == 2


def test_shares_of_different_budgets_stand_beside_each_other():
    """A hit counts by the share of its own budget, so that evaluations and games can be in one picture."""
    one, other = instance("t9"), instance("t9-g10")
    few = [trial([0, 10, 100], [0.5, 0.0, 0.0], budget=100, seed=seed) for seed in range(2)]
    many = [trial([0, 5000], [0.5, 0.05], budget=10_000, seed=seed) for seed in range(2)]
    found = Results({"a": {one.name: few, other.name: many}}, {one.name: one, other.name: other})
    shares = found.shares("a", "loss")
    assert shares.shape == (2, 2 * len(TARGETS))
    assert shares[:, : len(TARGETS)].ravel().tolist() == [0.1] * (2 * len(TARGETS))
    assert shares[0, len(TARGETS) :].tolist() == [0.5] * 3 + [np.inf] * (len(TARGETS) - 3)
    assert found.shares("a", "exploitability")[0, len(TARGETS) :].tolist() == [0.5] * 2 + [np.inf] * (len(TARGETS) - 2)
