"""The parents of the members of a population, and the members after crossover but before mutation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints


@dataclass(frozen=True, eq=False)
class Birth:
    """How a population was made.

    Args:
        before: the previous population, on the grid of this one, shape (n, genes).
        parents: indices into the previous population, shape (n, 2): both parents of a child; the own index and -1 for
            a member that stayed; -1 and -1 for an immigrant.
        crossed: this population before mutation, shape (n, genes).
    """

    before: Bytes
    parents: Ints
    crossed: Bytes

    def nearest(self, genomes: Bytes) -> Ints:
        """The parent with which each member shares more genes, the first if equal; -1 if it has no parents."""
        first, second = self.parents.T
        apart = [np.count_nonzero(self.before[one] != genomes, axis=1) for one in (first, second)]
        nearest: Ints = np.where((second >= 0) & (apart[1] < apart[0]), second, first)
        return nearest


def parentage(stayed: Ints, parents: Ints, arrived: int) -> Ints:
    """The parents of survivors, children and immigrants, as in `Context.parents`."""
    alone = np.stack([stayed, np.full_like(stayed, -1)], axis=1)
    return np.concatenate([alone, parents, np.full((arrived, 2), -1)])


def origins(staying: Bytes, genomes: Bytes, scores: Floats, chosen: Ints) -> Ints:
    """The index of each member in the former population, matched by genes; -1 for new genes.

    If all survivors stay in the order of selection, their indices are `chosen`.  Otherwise, of several members with
    the same genes, the one with the best score counts.
    """
    if len(staying) == len(chosen) and np.array_equal(staying, genomes[chosen]):
        return chosen
    best_first = np.argsort(-scores, kind="stable")
    rows = np.packbits(np.concatenate([genomes[best_first], staying]), axis=1)
    _, first, same = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    rows_before = first[same.reshape(-1)[len(genomes) :]]
    return np.where(rows_before < len(genomes), np.append(best_first, -1)[np.minimum(rows_before, len(genomes))], -1)


def joined_births(islands: Sequence[Birth]) -> Birth:
    """The birth of a population on islands; members from another island are found there by their genes."""
    before, crossed = (np.concatenate([getattr(one, name) for one in islands]) for name in ("before", "crossed"))
    starts = np.cumsum([0, *(len(one.before) for one in islands)])
    parents = np.concatenate([
        np.where(one.parents >= 0, one.parents + start, -1) for one, start in zip(islands, starts, strict=False)
    ])  # fmt: skip
    arrived = parents[:, 0] < 0
    parents[arrived, 0] = origins(crossed[arrived], before, np.zeros(len(before)), np.empty(0, np.int64))
    return Birth(before, parents, crossed)
