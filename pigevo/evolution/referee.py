"""The referee: the exact win probability against the optimal strategy, beside everything."""

from __future__ import annotations

from pigevo.core.arrays import Floats, Tables
from pigevo.games import Game


def referee(game: Game, tables: Tables, workers: int = 1) -> Floats:
    """Overall win probability of each strategy against the optimal one.

    Args:
        game: the game.
        tables: decisions as bytes, shape `(n, own, turn total, opponent)`, or what tells parts of them.
        workers: threads; the result does not depend on it.

    Returns:
        Probabilities, shape `(n,)`; at most what the optimal strategy wins against itself (0.5 unless a draw is worth
        other than a half), up to rounding.
    """
    from pigevo.exact import against, optimal, prepare

    overall: Floats = against(tables, prepare(optimal(game).strategy), workers).mean(axis=1)
    return overall
