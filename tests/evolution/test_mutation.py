"""The laws of mutation at a rate, of a share of the genes, and of the boundary.  Seeds are fixed; a law fails below p = `RARE`."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pigevo.core.arrays import read_only
from pigevo.dice import Draw
from pigevo.evolution.mutation import MUTATORS
from pigevo.evolution.mutation.boundary import MOVES, Boundary, SelfAdapting
from pigevo.evolution.mutation.flips import bit_flip, exact_share
from pigevo.evolution.operators import as_operator
from pigevo.games import Pig
from tests.evolution.helpers import context_of, few, grids, seeds
from tests.laws import RARE, fits

GAME = Pig(target=5)


def rate_context(rate, seed=1, **more):
    return context_of(GAME, Draw(seed, "mutation"), rate=rate, **more)


@few
@given(st.sampled_from(["bit_flip", "deap"]), grids, st.integers(0, 9), seeds)
def test_a_mutation_at_rate_0_leaves_genomes_and_at_1_flips_every_gene(name, grid, size, seed):
    genomes = Draw(seed, "population").bits(size, grid.genes)
    mutate = as_operator("mutator", MUTATORS[name].bind(MUTATORS[name].completed({})))
    assert np.array_equal(mutate(genomes, context_of(grid, Draw(seed, "mutation"), rate=0.0)), genomes)
    assert np.array_equal(mutate(genomes, context_of(grid, Draw(seed, "mutation"), rate=1.0)), 1 - genomes)


@few
@given(grids, seeds, st.integers(1, len(MOVES) - 1))
def test_a_move_of_the_boundary_changes_no_more_of_the_opponent_s_scores_than_it_may(grid, seed, move):
    genomes = Draw(seed, "population").bits(4, grid.genes)
    context = context_of(grid, Draw(seed, "mutation"), state={"moves": np.full(4, move)})
    for mutate, widest in ((Boundary(share=1.0), 40), (SelfAdapting(), round(MOVES[move][1] * 1.5))):
        for changed in (mutate(genomes, context) != genomes).reshape(4, -1, grid.slices[1]):
            columns = np.flatnonzero(changed.any(axis=0))
            if len(columns):
                assert np.ptp(columns) * grid.edges[1] <= max(widest, grid.edges[1])


class TestBitFlip:
    @pytest.mark.parametrize("rate", [0.0005, 0.2, 0.9])
    def test_flips_a_binomial_number_of_genes(self, rate):
        genomes = Draw(1, "population").bits(50, 40)
        flips = [int((bit_flip(genomes, rate_context(rate, seed)) ^ genomes).sum()) for seed in range(800)]
        assert stats.binomtest(sum(flips), 2000 * 800, rate).pvalue > RARE
        assert fits(np.bincount(flips, minlength=2001), stats.binom(2000, rate).pmf(np.arange(2001))) > RARE

    def test_flips_every_gene_of_every_child_alike(self):
        genomes = Draw(1, "population").bits(10, 30)
        flips = sum((bit_flip(genomes, rate_context(0.05, seed)) ^ genomes).astype(int) for seed in range(4000))
        # cells of a binomial count have variance n p (1 - p): compare as 300 chi-squares of one degree each
        spread = ((flips - 200) ** 2 / (4000 * 0.05 * 0.95)).sum()
        assert stats.chi2(300).sf(spread) > RARE
        assert stats.chi2(300).cdf(spread) > RARE

    def test_flips_neighbours_independently(self):
        flipped = bit_flip(np.zeros((300, 1000), dtype=np.uint8), rate_context(0.1, 5))
        for both in (flipped[:, 1:] & flipped[:, :-1], flipped[1:] & flipped[:-1]):
            # pairs overlap, but their covariance is p^3 - p^4: the variance stays below 1.25 times the binomial one
            z = (both.sum() - both.size * 0.01) / (1.25 * both.size * 0.01 * 0.99) ** 0.5
            assert abs(z) < 4.5

    def test_is_the_same_for_any_order_in_memory_and_works_in_place_only_where_it_may(self):
        genomes = Draw(1, "population").bits(10, 99)
        before, flipped = genomes.copy(), bit_flip(genomes, rate_context(0.3))
        assert flipped.any()
        assert np.array_equal(genomes, before)
        for other in (np.asfortranarray(before), np.repeat(before, 2, axis=0)[::2], read_only(before)):
            assert np.array_equal(bit_flip(other, rate_context(0.3)), flipped)
            assert np.array_equal(bit_flip(other, rate_context(0.3, in_place=True)), flipped)
        assert bit_flip(genomes, rate_context(0.3, in_place=True)) is genomes
        assert np.array_equal(genomes, flipped)


def shared_flips(genes, rate, seed, n=4000):
    genomes = Draw(seed, "population").bits(n, genes)
    return exact_share(genomes, rate_context(rate, seed)) ^ genomes


class TestExactShare:
    @pytest.mark.parametrize(("genes", "rate", "count"), [(75, 0.04, 3), (40, 1.0, 40), (40, 0.0, 0), (10, 0.9, 9)])
    def test_a_whole_number_of_genes_is_flipped_exactly(self, genes, rate, count):
        assert (shared_flips(genes, rate, 1).sum(axis=1) == count).all()

    @pytest.mark.parametrize(("genes", "rate"), [(75, 0.005), (7, 0.5), (5, 0.99)])
    def test_of_a_share_that_is_no_whole_number_the_fraction_is_a_chance(self, genes, rate):
        counts = shared_flips(genes, rate, 2).sum(axis=1).astype(int)
        low = int(genes * rate)
        assert set(counts) == {low, low + 1}
        assert stats.binomtest(int((counts - low).sum()), len(counts), genes * rate - low).pvalue > RARE

    @pytest.mark.parametrize("rate", [0.4, 0.5, 0.7])
    def test_every_set_of_genes_is_as_likely(self, rate):
        """With 0.5 of five genes, sets of two and of three, alike often."""
        flips = shared_flips(5, rate, 3, n=20_000)
        counts = flips.sum(axis=1)
        for size in set(counts.tolist()):
            sets = itertools.combinations(range(5), size)
            numbers = [int((flips[:, list(genes)].all(axis=1) & (counts == size)).sum()) for genes in sets]
            assert stats.chisquare(numbers).pvalue > RARE
        assert sum(counts) / flips.size == pytest.approx(rate, abs=0.01)
