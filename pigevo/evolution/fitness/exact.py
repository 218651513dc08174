"""Fitness without sampling: exact win probabilities (proposed in Exeter 2016, section 5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np

from pigevo.core.arrays import Bools, Floats
from pigevo.core.checked_values import Filled, StrategyName
from pigevo.evolution.evaluation import Evaluation
from pigevo.evolution.fitness import FITNESSES
from pigevo.evolution.operators import Context, Fitness, Plays, lazy
from pigevo.evolution.population import layout
from pigevo.strategies import Members, parse_strategy


@FITNESSES.register(name="exact")
class Exact(Fitness):
    """The exact overall win probability of each pair that meets, from the equations of the game, without dice."""

    @property
    def plays(self) -> Plays:
        """Members play each other, without simulated games."""
        return Plays(members=True)

    @lazy
    def __call__(self, tables: Bools | Members, context: Context) -> Floats:
        """Evaluate each pair, shape (m, 2)."""
        from pigevo.exact import pairs_of_tables

        decisions, pairs = layout(tables, context.game), context.pairs
        work = context.workers, context.progress
        of_first = pairs_of_tables(context.game, decisions, pairs, *work).mean(axis=1)
        if not context.game.constant_sum:
            of_second = pairs_of_tables(context.game, decisions, pairs[:, ::-1], *work).mean(axis=1)
        else:
            of_second = 1 - of_first
        return np.stack([of_first, of_second], axis=1)


@FITNESSES.register()
@lazy
def exact_vs(
    tables: Bools | Members, context: Context, opponent: Annotated[str, StrategyName()] = "hold_at:20"
) -> Floats:
    """The exact overall win probability of each member against one opponent, shape (n,).

    Evolution then looks for the best response to that opponent.

    Args:
        opponent: a strategy as on the command line: `hold_at:20`, or the path of a saved strategy.
    """
    from pigevo.exact import against, prepare

    strategy = parse_strategy(opponent, context.game)
    won: Floats = against(layout(tables, context.game), prepare(strategy), context.workers).mean(axis=1)
    return won


@FITNESSES.register()
@lazy
def exact_vs_optimal(tables: Bools | Members, context: Context) -> Floats:
    """The exact overall win probability of each member against the optimal strategy, shape (n,).

    This is the referee's figure, so a run with this fitness uses information that all other runs do not have.
    """
    from pigevo.evolution.evaluation import referee

    return referee(context.game, layout(tables, context.game), context.workers)


Opponents = Annotated[Sequence[Annotated[str, StrategyName()]], Filled("[hold_at:20,hold_at:25]")]


@FITNESSES.register()
@lazy
def panel(
    tables: Bools | Members,
    context: Context,
    opponents: Opponents = ("hold_at:15", "hold_at:20", "hold_at:25"),
    by: Literal["mean", "worst"] = "mean",
) -> Evaluation:
    """The mean or the worst exact overall win probability of each member against several opponents.

    With the mean, evolution looks for the best response to an opponent drawn from the panel.  With the worst, it looks
    for the strategy that is safe against all of them.  For selection=lexicase each opponent is a case.

    Args:
        opponents: strategies as on the command line: `hold_at:20`, or the path of a saved strategy.
        by: whether the mean or the worst result is the score.
    """
    from pigevo.exact import against, prepare

    decisions, game, workers = layout(tables, context.game), context.game, context.workers
    met = [against(decisions, prepare(parse_strategy(opponent, game)), workers).mean(axis=1) for opponent in opponents]
    cases = np.stack(met, axis=1)
    return Evaluation.of_scores(cases.min(axis=1) if by == "worst" else cases.mean(axis=1), context.pairs, cases)
