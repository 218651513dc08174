"""The compiled twin of mutation at random places."""

import numpy as np
import pytest

from pigevo.core.portable_math import log1m
from pigevo.dice import Draw, enough
from pigevo.evolution import gene_kernels
from pigevo.evolution.gene_kernels import AT_ONCE, flip_after_gaps
from pigevo.evolution.mutation import bit_flip as module
from pigevo.games import Pig
from tests.evolution.helpers import context_of

GENES = 150_001


@pytest.mark.parametrize("rate", [1e-4, 0.003, 0.01, 0.3, 0.5, 0.97])
def test_it_flips_the_places_of_the_draw(rate):
    genomes = Draw(1, "population").bits(GENES)
    done = 0
    for seed in range(8):
        draw, genes, expected = Draw(seed, "mutation", 5).at(pair=2, part=seed), genomes.copy(), genomes.copy()
        expected[draw.positions(GENES, rate)] ^= 1
        flipped = flip_after_gaps(draw.place, enough(GENES, rate), float(1 / log1m(rate)), genes)
        assert np.array_equal(genes, expected if flipped else genomes)
        done += flipped
    assert done >= 6  # now and then a gap is too close to a whole number


@pytest.mark.parametrize("count", [1, 5, AT_ONCE, AT_ONCE + 3])
def test_nothing_is_flipped_where_the_words_do_not_suffice(count):
    genes = np.zeros(GENES, np.uint8)
    assert not flip_after_gaps(Draw(1, "mutation").place, count, float(1 / log1m(0.01)), genes)
    assert not genes.any()


@pytest.mark.parametrize("word", [0, 3, AT_ONCE + 7])
def test_nothing_is_flipped_where_rounding_might_decide(word):
    """A scale at which one of the gaps is a whole number."""
    draw, genes = Draw(1, "mutation"), np.zeros(GENES, np.uint8)
    scale = float(20 / log1m(draw.uniforms(word + 1)[word]))
    assert not flip_after_gaps(draw.place, 50_000, scale, genes)
    assert not genes.any()
    assert flip_after_gaps(draw.place, 50_000, scale * (1 + 1e-6), genes)


def test_mutation_is_the_same_compiled_or_not(monkeypatch):
    genomes = Draw(1, "population").bits(30, 5000)
    context = context_of(Pig(target=5), Draw(3, "mutation"), rate=0.02)
    plain = module.bit_flip(genomes, context)
    monkeypatch.setattr(module, "COMPILED_FROM", 0)
    assert np.array_equal(module.bit_flip(genomes, context), plain)
    monkeypatch.setattr(gene_kernels, "flip_after_gaps", lambda *_: False)
    assert np.array_equal(module.bit_flip(genomes, context), plain)
    assert 0.01 < np.mean(plain != genomes) < 0.03


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("rate", [1.0, 1.0000000000000002, 1.5, 1.9])
def test_a_rate_of_one_or_more_flips_every_gene(rate):
    """One of a mutator that hands on a rate which it has computed."""
    context = context_of(Pig(target=5), Draw(3, "mutation"), rate=rate)
    assert module.bit_flip(np.zeros((10, 5000), np.uint8), context).all()
