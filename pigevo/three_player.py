"""Three players: Pig and Piglet for three, solved exactly, judged, played, and watched failing.

    from pigevo import three_player
    t = three_player.solve(three_player.Game(target=62))
    t.values[a, b, c]    # points still needed by mover, next, third -> their three win probabilities
    t.value, t.mixed, t.exploitability()

Bonnet, Neller & Viennot, "Towards Optimal Play of Three-Player Piglet and Pig" (2018), left
targets of 62 and more open.  `solve` gives an equilibrium for them, `certify` checks one
without knowing how it was found, `watch` runs the paper's own iterations, `exhaust` its
method for Piglet, `coalition` two players against one, `play` simulated games.
"""

from __future__ import annotations

from pigevo.arena.three import ThreeMatch, play
from pigevo.exact.three.certificate import Certificate, certify
from pigevo.exact.three.coalition import Coalition, coalition
from pigevo.exact.three.evaluate import evaluate, win_probabilities
from pigevo.exact.three.lift import VIEWS, lifted
from pigevo.exact.three.open_orbit import OpenOrbit
from pigevo.exact.three.piglet import PigletWorlds, exhaust
from pigevo.exact.three.solve import ThreeSolution, solve
from pigevo.exact.three.store import load, save
from pigevo.exact.three.watch import METHODS, Watched, watch
from pigevo.games import Pig as Game
from pigevo.games import Piglet
from pigevo.strategies.three import ThreeStrategy as Strategy

__all__ = [
    "Certificate", "Coalition", "Game", "METHODS", "OpenOrbit", "Piglet", "PigletWorlds", "Strategy", "ThreeMatch",
    "ThreeSolution", "VIEWS", "Watched", "certify", "coalition", "evaluate", "exhaust", "lifted", "load", "play",
    "save", "solve", "watch", "win_probabilities",
]  # fmt: skip
