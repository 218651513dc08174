"""Lexicase selection with opponents as cases."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.checked_values import Within
from pigevo.dice import Draw
from pigevo.evolution.evaluation import Evaluation
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import SELECTIONS


@SELECTIONS.register(source="Spector 2012; epsilon: La Cava, Spector & Danai 2016")
def lexicase(
    scores: Floats,
    context: Context,
    share: Annotated[float, Within(0, 1, above=True)] = 0.5,
    epsilon: Annotated[float, Within(0, 100)] = 1.0,
) -> Ints:
    """Each survivor is the one left when opponents, in a random order, sieve out all but the best against them.

    The opponents are the cases of the fitness, or else the other members that a member met.  Those
    within `epsilon` median absolute deviations of the best of a case are as good.  One may survive twice.

    Args:
        scores: how good each member is, shape (n,).
        context: with the evaluation and the draw.
        share: survivors, as a part of the population.
        epsilon: how much worse than the best is still as good.

    Returns:
        One index for each survivor.
    """
    evaluation = context.evaluation
    assert evaluation is not None
    cases = evaluation.cases if evaluation.cases is not None else against_each(evaluation)
    deviation = epsilon * np.median(np.abs(cases - np.median(cases, axis=0)), axis=0)
    count = max(1, round(len(cases) * share))
    return np.array([_one(cases, deviation, context.draw.at(part=1 + n)) for n in range(count)], dtype=np.int64)


def _one(cases: Floats, tolerance: Floats, draw: Draw) -> int:
    """Who is left of all members when each case keeps those within its tolerance of the best."""
    left = np.arange(len(cases))
    for case in draw.permutation(cases.shape[1]):
        values = cases[left, case]
        left = left[values >= values.max() - tolerance[case]]
        if len(left) == 1:
            break
    return int(left[draw.at(part=draw.part, pair=1).permutation(len(left))[0]])


def against_each(evaluation: Evaluation) -> Floats:
    """What each member did against each other one, shape (n, n); 0.5 where two did not meet."""
    n = len(evaluation.scores)
    table = np.full((n, n), 0.5)
    first, second = evaluation.pairs.T
    table[first, second], table[second, first] = evaluation.wins.T
    return table
