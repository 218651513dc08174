"""A check that stop rules share: whether the scores of several generations can be compared."""

from __future__ import annotations

from pigevo.errors import InputError
from pigevo.evolution.operators import remembers
from pigevo.evolution.plan import Plan


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
