"""How much the members of a population differ: gene by gene, and in their play.

Most genes decide states that play seldom or never reaches.  Two measures ignore these genes:

- the diversity by behaviour of a population is the chance that two of its members decide differently in a state; each
  state is weighted by the expected number of decisions in it when the optimum plays itself;
- two strategies play alike if they decide the same in every state that either of them reaches against the optimum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.portable_math import log
from pigevo.strategies import CubeGrid, Strategy

GENES_AT_ONCE = 1 << 22  # number of genes whose ones are counted together
VISITS_PER_CELL = 64  # bytes of memory per cell of a strategy, to compute the expected visits in both seats


def diversity(genomes: Bytes) -> float:
    """The mean share of genes in which two members differ."""
    n, genes = genomes.shape  # sums of whole numbers do not depend on the order of adding
    differing = sum(int((2 * rolling * (n - rolling)).sum()) for _, rolling in _counts_of_ones(genomes))
    return differing / genes / (n * (n - 1)) if genomes.size else 0.0


def entropy(genomes: Bytes) -> float:
    """The mean entropy of a gene in the population, in bits; a gene has 1 bit if half of the members roll."""
    n, genes = genomes.shape
    if not genomes.size:
        return 0.0
    counts = np.zeros(n + 1, np.int64)  # number of genes, by the number of members with a one
    for _, rolling in _counts_of_ones(genomes):
        counts += np.bincount(rolling, minlength=n + 1)
    share = np.arange(1, n) / n
    bits = -(share * log(share) + share[::-1] * log(share[::-1])) / log(np.array([2.0]))
    return float((counts[1:-1] * bits).sum() / genes)


@lru_cache(maxsize=16)
def visits_by_gene(grid: CubeGrid) -> Floats:
    """The expected number of decisions in the states of each gene when the optimum plays itself, shape (genes,)."""
    from pigevo.exact import optimal, reach

    game = grid.game
    best = optimal(game).strategy
    visits = np.where(game.decision_states, reach(best, best).overall, 0.0).transpose(game.layout)
    axis = game.layout[-1]
    rows = np.zeros((grid.genes // grid.row_genes + 2, game.shape[axis]))
    np.add.at(rows, grid.row_of_cell.reshape(-1), visits.reshape(-1, game.shape[axis]))
    begin = np.arange(grid.row_genes) * grid.edges[axis]
    by_gene: Floats = np.add.reduceat(rows[:-2], begin, axis=1).reshape(-1)
    by_gene.setflags(write=False)
    return by_gene


def behavioural_diversity(genomes: Bytes, visits: Floats) -> float:
    """The mean share of decisions in which two members differ.

    Args:
        genomes: genomes of the members, shape (n, genes).
        visits: the expected number of decisions of each gene, as returned by `visits_by_gene`.

    Example:
        >>> genomes = np.array([[0, 1, 1], [0, 0, 1]], np.uint8)
        >>> behavioural_diversity(genomes, np.array([5.0, 3.0, 0.0]))
        0.375
    """
    n, whole = len(genomes), float(visits.sum())
    differing = 0.0
    for genes, rolling in _counts_of_ones(genomes):
        # not by Python's `sum`, which rounds differently from 3.12 on, nor by `@`, which depends on the processor
        differing += float((2 * rolling * (n - rolling) * visits[genes]).sum())
    return differing / whole / (n * (n - 1)) if whole and n > 1 else 0.0


def ways_to_play(strategies: Sequence[Strategy]) -> Ints:
    """For each strategy, the index of the first strategy that plays alike against the optimum, shape (n,).

    Args:
        strategies: strategies for one game.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig(target=20)
        >>> hold_at_5 = pigevo.hold_at(game, 5)
        >>> roll = hold_at_5.roll.copy()
        >>> roll[0, 0, 12] = True  # never reached: the strategy holds at 5 to 10 points
        >>> ways_to_play([hold_at_5, pigevo.hold_at(game, 6), pigevo.Strategy(game, roll)]).tolist()
        [0, 1, 0]
    """
    from pigevo.exact import optimal, reach

    first: dict[bytes, int] = {}
    known: dict[bytes, bytes] = {}
    numbers = []
    for number, strategy in enumerate(strategies):
        genes = np.packbits(strategy.roll).tobytes()
        if genes not in known:
            reached = reach(strategy, optimal(strategy.game).strategy).overall > 0
            known[genes] = np.packbits(np.where(reached, strategy.roll, False)).tobytes()
        numbers.append(first.setdefault(known[genes], number))
    return np.array(numbers, np.int64)


def _counts_of_ones(genomes: Bytes) -> Iterator[tuple[slice, Ints]]:
    """Slices of genes, each with the number of members in which each of its genes is 1."""
    narrow = np.uint8 if len(genomes) < 256 else np.int64  # sums of bytes are several times faster
    for start in range(0, genomes.shape[1], GENES_AT_ONCE):
        genes = slice(start, start + GENES_AT_ONCE)
        yield genes, genomes[:, genes].sum(axis=0, dtype=narrow).astype(np.int64)
