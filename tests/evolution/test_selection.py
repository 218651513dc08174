"""Who meets whom and who survives.  Seeds are fixed; a law fails below p = `RARE`."""

import itertools

import numpy as np
import pytest
from scipy import stats

from pigevo.dice import Draw
from pigevo.evolution.evaluation import Evaluation, absolute, every_pair, pairwise
from pigevo.evolution.operators import as_operator
from pigevo.evolution.selection import SELECTIONS
from pigevo.evolution.selection.one_round import Knockout, round_robin, truncation
from pigevo.games import Pig
from tests.evolution.helpers import context_of, selecting
from tests.laws import RARE, tossed

GAME = Pig(target=5)


def draws(n):
    return (Draw(1, "selection", generation) for generation in range(n))


def paired(size, draw):
    return Knockout().pairs(size, context_of(GAME, draw))


def survivors_of(selection, evaluation, draw=None, **options):
    return selection(*selecting(evaluation, draw or Draw(1, "selection")), **options)


def scored(*scores):
    values = np.array(scores, dtype=float)
    return absolute(values, every_pair(len(values)))


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

    def test_keeps_the_winner_of_each_pair(self):
        pairs = np.array([[3, 0], [1, 5], [4, 2]])
        wins = np.array([[0.6, 0.4], [0.1, 0.9], [0.49, 0.48]])
        evaluation = pairwise(6, pairs, wins)
        for draw in draws(30):
            assert survivors_of(Knockout(), evaluation, draw).tolist() == [3, 5, 4]

    def test_decides_by_the_match_and_not_by_the_score(self):
        evaluation = Evaluation(np.array([0.9, 0.1]), np.array([[0, 1]]), np.array([[0.2, 0.3]]))
        assert survivors_of(Knockout(), evaluation, Draw(1, "selection")).tolist() == [1]

    def test_a_drawn_match_is_a_fair_coin(self):
        pairs = np.arange(40).reshape(20, 2)
        evaluation = pairwise(40, pairs, np.full((20, 2), 0.5))
        kept = np.array([survivors_of(Knockout(), evaluation, d) % 2 for d in draws(1000)])
        assert tossed(kept) > RARE
        assert min(stats.binomtest(int(n), 1000).pvalue for n in kept.sum(axis=0)) > RARE / 20
        assert stats.binomtest(int((kept[:, 1:] ^ kept[:, :-1]).sum()), 19_000).pvalue > RARE

    def test_its_coin_does_not_follow_the_matching(self):
        # both come from one stream and generation, in two parts
        first_kept = 0
        for draw in draws(4000):
            pairs = paired(2, draw)
            survivor = survivors_of(Knockout(), pairwise(2, pairs, np.full((1, 2), 0.5)), draw)
            first_kept += int(survivor[0] == 0)
        assert stats.binomtest(first_kept, 4000).pvalue > RARE


def selection_of(name):
    entry = SELECTIONS[name]
    return as_operator("selection", entry.bind(entry.completed({})))


@pytest.mark.parametrize("name", [name for name in sorted(SELECTIONS) if selection_of(name).meets_everyone])
def test_selections_by_rank_let_everyone_meet_everyone_once(name):
    selection = selection_of(name)
    pairs = selection.pairs(7, context_of(GAME, Draw(1, "selection"))).tolist()
    assert sorted(map(sorted, pairs)) == [list(pair) for pair in itertools.combinations(range(7), 2)]


class TestRank:
    @pytest.mark.parametrize(("size", "kept"), [(2, 1), (3, 1), (5, 2), (20, 10), (21, 10)])
    def test_round_robin_rounds_half_of_an_odd_population_down(self, size, kept):
        survivors = survivors_of(round_robin, scored(*range(size)), Draw(1, "selection"))
        assert survivors.tolist() == list(range(size - 1, size - 1 - kept, -1))

    @pytest.mark.parametrize(("share", "kept"), [(0.0, 1), (0.1, 1), (0.25, 2), (0.5, 5), (0.75, 8), (1.0, 10)])
    def test_truncation_keeps_the_best_share_and_at_least_one(self, share, kept):
        order = Draw(3, "population").permutation(10)
        survivors = survivors_of(truncation, scored(*order), share=share)
        assert order[survivors].tolist() == list(range(9, 9 - kept, -1))

    def test_wins_against_everyone_rank_a_round_robin(self):
        # 2 beats all, 0 beats 1 and 3, 1 beats 3
        wins = np.array([[0.6, 0.4], [0.3, 0.7], [0.8, 0.2], [0.1, 0.9], [0.55, 0.45], [0.9, 0.1]])
        evaluation = pairwise(4, every_pair(4), wins)
        assert survivors_of(round_robin, evaluation, Draw(1, "selection")).tolist() == [2, 0]

    def test_ties_are_broken_evenly(self):
        chosen = [tuple(survivors_of(truncation, scored(0.5, 0.5, 0.5, 0.5), d).tolist()) for d in draws(6000)]
        counts = [chosen.count(pair) for pair in itertools.permutations(range(4), 2)]
        assert sum(counts) == 6000
        assert stats.chisquare(counts).pvalue > RARE

    def test_a_tie_at_the_edge_does_not_touch_the_better_ones(self):
        evaluation = scored(0.3, 0.9, 0.3, 0.3)
        kept = [survivors_of(round_robin, evaluation, d).tolist() for d in draws(900)]
        assert all(first == 1 for first, _ in kept)
        assert stats.chisquare([sum(second == n for _, second in kept) for n in (0, 2, 3)]).pvalue > RARE
