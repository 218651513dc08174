"""Stop at a target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pigevo.checked import Within
from pigevo.evolution.operators import State
from pigevo.evolution.registries import STOPS
from pigevo.evolution.stopping import StopRule, refuse_moving_scores

if TYPE_CHECKING:
    from pigevo.evolution.loop import Generation
    from pigevo.evolution.plan import Plan


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

    def ends(self, generation: Generation, remembered: State) -> bool:
        """Whether the best member reaches it."""
        return float(generation.final_scores.max()) >= self.score
