"""The laws of crossover and mutation.  Seeds are fixed; a law fails below p = `RARE`."""

import itertools

import numpy as np
import pytest
from scipy import stats

from pigevo.core.arrays import read_only
from pigevo.dice import Draw
from pigevo.evolution.crossover import agree_or_random as cross
from pigevo.evolution.mutation.flips import bit_flip as flip_at_the_rate
from pigevo.evolution.mutation.flips import exact_share
from pigevo.games import Pig
from tests.evolution.helpers import context_of
from tests.laws import RARE, fits, neighbours, tossed

GAME = Pig(target=5)


def agree_or_random(first, second, draw):
    return cross(first, second, context_of(GAME, draw))


def bit_flip(genomes, rate, draw):
    return flip_at_the_rate(genomes, context_of(GAME, draw, rate=rate))


def parents(children, genes, seed=1):
    return Draw(seed, "population").bits(2, children, genes)


class TestAgreeOrRandom:
    def test_throws_a_fair_coin_where_they_disagree(self):
        zeros, ones = np.zeros((200, 500), dtype=np.uint8), np.ones((200, 500), dtype=np.uint8)
        for first, second in ((zeros, ones), (ones, zeros)):
            child = agree_or_random(first, second, Draw(3, "crossover"))
            assert tossed(child) > RARE
            for axis, n in ((0, 200), (1, 500)):  # by gene, and by child
                ones_of = child.sum(axis=axis)
                tails = 2 * stats.binom.sf(np.maximum(ones_of, n - ones_of) - 1, n, 0.5)
                assert tails.min() > RARE / len(ones_of)

    def test_coins_of_neighbouring_genes_and_children_are_independent(self):
        first, second = np.zeros((400, 400), dtype=np.uint8), np.ones((400, 400), dtype=np.uint8)
        child = agree_or_random(first, second, Draw(4, "crossover"))
        assert neighbours(child) > RARE


class TestBitFlip:
    @pytest.mark.parametrize("rate", [0.0005, 0.2, 0.9])
    def test_flips_a_binomial_number_of_genes(self, rate):
        genomes, _ = parents(50, 40)
        flips = [int((bit_flip(genomes, rate, Draw(s, "mutation")) ^ genomes).sum()) for s in range(800)]
        assert stats.binomtest(sum(flips), 2000 * 800, rate).pvalue > RARE
        assert fits(np.bincount(flips, minlength=2001), stats.binom(2000, rate).pmf(np.arange(2001))) > RARE

    def test_flips_every_gene_of_every_child_alike(self):
        genomes, _ = parents(10, 30)
        flips = sum((bit_flip(genomes, 0.05, Draw(s, "mutation")) ^ genomes).astype(int) for s in range(4000))
        # cells of a binomial count have variance n p (1 - p): compare as 300 chi-squares of one degree each
        spread = ((flips - 200) ** 2 / (4000 * 0.05 * 0.95)).sum()
        assert stats.chi2(300).sf(spread) > RARE
        assert stats.chi2(300).cdf(spread) > RARE

    def test_flips_neighbours_independently(self):
        genomes = np.zeros((300, 1000), dtype=np.uint8)
        flipped = bit_flip(genomes, 0.1, Draw(5, "mutation"))
        for both in (flipped[:, 1:] & flipped[:, :-1], flipped[1:] & flipped[:-1]):
            # pairs overlap, but their covariance is p^3 - p^4: the variance stays below 1.25 times the binomial one
            z = (both.sum() - both.size * 0.01) / (1.25 * both.size * 0.01 * 0.99) ** 0.5
            assert abs(z) < 4.5

    def test_works_in_place_only_where_it_may(self):
        genomes, _ = parents(10, 99)
        before, draw = genomes.copy(), Draw(1, "mutation")
        flipped = bit_flip(genomes, 0.3, draw)
        assert np.array_equal(genomes, before)
        there = flip_at_the_rate(genomes, context_of(GAME, draw, rate=0.3, in_place=True))
        assert there is genomes
        assert np.array_equal(there, flipped)
        for other in (np.repeat(before, 2, axis=0)[::2], read_only(before)):
            may = context_of(GAME, draw, rate=0.3, in_place=True)
            assert np.array_equal(flip_at_the_rate(other, may), flipped)

    def test_reaches_rows_that_do_not_lie_together_in_memory(self):
        genomes = np.zeros((60, 40), dtype=np.uint8, order="F")
        flipped = bit_flip(genomes, 0.25, Draw(2, "mutation"))
        assert np.array_equal(flipped, bit_flip(np.ascontiguousarray(genomes), 0.25, Draw(2, "mutation")))
        assert flipped.any()


def shared_flips(genes, rate, seed, n=4000):
    genomes = Draw(seed, "population").bits(n, genes)
    return exact_share(genomes, context_of(GAME, Draw(seed, "mutation"), rate=rate)) ^ genomes


@pytest.mark.parametrize(("genes", "rate", "count"), [(75, 0.04, 3), (40, 1.0, 40), (40, 0.0, 0), (10, 0.9, 9)])
def test_a_whole_share_is_flipped_exactly(genes, rate, count):
    assert (shared_flips(genes, rate, 1).sum(axis=1) == count).all()


@pytest.mark.parametrize(("genes", "rate"), [(75, 0.005), (7, 0.5), (5, 0.99)])
def test_of_a_share_that_is_no_whole_number_the_fraction_is_a_chance(genes, rate):
    counts = shared_flips(genes, rate, 2).sum(axis=1).astype(int)
    low = int(genes * rate)
    assert set(counts) == {low, low + 1}
    assert stats.binomtest(int((counts - low).sum()), len(counts), genes * rate - low).pvalue > RARE


@pytest.mark.parametrize("rate", [0.4, 0.5, 0.7])
def test_every_set_of_genes_is_as_likely(rate):
    """With 0.5 of five genes, sets of two and of three, alike often."""
    found = shared_flips(5, rate, 3, n=20_000)
    counts = found.sum(axis=1)
    for size in set(counts.tolist()):
        sets = [found[:, list(some)].all(axis=1) & (counts == size) for some in itertools.combinations(range(5), size)]
        assert stats.chisquare([int(one.sum()) for one in sets]).pvalue > RARE
    assert sum(counts) / found.size == pytest.approx(rate, abs=0.01)


def test_genomes_are_left_as_they_were():
    genomes = np.zeros((3, 9), np.uint8)
    exact_share(genomes, context_of(GAME, Draw(1, "mutation"), rate=0.5))
    assert not genomes.any()
