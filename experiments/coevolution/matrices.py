"""Memories on rock, paper, scissors: a game that is a matrix, whose one equilibrium plays all three alike.

A genome is a string of bits, and its ones modulo 3 are what it plays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints

from ..benchmark.algorithms import NashMemory
from ..benchmark.protocol import Problem, checked_question
from .kept import Key, Rows, fresh, kept
from .memories import CLAIMED, MEMORIES, NASH, DominanceTournament
from .tables import LOSS, OURS, Verdict, by_setting, claim_verdict, effect, spread, table

BITS, BUDGET = 60, 12_000


@cache
def matrix() -> Floats:
    """What each of the three wins against each: 1, a half, or 0."""
    return np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])


def played(genomes: Bytes) -> Ints:
    """Which of the three each genome plays."""
    ones: Ints = genomes.sum(axis=1, dtype=np.int64) % 3
    return ones


def ended(make: Callable[[Problem], Any], seed: int, budget: int) -> Any:
    """An algorithm that has spent its budget."""
    problem = Problem(BITS, 0, False, budget, seed)
    algorithm, spent = make(problem), 0
    while True:
        question = checked_question(algorithm.ask(), problem, "the algorithm")
        spent += len(question.pairs)
        if spent > budget or not len(question.pairs):
            return algorithm
        first, second = played(question.genomes)[question.pairs].T
        algorithm.tell(matrix()[first, second])


def handed_over(algorithm: Any) -> tuple[Bytes, Floats]:
    """A mixture: Nash memory's own, or all that have entered the hall or become dominant, alike."""
    if isinstance(algorithm, NashMemory):
        return algorithm.mixture
    past: Bytes = algorithm._dominant if isinstance(algorithm, DominanceTournament) else algorithm._hall
    return past, np.full(len(past), 1 / len(past))


def figures(key: Key) -> dict[str, float]:
    """How exploitable the mixture is."""
    genomes, weights = handed_over(ended(MEMORIES[str(key[0])], int(key[1]), int(key[2])))
    mixed = np.bincount(played(genomes), weights, 3)
    return {"exploitability": float((matrix() @ mixed).max() - 0.5)}


def measured(folder: Path, seeds: int, workers: int) -> Rows:
    """Nash memory and the two that its authors compare it with."""
    keys = [(memory, seed, BUDGET) for memory in (NASH, *CLAIMED) for seed in fresh(seeds)]
    return kept(folder / "matrices.csv", ("memory", "seed", "budget"), keys, figures, workers)


def as_markdown(rows: Rows) -> str:
    """A row for each memory."""
    lines = [
        (memory, len(found["exploitability"]), spread(found["exploitability"], ".4f", LOSS))
        for (memory,), found in by_setting(rows, 1).items()
    ]
    return table(["memory", "seeds", "exploitability of the mixture"], lines)


def verdicts(rows: Rows) -> list[Verdict]:
    """Nash memory beside the two others."""
    settings = {memory: found["exploitability"] for (memory,), found in by_setting(rows, 1).items()}
    effects = [effect(f"beside the {one}", settings[NASH] - settings[one], "less", len(CLAIMED)) for one in CLAIMED]
    return [("on rock, paper, scissors its mixture is better than past champions", OURS, claim_verdict(effects))]
