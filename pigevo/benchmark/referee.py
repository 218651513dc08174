"""The benchmark's referee: how good a champion really is, computed exactly and outside of the budget."""

from __future__ import annotations

from typing import NamedTuple

from pigevo.core.arrays import Bytes
from pigevo.exact import best_response, optimal, win_probability
from pigevo.strategies import CubeGrid


class Verdict(NamedTuple):
    """What a strategy is worth; both are 0 for the optimal one, and never below.

    Args:
        loss: a half less its win probability against the optimal strategy.
        exploitability: what the best response wins against it, less a half.
    """

    loss: float
    exploitability: float


def least_loss(grid: CubeGrid) -> float:
    """The loss of the genome that has most decisions of the optimal strategy in common; 0 where a gene is a cell.

    Args:
        grid: what genes decide.
    """
    best = optimal(grid.game).strategy
    return judge(grid, grid.from_strategies([best])[0]).loss


def judge(grid: CubeGrid, genome: Bytes) -> Verdict:
    """The verdict on a genome.

    Args:
        grid: what its genes decide.
        genome: shape (genes,).
    """
    strategy = grid.strategy(genome, "champion")
    loss = 0.5 - win_probability(strategy, optimal(grid.game).strategy).overall
    return Verdict(max(0.0, loss), max(0.0, best_response(strategy).overall - 0.5))
