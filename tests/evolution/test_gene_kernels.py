"""The compiled twin of crossovers by coins."""

import numpy as np
import pytest

from pigevo.dice import Draw
from pigevo.evolution.crossover import agree_or_random as module
from pigevo.evolution.gene_kernels import choose_by_coins
from pigevo.evolution.tables import Chosen
from pigevo.games import Pig
from tests.evolution.helpers import context_of


@pytest.mark.parametrize("genes", [1, 5, 63, 64, 65, 128, 1000])
def test_it_takes_the_second_gene_where_the_coin_is_1(genes):
    parents, others = Draw(1, "population").bits(2, 4, genes) + np.array([[[0]], [[2]]], np.uint8)
    one, two = np.array([3, 0, 0, 2, 1]), np.array([1, 1, 3, 0, 2])
    draw = Draw(2, "crossover")
    children = np.full((5, genes), 9, np.uint8)
    choose_by_coins(parents, one, others, two, draw.place, children)
    assert np.array_equal(children, np.where(draw.bits(5, genes), others[two], parents[one]))


@pytest.mark.parametrize("compiled_from", [0, 10**9])
def test_parents_are_the_same_gathered_or_not(monkeypatch, compiled_from):
    """Many genes and few, arrays that are not contiguous, and parents that are told by their numbers."""
    genomes = Draw(1, "population").bits(6, 1001)
    first, second = np.array([5, 0, 2]), np.array([1, 0, 4])
    context = context_of(Pig(target=5), Draw(3, "crossover"))
    expected = np.where(context.draw.bits(3, 1001), genomes[second], genomes[first])
    monkeypatch.setattr(module, "COMPILED_FROM", compiled_from)
    gathered = module.agree_or_random(genomes[first], genomes[::-1][5 - second], context)
    told = module.agree_or_random(Chosen(genomes, first), Chosen(genomes[::-1], 5 - second), context)
    assert np.array_equal(gathered, expected)
    assert np.array_equal(told, expected)
