"""Truncation selection: the best share, or the best mu, survive."""

from __future__ import annotations

from typing import Annotated

from pigevo.core.arrays import Floats, Ints
from pigevo.core.checked_values import Within
from pigevo.errors import InputError
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


@SELECTIONS.register(source="Beyer & Schwefel 2002, Natural Computing 1")
def mu_best(scores: Floats, context: Context, mu: Annotated[int, Within(1, 5000)] = 1) -> Ints:
    """The best `mu` survive, as the parents of an evolution strategy; ties by the selection stream.

    With replacement=mu_plus_lambda this is `(mu + lambda)`: parents stay, and lambda is `population.size - mu`.  With
    replacement=mu_comma_lambda it is `(mu, lambda)`: nobody stays, and lambda is `population.size`.  One parent alone
    has children who are its mutated copies.

    Args:
        scores: how good each member is, shape (n,).
        context: with the draw that decides ties.
        mu: how many survive, fewer than the population has.

    Returns:
        Indices, the very best first.

    Raises:
        InputError: everyone would survive.
    """
    if mu >= len(scores):
        raise InputError(
            f"selection.mu = {mu} selects everyone of a population of {len(scores)}: it must be below population.size."
        )
    return ranking(scores, context.draw)[:mu]
