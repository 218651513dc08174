"""How much memory a run needs, told before it begins.

What was measured, for a population of n with G genes each in a game to T points: three to four
times its genomes (one generation, the next one before and after mutation, what is saved),
its decisions at T^3 bytes each as far as they are made at once, 150 bytes for every pair that
meets, and some T^3 bytes for the optimum and whoever meets it.
"""

from __future__ import annotations

from pigevo.core.memory import PIECE, refuse_more
from pigevo.evolution.plan import Plan
from pigevo.settings.settings import Settings

ALWAYS = 350 << 20
"""Bytes of the interpreter, the compiler and the libraries."""

COPIES = 4.0
"""How often a population is there while the next one is made."""

PER_FLIP, PER_PAIR, PER_RANDOM_MEMBER = 48, 150, 64
"""Bytes for each gene that flips, each pair that meets, and each figure of a sample of random members."""

PER_CELL = 16
"""Bytes for each cell of a strategy: the optimum, the opponent that is prepared, the hall of fame."""


def refuse_too_large(settings: Settings) -> None:
    """Refuse a run for which there is not enough memory.

    Raises:
        InputError: there is not.
    """
    size = settings.plan.size
    refuse_more(
        bytes_needed(settings), f"a run with a population of {size:,}",
        "population.size=, game.target= and cubes.sizes= decide how much",
    )  # fmt: skip


def bytes_needed(settings: Settings) -> int:
    """How much memory a run needs at its peak, roughly, and rather too much than too little."""
    plan = settings.plan
    cells, size = plan.game.cells, plan.size
    genes = max(wave.grid.genes for wave in plan.waves)
    genomes, tables, pairs = size * genes, size * cells, _pairs(plan)
    gathered = 2 * (genomes if "crossover" in plan.own else min(genomes, PIECE))
    astray = 1 - settings.choices["crossover"].options.get("follow", 1)
    making = COPIES * genomes + max(gathered, PER_FLIP * max(plan.rate, astray) * genomes)
    evaluating = (
        1.2 * genomes
        + (2 * tables if "fitness" in plan.own else min(tables, PIECE))
        + plan.fitness.bytes_beside(plan.game, size, pairs)
        + PER_PAIR * pairs
        + 8 * cells * plan.workers
    )
    sample = settings.choices["baseline"].options.get("populations", 0) * size * PER_RANDOM_MEMBER
    beside = plan.mutator.bytes_beside(plan.game, size, pairs)
    return int(ALWAYS + PER_CELL * cells + max(making, evaluating, 1.2 * genomes + sample) + beside)


def _pairs(plan: Plan) -> int:
    """In how many pairs members meet at most, or are compared."""
    if "selection" in plan.own:
        return plan.size * (plan.size - 1) // 2
    return max(plan.champion_matches, plan.size // 2)
