"""Gene importance: the win probability that each single decision is worth."""

from __future__ import annotations

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.errors import InputError
from pigevo.exact.evaluate import turn_values
from pigevo.exact.importance_kernels import importance_table
from pigevo.exact.turns import is_fast, packed_die, prepare
from pigevo.exact.visits import arrivals
from pigevo.strategies import Strategy


def gene_importance(strategy: Strategy, opponent: Strategy) -> Floats:
    """The overall win probability lost by flipping each cell by itself, all others kept.

    It is exact, not to first order, and costs about as much as one evaluation of both
    strategies.  A negative figure says that the flip would be better.

    Args:
        strategy: whose decisions are flipped.
        opponent: whom it meets.

    Returns:
        Probabilities, shape (T, T, T), by (i, j, k); 0 where play never comes, where the
        player has won, and, unless passing is allowed, at `k = 0`, where nothing is decided.

    Raises:
        InputError: the strategies play different games, or no race of one die, or leave decisions to chance.

    Example:
        >>> import numpy as np
        >>> import pigevo
        >>> best = pigevo.optimal(pigevo.Pig()).strategy
        >>> lost = pigevo.gene_importance(best, best)
        >>> tuple(map(int, np.unravel_index(lost.argmax(), lost.shape))), round(float(lost.max()), 4)
        ((0, 0, 6), 0.0113)
    """
    if not is_fast(strategy) or not is_fast(opponent):
        raise InputError("what one decision is worth is known for races of one die, and strategies without chance.")
    game = strategy.game
    mine, theirs = arrivals(strategy, opponent)
    moving, waiting = turn_values(strategy.table, prepare(opponent))
    away = np.ascontiguousarray(prepare(opponent).leave.T)
    worth = waiting - (1 - away) * moving
    lost: Floats = importance_table(strategy.table, *packed_die(game), waiting, worth, away, mine, theirs)
    return np.where(np.broadcast_to(game.decision_states, game.shape), lost, 0.0)
