"""Running times, what was reached, and ranks, by hand and against plain Python."""

import numpy as np
import pytest

from pigevo.benchmark.instances import instance
from pigevo.benchmark.results import Early, Results
from pigevo.benchmark.statistics import TARGETS, area, hits, percentiles, ranks, resampled, running_time, running_times
from pigevo.benchmark.trial import Trial
from pigevo.cli.commands.benchmark import describe


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
    error = np.std(range(10, 40)) / 30**0.5
    assert low[0] == pytest.approx(time[0] - 1.96 * error, abs=0.5 * error)
    assert high[0] == pytest.approx(time[0] + 1.96 * error, abs=0.5 * error)
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


def test_ranks_are_means_over_instances_and_ties_are_shared():
    reached = np.array([[[0.9], [0.2]], [[0.5], [0.5]], [[0.5], [0.1]]])
    found, low, high = ranks(reached)
    assert found.tolist() == low.tolist() == high.tolist() == [1.5, 1.75, 2.75]


def test_intervals_of_ranks_tell_the_sure_from_the_unsure():
    noise = np.array([0.0, 0.02] * 15)
    reached = np.stack([[0.9 + noise], [0.501 + noise], [0.5 + noise[::-1]]])
    found, low, high = ranks(reached)
    assert (found[0], low[0], high[0]) == (1, 1, 1)
    assert low[1] == low[2] == 2
    assert high[1] == high[2] == 3


def test_seeds_are_drawn_with_replacement_and_evenly():
    drawn = resampled(7)
    assert np.bincount(drawn.ravel(), minlength=7) == pytest.approx(np.full(7, 1000), abs=4.5 * 1000**0.5)
    assert (drawn == resampled(7)).all()
    assert len({tuple(row) for row in drawn}) > 990


def test_percentiles_are_samples():
    assert percentiles(np.array([[1.0], [2.0], [np.inf]])) == ([1], [np.inf])


def test_results_put_the_better_one_first_and_never_below_nothing():
    better = [trial([0, 10, 1000], [0.3, 0.01, 0.001 * seed], seed=seed, algorithm="b") for seed in range(3)]
    worse = [trial([0, 10, 1000], [0.3, 0.2, 0.1], seed=seed) for seed in range(3)]
    place = instance("t9")
    found = Results({"a": {place.name: worse}, "b": {place.name: better}}, {place.name: place})
    assert [one.algorithm for one in found.standings] == ["b", "a"]
    assert [one.rank for one in found.standings] == [1, 2]
    assert found.standings[1].hit == pytest.approx(2 / len(TARGETS))
    first = found.endings[0]
    assert (first.algorithm, first.unit, first.spent) == ("b", "evaluations", 1000)
    assert first.loss == pytest.approx(0.001)
    assert first.loss_low == 0
    assert first.loss_high > 0.002
    assert first.exploitability == pytest.approx(0.002)
    times = {(one.algorithm, one.by, one.target): one for one in found.times()}
    assert len(times) == 4 * len(TARGETS)
    assert (times["b", "loss", 0.01].time, times["b", "loss", 0.01].hit) == (10, 3)
    assert (times["a", "loss", 0.01].time, times["a", "loss", 0.01].high) == (None, None)


@pytest.mark.parametrize("seeds", [1, 2, 5, 6])
def test_few_seeds_have_no_bootstrap_interval(seeds):
    """All of n values lie on one side of the median with a chance of 2^(1-n), and a bootstrap's interval with them."""
    of = [trial([0, 10, 1000], [0.3, 0.02, 0.001], seed=seed) for seed in range(seeds)]
    place = instance("t9")
    found = Results({"a": {place.name: of}}, {place.name: place})
    (one,), hit = found.standings, next(time for time in found.times() if time.hit)
    ends = (one.rank_low, one.rank_high, one.area_low, one.area_high, hit.low, hit.high)
    assert [end is None for end in ends] == [seeds < 6] * 6
    assert ("1.00 (1.00 to 1.00)" in describe(found)) == (seeds == 6)
    assert ("ranks and areas have intervals from 6 seeds on" in describe(found)) == (1 < seeds < 6)


@pytest.mark.parametrize("ends", [(0.4, 0.3, 0.35, 0.45), (0.49, 0.47, 0.48), (0.0, 0.01), (0.0, 0.002, 0.001, 0.02)])
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
    """Three champions, far apart: beyond a half there is no loss, and an interval of everything says nothing."""
    place = instance("t9")
    of = [trial([0, 1000], [0.3, loss], seed=seed) for seed, loss in enumerate((0.01, 0.24, 0.49))]
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
