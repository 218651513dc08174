"""An orbit that elimination leaves open: its equilibria, and the decisions of the chosen one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.arrays import Bytes, Floats, Ints
from pigevo.errors import InputError
from pigevo.three_player.equilibria import Equilibrium, all_equilibria
from pigevo.three_player.orbit_kernels import prepare_orbit, room_for
from pigevo.three_player.orbits import rotated
from pigevo.three_player.turn_kernels import best_turn, fill_won

Needs = tuple[int, int, int]

ALIKE = 1e-10
"""Win probabilities that differ by less than this are the same."""


@dataclass(frozen=True, eq=False)
class OpenOrbit:
    """An orbit where elimination leaves more than one turn to a player.

    Args:
        needs: points needed by the three players, in the order of their turns.
        turns: how many turns each of them is left with.
        equilibria: all that there are, the one that the solution plays first.
    """

    needs: Needs
    turns: tuple[int, ...]
    equilibria: tuple[Equilibrium, ...]

    @property
    def outcomes(self) -> int:
        """How many different win probabilities the equilibria have; players may play differently to the same end."""
        seen: list[Floats] = []
        for one in self.equilibria:
            if not any(np.abs(one.values - other).max() < ALIKE for other in seen):
                seen.append(one.values)
        return len(seen)

    @property
    def has_pure(self) -> bool:
        """Whether one of the equilibria is pure."""
        return self.equilibria[0].mixing == 0


def solve_open(needs: Needs, values: Floats, gains: Ints, chances: Floats) -> tuple[OpenOrbit, BestTurns]:
    """Find every equilibrium of an orbit.

    Args:
        needs: points needed by the three players.
        values: win probabilities, known for all states after a hold, shape (3, T + 1, T + 1, T + 1).
        gains, chances: the die.

    Returns:
        The orbit, and what gives the decisions of each of its equilibria.

    Raises:
        InputError: no equilibrium was found, which only a die of extreme probabilities can bring about.
    """
    turns = best_turns(needs, values, gains, chances)
    found = all_equilibria(turns.left, symmetric=len(set(needs)) == 1)
    if not found:
        raise InputError(f"no equilibrium was found at {needs}: take a die of less extreme probabilities.")
    return OpenOrbit(needs, tuple(len(t) for t in turns.left), tuple(found)), turns


def best_turns(needs: Needs, values: Floats, gains: Ints, chances: Floats) -> BestTurns:
    """The best turns at an orbit, and which of them elimination leaves; arguments as `solve_open`."""
    target = max(needs)
    room = room_for(target)
    held, lines, starts = np.empty((3, target, 4)), np.empty((3, room, 4)), np.empty((3, room))
    work, rolls = np.empty((target + gains.max(), 4)), np.empty(target, np.uint8)
    first, last = np.empty(3, np.int64), np.empty(3, np.int64)
    prepare_orbit(
        values, np.array(needs), gains, chances, held, work, rolls, np.empty((room, 4)), lines, starts, first, last
    )
    return BestTurns(needs, gains, chances, held, lines, starts, first, last)


@dataclass(frozen=True, eq=False)
class BestTurns:
    """The best turns of an orbit, as decisions; its arrays are those of `prepare_orbit`."""

    needs: Needs
    gains: Ints
    chances: Floats
    held: Floats
    lines: Floats
    starts: Floats
    first: Ints
    last: Ints

    @property
    def left(self) -> list[Floats]:
        """For each player the turns that elimination leaves, as lines in the order of the bust value."""
        return [self.lines[m, self.first[m] : self.last[m]] for m in range(3)]

    def rolls(self, one: Equilibrium, m: int) -> Floats:
        """The chance that player `m` rolls at each turn total in an equilibrium, shape (points needed,).

        What he mixes are whole turns; that is the same as mixing where they part, in
        proportion to how often each comes there (Kuhn 1953).  Where none of them comes,
        the best decision stands.
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
        a = rotated(self.needs, m)[0]
        work, rolls = np.empty((a + self.gains.max(), 4)), np.empty(a, np.uint8)
        fill_won(work, a)
        best_turn(x, self.held[m], a, self.gains, self.chances, work, rolls)
        return rolls

    def _reach(self, rolls: Bytes) -> Floats:
        """The chance to come to each turn total."""
        reach = np.zeros(len(rolls) + self.gains.max())
        reach[0] = 1
        for k in np.flatnonzero(rolls):
            reach[k + self.gains] += reach[k] * self.chances
        return reach[: len(rolls)]
