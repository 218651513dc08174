"""Stop rules of scores: when a target is reached, or when the best score no longer rises."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pigevo.core.checked_values import Within
from pigevo.evolution.operators import State
from pigevo.evolution.plan import Evaluated, Plan, StopRule
from pigevo.evolution.registries import STOPS
from pigevo.evolution.stopping import refuse_moving_scores

BEST, SINCE = "best", "since"


@STOPS.register(name="no_progress")
@dataclass(frozen=True)
class NoProgress(StopRule):
    """The run ends when the best score by its own fitness has not risen for so many generations.

    Where there are waves, scores and generations count anew in the last of them, and no earlier one is ended.

    Args:
        generations: without a score above all before.
    """

    generations: Annotated[int, Within(1, 10**9)] = 100

    def check(self, plan: Plan) -> None:
        """All generations must have one measure."""
        refuse_moving_scores(plan, "no_progress")

    def ends(self, generation: Evaluated, remembered: State) -> bool:
        """Whether the best score is too old."""
        since = int(self.remember(generation, remembered)[SINCE][0])
        return generation.number - max(since, _begin(generation.plan)) >= self.generations

    def remember(self, generation: Evaluated, remembered: State) -> State:
        """The best score so far, and the generation that first had it; the last wave begins without any."""
        best = generation.final_scores.max(keepdims=True)
        if BEST in remembered and best[0] <= remembered[BEST][0]:
            of_before = generation.number > _begin(generation.plan) >= remembered[SINCE][0]
            if not (of_before and len(generation.plan.waves) > 1):
                return remembered
        return {BEST: best, SINCE: np.array([generation.number])}


def _begin(plan: Plan) -> int:
    """The generation with which the last wave begins."""
    return plan.generations - plan.waves[-1].generations


@STOPS.register(name="target")
@dataclass(frozen=True)
class Target(StopRule):
    """The run ends with the first generation whose best member reaches a score by the run's own fitness.

    It is a win probability against the optimum only with `fitness=exact_vs_optimal`: no other run sees the referee.
    Where games are played, a lucky member reaches it too.

    Args:
        score: the target, in the fitness's own measure.
    """

    score: Annotated[float, Within(-(10**15), 10**15)] = 0.49

    def check(self, plan: Plan) -> None:
        """All generations must have one measure."""
        refuse_moving_scores(plan, "target")

    def ends(self, generation: Evaluated, remembered: State) -> bool:
        """Whether the best member reaches it."""
        return float(generation.final_scores.max()) >= self.score
