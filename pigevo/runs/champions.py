"""The champions of a run's past, made once more from its record alone."""

from __future__ import annotations

from pigevo.evolution.loop import as_judged, final_ranking
from pigevo.evolution.plan import Plan
from pigevo.runs.remake import from_start
from pigevo.strategies import Strategy


def champions_of(plan: Plan, every: int) -> dict[int, Strategy]:
    """The best member of generations by the run's own judge.

    Args:
        plan: the run's.
        every: generations between two champions; ends of waves are in as well.

    Returns:
        The champions by generation, ascending; the last one is what the run handed over.
    """
    found = {}
    for state in from_start(plan, plan.generations):
        number = state.generation
        if number and (number % every == 0 or number in plan.wave_ends):
            seen = as_judged(plan, state)
            order, _ = final_ranking(plan, seen)
            found[number] = plan.waves[seen.wave].grid.strategy(seen.genomes[order[0]], f"generation {number}")
    return found
