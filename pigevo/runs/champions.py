"""The champions of a run's past, made once more from its record alone."""

from __future__ import annotations

from pigevo.evolve.loop import as_judged
from pigevo.evolve.plan import Plan, judged
from pigevo.runs.remake import from_start
from pigevo.strategies import Strategy


def champions_of(plan: Plan, every: int) -> dict[int, Strategy]:
    """The best member of generations by the run's own judge.

    Args:
        plan: the run's.
        every: generations between two champions; ends of waves are in as well.

    Returns:
        The champions by generation, ascending.
    """
    found = {}
    for state in from_start(plan, plan.generations):
        number = state.generation
        if number and (number % every == 0 or number in plan.wave_ends):
            seen = as_judged(plan, state) if number < plan.generations else state
            grid = plan.waves[seen.wave].grid
            pairs = plan.selection.pairs(len(seen.genomes), plan.draw("selection", number))
            verdict = judged(plan, seen.memory, grid.to_rows(seen.genomes), pairs, plan.draw("dice", number))
            found[number] = grid.strategy(seen.genomes[int(verdict.scores.argmax())], f"generation {number}")
    return found
