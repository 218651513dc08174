"""Strategies with their results against each other, and Nash equilibria of the symmetric games that these make."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from pigevo.core.arrays import Bytes, Floats, Ints


@dataclass(frozen=True, eq=False)
class Payoffs:
    """Genomes and the matrix of their results.

    Args:
        genomes: shape (n, genes).
        wins: what row won against column, shape (n, n), a half on the diagonal.
    """

    genomes: Bytes
    wins: Floats

    @staticmethod
    def of(genome: Bytes) -> Payoffs:
        """A single strategy."""
        return Payoffs(genome[None], np.full((1, 1), 0.5))

    def __len__(self) -> int:
        return len(self.genomes)

    def joined(self, newer: Bytes, against: Floats, among: Floats | None = None) -> Payoffs:
        """These and some more.

        Args:
            newer: genomes, shape (m, genes).
            against: what they won against these, shape (m, n).
            among: what they won against each other, shape (m, m); a half each, unless it is known.
        """
        within = np.full((len(newer), len(newer)), 0.5) if among is None else among
        wins = np.block([[self.wins, 1 - against.T], [against, within]])
        return Payoffs(np.concatenate([self.genomes, newer]), wins)

    def only(self, which: Ints) -> Payoffs:
        """Some of them, by their numbers."""
        return Payoffs(self.genomes[which], self.wins[np.ix_(which, which)])


SMALLEST = 1e-7
"""Weights below it are rounding."""


def equilibrium(wins: Floats) -> Floats:
    """The weights of strategies in a mixture that wins the most against whichever of them does best against it.

    Args:
        wins: win probability of row against column, shape (n, n), those of (i, j) and (j, i) adding up to 1.

    Returns:
        Weights that add up to 1, shape (n,). There may be several such mixtures; it is a vertex of their set.
    """
    n = len(wins)
    weights_and_value = np.append(np.zeros(n), -1.0)
    never_less = np.column_stack([-wins.T, np.ones(n)])  # value - sum_i weight_i * wins[i, j] <= 0 for each j
    one = np.append(np.ones(n), 0.0)[None]
    found = linprog(
        weights_and_value, never_less, np.zeros(n), one, [1.0], bounds=[(0, None)] * n + [(None, None)], method="highs"
    )
    rounded = np.where(found.x[:n] > SMALLEST, found.x[:n], 0.0)
    weights: Floats = rounded / rounded.sum()
    return weights
