"""The name `optimal`, added to those that a strategy can have; it loads the engine when used."""

from __future__ import annotations

from pigevo.games import Game
from pigevo.strategies import STRATEGIES, Strategy


@STRATEGIES.register(name="optimal", source="solved for Pig to 100 by Neller & Presser 2004")
def optimal_strategy(game: Game) -> Strategy:
    """The strategy that no other beats overall."""
    from pigevo.ahead import compile_ahead
    from pigevo.compiled import cache_folder
    from pigevo.exact.ahead import TASK
    from pigevo.exact.solve import optimal

    if game.one_die:
        compile_ahead(cache_folder(), TASK)  # for whoever plays against it
    return optimal(game).strategy
