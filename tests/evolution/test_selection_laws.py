"""The laws of selection by tournament, by a wheel and by rank.  Seeds are fixed; a law fails below p = `RARE`."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import absolute, every_pair
from pigevo.evolution.selection import SELECTIONS
from pigevo.evolution.selection.one_round import pointed_at
from tests.evolution.helpers import selecting
from tests.laws import RARE, fits, tossed

GENERATIONS = 3000
SCORES = np.array([0.1, 0.7, 0.0, 0.35, 0.5, 0.35, 0.9, 0.2])
BY_WHEEL = ("roulette", "sus")
SHARED = ("tournament", *BY_WHEEL, "linear_rank", "exponential_rank")


def chosen(name, scores, generations=GENERATIONS, **options):
    """The survivors in each of so many generations, shape (generations, survivors)."""
    evaluation = absolute(np.asarray(scores, dtype=float), every_pair(len(scores)))
    select = SELECTIONS[name].function
    data = (selecting(evaluation, Draw(1, "selection", generation)) for generation in range(generations))
    return np.array([select(*one, **options) for one in data])


def counts_of(found, size):
    return np.array([np.bincount(row, minlength=size) for row in found])


def expected(chances):
    """Chances as shares of 1, exactly."""
    return np.array([float(Fraction(one) / sum(map(Fraction, chances))) for one in chances])


def chose(found, chances):
    """The p-value of so many independent choices under a law."""
    return fits(np.bincount(np.ravel(found), minlength=len(chances)), chances)


def rounds(counts, due):
    """Whether every count is the expected one, rounded down or up in every generation, with that mean."""
    assert (counts >= np.floor(due)).all()
    assert (counts <= np.ceil(due)).all()
    return min(tossed(counts[:, n] > np.floor(due[n]), up) for n, up in enumerate(due - np.floor(due)))


def by_rank(scores, chances):
    """The chance of each member of the i-th rank's chance; equal members share those of their ranks."""
    order = np.argsort(-np.asarray(scores), kind="stable")
    own = np.empty(len(scores))
    own[order] = chances
    return np.array([own[scores == one].mean() for one in scores])


@pytest.mark.parametrize("name", SHARED)
class TestEach:
    @pytest.mark.parametrize(("share", "survivors"), [(0.01, 1), (0.25, 2), (0.5, 4), (1.0, 8)])
    def test_the_share_decides_how_many_survive(self, name, share, survivors):
        assert chosen(name, SCORES, 3, share=share).shape == (3, survivors)

    def test_equal_members_survive_alike(self, name):
        found = chosen(name, np.zeros(8), share=0.1)  # one a generation: the choices are independent
        assert chose(found, np.full(8, 1 / 8)) > RARE

    def test_another_unit_of_scores_changes_nothing(self, name):
        assert np.array_equal(chosen(name, SCORES, 50), chosen(name, 1024 * SCORES, 50))

    def test_the_largest_and_the_smallest_numbers_are_no_trouble(self, name):
        huge = chosen(name, [1e308, 0.0, 1e308, 1e308], 300)
        tiny = chosen(name, [5e-324, 0.0, 5e-324, 5e-324], 300)
        assert np.array_equal(huge, tiny)
        assert set(np.unique(huge)) >= {0, 2, 3}


class TestTournament:
    @pytest.mark.parametrize("k", [1, 3, 20])
    def test_the_ith_best_of_n_is_chosen_with_its_exact_chance(self, k):
        scores = np.array([0.3, 0.9, -1.0, 0.5, 0.1])  # ranks 3, 1, 5, 2, 4
        n, rank = 5, np.array([3, 1, 5, 2, 4])
        chances = ((n - rank + 1.0) ** k - (n - rank) ** k) / n**k
        assert chances.sum() == pytest.approx(1)
        found = chosen("tournament", scores, k=k, share=1.0)
        assert chose(found, chances) > RARE

    def test_tournaments_of_one_generation_are_independent(self):
        found = chosen("tournament", SCORES[:4], k=2, share=0.5)
        pairs = np.bincount(found[:, 0] * 4 + found[:, 1], minlength=16).reshape(4, 4)
        assert stats.chi2_contingency(pairs).pvalue > RARE

    def test_equal_ones_do_not_stand_in_for_each_other(self):
        # with one order of the equal for a whole generation two tournaments would agree too often
        found = chosen("tournament", np.zeros(4), k=3, share=0.5)
        assert stats.binomtest(int((found[:, 0] == found[:, 1]).sum()), len(found), 1 / 4).pvalue > RARE


class TestTheWheel:
    @pytest.mark.parametrize("name", BY_WHEEL)
    def test_a_single_survivor_is_chosen_in_proportion_to_its_score(self, name):
        assert chose(chosen(name, SCORES, share=0.1), SCORES / SCORES.sum()) > RARE

    def test_roulette_draws_each_survivor_by_itself(self):
        found = chosen("roulette", SCORES[:4], share=1.0)
        chances = SCORES[:4] / SCORES[:4].sum()
        assert chose(found, chances) > RARE
        for other in (1, 2, 3):
            pairs = np.bincount(found[:, 0] * 4 + found[:, other], minlength=16).reshape(4, 4)
            possible = pairs[np.ix_(chances > 0, chances > 0)]
            assert stats.chi2_contingency(possible).pvalue > RARE / 3

    def test_the_counts_of_roulette_are_multinomial(self):
        counts = counts_of(chosen("roulette", SCORES, share=1.0), 8)
        for n, chance in enumerate(SCORES / SCORES.sum()):
            law = stats.binom(8, chance).pmf(np.arange(9))
            assert chance == 0 or chose(counts[:, n], law) > RARE / 8
            assert chance > 0 or not counts[:, n].any()

    @pytest.mark.parametrize("share", [0.5])
    def test_sus_rounds_every_expected_count_down_or_up_in_every_generation(self, share):
        counts = counts_of(chosen("sus", SCORES, share=share), 8)
        assert rounds(counts, round(8 * share) * SCORES / SCORES.sum()) > RARE / 8

    @pytest.mark.parametrize("name", BY_WHEEL)
    def test_negative_scores_are_refused_with_what_works_instead(self, name):
        with pytest.raises(InputError, match=rf"selection={name} needs scores of at least 0.*-0\.25.*linear_rank"):
            chosen(name, [0.3, -0.25, 0.1], 1)

    def test_a_point_at_the_very_end_meets_nobody_without_an_arc(self):
        points = np.array([0.0, np.nextafter(1.0, 0.0), 1.0])
        assert pointed_at(np.array([0.0, 0.1, 0.2, 0.0]), points).tolist() == [1, 2, 2]


class TestRanks:
    @pytest.mark.parametrize("pressure", [1.0, 1.7])
    def test_linear_ranking_falls_by_equal_steps(self, pressure):
        chances = np.array([pressure - (2 * pressure - 2) * i / 7 for i in range(8)]) / 8
        assert chances.sum() == pytest.approx(1)
        assert chose(chosen("linear_rank", SCORES, pressure=pressure, share=0.1), by_rank(SCORES, chances)) > RARE

    @pytest.mark.parametrize("factor", [0.7])
    def test_exponential_ranking_falls_by_equal_factors(self, factor):
        chances = expected([Fraction(factor) ** i for i in range(8)])
        scores = SCORES[[0, 1, 3, 4]]  # so few that the last one is expected a few times
        chances = chances[:4] / chances[:4].sum()
        assert chose(chosen("exponential_rank", scores, factor=factor, share=0.1), by_rank(scores, chances)) > RARE

    @pytest.mark.parametrize(("name", "options"), [("linear_rank", {"pressure": 1.6}), ("exponential_rank", {})])
    def test_everyone_survives_as_often_as_expected_rounded_down_or_up(self, name, options):
        scores = np.arange(8.0)
        steps = [1.6 - 1.2 * i / 7 for i in range(8)] if name == "linear_rank" else [0.9**i for i in range(8)]
        due = 4 * expected(steps)[::-1]
        counts = counts_of(chosen(name, scores, share=0.5, **options), 8)
        assert rounds(counts, due) > RARE / 8

    @pytest.mark.parametrize("name", ["linear_rank", "exponential_rank", "tournament"])
    def test_the_order_alone_counts(self, name):
        assert np.array_equal(chosen(name, SCORES, 50), chosen(name, np.exp(5 * SCORES) - 30, 50))

    def test_the_spin_does_not_follow_the_order_of_the_equal(self):
        # both come from one stream and generation, in two parts
        found = chosen("linear_rank", np.zeros(2), share=0.5, pressure=2.0)
        assert tossed(found) > RARE
