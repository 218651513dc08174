"""What a run is between two generations."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np

from pigevo.arrays import Bytes
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
