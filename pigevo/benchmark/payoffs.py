"""Strategies that an algorithm remembers, with all that it knows of their results against each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.arrays import Bytes, Floats, Ints


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
