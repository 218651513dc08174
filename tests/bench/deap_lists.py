"""DEAP's own operators on lists of genes, as its tutorials write a population."""

from __future__ import annotations

from collections.abc import Callable

from deap import tools


def variation(population: list[list[int]], share: float, rate: float) -> Callable[[], list[list[int]]]:
    """Uniform crossover of neighbours, and mutation of everyone, on copies."""

    def call() -> list[list[int]]:
        children = [genome.copy() for genome in population]
        for one, other in zip(children[::2], children[1::2], strict=True):
            tools.cxUniform(one, other, share)
        for child in children:
            tools.mutFlipBit(child, rate)
        return children

    return call
