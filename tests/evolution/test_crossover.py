"""The laws of crossover, and of who is crossed with whom.  Seeds are fixed; a law fails below p = `RARE`."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pigevo.dice import Draw
from pigevo.evolution.crossover import CROSSOVERS, agree_or_random, blocks, fitter_parent, n_point, uniform
from pigevo.evolution.operators import as_operator, pair_parents
from pigevo.games import Pig
from tests.evolution.helpers import context_of, few, grids, seeds
from tests.laws import RARE, fits, neighbours, tossed

GAME = Pig(target=5)
CHILDREN = 6000
BETWEEN = {"intermediate"}
"""Crossovers whose children have boundaries between those of their parents."""


def crossed(cross, genes, children=CHILDREN, seed=1, **options):
    """Children of parents who differ in every gene: 1 where a gene is the second's."""
    zeros, ones = np.zeros((children, genes), np.uint8), np.ones((children, genes), np.uint8)
    return cross(zeros, ones, context_of(GAME, Draw(seed, "crossover")), **options)


def changes(children):
    """Where one parent follows the other, as 0/1 of shape (n, genes - 1)."""
    return children[:, 1:] ^ children[:, :-1]


@few
@given(st.sampled_from(sorted(CROSSOVERS.keys() - BETWEEN)), grids, st.integers(0, 9), seeds)
def test_each_gene_of_a_child_is_from_one_of_its_parents(name, grid, children, seed):
    first, second = Draw(seed, "population").bits(2, children, grid.genes)
    scores = Draw(seed, "validation").uniforms(2 * children).reshape(2, children)
    context = context_of(grid, Draw(seed, "crossover"), scores)
    cross = as_operator("crossover", CROSSOVERS[name].bind(CROSSOVERS[name].completed({})))
    child = cross(first, second, context)
    assert ((child == first) | (child == second)).all()
    assert np.array_equal(cross(first, first.copy(), context), first)


@few
@given(grids, st.integers(1, 9), seeds, st.floats(0.5, 1))
def test_a_crossover_with_no_share_for_one_parent_is_the_other(grid, children, seed, follow):
    first, second = Draw(seed, "population").bits(2, children, grid.genes)
    scores = np.stack([np.ones(children), np.zeros(children)])
    context = context_of(grid, Draw(seed, "crossover"), scores)
    assert np.array_equal(blocks(first, second, context, share=0.0), first)
    assert np.array_equal(fitter_parent(first, second, context, follow=1.0), first)
    swapped = context_of(grid, Draw(seed, "crossover"), scores[::-1])  # the fitter parent may be either
    a, b = fitter_parent(first, second, context, follow), fitter_parent(second, first, swapped, follow)
    assert np.array_equal(a, b)


class TestAgreeOrRandom:
    @few
    @given(grids, st.integers(1, 9), seeds)
    def test_agreement_is_kept_whoever_is_the_first(self, grid, children, seed):
        first, second = Draw(seed, "population").bits(2, children, grid.genes)
        context = context_of(grid, Draw(seed, "crossover"))
        child, swapped = agree_or_random(first, second, context), agree_or_random(second, first, context)
        assert np.array_equal(child ^ swapped, first ^ second)  # the same coins, seen from the other side

    def test_throws_independent_fair_coins_where_parents_disagree(self):
        children = crossed(agree_or_random, 400, 400, seed=3)
        assert tossed(children) > RARE
        assert neighbours(children) > RARE
        for axis in (0, 1):  # by gene, and by child
            ones = children.sum(axis=axis)
            tails = 2 * stats.binom.sf(np.maximum(ones, 400 - ones) - 1, 400, 0.5)
            assert tails.min() > RARE / 400


class TestPoints:
    @pytest.mark.parametrize("points", [1, 2, 3, 7, 20])
    def test_the_parents_change_at_so_many_places(self, points):
        for genes in (1, 2, 5, 30):
            assert set(changes(crossed(n_point, genes, 200, points=points)).sum(axis=1)) == {min(points, genes - 1)}

    @pytest.mark.parametrize("points", [1, 2, 3, 4])
    def test_every_set_of_places_is_as_likely(self, points):
        seen = changes(crossed(n_point, 7, points=points)) @ (1 << np.arange(6))
        sets = [sum(1 << place for place in places) for places in itertools.combinations(range(6), points)]
        counts = [int((seen == number).sum()) for number in sets]
        assert sum(counts) == CHILDREN
        assert stats.chisquare(counts).pvalue > RARE

    def test_a_fair_coin_that_follows_no_place_says_who_begins(self):
        children = crossed(n_point, 7, points=1)
        table = np.zeros((2, 6), int)
        np.add.at(table, (children[:, 0], changes(children).argmax(axis=1)), 1)
        assert stats.binomtest(int(table[1].sum()), CHILDREN).pvalue > RARE
        assert stats.chi2_contingency(table).pvalue > RARE


class TestUniform:
    @pytest.mark.parametrize("share", [0.0, 0.1, 0.35, 0.5])
    def test_each_gene_is_a_coin_of_its_own(self, share):
        children = crossed(uniform, 12, share=share)
        law = stats.binom(12, share)
        pmf = (law.pmf(np.arange(13)) + law.pmf(12 - np.arange(13))) / 2  # a fair coin says whose the share is
        assert fits(np.bincount(children.sum(axis=1, dtype=np.int64), minlength=13), pmf) > RARE

    def test_genes_and_children_are_independent(self):
        assert neighbours(crossed(uniform, 300, 300, share=0.5)) > RARE
        assert tossed(changes(crossed(uniform, 2, 40_000, share=0.1)), 2 * 0.1 * 0.9) > RARE


@pytest.mark.parametrize("cross", [n_point, uniform])
@pytest.mark.parametrize("chance", [0.0, 0.3, 1.0])
def test_a_child_is_crossed_with_its_chance_and_else_a_copy_of_either_parent(cross, chance):
    whole = crossed(cross, 60, chance=chance).sum(axis=1)
    copies = np.isin(whole, (0, 60))
    assert stats.binomtest(int((~copies).sum()), CHILDREN, chance).pvalue > RARE
    if chance < 1:
        assert stats.binomtest(int((whole[copies] == 60).sum()), int(copies.sum())).pvalue > RARE


def pairs_of(survivors, children, generation=0):
    first, second = pair_parents(survivors, children, Draw(1, "crossover", generation, part=1)).T
    return list(zip(first.tolist(), second.tolist(), strict=True))


@pytest.mark.parametrize(("survivors", "children"), [(10, 20), (2, 4), (10, 3), (50, 100), (4, 9), (5, 40), (9, 9)])
def test_everyone_has_one_partner_and_pairs_have_equally_many_children(survivors, children):
    pairs = Counter(pairs_of(survivors, children))
    assert sum(pairs.values()) == children
    assert len(pairs) == min(children, (survivors + 1) // 2)
    assert max(pairs.values()) - min(pairs.values()) <= 1
    parents = Counter(itertools.chain(*pairs))
    if survivors % 2:  # the odd member is paired with the first
        parents[next(iter(pairs))[0]] -= 1
    assert set(parents.values()) == {1}
    assert len(parents) == min(survivors, 2 * children)


def test_the_only_survivor_is_both_parents():
    assert pairs_of(1, 2) == [(0, 0), (0, 0)]


def test_all_matchings_are_as_likely():
    seen = Counter(frozenset(map(frozenset, pairs_of(4, 4, g))) for g in range(3000))
    assert len(seen) == 3
    assert stats.chisquare(list(seen.values())).pvalue > RARE


def test_the_odd_partner_is_anyone():
    twice = Counter(Counter(itertools.chain(*set(pairs_of(3, 4, g)))).most_common(1)[0][0] for g in range(3000))
    assert len(twice) == 3
    assert stats.chisquare(list(twice.values())).pvalue > RARE


def test_a_crossover_says_how_many_positions_it_draws():
    """The memory of a run is estimated by it."""
    shares = {"uniform": ({}, 0.0), "fitter_parent": ({}, 0.2), "fitter_parent of a half": ({"follow": 0.5}, 0.5)}
    for name, (options, share) in shares.items():
        crossover = as_operator("crossover", CROSSOVERS[name.split()[0]].bind(options))
        assert crossover.drawn_share == pytest.approx(share)
