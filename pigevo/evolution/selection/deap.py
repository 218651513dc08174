"""Selection by one of DEAP's operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.dice import Draw
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import SELECTIONS

WHEELS = ("selRoulette", "selStochasticUniversalSampling")
"""Operators that give each member a share of a wheel, as large as its score."""


LARGEST_SHARE = 1e300
"""Shares above this would add up to no number."""


def _complete(options: dict[str, Any]) -> dict[str, Any]:
    """The options, with an operator that was tried on members with all kinds of scores.

    Raises:
        InputError: no such operator, arguments that it does not take, or it fails at some of these scores.
    """
    from pigevo.evolution.deap_adapter import REHEARSALS, complete

    completed = complete("sel", options, given=2)
    draw = Draw(0, "validation")
    apart = draw.uniforms(REHEARSALS)
    for scores in (apart, np.round(2 * apart) / 2, np.zeros(REHEARSALS), apart - 1):
        _chosen(scores, draw, completed["operator"], completed["arguments"])
    return completed


@SELECTIONS.register(source="DEAP, deap.tools.sel*", complete=_complete)
def deap(
    scores: Floats,
    context: Context,
    operator: str = "selTournament",
    arguments: Mapping[str, Any] | None = None,
) -> Ints:
    """As many as half of the population, chosen by a DEAP operator; one may be chosen twice.

    Args:
        scores: how good each member is, shape (n,).
        context: with the draw that seeds the operator.
        operator: its name in `deap.tools`, as `selTournament`.
        arguments: its arguments beside the individuals and their number; the usual ones are filled in.

    Returns:
        The indices of the individuals that the operator chose.
    """
    return _chosen(scores, context.draw, operator, arguments)


def _chosen(scores: Floats, draw: Draw, operator: str, arguments: Mapping[str, Any] | None) -> Ints:
    from pigevo.evolution.deap_adapter import Individual, operator_of, seeded

    choose = operator_of("sel", operator, arguments, given=2)
    empty = np.empty(0, dtype=np.uint8)
    values = on_a_wheel(scores) if operator in WHEELS else scores
    members = [Individual.of(empty, value, index) for index, value in enumerate(values.tolist())]
    with seeded(draw):
        chosen = choose(members, max(1, len(members) // 2))
    return np.array([member.index for member in chosen], dtype=np.int64)


def on_a_wheel(scores: Floats) -> Floats:
    """Scores as shares of a wheel: as they are, but where that can be no wheel.

    Negative ones are counted from the smallest; where none is above 0, all have the same share.
    """
    largest = float(np.abs(scores).max())
    finite = scores if largest < LARGEST_SHARE else scores / largest
    shares = finite - min(float(finite.min()), 0.0)
    return shares if shares.any() else np.ones_like(scores)
