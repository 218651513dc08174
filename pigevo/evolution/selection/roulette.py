"""Roulette: chances in proportion to scores, one spin for each survivor."""

from __future__ import annotations

from pigevo.arrays import Floats, Ints
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import SELECTIONS
from pigevo.evolution.wheel import Share, arcs_of, pointed_at, survivors_of


@SELECTIONS.register(source="Holland 1975; Goldberg 1989")
def roulette(scores: Floats, context: Context, share: Share = 0.5) -> Ints:
    """Each survivor is drawn by itself, everyone with a chance in proportion to the score.

    Scores must not be negative; where all are 0, everyone is as likely.  One may survive twice.  Win probabilities
    differ by little in a good population, and then this hardly selects: compare it with tournament or linear_rank.

    Args:
        scores: how good each member is, shape (n,).
        context: with the draw.
        share: survivors, as a part of the population.

    Returns:
        One index for each survivor.

    Raises:
        InputError: a score is negative.
    """
    count = survivors_of(len(scores), share)
    return pointed_at(arcs_of(scores, "selection=roulette"), context.draw.uniforms(count))
