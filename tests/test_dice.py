"""The generator of all draws and a game's die: published vectors, counters that do not meet, and laws.

All seeds are fixed.  A law test fails when its p-value is below `RARE`.
"""

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from pigevo.dice import LARGEST_SEED, STREAMS, Die, Draw
from pigevo.errors import InputError
from pigevo.games import Pig, Piglet, Race
from pigevo.simulation.lane_kernels import philox_block
from tests.cases import RARE, fits, tossed

# Random123's kat_vectors, philox4x64 10: counter, key, output
VECTORS = {
    "zeros": ("0 0 0 0", "0 0", "16554d9eca36314c db20fe9d672d0fdc d7e772cee186176b 7e68b68aec7ba23b"),
    "ones": (
        " ".join(["ffffffffffffffff"] * 4),
        " ".join(["ffffffffffffffff"] * 2),
        "87b092c3013fe90b 438c3c67be8d0224 9cc7d7c69cd777b6 a09caebf594f0ba0",
    ),
    "pi": (
        "243f6a8885a308d3 13198a2e03707344 a4093822299f31d0 082efa98ec4e6c89",
        "452821e638d01377 be5466cf34e90c6c",
        "a528f45403e61d95 38c72dbd566e9788 a5a1610e72fd18b5 57bd43b5e52b7fe6",
    ),
}


def block(counter, key):
    return [int(word) for word in philox_block(*(np.uint64(w) for w in (*counter, *key)))]


@pytest.mark.parametrize("vector", VECTORS)
def test_the_compiled_generator_gives_the_published_words(vector):
    counter, key, out = ([int(word, 16) for word in text.split()] for text in VECTORS[vector])
    assert block(counter, key) == out


@pytest.mark.parametrize(
    "draw",
    [
        Draw(0, "population"),
        Draw(7, "dice", 3, 2, 1),
        Draw(LARGEST_SEED, "validation", 10**9, 10**6, 10**9),
    ],
    ids=str,
)
def test_a_draw_reads_the_blocks_of_its_counter_from_the_first(draw):
    key = (draw.seed, STREAMS[draw.stream])
    blocks = [block((number, draw.part, draw.pair, draw.generation), key) for number in range(1, 6)]
    assert draw.words(20).tolist() == list(itertools.chain(*blocks))


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 63, 64, 65, 200])
def test_a_draw_is_the_beginning_of_a_longer_one(count):
    draw = Draw(3, "mutation", 5)
    assert np.array_equal(draw.words(count), draw.words(500)[:count])
    assert np.array_equal(draw.uniforms(count), draw.uniforms(500)[:count])
    assert np.array_equal(draw.bits(count), draw.bits(500)[:count])
    assert np.array_equal(draw.normals(count), draw.normals(500)[:count])


def test_at_keeps_seed_stream_and_generation():
    assert Draw(3, "dice", 5).at(pair=2, part=7) == Draw(3, "dice", 5, 2, 7)
    assert Draw(3, "dice", 5, 2, 7).at(part=1) == Draw(3, "dice", 5, 0, 1)


PLACES = [
    Draw(1, "dice", 1, 1, 1), Draw(2, "dice", 1, 1, 1), Draw(1, "mutation", 1, 1, 1), Draw(1, "dice", 2, 1, 1),
    Draw(1, "dice", 1, 2, 1), Draw(1, "dice", 1, 1, 2), Draw(1, "dice", 1, 2, 0), Draw(1, "dice", 0, 1, 2),
]  # fmt: skip


def test_draws_of_two_places_are_uncorrelated():
    for first, second in itertools.combinations(PLACES, 2):
        x, y = first.bits(20_000), second.bits(20_000)
        assert stats.binomtest(int((x ^ y).sum()), 20_000).pvalue > RARE
        assert stats.pearsonr(first.uniforms(5000), second.uniforms(5000)).pvalue > RARE


def test_neighbouring_generations_are_uncorrelated_in_each_place():
    bits = np.array([Draw(5, "crossover", generation).bits(400) for generation in range(500)])
    differ = (bits[1:] ^ bits[:-1]).sum(axis=0)
    assert min(stats.binomtest(int(n), 499).pvalue for n in differ) > RARE / 400


@pytest.mark.parametrize("seed", [-1, 2**63, 2**64, 1.5, "1", None])
def test_a_seed_out_of_range_is_refused(seed):
    with pytest.raises(InputError, match="seed must be an integer from 0 to"):
        Draw(seed, "dice")


def test_an_unknown_stream_is_refused():
    with pytest.raises(InputError, match="there is no stream 'mutations'; did you mean mutation"):
        Draw(1, "mutations")


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

    def test_are_the_words_from_their_lowest_bit_in_any_shape(self):
        draw = Draw(1, "population")
        word = int(draw.words(1)[0])
        assert draw.bits(64).tolist() == [word >> n & 1 for n in range(64)]
        for shape in ((3, 5), (0, 4), (2, 0), (1,), (2, 3, 4)):
            assert np.array_equal(draw.bits(*shape), draw.bits(64)[: np.prod(shape)].reshape(shape))


class TestUniforms:
    def test_are_even_multiples_of_two_to_the_minus_53_from_0_to_below_1(self):
        numbers = Draw(13, "validation").uniforms(50_000)
        assert numbers.min() >= 0
        assert numbers.max() < 1
        assert stats.kstest(numbers, "uniform").pvalue > RARE
        scaled = numbers * 2.0**53
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


GAMES = {
    "six sides": Pig(),
    "ten sides": Pig(sides=10),
    "two sides": Pig(sides=2),
    "fair coin": Piglet(),
    "biased coin": Piglet(heads=0.3),
    "sure coin": Piglet(heads=1),
    "odd gains": Race(30, {1: 0.05, 4: 0.3, 7: 0.25, 11: 0.1}, 0.3),
    "no bust": Race(30, {1: 0.6, 2: 0.3, 9: 0.1}, 0.0),
}


def law_of(game):
    """The chance of each number of points, 0 for a bust, where there is any."""
    return {points: p for points, p in {0: game.bust, **dict(game.die)}.items() if p > 0}


def rolls_of(game, count, seed=21):
    return np.fromiter(Draw(seed, "dice").rolls(Die.of(game.die, game.bust)), dtype=np.int64, count=count)


class TestDie:
    @pytest.mark.parametrize("name", GAMES)
    def test_the_table_has_the_probabilities_of_the_game(self, name):
        game = GAMES[name]
        die = Die.of(game.die, game.bust)
        share = {}
        for own, alias, cut in zip(die.own.tolist(), die.alias.tolist(), die.cut.tolist(), strict=True):
            share[own] = share.get(own, 0) + cut / 2**32
            share[alias] = share.get(alias, 0) + 1 - cut / 2**32
        expected = dict(game.die) | {0: game.bust}
        for points in expected | share:
            assert share.get(points, 0) / len(die.own) == pytest.approx(expected.get(points, 0), abs=1e-9)

    @pytest.mark.parametrize("name", ["six sides", "biased coin", "sure coin", "odd gains", "no bust"])
    def test_rolls_follow_the_law_of_the_game(self, name):
        rolls, law = rolls_of(GAMES[name], 60_000), law_of(GAMES[name])
        assert set(rolls.tolist()) == set(law)
        assert len(law) == 1 or fits([int(np.sum(rolls == points)) for points in law], [*law.values()]) > RARE

    @pytest.mark.parametrize("name", ["six sides", "ten sides", "odd gains", "biased coin"])
    def test_two_rolls_are_independent_wherever_they_lie_in_words_and_blocks(self, name):
        rolls, law = rolls_of(GAMES[name], 60_000, seed=22), law_of(GAMES[name])
        faces = np.searchsorted(sorted(law), rolls)
        chances = np.array([law[points] for points in sorted(law)])
        for distance in (1, 2, 3, 4, 7, 8, 31, 32):
            starts = np.arange(len(rolls) - distance)
            starts = starts[starts // distance % 2 == 0]  # so that no roll stands in two pairs
            pairs = np.bincount(faces[starts] * len(law) + faces[starts + distance], minlength=len(law) ** 2)
            assert fits(pairs, np.outer(chances, chances).ravel()) > RARE, distance

    @pytest.mark.parametrize("sides", [2, 6, 8, 9, 20, 64, 65, 1000])
    def test_a_fair_die_reads_the_digits_of_a_word_and_so_few_that_no_sequence_is_favoured(self, sides):
        die = Die.of(Pig(sides=sides).die, Pig(sides=sides).bust)
        n = die.rolls_per_word
        assert n == (8 if sides <= 8 else 4 if sides <= 64 else 2)
        assert sides**n <= 2**24  # a sequence has 2^64 / sides^n words, to within one
        for word in [0, 1, 2**64 - 1, 2**63, *Draw(sides, "dice").words(50).tolist()]:
            digits = word * sides**n >> 64
            expected = [digits // sides ** (n - 1 - place) % sides + 1 for place in range(n)]
            assert die.read(word) == [0 if face == 1 else face for face in expected]

    def test_a_die_with_second_choices_reads_a_word_and_then_its_lower_half(self):
        game = GAMES["odd gains"]
        die = Die.of(game.die, game.bust)
        assert die.rolls_per_word == 2
        for word in Draw(5, "dice").words(200).tolist():
            first, second = die.read(word)
            assert second == die.read(word % 2**32 << 32)[0]
            assert first == die.read(word >> 32 << 32)[0]

    def test_rolls_read_word_after_word(self):
        draw = Draw(4, "dice", 1, 2, 3)
        die = Die.of(Pig().die, Pig().bust)
        expected = [points for word in draw.words(60).tolist() for points in die.read(word)]
        assert list(itertools.islice(draw.rolls(die), 480)) == expected
