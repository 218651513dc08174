"""Stop where nothing gets better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from pigevo.checked import Within
from pigevo.evolution.operators import State
from pigevo.evolution.registries import STOPS
from pigevo.evolution.stopping import StopRule, refuse_moving_scores

if TYPE_CHECKING:
    from pigevo.evolution.loop import Generation
    from pigevo.evolution.plan import Plan

BEST, SINCE = "best", "since"


@STOPS.register(name="no_progress")
@dataclass(frozen=True)
class NoProgress(StopRule):
    """The run ends when the best score by its own fitness has not risen for so many generations.

    Where there are waves, this counts anew in the last of them, and ends no earlier one.

    Args:
        generations: without a score above all before.
    """

    generations: Annotated[int, Within(1, 10**9)] = 100

    def check(self, plan: Plan) -> None:
        """All generations must have one measure."""
        refuse_moving_scores(plan, "no_progress")

    def ends(self, generation: Generation, remembered: State) -> bool:
        """Whether the best score is too old."""
        plan = generation.plan
        last_wave_begins = plan.generations - plan.waves[-1].generations
        since = int(self.remember(generation, remembered)[SINCE][0])
        return generation.number - max(since, last_wave_begins) >= self.generations

    def remember(self, generation: Generation, remembered: State) -> State:
        """The best score so far, and the generation that first had it."""
        best = generation.final_scores.max(keepdims=True)
        if BEST in remembered and best[0] <= remembered[BEST][0]:
            return remembered
        return {BEST: best, SINCE: np.array([generation.number])}
