"""Crossover that follows the fitter parent where the two disagree."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bytes
from pigevo.core.checked_values import Within
from pigevo.core.memory import PIECE
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
    (n, genes), (first_scores, second_scores) = first.shape, context.scores
    second_is_fitter = (second_scores > first_scores)[:, None]
    children, astray = np.empty((n, genes), np.uint8), context.draw.positions(n * genes, 1 - follow)
    together = max(1, PIECE // (8 * max(1, genes)))
    for start in range(0, n, together):
        rows = slice(start, start + together)
        fits, one, two = second_is_fitter[rows], first[rows], second[rows]
        better, worse = np.where(fits, two, one), np.where(fits, one, two)
        begin, end = np.searchsorted(astray, (start * genes, min(start + together, n) * genes))
        here = astray[begin:end] - start * genes
        better.reshape(-1)[here] = worse.reshape(-1)[here]
        children[rows] = better
    return children
