"""Three players: Pig, Piglet and other one-die races for three, solved exactly, checked and simulated.

    from pigevo import three_player
    t = three_player.solve(three_player.Game(target=62))
    t.values[a, b, c]    # points needed by mover, next and third player -> their three win probabilities
    t.value, t.mixed, t.exploitability()

Bonnet, Neller & Viennot, "Towards Optimal Play of Three-Player Piglet and Pig" (2018), left
targets of 62 and more open.  `solve` computes an equilibrium for them, `certify` checks one
without using the solver, and `play` simulates games.  More players, races in which scores can fall, other rewards than
a win and coalitions are in the study `bonnet2018`.

Cost for a target of T: there are about T^3 / 3 orbits (cyclic triples of points needed), and
each takes a few dozen optimal turns of at most T steps, so time grows as T^4.  Memory is
24 T^3 bytes for the win probabilities and T^4 bytes for the strategy.

The names below are loaded when first used (PEP 562), so that importing the package compiles nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigevo.core.imports import exported_names, lazy_getattr
from pigevo.games import Pig as Game, Piglet

# A module must not have the name of a function below: importing it would replace the function.
_HOMES = {
    "evaluation": ["Certificate", "ThreeMatch", "certify", "evaluate", "play", "win_probabilities"],
    "lifted_optimum": ["VIEWS", "lifted", "lifted_loss"],
    "equilibria": ["OpenOrbit"],
    "solver": ["ThreeSolution", "load", "save", "solve"],
    "strategy": ["Strategy"],
}  # fmt: skip

__all__ = ["Game", "Piglet", *exported_names(_HOMES)]
if TYPE_CHECKING:
    from pigevo.three_player.equilibria import OpenOrbit as OpenOrbit
    from pigevo.three_player.evaluation import (
        Certificate as Certificate, ThreeMatch as ThreeMatch, certify as certify, evaluate as evaluate, play as play,
        win_probabilities as win_probabilities,
    )  # fmt: skip
    from pigevo.three_player.lifted_optimum import VIEWS as VIEWS, lifted as lifted, lifted_loss as lifted_loss
    from pigevo.three_player.solver import ThreeSolution as ThreeSolution, load as load, save as save, solve as solve
    from pigevo.three_player.strategy import Strategy as Strategy
else:
    __getattr__ = lazy_getattr(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
