"""Mutation of an exact share of the genes: how many flip, and that every set of so many is as likely."""

import itertools

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.evolution.mutation.flips import exact_share
from tests.evolution.helpers import context_of

RARE = 1e-4
GAME = pigevo.Pig(target=4)


def flips(genes, rate, seed, n=4000):
    genomes = Draw(seed, "population").bits(n, genes)
    return exact_share(genomes, context_of(GAME, Draw(seed, "mutation"), rate=rate)) ^ genomes


@pytest.mark.parametrize(("genes", "rate", "count"), [(75, 0.04, 3), (40, 1.0, 40), (40, 0.0, 0), (10, 0.9, 9)])
def test_a_whole_share_is_flipped_exactly(genes, rate, count):
    assert (flips(genes, rate, 1).sum(axis=1) == count).all()


@pytest.mark.parametrize(("genes", "rate"), [(75, 0.005), (7, 0.5), (5, 0.99)])
def test_of_a_share_that_is_no_whole_number_the_fraction_is_a_chance(genes, rate):
    counts = flips(genes, rate, 2).sum(axis=1).astype(int)
    low = int(genes * rate)
    assert set(counts) == {low, low + 1}
    assert stats.binomtest(int((counts - low).sum()), len(counts), genes * rate - low).pvalue > RARE


@pytest.mark.parametrize("rate", [0.4, 0.5, 0.7])
def test_every_set_of_genes_is_as_likely(rate):
    """With 0.5 of five genes, sets of two and of three, alike often."""
    found = flips(5, rate, 3, n=20_000)
    counts = found.sum(axis=1)
    for size in set(counts.tolist()):
        sets = [found[:, list(some)].all(axis=1) & (counts == size) for some in itertools.combinations(range(5), size)]
        assert stats.chisquare([int(one.sum()) for one in sets]).pvalue > RARE
    assert sum(counts) / found.size == pytest.approx(rate, abs=0.01)


def test_genomes_are_left_as_they_were():
    genomes = np.zeros((3, 9), np.uint8)
    exact_share(genomes, context_of(GAME, Draw(1, "mutation"), rate=0.5))
    assert not genomes.any()
