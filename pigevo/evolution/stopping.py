"""What a stop rule is: it is asked of each generation, in order, whether the run ends with it.

It may look at the generation and at what it remembers of earlier ones, and at nothing else: not at a
clock, so that a run repeats to the bit, nor at the referee, which no run sees unless it is the fitness.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigevo.errors import InputError
from pigevo.evolution.operators import State, remembers

if TYPE_CHECKING:
    from pigevo.evolution.loop import Generation
    from pigevo.evolution.plan import Plan


class StopRule:
    """Any stop rule."""

    def check(self, plan: Plan) -> None:
        """Refuse a plan in which the rule has no meaning.

        Raises:
            InputError: it has none.
        """

    def ends(self, generation: Generation, remembered: State) -> bool:
        """Whether the run ends with this generation.

        Args:
            generation: with its scores and counts.
            remembered: of the generations before.
        """
        raise NotImplementedError

    def remember(self, generation: Generation, remembered: State) -> State:
        """What to remember of a generation with which the run did not end, and of those before: arrays by name."""
        return {}


def refuse_moving_scores(plan: Plan, rule: str) -> None:
    """Refuse a rule that compares scores of several generations where they are not of one measure.

    Members who meet score against each other, however good all are; and against past champions, or whatever else a
    fitness remembers, scores fall while all get better.

    Raises:
        InputError: the measure moves.
    """
    fitness = plan.names.get("fitness", "this fitness")
    if plan.fitness.plays.members:
        why = f"those of {fitness} are of members who meet each other, half a win on average in every generation"
    elif remembers(plan.fitness):
        why = f"what {fitness} remembers, such as past champions, changes by what it measures them"
    else:
        return
    raise InputError(
        f"stop={rule} compares scores, and {why}: choose stop=evaluations or stop=games, or a fitness without "
        f"{'meetings' if plan.fitness.plays.members else 'memory'}, such as fitness=panel."
    )
