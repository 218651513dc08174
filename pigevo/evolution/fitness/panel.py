"""Fitness against a panel: several named opponents, whom everyone meets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np

from pigevo.core.arrays import Bools
from pigevo.core.checked_values import Filled, StrategyName
from pigevo.evolution.evaluation import Evaluation, absolute
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import FITNESSES
from pigevo.evolution.tables import layout
from pigevo.strategies import parse_strategy

Opponents = Annotated[Sequence[Annotated[str, StrategyName()]], Filled("[hold_at:20,hold_at:25]")]


@FITNESSES.register()
def panel(
    tables: Bools,
    context: Context,
    opponents: Opponents = ("hold_at:15", "hold_at:20", "hold_at:25"),
    by: Literal["mean", "worst"] = "mean",
) -> Evaluation:
    """The mean, or the worst, of everyone's exact overall win probabilities against several opponents.

    By their mean evolution looks for the best response to an opponent drawn from the panel, by the worst for the
    strategy that is safe against all of them.  For selection=lexicase each opponent is a case.

    Args:
        tables: decisions, shape (n, own, opponent, turn total).
        context: with the game.
        opponents: strategies as on the command line: `hold_at:20`, or the path of a saved one.
        by: what of the results is the score.
    """
    from pigevo.exact import against, prepare

    own, game, workers = layout(tables, context.game), context.game, context.workers
    met = [against(own, prepare(parse_strategy(one, game)), workers).mean(axis=1) for one in opponents]
    cases = np.stack(met, axis=1)
    return absolute(cases.min(axis=1) if by == "worst" else cases.mean(axis=1), context.pairs, cases)
