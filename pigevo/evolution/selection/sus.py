"""Stochastic universal sampling: chances in proportion to scores, one spin for all survivors."""

from __future__ import annotations

from pigevo.arrays import Floats, Ints
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import SELECTIONS
from pigevo.evolution.wheel import Share, arcs_of, evenly, pointed_at, survivors_of


@SELECTIONS.register(source="Baker 1987, ICGA 2")
def sus(scores: Floats, context: Context, share: Share = 0.5) -> Ints:
    """Stochastic universal sampling: one spin of a wheel with a pointer for each survivor, at equal distances.

    Everyone is expected to survive as often as with roulette, and survives that often, rounded down or up.  Scores
    must not be negative; where all are 0, everyone is as likely.

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
    return pointed_at(arcs_of(scores, "selection=sus"), evenly(count, context.draw))
