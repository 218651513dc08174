"""Three players: Pig, Piglet and other one-die races for three, solved exactly, checked and simulated.

    from pigevo import three_player
    t = three_player.solve(three_player.Game(target=62))
    t.values[a, b, c]    # points needed by mover, next and third player -> their three win probabilities
    t.value, t.mixed, t.exploitability()

Bonnet, Neller & Viennot, "Towards Optimal Play of Three-Player Piglet and Pig" (2018), left
targets of 62 and more open.  `solve` computes an equilibrium for them, `certify` checks one
without using the solver, `coalition` solves two players against one, and `play` simulates games.

Cost for a target of T: there are about T^3 / 3 orbits (cyclic triples of points needed), and
each takes a few dozen optimal turns of at most T steps, so time grows as T^4.  Memory is
24 T^3 bytes for the win probabilities and T^4 bytes for the strategy.

The names below are loaded when first used (PEP 562), so that importing the package compiles nothing.
"""

from __future__ import annotations

import importlib
from typing import Any

from pigevo.games import Pig as Game
from pigevo.games import Piglet

# A module must not have the name of a function below: importing it would replace the function.
_HOMES = {
    "certificate": ["Certificate", "certify"],
    "coalitions": ["Coalition", "coalition"],
    "evaluation": ["evaluate", "win_probabilities"],
    "lifted_optimum": ["VIEWS", "lifted"],
    "match": ["ThreeMatch", "play"],
    "open_orbit": ["OpenOrbit"],
    "solution": ["ThreeSolution"],
    "solver": ["solve"],
    "store": ["load", "save"],
    "strategy": ["Strategy"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["Game", "Piglet", *sorted(_HOME_OF)]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'pigevo.three_player' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"pigevo.three_player.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
