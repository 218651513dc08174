"""The laws of what a draw gives: bits, uniform numbers, permutations and the positions of rare events.

All seeds are fixed.  A law test fails when its p-value is below `RARE`.
"""

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from pigevo.dice import Draw
from tests.laws import RARE, fits, tossed


class TestBits:
    def test_are_fair_and_independent_of_their_neighbours(self):
        bits = Draw(11, "population").bits(200_000)
        assert set(bits.tolist()) == {0, 1}
        assert tossed(bits) > RARE
        fours = bits.reshape(-1, 4) @ [8, 4, 2, 1]
        assert stats.chisquare(np.bincount(fours, minlength=16)).pvalue > RARE

    def test_every_bit_of_a_word_is_fair(self):
        ones = Draw(12, "population").bits(4000, 64).sum(axis=0)
        assert min(stats.binomtest(int(n), 4000).pvalue for n in ones) > RARE / 64

    def test_are_the_words_from_their_lowest_bit(self):
        draw = Draw(1, "population")
        word = int(draw.words(1)[0])
        assert draw.bits(64).tolist() == [word >> n & 1 for n in range(64)]

    @pytest.mark.parametrize("shape", [(3, 5), (0, 4), (2, 0), (1,), (2, 3, 4)])
    def test_come_in_the_shape_asked_for(self, shape):
        assert Draw(1, "population").bits(*shape).shape == shape


class TestUniforms:
    def test_are_even_over_zero_to_one(self):
        numbers = Draw(13, "validation").uniforms(50_000)
        assert numbers.min() >= 0
        assert numbers.max() < 1
        assert stats.kstest(numbers, "uniform").pvalue > RARE

    def test_are_multiples_of_two_to_the_minus_53(self):
        scaled = Draw(13, "validation").uniforms(1000) * 2.0**53
        assert (scaled == np.floor(scaled)).all()
        assert (scaled % 2 == 1).any()


class TestNormals:
    def test_are_normal_and_independent(self):
        numbers = Draw(1, "validation").normals(100_000)
        assert stats.kstest(numbers, "norm").pvalue > RARE
        assert stats.kstest(numbers * 1.02, "norm").pvalue < RARE  # which the law would notice
        assert abs(np.corrcoef(numbers[:-1], numbers[1:])[0, 1]) < 4 / np.sqrt(len(numbers))


class TestPermutation:
    def test_all_24_orders_of_4_are_as_likely(self):
        orders = Counter(tuple(Draw(1, "selection", g).permutation(4).tolist()) for g in range(12_000))
        assert orders.keys() == set(itertools.permutations(range(4)))
        assert stats.chisquare([*orders.values()]).pvalue > RARE

    @pytest.mark.parametrize("size", [0, 1, 2, 21, 1000])
    def test_has_everyone_once(self, size):
        assert sorted(Draw(2, "selection").permutation(size).tolist()) == list(range(size))


class TestPositions:
    SIZE, RATE, TRIALS = 400, 0.03, 4000

    @pytest.fixture
    def drawn(self):
        return [Draw(g, "mutation").positions(self.SIZE, self.RATE) for g in range(self.TRIALS)]

    def test_their_number_is_binomial(self, drawn):
        law = stats.binom(self.SIZE, self.RATE)
        assert fits(np.bincount([len(p) for p in drawn], minlength=60), law.pmf(np.arange(60))) > RARE

    def test_their_gaps_are_geometric(self, drawn):
        law = stats.geom(self.RATE).pmf(np.arange(1, 41))
        first = np.array([p[0] + 1 for p in drawn if len(p)])
        later = np.concatenate([np.diff(p)[p[:-1] < self.SIZE - 41] for p in drawn])  # 40 places of room
        for gaps in (first, later):
            assert gaps.min() > 0
            assert fits(np.bincount(gaps[gaps <= 40], minlength=41)[1:], law) > RARE

    def test_every_place_is_as_likely(self, drawn):
        counts = np.bincount(np.concatenate(drawn))
        assert len(counts) == self.SIZE
        assert stats.chisquare(counts).pvalue > RARE

    def test_places_are_independent(self, drawn):
        happened = np.zeros((self.TRIALS, self.SIZE), dtype=np.int64)
        for row, places in zip(happened, drawn, strict=True):
            row[places] = 1
        both = int((happened[:, 1:] & happened[:, :-1]).sum())
        pairs = self.TRIALS * (self.SIZE - 1)
        assert stats.poisson(pairs * self.RATE**2).sf(both - 1) > RARE
        assert stats.poisson(pairs * self.RATE**2).cdf(both) > RARE

    def test_happen_never_at_0_and_always_at_1(self):
        draw = Draw(1, "mutation")
        assert draw.positions(1000, 0).size == 0
        assert draw.positions(1000, 1).tolist() == list(range(1000))
        assert draw.positions(0, 0.5).size == 0
        assert draw.positions(0, 1).size == 0

    @pytest.mark.parametrize("rate", [0.5, 0.9, 0.999999])
    def test_high_rates_are_met(self, rate):
        count = len(Draw(9, "mutation").positions(100_000, rate))
        assert stats.binomtest(count, 100_000, rate).pvalue > RARE

    @pytest.mark.filterwarnings("error")
    @pytest.mark.parametrize("rate", [1e-12, 1e-300, 5e-324])
    def test_tiny_rates_give_nothing_and_no_warning(self, rate):
        assert sum(len(Draw(s, "mutation").positions(10**6, rate)) for s in range(20)) == 0

    def test_a_first_draw_that_falls_short_is_made_longer(self, monkeypatch):
        expected = Draw(1, "mutation").positions(50_000, 0.01)
        lengths, original = [], Draw.uniforms

        def fewer(self, count):
            lengths.append(10 * (len(lengths) + 1) if len(lengths) < 3 else count)
            return original(self, lengths[-1])

        monkeypatch.setattr(Draw, "uniforms", fewer)
        assert np.array_equal(Draw(1, "mutation").positions(50_000, 0.01), expected)
        assert len(lengths) > 3
