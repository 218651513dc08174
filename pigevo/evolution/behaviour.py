"""How much members differ, gene by gene and in how they play.

Most genes decide states to which play seldom or never comes.  Two measures leave these out:

- the diversity by behaviour of a population is the chance that two of its members decide differently in a state in
  which the optimum, playing itself, decides: each state counts by the expected visits of the optimum to it;
- two strategies play alike if they decide the same in every state to which either comes against the optimum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.portable_math import log
from pigevo.strategies import CubeGrid, Strategy

GENES_AT_ONCE = 1 << 22
"""Of which the ones are counted."""

PER_CELL = 64
"""Bytes for each cell of a strategy: expected visits in both seats, and what they are made of."""


def _ones(genomes: Bytes) -> Iterator[tuple[slice, Ints]]:
    """Stretches of genes, and in how many members each of them is 1."""
    narrow = np.uint8 if len(genomes) < 256 else np.int64  # sums of bytes are several times as fast
    for start in range(0, genomes.shape[1], GENES_AT_ONCE):
        genes = slice(start, start + GENES_AT_ONCE)
        yield genes, genomes[:, genes].sum(axis=0, dtype=narrow).astype(np.int64)


def diversity(genomes: Bytes) -> float:
    """The mean share of genes in which two members differ."""
    n, genes = genomes.shape  # summed as whole numbers, so that no order of adding matters
    differing = sum(int((2 * ones * (n - ones)).sum()) for _, ones in _ones(genomes))
    return differing / genes / (n * (n - 1)) if genomes.size else 0.0


def entropy(genomes: Bytes) -> float:
    """The mean over genes of the entropy of a gene in the population, in bits: 1 where half of all members roll."""
    n, genes = genomes.shape
    if not genomes.size:
        return 0.0
    counts = np.zeros(n + 1, np.int64)  # of genes, by how many members have a one there
    for _, ones in _ones(genomes):
        counts += np.bincount(ones, minlength=n + 1)
    share = np.arange(1, n) / n
    bits = -(share * log(share) + share[::-1] * log(share[::-1])) / log(np.array([2.0]))
    return float((counts[1:-1] * bits).sum() / genes)


@lru_cache(maxsize=16)
def visits_by_gene(grid: CubeGrid) -> Floats:
    """The expected decisions of the optimum, playing itself, in the states that each gene decides, shape (genes,)."""
    from pigevo.exact import optimal, reach

    game = grid.game
    best = optimal(game).strategy
    visits = np.where(game.decision_states, reach(best, best).overall, 0.0).transpose(game.layout)
    lane = game.layout[-1]
    rows = np.zeros((grid.genes // grid.row_genes + 2, game.shape[lane]))
    np.add.at(rows, grid.row_of_cell.reshape(-1), visits.reshape(-1, game.shape[lane]))
    begin = np.arange(grid.row_genes) * grid.edges[lane]
    by_gene: Floats = np.add.reduceat(rows[:-2], begin, axis=1).reshape(-1)
    by_gene.setflags(write=False)
    return by_gene


def behavioural_diversity(genomes: Bytes, visits: Floats) -> float:
    """The mean share of decisions in which two members differ.

    Args:
        genomes: of the members, shape (n, genes).
        visits: how often each gene decides, as `visits_by_gene` says.

    Example:
        >>> genomes = np.array([[0, 1, 1], [0, 0, 1]], np.uint8)
        >>> behavioural_diversity(genomes, np.array([5.0, 3.0, 0.0]))
        0.375
    """
    n, whole = len(genomes), float(visits.sum())
    differing = 0.0
    for genes, ones in _ones(genomes):
        differing += float((2 * ones * (n - ones)) @ visits[genes])  # `sum` rounds otherwise from Python 3.12 on
    return differing / whole / (n * (n - 1)) if whole and n > 1 else 0.0


def ways_to_play(strategies: Sequence[Strategy]) -> Ints:
    """For each strategy the number of the first one that plays as it does against the optimum, shape (n,).

    Args:
        strategies: of one game.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig(target=20)
        >>> one = pigevo.hold_at(game, 5)
        >>> roll = one.roll.copy()
        >>> roll[0, 0, 12] = True  # never reached: it holds at 5 to 10 points
        >>> ways_to_play([one, pigevo.hold_at(game, 6), pigevo.Strategy(game, roll)]).tolist()
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
