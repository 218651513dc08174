"""Crossover that follows the fitter parent where the two disagree."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pigevo.arrays import Bytes
from pigevo.checked import Within
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import CROSSOVERS


@CROSSOVERS.register(source="fitness-biased uniform crossover: Beasley & Chu 1996, EJOR 94 (fusion)")
def fitter_parent(
    first: Bytes,
    second: Bytes,
    context: Context,
    follow: Annotated[float, Within(0.5, 1)] = 0.8,
) -> Bytes:
    """Children that keep what both parents agree on, and elsewhere take the fitter one's gene with chance `follow`.

    Args:
        first: one parent of each child, shape (n, genes).
        second: the other ones.
        context: with the parents' scores, of which equal ones count as the first being fitter, and the draw.
        follow: the chance of each gene, by itself, to come from the fitter parent.
    """
    first_scores, second_scores = context.scores
    second_is_fitter = (second_scores > first_scores)[:, None]
    better, worse = np.where(second_is_fitter, second, first), np.where(second_is_fitter, first, second)
    astray = context.draw.positions(better.size, 1 - follow)
    better.reshape(-1)[astray] = worse.reshape(-1)[astray]
    return better
