"""Selections by rank: everyone meets everyone, and the best share survives."""

from __future__ import annotations

from typing import Annotated

from pigevo.arrays import Floats, Ints
from pigevo.checked import Within
from pigevo.evolution.evaluation import ranking
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import SELECTIONS


@SELECTIONS.register()
def truncation(scores: Floats, context: Context, share: Annotated[float, Within(0, 1, above=True)] = 0.5) -> Ints:
    """The best part of the population survives, at least one; ties by the selection stream.

    Args:
        scores: how good each member is, shape (n,).
        context: with the draw that decides ties.
        share: which part of the population survives.

    Returns:
        Indices, the very best first.
    """
    return ranking(scores, context.draw)[: max(1, round(len(scores) * share))]


@SELECTIONS.register(source="Exeter 2016, section 3.4.1")
def round_robin(scores: Floats, context: Context) -> Ints:
    """Everyone meets everyone, and the half with the most wins survives, the very best first."""
    return ranking(scores, context.draw)[: max(1, len(scores) // 2)]
