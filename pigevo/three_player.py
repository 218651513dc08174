"""Three players: Pig and Piglet for three, solved exactly, played, watched failing.

    from pigevo import three_player
    t = three_player.solve(three_player.Game(target=62))
    t.values[a, b, c]    # points still needed by mover, next, third -> their win probabilities
    t.value, t.mixed, t.exploitability()
"""

from __future__ import annotations

from pigevo.exact.three.solve import ThreeSolution, solve
from pigevo.games import Pig as Game
from pigevo.games import Piglet
from pigevo.strategies.three import ThreeStrategy as Strategy

__all__ = ["Game", "Piglet", "Strategy", "ThreeSolution", "solve"]
