"""The laws of crossover at points, of uniform crossover, and of who is crossed with whom.  Seeds are fixed; a law fails below p = `RARE`."""

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from pigevo.dice import Draw
from pigevo.evolution.crossover import n_point, uniform
from pigevo.evolution.operators import pair_parents
from pigevo.games import Pig
from tests.evolution.helpers import context_of
from tests.laws import RARE, fits, neighbours, tossed

GAME = Pig(target=5)
CHILDREN = 6000


def crossed(cross, genes, children=CHILDREN, seed=1, **options):
    """Children of parents who differ in every gene: 1 where a gene is the second's."""
    zeros, ones = np.zeros((children, genes), np.uint8), np.ones((children, genes), np.uint8)
    return cross(zeros, ones, context_of(GAME, Draw(seed, "crossover")), **options)


def changes(children):
    """Where one parent follows the other, as 0/1 of shape (n, genes - 1)."""
    return children[:, 1:] ^ children[:, :-1]


class TestPoints:
    @pytest.mark.parametrize("points", [1, 2, 3, 7, 20])
    def test_the_parents_change_at_so_many_places(self, points):
        for genes in (1, 2, 5, 30):
            assert set(changes(crossed(n_point, genes, 200, points=points)).sum(axis=1)) == {min(points, genes - 1)}

    @pytest.mark.parametrize("points", [1, 2, 3, 4])
    def test_every_set_of_places_is_as_likely(self, points):
        seen = changes(crossed(n_point, 7, points=points)) @ (1 << np.arange(6))
        sets = [sum(1 << place for place in one) for one in itertools.combinations(range(6), points)]
        counts = [int((seen == one).sum()) for one in sets]
        assert sum(counts) == CHILDREN
        assert stats.chisquare(counts).pvalue > RARE

    def test_a_fair_coin_that_follows_no_place_says_who_begins(self):
        children = crossed(n_point, 7, points=1)
        table = np.zeros((2, 6), int)
        np.add.at(table, (children[:, 0], changes(children).argmax(axis=1)), 1)
        assert stats.binomtest(int(table[1].sum()), CHILDREN).pvalue > RARE
        assert stats.chi2_contingency(table).pvalue > RARE

    def test_two_genes_stay_together_with_the_exact_chance(self):
        # one point: genes at a distance d of m + 1 are parted with chance d / m
        children = crossed(n_point, 41, points=1)
        for a, b in ((0, 1), (0, 20), (5, 35), (0, 40)):
            parted = int((children[:, a] ^ children[:, b]).sum())
            assert stats.binomtest(parted, CHILDREN, (b - a) / 40).pvalue > RARE / 4


class TestUniform:
    @pytest.mark.parametrize("share", [0.0, 0.1, 0.35, 0.5])
    def test_each_gene_is_a_coin_of_its_own(self, share):
        children = crossed(uniform, 12, share=share)
        law = stats.binom(12, share)
        pmf = (law.pmf(np.arange(13)) + law.pmf(12 - np.arange(13))) / 2  # a fair coin says whose the share is
        counts = np.bincount(children.sum(axis=1), minlength=13)
        assert fits(counts, pmf) > RARE

    def test_genes_and_children_are_independent(self):
        children = crossed(uniform, 300, 300, share=0.5)
        assert neighbours(children) > RARE

    def test_with_a_small_share_neighbours_differ_with_the_exact_chance(self):
        differ = changes(crossed(uniform, 2, 40_000, share=0.1))
        assert tossed(differ, 2 * 0.1 * 0.9) > RARE


@pytest.mark.parametrize("cross", [n_point, uniform])
@pytest.mark.parametrize("chance", [0.0, 0.3, 1.0])
def test_a_child_is_crossed_with_its_chance_and_else_a_copy_of_either_parent(cross, chance):
    children = crossed(cross, 60, chance=chance)
    whole = children.sum(axis=1)
    copies = np.isin(whole, (0, 60))
    assert stats.binomtest(int((~copies).sum()), CHILDREN, chance).pvalue > RARE
    if chance < 1:
        assert stats.binomtest(int((whole[copies] == 60).sum()), int(copies.sum())).pvalue > RARE


def pairs_of(survivors, children, generation=0):
    first, second = pair_parents(survivors, children, Draw(1, "crossover", generation, part=1)).T
    return list(zip(first.tolist(), second.tolist(), strict=True))


@pytest.mark.parametrize(("survivors", "children"), [(10, 20), (2, 4), (10, 10), (50, 100), (4, 9)])
def test_everyone_is_a_parent_with_one_partner(survivors, children):
    pairs = set(pairs_of(survivors, children))
    assert len(pairs) == survivors // 2
    assert sorted(itertools.chain(*pairs)) == list(range(survivors))


@pytest.mark.parametrize("survivors", [3, 5, 9])
def test_the_odd_one_is_paired_with_the_first(survivors):
    pairs = list(dict.fromkeys(pairs_of(survivors, 40)))
    assert len(pairs) == (survivors + 1) // 2
    assert pairs[-1][1] == pairs[0][0]
    assert Counter(itertools.chain(*pairs)) == Counter(range(survivors)) + Counter([pairs[0][0]])


def test_all_matchings_are_as_likely():
    seen = Counter(frozenset(map(frozenset, pairs_of(4, 4, g))) for g in range(3000))
    assert len(seen) == 3
    assert stats.chisquare(list(seen.values())).pvalue > RARE


def test_the_odd_partner_is_anyone():
    twice = Counter(Counter(itertools.chain(*set(pairs_of(3, 4, g)))).most_common(1)[0][0] for g in range(3000))
    assert len(twice) == 3
    assert stats.chisquare(list(twice.values())).pvalue > RARE
