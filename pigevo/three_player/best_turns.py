"""The best turns of the three players at one orbit, as lines and as decisions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.three_player.equilibria import Equilibrium
from pigevo.three_player.orbit_kernels import prepare_orbit
from pigevo.three_player.orbits import Needs
from pigevo.three_player.rules import PlainDie
from pigevo.three_player.turn_kernels import best_turn, turn_memory


@dataclass(frozen=True, eq=False)
class BestTurns:
    """The best turns of an orbit; made by `best_turns`.

    Args:
        needs: points needed by the three players.
        die: the gains and their probabilities.
        held: for each player the lines of a hold at each turn total, shape (3, T, 4).
        lines: the lines of each player's best turns, in the order of the bust value, shape (3, room, 4).
        starts: the bust value from which on each is best, and 1 after the last, shape (3, room).
        first: the first turn that elimination leaves to each player, shape (3,).
        last: the turn after the last one that it leaves, shape (3,).
    """

    needs: Needs
    die: PlainDie
    held: Floats
    lines: Floats
    starts: Floats
    first: Ints
    last: Ints

    @property
    def left(self) -> list[Floats]:
        """For each player the lines of the turns that elimination leaves, shape (turns, 4) each."""
        return [self.lines[m, self.first[m] : self.last[m]] for m in range(3)]

    def rolls(self, one: Equilibrium, m: int) -> Floats:
        """The chance that a player rolls at each turn total in an equilibrium.

        Mixing two whole turns is the same as mixing the decisions at which they part, in
        proportion to how often each turn comes there (Kuhn 1953).  Where neither comes,
        the best decision is taken.

        Args:
            one: the equilibrium.
            m: the player.

        Returns:
            Shape (points that the player needs,).
        """
        chance = self._turn(m, one.bust[m]).astype(np.float64)
        come = np.zeros((2, len(chance)))
        for turn, weight in ((one.turns[m], 1 - one.weights[m]), (one.turns[m] + 1, one.weights[m])):
            if weight > 0:
                number = self.first[m] + turn
                rolls = self._turn(m, (self.starts[m, number] + self.starts[m, number + 1]) / 2)
                reached = weight * self._reach(rolls)
                come += reached * np.stack([1 - rolls, rolls])
        reached = come.sum(axis=0)
        np.divide(come[1], reached, out=chance, where=reached > 0)
        return chance

    def _turn(self, m: int, x: float) -> Bytes:
        a = self.needs[m]
        rolls = np.empty(a, np.uint8)
        best_turn(x, self.held[m], self.die, turn_memory(a, self.die), rolls)
        return rolls

    def _reach(self, rolls: Bytes) -> Floats:
        """The chance to come to each turn total."""
        gains, chances = self.die
        reach = np.zeros(len(rolls) + gains.max())
        reach[0] = 1
        for k in np.flatnonzero(rolls):
            reach[k + gains] += reach[k] * chances
        return reach[: len(rolls)]


def best_turns(needs: Needs, values: Floats, die: PlainDie) -> BestTurns:
    """The best turns at an orbit, and which of them elimination leaves.

    Args:
        needs: points needed by the three players.
        values: win probabilities as in `orbits.won_values`, known for all states after a hold.
        die: the gains and their probabilities.
    """
    return BestTurns(needs, die, *prepare_orbit(values, np.array(needs), die))
