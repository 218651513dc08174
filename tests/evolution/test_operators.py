"""The laws of crossover and mutation.  Seeds are fixed; a law fails below p = `RARE`."""

import numpy as np
import pytest
from scipy import stats

from pigevo.core.arrays import read_only
from pigevo.dice import Draw
from pigevo.evolution.crossover.agree_or_random import agree_or_random as cross
from pigevo.evolution.mutation.bit_flip import bit_flip as flip_at_the_rate
from pigevo.games import Pig
from tests.evolution.helpers import context_of

RARE = 1e-4
GAME = Pig(target=5)


def agree_or_random(first, second, draw):
    return cross(first, second, context_of(GAME, draw))


def bit_flip(genomes, rate, draw):
    return flip_at_the_rate(genomes, context_of(GAME, draw, rate=rate))


def parents(children, genes, seed=1):
    return Draw(seed, "population").bits(2, children, genes)


class TestAgreeOrRandom:
    def test_keeps_what_both_parents_agree_on(self):
        for seed in range(20):
            first, second = parents(40, 300, seed)
            child = agree_or_random(first, second, Draw(seed, "crossover"))
            agree = first == second
            assert 0.4 < agree.mean() < 0.6
            assert np.array_equal(child[agree], first[agree])

    def test_throws_a_fair_coin_where_they_disagree(self):
        zeros, ones = np.zeros((200, 500), dtype=np.uint8), np.ones((200, 500), dtype=np.uint8)
        for first, second in ((zeros, ones), (ones, zeros)):
            child = agree_or_random(first, second, Draw(3, "crossover"))
            assert stats.binomtest(int(child.sum()), child.size).pvalue > RARE
            for axis, n in ((0, 200), (1, 500)):  # by gene, and by child
                ones_of = child.sum(axis=axis)
                tails = 2 * stats.binom.sf(np.maximum(ones_of, n - ones_of) - 1, n, 0.5)
                assert tails.min() > RARE / len(ones_of)

    def test_coins_of_neighbouring_genes_and_children_are_independent(self):
        first, second = np.zeros((400, 400), dtype=np.uint8), np.ones((400, 400), dtype=np.uint8)
        child = agree_or_random(first, second, Draw(4, "crossover"))
        for differ in (child[:, 1:] ^ child[:, :-1], child[1:] ^ child[:-1], child[:, 64:] ^ child[:, :-64]):
            assert stats.binomtest(int(differ.sum()), differ.size).pvalue > RARE

    def test_siblings_of_one_pair_are_independent(self):
        first, second = (np.repeat(rows[:100], 4, axis=0) for rows in parents(100, 800, 6))
        children = agree_or_random(first, second, Draw(6, "crossover")).reshape(100, 4, 800)
        open_gene = (first != second).reshape(100, 4, 800)[:, 0]
        for a in range(4):
            for b in range(a):
                differ = (children[:, a] ^ children[:, b])[open_gene]
                assert stats.binomtest(int(differ.sum()), differ.size).pvalue > RARE / 6

    def test_does_not_favour_either_parent(self):
        first, second = parents(300, 400, 7)
        child = agree_or_random(first, second, Draw(7, "crossover"))
        differ = first != second
        assert stats.binomtest(int((child == first)[differ].sum()), int(differ.sum())).pvalue > RARE

    def test_other_generations_throw_other_coins(self):
        first, second = parents(20, 500)
        a, b = (agree_or_random(first, second, Draw(1, "crossover", g)) for g in (0, 1))
        differ = first != second
        assert stats.binomtest(int((a ^ b)[differ].sum()), int(differ.sum())).pvalue > RARE
        assert np.array_equal(a, agree_or_random(first, second, Draw(1, "crossover", 0)))


class TestBitFlip:
    @pytest.mark.parametrize("rate", [0.0005, 0.2, 0.9])
    def test_flips_a_binomial_number_of_genes(self, rate):
        genomes, _ = parents(50, 40)
        flips = [int((bit_flip(genomes, rate, Draw(s, "mutation")) ^ genomes).sum()) for s in range(800)]
        law = stats.binom(2000, rate)
        assert stats.binomtest(sum(flips), 2000 * 800, rate).pvalue > RARE
        edges = np.unique(law.ppf([0.1, 0.25, 0.5, 0.75, 0.9]))
        counts = np.bincount(np.searchsorted(edges, flips), minlength=len(edges) + 1)
        expected = np.diff([0, *law.cdf(edges), 1]) * 800
        assert stats.chisquare(counts, expected).pvalue > RARE

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

    def test_flips_zeros_and_ones_alike(self):
        zeros = bit_flip(np.zeros((100, 1000), dtype=np.uint8), 0.03, Draw(6, "mutation"))
        ones = bit_flip(np.ones((100, 1000), dtype=np.uint8), 0.03, Draw(6, "mutation"))
        assert np.array_equal(zeros, 1 - ones)
        assert zeros.sum() > 0

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
