"""Memories on games that are matrices, whose equilibria are known: the second family beside Pig.

A genome is a string of bits, and only how many ones are in it counts.  *Intransitive numbers* (Watson & Pollack 2001,
which Ficici & Pollack 2003 use): two numbers, each the ones of one half; the pair of numbers that differ less are
compared, and the larger wins.  Its equilibrium is pure, both numbers at their largest.  *A circle*: one number, which
beats the `AROUND // 2` numbers below it on a circle of `AROUND`; its one equilibrium plays all numbers alike.  *Rock,
paper, scissors*: the ones modulo 3; its one equilibrium plays all three alike.  It was added when the circle had been
seen to be a ladder for a search by single bits, which never comes around it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pigevo.benchmark.algorithms.nash import NashMemory
from pigevo.benchmark.protocol import Problem, checked_question
from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.intervals import Range
from pigevo.matrix_games import rock_paper_scissors

from .kept import Key, Rows, kept
from .memories import CLAIMED, MEMORIES, NASH, DominanceTournament
from .tables import INTEREST, LOSS, OURS, Verdict, by_setting, claim_verdict, effect, spread, table

HALF, AROUND = 30, 61
"""Bits of each number of the intransitive ones, and numbers on the circle: of as many ones as all bits can be."""

BUDGET = 12_000
NUMBERS, CIRCLE, THREE = "intransitive numbers", "a circle", "rock, paper, scissors (added after a look)"
FIGURES: dict[str, tuple[str, Range, float]] = {
    NUMBERS: ("numbers from the equilibrium", (0, HALF), 1.0),
    CIRCLE: ("exploitability of the mixture", LOSS, INTEREST),
    THREE: ("exploitability of the mixture", LOSS, INTEREST),
}
"""What is compared on each, what it can be, and the smallest effect of interest."""


@cache
def matrix(name: str) -> Floats:
    """What each number, or pair of numbers, wins against each: 1, a half, or 0."""
    if name == THREE:
        return (np.asarray(rock_paper_scissors().row) + 1) / 2
    if name == CIRCLE:
        ahead = (np.arange(AROUND)[:, None] - np.arange(AROUND)) % AROUND
        return np.where(ahead == 0, 0.5, ahead <= AROUND // 2)
    x, y = np.divmod(np.arange((HALF + 1) ** 2), HALF + 1)
    by_x, by_y = x[:, None] - x, y[:, None] - y
    decides = np.where(np.abs(by_x) < np.abs(by_y), by_x, np.where(np.abs(by_y) < np.abs(by_x), by_y, by_x + by_y))
    return (np.sign(decides) + 1) / 2


def rows_of(name: str, genomes: Bytes) -> Ints:
    """The row of the matrix that each genome plays."""
    if name != NUMBERS:
        ones: Ints = genomes.sum(axis=1, dtype=np.int64) % len(matrix(name))
        return ones
    halves = genomes.reshape(len(genomes), 2, HALF).sum(axis=2, dtype=np.int64)
    found: Ints = halves @ np.array([HALF + 1, 1])
    return found


def ended(name: str, make: Callable[[Problem], Any], seed: int, budget: int) -> Any:
    """An algorithm that has spent its budget on a matrix."""
    problem = Problem(2 * HALF, 0, False, budget, seed)
    algorithm, spent = make(problem), 0
    while True:
        question = checked_question(algorithm.ask(), problem, "the algorithm")
        spent += len(question.pairs)
        if spent > budget or not len(question.pairs):
            return algorithm
        first, second = rows_of(name, question.genomes)[question.pairs].T
        algorithm.tell(matrix(name)[first, second])


def handed_over(algorithm: Any) -> tuple[Bytes, Floats]:
    """A mixture: Nash memory's own, or all that have entered the hall or become dominant, alike."""
    if isinstance(algorithm, NashMemory):
        return algorithm.mixture
    past: Bytes = algorithm._dominant if isinstance(algorithm, DominanceTournament) else algorithm._hall
    return past, np.full(len(past), 1 / len(past))


def figures(key: Key) -> dict[str, float]:
    """How far the champion is from the pure equilibrium, or how exploitable the mixture is."""
    name, memory, seed, budget = str(key[0]), str(key[1]), int(key[2]), int(key[3])
    algorithm = ended(name, MEMORIES[memory], seed, budget)
    if name == NUMBERS:
        return {"figure": float(HALF - np.min(np.divmod(rows_of(name, algorithm.champion[None]), HALF + 1)))}
    genomes, weights = handed_over(algorithm)
    played = np.bincount(rows_of(name, genomes), weights, len(matrix(name)))
    return {"figure": float((matrix(name) @ played).max() - 0.5)}


def measured(folder: Path, seeds: int, workers: int) -> Rows:
    """Every memory on both."""
    keys = [(name, memory, seed, BUDGET) for name in FIGURES for memory in MEMORIES for seed in range(seeds)]
    return kept(folder / "matrices.csv", ("game", "memory", "seed", "budget"), keys, figures, workers)


def as_markdown(rows: Rows) -> str:
    """A row for each memory."""
    lines = []
    for (name, memory), found in by_setting(rows, 2).items():
        what, within, _ = FIGURES[name]
        lines.append((name, memory, len(found["figure"]), what, spread(found["figure"], ".4f", within)))
    return table(["game", "memory", "seeds", "figure", "mean"], lines)


def verdicts(rows: Rows) -> list[Verdict]:
    """Nash memory beside the others, by what each game has a figure of."""
    settings = by_setting(rows, 2)
    found: list[Verdict] = []
    for other in MEMORIES:
        if other != NASH:
            effects = [
                effect(name, settings[name, NASH]["figure"] - settings[name, other]["figure"], "less", len(FIGURES),
                       "+.4f", interest)
                for name, (_, _, interest) in FIGURES.items()
            ]  # fmt: skip
            whose = "Ficici & Pollack 2003" if other in CLAIMED else OURS
            found.append((f"on matrix games Nash memory is better than the {other}", whose, claim_verdict(effects)))
    return found
