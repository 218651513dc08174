"""The champions of a run's past, made once more from its record alone."""

from __future__ import annotations

from pigevo.evolution.plan import Plan
from pigevo.runs.again import from_start
from pigevo.strategies import Strategy


def champions_of(plan: Plan, every: int) -> dict[int, Strategy]:
    """The best member of generations by the run's own fitness.

    Args:
        plan: the run's.
        every: generations between two champions; ends of waves are in as well.

    Returns:
        The champions by generation, ascending; the last one is what the run handed over.
    """
    found = {}
    for generation in from_start(plan, plan.generations):
        number = generation.number
        if number and (number % every == 0 or number in plan.wave_ends):
            order, _ = generation.ranked()
            found[number] = generation.grid.strategy(generation.genomes[order[0]], f"generation {number}")
    return found
