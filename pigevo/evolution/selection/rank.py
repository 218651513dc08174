"""Rank selection: chances fall from rank to rank by equal steps (linear) or equal factors (exponential)."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.checked_values import Within
from pigevo.evolution.evaluation import ranking
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import SELECTIONS
from pigevo.evolution.selection.roulette import Share, evenly, pointed_at, survivors_of


@SELECTIONS.register(source="Blickle & Thiele 1996, Evolutionary Computation 4; sampling: Baker 1987, ICGA 2")
def exponential_rank(
    scores: Floats, context: Context, factor: Annotated[float, Within(0, 1, above=True)] = 0.9, share: Share = 0.5
) -> Ints:
    """The chance to survive falls by the same factor from each rank to the next, whatever the scores are.

    All survivors are drawn by one spin (`sus`), so that everyone survives as often as expected, rounded down or up.
    Ties by the selection stream.

    Args:
        scores: how good each member is, shape (n,).
        context: with the draw.
        factor: the chance of a rank in units of that of the rank before; 1 chooses all alike.
        share: survivors, as a part of the population.

    Returns:
        One index for each survivor.
    """
    order = ranking(scores, context.draw)
    arcs = np.cumprod(np.append(1.0, np.full(len(scores) - 1, factor)))
    return order[pointed_at(arcs, evenly(survivors_of(len(scores), share), context.draw.at(part=1)))]


@SELECTIONS.register(source="Baker 1985, ICGA 1; sampling: Baker 1987, ICGA 2")
def linear_rank(
    scores: Floats, context: Context, pressure: Annotated[float, Within(1, 2)] = 1.8, share: Share = 0.5
) -> Ints:
    """The chance to survive falls by equal steps from the best to the worst, whatever the scores are.

    The best has `pressure` times the mean chance, the worst `2 - pressure` times.  All survivors are drawn by one
    spin (`sus`), so that everyone survives as often as expected, rounded down or up.  Ties by the selection stream.

    Args:
        scores: how good each member is, shape (n,).
        context: with the draw.
        pressure: the chance of the best, in units of the mean; 1 chooses all alike.
        share: survivors, as a part of the population.

    Returns:
        One index for each survivor.
    """
    order = ranking(scores, context.draw)
    arcs = np.linspace(pressure, 2 - pressure, len(scores))
    return order[pointed_at(arcs, evenly(survivors_of(len(scores), share), context.draw.at(part=1)))]
