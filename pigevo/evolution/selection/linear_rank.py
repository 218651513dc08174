"""Linear ranking: chances fall from rank to rank by equal steps."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pigevo.arrays import Floats, Ints
from pigevo.checked import Within
from pigevo.evolution.evaluation import ranking
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import SELECTIONS
from pigevo.evolution.wheel import Share, evenly, pointed_at, survivors_of


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
