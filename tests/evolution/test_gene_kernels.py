"""The compiled twin of crossovers by coins."""

import numpy as np
import pytest

from pigevo.dice import Draw
from pigevo.evolution.crossover import agree_or_random as module
from pigevo.evolution.gene_kernels import choose_by_coins
from pigevo.games import Pig
from tests.evolution.helpers import context_of


@pytest.mark.parametrize("genes", [1, 63, 64, 65, 1000])
def test_it_takes_the_second_gene_where_the_coin_is_1(genes):
    first, second = Draw(1, "population").bits(2, genes)
    draw = Draw(2, "crossover")
    children = np.full(genes, 9, np.uint8)
    choose_by_coins(first, second, draw.words(-(-genes // 64)), children)
    assert np.array_equal(children, np.where(draw.bits(genes), second, first))


def test_many_genes_and_few_are_crossed_alike(monkeypatch):
    first, second = Draw(1, "population").bits(2, 3, 1001)
    context = context_of(Pig(target=5), Draw(3, "crossover"))
    few = module.agree_or_random(first, second[::-1], context)
    monkeypatch.setattr(module, "COMPILED_FROM", 0)
    assert np.array_equal(few, module.agree_or_random(first, second[::-1], context))
