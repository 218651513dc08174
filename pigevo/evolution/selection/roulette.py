"""Fitness-proportionate selection: roulette wheel and stochastic universal sampling (Baker 1987)."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.checked_values import Within
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import SELECTIONS

Share = Annotated[float, Within(0, 1, above=True)]
"""Which part of the population survives."""


def survivors_of(size: int, share: float) -> int:
    """How many of `size` members survive: a share of them, and at least one."""
    return max(1, round(size * share))


def arcs_of(scores: Floats, choice: str) -> Floats:
    """Scores as arcs of a wheel; where all are 0, everyone has the same.

    Raises:
        InputError: one of them is negative, so that no wheel can be made of them.
    """
    worst = float(scores.min(initial=0.0))
    if worst < 0:
        raise InputError(
            f"{choice} needs scores of at least 0, and the fitness gave {worst:g}: choose selection=tournament or "
            f"selection=linear_rank, which need nothing but the order of scores."
        )
    largest = float(scores.max(initial=0.0))
    return scores / largest if largest > 0 else np.ones_like(scores)


def pointed_at(arcs: Floats, points: Floats) -> Ints:
    """Who has the arc at each point, where the whole wheel has the length 1."""
    ends = np.cumsum(arcs)
    last = int(np.flatnonzero(arcs)[-1])  # a point just below 1 may be rounded to the end
    found: Ints = np.minimum(np.searchsorted(ends, points * ends[-1], side="right"), last).astype(np.int64)
    return found


def evenly(count: int, draw: Draw) -> Floats:
    """So many points on a wheel at equal distances, of which one random number decides where they begin."""
    points: Floats = (np.arange(count) + draw.uniforms(1)) / count
    return points


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
