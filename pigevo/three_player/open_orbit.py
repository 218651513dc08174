"""An orbit at which elimination leaves more than one turn to a player, and its equilibria."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.errors import InputError
from pigevo.three_player.best_turns import BestTurns
from pigevo.three_player.equilibria import Equilibrium, all_equilibria
from pigevo.three_player.orbits import Needs

ALIKE = 1e-10
"""Win probabilities that differ by less than this are the same."""


@dataclass(frozen=True, eq=False)
class OpenOrbit:
    """An orbit where elimination leaves more than one turn to a player.

    Args:
        needs: points needed by the three players, in the order of their turns.
        turns: how many turns are left to each of them.
        equilibria: all that there are, the one that the solution plays first.
    """

    needs: Needs
    turns: tuple[int, ...]
    equilibria: tuple[Equilibrium, ...]

    @property
    def outcomes(self) -> int:
        """How many different win probabilities the equilibria have; different play can lead to the same ones."""
        seen: list[Floats] = []
        for one in self.equilibria:
            if not any(np.abs(one.values - other).max() < ALIKE for other in seen):
                seen.append(one.values)
        return len(seen)

    @property
    def has_pure(self) -> bool:
        """Whether one of the equilibria is pure."""
        return self.equilibria[0].mixing == 0


def solve_open(turns: BestTurns) -> OpenOrbit:
    """Find every equilibrium of an orbit.

    Args:
        turns: the best turns at the orbit.

    Raises:
        InputError: no equilibrium was found, which only a die of extreme probabilities can bring about.
    """
    found = all_equilibria(turns.left, symmetric=len(set(turns.needs)) == 1)
    if not found:
        raise InputError(f"no equilibrium was found at {turns.needs}: take a die of less extreme probabilities.")
    return OpenOrbit(turns.needs, tuple(len(t) for t in turns.left), tuple(found))
