"""Whom the members of a population come from."""

from __future__ import annotations

import numpy as np

from pigevo.arrays import Bytes, Floats, Ints


def descent(stayed: Ints, parents: Ints, arrived: int) -> Ints:
    """Whom each member of a new population comes from, shape (n, 2), as `Context.parents` has it.

    Args:
        stayed: who of the former population are its first members.
        parents: of the children, who follow, shape (children, 2).
        arrived: how many from elsewhere come last.
    """
    alone = np.stack([stayed, np.full_like(stayed, -1)], axis=1)
    return np.concatenate([alone, parents, np.full((arrived, 2), -1)])


def whose(kept: Bytes, genomes: Bytes, scores: Floats, chosen: Ints) -> Ints:
    """Which members of a population have stayed, told from their genes; -1 for genes that nobody had.

    Where the survivors stay as they were selected, these; of several with the same genes else the one with the
    best score.

    Args:
        kept: the genomes of who stayed, shape (m, genes).
        genomes: the population, shape (n, genes).
        scores: how good each member is, shape (n,).
        chosen: who survived.
    """
    if len(kept) == len(chosen) and np.array_equal(kept, genomes[chosen]):
        return chosen
    best_first = np.argsort(-scores, kind="stable")
    rows = np.packbits(np.concatenate([genomes[best_first], kept]), axis=1)
    _, first, same = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    found = first[same.reshape(-1)[len(genomes) :]]
    return np.where(found < len(genomes), np.append(best_first, -1)[np.minimum(found, len(genomes))], -1)
