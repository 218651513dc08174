"""The generator of all draws: published vectors, and counters that do not meet.

All seeds are fixed.  A law test fails when its p-value is below `RARE`.
"""

import itertools

import numpy as np
import pytest
from scipy import stats

from pigevo.dice import LARGEST_SEED, STREAMS, Draw
from pigevo.errors import InputError
from pigevo.simulation.dice_kernels import philox_block
from tests.laws import RARE

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
