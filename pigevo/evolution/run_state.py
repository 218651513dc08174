"""The state of a run between two generations, and the parents of its members."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.evolution.operators import Memory


@dataclass(frozen=True, eq=False)
class State:
    """A run between two generations: all that the next one is made from.

    Args:
        generation: the number of the population, from 0.
        wave: the index of its wave, from 0.
        genomes: the population, shape (n, genes).
        fresh: how many of its members are newly made, and so not evaluated yet.
        evaluations: strategies evaluated until here.
        games: games simulated until here.
        memory: what operators remember: arrays by name, by the kind of operator.
    """

    generation: int
    wave: int
    genomes: Bytes
    fresh: int
    evaluations: int = 0
    games: int = 0
    memory: Memory = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """A SHA-256 of the population, the counts and what is remembered."""
        counts = (self.generation, self.wave, self.genomes.shape, self.fresh, self.evaluations, self.games)
        found = hashlib.sha256(repr(counts).encode() + np.packbits(self.genomes).tobytes())
        states = [(name, kind, array) for kind, state in self.memory.items() for name, array in state.items()]
        for name, _, array in sorted(states, key=lambda one: one[:2]):
            found.update(repr((name, array.dtype.str, array.shape)).encode() + array.tobytes())
        return found.hexdigest()


def parentage(stayed: Ints, parents: Ints, arrived: int) -> Ints:
    """Whom each member of a new population comes from, shape (n, 2), as `Context.parents` has it.

    Args:
        stayed: who of the former population are its first members.
        parents: of the children, who follow, shape (children, 2).
        arrived: how many from elsewhere come last.
    """
    alone = np.stack([stayed, np.full_like(stayed, -1)], axis=1)
    return np.concatenate([alone, parents, np.full((arrived, 2), -1)])


def origins(kept: Bytes, genomes: Bytes, scores: Floats, chosen: Ints) -> Ints:
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
