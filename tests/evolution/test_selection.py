"""Who meets whom and who survives: matches, ranks, tournaments and wheels.  Seeds are fixed; a law fails below p = `RARE`."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation, every_pair
from pigevo.evolution.operators import as_operator
from pigevo.evolution.selection import SELECTIONS
from pigevo.evolution.selection.one_round import Knockout, pointed_at, round_robin, truncation
from pigevo.games import Pig
from tests.evolution.helpers import context_of, selecting
from tests.laws import RARE, fits, tossed

GAME = Pig(target=5)


def draws(n):
    return (Draw(1, "selection", generation) for generation in range(n))


def paired(size, draw):
    return Knockout().pairs(size, context_of(GAME, draw))


def survivor_count(selection, evaluation, draw=None, **options):
    return selection(*selecting(evaluation, draw or Draw(1, "selection")), **options)


def scored(*scores):
    values = np.array(scores, dtype=float)
    return Evaluation.of_scores(values, every_pair(len(values)))


class TestKnockout:
    @pytest.mark.parametrize("size", [2, 4, 20, 100])
    def test_everyone_is_in_exactly_one_pair(self, size):
        for draw in draws(20):
            pairs = paired(size, draw)
            assert pairs.shape == (size // 2, 2)
            assert sorted(pairs.ravel().tolist()) == list(range(size))

    def test_all_matchings_are_as_likely(self):
        seen = [frozenset(map(frozenset, paired(6, d).tolist())) for d in draws(6000)]
        counts = [seen.count(m) for m in set(seen)]
        assert len(counts) == 15
        assert stats.chisquare(counts).pvalue > RARE

    def test_keeps_the_winner_of_each_match_whatever_the_scores(self):
        pairs = np.array([[3, 0], [1, 5], [4, 2]])
        wins = np.array([[0.6, 0.4], [0.1, 0.9], [0.49, 0.48]])
        evaluation = Evaluation(np.array([0.9, 0.9, 0.9, 0.1, 0.1, 0.1]), pairs, wins)
        for draw in draws(30):
            assert survivor_count(Knockout(), evaluation, draw).tolist() == [3, 5, 4]

    def test_a_drawn_match_is_a_fair_coin(self):
        evaluation = Evaluation.of_matches(40, np.arange(40).reshape(20, 2), np.full((20, 2), 0.5))
        coins = np.array([survivor_count(Knockout(), evaluation, draw) % 2 for draw in draws(1000)])
        assert tossed(coins) > RARE
        assert min(stats.binomtest(int(n), 1000).pvalue for n in coins.sum(axis=0)) > RARE / 20
        assert tossed(coins[:, 1:] ^ coins[:, :-1]) > RARE

    def test_its_coin_does_not_follow_the_matching(self):
        # both come from one stream and generation, in two parts
        survivors = [
            survivor_count(Knockout(), Evaluation.of_matches(2, paired(2, draw), np.full((1, 2), 0.5)), draw)[0]
            for draw in draws(4000)
        ]
        assert tossed(survivors) > RARE


def selection_of(name):
    entry = SELECTIONS[name]
    return as_operator("selection", entry.bind(entry.completed({})))


@pytest.mark.parametrize("name", [name for name in sorted(SELECTIONS) if selection_of(name).all_pairs_meet])
def test_selections_by_rank_let_everyone_meet_everyone_once(name):
    selection = selection_of(name)
    pairs = selection.pairs(7, context_of(GAME, Draw(1, "selection"))).tolist()
    assert sorted(map(sorted, pairs)) == [list(pair) for pair in itertools.combinations(range(7), 2)]


class TestRank:
    @pytest.mark.parametrize(("size", "staying"), [(2, 1), (3, 1), (5, 2), (20, 10), (21, 10)])
    def test_round_robin_rounds_half_of_an_odd_population_down(self, size, staying):
        order = Draw(3, "population").permutation(size)
        survivors = survivor_count(round_robin, scored(*order))
        assert order[survivors].tolist() == list(range(size - 1, size - 1 - staying, -1))

    @pytest.mark.parametrize(("share", "staying"), [(0.0, 1), (0.1, 1), (0.25, 2), (0.5, 5), (0.75, 8), (1.0, 10)])
    def test_truncation_keeps_the_best_share_and_at_least_one(self, share, staying):
        order = Draw(3, "population").permutation(10)
        survivors = survivor_count(truncation, scored(*order), share=share)
        assert order[survivors].tolist() == list(range(9, 9 - staying, -1))

    def test_ties_are_broken_evenly(self):
        survivors = [tuple(survivor_count(truncation, scored(0.5, 0.5, 0.5, 0.5), d).tolist()) for d in draws(6000)]
        counts = [survivors.count(pair) for pair in itertools.permutations(range(4), 2)]
        assert sum(counts) == 6000
        assert stats.chisquare(counts).pvalue > RARE

    def test_a_tie_at_the_edge_does_not_touch_the_better_ones(self):
        evaluation = scored(0.3, 0.9, 0.3, 0.3)
        survivors = [survivor_count(round_robin, evaluation, d).tolist() for d in draws(900)]
        assert all(first == 1 for first, _ in survivors)
        assert stats.chisquare([sum(second == n for _, second in survivors) for n in (0, 2, 3)]).pvalue > RARE


GENERATIONS = 3000
SCORES = np.array([0.1, 0.7, 0.0, 0.35, 0.5, 0.35, 0.9, 0.2])
BY_WHEEL = ("roulette", "sus")
SHARED = ("tournament", *BY_WHEEL, "linear_rank", "exponential_rank")


def chosen(name, scores, generations=GENERATIONS, **options):
    """The survivors in each of so many generations, shape (generations, survivors)."""
    evaluation, select = scored(*scores), SELECTIONS[name].function
    return np.array([survivor_count(select, evaluation, draw, **options) for draw in draws(generations)])


def shares(weights):
    """Weights as shares of 1, exactly."""
    return np.array([float(Fraction(weight) / sum(map(Fraction, weights))) for weight in weights])


def chose(survivors, chances):
    """The p-value of so many independent choices under a law."""
    return fits(np.bincount(np.ravel(survivors), minlength=len(chances)), chances)


def rounded(survivors, expected):
    """The p-value of counts that must be the expected ones, rounded down or up in every generation, with that mean."""
    counts = np.array([np.bincount(row, minlength=len(expected)) for row in survivors])
    least = np.floor(expected)
    assert (counts >= least).all()
    assert (counts <= np.ceil(expected)).all()
    return min(tossed(counts[:, n] > least[n], chance) for n, chance in enumerate(expected - least))


def by_rank(scores, chances):
    """The chance of each member of the i-th rank's chance; equal members share those of their ranks."""
    by_member = np.empty(len(scores))
    by_member[np.argsort(-np.asarray(scores), kind="stable")] = chances
    return np.array([by_member[scores == score].mean() for score in scores])


@pytest.mark.parametrize("name", SHARED)
class TestEach:
    @pytest.mark.parametrize(("share", "survivors"), [(0.01, 1), (0.25, 2), (0.5, 4), (1.0, 8)])
    def test_the_share_decides_how_many_survive(self, name, share, survivors):
        assert chosen(name, SCORES, 3, share=share).shape == (3, survivors)

    def test_equal_members_survive_alike(self, name):
        survivors = chosen(name, np.zeros(8), share=0.1)  # one a generation: the choices are independent
        assert chose(survivors, np.full(8, 1 / 8)) > RARE

    def test_the_order_alone_counts_or_for_a_wheel_the_proportion(self, name):
        other = 1024 * SCORES if name in BY_WHEEL else np.exp(5 * SCORES) - 30
        assert np.array_equal(chosen(name, SCORES, 50), chosen(name, other, 50))

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
        survivors = chosen("tournament", scores, k=k, share=1.0)
        assert chose(survivors, chances) > RARE

    def test_tournaments_of_one_generation_are_independent(self):
        survivors = chosen("tournament", SCORES[:4], k=2, share=0.5)
        pairs = np.bincount(survivors[:, 0] * 4 + survivors[:, 1], minlength=16).reshape(4, 4)
        assert stats.chi2_contingency(pairs).pvalue > RARE

    def test_equal_ones_do_not_stand_in_for_each_other(self):
        # with one order of the equal for a whole generation two tournaments would agree too often
        survivors = chosen("tournament", np.zeros(4), k=3, share=0.5)
        assert stats.binomtest(int((survivors[:, 0] == survivors[:, 1]).sum()), len(survivors), 1 / 4).pvalue > RARE


class TestTheWheel:
    @pytest.mark.parametrize("name", BY_WHEEL)
    def test_a_single_survivor_is_chosen_in_proportion_to_its_score(self, name):
        assert chose(chosen(name, SCORES, share=0.1), SCORES / SCORES.sum()) > RARE

    def test_roulette_draws_each_survivor_by_itself(self):
        survivors = chosen("roulette", SCORES[:4], share=1.0)
        chances = SCORES[:4] / SCORES[:4].sum()
        assert chose(survivors, chances) > RARE
        for other in (1, 2, 3):
            pairs = np.bincount(survivors[:, 0] * 4 + survivors[:, other], minlength=16).reshape(4, 4)
            possible = pairs[np.ix_(chances > 0, chances > 0)]
            assert stats.chi2_contingency(possible).pvalue > RARE / 3

    def test_sus_rounds_every_expected_count_down_or_up_in_every_generation(self):
        assert rounded(chosen("sus", SCORES, share=0.5), 4 * SCORES / SCORES.sum()) > RARE / 8

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

    def test_exponential_ranking_falls_by_equal_factors(self):
        chances = shares([Fraction(0.7) ** i for i in range(4)])
        scores = SCORES[[0, 1, 3, 4]]  # so few that the last one is expected a few times
        assert chose(chosen("exponential_rank", scores, factor=0.7, share=0.1), by_rank(scores, chances)) > RARE

    @pytest.mark.parametrize(("name", "options"), [("linear_rank", {"pressure": 1.6}), ("exponential_rank", {})])
    def test_everyone_survives_as_often_as_expected_rounded_down_or_up(self, name, options):
        steps = [1.6 - 1.2 * i / 7 for i in range(8)] if name == "linear_rank" else [0.9**i for i in range(8)]
        survivors = chosen(name, np.arange(8.0), share=0.5, **options)
        assert rounded(survivors, 4 * shares(steps)[::-1]) > RARE / 8

    def test_the_spin_does_not_follow_the_order_of_the_equal(self):
        # both come from one stream and generation, in two parts
        survivors = chosen("linear_rank", np.zeros(2), share=0.5, pressure=2.0)
        assert tossed(survivors) > RARE
