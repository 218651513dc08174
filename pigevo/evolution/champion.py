"""The champion of a generation: its genome, one bit a gene, and how much of its score is luck.

Whoever is best of many by a sample has been lucky as well as good, so its score is too high
on average: the winner's curse.  A run whose fitness plays games cannot know by how much; here
the games are replaced by exact win probabilities against the same opponents.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Ints
from pigevo.core.intervals import share_interval
from pigevo.evolution.evaluation import Evaluation
from pigevo.evolution.generation import true_scores
from pigevo.evolution.plan import Plan
from pigevo.evolution.run_state import State
from pigevo.strategies import CubeGrid, Strategy

MEASURED = ("measured", "measured_low", "measured_high", "measured_games", "luck", "elites_luck")
"""The columns, which follow those of every run; `luck` and `elites_luck` only where the fitness knows the truth."""

ELITES = 0.1
"""The share of a population that are its elites, champion included."""

MOST_ELITES = 10


@dataclass(frozen=True)
class Champion:
    """The best member of a generation by the run's own fitness.

    Args:
        generation: the number of the generation.
        grid: where its genome lives.
        bits: its genome, eight genes a byte.
    """

    generation: int
    grid: CubeGrid
    bits: bytes

    @staticmethod
    def of(plan: Plan, state: State, member: int) -> Champion:
        """The member of a generation with this index."""
        bits = np.packbits(state.genomes[member]).tobytes()
        return Champion(state.generation, plan.waves[state.wave].grid, bits)

    @property
    def strategy(self) -> Strategy:
        """What it does."""
        genome = np.unpackbits(np.frombuffer(self.bits, np.uint8), count=self.grid.genes)
        return self.grid.strategy(genome, f"generation {self.generation}")


def measured(plan: Plan, state: State, order: Ints, evaluation: Evaluation) -> dict[str, float]:
    """What an evaluation of a generation says of its champion, and how much of that is luck.

    Args:
        plan: the run's.
        state: the generation's.
        order: its members, from the best to the worst by the evaluation.
        evaluation: what the run's own fitness says.

    Returns:
        `measured`, the champion's score; `measured_games`, the games behind it; the 95 % interval that so many games
        would have if they had not chosen the champion (Clopper & Pearson 1934, of a share; games against several
        opponents vary less); `luck`, the score less the same score without luck; `elites_luck`, the mean of that of
        the best tenth, ten members at most.  Nothing where no games are played.
    """
    if not evaluation.games or evaluation.played is None:
        return {}
    best = int(order[0])
    score, games = float(evaluation.scores[best]), int(evaluation.played[best])
    found = {"measured": score}
    if games and 0 <= score <= 1:
        low, high = share_interval(round(score * games), games)
        found |= {"measured_low": low, "measured_high": high}
    found["measured_games"] = games
    elites = order[: max(1, min(MOST_ELITES, round(ELITES * len(order))))]
    truth = true_scores(plan, state, evaluation.pairs, elites)
    if truth is not None:
        luck = evaluation.scores[elites] - truth
        found |= {"luck": float(luck[0]), "elites_luck": float(np.mean(luck))}
    return found
