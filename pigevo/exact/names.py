"""The name `optimal`, added to those that a strategy can have; it loads the engine when used."""

from __future__ import annotations

from pigevo.games import Game
from pigevo.strategies import STRATEGIES, Strategy


@STRATEGIES.register(name="optimal", source="solved for Pig to 100 by Neller & Presser 2004")
def optimal_strategy(game: Game) -> Strategy:
    """The strategy that no other beats overall."""
    from pigevo.exact.solve import optimal

    return optimal(game).strategy
