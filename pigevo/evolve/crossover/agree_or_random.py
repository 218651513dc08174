"""The crossover of Exeter 2016: what both parents agree on stays, the rest is a coin."""

from __future__ import annotations

import numpy as np

from pigevo.arrays import Bytes
from pigevo.dice import Draw
from pigevo.evolve.registries import CROSSOVERS


@CROSSOVERS.register(source="Exeter 2016, section 3.4.3")
def agree_or_random(first: Bytes, second: Bytes, draw: Draw) -> Bytes:
    """One child of each pair of parents.

    Args:
        first, second: the parents of each child, shape (children, genes).
        draw: decides the genes on which they disagree, each fairly and by itself.

    Returns:
        The children, shape (children, genes).
    """
    children = np.ascontiguousarray(first ^ second)
    genes, start = children.reshape(-1), np.ascontiguousarray(first).reshape(-1)
    for place, coins in draw.bit_pieces(genes.size):  # a large population has no room for all coins at once
        genes[place : place + coins.size] &= coins
    genes ^= start
    return children
