"""A small world, and results without an order, for tests of the study of co-evolution."""

import itertools

import numpy as np

from pigevo.dice import Draw
from pigevo.experiments.coevolution import worlds

SMALL = worlds.World("Piglet to 2", "piglet", (("target", 2),))


def random_survival(n, seed=0):
    """Chances to survive against each, of which those of both add up to 1."""
    upper = np.triu(Draw(seed, "validation").uniforms(n * n).reshape(n, n), 1)
    return upper + np.tril(1 - upper.T, -1) + np.eye(n) / 2


def cyclic_triples(wins):
    """By looking at each."""
    return [
        (a, b, c) for a, b, c in itertools.combinations(range(len(wins)), 3)
        if (wins[a, b] and wins[b, c] and wins[c, a]) or (wins[b, a] and wins[c, b] and wins[a, c])
    ]  # fmt: skip
