"""The best turns of the three players at one orbit, and its equilibria where elimination leaves more than one turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.errors import InputError
from pigevo.three_player.equilibria import Equilibrium, all_equilibria
from pigevo.three_player.orbit_kernels import best_turn, prepare_orbit, turn_memory
from pigevo.three_player.rules import Needs, PlainDie


@dataclass(frozen=True, eq=False)
class BestTurns:
    """The best turns of an orbit, where three players need `needs` points; made by `best_turns`.

    `held` has the lines of a hold at each turn total, shape (3, T, 4); `lines` those of the best turns in the order of
    the bust value, shape (3, room, 4), and `starts` the bust value from which on each is best, 1 after the last.
    Elimination leaves each player the turns from `first` to before `last`.
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
        """The chance that player `m` rolls at each turn total in an equilibrium.

        Mixing two whole turns is the same as mixing the decisions at which they part, in proportion to how often each
        turn comes there (Kuhn 1953). Where neither comes, the best decision is taken.
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
    """The best turns at an orbit, and which of them elimination leaves."""
    return BestTurns(needs, die, *prepare_orbit(values, np.array(needs), die))


ALIKE = 1e-10
"""Win probabilities that differ by less than this are the same."""


@dataclass(frozen=True, eq=False)
class OpenOrbit:
    """An orbit where elimination leaves more than one turn to a player.

    Args:
        needs: points needed by the three players, in the order of their turns.
        turns: how many turns are left to each of them.
        equilibria: all that there are, the one that the solution plays first.

    Example:
        >>> from pigevo import three_player as tp
        >>> tp.OpenOrbit(needs=(32, 62, 61), turns=(2, 1, 2), equilibria=()).needs
        (32, 62, 61)
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

    Raises:
        InputError: no equilibrium was found, which only a die of extreme probabilities can bring about.
    """
    found = all_equilibria(turns.left, symmetric=len(set(turns.needs)) == 1)
    if not found:
        raise InputError(f"no equilibrium was found at {turns.needs}: take a die of less extreme probabilities.")
    return OpenOrbit(turns.needs, tuple(len(t) for t in turns.left), tuple(found))
