"""The best genome that a grid can represent: the zero of an instance's losses and exploitabilities.

On a coarse grid no genome is the optimal strategy, so no algorithm could reach the smallest targets.  Targets are
therefore measured from the best known genome: a perfect algorithm reaches all of them.

Finding the genome with the smallest loss means solving a decision process whose states share actions, which is NP-hard
in general (Littman 1994, SAB 3, for policies without memory).  The method is ascent gene by gene with the exact
evaluator, from the genome with the majority of the optimum's decisions.  `Zero.proof` is what is proved about the
result: `optimal` if the figure is 0, so that no genome is better; `two` and `one` if no change of two genes, or of one
gene, is better; `none` if the grid is so large that nothing was tried.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from pigevo.core.arrays import Bytes, Floats
from pigevo.dice import Draw
from pigevo.exact import against, optimal, prepare
from pigevo.strategies import CubeGrid, Members

from .instances import Instance
from .trial import judge

Proof = Literal["optimal", "two", "one", "none"]

LEAST = 1e-12
"""Smaller gains are treated as zero: the evaluator's errors are smaller."""

MOST_WORK = {True: 3e8, False: 1e7}
"""The largest product of cells and genes for which a zero is searched, in one-die races and in other games: about ten
seconds."""


@dataclass(frozen=True, eq=False)
class Zero:
    """The best genome known of a grid, by one figure.

    Args:
        figure: its loss, or its exploitability.
        genome: shape (genes,).
        proof: what is proved about it.
    """

    figure: float
    genome: Bytes
    proof: Proof


Judge = Callable[[Bytes], Floats]
"""The figures of many genomes, shape (n, genes)."""


def losses(grid: CubeGrid) -> Judge:
    """The losses of genomes to the optimal strategy."""
    opponent = prepare(optimal(grid.game).strategy)
    return lambda genomes: 0.5 - against(Members(grid, genomes), opponent).mean(axis=1)


def exploitabilities(grid: CubeGrid) -> Judge:
    """The win probabilities of best responses against genomes, minus a half."""
    return lambda genomes: np.array([judge(grid, one).exploitability for one in genomes])


JUDGES = {"loss": losses, "exploitability": exploitabilities}


def zero(place: Instance, by: str) -> Zero:
    """The zero of an instance by loss or exploitability; those in `BEST_KNOWN` are not searched again."""
    return _zero(Instance(place.game, place.cube), by)


@lru_cache(64)
def _zero(place: Instance, by: str) -> Zero:
    grid, known = place.grid, BEST_KNOWN.get((place.name.removesuffix("-exact"), by))
    figures = JUDGES[by](grid)
    if known:
        genome = np.unpackbits(np.frombuffer(bytes.fromhex(known[0]), np.uint8))[: grid.genes]
        return Zero(float(figures(genome[None])[0]), genome, known[1])
    begin = grid.from_strategies([optimal(grid.game).strategy])[0]
    figure = float(figures(begin[None])[0])
    if figure < LEAST:
        return Zero(0.0, begin, "optimal")
    if np.prod(grid.game.shape) * grid.genes > MOST_WORK[grid.game.one_die]:
        return Zero(figure, begin, "none")
    best = descend(figures, begin)
    return Zero(max(0.0, float(figures(best[None])[0])), best, "one")


def descend(figures: Judge, genome: Bytes) -> Bytes:
    """The result of a descent: a genome whose figure no change of a single gene makes smaller.

    In each step all genes whose change is an improvement are changed together, or the better half of them, and so on
    down to the best one, until the figure improves.
    """
    best, figure = genome.copy(), float(figures(genome[None])[0])
    while True:
        gains = figure - figures(neighbours(best))
        order = np.argsort(-gains, kind="stable")[: (gains > LEAST).sum()]
        if not len(order):
            return best
        while True:
            tried = best.copy()
            tried[order] ^= 1
            now = float(figures(tried[None])[0])
            if now < figure - LEAST or len(order) == 1:
                break
            order = order[: len(order) // 2]
        if now >= figure - LEAST:
            return best
        best, figure = tried, now


def neighbours(genome: Bytes) -> Bytes:
    """All genomes that differ from one in a single gene, shape (genes, genes)."""
    return genome ^ np.eye(len(genome), dtype=np.uint8)


def restarted(figures: Judge, genome: Bytes, restarts: int, changed: int = 8) -> Bytes:
    """The best of several descents, each from the best genome so far with a few random genes changed."""
    best = descend(figures, genome)
    for number in range(restarts):
        begin = best.copy()
        begin[Draw(0, "population", generation=number).words(changed) % np.uint64(len(best))] ^= 1
        genome = descend(figures, begin)
        if figures(genome[None])[0] < figures(best[None])[0] - LEAST:
            best = genome
    return best


def pair_gain(figures: Judge, genome: Bytes) -> float:
    """The largest decrease of the figure by changing any two genes; negative if there is none."""
    ahead, figure = -np.inf, float(figures(genome[None])[0])
    for first in range(len(genome) - 1):
        pairs = neighbours(genome)[first + 1 :]
        pairs[:, first] ^= 1
        ahead = max(ahead, figure - float(figures(pairs).min()))
    return ahead


BEST_KNOWN: dict[tuple[str, str], tuple[str, Proof]] = {
    ("t20-d3-c2", "loss"): (
        "fffffffc6f03c0701c0703c0ffffffffc3f01c0701c0f07ffffffff03c0701c0f07fffffdff03c0f03c1ffffff47c0f0"
        "3c3ffffff0fc3f1ffff7fdfffffffffffffffffffc",
        "two",
    ),
    ("t20-d3-c2", "exploitability"): (
        "fffffffc6f03c0301c0703c0ffffffffc3f01c0701c0f07ffffffff03c0701c0f07fffffdff03c0f03c1ffffff47c0f0"
        "7c3ffffff0fc3f1ffff7fdfffffffffffffffffffc",
        "one",
    ),
    ("t30-d2-c3", "loss"): (
        "ffc03004010042100c01004017fc03004010044100401004ff0040100401004010047f20c0100401044010fc03044010"
        "040107c030240180407004210040f0040100c0b00c",
        "two",
    ),
    ("t30-d2-c3", "exploitability"): (
        "7fc07004010040100401004011fc07004010040100401004ff00c0100401004010047f0040100401004010fc01004010"
        "040100c03004010040f00401004070040100c0100c",
        "one",
    ),
    ("piglet-t20-c2", "loss"): (
        "ffc03000000000000000000007fc03004000000000000000ff0040000000000000007f0040100000000000fc01000000"
        "000007c01000000000f0040000007000000040100c",
        "two",
    ),
    ("piglet-t20-c2", "exploitability"): (
        "7fc03000000000000000000003fc03004000000000000000ff0040000000000000007f0040100000000000fc01000000"
        "000007c01000000000f0040000007000000040100c",
        "one",
    ),
    ("ten_rounds-n3-m20-d6-c2", "loss"): (
        "fffff7ffff3ffff1ffff0fffe07fff03ffe01ffc00ffc007fc003ff001ff000ff0007f0003f0001f8000f00007000038"
        "000100000fffff7ffff3fffe1fffe0fffe07ffc03ff801ff800ff0007e0003ffffdffffcffffc7fffc3f3f81f1f80f1f"
        "807078030780103800fffff7ffff3ffff1fffe0fffe07ffc03ff801ff000fe0007c0003ffffdffffcffffc7fff83fff8"
        "1fff80fff807ff003ff001f00000",
        "one",
    ),
    ("skunk-t20-m30-d6-c3", "loss"): (
        "fffffffffffffffffffbfe7f9ffffffffffffffffeff9fe7fffffffffffffeff9fe7fffffffffffbfe7f9fffffffffbf"
        "e7f9ffffffeff9fe7ffffffbfe40",
        "optimal",
    ),
    ("ten_rounds-n3-m20-d6-c2", "exploitability"): (
        "fffff7ffff3ffff1ffff0fffe07fff03ffe01ffc00ffc007fc003ff001ff000ff0007f0003f0001f8000f80007000030"
        "000100000fffff7ffff3fffe1fffe0fffe07ffc03ff801ff800ff0007e0003ffffdffffcffffc7fffc3fff81f3f80f0f"
        "807078030380101000fffff7ffff3ffff1fffe0fffe07ffc03ff801ff000fe0007c0003ffffdffffcffffc7fff83fff8"
        "1fff80fff807ff003ff001f00000",
        "one",
    ),
    ("skunk-t20-m30-d6-c3", "exploitability"): (
        "fffffffffffffffffff3feff9ffffffffffffffffeff9fe7fffffffffffffeff9fe7fffffffffffbfe7f9fffffffffbf"
        "e7f9ffffffeff9fe7ffffffbfe40",
        "optimal",
    ),
}
"""Genomes of the suites' coarse grids, bit by bit in hexadecimal digits, and what is proved of them: the best of
`restarted` with 40 restarts by loss and 4 by exploitability, 20 and 1 in ten rounds; `pair_gain` was tried by loss in
races of one die."""
